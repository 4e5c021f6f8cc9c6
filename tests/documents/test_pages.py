"""Every command on these pages runs, and its answer is the one that is shown."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.documents.pages import read_steps
from tests.documents.running import Reader

ROOT = Path(__file__).parents[2]

# What a page takes for granted is a page too, which is followed first.
BEFORE = Path(__file__).parent / "before"


def _has_requests(page: Path) -> bool:
    return any(command.text.startswith("curl ") for step in read_steps(page) for command in step.commands)


REFERENCES = [page for page in sorted((ROOT / "docs").glob("reference-*.md")) if _has_requests(page)]
HOW_TO = [ROOT / "docs" / "how-to-move-a-profile.md"]
PAGES = [ROOT / "README.md", ROOT / "docs" / "tutorial.md", *HOW_TO, *REFERENCES]

# What stands in a code block and is no answer, by its beginning, and why.
SHOWN_ONLY: dict[str, dict[str, str]] = {
    "README.md": {"cli/ ": "the map of the source; a test of the project compares it with the folders"},
    "reference-foods.md": {"include[]=": "ways to write a parameter; tests/api/test_parameters.py has them"},
    "reference-requests.md": {
        "npx ": "what tests/system/test_typescript.py does with the same generator",
        "Authorization: ": "a header, which every request of the pages has",
        "reference_id=": "the form of a body, which every request with -d has",
        '{"reference_id": ': "the JSON of a body; the diary's page sends such",
    },
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_a_page_is_answered_as_it_shows(page: Path, arrive: Callable[[str], Reader]) -> None:
    before = [found for found in [BEFORE / page.name] if found.exists()]
    found = arrive(page.name).follow(*before, page, excused=SHOWN_ONLY.get(page.name, {}))
    assert not found, "\n\n" + "\n\n".join(found)


def test_what_comes_before_a_page_belongs_to_one() -> None:
    # Most how-tos are followed by `test_how_tos.py`, which takes the same folder.
    how_tos = {page.name for page in (ROOT / "docs").glob("how-to-*.md")}
    assert {page.name for page in BEFORE.glob("*.md")} <= {page.name for page in PAGES} | how_tos
