"""The foods that a profile has eaten recently, and those it eats most."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from provender.model.diary import Meal, today
from provender.model.eaten import ALL_MEALS, EatenFood, Place
from provender.model.errors import InvalidCursor
from provender.model.paging import Page, PageRequest
from provender.model.times import to_day
from provender.services import unsettled, zones
from provender.services.catalogue import CurrentCatalogue
from provender.services.food_lists import Listed, fill_page
from provender.services.profiles import get_profile
from provender.services.settling import read_settled, try_to_settle
from provender.storage import eaten
from provender.storage.profiles import ANY
from provender.storage.store import Store


async def list_recently_eaten(
    current: CurrentCatalogue,
    store: Store,
    reference_id: str,
    request: PageRequest,
    now: datetime,
    *,
    meal: Meal | None,
    include: frozenset[str],
) -> Page[bytes]:
    """The foods that the profile has logged, last logged first."""
    of_meal = meal or ALL_MEALS
    cursor = await _find_cursor(store, reference_id, request, of_meal, now)

    async def read(count: int, beyond: int | None) -> Sequence[Listed]:
        start = cursor.last_number if beyond is None and cursor is not None else beyond
        page = partial(eaten.read_recent, store, reference_id, of_meal, request, start, count)
        work_out = partial(unsettled.read_recent, store, reference_id, of_meal, request, start, count, now)
        return await read_settled(store, reference_id, now, page, work_out)

    return await fill_page(current, store, request, include, read)


async def list_most_eaten(
    current: CurrentCatalogue,
    store: Store,
    reference_id: str,
    request: PageRequest,
    now: datetime,
    *,
    meal: Meal | None,
    include: frozenset[str],
) -> Page[bytes]:
    """The foods with the most logs in the past 30 days."""
    of_meal = meal or ALL_MEALS
    cursor = await _find_cursor(store, reference_id, request, of_meal, now)

    async def read(count: int, beyond: Place | None) -> Sequence[Listed]:
        found = await read_in(zones.guess(store, reference_id), count, beyond, 0)
        if found:
            return found
        # That is all there is, or the profile has another time zone, or unsettled logs, or there is no such profile.
        is_settled = await try_to_settle(store, reference_id, now)
        profile = await get_profile(store, reference_id)
        zones.note(store, reference_id, profile.timezone)
        if is_settled:
            return await read_in(profile.timezone, count, beyond, ANY)
        start = start_in(profile.timezone, beyond)
        return await unsettled.read_most(store, reference_id, of_meal, request, start, count, now)

    async def read_in(zone: str | None, count: int, beyond: Place | None, most_unsettled: int) -> Sequence[Listed]:
        start, own_today = start_in(zone, beyond), to_day(today(zone, now))
        return await eaten.read_most(
            store, reference_id, zone, of_meal, request, start, count, own_today, most_unsettled
        )

    def start_in(zone: str | None, beyond: Place | None) -> Place | None:
        if beyond is not None or cursor is None:
            return beyond
        place = cursor.place(to_day(today(zone, now)))
        if not place.logs:
            raise InvalidCursor
        return place

    return await fill_page(current, store, request, include, read)


async def _find_cursor(
    store: Store, reference_id: str, request: PageRequest, meal: str, now: datetime
) -> EatenFood | None:
    if request.cursor is None:
        return None
    if await try_to_settle(store, reference_id, now):
        profile = await get_profile(store, reference_id)
        row = await eaten.find_row(store, profile.id, request.cursor, meal)
    else:
        row = await unsettled.find_row(store, reference_id, request.cursor, meal, now)
    if row is None:
        raise InvalidCursor
    return row
