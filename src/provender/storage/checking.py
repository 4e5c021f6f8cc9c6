"""What a check reads of one profile, and how what follows from other rows is put right.

Rows are found by their profile alone, because their application is one of the things that may be wrong. Where the
profile is gone, nothing is found. A statement sees one moment, so what one statement finds wrong was wrong then.
"""

from collections.abc import Sequence
from typing import NamedTuple

from provender.model.diary import Meal
from provender.storage import saved_meals
from provender.storage.diary import StoredLog
from provender.storage.engine import Row, Statements

# The tables that say themselves whose application a row is of.
WITH_APPLICATION = ("custom_foods", "logged_foods", "diary_logs", "diary_days", "eaten_foods", "saved_meals")

_THERE = "EXISTS (SELECT 1 FROM profiles WHERE application_id = $1 AND id = $2)"

_LOG_COLUMNS = ", ".join(f"l.{column}" for column in StoredLog._fields)

_STATE = """
    SELECT p.timezone, p.last_number, p.unsettled, p.settled_number, p.last_logged_at,
        (SELECT max(number) FROM diary_logs WHERE profile_id = $2),
        (SELECT max(place) FROM favorites WHERE profile_id = $2),
        (SELECT count(*) FROM diary_logs WHERE profile_id = $2 AND number > p.settled_number),
        (SELECT created_at FROM diary_logs WHERE profile_id = $2
            AND number = (SELECT max(number) FROM diary_logs WHERE profile_id = $2))
    FROM profiles p WHERE p.application_id = $1 AND p.id = $2
"""

_LOCK = "SELECT id FROM profiles WHERE application_id = $1 AND id = $2 FOR NO KEY UPDATE"

_SETTLED_NUMBER = "SELECT timezone, settled_number FROM profiles WHERE application_id = $1 AND id = $2"


def _next(column: str, *tables: str) -> str:
    """The next value of a column after one, in whichever of the tables it comes first."""
    first = f"SELECT {column} FROM {{}} WHERE profile_id = $2 AND {column} > $3 ORDER BY {column} LIMIT 1"
    found = " UNION ALL ".join(f"SELECT ({first.format(table)}) AS it" for table in tables)
    return f"SELECT min(it) FROM ({found}) AS next WHERE {_THERE}"


NEXT_DAY = _next("date", "diary_logs", "diary_days")
NEXT_FOOD = _next("food_id", "diary_logs", "eaten_foods")

KEPT_DAY = f"""
    SELECT date, entries, sums, known, others, shown FROM diary_days WHERE profile_id = $2 AND date = $3 AND {_THERE}
"""

# Some days at once. Between two dates, and not so many from one on: where PostgreSQL believes that a profile has few
# logs, it would read and sort all that are left for every page.
KEPT_DAYS = f"""
    SELECT date, entries, sums, known, others, shown FROM diary_days
    WHERE profile_id = $2 AND date >= $3 AND date <= $4 AND {_THERE}
"""

LOGS_OF_DAYS = f"""
    SELECT {_LOG_COLUMNS} FROM diary_logs l
    WHERE l.profile_id = $2 AND l.date >= $3 AND l.date <= $4 AND {_THERE} ORDER BY l.date, l.id LIMIT $5
"""

LOGS_OF_DAY = f"""
    SELECT {_LOG_COLUMNS} FROM diary_logs l
    WHERE l.profile_id = $2 AND l.date = $3 AND l.id > $4 AND {_THERE} ORDER BY l.id LIMIT $5
"""

# Counted by the database: a food may have very many logs, but few of them on one day.
COUNTS_OF_FOOD = f"""
    SELECT food_id, meal, date, count(*), max(number), max(is_custom) FROM diary_logs
    WHERE profile_id = $2 AND food_id = $3 AND number <= $4 AND {_THERE} GROUP BY food_id, meal, date
"""

KEPT_FOOD = f"""
    SELECT food_id, meal, last_number, days, logs, valid_until FROM eaten_foods
    WHERE profile_id = $2 AND food_id = $3 AND {_THERE}
"""

