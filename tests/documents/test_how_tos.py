"""Every how-to is followed: its commands do what it says, and print what it shows."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import httpx
import pytest

from provender.catalogue.folder import CatalogueFolder
from provender.settings import Settings
from tests.conftest import PostgresqlServer
from tests.documents.conftest import Stage
from tests.documents.excuses import EXCUSES
from tests.documents.files import write_foundation, write_products, write_shown
from tests.documents.machine import Machine, machine
from tests.documents.pages import code_blocks, read_steps
from tests.documents.test_pages import BEFORE
from tests.documents.test_pages import HOW_TO as RUN_AS_PAGES
from tests.system.commands import call, printed
from tests.system.server import serving
from tests.test_project import DOCS

ROOT = DOCS.parent
# Those that are followed elsewhere: by `test_pages.py`, `test_python_examples.py` and tests/system/test_migrating.py.
ELSEWHERE = {
    *(page.name for page in RUN_AS_PAGES),
    "how-to-use-the-python-client.md",
    "how-to-migrate-from-fatsecret.md",
    "how-to-migrate-from-the-public-api.md",
}
PAGES = [page for page in sorted(DOCS.glob("how-to-*.md")) if page.name not in ELSEWHERE]

# What the data folder of a page has in it; the others have a catalogue of a few foods and nothing else.
FURNISHED = {"how-to-back-up.md", "how-to-check-and-repair.md", "how-to-upgrade.md"}
SHIPPED = {"how-to-import-usda.md"}
INSTALLED = {"how-to-deploy.md", "how-to-upgrade.md"}
WITH_POSTGRESQL = {"how-to-back-up.md", "how-to-run-with-postgresql.md"}
FOUNDATION = "FoodData_Central_foundation_food_csv_2025-04-24.zip"


def _link(source: Path, target: Path) -> None:
    """The catalogue is changed by nobody, so its files need not be copied."""
    shutil.copytree(source, target, symlinks=True, copy_function=os.link)


@pytest.fixture(scope="session")
def furnished(first_start: Stage, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which an application has a profile with 30 logs of as many foods, on 14 days."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("furnished") / "provender-data")
    settings.data_dir.mkdir(mode=0o700)
    _link(first_start[1].data_dir / "catalogue", settings.data_dir / "catalogue")
    key = printed(call("keys", "create", "--application", "acme", settings=settings)).strip()
    with serving(settings) as server:
        with server.client(key) as client:
            _furnish(client)
        assert server.stop() == 0
    # How many rows it has depends on when an hour ends.
    _change(settings.data_dir, "DELETE FROM usage")
    return settings.data_dir


def _change(data_dir: Path, statements: str) -> None:
    storage = apsw.Connection(str(data_dir / "provender.db"))
    storage.execute(statements).fetchall()
    storage.close()


def _furnish(client: httpx.Client) -> None:
    alice = {"profile_reference_id": "alice"}
    client.post("/v1/profiles", json={"reference_id": "alice"}).raise_for_status()
    foods = client.get("/v1/foods/search", params={"query": "apple", "limit": 30}).json()["data"]
    for number, food in enumerate(foods):
        log = {"food_id": food["_id"], "date": f"2026-03-{number % 14 + 1:02}"}
        client.post("/v1/diary-logs", json=alice | log).raise_for_status()
    client.post(f"/v1/foods/favorites/{foods[0]['_id']}", json=alice).raise_for_status()
    # What follows from logs is written when somebody asks for it, if not before.
    days = {"from": "2026-03-01", "to": "2026-03-14"}
    client.get("/v1/diary-logs/summary", params=alice | days).raise_for_status()
    client.get("/v1/foods/most-eaten", params=alice).raise_for_status()


@pytest.fixture
def arrive_at(
    request: pytest.FixtureRequest, tmp_path: Path, catalogue_folder: CatalogueFolder
) -> Iterator[Callable[[str], Machine]]:
    """Makes the machine that a page is followed on."""
    if shutil.which("curl") is None:
        pytest.skip("There is no curl on this machine.")
    with ExitStack() as exits:

        def make_machine(page: str) -> Machine:
            postgresql: PostgresqlServer | None = None
            if page in WITH_POSTGRESQL:
                postgresql = request.getfixturevalue("postgresql")
                exits.callback(_forget, postgresql)
            made = exits.enter_context(machine(tmp_path, postgresql))
            data_dir = tmp_path / ("root/var/lib/provender" if page in INSTALLED else "provender-data")
            if page in FURNISHED:
                _link(request.getfixturevalue("furnished"), data_dir)
                # The storage is written to, unlike the catalogue.
                shutil.copy(data_dir / "provender.db", tmp_path / "copy")
                (tmp_path / "copy").replace(data_dir / "provender.db")
            else:
                data_dir.mkdir(mode=0o700, parents=True)
                stage: Stage | None = request.getfixturevalue("first_start") if page in SHIPPED else None
                _link(stage[1].data_dir / "catalogue" if stage else catalogue_folder.path, data_dir / "catalogue")
            if prepare := PREPARE.get(page):
                prepare(made)
            return made

        yield make_machine


def _forget(postgresql: PostgresqlServer) -> None:
    """Roles and databases of the pages' names belong to all that use the server."""
    for statement in ("DROP DATABASE IF EXISTS provender WITH (FORCE)", "DROP ROLE IF EXISTS provender"):
        postgresql.server.psql(f"{statement};")


