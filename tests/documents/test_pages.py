"""Every command in these pages runs, and its answer is the one that is shown."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.documents.running import Reader

ROOT = Path(__file__).parents[2]

# What a page takes for granted is a page too, which is followed first.
BEFORE = Path(__file__).parent / "before"

PAGES = [ROOT / "README.md", ROOT / "docs" / "tutorial.md"]

# What stands in a code block and is no answer, by its beginning, and why.
SHOWN_ONLY: dict[str, dict[str, str]] = {
    "README.md": {"cli/ ": "The map of the source; a test of the project compares it with the folders."},
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_a_page_is_answered_as_it_shows(page: Path, reader: Callable[[str], Reader]) -> None:
    pages = [before for before in [BEFORE / page.name] if before.exists()]
    found = reader(page.name).follow(*pages, page, shown_only=SHOWN_ONLY.get(page.name, {}))
    assert not found, "\n\n" + "\n\n".join(found)
