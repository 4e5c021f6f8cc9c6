"""What every engine promises: durable when it returns, all or nothing, never stale."""

import asyncio

import pytest

from provender.model.errors import StorageUnavailable
from provender.settings import Settings
from provender.storage.engine import Engine, Statements
from provender.storage.opening import open_engine
from provender.storage.store import Store

INSERT = "INSERT INTO applications (id, name, created_at) VALUES ($1, $1, 0)"


async def _names(engine: Engine) -> list[str]:
    return [row[0] for row in await engine.all("SELECT name FROM applications ORDER BY name")]


async def test_a_transaction_that_raises_leaves_nothing(engine: Engine) -> None:
    async def fail(statements: Statements) -> None:
        await statements.change(INSERT, "a")
        assert await statements.one("SELECT 1 FROM applications WHERE id = $1", "a")
        raise KeyError("stop")

    with pytest.raises(KeyError):
        await engine.transaction(fail)
    assert await _names(engine) == []


async def test_one_that_fails_takes_no_other_with_it(engine: Engine) -> None:
    async def write(number: int) -> None:
        async def operation(statements: Statements) -> None:
            await statements.change(INSERT, f"{number:03}")
            if number % 3 == 0:
                raise KeyError(number)

        await engine.transaction(operation)

    results = await asyncio.gather(*(write(number) for number in range(60)), return_exceptions=True)
    assert [isinstance(result, KeyError) for result in results] == [number % 3 == 0 for number in range(60)]
    assert await _names(engine) == [f"{number:03}" for number in range(60) if number % 3]


async def test_a_write_is_seen_by_every_connection_when_it_returns(engine: Engine, settings: Settings) -> None:
    other = await open_engine(settings)
    try:
        for number in range(50):
            writer, reader = (engine, other) if number % 2 else (other, engine)
            await writer.change(INSERT, str(number))
            assert await reader.one("SELECT 1 FROM applications WHERE id = $1", str(number))
    finally:
        await other.close()


async def test_several_processes_may_write_at_once(engine: Engine, settings: Settings) -> None:
    others = [await open_engine(settings) for _ in range(3)]
    try:
        await asyncio.gather(
            *(each.change(INSERT, f"{which}-{n}") for n in range(50) for which, each in enumerate([engine, *others]))
        )
        assert len(await _names(engine)) == 200
    finally:
        for other in others:
            await other.close()


async def test_a_cancelled_transaction_is_whole_or_nothing_and_blocks_nobody(engine: Engine) -> None:
    for turns in range(30):

        async def write(statements: Statements, number: int = turns) -> None:
            await statements.change(INSERT, f"{number}-first")
            await statements.change(INSERT, f"{number}-second")

        task = asyncio.create_task(engine.transaction(write))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await engine.change(INSERT, "last")
    names = await _names(engine)
    for turns in range(30):
        assert (f"{turns}-first" in names) == (f"{turns}-second" in names)
    assert "last" in names


async def test_a_closed_engine_says_so(settings: Settings) -> None:
    engine = await open_engine(settings)
    await engine.migrate()
    await engine.close()
    with pytest.raises(StorageUnavailable):
        await engine.one("SELECT 1")
    with pytest.raises(StorageUnavailable):
        await engine.change(INSERT, "a")


async def test_our_own_mistakes_are_not_blamed_on_the_storage(engine: Engine) -> None:
    for sql, values in [("SELECT nonsense", ()), ("SELECT 1", ("too", "many")), (INSERT, (None,))]:
        with pytest.raises(Exception) as caught:  # noqa: PT011 - Each driver has exceptions of its own.
            await engine.change(sql, *values)
        assert not isinstance(caught.value, StorageUnavailable)


async def test_a_statement_cannot_forget_its_tenant(engine: Engine) -> None:
    """PostgreSQL refuses it, so such a statement cannot pass any test that runs it."""
    if type(engine).__name__ == "SqliteEngine":
        return
    with pytest.raises(Exception, match=r"argument|parameter"):
        await Store(engine, "acme").all("SELECT id FROM profiles")
    with pytest.raises(Exception, match=r"argument|parameter"):
        await Store(engine, "acme").all("SELECT id FROM profiles WHERE reference_id = $2", "alice")
