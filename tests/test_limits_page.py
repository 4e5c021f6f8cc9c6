"""The page of limits says the numbers that the code has."""

from pathlib import Path

import pytest

from provender.api.documents import _DEEPEST
from provender.api.faults import MAX_FAULTS
from provender.api.forms import MAX_BODY, MAX_VALUES
from provender.api.patience import SLOWEST
from provender.cli.connections import BACKLOG, CONNECTIONS, LARGEST_HEAD
from provender.services.access import UNKNOWN_KEYS_A_MINUTE
from provender.settings import Settings

KIB = 1024
# hyper's own, for which it has no setting; tests over real connections hold it to them.
MOST_HEADERS = 100

ROWS = {
    "Requests a minute of a key": "[none unless set]",
    "Look-ups of keys that do not exist": f"{UNKNOWN_KEYS_A_MINUTE} a minute for each worker",
    "A body": f"{MAX_BODY // KIB // KIB} MiB",
    "The document of a profile's import": f"{Settings().import_max_mib} MiB",
    "Values in one request": f"{MAX_VALUES}, and",
    "Depth of JSON in the document of an import": f"{_DEEPEST}",
    "Faults that one answer lists": f"{MAX_FAULTS}",
    "A request's line and headers": f"{LARGEST_HEAD // KIB} KiB",
    "Headers": f"{MOST_HEADERS}",
    "Wait for a request's line and headers, and between two requests": f"{Settings().client_timeout_s} s",
    "Wait for a body": f"the same, and a second more for every {SLOWEST // KIB} KiB",
    "Wait until a piece of an export is taken": f"the same, and a second more for every {SLOWEST // KIB} KiB",
    "Connections at once": f"{CONNECTIONS} for each worker",
    "Connections that wait": f"{BACKLOG} for each worker",
}


def _table() -> dict[str, str]:
    page = (Path(__file__).parent.parent / "docs" / "reference-limits.md").read_text()
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    return {row[0]: row[1] for row in rows if len(row) == 3 and row[0] != "What"}


def test_the_page_has_these_limits_and_no_others() -> None:
    assert _table().keys() == ROWS.keys()


@pytest.mark.parametrize("what", ROWS)
def test_a_limit_on_the_page_is_the_one_of_the_code(what: str) -> None:
    assert _table()[what].startswith(ROWS[what])
    assert Settings().rate_limit is None
