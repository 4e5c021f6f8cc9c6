"""Favorites in storage: places that never repeat, pages along an index, and removed ones that stay for a day."""

import asyncio
import itertools
import re
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from provender.model.paging import PageRequest
from provender.model.profiles import Profile
from provender.storage import favorites, profiles
from provender.storage.engine import Engine, Row, Statements, Value
from provender.storage.favorites import read_favorites
from provender.storage.store import Store

NOW = datetime(2026, 3, 10, tzinfo=UTC)

_numbers = itertools.count()


@pytest.fixture
async def store(engine: Engine) -> Store:
    await engine.change("INSERT INTO applications (id, name, created_at) VALUES ('acme', 'acme', 0)")
    return Store(engine, "acme")


async def new_profile(store: Store) -> str:
    name = f"profile-{next(_numbers)}"
    await profiles.insert_profile(store, Profile(name, name, None, NOW, NOW))
    return name


async def add(store: Store, profile_id: str, food_id: str, now: datetime = NOW) -> bool:
    async def operation(statements: Statements) -> bool:
        taken = await profiles.take_number(statements, profile_id)
        assert taken is not None
        is_new = await favorites.add_favorite(statements, *taken[:1], food_id, taken[1], now)
        await favorites.sweep_removed(statements, profile_id, now)
        return is_new

    return await store.transaction(operation)


async def remove(store: Store, profile_id: str, food_id: str, now: datetime = NOW) -> bool:
    async def operation(statements: Statements) -> bool:
        assert await profiles.lock_profile_alone(statements, profile_id)
        was_there = await favorites.remove_favorite(statements, profile_id, food_id, now)
        await favorites.sweep_removed(statements, profile_id, now)
        return was_there

    return await store.transaction(operation)


async def listed(
    store: Store, profile_id: str, cursor: str | None = None, *, backwards: bool = False, now: datetime = NOW
) -> list[str]:
    found = await read_favorites(store, profile_id, PageRequest(100, cursor, backwards), now, count=100)
    return [favorite[0] for favorite in found]


async def test_numbers_of_a_profile_are_given_once_and_grow(store: Store) -> None:
    alice, bob = await new_profile(store), await new_profile(store)
    taken = await asyncio.gather(
        *(store.transaction(lambda statements: profiles.take_number(statements, alice)) for _ in range(32))
    )
    assert sorted(number for _, number in filter(None, taken)) == list(range(1, 33))
    assert await profiles.take_number(store, bob) == (bob, 1)
    assert await profiles.take_number(store, "nobody") is None


async def test_a_transaction_that_fails_gives_its_number_back(store: Store) -> None:
    alice = await new_profile(store)

    async def fail(statements: Statements) -> None:
        await profiles.take_number(statements, alice)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await store.transaction(fail)
    assert await profiles.take_number(store, alice) == (alice, 1)


async def test_whoever_takes_a_later_number_waits_for_the_earlier(engine: Engine, store: Store) -> None:
    """Otherwise a reader could see the later favorite first, and have passed the place of the earlier one."""
    if type(engine).__name__ == "SqliteEngine":
        # There one writing transaction runs after the other.
        return
    alice = await new_profile(store)
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def add_slowly(statements: Statements) -> None:
        taken = await profiles.take_number(statements, alice)
        assert taken is not None
        begun.set()
        await go_on.wait()
        await favorites.add_favorite(statements, alice, "slow", taken[1], NOW)

    slow = asyncio.create_task(store.transaction(add_slowly))
    await begun.wait()
    others = [asyncio.create_task(add(store, alice, "quick")), asyncio.create_task(remove(store, alice, "slow"))]
    await asyncio.sleep(0.2)
    assert not any(other.done() for other in others)
    # A deletion of the profile waits as well; whoever writes what needs no number does not.
    assert await store.transaction(lambda statements: profiles.lock_profile(statements, alice)) is not None
    go_on.set()
    await asyncio.gather(slow, *others)
    assert await listed(store, alice) == ["quick"]


