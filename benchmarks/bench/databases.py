"""A storage's database beside the server, in plain SQL: SQLite's file, or a PostgreSQL database."""

import asyncio
from pathlib import Path
from typing import Protocol, Self

import apsw
import asyncpg


class Database(Protocol):
    def run(self, sql: str) -> None: ...
    def columns(self, table: str) -> list[str]: ...
    def close(self) -> None: ...


class SqliteFile:
    """Nothing is synced on the way: what fails is thrown away as a whole."""

    def __init__(self, file: Path) -> None:
        self._connection = apsw.Connection(str(file))
        self._connection.execute("PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA temp_store = MEMORY")

    def run(self, sql: str) -> None:
        for _ in self._connection.execute(sql):
            pass

    def columns(self, table: str) -> list[str]:
        return [str(row[1]) for row in self._connection.execute(f"PRAGMA table_info ({table})")]

    def close(self) -> None:
        self._connection.execute("PRAGMA wal_checkpoint (TRUNCATE)")
        self._connection.close()


class PostgresqlDatabase:
    def __init__(self, runner: asyncio.Runner, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        self._runner = runner
        self._connection = connection

    @classmethod
    def open(cls, address: str) -> Self:
        runner = asyncio.Runner()
        return cls(runner, runner.run(_connect(address)))

    def run(self, sql: str) -> None:
        self._runner.run(_execute(self._connection, sql))

    def columns(self, table: str) -> list[str]:
        return self._runner.run(_columns(self._connection, table))

    def close(self) -> None:
        self._runner.run(self._connection.close())
        self._runner.close()


async def _connect(address: str) -> "asyncpg.Connection[asyncpg.Record]":
    return await asyncpg.connect(address, command_timeout=1200)


async def _execute(connection: "asyncpg.Connection[asyncpg.Record]", sql: str) -> None:
    await connection.execute(sql)


async def _columns(connection: "asyncpg.Connection[asyncpg.Record]", table: str) -> list[str]:
    rows = await connection.fetch(
        "SELECT column_name FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position", table
    )
    return [str(row[0]) for row in rows]