def _for_copies(made: Machine) -> None:
    """A backup of the day before, which is damaged, and a database that is empty."""
    yesterday = made.folder / f"provender-{datetime.now(UTC).date() - timedelta(days=1)}"
    printed(call("backup", str(yesterday), settings=Settings(data_dir=made.folder / "provender-data")))
    with (yesterday / "provender.db").open("ab") as storage:
        storage.write(b"\n")
    made.shell.run('psql -c "CREATE ROLE provender LOGIN" -c "CREATE DATABASE provender OWNER provender"')


def _for_damage(made: Machine) -> None:
    """A second storage in which something is wrong that follows from other rows."""
    _link(made.folder / "provender-data" / "catalogue", made.folder / "restored" / "catalogue")
    shutil.copy(made.folder / "provender-data" / "provender.db", made.folder / "restored")
    tenth = "(SELECT date FROM diary_days ORDER BY date LIMIT 1 OFFSET 9)"
    _change(
        made.folder / "restored",
        f"UPDATE diary_days SET entries = 9 WHERE date = {tenth}; UPDATE profiles SET last_logged_at = NULL",
    )


def _for_a_rotation(made: Machine) -> None:
    """A key that was made in August, and used today."""
    settings = Settings(data_dir=made.folder / "provender-data")
    printed(call("keys", "create", "--application", "acme", settings=settings))
    august = int(datetime(2026, 8, 1, tzinfo=UTC).timestamp() * 1000)
    today = datetime.now(UTC).date()
    _change(settings.data_dir, f"UPDATE api_keys SET created_at = {august}, last_used_on = '{today}'")


def _for_a_table(made: Machine) -> None:
    """The table and the map as the page shows them, and the same table under two other names."""
    files = {"Article;": (made.folder / "foods.csv", "cp1252"), "source = ": (made.folder / "foods.toml", "utf-8")}
    write_shown("how-to-import-your-own-table.md", files)
    head, row = (made.folder / "foods.csv").read_bytes().splitlines(keepends=True)
    (made.folder / "dishes.csv").write_bytes(head + row)
    (made.folder / "drinks.csv").write_bytes(head + row.replace(b"1001", b"1002").replace(b"1234567890128", b""))


PREPARE: dict[str, Callable[[Machine], None]] = {
    "how-to-back-up.md": _for_copies,
    "how-to-check-and-repair.md": _for_damage,
    "how-to-import-open-food-facts.md": lambda made: write_products(made.folder / "products.jsonl.gz"),
    "how-to-import-usda.md": lambda made: write_foundation(made.folder / FOUNDATION),
    "how-to-import-your-own-table.md": _for_a_table,
    "how-to-manage-keys.md": _for_a_rotation,
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_of_a_how_to_does_what_it_says(page: Path, arrive_at: Callable[[str], Machine]) -> None:
    before = [found for found in [BEFORE / page.name] if found.exists()]
    found = arrive_at(page.name).reader.follow(*before, page, excused=EXCUSES.get(page.name, {}))
    assert not found, "\n\n" + "\n\n".join(found)


def test_what_is_excused_is_on_its_page_and_done_by_the_tests_that_are_named() -> None:
    for page, excuses in EXCUSES.items():
        commands = [command.text for step in read_steps(DOCS / page) for command in step.commands]
        blocks = [block[0].text for block in code_blocks((DOCS / page).read_text())]
        for beginning, reason in excuses.items():
            assert any(text.startswith(beginning) for text in commands + blocks), (page, beginning)
            for named in re.findall(r"tests/\S+\.py", reason):
                assert (ROOT / named).exists(), (page, named)


def test_every_how_to_is_run_or_named_as_run_elsewhere() -> None:
    assert {page.name for page in PAGES} | ELSEWHERE == {page.name for page in DOCS.glob("how-to-*.md")}
    assert {page.name for page in BEFORE.glob("how-to-*.md")} <= {page.name for page in [*PAGES, *RUN_AS_PAGES]}
    assert {*EXCUSES, *PREPARE, *FURNISHED, *SHIPPED, *INSTALLED, *WITH_POSTGRESQL} <= {page.name for page in PAGES}
