"""Saved meals in storage: kept as they are, found through their profile, and read along an index."""

import itertools
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from provender.model.diary import Meal
from provender.model.errors import InvalidCursor
from provender.model.ids import new_id
from provender.model.paging import PageRequest
from provender.model.profiles import Profile
from provender.model.saved_meals import MealItem, SavedMeal
from provender.storage import profiles, saved_meals
from provender.storage.engine import Engine
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


async def new_meal(store: Store, profile_id: str, *items: MealItem) -> SavedMeal:
    meal = SavedMeal(new_id(NOW), "Usual", Meal.LUNCH, items, NOW, NOW)
    await saved_meals.insert_meal(store, profile_id, meal)
    return meal


async def test_a_meal_comes_back_as_it_was_kept(store: Store) -> None:
    alice = await new_profile(store)
    items = [
        MealItem("0" * 16, 'Crème, "plain" \U0001f34c', 0.1, is_custom=True),
        MealItem("z" * 16, "\\", 1e-300, is_custom=False),
        MealItem("0" * 16, "x", 100_000.0, is_custom=True),
    ]
    meal = await new_meal(store, alice, *items)
    assert await saved_meals.find_meal(store, meal.id) == (meal, alice, alice)
    changed = meal.changed(NOW + timedelta(days=1), name="Other", meal=Meal.SNACK, items=tuple(items[:1]))
    await saved_meals.update_meal(store, alice, changed)
    assert await saved_meals.find_meal(store, meal.id) == (changed, alice, alice)
    await saved_meals.delete_meal(store, alice, meal.id)
    assert await saved_meals.find_meal(store, meal.id) is None


async def test_a_change_to_what_a_meal_is_already_is_none(store: Store) -> None:
    meal = await new_meal(store, await new_profile(store), MealItem("0" * 16, "x", 1.0, is_custom=True))
    later = NOW + timedelta(days=1)
    assert meal.changed(later) is meal
    assert meal.changed(later, name=meal.name, meal=meal.meal, items=meal.items) is meal
    assert meal.changed(later, name="Other").updated_at == later


async def test_other_applications_and_profiles_reach_none_of_it(engine: Engine, store: Store) -> None:
    alice, bob = await new_profile(store), await new_profile(store)
    meal = await new_meal(store, alice)
    globex = Store(engine, "globex")
    assert await saved_meals.find_meal(globex, meal.id) is None
    assert (await saved_meals.list_meals(globex, alice, PageRequest())).items == []
    for request in (PageRequest(10, meal.id), PageRequest(10, meal.id, backwards=True)):
        with pytest.raises(InvalidCursor):
            await saved_meals.list_meals(globex, alice, request)
        with pytest.raises(InvalidCursor):
            await saved_meals.list_meals(store, bob, request)
    for other, profile_id in ((globex, alice), (store, bob)):
        await saved_meals.update_meal(other, profile_id, meal.changed(NOW, name="Other"))
        await saved_meals.delete_meal(other, profile_id, meal.id)
    assert await saved_meals.find_meal(store, meal.id) == (meal, alice, alice)


async def test_from_its_deletion_on_nothing_of_a_profile_is_found(engine: Engine, store: Store) -> None:
    alice = await new_profile(store)
    meal = await new_meal(store, alice)
    await profiles.delete_profile(store, alice)
    assert await saved_meals.find_meal(store, meal.id) is None
    assert (await saved_meals.list_meals(store, alice, PageRequest())).items == []
    # It is still there, for whatever clears it away.
    assert len(await engine.all("SELECT id FROM saved_meals")) == 1


async def test_every_read_and_write_is_along_an_index(engine: Engine, store: Store) -> None:
    few, many = [await new_profile(store) for _ in range(100)], await new_profile(store)
    for profile_id, count in [*((each, 10) for each in few), (many, 3_000)]:
        await engine.change(
            f"""
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})
            INSERT INTO saved_meals (application_id, profile_id, id, name, meal, items, created_at, updated_at)
            SELECT 'acme', $1, $1 || (100000 + n), 'Usual', 'lunch', $2, 0, 0 FROM numbers
            """,
            profile_id,
            b"[]",
        )
    first, onwards, backwards = saved_meals.NEWEST_FIRST.statements
    for has_looked in (False, True):
        if has_looked:
            # What PostgreSQL knows of the tables changes its plans; before, it guesses.
            await engine.change("ANALYZE")
        for profile_id in (few[7], many):
            cursor = f"{profile_id}100005"
            reads: list[tuple[str, list[Any]]] = [
                (first, [profile_id, 11]),
                (onwards, [profile_id, 12, cursor]),
                (backwards, [profile_id, 12, cursor]),
                (saved_meals.FIND, [cursor]),
            ]
            for sql, values in reads:
                plan = await _plan(engine, sql, ["acme", *values])
                assert "saved_meals_" in plan, plan
                for word in ("SCAN", "Seq Scan on saved_meals", "TEMP B-TREE"):
                    assert word not in plan, plan
                # A page is a walk along the list's own order, and never all of a profile's meals, sorted.
                if has_looked:
                    assert "Sort" not in plan, plan


async def _plan(engine: Engine, sql: str, values: list[Any]) -> str:
    if type(engine).__name__ == "PostgresqlEngine":
        return "\n".join(row[0] for row in await engine.all(f"EXPLAIN (COSTS OFF) {sql}", *values))
    plan = "\n".join(row[3] for row in await engine.all(f"EXPLAIN QUERY PLAN {sql}", *values))
    # The primary key of a table without row ids has no name of its own.
    return plan.replace("SEARCH m USING PRIMARY KEY", "SEARCH m USING saved_meals_pkey")
