"""How diary logs are kept. Whatever writes here has locked the profile alone first; see `storage/profiles.py`."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from provender.model.paging import Page, PageRequest
from provender.model.portions import Quantity
from provender.model.sums import Sums
from provender.storage.bulk import insert_rows
from provender.storage.engine import Row, Statements
from provender.storage.listing import Listing
from provender.storage.logged_foods import COLUMNS as FOOD_COLUMNS
from provender.storage.logged_foods import StoredLoggedFood, columns_with
from provender.storage.profiles import ID


class StoredLog(NamedTuple):
    """A log as it is kept. The names are those of the columns."""

    date: int
    id: str
    number: int
    meal: str
    food_id: str
    is_custom: int
    logged_food_id: str
    number_of_servings: float
    metric_amount: float | None
    note: str | None
    created_at: int
    updated_at: int

    @property
    def quantity(self) -> Quantity:
        return Quantity(self.number_of_servings, self.metric_amount)


class EatenLog(NamedTuple):
    """What of a food's log counts for the lists of what is eaten."""

    meal: str
    number: int
    date: int
    is_custom: int


class StoredEntry(NamedTuple):
    """A log with the food as it was logged, and whose it is."""

    log: StoredLog
    logged: StoredLoggedFood
    profile_id: str
    reference_id: str

    def sums(self, quantity: Quantity) -> Sums:
        """What this entry adds to its day, if so much of it was eaten."""
        return self.logged.sums(quantity)


_LOG_COLUMNS = ", ".join(f"l.{column}" for column in StoredLog._fields)

# Logs are found through their profile: from its deletion on, none of them is.
_LOGS = "diary_logs l JOIN profiles p ON p.application_id = l.application_id AND p.id = l.profile_id"

_BETWEEN = f"diary_logs l WHERE l.profile_id = {ID} AND l.date >= $3 AND l.date <= $4"

# The page first, and then what was logged: in one join PostgreSQL may decide to sort the whole diary for a page. What
# comes of this has no order, strictly speaking.
_WITH_FOODS = f"""
    SELECT {", ".join(f"page.{column}" for column in StoredLog._fields)}, {{foods}}, page.profile_id, CAST($2 AS text)
    FROM ({{{{}}}}) AS page JOIN logged_foods e
    ON e.profile_id = page.profile_id AND e.id = page.logged_food_id AND e.food_id = page.food_id
"""


@cache
def _by_day(source: str, include: frozenset[str]) -> Listing:
    return Listing(
        columns=f"{_LOG_COLUMNS}, l.profile_id",
        source=source,
        key=("l.date", "l.id"),
        descending=False,
        id_column="l.id",
        around=_WITH_FOODS.format(foods=columns_with(include)),
        places=(StoredLog._fields.index("date"), StoredLog._fields.index("id")),
    )


_ENTRY = f"""
    SELECT {_LOG_COLUMNS}, {FOOD_COLUMNS}, p.id, p.reference_id FROM {_LOGS}
    JOIN logged_foods e ON e.profile_id = l.profile_id AND e.id = l.logged_food_id AND e.food_id = l.food_id
"""

FIND = f"{_ENTRY} WHERE l.application_id = $1 AND l.id = $2"

# A day in the order in which it was logged, so that its copies are in that order too.
OF_DAY = f"""
    {_ENTRY} WHERE l.application_id = $1 AND l.profile_id = $2 AND l.date = $3
    AND (CAST($4 AS text) IS NULL OR l.meal = $4) ORDER BY l.date, l.id LIMIT $5
"""

# The date is a part of the key by which the row is found, and may be another afterwards.
_UPDATE = """
    UPDATE diary_logs SET
        date = $5, meal = $6, number_of_servings = $7, metric_amount = $8, note = $9, updated_at = $10
    WHERE application_id = $1 AND profile_id = $2 AND date = $3 AND id = $4
"""

_THERE = "l.profile_id = $2 AND EXISTS (SELECT 1 FROM profiles WHERE application_id = $1 AND id = $2)"

# Between two numbers, and not so many from one on: where PostgreSQL believes that a profile has few logs, it would read
# and sort all that are left for every page.
AS_MADE = f"""
    SELECT {_LOG_COLUMNS} FROM diary_logs l WHERE {_THERE} AND l.number > $3 AND l.number <= $4 ORDER BY l.number
"""

# No number is greater.
_LAST_NUMBER = 2**62

NUMBER_AFTER = f"SELECT l.number FROM diary_logs l WHERE {_THERE} AND l.number > $3 ORDER BY l.number LIMIT 1"

# Of a profile that is being imported, whose note says whose it is: its days, its foods, and the logs of each. Asked for
# the application of the logs themselves, PostgreSQL may combine two indexes and read all that are left.
_NOTED = "l.profile_id = $2 AND EXISTS (SELECT 1 FROM deleted_profiles WHERE application_id = $1 AND profile_id = $2)"

DAY_AFTER = f"SELECT l.date FROM diary_logs l WHERE {_NOTED} AND l.date > $3 ORDER BY l.date LIMIT 1"

