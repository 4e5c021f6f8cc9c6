"""Every Python example of the documents is run, in the order of its page, and prints what the page says."""

import contextlib
import io
from pathlib import Path
from typing import Any

import pytest

from provender_client import Client
from tests.documents.conftest import Stage
from tests.documents.python_blocks import python_blocks
from tests.system.commands import call, printed

ROOT = Path(__file__).parents[2]
ALL = [ROOT / "README.md", ROOT / "src" / "provender_client" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# A whole program, which tests/system/test_migrating.py runs.
ELSEWHERE = ROOT / "docs" / "how-to-migrate-from-fatsecret.md"
PAGES = [page for page in ALL if page != ELSEWHERE and python_blocks(page)]


def test_the_pages_of_the_client_have_examples() -> None:
    assert {"README.md", "how-to-use-the-python-client.md", "reference-python-client.md"} <= {
        page.name for page in PAGES
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_example_prints_what_the_page_says(
    page: Path, first_start: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, settings = first_start
    key = printed(call("keys", "create", "--application", f"python-{page.stem}", settings=settings)).strip()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PROVENDER_API_KEY", key)
    monkeypatch.setenv("PROVENDER_URL", server.url)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    names: dict[str, Any] = {"__name__": "__main__"}
    try:
        _run(page, names)
    finally:
        for client in names.values():
            if isinstance(client, Client):
                client.close()


def _run(page: Path, names: dict[str, Any]) -> None:
    for block in python_blocks(page):
        # Empty lines in front, so that a traceback names the line of the page.
        program = compile("\n" * (block.line - 1) + block.source, page.name, "exec")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(program, names)  # noqa: S102 - It is our own page.
        assert output.getvalue() == block.printed, f"{page.name}, line {block.line}"