# Some foods at once.
COUNTS_OF_FOODS = f"""
    SELECT food_id, meal, date, count(*), max(number), max(is_custom) FROM diary_logs
    WHERE profile_id = $2 AND food_id > $3 AND food_id <= $4 AND number <= $5 AND {_THERE}
    GROUP BY food_id, meal, date LIMIT $6
"""

KEPT_FOODS = f"""
    SELECT food_id, meal, last_number, days, logs, valid_until FROM eaten_foods
    WHERE profile_id = $2 AND food_id > $3 AND {_THERE} ORDER BY food_id, meal LIMIT $4
"""

LOGS_WITHOUT_FOOD = f"""
    SELECT l.date, l.id, l.food_id FROM diary_logs l
    WHERE l.profile_id = $2 AND (l.date, l.id) > ($3, $4) AND {_THERE} AND NOT EXISTS (
        SELECT 1 FROM logged_foods e WHERE e.profile_id = $2 AND e.id = l.logged_food_id AND e.food_id = l.food_id
    ) ORDER BY l.date, l.id LIMIT $5
"""

ODD_LOGS = f"""
    SELECT l.date, l.id, l.meal FROM diary_logs l WHERE l.profile_id = $2 AND (l.date, l.id) > ($3, $4) AND {_THERE}
    AND l.meal NOT IN ({", ".join(f"'{meal.value}'" for meal in Meal)}) ORDER BY l.date, l.id LIMIT $5
"""

# As where one is deleted: the order is what makes SQLite take the index.
UNUSED_FOODS = f"""
    SELECT e.id, e.food_id FROM logged_foods e
    WHERE e.profile_id = $2 AND (e.id, e.food_id) > ($3, $4) AND {_THERE} AND (
        SELECT number FROM diary_logs WHERE profile_id = $2 AND food_id = e.food_id AND logged_food_id = e.id
        ORDER BY food_id, meal, number LIMIT 1
    ) IS NULL ORDER BY e.id, e.food_id LIMIT $5
"""

MEALS = f"SELECT id, meal, items FROM saved_meals WHERE profile_id = $2 AND id > $3 AND {_THERE} ORDER BY id LIMIT $4"

# The words of some foods, and of whatever foods between them are not there.
WORDS_BETWEEN = f"""
    SELECT food_id, word FROM custom_food_words
    WHERE profile_id = $2 AND food_id > $3 AND food_id <= $4 AND {_THERE}
"""


WORDS_OF_FOOD = f"SELECT word FROM custom_food_words WHERE profile_id = $2 AND food_id = $3 AND {_THERE}"

WORDS_OF_NO_FOOD = f"{WORDS_OF_FOOD} AND NOT EXISTS (SELECT 1 FROM custom_foods WHERE profile_id = $2 AND id = $3)"


class State(NamedTuple):
    """What a profile's row says of its logs, and what they say themselves."""

    timezone: str | None
    last_number: int
    unsettled: int
    settled_number: int
    last_logged_at: int | None
    newest_number: int | None
    newest_place: int | None
    # How many logs have a number greater than the settled one.
    owed: int
    newest_at: int | None


async def find_state(statements: Statements, profile_id: str) -> State | None:
    row = await statements.one(_STATE, profile_id)
    return None if row is None else State(*row)


async def find_settled_number(statements: Statements, profile_id: str) -> tuple[str | None, int] | None:
    """The time zone, and the number up to which logs are settled."""
    row = await statements.one(_SETTLED_NUMBER, profile_id)
    return None if row is None else (row[0], row[1])


async def lock(statements: Statements, profile_id: str) -> bool:
    """Lock the profile alone, and say whether it is there still."""
    return await statements.one(_LOCK, profile_id) is not None


async def find_day_after(statements: Statements, profile_id: str, day: int) -> int | None:
    """The next day that has logs, or sums."""
    row = await statements.one(NEXT_DAY, profile_id, day)
    return None if row is None else row[0]


async def find_kept_day(statements: Statements, profile_id: str, day: int) -> Row | None:
    return await statements.one(KEPT_DAY, profile_id, day)


async def read_logs(statements: Statements, profile_id: str, day: int, after: str, count: int) -> Sequence[StoredLog]:
    return [StoredLog(*row) for row in await statements.all(LOGS_OF_DAY, profile_id, day, after, count)]


