"""What a page tells its reader to type, and what it shows as the answer, in the order of the page.

Everything of this kind stands in code blocks. A line at the margin of a block that begins with a command's name is a
command, and so is one that begins with `$`; the lines that follow it, there or in the next block, are its answer.
Commands of a block without a line between them are one step: their answers stand below the last of them.
"""

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from markdown_it import MarkdownIt

_COMMAND = re.compile(
    r"\$ |(curl|export|make|git|pip|provender|\.venv/bin/\S+|/opt/provender/bin/\S+|[A-Z_]+=\S+|cp|echo|gunzip|install|"
    r"journalctl|mv|nginx|podman|psql|python3|rsync|sudo|systemctl|systemd-run|taskset|useradd)( |$)"
)

# Fences in these languages are run by other tests: `test_python_examples.py` and `tests/system/test_typescript.py`.
_RUN_ELSEWHERE = ("python", "text", "ts")

# What goes on running, in a terminal of its own. Whatever is typed next is another step.
_SERVING = re.compile(r"make serve$|([A-Z_]+=\S+ )*provender serve\b")


@dataclass
class Line:
    """A line of an answer, or a command, which may go over several, with the number of its (first) line."""

    number: int
    text: str

    @property
    def is_serving(self) -> bool:
        return _SERVING.match(self.text) is not None


@dataclass
class Step:
    """What is typed, and what is printed then. One without commands is an answer to nothing."""

    commands: list[Line] = field(default_factory=list)
    answer: list[Line] = field(default_factory=list)

    @property
    def is_serving(self) -> bool:
        return bool(self.commands) and self.commands[-1].is_serving

    @property
    def number(self) -> int:
        return (self.commands or self.answer)[0].number


def read_steps(page: Path, excused: Iterable[str] = ()) -> list[Step]:
    """All there are, but for commands that begin with one of these, and blocks that do and have no commands."""
    beginnings = tuple(excused)
    steps: list[Step] = []
    for block in code_blocks(page.read_text()):
        if _COMMAND.match(block[0].text) or not block[0].text.startswith(beginnings):
            _read_block(block, steps)
    for step in steps:
        while step.answer and not step.answer[-1].text:
            step.answer.pop()
    return [step for step in steps if _keep_others(step, beginnings)]


def _keep_others(step: Step, beginnings: tuple[str, ...]) -> bool:
    """Take such commands out of the step, and say whether anything is left of it."""
    left = [command for command in step.commands if not command.text.startswith(beginnings)]
    is_emptied = bool(step.commands) and not left
    step.commands = left
    return not is_emptied


def code_blocks(text: str) -> Iterator[list[Line]]:
    """The lines of each code block, with their numbers on the page."""
    for token in MarkdownIt("commonmark").parse(text):
        if token.type in ("code_block", "fence") and token.map is not None and token.info not in _RUN_ELSEWHERE:
            # A fence takes a line of its own, above the first of its content.
            first = token.map[0] + (2 if token.type == "fence" else 1)
            yield [Line(number, line) for number, line in enumerate(token.content.splitlines(), first)]


def shown_block(page: Path, beginning: str) -> str:
    """The one code block of a page that begins so, as a file has it."""
    blocks = ["\n".join(line.text for line in block) + "\n" for block in code_blocks(page.read_text())]
    [found] = [block for block in blocks if block.startswith(beginning)]
    return found


def _read_block(block: list[Line], steps: list[Step]) -> None:
    """Add what a block has. Its first lines answer the last step, unless that has an answer from another block."""
    is_answered = not steps or bool(steps[-1].answer)
    is_first = True
    unfinished: Line | None = None
    for line in block:
        if unfinished is not None:
            unfinished.text += f"\n{line.text}"
        elif _COMMAND.match(line.text):
            if is_first or steps[-1].answer or steps[-1].is_serving or line.text.startswith("$ "):
                steps.append(Step())
                is_first = False
            unfinished = Line(line.number, line.text.removeprefix("$ "))
            steps[-1].commands.append(unfinished)
            is_answered = False
        elif line.text or (steps and steps[-1].answer and not is_answered):
            if is_answered:
                steps.append(Step())
                is_answered = False
            steps[-1].answer.append(line)
        if unfinished is not None and _is_whole(unfinished.text):
            unfinished = None


def _is_whole(command: str) -> bool:
    if command.endswith("\\"):
        return False
    try:
        shlex.split(command)
    except ValueError:
        # A quotation is still open.
        return False
    return True
