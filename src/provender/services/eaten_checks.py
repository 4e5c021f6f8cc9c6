"""The rows of what a profile eats against its logs: each food is counted anew, one after the other.

A row is exact as of the day it was written. When that was it does not say, so a row is right if there is such a day.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from provender.model.checking import Finding, Kind
from provender.model.eaten import ALL_MEALS, WINDOW_DAYS, EatenFood
from provender.services.checked_profile import CheckedProfile
from provender.storage import checking, custom_foods, eaten
from provender.storage.engine import Row, Statements


class _Kept(NamedTuple):
    # None where its days cannot be read.
    food: EatenFood | None
    logs: int
    valid_until: int | None


# A food in a meal, or in all of them.
_Key = tuple[str, str]
_Fresh = Mapping[_Key, EatenFood]

# Whoever has eaten these foods on more days than that is checked food by food.
_ROWS_AT_ONCE = 200
_COUNTS_AT_ONCE = 10_000

_AFTER_ALL = "\U0010ffff"


async def check_eaten(profile: CheckedProfile) -> AsyncGenerator[Finding]:
    after = ""
    while after != _AFTER_ALL:
        rows = await checking.read_kept_foods(profile.store, profile.id, after, _ROWS_AT_ONCE)
        last = rows[-1][0] if len(rows) == _ROWS_AT_ONCE else _AFTER_ALL
        for food_id in await _scan(profile, after, last, rows):
            look_again = partial(_look_again, profile=profile, food_id=food_id)
            for finding in await profile.alone(look_again, list[Finding]):
                yield finding
        after = last


async def _scan(profile: CheckedProfile, after: str, last: str, rows: Sequence[Row]) -> list[str]:
    """Those of the foods after one up to another that do not look right. `rows` are what is kept of them."""
    state = await checking.find_settled_number(profile.store, profile.id)
    if state is None:
        return []
    timezone, settled_number = state
    counts = await checking.count_foods(profile.store, profile.id, after, last, settled_number, _COUNTS_AT_ONCE + 1)
    if len(counts) > _COUNTS_AT_ONCE:
        return await _scan_each(profile, after, last)
    if last != _AFTER_ALL:
        # The page may have ended within the last food.
        rows = [
            *(row for row in rows if row[0] != last),
            *await checking.read_kept_food(profile.store, profile.id, last),
        ]
    kept, fresh = _read_kept(rows), await _gather(profile.store, profile.id, counts)
    today = profile.today(timezone)
    wrong = {key[0] for key in kept.keys() | fresh.keys() if not _is_right(kept.get(key), fresh.get(key), today)}
    return sorted(wrong)


async def _scan_each(profile: CheckedProfile, after: str, last: str) -> list[str]:
    """The same for foods with logs on very many days, one after the other."""
    found = []
    food_id = await checking.find_food_after(profile.store, profile.id, after)
    while food_id is not None and food_id <= last:
        if (await _look(profile.store, profile, food_id))[-1]:
            found.append(food_id)
        food_id = await checking.find_food_after(profile.store, profile.id, food_id)
    return found


async def _look_again(statements: Statements, profile: CheckedProfile, food_id: str) -> list[Finding]:
    today, kept, fresh, wrong = await _look(statements, profile, food_id)
    if profile.repair:
        rows = [fresh[key].changed({}, fresh[key].last_number, today) for key in wrong if key in fresh]
        await eaten.save_rows(statements, profile.id, rows, today)
        for key in wrong:
            if key not in fresh:
                await eaten.delete_row(statements, profile.id, *key)
    return [
        profile.finding(
            Kind.EATEN_FOOD,
            f"{food_id} in {'all meals' if meal == ALL_MEALS else meal}",
            _describe_kept(kept.get((food_id, meal))),
            _describe(fresh.get((food_id, meal)), today),
        )
        for _, meal in wrong
    ]


async def _look(
    statements: Statements, profile: CheckedProfile, food_id: str
) -> tuple[int, Mapping[_Key, _Kept], _Fresh, list[_Key]]:
    """Today, what is kept of a food and what its logs say, and which of that is wrong."""
    state = await checking.find_settled_number(statements, profile.id)
    if state is None:
        return 0, {}, {}, []
    timezone, settled_number = state
    counts = await checking.count_food(statements, profile.id, food_id, settled_number)
    fresh = await _gather(statements, profile.id, counts)
    kept = _read_kept(await checking.read_kept_food(statements, profile.id, food_id))
    today = profile.today(timezone)
    wrong = [key for key in sorted(kept.keys() | fresh.keys()) if not _is_right(kept.get(key), fresh.get(key), today)]
    return today, kept, fresh, wrong


async def _gather(statements: Statements, profile_id: str, counts: Sequence[Row]) -> _Fresh:
    days: dict[_Key, dict[int, int]] = {}
    last: dict[_Key, int] = {}
    own = {food_id for food_id, *_, is_custom in counts if is_custom}
    # A custom food that was deleted is not eaten any more, though its logs are in the diary.
    gone = own - (await custom_foods.find_foods(statements, profile_id, own)).keys()
    for food_id, meal, day, count, number, _ in counts:
        if food_id in gone:
            continue
        for key in ((food_id, meal), (food_id, ALL_MEALS)):
            counted = days.setdefault(key, {})
            counted[day] = counted.get(day, 0) + count
            last[key] = max(last.get(key, 0), number)
    return {key: EatenFood(*key, last[key], days[key]) for key in days}


def _read_kept(rows: Sequence[Row]) -> dict[_Key, _Kept]:
    found = {}
    for food_id, meal, last_number, packed, logs, valid_until in rows:
        try:
            food = EatenFood(food_id, meal, last_number, eaten.unpack_days(packed))
        except TypeError:
            food = None
        found[food_id, meal] = _Kept(food, logs, valid_until)
    return found


def _is_right(row: _Kept | None, fresh: EatenFood | None, today: int) -> bool:
    if row is None or fresh is None or row.food is None or row.food.last_number != fresh.last_number:
        return False
    # The clock of the server that wrote it may be a little ahead.
    has_counts = any(_counts_as_of(row, row.food, day) for day in (today, today + 1))
    return has_counts and _has_days(row.food.days, fresh.days, today)


def _counts_as_of(row: _Kept, food: EatenFood, today: int) -> bool:
    """Whether the count was right when the row was written, up to the day that it says."""
    valid_until = row.valid_until
    day = today if valid_until is None or valid_until > today else valid_until - 1
    return (row.logs, valid_until) == (food.logs(day), food.valid_until(day))


def _has_days(kept: Mapping[int, int], fresh: Mapping[int, int], today: int) -> bool:
    """Whether the days that count now, or will, are exact. Of those before, a row may have left some out."""
    first = today - WINDOW_DAYS
    return all(
        kept.get(day, 0) == fresh.get(day, 0) if day > first else kept.get(day, 0) <= fresh.get(day, 0)
        for day in kept.keys() | fresh.keys()
    )


def _describe_kept(kept: _Kept | None) -> str:
    if kept is None:
        return "nothing"
    if kept.food is None:
        return "what cannot be read"
    days = sum(kept.food.days.values())
    return f"last number {kept.food.last_number}, {kept.logs} logs until day {kept.valid_until}, {days} by day"


def _describe(food: EatenFood | None, today: int) -> str:
    if food is None:
        return "nothing"
    pruned = food.changed({}, food.last_number, today)
    days = sum(pruned.days.values())
    return f"last number {food.last_number}, {food.logs(today)} logs until day {food.valid_until(today)}, {days} by day"
