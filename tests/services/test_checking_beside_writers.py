"""A check while others write: whatever is written between any two of its statements, it finds nothing wrong.

A check beside a real server meets a writer now and then; this one meets one every time.
"""

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import httpx
import pytest

from provender.model.checking import Tally
from provender.services import eaten_checks, profile_checks
from provender.services.checking import StorageCheck
from provender.services.settler import Settler
from provender.storage.engine import Damage, Engine, Operation, Row, Statements, Value
from tests.conftest import Service
from tests.diary import MEALS, change_log, day, delete_log, new_log, summary
from tests.kitchen import new_food, new_profile
from tests.pantry import BANANA, COLA
from tests.storage.recording import is_postgresql

T = TypeVar("T")

Write = Callable[[], Awaitable[None]]


class _Interrupted:
    """The statements of a transaction, between which somebody else tries to write."""

    def __init__(self, statements: Statements, attempt: Callable[[], Awaitable[None]]) -> None:
        self._statements = statements
        self._attempt = attempt

    async def all(self, sql: str, *values: Value) -> Sequence[Row]:
        rows = await self._statements.all(sql, *values)
        await self._attempt()
        return rows

    async def one(self, sql: str, *values: Value) -> Row | None:
        row = await self._statements.one(sql, *values)
        await self._attempt()
        return row

    async def change(self, sql: str, *values: Value) -> Sequence[Row]:
        return await self._statements.change(sql, *values)


class InterruptedEngine(_Interrupted):
    """An engine whose every read is followed by somebody's write."""

    def __init__(self, engine: Engine, write: Write) -> None:
        super().__init__(engine, write)
        self.chains_writes = engine.chains_writes
        self._engine = engine
        self._write = write
        self._writing: asyncio.Task[None] | None = None
        self.second_looks = 0

    async def transaction(self, operation: Operation[T]) -> T:
        self.second_looks += 1
        if not is_postgresql(self._engine):
            # There is no other writer while one writes.
            return await self._engine.transaction(operation)
        return await self._engine.transaction(lambda inner: operation(_Interrupted(inner, self._try_to_write)))

    async def ping(self) -> None:
        await self._engine.ping()

    async def _try_to_write(self) -> None:
        """Begin a write, and see whether it gets through. If it has to wait, so that the check can go on, well."""
        if self._writing is None or self._writing.done():
            await self.written()
            self._writing = asyncio.ensure_future(self._write())
        await asyncio.wait([self._writing], timeout=0.05)

    async def written(self) -> None:
        if self._writing is not None:
            await self._writing

    async def find_damage(self) -> Damage:
        return Damage([])

    async def migrate(self) -> None: ...
    async def close(self) -> None: ...


async def test_what_others_write_meanwhile_is_never_a_fault(
    service: Service, acme: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Settler, "note", lambda *_: None)
    await new_profile(acme)
    own = await new_food(acme)
    logs = [await new_log(acme, food_id) for food_id in (BANANA.id, COLA.id, own)]
    numbers, chance = itertools.count(), random.Random(1)  # noqa: S311 - The same writes every time.

    async def write() -> None:
        number = next(numbers)
        meal = MEALS[number % len(MEALS)]
        match chance.choice([0, 1, 1, 1, 2, 3, 3, 4]):
            case 0:
                logs.append(await new_log(acme, (BANANA.id, COLA.id, own)[number % 3], meal=meal))
            case 1:
                await change_log(acme, logs[-1], number_of_servings=1 + number, meal=meal, date=day(-(number % 2)))
            case 2:
                await summary(acme, day(0), day(0))
            case 3:
                name = f"Soup {number}"
                sent = {"profile_reference_id": "alice", "food_name": name}
                assert (await acme.patch(f"/v1/foods/custom/{own}", json=sent)).status_code == 200
            case 4 if len(logs) > 1:
                await delete_log(acme, logs.pop(number % len(logs)))

    engine = InterruptedEngine(service.engine, write)
    for repair in (False, True, False, True):
        check = StorageCheck(engine, service.clock, Tally(), repair=repair)
        assert [finding async for finding in check.all()] == []
        await engine.written()
    assert engine.second_looks > 3, "writes came at the right moments"
    calm = StorageCheck(service.engine, service.clock, Tally(), repair=False)
    assert [finding async for finding in calm.all()] == []


async def test_a_check_of_what_is_right_locks_nobody(
    service: Service, acme: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Settler, "note", lambda *_: None)
    # Pages end everywhere, also within a food.
    monkeypatch.setattr(eaten_checks, "_ROWS_AT_ONCE", 4)
    monkeypatch.setattr(profile_checks, "_FOODS_AT_ONCE", 1)
    await new_profile(acme)
    for number in range(3):
        own = await new_food(acme, food_name=f"Soup {number}")
        for meal in MEALS[number:]:
            await new_log(acme, own, meal=meal)
        await summary(acme, day(0), day(0))

    async def write_nothing() -> None: ...

    engine = InterruptedEngine(service.engine, write_nothing)
    check = StorageCheck(engine, service.clock, Tally(), repair=True)
    assert [finding async for finding in check.all()] == []
    assert engine.second_looks == 0
