"""What only SQLite does: group commit, and what it does when the disk is full."""

import asyncio
import stat
import threading
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import pytest

from provender.model.errors import StorageUnavailable
from provender.storage.engine import Statements
from provender.storage.sqlite import SqliteEngine, open_sqlite
from provender.storage.sqlite_writing import Writer

INSERT = "INSERT INTO applications (id, name, created_at) VALUES ($1, $1, 0)"


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[SqliteEngine]:
    opened = open_sqlite(tmp_path / "data" / "provender.db", create=True)
    await opened.migrate()
    yield opened
    await opened.close()


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the batches that were committed."""
    sizes: list[int] = []
    commit = Writer._commit  # noqa: SLF001 - Group commit cannot be seen from outside.

    def counted(self: Any, connection: apsw.Connection, statements: Statements, batch: list[Any]) -> None:
        sizes.append(len(batch))
        commit(self, connection, statements, batch)

    monkeypatch.setattr(Writer, "_commit", counted)
    return sizes


async def test_writes_that_wait_are_committed_together(commits: list[int], engine: SqliteEngine) -> None:
    commits.clear()
    await asyncio.gather(*(engine.change(INSERT, str(number)) for number in range(200)))
    assert sum(commits) == 200
    assert len(commits) <= 25, "at most one commit for every 8 writes"


async def test_a_commit_is_durable_before_it_returns(engine: SqliteEngine) -> None:
    async def pragmas(statements: Statements) -> list[Any]:
        return [
            (await statements.all(f"PRAGMA {name}"))[0][0] for name in ("journal_mode", "synchronous", "foreign_keys")
        ]

    # 2 is FULL.
    assert await engine.transaction(pragmas) == ["wal", 2, 1]


async def test_an_operation_may_await_nothing_but_its_statements(engine: SqliteEngine) -> None:
    async def wander(statements: Statements) -> None:
        await statements.change(INSERT, "a")
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="other than its statements"):
        await engine.transaction(wander)
    assert await engine.all("SELECT id FROM applications") == []


async def test_the_reading_connection_cannot_write(engine: SqliteEngine) -> None:
    with pytest.raises((StorageUnavailable, apsw.Error)):
        await engine.all(INSERT, "a")


async def test_a_full_disk_is_said_and_survived(engine: SqliteEngine) -> None:
    async def limit_to(statements: Statements, pages: int) -> None:
        await statements.all(f"PRAGMA max_page_count = {pages}")

    async def fill(statements: Statements, number: int) -> None:
        await statements.change(INSERT, f"{number:05}" + "x" * 3000)

    await engine.transaction(lambda statements: limit_to(statements, 60))
    results = await asyncio.gather(
        *(engine.transaction(partial(fill, number=number)) for number in range(200)),
        return_exceptions=True,
    )
    refused = [result for result in results if result is not None]
    assert refused
    assert all(isinstance(result, StorageUnavailable) for result in refused)
    written = {row[0][:5] for row in await engine.all("SELECT id FROM applications")}
    assert written == {f"{number:05}" for number, result in enumerate(results) if result is None}

    await engine.transaction(lambda statements: limit_to(statements, 100_000))
    await engine.change(INSERT, "afterwards")
    assert await engine.one("SELECT 1 FROM applications WHERE id = 'afterwards'")


async def test_the_files_are_for_their_owner_only(engine: SqliteEngine, tmp_path: Path) -> None:
    await engine.change(INSERT, "a")
    folder = tmp_path / "data"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for file in folder.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


async def test_a_folder_without_storage_is_refused_where_none_is_to_be_made(tmp_path: Path) -> None:
    with pytest.raises(StorageUnavailable, match="holds no storage"):
        open_sqlite(tmp_path / "misspelt" / "provender.db", create=False)
    assert not (tmp_path / "misspelt").exists()


async def test_whoever_fails_after_having_written_leaves_nothing_and_no_other_is_written_twice(
    engine: SqliteEngine,
) -> None:
    """A batch in which one fails halfway is run again from its beginning."""

    async def act(statements: Statements, number: int) -> int:
        if number % 5 == 1:
            raise KeyError(number)
        await statements.change(INSERT, str(number))
        if number % 5 == 2:
            raise LookupError(number)
        if number % 5 == 3:
            await statements.change(INSERT, str(number))
        return number

    results = await asyncio.gather(
        *(engine.transaction(partial(act, number=number)) for number in range(100)), return_exceptions=True
    )
    expected = [None, KeyError, LookupError, apsw.ConstraintError, None]
    for number, result in enumerate(results):
        kind = expected[number % 5]
        assert result == number if kind is None else isinstance(result, kind)
    written = {int(row[0]) for row in await engine.all("SELECT id FROM applications")}
    assert written == {number for number in range(100) if number % 5 in (0, 4)}


async def test_nothing_is_left_open_where_the_storage_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: Path) -> Any:
        raise apsw.CantOpenError("too many open files")

    # Of the two that an engine opens, the writer's is opened as it always is.
    monkeypatch.setattr("provender.storage.sqlite.connect", refuse)
    for _ in range(3):
        with pytest.raises(StorageUnavailable):
            open_sqlite(tmp_path / "provender.db", create=True)
    assert not [thread for thread in threading.enumerate() if thread.name == "provender-writer"]
