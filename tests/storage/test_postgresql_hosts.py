"""Addresses that name several PostgreSQL servers, and servers that take no writes; tests/system has a failover."""

import asyncio
import socket
import time

import asyncpg
import pytest

from provender.model.errors import StorageUnavailable
from provender.storage.engine import Engine
from provender.storage.postgresql import open_postgresql
from provender.storage.postgresql_hosts import find_hosts
from tests.conftest import PostgresqlServer
from tests.system.server import free_port

INSERT = "INSERT INTO applications (id, name, created_at) VALUES ($1, $1, 0)"


@pytest.mark.parametrize(
    ("address", "servers"),
    [
        ("postgresql://u:p@a,b/db", [("a", 5432), ("b", 5432)]),
        ("postgresql://u:p@a:1,b:2,c/db", [("a", 1), ("b", 2), ("c", 5432)]),
        ("postgresql://a,b:7/db?target_session_attrs=read-write", [("a", 5432), ("b", 7)]),
        ("postgresql://u@/db?host=/x,/y", [("/x", 5432), ("/y", 5432)]),
        ("postgresql://u@/db?host=/x,/y&port=1,2", [("/x", 1), ("/y", 2)]),
        ("postgresql://u@/db?host=a,b&port=6432", [("a", 6432), ("b", 6432)]),
        ("postgresql://u@%2Fx,%2Fy/db", [("/x", 5432), ("/y", 5432)]),
        ("postgresql://u@[::1]:5,b/db", [("::1", 5), ("b", 5432)]),
    ],
)
def test_an_address_may_name_several_servers(address: str, servers: list[tuple[str, int]]) -> None:
    hosts = find_hosts(address)
    assert hosts is not None
    assert hosts.addresses == servers
    assert hosts.standby_reads is ("target" not in address)


@pytest.mark.parametrize(
    "address", ["postgresql://u:p@a/db", "postgresql:///db?host=/x", "postgresql://u@a:5/db?port=6"]
)
def test_an_address_of_one_server_is_left_to_the_driver(address: str) -> None:
    assert find_hosts(address) is None


@pytest.mark.parametrize("address", ["postgresql://a,/db", "postgresql://a,b/db?port=1,2,3", "postgresql://a,b:x/db"])
async def test_an_address_that_cannot_be_read_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(StorageUnavailable, match="cannot be read") as caught:
        await open_postgresql(address, 1)
    assert address not in str(caught.value)


@pytest.mark.parametrize("attributes", ["any", "standby", "prefer-standby", "read-only"])
async def test_several_servers_without_a_primary_among_them_are_not_asked_for(attributes: str) -> None:
    with pytest.raises(StorageUnavailable, match="target_session_attrs"):
        await open_postgresql(f"postgresql://u@a,b/db?target_session_attrs={attributes}", 1)


async def test_without_any_server_it_cannot_be_opened_and_says_so_soon() -> None:
    began = time.monotonic()
    with pytest.raises(StorageUnavailable, match="no primary"):
        await open_postgresql(f"postgresql://u@127.0.0.1:{free_port()},127.0.0.1:{free_port()}/db", 1)
    assert time.monotonic() - began < 20
    assert not [task for task in asyncio.all_tasks() if "look_for_primary" in repr(task)]


async def test_a_server_that_says_nothing_does_not_keep_others_from_being_found(postgresql: PostgresqlServer) -> None:
    """As a machine that hangs: its kernel takes connections, and nothing comes back."""
    name = await postgresql.create_migrated()
    silent = socket.create_server(("127.0.0.1", 0))
    port = silent.getsockname()[1]
    folder = postgresql.url(name).partition("host=")[2]
    engine = await open_postgresql(f"postgresql://postgres@/{name}?host=127.0.0.1,{folder}&port={port},5432", 2)
    try:
        await engine.change(INSERT, "acme")
        # Who was found is asked first from then on: this does not wait for the silent one again.
        async with asyncio.timeout(1.5):
            await asyncio.gather(*(engine.one("SELECT pg_sleep(0.2)") for _ in range(2)))
    finally:
        await engine.close()
        silent.close()
        await postgresql.drop(name)


async def _write(engine: Engine) -> None:
    await engine.change(INSERT, "acme")


async def _write_in_a_transaction(engine: Engine) -> None:
    await engine.transaction(lambda statements: statements.change(INSERT, "globex"))


async def test_a_server_that_has_become_read_only_is_left_with_the_first_write_it_refuses(
    postgresql: PostgresqlServer,
) -> None:
    """As behind an address that moves to another server: only a new connection gets there."""
    name = await postgresql.create_migrated()
    admin = await asyncpg.connect(postgresql.url("postgres"))
    engine = await open_postgresql(postgresql.url(name), 1)
    try:
        for write in (_write, _write_in_a_transaction):
            await admin.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
            await engine._pool.expire_connections()  # noqa: SLF001 - So that it meets the setting.
            with pytest.raises(StorageUnavailable, match="read-only"):
                await write(engine)
            await admin.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
            await write(engine)
        assert len(await engine.all("SELECT 1 FROM applications")) == 2
    finally:
        await engine.close()
        await admin.close()
        await postgresql.drop(name)


async def test_writes_that_wait_leave_connections_for_reads(postgresql: PostgresqlServer) -> None:
    """As they do for a lock, or for a standby that is gone."""
    url = postgresql.url(await postgresql.create_migrated())
    engine, holder = await open_postgresql(url, 4), await asyncpg.connect(url)
    try:
        held = holder.transaction()
        await held.start()
        await holder.execute("LOCK TABLE applications IN EXCLUSIVE MODE")
        writes = [asyncio.create_task(engine.change(INSERT, f"number {number}")) for number in range(8)]
        await asyncio.sleep(0.2)
        async with asyncio.timeout(2):
            assert await engine.one("SELECT count(*) FROM applications") == (0,)
        await held.rollback()
        await asyncio.gather(*writes)
        assert await engine.one("SELECT count(*) FROM applications") == (8,)
    finally:
        await holder.close()
        await engine.close()
