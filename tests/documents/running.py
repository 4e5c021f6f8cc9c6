"""Runs a page: every command in its order, against a real server, and every answer beside the one that is shown."""

import textwrap
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.documents.answers import differences
from tests.documents.names import Names
from tests.documents.pages import SERVE, Step, read_steps
from tests.documents.shell import Shell
from tests.system.server import Server

# What every page calls the server, and the key that a reader puts in its place.
ADDRESS = "http://127.0.0.1:8000"
KEY = "pv_…"


class Reader:
    """Somebody who follows pages to the letter: first what a page takes for granted, then the page itself."""

    def __init__(self, shell: Shell, server: Server, key: str) -> None:
        self._shell, self._server, self._key = shell, server, key

    def follow(self, *pages: Path, shown_only: dict[str, str]) -> list[str]:
        """What is not as the last of the pages says, each with its line. `shown_only` are answers to nothing."""
        _wait_out_midnight()
        names = Names(pages[-1].read_text(), datetime.now(UTC).date())
        return [
            found
            for page in pages
            for step in read_steps(page)
            if not any(line.text.startswith(tuple(shown_only)) for line in step.answer[:1] if not step.commands)
            for found in self._complaints(page, step, names)
        ]

    def _complaints(self, page: Path, step: Step, names: Names) -> list[str]:
        shown = "\n".join(line.text for line in step.answer)
        if not step.commands:
            return [f"{page.name}:{step.number}: an answer without a command that gives it: {shown[:200]}"]
        real = "".join(self._type(names.in_command(command.text)) for command in step.commands)
        if not shown and step.is_serving:
            # What a server says first need not be shown on every page.
            return []
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

    def _type(self, command: str) -> str:
        if command == SERVE:
            return self._as_on_the_page(self._server.stdout)
        return self._as_on_the_page(self._shell.run(command.replace(ADDRESS, self._server.url).replace(KEY, self._key)))

    def _as_on_the_page(self, printed: str) -> str:
        return printed.replace(self._server.url, ADDRESS)


def _wait_out_midnight() -> None:
    """A page is about one day, so it must not become another while it is read."""
    now = datetime.now(UTC)
    midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    if midnight - now < timedelta(seconds=30):
        time.sleep((midnight - now).total_seconds() + 1)
