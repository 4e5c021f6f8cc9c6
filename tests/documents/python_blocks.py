"""The Python of a page, block by block, and what the page says that it prints."""

import re
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Block:
    """A piece of Python, the line of the page that it begins in, and what it is to print."""

    line: int
    source: str
    printed: str = ""


def python_blocks(page: Path) -> list[Block]:
    """In the order of the page. What is printed stands in a block of text behind each."""
    text = page.read_text()
    blocks: list[Block] = []
    for fence in _FENCE.finditer(text):
        language, content = fence.groups()
        if language == "python":
            blocks.append(Block(text.count("\n", 0, fence.start()) + 2, content))
        else:
            assert blocks, "a page that prints something without a program"
            assert not blocks[-1].printed, f"two outputs of the block in line {blocks[-1].line}"
            blocks[-1].printed = content
    return blocks
