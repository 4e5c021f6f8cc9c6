"""How it is kept what a profile eats: a row for each food and meal, and for each food in all meals.

Whatever writes here has locked the profile alone first; see `storage/profiles.py`.
"""

from array import array
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from operator import itemgetter

from provender.model.diary import Meal
from provender.model.eaten import ALL_MEALS, WINDOW_DAYS, EatenFood, Place
from provender.model.paging import PageRequest
from provender.storage.engine import Row, Statements, Value
from provender.storage.profiles import SETTLED_ID
from provender.storage.rooms import in_rooms, in_sizes, places

# Of the rows whose day has passed, a write counts so many anew. A log adds one such day to two rows, so they do not
# pile up.
RECOUNTED_AT_ONCE = 16

# So many rows one statement saves.
_SIZES = (16, 4, 2, 1)

# The days of a row are kept as the first of them and then the logs of each day from it on, four bytes each, the lowest
# first as in every machine that this runs on: on the morning after a busy day many rows have passed, and each of them
# is counted when it is read.
_DAY_BYTES = 4

# Every number that is given is between these.
_BEFORE_ALL, _AFTER_ALL = -1, 2**62

_COLUMNS = "food_id, meal, last_number, days"

# Where the profile is gone, its rows may still be there for a moment.
_OF_PROFILE = """
    application_id = $1 AND profile_id = $2 AND EXISTS (SELECT 1 FROM profiles WHERE application_id = $1 AND id = $2)
"""

FIND_ROW = f"SELECT {_COLUMNS} FROM eaten_foods WHERE {_OF_PROFILE} AND food_id = $3 AND meal = $4"


def _recent(beyond: str, order: str) -> str:
    return f"""
        SELECT food_id, last_number, profile_id FROM eaten_foods
        WHERE profile_id = {SETTLED_ID.format("$6")} AND meal = $3 AND last_number {beyond} $4
        ORDER BY last_number {order} LIMIT $5
    """


RECENT_ONWARDS = _recent("<", "DESC")
RECENT_BACKWARDS = _recent(">", "ASC")


# What is today depends on the time zone, so a page that was asked for with another one than the profile has is empty.
_IN_ZONE = f"{SETTLED_ID.format('$9').removesuffix(')')} AND timezone IS NOT DISTINCT FROM CAST($3 AS text))"


def _most(beyond: str, order: str) -> str:
    """Rows that are exact today, beyond a place; and without a count all those whose count is not today's any more.

    The sum keeps PostgreSQL from taking the other index, and sorting.
    """
    return f"""
        SELECT * FROM (
            SELECT food_id, logs, last_number, days, profile_id FROM eaten_foods
            WHERE profile_id = {_IN_ZONE} AND meal = $4 AND logs > 0 AND (logs, last_number) {beyond} ($6, $7)
            AND valid_until + 0 > $5
            ORDER BY logs {order}, last_number {order} LIMIT $8
        ) AS exact
        UNION ALL
        SELECT food_id, 0, last_number, days, profile_id FROM eaten_foods
        WHERE profile_id = {_IN_ZONE} AND meal = $4 AND valid_until <= $5
    """


MOST_ONWARDS = _most("<", "DESC")
MOST_BACKWARDS = _most(">", "ASC")

_SAVED = ("food_id", "meal", "last_number", "days", "logs", "valid_until")


@cache
def _save(count: int) -> str:
    rows = ", ".join(f"($1, $2, {places(3 + row * len(_SAVED), len(_SAVED))})" for row in range(count))
    return f"""
        INSERT INTO eaten_foods (application_id, profile_id, {", ".join(_SAVED)}) VALUES {rows}
        ON CONFLICT (profile_id, food_id, meal)
        DO UPDATE SET {", ".join(f"{column} = excluded.{column}" for column in _SAVED[2:])}
    """


NEWEST_NUMBER = """
    SELECT max(number) FROM diary_logs
    WHERE application_id = $1 AND profile_id = $2 AND food_id = $3 AND meal = $4
"""


async def find_row(statements: Statements, profile_id: str, food_id: str, meal: str) -> EatenFood | None:
    row = await statements.one(FIND_ROW, profile_id, food_id, meal)
    return None if row is None else _eaten(row)


async def find_rows(
    statements: Statements, profile_id: str, keys: Collection[tuple[str, str]]
) -> dict[tuple[str, str], EatenFood]:
    """The rows of these foods in these meals, by both. They are read by food, and few are of other meals."""
    found: list[Row] = []
    for filled in in_rooms({food_id for food_id, _ in keys}):
        found += await statements.all(
            f"""
            SELECT {_COLUMNS} FROM eaten_foods
            WHERE application_id = $1 AND profile_id = $2 AND food_id IN ({places(3, len(filled))})
            """,
            profile_id,
            *filled,
        )
    return {(row[0], row[1]): _eaten(row) for row in found if (row[0], row[1]) in keys}


async def read_passed(
    statements: Statements, profile_id: str, meals: Collection[str], today: int
) -> Sequence[EatenFood]:
    """Some of the rows whose count is not today's any more."""
    found: list[Row] = []
    for filled in in_rooms(meals):
        found += await statements.all(
            f"""
            SELECT {_COLUMNS} FROM eaten_foods WHERE application_id = $1 AND profile_id = $2 AND valid_until <= $3
            AND meal IN ({places(5, len(filled))}) LIMIT $4
            """,
            profile_id,
            today,
            RECOUNTED_AT_ONCE,
            *filled,
        )
    return [_eaten(row) for row in found]