async def read_kept_days(statements: Statements, profile_id: str, first: int, last: int) -> dict[int, Row]:
    """What is kept of some days, by day."""
    return {row[0]: row for row in await statements.all(KEPT_DAYS, profile_id, first, last)}


async def read_logs_of_days(
    statements: Statements, profile_id: str, first: int, last: int, most: int
) -> Sequence[StoredLog]:
    """The logs of some days, so many at most."""
    return [StoredLog(*row) for row in await statements.all(LOGS_OF_DAYS, profile_id, first, last, most)]


async def find_food_after(statements: Statements, profile_id: str, food_id: str) -> str | None:
    """The next food that has logs, or a row of what is eaten."""
    row = await statements.one(NEXT_FOOD, profile_id, food_id)
    return None if row is None else row[0]


async def count_foods(
    statements: Statements, profile_id: str, after: str, last: str, settled_number: int, most: int
) -> Sequence[Row]:
    """As `count_food`, of all foods after an id up to another; so many rows at most."""
    return await statements.all(COUNTS_OF_FOODS, profile_id, after, last, settled_number, most)


async def read_kept_foods(statements: Statements, profile_id: str, after: str, count: int) -> Sequence[Row]:
    """So many rows of foods after an id."""
    return await statements.all(KEPT_FOODS, profile_id, after, count)


async def count_food(statements: Statements, profile_id: str, food_id: str, settled_number: int) -> Sequence[Row]:
    """By food, meal and day: how many settled logs there are, the last number, and whether it is a custom food."""
    return await statements.all(COUNTS_OF_FOOD, profile_id, food_id, settled_number)


async def read_kept_food(statements: Statements, profile_id: str, food_id: str) -> Sequence[Row]:
    return await statements.all(KEPT_FOOD, profile_id, food_id)


async def read_words(statements: Statements, profile_id: str, after: str, last: str) -> dict[str, set[str]]:
    """The words of all foods after an id up to another, by food."""
    found: dict[str, set[str]] = {}
    for food_id, word in await statements.all(WORDS_BETWEEN, profile_id, after, last):
        found.setdefault(food_id, set()).add(word)
    return found


async def find_words(statements: Statements, profile_id: str, food_id: str) -> set[str]:
    return {row[0] for row in await statements.all(WORDS_OF_FOOD, profile_id, food_id)}


async def find_words_of_none(statements: Statements, profile_id: str, food_id: str) -> set[str]:
    """The words of a food, if there is no such food."""
    return {row[0] for row in await statements.all(WORDS_OF_NO_FOOD, profile_id, food_id)}


async def read_meal_faults(
    statements: Statements, profile_id: str, after: str, count: int
) -> Sequence[tuple[str, str | None]]:
    """So many saved meals by their ids, each with what of it cannot be read."""
    rows = await statements.all(MEALS, profile_id, after, count)
    return [(id_, saved_meals.find_fault(meal, items)) for id_, meal, items in rows]


async def count_of_others(statements: Statements, profile_id: str) -> dict[str, int]:
    """By table, how many of the profile's rows name another application."""
    counts = ", ".join(
        f"(SELECT count(*) FROM {table} WHERE profile_id = $2 AND application_id <> $1)" for table in WITH_APPLICATION
    )
    row = await statements.one(f"SELECT {counts} FROM profiles WHERE application_id = $1 AND id = $2", profile_id)
    counted = dict(zip(WITH_APPLICATION, row or (), strict=bool(row)))
    return {table: count for table, count in counted.items() if count}


async def take_over(statements: Statements, profile_id: str, table: str) -> None:
    """Let all of the profile's rows name its own application."""
    await statements.change(
        f"UPDATE {table} SET application_id = $1 WHERE profile_id = $2 AND application_id <> $1", profile_id
    )


async def save_state(
    statements: Statements,
    profile_id: str,
    *,
    last_number: int,
    unsettled: int,
    settled_number: int,
    last_logged_at: int | None,
) -> None:
    await statements.change(
        """
        UPDATE profiles SET last_number = $3, unsettled = $4, settled_number = $5, last_logged_at = $6
        WHERE application_id = $1 AND id = $2
        """,
        profile_id,
        last_number,
        unsettled,
        settled_number,
        last_logged_at,
    )