_foods = st.sampled_from("abcde")
_steps = st.lists(
    st.tuples(st.just("add"), _foods) | st.tuples(st.just("remove"), _foods) | st.tuples(st.just("wait"), st.just("")),
    max_size=30,
)


@given(steps=_steps)
@hypothesis_settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_lists_and_cursors_agree_with_a_plain_list(store: Store, steps: list[tuple[str, str]]) -> None:
    alice, now = await new_profile(store), NOW
    # What was ever added, last added first, and since when each is removed.
    order: list[str] = []
    removed: dict[str, datetime] = {}
    for step, food in steps:
        if step == "add":
            is_new = food not in order or food in removed
            assert await add(store, alice, food, now) == is_new
            if is_new:
                order = [food, *(each for each in order if each != food)]
                removed.pop(food, None)
        elif step == "remove":
            was_there = food in order and food not in removed
            assert await remove(store, alice, food, now) == was_there
            if was_there:
                removed[food] = now
        else:
            now += timedelta(hours=9)

    def there(foods: Sequence[str]) -> list[str]:
        return [each for each in foods if each not in removed]

    assert await listed(store, alice, now=now) == there(order)
    for food in "abcde":
        if food in order and now - removed.get(food, now) < timedelta(hours=24):
            place = order.index(food)
            assert await listed(store, alice, food, now=now) == there(order[place + 1 :])
            assert await listed(store, alice, food, backwards=True, now=now) == there(order[:place])[::-1]
        else:
            for backwards in (False, True):
                assert await listed(store, alice, food, backwards=backwards, now=now) == []
            assert await favorites.find_place(store, alice, food, now) is None


async def test_another_application_and_a_deleted_profile_have_no_favorites(engine: Engine, store: Store) -> None:
    alice = await new_profile(store)
    await add(store, alice, "a")
    globex = Store(engine, "globex")
    assert await listed(globex, alice) == []
    assert await listed(globex, alice, "a") == []
    assert await favorites.find_place(globex, alice, "a", NOW) is None
    assert not await favorites.remove_favorite(globex, alice, "a", NOW)
    assert not await favorites.add_favorite(globex, alice, "b", 9, NOW)
    await favorites.sweep_removed(globex, alice, NOW + timedelta(days=9))
    assert await listed(store, alice) == ["a"]
    await profiles.delete_profile(store, alice)
    assert await listed(store, alice) == []
    assert await favorites.find_place(store, alice, "a", NOW) is None


async def test_a_write_sweeps_a_hundred_at_most(engine: Engine, store: Store) -> None:
    alice = await new_profile(store)
    await _fill(engine, alice, 250, removed_at=0)
    for left in (151, 51, 1, 1):
        await add(store, alice, "a")
        assert len(await engine.all("SELECT food_id FROM favorites")) == left


async def _fill(engine: Engine, profile_id: str, count: int, *, removed_at: int | None = None, first: int = 1) -> None:
    """So many favorites of the profile, all of them there, or all removed at some time."""
    await engine.change(
        f"""
        WITH RECURSIVE numbers (n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM numbers WHERE n < {first + count - 1})
        INSERT INTO favorites (profile_id, food_id, place, added_at, removed_at)
        SELECT $1, 'food' || (100000000000 + n), n, 0, CAST($2 AS bigint) FROM numbers
        """,
        profile_id,
        removed_at,
    )


