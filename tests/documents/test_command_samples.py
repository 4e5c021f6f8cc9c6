"""What the page of commands shows behind `$ provender`, where that needs no more than a storage and a few files."""

import shlex
from collections.abc import Iterator
from datetime import UTC, datetime
from fnmatch import fnmatch
from itertools import pairwise

import pytest

from provender.settings import Settings
from tests.documents.answers import differences
from tests.documents.names import Names
from tests.documents.pages import code_blocks
from tests.system.commands import call, printed
from tests.test_project import DOCS

# Samples that are not run, and why.
NOT_RUN = {
    "provender serve*": "goes on running, or finds a port taken or storage broken: tests/system/test_serve.py",
    "PROVENDER_DATABASE_URL=*": "the same",
    "provender import fdc Food*": "needs USDA's file",
    "provender import off openfoodfacts-products*": "needs all of Open Food Facts",
    "provender import off products.jsonl.gz --rejected notes.txt": "builds a catalogue first, which takes seconds",
    "provender import off products.jsonl.gz --partial --json": "the same, and tests/system/test_output.py",
    "provender catalogue list*": "shows versions of several imports: tests/system/test_import.py",
    "provender catalogue info*": "the same",
    "provender catalogue use 20261115*": "the same",
    "provender check": "shows damage: tests/system/test_check.py",
    "provender check --repair": "the same",
    "provender keys list*": "shows keys of several days: tests/system/test_cli.py, tests/system/test_rotation.py",
    "provender keys rotate*": "the same",
    "provender keys limit pv_EXAMPLE2 600*": "the same",
    "provender keys revoke pv_EXAMPLE1*": "the same",
    "provender keys revoke pv_": "the same",
    "provender applications list*": "the same",
    "provender backup*": "shows how much there is: tests/system/test_backup.py",
    "provender restore*": "the same",
    "provender demo*": "builds a catalogue first, and says how much there is: tests/system/test_demo.py",
    "provender copy*": "needs a PostgreSQL of that name: tests/system/test_moving.py",
}


def _samples() -> Iterator[tuple[str, str, int]]:
    """Each command with what is shown below it, and its line."""
    for block in code_blocks((DOCS / "reference-commands.md").read_text()):
        starts = [place for place, line in enumerate(block) if line.text.startswith("$ ")]
        for start, end in pairwise([*starts, len(block)]):
            shown = "\n".join(line.text for line in block[start + 1 : end]).strip("\n")
            yield block[start].text.removeprefix("$ "), shown, block[start].number


def _is_run(command: str) -> bool:
    return not any(fnmatch(command, pattern) for pattern in NOT_RUN)


SAMPLES = [sample for sample in _samples() if _is_run(sample[0])]


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A key of the application acme, and a file where the commands are typed."""
    folder = tmp_path_factory.mktemp("commands")
    settings = Settings(data_dir=folder / "provender-data")
    printed(call("keys", "create", "--application", "acme", settings=settings))
    (folder / "foods.csv").touch()
    return settings


@pytest.mark.parametrize(("command", "shown", "line"), SAMPLES, ids=[command for command, _, _ in SAMPLES])
def test_a_command_prints_what_the_page_shows(
    command: str, shown: str, line: int, storage: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(storage.data_dir.parent)
    done = call(*shlex.split(command)[1:], settings=storage)
    found = list(differences(shown, done.stdout + done.stderr, Names("", datetime.now(UTC).date())))
    assert not found, f"\n\nreference-commands.md:{line}: {command}\n" + "\n".join(found)


def test_no_sample_is_excused_that_is_not_there() -> None:
    commands = [command for command, _, _ in _samples()]
    assert [pattern for pattern in NOT_RUN if not any(fnmatch(command, pattern) for command in commands)] == []