async def read_all(statements: Statements, profile_id: str) -> Sequence[EatenFood]:
    rows = await statements.all(
        f"SELECT {_COLUMNS} FROM eaten_foods WHERE application_id = $1 AND profile_id = $2", profile_id
    )
    return [_eaten(row) for row in rows]


async def read_recent(
    statements: Statements,
    reference_id: str,
    meal: str,
    request: PageRequest,
    beyond: int | None,
    count: int,
    most_unsettled: int,
) -> Sequence[Row]:
    """So many foods, with the number of their last log and whose they are, beyond that number.

    Beyond is in the direction of the request. There are none if more logs than that are unsettled.
    """
    sql = RECENT_BACKWARDS if request.backwards else RECENT_ONWARDS
    start = _start(request) if beyond is None else beyond
    return await statements.all(sql, reference_id, meal, start, count, most_unsettled)


async def read_most(
    statements: Statements,
    reference_id: str,
    timezone: str | None,
    meal: str,
    request: PageRequest,
    beyond: Place | None,
    count: int,
    today: int,
    most_unsettled: int,
) -> Sequence[tuple[str, Place, str]]:
    """So many foods by their place today, and whose they are, beyond a place in the direction of the request.

    There are none if the profile has another time zone, or if more logs than that are unsettled.
    """
    sql = MOST_BACKWARDS if request.backwards else MOST_ONWARDS
    start = beyond or (_start(request), _start(request))
    rows = await statements.all(sql, reference_id, timezone, meal, today, *start, count, most_unsettled)
    found: list[tuple[str, Place, str]] = []
    is_in_order = True
    for food_id, logs, last_number, days, profile_id in rows:
        if logs:
            found.append((food_id, Place(logs, last_number), profile_id))
            continue
        # Its row stands where it stood before; it belongs where today's count puts it.
        place = Place(_count(days, today), last_number)
        if place.logs and (beyond is None or (place > beyond if request.backwards else place < beyond)):
            found.append((food_id, place, profile_id))
            is_in_order = False
    if not is_in_order:
        found.sort(key=itemgetter(1), reverse=not request.backwards)
    return found[:count]


async def save_rows(statements: Statements, profile_id: str, rows: Sequence[EatenFood], today: int) -> None:
    for part in in_sizes(rows, _SIZES):
        values = [value for row in part for value in _values(row, today)]
        await statements.change(_save(len(part)), profile_id, *values)


async def delete_row(statements: Statements, profile_id: str, food_id: str, meal: str) -> None:
    await statements.change(
        "DELETE FROM eaten_foods WHERE application_id = $1 AND profile_id = $2 AND food_id = $3 AND meal = $4",
        profile_id,
        food_id,
        meal,
    )


async def delete_food(statements: Statements, profile_id: str, food_id: str) -> None:
    """Take a food out of both lists, in all meals."""
    await statements.change(
        "DELETE FROM eaten_foods WHERE application_id = $1 AND profile_id = $2 AND food_id = $3", profile_id, food_id
    )


async def find_newest_number(statements: Statements, profile_id: str, food_id: str, meal: str) -> int | None:
    """The number of the food's last log in a meal, or in all of them, as the logs have it."""
    newest: int | None = None
    for each in Meal if meal == ALL_MEALS else (meal,):
        row = await statements.one(NEWEST_NUMBER, profile_id, food_id, each)
        number = None if row is None else row[0]
        if number is not None and (newest is None or number > newest):
            newest = number
    return newest


def _start(request: PageRequest) -> int:
    return _BEFORE_ALL if request.backwards else _AFTER_ALL


def _eaten(row: Row) -> EatenFood:
    food_id, meal, last_number, days = row
    return EatenFood(food_id, meal, last_number, unpack_days(days))


def _values(row: EatenFood, today: int) -> tuple[Value, ...]:
    """The values of the columns that are saved, in their order."""
    return row.food_id, row.meal, row.last_number, _pack(row.days), row.logs(today), row.valid_until(today)


def _pack(days: Mapping[int, int]) -> bytes:
    if not days:
        return b""
    first, last = min(days), max(days)
    counts = array("I", (days.get(day, 0) for day in range(first, last + 1)))
    return first.to_bytes(_DAY_BYTES, "little", signed=True) + counts.tobytes()


def unpack_days(packed: bytes) -> dict[int, int]:
    """How many logs each day has, as a row keeps it."""
    first = int.from_bytes(packed[:_DAY_BYTES], "little", signed=True)
    return {day: count for day, count in enumerate(_counts(packed), first) if count}


def _count(packed: bytes, today: int) -> int:
    """As EatenFood has it, without making one."""
    end = today - int.from_bytes(packed[:_DAY_BYTES], "little", signed=True) + 1
    return sum(_counts(packed)[max(end - WINDOW_DAYS, 0) : max(end, 0)])


def _counts(packed: bytes) -> memoryview:
    return memoryview(packed)[_DAY_BYTES:].cast("I")
