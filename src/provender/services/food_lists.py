"""Lists of foods that are kept as ids: pages of them are filled with the foods that are there now."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from provender.model.paging import MAX_LIMIT, Page, PageRequest
from provender.services.catalogue import CurrentCatalogue
from provender.storage import custom_foods
from provender.storage.store import Store

P = TypeVar("P")

# Reads so many foods of a list, each with its place: beyond a place, or from where the request begins.
Read = Callable[[int, P | None], Awaitable[Sequence[tuple[str, P]]]]


async def fill_page(
    current: CurrentCatalogue,
    store: Store,
    profile_id: str,
    request: PageRequest,
    include: frozenset[str],
    read: Read[P],
) -> Page[bytes]:
    """A page of the list, as answers show foods, without those whose food is not there now.

    What is skipped is made up for by reading on, in steps between which others have their turn. Only the end of the
    list stops it: to stop earlier would hide the foods that follow, since the caller sees none to go on from.
    """
    found: list[bytes] = []
    count, beyond = request.limit + 1, None
    while True:
        step = await read(count, beyond)
        found += await _foods(current, store, profile_id, [food_id for food_id, _ in step], include)
        if len(step) < count or len(found) > request.limit:
            break
        count, beyond = MAX_LIMIT, step[-1][1]
        await asyncio.sleep(0)
    return Page.cut(found, PageRequest(request.limit, backwards=request.backwards))


async def _foods(
    current: CurrentCatalogue, store: Store, profile_id: str, food_ids: Sequence[str], include: frozenset[str]
) -> list[bytes]:
    entries = {food_id: current.get().find(food_id, include) for food_id in food_ids}
    others = [food_id for food_id, entry in entries.items() if entry is None]
    own = await custom_foods.find_foods(store, profile_id, others)
    found = []
    for food_id, entry in entries.items():
        if entry is not None:
            found.append(entry.body)
        elif food_id in own:
            found.append(own[food_id].body(include))
    return found
