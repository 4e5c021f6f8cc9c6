"""What follows from logs, while nothing can be written: worked out in memory for whoever reads, and kept nowhere.

That is how reads go on while a standby answers, or while a disk is full. It takes longer than reading what is settled,
and only profiles that have logged a moment before need it. What it says is what settling would have written.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, TypeVar

from provender.model.diary import today
from provender.model.eaten import ALL_MEALS, EatenFood, Place
from provender.model.errors import ProfileNotFound, StorageUnavailable
from provender.model.paging import PageRequest
from provender.model.profiles import Profile
from provender.model.sums import Sums
from provender.model.times import to_day
from provender.services.settling import find_existing
from provender.storage import diary, diary_days, eaten, logged_foods, profiles
from provender.storage.diary_days import Day
from provender.storage.profiles import ANY, Debt
from provender.storage.store import Store

T = TypeVar("T")

_ATTEMPTS = 5


async def sum_days(store: Store, reference_id: str, first: int, last: int) -> Sequence[Day]:
    """The days of the profile that have entries, in their order."""

    async def read(profile: Profile, debt: Debt) -> Sequence[Day]:
        days = {day.date: day for day in await diary_days.read_settled(store, reference_id, first, last, ANY)}
        logs = [log for log in await diary.read_after(store, profile.id, debt.after) if first <= log.date <= last]
        foods = await logged_foods.find_logged_foods(store, profile.id, {log.logged_food_id for log in logs})
        added: dict[int, list[Sums]] = {}
        for log in logs:
            # A food that is missing has gone with its log since, and all of this is read again.
            if log.logged_food_id in foods:
                added.setdefault(log.date, []).append(foods[log.logged_food_id].sums(log.quantity))
        for date, parts in added.items():
            sums = Sums.total([days[date].sums, *parts] if date in days else parts)
            days[date] = Day(date, sums, diary_days.show(sums))
        return [days[date] for date in sorted(days)]

    return await _read_unchanged(store, reference_id, read)


async def read_recent(
    store: Store, reference_id: str, meal: str, request: PageRequest, beyond: int | None, count: int, now: datetime
) -> Sequence[tuple[str, int, str]]:
    """As `storage.eaten.read_recent`."""

    def place(row: EatenFood, _: int) -> int:
        return row.last_number

    return await _read_list(store, reference_id, meal, request, beyond, count, now, place)


async def read_most(
    store: Store, reference_id: str, meal: str, request: PageRequest, beyond: Place | None, count: int, now: datetime
) -> Sequence[tuple[str, Place, str]]:
    """As `storage.eaten.read_most`, in the time zone that the profile has."""

    def place(row: EatenFood, own_today: int) -> Place | None:
        found = row.place(own_today)
        return found if found.logs else None

    return await _read_list(store, reference_id, meal, request, beyond, count, now, place)


async def find_row(store: Store, reference_id: str, food_id: str, meal: str, now: datetime) -> EatenFood | None:
    async def read(profile: Profile, debt: Debt) -> EatenFood | None:
        return (await _rows(store, profile, debt, now)).get((food_id, meal))

    return await _read_unchanged(store, reference_id, read)


async def _read_list(
    store: Store,
    reference_id: str,
    meal: str,
    request: PageRequest,
    beyond: T | None,
    count: int,
    now: datetime,
    place_of: Callable[[EatenFood, int], T | None],
) -> Sequence[tuple[str, T, str]]:
    """So many foods with their place and whose they are, beyond a place in the direction of the request."""

    async def read(profile: Profile, debt: Debt) -> Sequence[tuple[str, T, str]]:
        own_today = to_day(today(profile.timezone, now))
        found = []
        for row in (await _rows(store, profile, debt, now)).values():
            place: Any = place_of(row, own_today)
            if row.meal != meal or place is None:
                continue
            if beyond is None or (place > beyond if request.backwards else place < beyond):
                found.append((row.food_id, place, profile.id))
        found.sort(key=itemgetter(1), reverse=not request.backwards)
        return found[:count]

    return await _read_unchanged(store, reference_id, read)


async def _rows(store: Store, profile: Profile, debt: Debt, now: datetime) -> dict[tuple[str, str], EatenFood]:
    """Every food that the profile has eaten in each meal, with the logs that are not settled."""
    own_today = to_day(today(profile.timezone, now))
    rows = {(row.food_id, row.meal): row for row in await eaten.read_all(store, profile.id)}
    logs = await diary.read_after(store, profile.id, debt.after)
    existing = await find_existing(store, profile.id, logs)
    for log in logs:
        for meal in (log.meal, ALL_MEALS) if log.food_id in existing else ():
            row = rows.get((log.food_id, meal)) or EatenFood(log.food_id, meal, 0, {})
            last_number = max(row.last_number, log.number)
            rows[log.food_id, meal] = row.changed({log.date: 1}, last_number, own_today)
    return rows


async def _read_unchanged(store: Store, reference_id: str, read: Callable[[Profile, Debt], Awaitable[T]]) -> T:
    """What is read in several statements, none of which has seen another debt than the others.

    Whoever settles, and whoever logs, changes the debt, and whatever else changes what is read here settles first.
    """
    before = await profiles.find_with_debt(store, reference_id)
    for _ in range(_ATTEMPTS):
        if before is None:
            raise ProfileNotFound
        found = await read(*before)
        after = await profiles.find_with_debt(store, reference_id)
        if after == before:
            return found
        before = after
    raise StorageUnavailable("The profile is written to, but its logs cannot be settled.")
