"""Runs a page: every command in its order, against a real server, and every answer beside the one that is shown."""

import textwrap
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.documents.answers import differences
from tests.documents.names import Names
from tests.documents.pages import Step, read_steps
from tests.documents.shell import Shell

# What every page calls the server, and the key that a reader puts in its place.
ADDRESS = "http://127.0.0.1:8000"
KEY = "pv_…"


class Reader:
    """Somebody who follows pages to the letter: first what a page takes for granted, then the page itself.

    `places` are what pages call things and what they are called here. `serve` does what goes on running, and returns
    what it prints first. With `may_hide`, what a command prints need not be shown, but then it must have succeeded.
    """

    def __init__(
        self, shell: Shell, places: dict[str, str], serve: Callable[[str], str], *, may_hide: bool = False
    ) -> None:
        self._shell, self._places, self._serve, self._may_hide = shell, places, serve, may_hide

    def follow(self, *pages: Path, excused: Iterable[str]) -> list[str]:
        """What is not as the last of the pages says, each with its line. Excused are blocks and commands."""
        _wait_out_midnight()
        names = Names(pages[-1].read_text(), datetime.now(UTC).date())
        steps = [(page, step) for page in pages for step in read_steps(page, excused)]
        return [found for page, step in steps for found in self._complaints(page, step, names)]

    def _complaints(self, page: Path, step: Step, names: Names) -> list[str]:
        shown = "\n".join(line.text for line in step.answer)
        if not step.commands:
            return [f"{page.name}:{step.number}: an answer without a command that gives it: {shown[:200]}"]
        real, failed = "", False
        for command in step.commands:
            real += self._type(names.in_command(command.text), is_serving=command.is_serving)
            failed = failed or self._shell.exit_code != 0
        if not shown and step.is_serving and not failed:
            # What a server says first need not be shown on every page.
            return []
        if not shown and self._may_hide:
            found = ["  it fails"] if failed else []
        else:
            found = [textwrap.indent(one, "  ") for one in differences(shown, real, names)]
        if not found:
            return []
        typed = "\n".join(command.text for command in step.commands)
        where = f"{page.name}:{step.answer[0].number if step.answer else step.number}"
        return [
            "\n".join(
                [f"{where}: the answer is not the one of the page to", typed, *found, f"All of it: {real[:4000]}"]
            )
        ]

    def _type(self, command: str, *, is_serving: bool) -> str:
        for said, here in self._places.items():
            command = command.replace(said, here)
        printed = self._serve(command) if is_serving else self._shell.run(command)
        for said, here in reversed(self._places.items()):
            if here and said != KEY:
                printed = printed.replace(here, said)
        return printed


def _wait_out_midnight() -> None:
    """A page is about one day, so it must not become another while it is read."""
    now = datetime.now(UTC)
    midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    if midnight - now < timedelta(seconds=30):
        time.sleep((midnight - now).total_seconds() + 1)
