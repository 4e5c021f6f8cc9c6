"""How favorites are kept. Whatever writes here has locked the profile first; see `storage/profiles.py`.

A favorite has a place, a number that grows with every food that the profile adds, and the list goes from the last place
to the first. One that was removed keeps its row, and with it its place as a cursor, for a day.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from provender.model.paging import PageRequest
from provender.model.times import to_ms
from provender.storage.bulk import insert_noted_rows
from provender.storage.engine import Row, Statements
from provender.storage.profiles import ID

KEPT_AS_CURSOR = timedelta(hours=24)

# So many removed ones a write clears away at most. It leaves at most one itself, so they do not pile up.
SWEPT_AT_ONCE = 100

# Every place that is given is between these.
_BEFORE_ALL, _AFTER_ALL = 0, 2**62

# Where the profile is gone, its favorites may still be there for a moment.
_OF_PROFILE = "profile_id = $2 AND EXISTS (SELECT 1 FROM profiles WHERE application_id = $1 AND id = $2)"

FIND_PLACE = f"""
    SELECT place FROM favorites
    WHERE {_OF_PROFILE} AND food_id = $3 AND (removed_at IS NULL OR removed_at > $4)
"""


def _list(beyond: str, place: str, order: str) -> str:
    return f"""
        SELECT food_id, place, profile_id FROM favorites
        WHERE profile_id = {ID} AND removed_at IS NULL AND place {beyond} {place} ORDER BY place {order} LIMIT $3
    """


_CURSOR = f"""
    (SELECT place FROM favorites
    WHERE profile_id = {ID} AND food_id = $4 AND (removed_at IS NULL OR removed_at > $5))
"""

# What lies beyond a place, and beyond the place of the food that is the cursor.
ONWARDS, ONWARDS_FROM_CURSOR = _list("<", "$4", "DESC"), _list("<", _CURSOR, "DESC")
BACKWARDS, BACKWARDS_FROM_CURSOR = _list(">", "$4", "ASC"), _list(">", _CURSOR, "ASC")

# A food that is there keeps its place. One that was removed and is added again goes to the top.
_ADD = """
    INSERT INTO favorites (profile_id, food_id, place, added_at)
    SELECT id, CAST($3 AS text), CAST($4 AS bigint), CAST($5 AS bigint) FROM profiles
    WHERE application_id = $1 AND id = $2
    ON CONFLICT (profile_id, food_id)
    DO UPDATE SET place = excluded.place, added_at = excluded.added_at, removed_at = NULL
    WHERE favorites.removed_at IS NOT NULL
    RETURNING food_id
"""

REMOVE = f"""
    UPDATE favorites SET removed_at = $4
    WHERE {_OF_PROFILE} AND food_id = $3 AND removed_at IS NULL RETURNING food_id
"""

SWEEP = f"""
    DELETE FROM favorites WHERE (profile_id, food_id) IN (
        SELECT profile_id, food_id FROM favorites WHERE {_OF_PROFILE} AND removed_at <= $3
        ORDER BY removed_at LIMIT $4
    )
"""


IN_ORDER = f"""
    SELECT food_id, place, added_at FROM favorites
    WHERE {_OF_PROFILE} AND removed_at IS NULL AND place > $3 AND place <= $4 ORDER BY place LIMIT $5
"""

_INSERTED = (("food_id", "text"), ("place", "bigint"), ("added_at", "bigint"))


class StoredFavorite(NamedTuple):
    food_id: str
    place: int
    added_at: int


async def add_favorite(statements: Statements, profile_id: str, food_id: str, place: int, now: datetime) -> bool:
    """Add the food at this place, and say whether it was none of the favorites yet."""
    return bool(await statements.change(_ADD, profile_id, food_id, place, to_ms(now)))


async def insert_favorites(statements: Statements, profile_id: str, favorites: Sequence[StoredFavorite]) -> None:
    """Add favorites of a profile that is being imported."""
    await insert_noted_rows(statements, profile_id, "favorites", _INSERTED, favorites)


async def read_added(
    statements: Statements, profile_id: str, after: int, last: int, count: int
) -> Sequence[StoredFavorite]:
    """So many favorites between two places, first added first."""
    return [StoredFavorite(*row) for row in await statements.all(IN_ORDER, profile_id, after, last, count)]


async def remove_favorite(statements: Statements, profile_id: str, food_id: str, now: datetime) -> bool:
    """Remove the food, and say whether it was a favorite."""
    return bool(await statements.change(REMOVE, profile_id, food_id, to_ms(now)))


async def sweep_removed(statements: Statements, profile_id: str, now: datetime) -> None:
    """Clear away some of the favorites whose removal is longer ago than they are kept for."""
    await statements.change(SWEEP, profile_id, _cutoff(now), SWEPT_AT_ONCE)


async def find_place(statements: Statements, profile_id: str, food_id: str, now: datetime) -> int | None:
    """Where in the list the food is, or was until it was removed less than a day ago."""
    row = await statements.one(FIND_PLACE, profile_id, food_id, _cutoff(now))
    return None if row is None else int(row[0])


async def read_favorites(
    statements: Statements,
    reference_id: str,
    request: PageRequest,
    now: datetime,
    *,
    count: int,
    beyond: int | None = None,
) -> Sequence[Row]:
    """So many favorites in the direction of the request: beyond a place, or from where the request begins.

    Rows have a food, its place and whose it is.
    """
    cursor = request.cursor
    if beyond is None and cursor is not None:
        sql = BACKWARDS_FROM_CURSOR if request.backwards else ONWARDS_FROM_CURSOR
        return await statements.all(sql, reference_id, count, cursor, _cutoff(now))
    if beyond is None:
        beyond = _BEFORE_ALL if request.backwards else _AFTER_ALL
    return await statements.all(BACKWARDS if request.backwards else ONWARDS, reference_id, count, beyond)


def _cutoff(now: datetime) -> int:
    return to_ms(now - KEPT_AS_CURSOR)
