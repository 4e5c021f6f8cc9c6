"""What the engines count of their own work."""

import asyncio
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from provender.metrics.counts import CommitCounts, PoolCounts
from provender.model.errors import StorageUnavailable
from provender.storage import postgresql_pool
from provender.storage.engine import Statements
from provender.storage.postgresql import open_postgresql
from provender.storage.sqlite import open_sqlite
from tests.conftest import PostgresqlServer

INSERT = "INSERT INTO applications (id, name, created_at) VALUES ($1, $1, 0)"


async def test_sqlite_counts_every_commit_with_its_writes_and_every_failure(tmp_path: Path) -> None:
    counts = CommitCounts()
    engine = open_sqlite(tmp_path / "provender.db", create=True, counts=counts)

    async def end_the_transaction(statements: Statements) -> None:
        await statements.change("COMMIT")

    try:
        await engine.migrate()
        await asyncio.gather(*(engine.change(INSERT, str(number)) for number in range(50)))
        assert counts.batches.sum == 51
        assert sum(counts.batches.buckets) == sum(counts.durations.buckets) < 51
        assert counts.durations.sum > 0
        assert counts.failures == 0
        with pytest.raises(Exception, match="no transaction is active"):
            await engine.transaction(end_the_transaction)
        assert counts.failures == 1
        assert counts.batches.sum == 51
    finally:
        await engine.close()


async def test_postgresql_counts_connections_and_the_waits_that_took_too_long(
    postgresql: PostgresqlServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql_pool, "ACQUIRE_TIMEOUT_S", 0.1)
    counts = PoolCounts()
    name = await postgresql.create_migrated()
    engine = await open_postgresql(postgresql.url(name), 2, counts)
    try:
        assert (counts.max_connections, counts.connections, counts.in_use) == (2, 1, 0)
        sleeping = [asyncio.create_task(engine.one("SELECT pg_sleep(0.5)")) for _ in range(2)]
        await asyncio.sleep(0.05)
        assert (counts.connections, counts.in_use) == (2, 2)
        with pytest.raises(StorageUnavailable):
            await engine.one("SELECT 1")
        assert counts.timeouts == 1
        await asyncio.gather(*sleeping)
        assert (counts.connections, counts.in_use) == (2, 0)
        await asyncio.gather(
            *(engine.one("SELECT pg_terminate_backend(pg_backend_pid())") for _ in range(2)), return_exceptions=True
        )
        await asyncio.sleep(0.05)
        # The pool may have opened another already.
        assert counts.connections == engine._pool.get_size() < 2  # noqa: SLF001 - Nothing else knows it.
        assert await engine.one("SELECT 1") is not None
        assert (counts.connections, counts.in_use) == (1, 0)
    finally:
        await engine.close()
        await postgresql.drop(name)


async def test_postgresql_counts_transactions_and_those_that_ran_again(postgresql: PostgresqlServer) -> None:
    counts = PoolCounts()
    name = await postgresql.create_migrated()
    engine = await open_postgresql(postgresql.url(name), 2, counts)
    attempts: list[Any] = []

    async def give_way_once(statements: Statements) -> None:
        attempts.append(await statements.change(INSERT, "acme"))
        if len(attempts) == 1:
            raise asyncpg.SerializationError

    async def fail(statements: Statements) -> None:
        raise LookupError

    try:
        await engine.transaction(give_way_once)
        assert (counts.transactions, counts.reruns) == (1, 1)
        with pytest.raises(LookupError):
            await engine.transaction(fail)
        assert (counts.transactions, counts.reruns) == (1, 1)
    finally:
        await engine.close()
        await postgresql.drop(name)
