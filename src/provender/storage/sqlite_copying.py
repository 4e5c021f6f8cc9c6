"""SQLite files to copy from and to: a snapshot of one that servers write to, and new files that are whole or not there.

What is done here waits for the disk where it is called; only commands do it, which have nothing else to do meanwhile.
"""

import asyncio
import contextlib
import os
import shutil
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import apsw

from provender.model.errors import NotMoved, StorageUnavailable
from provender.storage.copying import BATCH, Reader
from provender.storage.engine import Row
from provender.storage.files import claimed, give_name, make_part, refused_files
from provender.storage.migrations import refuse_newer
from provender.storage.sqlite_connecting import translated_errors
from provender.storage.tables import Table, apply_migrations, read_tables

_BUSY_PATIENCE_MS = 10_000
_CACHE_KIB = 16_384


class _Reader:
    def __init__(self, rows: Iterator[Any]) -> None:
        self._rows = rows

    async def read(self) -> Sequence[Row]:
        # Otherwise Ctrl-C would not be heard before the end.
        await asyncio.sleep(0)
        return list(islice(self._rows, BATCH))


class SqliteRows:
    """All rows of a file, as a Source. With a transaction under way, as it was when that began."""

    keeps_sign_of_zero = False

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self.schema: int = _read(connection, "PRAGMA user_version")[0][0]

    async def open(self, table: Table) -> Reader:
        return _Reader(self._connection.execute(table.select))


class NewSqlite(SqliteRows):
    """A new file with the schema and no rows, as a Target."""

    async def insert(self, table: Table, rows: Sequence[Row]) -> None:
        values = ", ".join("?" * len(table.columns))
        sql = f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({values})"
        try:
            self._connection.executemany(sql, [tuple(row) for row in rows])
        except (apsw.ConstraintError, apsw.MismatchError) as error:
            raise NotMoved(f"A row of {table.name} cannot be kept: {error}. Nothing was kept.") from error

    async def prepare_reading(self, table: Table) -> None:
        pass


@contextlib.contextmanager
def sqlite_snapshot(path: Path) -> Iterator[SqliteRows]:
    """The file as it is now, while others write to it."""
    with _opened(path) as connection:
        _read(connection, "BEGIN")
        # Reading is what takes the snapshot, and the first thing that is read is the schema's number.
        rows = SqliteRows(connection)
        refuse_newer(rows.schema)
        yield rows


@contextlib.asynccontextmanager
async def new_sqlite(path: Path, schema: int) -> AsyncGenerator[NewSqlite]:
    """A new file, which has its name from the end of the block on, if that is reached."""
    part = make_part(path)
    with claimed(part):
        try:
            refuse_storage(path)
            # A crash may have left it with something in it.
            os.truncate(part, 0)
            with _opened(part) as connection:
                # Nobody sees it before it is whole, so that nothing need be taken back, and it is synced at the end.
                for pragma in ("journal_mode = OFF", "synchronous = OFF", "foreign_keys = ON"):
                    _read(connection, f"PRAGMA {pragma}")
                _read(connection, "BEGIN")
                apply_migrations(connection, schema)
                yield NewSqlite(connection)
                _read(connection, "COMMIT")
            give_name(part, path)
        finally:
            part.unlink(missing_ok=True)


@contextlib.contextmanager
def copied_sqlite(source: Path, path: Path) -> Iterator[None]:
    """A copy of a file that nobody writes to; it has its name from the end of the block on, if that is reached."""
    part = make_part(path)
    with claimed(part):
        try:
            refuse_storage(path)
            with refused_files():
                shutil.copyfile(source, part)
            yield
            give_name(part, path)
        finally:
            part.unlink(missing_ok=True)


def refuse_storage(path: Path) -> None:
    # SQLite would take a log that another file has left for this one's.
    for name in (path.name, f"{path.name}-wal", f"{path.name}-journal"):
        if path.with_name(name).exists():
            raise NotMoved(
                f"The folder {path.parent} holds a storage already ({name}). Name a new folder, or move that one away."
            )


def vacuum_into(path: Path, target: Path) -> None:
    """Write all that the file holds now into a new one, in one step, beside servers that write to the first."""
    with _opened(path) as connection:
        refuse_newer(_read(connection, "PRAGMA user_version")[0][0])
        target.touch(mode=0o600, exist_ok=False)
        _read(connection, "VACUUM INTO ?", str(target))


def inspect_sqlite(path: Path) -> tuple[int, Mapping[str, int]]:
    """The number of a file's schema, and how many rows its tables have; refuse one that is damaged."""
    with _opened(path) as connection:
        [(verdict, *_), *_] = _read(connection, "PRAGMA quick_check(1)")
        if verdict != "ok":
            raise NotMoved(f"The storage is damaged: {' '.join(verdict.split())}.")
        schema = _read(connection, "PRAGMA user_version")[0][0]
        refuse_newer(schema)
        counts = {
            table.name: _read(connection, f"SELECT count(*) FROM {table.name}")[0][0] for table in read_tables(schema)
        }
    return schema, counts


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[apsw.Connection]:
    """A connection of its own to a file that is there. One that is write-protected can be read all the same."""
    if not path.exists():
        raise StorageUnavailable(
            f"The folder {path.parent} holds no storage of Provender. Name the server's own with --data-dir."
        )
    with translated_errors:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            connection.set_busy_timeout(_BUSY_PATIENCE_MS)
            _read(connection, f"PRAGMA cache_size = -{_CACHE_KIB}")
            yield connection
        finally:
            connection.close()


def _read(connection: apsw.Connection, sql: str, *values: str) -> list[Any]:
    return connection.execute(sql, values).fetchall()
