"""Lists of foods that are kept as ids: pages of them are filled with the foods that are there now."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from provender.model.paging import MAX_LIMIT, Page, PageRequest
from provender.services.catalogue import CurrentCatalogue
from provender.storage import custom_foods
from provender.storage.store import Store

P = TypeVar("P")

# A food, its place in the list, and the profile whose list it is; a row of the storage or a tuple.
Listed = Sequence[Any]

# Reads so many foods of a list: beyond a place, or from where the request begins.
Read = Callable[[int, P | None], Awaitable[Sequence[Listed]]]


async def fill_page(
    current: CurrentCatalogue, store: Store, request: PageRequest, include: frozenset[str], read: Read[P]
) -> Page[bytes]:
    """A page of the list, as answers show foods, without those whose food is not there now.

    What is skipped is made up for by reading on, in steps between which others have their turn. Only the end of the
    list stops it: to stop earlier would hide the foods that follow, since the caller sees none to go on from.
    """
    found: list[bytes] = []
    count, beyond = request.limit + 1, None
    while True:
        step = await read(count, beyond)
        found += await _foods(current, store, step, include)
        if len(step) < count or len(found) > request.limit:
            items = found[: request.limit]
            return Page(items[::-1] if request.backwards else items, len(found) > request.limit)
        count, beyond = MAX_LIMIT, step[-1][1]
        await asyncio.sleep(0)


async def _foods(
    current: CurrentCatalogue, store: Store, listed: Sequence[Listed], include: frozenset[str]
) -> list[bytes]:
    food_ids = [row[0] for row in listed]
    bodies = current.get().find_bodies(food_ids, include)
    if None in bodies:
        others = [food_id for food_id, body in zip(food_ids, bodies, strict=True) if body is None]
        own = await custom_foods.find_foods(store, listed[0][2], others)
        bodies = [
            own[food_id].body(include) if body is None and food_id in own else body
            for food_id, body in zip(food_ids, bodies, strict=True)
        ]
    return [body for body in bodies if body is not None]