LOGS_OF_DAY = f"""
    SELECT {_LOG_COLUMNS} FROM diary_logs l
    WHERE {_NOTED} AND l.date = $3 AND l.id > $4 ORDER BY l.id LIMIT $5
"""

FOOD_AFTER = f"SELECT l.food_id FROM diary_logs l WHERE {_NOTED} AND l.food_id > $3 ORDER BY l.food_id LIMIT 1"

LOGS_OF_FOOD = f"""
    SELECT l.meal, l.number, l.date, l.is_custom FROM diary_logs l
    WHERE {_NOTED} AND l.food_id = $3 AND (l.meal, l.number) > ($4, $5)
    ORDER BY l.meal, l.number LIMIT $6
"""

# Not by order and limit: before its first ANALYZE, PostgreSQL would read the whole application's logs for that.
NEWEST = """
    SELECT created_at FROM diary_logs WHERE application_id = $1 AND profile_id = $2
    AND number = (SELECT max(number) FROM diary_logs WHERE profile_id = $2)
"""


async def insert_logs(statements: Statements, profile_id: str, logs: Sequence[StoredLog]) -> None:
    await insert_rows(statements, profile_id, "diary_logs", StoredLog._fields, logs)


async def read_made(statements: Statements, profile_id: str, after: int, last: int, count: int) -> Sequence[StoredLog]:
    """Some logs between two numbers, in the order in which they were made; none where there are no more."""
    row = await statements.one(NUMBER_AFTER, profile_id, after)
    if row is None or row[0] > last:
        return []
    rows = await statements.all(AS_MADE, profile_id, after, min(row[0] - 1 + count, last))
    return [StoredLog(*row) for row in rows]


async def read_after(statements: Statements, profile_id: str, number: int) -> Sequence[StoredLog]:
    """All logs that were made after the one with this number, in their order. They must be known to be few."""
    return [StoredLog(*row) for row in await statements.all(AS_MADE, profile_id, number, _LAST_NUMBER)]


async def find_day_after(statements: Statements, profile_id: str, day: int) -> int | None:
    """The next day that has logs."""
    row = await statements.one(DAY_AFTER, profile_id, day)
    return None if row is None else row[0]


async def read_of_day(statements: Statements, profile_id: str, day: int, after: str, count: int) -> Sequence[StoredLog]:
    return [StoredLog(*row) for row in await statements.all(LOGS_OF_DAY, profile_id, day, after, count)]


async def find_food_after(statements: Statements, profile_id: str, food_id: str) -> str | None:
    """The next food that has logs."""
    row = await statements.one(FOOD_AFTER, profile_id, food_id)
    return None if row is None else row[0]


async def read_of_food(
    statements: Statements, profile_id: str, food_id: str, after: tuple[str, int], count: int
) -> Sequence[EatenLog]:
    """So many logs of a food by meal and number."""
    return [EatenLog(*row) for row in await statements.all(LOGS_OF_FOOD, profile_id, food_id, *after, count)]


async def update_log(statements: Statements, profile_id: str, before: StoredLog, log: StoredLog) -> None:
    await statements.change(
        _UPDATE,
        profile_id,
        before.date,
        before.id,
        log.date,
        log.meal,
        log.number_of_servings,
        log.metric_amount,
        log.note,
        log.updated_at,
    )


async def delete_log(statements: Statements, profile_id: str, log: StoredLog) -> None:
    await statements.change(
        "DELETE FROM diary_logs WHERE application_id = $1 AND profile_id = $2 AND date = $3 AND id = $4",
        profile_id,
        log.date,
        log.id,
    )


async def find_entry(statements: Statements, log_id: str) -> StoredEntry | None:
    """A log of any profile of the application."""
    row = await statements.one(FIND, log_id)
    return None if row is None else _entry(row)


async def read_day(
    statements: Statements, profile_id: str, day: int, meal: str | None, most: int
) -> Sequence[StoredEntry]:
    """The entries of a day, or of one meal of it, so many at most."""
    return [_entry(row) for row in await statements.all(OF_DAY, profile_id, day, meal, most)]


async def list_entries(
    statements: Statements,
    reference_id: str,
    request: PageRequest,
    *,
    first: int,
    last: int,
    meal: str | None,
    include: frozenset[str],
) -> Page[StoredEntry]:
    """The entries of some days, or of one meal of them, by date and id, with these of their foods' groups."""
    if meal is None:
        rows = await _by_day(_BETWEEN, include).page(statements, request, reference_id, first, last)
    else:
        of_meal = _by_day(f"{_BETWEEN} AND l.meal = $5", include)
        rows = await of_meal.page(statements, request, reference_id, first, last, meal)
    return rows.map(_entry)


async def find_newest(statements: Statements, profile_id: str) -> int | None:
    """When the log that was made last was made."""
    row = await statements.one(NEWEST, profile_id)
    return None if row is None else int(row[0])


def _entry(row: Row) -> StoredEntry:
    logs, foods = len(StoredLog._fields), len(StoredLoggedFood._fields)
    return StoredEntry(StoredLog(*row[:logs]), StoredLoggedFood(*row[logs : logs + foods]), row[-2], row[-1])
