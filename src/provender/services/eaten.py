"""The foods that a profile has eaten recently, and those it eats most."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from provender.model.diary import Meal, today
from provender.model.eaten import ALL_MEALS, EatenFood, Place
from provender.model.errors import InvalidCursor
from provender.model.paging import Page, PageRequest
from provender.model.times import to_day
from provender.services.catalogue import CurrentCatalogue
from provender.services.food_lists import fill_page
from provender.services.profiles import get_profile
from provender.services.settling import settle_profile
from provender.storage import eaten
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
    await settle_profile(store, reference_id, now)
    profile = await get_profile(store, reference_id)
    of_meal = meal or ALL_MEALS
    cursor = await _find_cursor(store, profile.id, request, of_meal)

    async def read(count: int, beyond: int | None) -> Sequence[tuple[str, int]]:
        start = cursor.last_number if beyond is None and cursor is not None else beyond
        return await eaten.read_recent(store, profile.id, of_meal, request, start, count)

    return await fill_page(current, store, profile.id, request, include, read)


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
    await settle_profile(store, reference_id, now)
    profile = await get_profile(store, reference_id)
    of_meal = meal or ALL_MEALS
    own_today = to_day(today(profile.timezone, now))
    cursor = await _find_cursor(store, profile.id, request, of_meal)
    start = None if cursor is None else cursor.place(own_today)
    if start is not None and not start.logs:
        raise InvalidCursor
    # Their rows stand where they stood before; they belong where today's count puts them.
    moved = await eaten.read_moved(store, profile.id, of_meal, own_today)

    async def read(count: int, beyond: Place | None) -> Sequence[tuple[str, Place]]:
        beyond = beyond or start
        exact = await eaten.read_most(store, profile.id, of_meal, request, beyond, count, own_today)
        return _merge([*exact, *filter(partial(_is_beyond, beyond, request.backwards), moved)], request)[:count]

    return await fill_page(current, store, profile.id, request, include, read)


async def _find_cursor(store: Store, profile_id: str, request: PageRequest, meal: str) -> EatenFood | None:
    if request.cursor is None:
        return None
    row = await eaten.find_row(store, profile_id, request.cursor, meal)
    if row is None:
        raise InvalidCursor
    return row


def _is_beyond(start: Place | None, backwards: bool, item: tuple[str, Place]) -> bool:
    return start is None or (item[1] > start if backwards else item[1] < start)


def _merge(items: Sequence[tuple[str, Place]], request: PageRequest) -> list[tuple[str, Place]]:
    return sorted(items, key=lambda item: item[1], reverse=not request.backwards)
