"""Reading a profile page by page, and working its diary out anew: always along an index, however much there is."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from provender.model.profiles import Profile
from provender.storage import custom_foods, diary, favorites, logged_foods, profiles, removal, saved_meals
from provender.storage.engine import Engine
from provender.storage.store import Store

NOW = datetime(2026, 3, 10, tzinfo=UTC)

# Statement, the values after the application and the profile, and the index that it walks along, as each database
# names it.
READS: list[tuple[str, list[Any], str, str]] = [
    (custom_foods.OLDEST_FIRST, ["bob100000001000", 200], "custom_foods_pkey", "f USING INDEX sqlite_autoindex_"),
    (saved_meals.OLDEST_FIRST, ["bob100000001000", 200], "saved_meals_pkey", "m USING INDEX sqlite_autoindex_"),
    (logged_foods.IN_ORDER, ["bob100000001000", "", 200], "logged_foods_pkey", "e USING INDEX sqlite_autoindex_"),
    (favorites.IN_ORDER, [1000, 9000, 200], "favorites_in_order", "favorites USING INDEX favorites_in_order"),
    (diary.NUMBER_AFTER, [1000], "diary_logs_by_number", "l USING (COVERING )?INDEX diary_logs_by_number"),
    (diary.AS_MADE, [1000, 1200], "diary_logs_by_number", "l USING INDEX diary_logs_by_number"),
    (diary.DAY_AFTER, [7], "diary_logs_pkey", "l USING PRIMARY KEY"),
    (diary.LOGS_OF_DAY, [7, "bob100000001000", 100], "diary_logs_pkey", "l USING PRIMARY KEY"),
    (diary.FOOD_AFTER, ["food7"], "diary_logs_by_food", "l USING (COVERING )?INDEX diary_logs_by_food"),
    (
        diary.LOGS_OF_FOOD,
        ["food7", "lunch", 1000, 200],
        "diary_logs_by_food",
        "l USING (COVERING )?INDEX diary_logs_by_food",
    ),
]

_NUMBERS = """
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
"""
_GROUPS = "macro_nutrients, vitamins, minerals, carbohydrates, lipids, proteins"
_FOOD = f"food_name, food_type, serving_description, metric_serving_amount, metric_serving_unit, {_GROUPS}"
_VALUES = "'n', 'generic', 's', 1, 'g', $2, $2, $2, $2, $2, $2"
_OF = "'acme', CAST($1 AS text), CAST($1 AS text) || (100000000000 + n)"
_LOG = "date, number, meal, food_id, is_custom, logged_food_id, number_of_servings, created_at, updated_at"


async def _fill(engine: Engine, profile_id: str) -> None:
    foods = f"SELECT {_OF}, {_VALUES}"
    tables = {
        f"custom_foods (application_id, profile_id, id, {_FOOD}, created_at, updated_at)": f"{foods}, 0, 0",
        f"logged_foods (application_id, profile_id, id, {_FOOD}, food_id, is_rounded)": f"{foods}, 'food' || n, 0",
        "saved_meals (application_id, profile_id, id, items, name, meal, created_at, updated_at)": (
            f"SELECT {_OF}, $2, 'n', 'lunch', 0, 0"
        ),
        f"diary_logs (application_id, profile_id, id, {_LOG})": (
            f"SELECT {_OF}, n % 100, n, 'lunch', 'food' || n % 50, 0, 'l', 1, 0, 0"
        ),
        "favorites (profile_id, food_id, place, added_at)": "SELECT CAST($1 AS text), 'food' || n, n, 0",
    }
    for table, select in tables.items():
        values: list[Any] = [profile_id, b"{}"] if "$2" in select else [profile_id]
        await engine.change(f"INSERT INTO {table} {_NUMBERS} {select} FROM numbers", *values)


async def _plan(engine: Engine, sql: str, values: list[Any]) -> str:
    if type(engine).__name__ == "PostgresqlEngine":
        return "\n".join(row[0] for row in await engine.all(f"EXPLAIN (COSTS OFF) {sql}", *values))
    return "\n".join(row[3] for row in await engine.all(f"EXPLAIN QUERY PLAN {sql}", *values))


async def test_every_page_is_a_walk_along_an_index(engine: Engine) -> None:
    await engine.change("INSERT INTO applications (id, name, created_at) VALUES ('acme', 'acme', 0)")
    store = Store(engine, "acme")
    for name in ("alice", "bob", "carol"):
        await profiles.insert_profile(store, Profile(name, name, None, NOW, NOW))
        await _fill(engine, name)
    for has_looked in (False, True):
        if has_looked:
            # What PostgreSQL knows of the tables changes its plans; before, it guesses.
            await engine.change("ANALYZE")
        # Foods and meals have ids and no numbers. While PostgreSQL guesses that a profile has few, it sorts those few.
        for sql, values, index, words in READS if has_looked else READS[3:]:
            plan = await _plan(engine, sql, ["acme", "bob", *values])
            assert re.search(f"(Index (Only )?Scan using {index})|(SEARCH {words})", plan), plan
            for word in ("Sort", "TEMP B-TREE", "Bitmap"):
                assert word not in plan, plan


async def test_pages_of_a_profile_that_is_gone_are_empty(engine: Engine) -> None:
    await engine.change("INSERT INTO applications (id, name, created_at) VALUES ('acme', 'acme', 0)")
    store = Store(engine, "acme")
    await _fill(engine, "alice")
    for sql, values, *_ in READS[:6]:
        assert await store.all(sql, "alice", *values) == []


@pytest.mark.parametrize("minutes", [-1, 1])
async def test_what_is_noted_for_later_is_left_alone(engine: Engine, minutes: int) -> None:
    """The note of a profile that is being imported counts from its time on, and not before."""
    store = Store(engine, "acme")
    later = NOW.replace(minute=10)
    await removal.note_deleted(store, "alice", NOW)
    assert await removal.put_off(store, "alice", later)
    now = later.replace(minute=10 + minutes)
    is_due = minutes > 0
    assert await removal.find_deleted(engine, now) == ("alice" if is_due else None)
    assert await engine.transaction(lambda statements: removal.clear_step(statements, "alice", now))
    assert bool(await engine.all("SELECT 1 FROM deleted_profiles")) == (not is_due)
    assert await removal.put_off(store, "alice", later) == (not is_due)
    assert await removal.take_back(Store(engine, "globex"), "alice") is False
    assert await removal.take_back(store, "alice") == (not is_due)
