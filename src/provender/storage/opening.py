"""Which engine the settings ask for: the only place that chooses."""

import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path

from provender.metrics.sheet import Sheet
from provender.settings import Settings, variable
from provender.storage.copying import Source, Target, copy_rows
from provender.storage.engine import Engine
from provender.storage.postgresql import open_postgresql
from provender.storage.postgresql_copying import empty_postgresql, postgresql_snapshot
from provender.storage.sqlite import open_sqlite
from provender.storage.sqlite_copying import copied_sqlite, new_sqlite, sqlite_snapshot, vacuum_into

DATABASE_FILE = "provender.db"

_ADDRESS = variable("database_url")


async def open_engine(settings: Settings, *, create: bool = True, metrics: Sheet | None = None) -> Engine:
    """Open the storage as it is; `migrate` brings it to this program's schema.

    Without `create`, a data folder that has no storage is refused: it is more likely misspelt than meant. With
    `metrics`, what the engine does is counted there.
    """
    if settings.database_url is not None:
        pool = None if metrics is None else metrics.pool
        return await open_postgresql(settings.database_url, settings.database_connections, pool)
    commits = None if metrics is None else metrics.commits
    return open_sqlite(settings.data_dir / DATABASE_FILE, create=create, counts=commits)


@contextlib.asynccontextmanager
async def open_source(settings: Settings) -> AsyncGenerator[Source]:
    """The storage as it is now, whatever schema it has."""
    if settings.database_url is not None:
        async with postgresql_snapshot(settings.database_url, _ADDRESS) as rows:
            yield rows
    else:
        with sqlite_snapshot(settings.data_dir / DATABASE_FILE) as rows:
            yield rows


@contextlib.asynccontextmanager
async def open_target(settings: Settings, schema: int, named: str = _ADDRESS) -> AsyncGenerator[Target]:
    """Storage without any rows, with this schema; what is written is there when the end of the block is reached.

    `named` is where the operator wrote an address: it may hold a password, and is never repeated itself.
    """
    if settings.database_url is not None:
        async with empty_postgresql(settings.database_url, named, schema) as target:
            yield target
    else:
        async with new_sqlite(settings.data_dir / DATABASE_FILE, schema) as target:
            yield target


async def write_file(settings: Settings, file: Path) -> None:
    """Write all that the storage holds now into a new SQLite file, while servers write to the storage."""
    if settings.database_url is None:
        vacuum_into(settings.data_dir / DATABASE_FILE, file)
        return
    async with open_source(settings) as source, new_sqlite(file, source.schema) as target:
        await copy_rows(source, target)


@contextlib.asynccontextmanager
async def filled_from(settings: Settings, file: Path) -> AsyncGenerator[None]:
    """Fill storage that is not there yet with all that a file holds; it is there from the end of the block on."""
    if settings.database_url is None:
        with copied_sqlite(file, settings.data_dir / DATABASE_FILE):
            yield
        return
    with sqlite_snapshot(file) as source:
        async with open_target(settings, source.schema) as target:
            await copy_rows(source, target)
            yield
