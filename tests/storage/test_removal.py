"""Clearing away what a deleted profile leaves behind."""

import asyncio
from datetime import UTC, datetime

import pytest

from provender.model.profiles import Profile
from provender.services import profiles as profile_service
from provender.services.removal import Cleaner, clear_deleted_profiles
from provender.storage import profiles, removal
from provender.storage.engine import Engine, Statements
from provender.storage.store import Store

NOW = datetime(2026, 3, 10, tzinfo=UTC)


async def tables_with_a_profile(engine: Engine) -> set[str]:
    """Every table of the schema whose rows belong to a profile."""
    if type(engine).__name__ == "PostgresqlEngine":
        rows = await engine.all("SELECT table_name FROM information_schema.columns WHERE column_name = 'profile_id'")
    else:
        rows = await engine.all(
            """
            SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
            WHERE m.type = 'table' AND c.name = 'profile_id'
            """
        )
    return {row[0] for row in rows} - {"deleted_profiles"}


async def test_every_table_with_a_profile_id_is_known_to_removal(engine: Engine) -> None:
    assert await tables_with_a_profile(engine) == set(removal.OWNED_TABLES)


async def test_a_forgotten_table_would_be_noticed(engine: Engine) -> None:
    await engine.change("CREATE TABLE forgotten (profile_id text NOT NULL, id bigint NOT NULL)")
    assert await tables_with_a_profile(engine) == {*removal.OWNED_TABLES, "forgotten"}


OWNED = {"logs": ("profile_id", "day", "id"), "notes": ("id",)}


@pytest.fixture
async def store(engine: Engine) -> Store:
    """Two tables such as later work adds, with rows of alice and of bob."""
    await engine.change("INSERT INTO applications (id, name, created_at) VALUES ('acme', 'acme', 0)")
    await engine.change("CREATE TABLE logs (profile_id text, day bigint, id bigint, PRIMARY KEY (profile_id, day, id))")
    await engine.change("CREATE TABLE notes (id text PRIMARY KEY, profile_id text)")
    store = Store(engine, "acme")
    for name in ("alice", "bob"):
        await profiles.insert_profile(store, Profile(name, name, None, NOW, NOW))
        await engine.change(
            f"""
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1201)
            INSERT INTO logs SELECT '{name}', n % 30, n FROM numbers
            """
        )
        await engine.change(f"INSERT INTO notes VALUES ('{name}-1', '{name}'), ('{name}-2', '{name}')")
    return store


async def _left(engine: Engine, name: str) -> tuple[int, int, int]:
    counts = []
    for table in ("logs", "notes", "deleted_profiles"):
        row = await engine.one(f"SELECT count(*) FROM {table} WHERE profile_id = '{name}'")
        counts.append(row[0] if row else 0)
    return counts[0], counts[1], counts[2]


async def test_everything_of_the_profile_goes_and_nothing_of_another(engine: Engine, store: Store) -> None:
    await profile_service.delete_profile(store, "alice", NOW)
    assert await _left(engine, "alice") == (1201, 2, 1)
    await clear_deleted_profiles(engine, OWNED)
    assert await _left(engine, "alice") == (0, 0, 0)
    assert await _left(engine, "bob") == (1201, 2, 0)


async def test_it_goes_in_small_steps_that_a_crash_only_interrupts(engine: Engine, store: Store) -> None:
    await profile_service.delete_profile(store, "alice", NOW)
    left = [await _left(engine, "alice")]
    done = False
    while not done:
        # Each step is a transaction; between two of them a crash may come, and nothing but the note is needed.
        done = await engine.transaction(lambda statements: removal.clear_step(statements, "alice", OWNED))
        left.append(await _left(engine, "alice"))
    assert [logs for logs, _, _ in left] == [1201, 701, 201, 0, 0, 0]
    assert [noted for _, _, noted in left] == [1, 1, 1, 1, 1, 0]
    # Two workers may clear the same profile away; the second finds nothing to do.
    assert await engine.transaction(lambda statements: removal.clear_step(statements, "alice", OWNED))


async def test_a_profile_that_is_being_written_to_is_not_deleted_meanwhile(engine: Engine, store: Store) -> None:
    """A row that is written while its profile is deleted would be found by nobody; one of the two has to wait."""
    order: list[str] = []
    if type(engine).__name__ == "SqliteEngine":
        # There one writing transaction runs after the other, so there is no meanwhile.
        return
    found, go_on = asyncio.Event(), asyncio.Event()

    async def write(statements: Statements) -> None:
        assert await profiles.lock_profile(statements, "alice")
        found.set()
        await go_on.wait()
        order.append("written")

    async def delete() -> None:
        await profile_service.delete_profile(store, "alice", NOW)
        order.append("deleted")

    writing = asyncio.create_task(store.transaction(write))
    await found.wait()
    deleting = asyncio.create_task(delete())
    await asyncio.sleep(0.2)
    assert order == []
    go_on.set()
    await asyncio.gather(writing, deleting)
    assert order == ["written", "deleted"]


async def test_a_profile_can_be_found_for_writing_on_either_engine(store: Store) -> None:
    async def find(statements: Statements) -> tuple[bool, bool]:
        found = await profiles.lock_profile(statements, "alice")
        missing = await profiles.lock_profile(statements, "nobody")
        return found is not None, missing is not None

    assert await store.transaction(find) == (True, False)


async def test_the_cleaner_stops_when_it_is_told_to_even_while_it_is_woken(engine: Engine) -> None:
    for turns in range(30):
        cleaner = Cleaner(engine)
        task = asyncio.create_task(cleaner.run())
        for _ in range(turns):
            await asyncio.sleep(0)
        cleaner.wake()
        task.cancel()
        async with asyncio.timeout(5):
            with pytest.raises(asyncio.CancelledError):
                await task
