"""PostgreSQL databases to copy from and to: a snapshot, and an empty database that is filled by one transaction."""

import contextlib
from collections.abc import AsyncGenerator, Sequence
from typing import Any

import asyncpg
from asyncpg.cursor import Cursor

from provender.model.errors import NotMoved, StorageUnavailable
from provender.storage.copying import BATCH, Reader
from provender.storage.engine import Row
from provender.storage.migrations import refuse_newer
from provender.storage.postgresql import (
    CONNECT_TIMEOUT_S,
    SESSION,
    migrate_within,
    refused_addresses,
    translated_errors,
)
from provender.storage.postgresql_hosts import find_hosts
from provender.storage.tables import Table, read_tables

_CLOSE_TIMEOUT_S = 5


class _Reader:
    def __init__(self, cursor: "Cursor[Any]") -> None:
        self._cursor = cursor

    async def read(self) -> Sequence[Row]:
        return await self._cursor.fetch(BATCH)


class PostgresqlRows:
    """All rows of a database as the transaction under way sees them, as a Source."""

    keeps_sign_of_zero = True

    def __init__(self, connection: "asyncpg.Connection[Any]", schema: int) -> None:
        self._connection = connection
        self.schema = schema

    async def open(self, table: Table) -> Reader:
        return _Reader(await self._connection.cursor(table.select))


class EmptyPostgresql(PostgresqlRows):
    """A database with the schema and no rows, as a Target."""

    async def insert(self, table: Table, rows: Sequence[Row]) -> None:
        try:
            await self._connection.copy_records_to_table(
                table.name, columns=table.columns, records=[tuple(row) for row in rows]
            )
        except (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError) as error:
            # Only its first line: the others may show what is in the row.
            raise NotMoved(f"A row of {table.name} cannot be kept: {error.args[0]}. Nothing was kept.") from error

    async def prepare_reading(self, table: Table) -> None:
        """Let the planner know that the table is not empty any more, for us and for the servers after us."""
        await self._connection.execute(f"ANALYZE {table.name}")


@contextlib.asynccontextmanager
async def postgresql_snapshot(url: str, named: str) -> AsyncGenerator[PostgresqlRows]:
    """The database as it is now, while others write to it. `named` is where the operator wrote the address."""
    async with (
        _connected(url, named) as connection,
        connection.transaction(isolation="repeatable_read", readonly=True),
    ):
        if await connection.fetchval("SELECT to_regclass('schema_version')") is None:
            raise StorageUnavailable(f"The database in {named} holds no storage of Provender.")
        schema = await connection.fetchval("SELECT max(version) FROM schema_version") or 0
        refuse_newer(schema)
        yield PostgresqlRows(connection, schema)


@contextlib.asynccontextmanager
async def empty_postgresql(url: str, named: str, schema: int) -> AsyncGenerator[EmptyPostgresql]:
    """A database without any rows; what the block writes is there when its end is reached, and not at all otherwise."""
    async with _connected(url, named) as connection, connection.transaction():
        found = await migrate_within(connection, schema)
        if found != schema:
            raise NotMoved(
                f"The database in {named} has schema {found} already, and what is to be copied has {schema}. "
                "Name a database without any tables."
            )
        names = [table.name for table in read_tables(schema)]
        # A server that runs there may read, but writes only after us.
        await connection.execute(f"LOCK TABLE {', '.join(names)} IN EXCLUSIVE MODE")
        for name in names:
            if await connection.fetchval(f"SELECT 1 FROM {name} LIMIT 1") is not None:
                raise NotMoved(
                    f"The database in {named} holds a storage already: {name} has rows. Name one that is empty."
                )
        yield EmptyPostgresql(connection, schema)


@contextlib.asynccontextmanager
async def _connected(url: str, named: str) -> AsyncGenerator["asyncpg.Connection[Any]"]:
    """A connection of its own, whose statements may take as long as they need."""
    # While the other side works, the transaction of this one is idle.
    settings = SESSION | {"idle_in_transaction_session_timeout": "0", "statement_timeout": "0"}
    with refused_addresses(named):
        if (hosts := find_hosts(url)) is not None:
            # Not from a standby, which may lack what was answered.
            connection = await hosts.connect_once(server_settings=settings)
        else:
            connection = await asyncpg.connect(url, timeout=CONNECT_TIMEOUT_S, server_settings=settings)
    try:
        with translated_errors:
            yield connection
    finally:
        with contextlib.suppress(TimeoutError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            await connection.close(timeout=_CLOSE_TIMEOUT_S)
