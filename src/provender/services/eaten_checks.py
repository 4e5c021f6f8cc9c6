"""The rows of what a profile eats against its logs: each food is counted anew, one after the other.

A row is exact as of the day it was written. When that was it does not say, so a row is right if there is such a day.
"""

from collections.abc import AsyncGenerator, Mapping
from functools import partial
from typing import NamedTuple

from provender.model.checking import Finding, Kind
from provender.model.eaten import ALL_MEALS, WINDOW_DAYS, EatenFood
from provender.services.checked_profile import CheckedProfile
from provender.storage import checking, custom_foods, eaten
from provender.storage.engine import Statements


class _Kept(NamedTuple):
    # None where its days cannot be read.
    food: EatenFood | None
    logs: int
    valid_until: int | None


_Fresh = Mapping[str, EatenFood]


async def check_eaten(profile: CheckedProfile) -> AsyncGenerator[Finding]:
    last = ""
    while (food_id := await checking.find_food_after(profile.store, profile.id, last)) is not None:
        last = food_id
        look_again = partial(_look_again, profile=profile, food_id=food_id)
        if (await _look(profile.store, profile, food_id))[-1]:
            for finding in await profile.alone(look_again, list[Finding]):
                yield finding


async def _look_again(statements: Statements, profile: CheckedProfile, food_id: str) -> list[Finding]:
    today, kept, fresh, wrong = await _look(statements, profile, food_id)
    if profile.repair:
        rows = [fresh[meal].changed({}, fresh[meal].last_number, today) for meal in wrong if meal in fresh]
        await eaten.save_rows(statements, profile.id, rows, today)
        for meal in wrong:
            if meal not in fresh:
                await eaten.delete_row(statements, profile.id, food_id, meal)
    return [
        profile.finding(
            Kind.EATEN_FOOD,
            f"{food_id} in {'all meals' if meal == ALL_MEALS else meal}",
            _describe_kept(kept.get(meal)),
            _describe(fresh.get(meal), today),
        )
        for meal in wrong
    ]


async def _look(
    statements: Statements, profile: CheckedProfile, food_id: str
) -> tuple[int, Mapping[str, _Kept], _Fresh, list[str]]:
    """Today, what is kept of a food and what its logs say, each by meal, and the meals that are wrong."""
    state = await checking.find_settled_number(statements, profile.id)
    if state is None:
        return 0, {}, {}, []
    timezone, settled_number = state
    fresh = await _count(statements, profile.id, food_id, settled_number)
    kept = await _read_kept(statements, profile.id, food_id)
    today = profile.today(timezone)
    wrong = [meal for meal in sorted(kept.keys() | fresh.keys()) if not _is_right(kept, fresh, meal, today)]
    return today, kept, fresh, wrong


async def _count(statements: Statements, profile_id: str, food_id: str, settled_number: int) -> _Fresh:
    days: dict[str, dict[int, int]] = {}
    last: dict[str, int] = {}
    is_own = False
    for meal, day, count, number, is_custom in await checking.count_food(
        statements, profile_id, food_id, settled_number
    ):
        is_own = is_own or bool(is_custom)
        for each in (meal, ALL_MEALS):
            counted = days.setdefault(each, {})
            counted[day] = counted.get(day, 0) + count
            last[each] = max(last.get(each, 0), number)
    if is_own and not await custom_foods.find_foods(statements, profile_id, [food_id]):
        # A custom food that was deleted is not eaten any more, though its logs are in the diary.
        return {}
    return {meal: EatenFood(food_id, meal, last[meal], days[meal]) for meal in days}


async def _read_kept(statements: Statements, profile_id: str, food_id: str) -> dict[str, _Kept]:
    found = {}
    for meal, last_number, packed, logs, valid_until in await checking.read_kept_food(statements, profile_id, food_id):
        try:
            food = EatenFood(food_id, meal, last_number, eaten.unpack_days(packed))
        except TypeError:
            food = None
        found[meal] = _Kept(food, logs, valid_until)
    return found


def _is_right(kept: Mapping[str, _Kept], fresh: _Fresh, meal: str, today: int) -> bool:
    if meal not in kept or meal not in fresh:
        return False
    row, food = kept[meal], kept[meal].food
    if food is None or food.last_number != fresh[meal].last_number:
        return False
    # The clock of the server that wrote it may be a little ahead.
    has_counts = any(_counts_as_of(row, food, day) for day in (today, today + 1))
    return has_counts and _has_days(food.days, fresh[meal].days, today)


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
