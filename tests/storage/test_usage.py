"""How usage is kept: added to by many, read along its key, kept for 400 days, and lost by no fault of the storage."""

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest

from provender.metrics.usage import Counts, Usages, requests
from provender.model.errors import StorageUnavailable
from provender.model.times import to_ms
from provender.model.usage import DAY, DAYS_MAX, HOUR
from provender.services import usage as services_usage
from provender.services.usage import UsageRecorder
from provender.settings import Settings
from provender.storage import usage
from provender.storage.engine import Engine
from provender.storage.opening import open_engine
from provender.storage.store import Store
from provender.storage.usage import COUNTED, Span
from tests.conftest import SettableClock
from tests.storage.recording import RecordingEngine, plan_for_any, plan_with_indexes

ROUTES = [f"GET /v1/{number}" for number in range(1, 101)]
ONE: Counts = [0, 0, 1, *[0] * (len(COUNTED) - 3)]


@pytest.fixture
async def second(settings: Settings, engine: Engine) -> AsyncIterator[Engine]:
    """The storage as another worker has it open."""
    assert engine
    opened = await open_engine(settings)
    yield opened
    await opened.close()


async def _total(engine: Engine, application_id: str = "acme", hours: int = DAY) -> int:
    found = await usage.read_usage(Store(engine, application_id), hours, 0, 10**9)
    by_hour, by_route = (sum(map(requests, each.values())) for each in found)
    assert by_hour == by_route
    return by_hour


async def test_the_columns_are_those_that_are_counted(engine: Engine) -> None:
    await usage.add_usage(engine, {Span("acme", HOUR, 5, "GET /"): list(range(len(COUNTED)))})
    [row] = await engine.all(f"SELECT {', '.join(COUNTED)} FROM usage")
    assert list(row) == list(range(len(COUNTED)))


async def test_workers_that_add_at_once_lose_nothing(engine: Engine, second: Engine, clock: SettableClock) -> None:
    """Also where they add to many rows, and some of them for the first time."""
    workers = []
    for each in (engine, second):
        usages = Usages()
        workers.append((usages, UsageRecorder(each, usages, ROUTES, clock)))
    for turn in range(5):
        for number, (usages, _) in enumerate(workers):
            # Each comes to the rows in another order.
            for route in range(1, 101)[:: 1 if number else -1]:
                usages.of("acme").observe(route, 200 if route % 2 else 404, turn)
                usages.of(f"other-{route % 3}").observe(route, 500, turn)
        await asyncio.gather(*(recorder.write() for _, recorder in workers))
    for hours in (HOUR, DAY):
        assert await _total(engine, "acme", hours) == 2 * 5 * 100
        others = [await _total(engine, f"other-{number}", hours) for number in range(3)]
        assert sum(others) == 2 * 5 * 100
    found = await usage.read_usage(Store(second, "acme"), DAY, 0, 10**9)
    assert found.by_route["GET /v1/2"][:8] == [10, 0, 2, 2, 2, 2, 2, 0]


async def test_rows_are_added_to_in_the_order_of_their_key(engine: Engine) -> None:
    """Two writers that each wait for a row of the other would be ended by the database, and begin again."""
    spans = [Span(application, DAY, 24, route) for application in ("globex", "acme") for route in ROUTES[9::-1]]
    recording = RecordingEngine(engine)
    await usage.add_usage(recording, dict.fromkeys(spans, ONE))
    values = [value for asked in recording.take() for value in asked.values]
    width = len(Span._fields) + len(COUNTED)
    added = [tuple(values[start : start + len(Span._fields)]) for start in range(0, len(values), width)]
    assert added == sorted(spans)


async def test_what_cannot_be_written_is_kept_and_written_later(
    engine: Engine, clock: SettableClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    usages = Usages()
    recorder = UsageRecorder(engine, usages, ROUTES, clock)
    store = Store(engine, "acme")

    async def fail(*_: object) -> None:
        raise StorageUnavailable("The disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(type(engine), "transaction", fail)
        for _ in range(3):
            usages.of("acme").observe(1, 200, 0)
            with caplog.at_level(logging.WARNING):
                await recorder.finish()
        assert "The disk is full." in caplog.text
        # Whoever asks this process sees it already.
        assert sum(map(requests, (await recorder.read(store, DAY, 0, 10**9)).by_hour.values())) == 3
        # What there is no room for is not kept, and what has its place is counted on.
        broken.setattr(services_usage, "MOST_HELD", 2)
        for route in range(1, 11):
            usages.of("acme").observe(route, 200, 0)
        await recorder.finish()
    assert await _total(engine) == 0
    await recorder.write()
    assert await _total(engine) == 3 + 2
    usages.of("acme").observe(9, 200, 0)
    await recorder.write()
    assert await _total(engine) == 6


async def test_the_task_writes_by_itself_and_clears_what_is_too_old(
    engine: Engine, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services_usage, "WRITE_EVERY_S", 0.01)
    monkeypatch.setattr(usage, "STEP", 3)
    today = to_ms(clock()) // 86_400_000 * DAY
    for days in (DAYS_MAX - 1, DAYS_MAX + 1, DAYS_MAX + 2):
        rows = {Span("acme", DAY, today - days * DAY, route): ONE for route in ROUTES[:5]}
        await usage.add_usage(engine, rows)
    for days in (34, 36):
        await usage.add_usage(engine, {Span("acme", HOUR, today - days * DAY, ROUTES[0]): ONE})
    usages = Usages()
    task = asyncio.create_task(UsageRecorder(engine, usages, ROUTES, clock).run())
    usages.of("acme").observe(1, 200, 0)
    async with asyncio.timeout(20):
        while await _total(engine) != 5 + 1:
            await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    kept = {(row[0], row[1]) for row in await engine.all("SELECT hours, first_hour FROM usage")}
    kept_days = {(DAY, today - (DAYS_MAX - 1) * DAY), (DAY, today)}
    assert kept == kept_days | {(HOUR, today - 34 * DAY), (HOUR, to_ms(clock()) // 3_600_000)}


async def test_a_task_that_is_stopped_while_it_writes_counts_nothing_twice(
    engine: Engine, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services_usage, "WRITE_EVERY_S", 0)
    usages = Usages()
    recorder = UsageRecorder(engine, usages, ROUTES, clock)
    for turn in range(1, 21):
        usages.of("acme").observe(1, 200, 0)
        task = asyncio.create_task(recorder.run())
        for _ in range(turn % 7):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await recorder.finish()
        assert await _total(engine) == turn


async def test_usage_is_read_and_cleared_along_indexes(engine: Engine) -> None:
    # PostgreSQL chooses between the two by how many applications there are.
    spans = [Span(f"acme-{number}", DAY, 24 * day, "GET /") for number in range(30) for day in range(90, 120)]
    await usage.add_usage(engine, dict.fromkeys(spans, ONE))
    await engine.change("ANALYZE usage")
    recording = RecordingEngine(engine)
    await usage.read_usage(Store(recording, "acme"), DAY, 24 * 100, 24 * 110)
    await usage.clear_old(recording, HOUR, 24)
    read, clear = recording.take()
    for asked, index in ((read, "usage_pkey|PRIMARY KEY"), (clear, "usage_by_hour")):
        found = await plan_with_indexes(engine, asked)
        assert any(name in found for name in index.split("|")), found
        assert "Seq Scan" not in found
        assert "SCAN usage" not in found
    # Nearly always there is nothing old, and all rows would be looked at to see that.
    assert not await usage.has_old(recording, DAY, 24)
    [find] = recording.take()
    assert "usage_by_hour" in await plan_for_any(engine, find)