async def test_10000_favorites_page_as_ten_do(engine: Engine, store: Store) -> None:
    """Among profiles of ten, with 10,000 more that were removed today: the same statements, along the same index."""
    few, many = [await new_profile(store) for _ in range(200)], await new_profile(store)
    for profile_id in few:
        await _fill(engine, profile_id, 10)
    await _fill(engine, many, 5_000)
    await _fill(engine, many, 10_000, removed_at=2**60, first=5_001)
    await _fill(engine, many, 5_000, first=15_001)
    for has_looked in (False, True):
        if has_looked:
            # What PostgreSQL knows of the tables changes its plans; before, it guesses.
            await engine.change("ANALYZE")
        from_cursor = (favorites.ONWARDS_FROM_CURSOR, favorites.BACKWARDS_FROM_CURSOR)
        for sql in (favorites.ONWARDS, favorites.BACKWARDS, *from_cursor):
            place: list[Any] = ["food100000000005", 0] if sql in from_cursor else [5]
            plans = [await _plan(engine, sql, ["acme", profile_id, 101, *place]) for profile_id in (few[7], many)]
            assert _stretches(plans[0]) == _stretches(plans[1])
            for plan in plans:
                assert re.search("(Index Scan.*|SEARCH favorites) USING.* favorites_in_order", plan, re.IGNORECASE), (
                    plan
                )
                for word in ("Sort", "TEMP B-TREE", "SCAN favorites", "Seq Scan on favorites"):
                    assert word not in plan


async def test_a_page_among_10000_is_one_statement_and_fast(engine: Engine, store: Store) -> None:
    many, few = await new_profile(store), await new_profile(store)
    await _fill(engine, many, 10_000)
    await _fill(engine, few, 10)
    counting = _Counting(store)
    for profile_id, middle in ((many, "food100000005000"), (few, "food100000000005")):
        for request in (PageRequest(100), PageRequest(100, middle), PageRequest(100, middle, backwards=True)):
            costs = []
            for _ in range(5):
                counting.count = 0
                started = time.perf_counter()
                found = await read_favorites(counting, profile_id, request, NOW, count=101)
                costs.append(time.perf_counter() - started)
                assert counting.count == 1
            assert found
            assert min(costs) < 0.05, (profile_id, request, min(costs))


async def test_every_write_is_along_an_index(engine: Engine, store: Store) -> None:
    many = await new_profile(store)
    await _fill(engine, many, 10_000)
    await _fill(engine, many, 10_000, removed_at=2**60, first=10_001)
    await engine.change("ANALYZE")
    writes: list[tuple[str, list[Any], str]] = [
        (favorites.FIND_PLACE, [many, "food100000000005", 0], ""),
        (favorites.REMOVE, [many, "food100000000005", 0], ""),
        (favorites.SWEEP, [many, 0, 100], "favorites_removed"),
    ]
    for sql, values, index in writes:
        plan = await _plan(engine, sql, ["acme", *values])
        assert "Seq Scan on favorites" not in plan, plan
        assert "SCAN favorites" not in plan, plan
        assert index in plan


class _Counting:
    """Statements that are counted."""

    def __init__(self, statements: Statements) -> None:
        self._statements = statements
        self.count = 0

    async def all(self, sql: str, *values: Value) -> Sequence[Row]:
        self.count += 1
        return await self._statements.all(sql, *values)

    async def one(self, sql: str, *values: Value) -> Row | None:
        self.count += 1
        return await self._statements.one(sql, *values)

    async def change(self, sql: str, *values: Value) -> Sequence[Row]:
        self.count += 1
        return await self._statements.change(sql, *values)


def _stretches(plan: str) -> list[str]:
    """Which parts of which indexes are read; whether by way of a bitmap is left to PostgreSQL."""
    return [line.strip() for line in plan.splitlines() if "Index Cond" in line or "SEARCH" in line]


async def _plan(engine: Engine, sql: str, values: list[Any]) -> str:
    if type(engine).__name__ == "PostgresqlEngine":
        rows = await engine.all(f"EXPLAIN (COSTS OFF) {sql}", *values)
        # The profile's own id stands in the plan.
        return re.sub(r"profile-\d+", "profile", "\n".join(row[0] for row in rows))
    return "\n".join(row[3] for row in await engine.all(f"EXPLAIN QUERY PLAN {sql}", *values))
