"""SQLite, through apsw: reads in the event loop, and a writer thread.

A look-up takes some ten microseconds, less than handing it to a thread would, so reads run where they are asked for.
Writes wait for the disk, so they go to the writer; see `sqlite_writing.py`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from provender.metrics.counts import CommitCounts
from provender.model.errors import ProvenderError, StorageUnavailable
from provender.storage.engine import Damage, Operation, Row, Statements, Value
from provender.storage.migrations import pending
from provender.storage.sqlite_connecting import Connection, connect, translated_errors
from provender.storage.sqlite_files import find_faults
from provender.storage.sqlite_writing import Writer

T = TypeVar("T")

WORDS = {
    "engine": "sqlite",
    "text": "TEXT",
    "integer": "INTEGER",
    "number": "REAL",
    "bytes": "BLOB",
    "table": "STRICT, WITHOUT ROWID",
    # It packs nothing.
    "keep_shown_unpacked": "",
}


async def _write_anything(statements: Statements) -> None:
    """A write that changes nothing and still has to reach the disk."""
    [[version]] = await statements.all("PRAGMA user_version")
    await statements.change(f"PRAGMA user_version = {version}")


class SqliteEngine:
    """An Engine on one SQLite file. Open and close it, and read from it, in the thread of the event loop."""

    chains_writes = False

    def __init__(self, path: Path, counts: CommitCounts | None = None) -> None:
        self._writer = Writer(path, counts or CommitCounts())
        try:
            with translated_errors:
                self._read_connection = connect(path)
                self._read_connection.execute("PRAGMA query_only = ON")
        except BaseException:
            self._writer.close()
            raise
        self._reader = Connection(self._read_connection)

    async def all(self, sql: str, *values: Value) -> Sequence[Row]:
        with translated_errors:
            return self._reader.run(sql, values)

    async def one(self, sql: str, *values: Value) -> Row | None:
        with translated_errors:
            rows = self._reader.run(sql, values)
        return rows[0] if rows else None

    async def change(self, sql: str, *values: Value) -> Sequence[Row]:
        return await self._writer.submit(lambda statements: statements.change(sql, *values))

    async def transaction(self, operation: Operation[T]) -> T:
        return await self._writer.submit(operation)

    async def ping(self) -> None:
        self._writer.check_file()
        await self.one("SELECT 1")
        if self._writer.has_failed:
            # Nobody may be writing any more, so somebody has to try.
            await self._writer.submit(_write_anything)

    async def migrate(self) -> None:
        async def apply(statements: Statements) -> None:
            row = await statements.one("PRAGMA user_version")
            for migration in pending(row[0] if row else 0):
                await statements.change(migration.sql(WORDS))
                await statements.change(f"PRAGMA user_version = {migration.number}")

        await self.transaction(apply)

    async def find_damage(self) -> Damage:
        with translated_errors:
            faults = find_faults(self._read_connection)
            for table, _, parent, _ in self._read_connection.execute("PRAGMA foreign_key_check"):
                faults.append(f"A row of {table} refers to a row of {parent} that is not there.")
        return Damage(faults)

    async def close(self) -> None:
        # The reader first: the last connection to close clears the write-ahead log away.
        self._read_connection.close()
        self._writer.close()


def open_sqlite(path: Path, *, create: bool, counts: CommitCounts | None = None) -> SqliteEngine:
    try:
        if not create and not path.exists():
            raise StorageUnavailable("it holds no storage of Provender. Name the server's own with --data-dir.")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # What people ate is nobody else's business; SQLite gives its other files the same mode.
        path.touch(mode=0o600)
        return SqliteEngine(path, counts)
    except OSError as error:
        hint = "Name another with --data-dir, or put this one right."
        raise StorageUnavailable(f"The data folder {path.parent} cannot be used: {error}. {hint}") from error
    except ProvenderError as error:
        raise StorageUnavailable(f"The data folder {path.parent} cannot be used: {error}") from error
