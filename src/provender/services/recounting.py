"""What follows from a diary, worked out anew from its logs: the sums of its days, and the foods that are eaten.

Each log is read twice, along an index, and only a day or a food at a time is kept in memory. What is found is given
back as operations, for whoever reads to write them in transactions of its own.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from datetime import datetime
from functools import partial

from provender.model.diary import today
from provender.model.eaten import ALL_MEALS, EatenFood
from provender.model.profiles import Profile
from provender.model.sums import Sums
from provender.model.times import to_day
from provender.storage import diary, diary_days
from provender.storage import eaten as eaten_foods
from provender.storage.diary import EatenLog
from provender.storage.engine import Operation, Statements
from provender.storage.logged_foods import StoredLoggedFood, find_logged_foods

# To sum up a log takes some 20 microseconds, so a page takes some milliseconds.
_LOGS_AT_ONCE = 100
_COUNTED_AT_ONCE = 200
_WRITTEN_AT_ONCE = 100

# So many foods are kept at hand: people eat the same things again, and some 4 kB for each is not much.
_FOODS_AT_HAND = 1000

_BEFORE_ALL = -(10**9)


async def sum_days(statements: Statements, profile: Profile, now: datetime) -> AsyncGenerator[Operation[None]]:
    """What is to be written so that every day has its sums."""
    save = partial(_save_days, profile_id=profile.id, today=to_day(today(profile.timezone, now)))
    foods: dict[str, StoredLoggedFood] = {}
    done: list[tuple[int, Sums]] = []
    day, sums = _BEFORE_ALL, Sums.nothing()
    after = (_BEFORE_ALL, "")
    while logs := await diary.read_by_day(statements, profile.id, after, _LOGS_AT_ONCE):
        await _fetch(statements, profile.id, foods, {log.logged_food_id for log in logs})
        for log in logs:
            if log.date != day:
                done.append((day, sums))
                day, sums = log.date, Sums.nothing()
            sums = sums.plus(foods[log.logged_food_id].sums(log.quantity))
        after = (logs[-1].date, logs[-1].id)
        if len(done) >= _WRITTEN_AT_ONCE:
            yield partial(save, days=done)
            done = []
        await asyncio.sleep(0)
    yield partial(save, days=[*done, (day, sums)])


async def _fetch(statements: Statements, profile_id: str, foods: dict[str, StoredLoggedFood], wanted: set[str]) -> None:
    """Have all of these foods at hand."""
    if len(foods) > _FOODS_AT_HAND:
        foods.clear()
    foods |= await find_logged_foods(statements, profile_id, wanted - foods.keys())


async def _save_days(statements: Statements, profile_id: str, today: int, days: Iterable[tuple[int, Sums]]) -> None:
    for day, sums in days:
        if sums.entries:
            await diary_days.save_day(statements, profile_id, day, sums, is_over=day != today)


async def count_eaten(
    statements: Statements, profile: Profile, own: frozenset[str], now: datetime
) -> AsyncGenerator[Operation[None]]:
    """What is to be written so that recently and most eaten have every food. `own` are the custom foods that exist."""
    own_today = to_day(today(profile.timezone, now))
    done: list[EatenFood] = []
    counted: dict[str, tuple[dict[int, int], int]] = {}
    after = ("", "", 0)
    while logs := await diary.read_by_food(statements, profile.id, after, _COUNTED_AT_ONCE):
        for log in logs:
            if log.food_id != after[0]:
                done += _rows(after[0], counted, own_today)
                counted = {}
            after = (log.food_id, log.meal, log.number)
            # A custom food that was deleted is not eaten any more, though its logs are in the diary.
            if not log.is_custom or log.food_id in own:
                _count(log, counted)
        if len(done) >= _WRITTEN_AT_ONCE:
            yield partial(eaten_foods.save_rows, profile_id=profile.id, rows=done, today=own_today)
            done = []
        await asyncio.sleep(0)
    done += _rows(after[0], counted, own_today)
    yield partial(eaten_foods.save_rows, profile_id=profile.id, rows=done, today=own_today)


def _count(log: EatenLog, counted: dict[str, tuple[dict[int, int], int]]) -> None:
    for meal in (log.meal, ALL_MEALS):
        days, last_number = counted.get(meal, ({}, 0))
        days[log.date] = days.get(log.date, 0) + 1
        counted[meal] = days, max(last_number, log.number)


def _rows(food_id: str, counted: dict[str, tuple[dict[int, int], int]], own_today: int) -> list[EatenFood]:
    """As a write that logged all of it would leave them: without the days that are over."""
    return [
        EatenFood(food_id, meal, 0, {}).changed(days, last_number, own_today)
        for meal, (days, last_number) in counted.items()
    ]
