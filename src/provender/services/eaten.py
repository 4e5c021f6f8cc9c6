"""The foods that a profile has eaten recently, and those it eats most."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from provender.model.diary import Meal, today
from provender.model.eaten import ALL_MEALS, EatenFood, Place
from provender.model.errors import InvalidCursor
from provender.model.paging import Page, PageRequest
from provender.model.times import to_day
from provender.services import zones
from provender.services.catalogue import CurrentCatalogue
from provender.services.food_lists import Listed, fill_page
from provender.services.profiles import get_profile
from provender.services.settling import read_settled, settle_profile
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
        return await read_settled(store, reference_id, now, page)

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
        await settle_profile(store, reference_id, now)
        profile = await get_profile(store, reference_id)
        zones.note(store, reference_id, profile.timezone)
        return await read_in(profile.timezone, count, beyond, ANY)

    async def read_in(zone: str | None, count: int, beyond: Place | None, most_unsettled: int) -> Sequence[Listed]:
        own_today = to_day(today(zone, now))
        if beyond is None and cursor is not None:
            beyond = cursor.place(own_today)
            if not beyond.logs:
                raise InvalidCursor
        return await eaten.read_most(
            store, reference_id, zone, of_meal, request, beyond, count, own_today, most_unsettled
        )

    return await fill_page(current, store, request, include, read)


async def _find_cursor(
    store: Store, reference_id: str, request: PageRequest, meal: str, now: datetime
) -> EatenFood | None:
    if request.cursor is None:
        return None
    await settle_profile(store, reference_id, now)
    profile = await get_profile(store, reference_id)
    row = await eaten.find_row(store, profile.id, request.cursor, meal)
    if row is None:
        raise InvalidCursor
    return row
