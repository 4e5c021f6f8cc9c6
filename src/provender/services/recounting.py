"""What follows from a diary, worked out anew from its logs: the sums of its days, and the foods that are eaten.

Each log is read twice, day by day and food by food, and only one of these at a time is kept in memory. A walk over all
logs would do it in fewer statements; but where PostgreSQL does not know yet how many there are, it sorts all that are
left for every page. What is found is given back as operations, for whoever reads to write them in transactions of its
own.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from datetime import datetime
from functools import partial

from provender.model.diary import today
from provender.model.eaten import ALL_MEALS, EatenFood
from provender.model.portions import Quantity
from provender.model.profiles import Profile
from provender.model.sums import Sums
from provender.model.times import to_day
from provender.storage import diary, diary_days
from provender.storage import eaten as eaten_foods
from provender.storage.diary import EatenLog, StoredLog
from provender.storage.engine import Operation, Statements
from provender.storage.logged_foods import find_logged_foods

# To sum up a log takes 20 to 200 microseconds, so a page takes a few milliseconds at most.
_LOGS_AT_ONCE = 25
_COUNTED_AT_ONCE = 200
_WRITTEN_AT_ONCE = 5

# Each of these has some 3 kB.
_KEPT_AT_HAND = 4000

_BEFORE_ALL = -(10**9)


class _Additions:
    """What logs add to their days. People eat the same things in the same amounts again, so the last ones are kept."""

    def __init__(self, statements: Statements, profile_id: str) -> None:
        self._statements = statements
        self._profile_id = profile_id
        self._known: dict[tuple[str, Quantity], Sums] = {}

    async def of(self, logs: Sequence[StoredLog]) -> list[Sums]:
        wanted = [(log.logged_food_id, log.quantity) for log in logs]
        if len(self._known) > _KEPT_AT_HAND:
            self._known = {}
        missing = {each for each in wanted if each not in self._known}
        foods = await find_logged_foods(self._statements, self._profile_id, {id_ for id_, _ in missing})
        self._known |= {(id_, quantity): foods[id_].sums(quantity) for id_, quantity in missing}
        return [self._known[each] for each in wanted]


async def sum_days(statements: Statements, profile: Profile, now: datetime) -> AsyncGenerator[Operation[None]]:
    """What is to be written so that every day has its sums."""
    save = partial(_save_days, profile_id=profile.id, today=to_day(today(profile.timezone, now)))
    additions = _Additions(statements, profile.id)
    done: list[tuple[int, Sums]] = []
    last = _BEFORE_ALL
    while (day := await diary.find_day_after(statements, profile.id, last)) is not None:
        last = day
        sums, after = Sums.nothing(), ""
        while logs := await diary.read_of_day(statements, profile.id, day, after, _LOGS_AT_ONCE):
            sums = Sums.total([sums, *await additions.of(logs)])
            after = logs[-1].id
            await asyncio.sleep(0)
            if len(logs) < _LOGS_AT_ONCE:
                break
        done.append((day, sums))
        if len(done) == _WRITTEN_AT_ONCE:
            yield partial(save, days=done)
            done = []
    yield partial(save, days=done)


async def _save_days(statements: Statements, profile_id: str, today: int, days: Iterable[tuple[int, Sums]]) -> None:
    for day, sums in days:
        if sums.entries:
            await diary_days.save_day(statements, profile_id, day, sums, is_over=day != today)


async def count_eaten(
    statements: Statements, profile: Profile, own: frozenset[str], now: datetime
) -> AsyncGenerator[Operation[None]]:
    """What is to be written so that recently and most eaten have every food. `own` are the custom foods that exist."""
    own_today = to_day(today(profile.timezone, now))
    save = partial(eaten_foods.save_rows, profile_id=profile.id, today=own_today)
    done: list[EatenFood] = []
    last = ""
    while (food_id := await diary.find_food_after(statements, profile.id, last)) is not None:
        last = food_id
        counted: dict[str, tuple[dict[int, int], int]] = {}
        after = ("", 0)
        while logs := await diary.read_of_food(statements, profile.id, food_id, after, _COUNTED_AT_ONCE):
            for log in logs:
                # A custom food that was deleted is not eaten any more, though its logs are in the diary.
                if not log.is_custom or food_id in own:
                    _count(log, counted)
            after = (logs[-1].meal, logs[-1].number)
            await asyncio.sleep(0)
            if len(logs) < _COUNTED_AT_ONCE:
                break
        done += _rows(food_id, counted, own_today)
        if len(done) >= _WRITTEN_AT_ONCE:
            yield partial(save, rows=done)
            done = []
    yield partial(save, rows=done)


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
