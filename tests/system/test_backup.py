"""Backups of an installation that is busy, restored to either database, and copies from one to the other.

One installation for each database: its server runs and writes while it is backed up, then everything else is done with
the backup.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import pytest

from provender.catalogue.build import Build
from provender.catalogue.folder import CatalogueFolder
from provender.settings import Settings
from provender.storage.opening import DATABASE_FILE
from tests.conftest import PostgresqlServer
from tests.moving import WITH_LOST
from tests.pantry import BANANA
from tests.storage.copies import all_rows
from tests.system.commands import call, printed, run
from tests.system.installations import answers, fill_installation
from tests.system.server import Server, serving

# Lenient: on an idle machine it is less than one.
BACKED_UP_WITHIN_S = 25
WRITERS = 4


@dataclass
class Origin:
    """An installation whose server has stopped, and a backup of it from when it was busy."""

    settings: Settings
    key: str
    answers: dict[str, Any]
    backup: Path
    # How many logs of bob were answered before the backup began, and after it had ended.
    logged_before: int
    logged_after: int
    took_s: float


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def origin(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Origin:
    folder = tmp_path_factory.mktemp("origin")
    with Build(CatalogueFolder(folder / "data" / "catalogue"), datetime(2026, 1, 1, tzinfo=UTC)) as build:
        build.add(WITH_LOST, release="1")
        build.finish()
    settings = Settings(data_dir=folder / "data", database_url=_database(request, request.param))
    with serving(settings) as server:
        key = server.key
        fill_installation(server, key)
        said = answers(server, key)
        with _writing(server, key) as logged:
            while (before := sum(logged)) < 20:
                time.sleep(0.01)
            started = time.monotonic()
            shown = printed(run("backup", str(folder / "backup"), settings=settings))
            took_s = time.monotonic() - started
            after = sum(logged)
        assert shown.startswith("Backed up ")
    return Origin(settings, key, said, folder / "backup", before, after, took_s)


def _database(request: pytest.FixtureRequest, kind: str) -> str | None:
    if kind == "sqlite":
        return None
    server: PostgresqlServer = request.getfixturevalue("postgresql")
    return asyncio.run(server.new_database())


@contextlib.contextmanager
def _writing(server: Server, key: str) -> Iterator[list[int]]:
    """Callers who log for bob without a pause; how many logs of each were answered."""
    logged = [0] * WRITERS
    ended = threading.Event()

    def write(number: int) -> None:
        with server.client(key) as client:
            while not ended.is_set():
                response = client.post("/v1/diary-logs", json={"profile_reference_id": "bob", "food_id": BANANA.id})
                assert response.status_code == 201, response.text
                logged[number] += 1

    threads = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    try:
        yield logged
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def test_a_backup_beside_writers_ends_and_is_of_one_moment(origin: Origin) -> None:
    assert origin.took_s < BACKED_UP_WITHIN_S
    file: Any = apsw.Connection(str(origin.backup / DATABASE_FILE), flags=apsw.SQLITE_OPEN_READONLY)
    profiles = "SELECT id, last_number, unsettled FROM profiles WHERE reference_id = 'bob'"
    [(bob, last, unsettled)] = file.execute(profiles).fetchall()
    logs = "SELECT number FROM diary_logs WHERE profile_id = ? ORDER BY number"
    numbers = [number for (number,) in file.execute(logs, (bob,)).fetchall()]
    # Everything that was answered before it began is in it, and a log is there with all that came before it.
    assert numbers == list(range(1, last + 1))
    assert origin.logged_before <= len(numbers) <= origin.logged_after + WRITERS
    # The sums are those of the same moment.
    days = "SELECT total(entries) FROM diary_days WHERE profile_id = ?"
    [(settled,)] = file.execute(days, (bob,)).fetchall()
    assert settled + unsettled == len(numbers)
    assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    # A file of its own: nothing beside it belongs to it.
    assert file.execute("PRAGMA journal_mode").fetchall() == [("delete",)]
    file.close()
    assert sorted(path.name for path in origin.backup.iterdir()) == ["backup.json", "catalogue", DATABASE_FILE]
    assert {path.stat().st_mode & 0o777 for path in origin.backup.rglob("*")} == {0o600, 0o700}
    assert origin.backup.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in origin.backup.parent.glob(".*")] == []


def test_a_restored_server_answers_the_same(origin: Origin, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    # A backup is the same whatever it was made from, so that one of the two is restored to both.
    for kind in ("sqlite", "postgresql") if origin.settings.database_url is None else ("sqlite",):
        settings = Settings(data_dir=tmp_path / kind, database_url=_database(request, kind))
        shown = printed(call("restore", str(origin.backup), settings=settings))
        assert shown.startswith("Restored ")
        assert settings.data_dir.stat().st_mode & 0o777 == 0o700
        with serving(settings) as server:
            assert server.printed_keys == []
            assert answers(server, origin.key) == origin.answers
            with server.client(origin.key) as client:
                body = {"profile_reference_id": "alice", "food_id": BANANA.id}
                assert client.post("/v1/diary-logs", json=body).status_code == 201


def test_a_copy_answers_the_same_and_comes_back_the_same(
    origin: Origin, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    before = asyncio.run(all_rows(origin.settings))
    assert all(before[name] for name in before if name != "deleted_profiles")
    source = origin.settings
    for kind in ("postgresql", "sqlite") if origin.settings.database_url is None else ("sqlite", "postgresql"):
        target = Settings(data_dir=tmp_path / kind, database_url=_database(request, kind))
        target.data_dir.mkdir()
        (target.data_dir / "catalogue").symlink_to(origin.settings.data_dir / "catalogue")
        shown = printed(call("copy", "--to", target.database_url or str(target.data_dir), settings=source))
        counts = dict(line.split() for line in shown.split("\n\n")[0].splitlines()[1:])
        assert counts == {name: str(len(rows)) for name, rows in before.items()}
        assert asyncio.run(all_rows(target)) == before
        source = target
    if target.database_url is not None:
        # It went through both databases.
        with serving(target) as server:
            assert server.printed_keys == []
            assert answers(server, origin.key) == origin.answers
