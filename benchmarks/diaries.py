"""Diaries to measure with: logged through the API, multiplied, or only put in the way.

Through the API a million logs would take too long, so longer ones are written straight into the storage.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from random import Random

import httpx

from provender.model.diary import BATCH_MAX, Meal
from provender.model.paging import MAX_LIMIT
from provender.model.sums import Sums
from provender.model.times import to_day
from provender.services.settling import settle_profile
from provender.storage import diary_days, eaten, profiles
from provender.storage.engine import Engine, Statements
from provender.storage.store import Store

# What people eat; each finds dozens of foods.
_WORDS = ("milk", "bread", "cheese", "chicken", "apple", "rice", "beef", "egg", "yogurt", "potato", "tomato", "banana")

_SERVINGS = (0.5, 1, 1.333, 2)

# A day's place and a log's id come from its number, so that they are the same every time.
_LOGS = """
    INSERT INTO diary_logs (
        application_id, profile_id, date, id, number, meal, food_id, is_custom, logged_food_id, number_of_servings,
        created_at, updated_at
    )
    WITH RECURSIVE numbers (n) AS (SELECT CAST($4 AS bigint) UNION ALL SELECT n + 1 FROM numbers WHERE n < $5)
    SELECT
        p.application_id, p.id, CAST($2 AS bigint) - ($3 - 1) + (n - 1) * $3 / CAST($7 AS bigint),
        $6 || substr('000000000000', 1, 12 - length(CAST(n AS text))) || CAST(n AS text), n,
        CASE n % 4 WHEN 0 THEN 'breakfast' WHEN 1 THEN 'lunch' WHEN 2 THEN 'dinner' ELSE 'snack' END,
        'food' || substr('000000000000', 1, 12 - length(CAST(n % 500 AS text))) || CAST(n % 500 AS text), 0,
        'logged0000000000', 1, 0, 0
    FROM numbers CROSS JOIN profiles p WHERE p.id = $1
"""

_AT_ONCE = 50_000

_NUMBER = "CAST(number + CAST($5 AS bigint) AS text)"

_COPIED_LOGS = f"""
    INSERT INTO diary_logs (
        application_id, profile_id, date, id, number, meal, food_id, is_custom, logged_food_id, number_of_servings,
        metric_amount, note, created_at, updated_at
    )
    SELECT
        application_id, CAST($3 AS text), date,
        CAST($4 AS text) || substr('000000000000', 1, 12 - length({_NUMBER})) || {_NUMBER}, number + $5, meal, food_id,
        is_custom, logged_food_id, number_of_servings, metric_amount, note, created_at, updated_at
    FROM diary_logs WHERE application_id = $1 AND profile_id = $2
"""

_FOOD_COLUMNS = """
    id, food_id, food_name, brand_name, food_type, serving_description, metric_serving_amount, metric_serving_unit,
    is_rounded, macro_nutrients, water_in_gm, vitamins, minerals, carbohydrates, lipids, proteins
"""

_COPIED_FOODS = f"""
    INSERT INTO logged_foods (application_id, profile_id, {_FOOD_COLUMNS})
    SELECT application_id, CAST($3 AS text), {_FOOD_COLUMNS}
    FROM logged_foods WHERE application_id = $1 AND profile_id = $2
"""


async def find_foods(client: httpx.AsyncClient, count: int) -> list[str]:
    """The ids of so many common foods."""
    found: dict[str, None] = {}
    for word in _WORDS:
        response = await client.get("/v1/foods/search", params={"query": word, "limit": min(count, MAX_LIMIT)})
        found |= dict.fromkeys(food["_id"] for food in response.raise_for_status().json()["data"])
        if len(found) >= count:
            return list(found)[:count]
    raise LookupError(f"There are only {len(found)} foods.")


async def log_foods(
    client: httpx.AsyncClient, reference_id: str, foods: Sequence[str], count: int, *, today: date, days: int
) -> None:
    """Make a profile, and log so many foods evenly over so many days up to today, one day after the other."""
    (await client.post("/v1/profiles", data={"reference_id": reference_id})).raise_for_status()
    random = Random(reference_id)
    logs = [
        {
            "profile_reference_id": reference_id,
            "food_id": random.choice(foods),
            "number_of_servings": random.choice(_SERVINGS),
            "meal": random.choice(list(Meal)).value,
            "date": (today - timedelta(days=days - 1 - place * days // count)).isoformat(),
        }
        for place in range(count)
    ]
    for first in range(0, count, BATCH_MAX):
        body = {"logs": logs[first : first + BATCH_MAX]}
        (await client.post("/v1/diary-logs/batch", json=body)).raise_for_status()


async def multiply_diary(store: Store, source: str, target: str, times: int, now: datetime) -> int:
    """Give a profile that has no logs those of another, so many times, as if it had logged them. Returns their number.

    The rows that follow from logs, days and eaten foods, are worked out from those of the other.
    """
    origin, copy = await profiles.find_profile(store, source), await profiles.find_profile(store, target)
    if origin is None or copy is None:
        raise LookupError("There is no such profile.")
    await settle_profile(store, source, now)
    row = await store.one("SELECT count(*) FROM diary_logs WHERE application_id = $1 AND profile_id = $2", origin.id)
    count = int(row[0]) if row else 0
    await store.change(_COPIED_FOODS, origin.id, copy.id)
    for time in range(times):
        await store.change(_COPIED_LOGS, origin.id, copy.id, copy.id[-4:], time * count)
    today = to_day(now.date())
    days = await diary_days.read_settled(store, source, 0, today, most_unsettled=0)
    rows = [
        replace(
            row,
            last_number=row.last_number + (times - 1) * count,
            days={day: logs * times for day, logs in row.days.items()},
        )
        for row in await eaten.read_all(store, origin.id)
    ]

    async def follow(statements: Statements) -> None:
        await profiles.begin_logs(statements, target, times * count, now)
        for day in days:
            sums = Sums.total([day.sums] * times)
            await diary_days.save_day(statements, copy.id, day.date, sums, is_over=day.date != today)
        await eaten.save_rows(statements, copy.id, rows, today)
        await profiles.mark_settled(statements, copy.id)

    await store.transaction(follow)
    return times * count


async def fill_diary(engine: Engine, profile_id: str, count: int, *, today: int, days: int) -> None:
    """So many logs of 500 foods, one day after the other up to today, as diaries are.

    Nothing is added up: they are there to be in the way.
    """
    for first in range(1, count + 1, _AT_ONCE):
        last = min(first + _AT_ONCE - 1, count)
        await engine.change(_LOGS, profile_id, today, days, first, last, profile_id[-4:], count)
