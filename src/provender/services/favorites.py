"""Favorites: list, add, remove. A favorite is a food of the catalogue, or one that its profile has made for itself."""

from collections.abc import Sequence
from datetime import datetime

from provender.model.errors import FoodNotFound, InvalidCursor, ProfileNotFound
from provender.model.ids import is_id
from provender.model.paging import Page, PageRequest
from provender.services.catalogue import CurrentCatalogue
from provender.services.food_lists import Listed, fill_page
from provender.services.profiles import get_profile
from provender.storage import custom_foods, favorites, profiles
from provender.storage.engine import Statements
from provender.storage.store import Store


async def list_favorites(
    current: CurrentCatalogue,
    store: Store,
    reference_id: str,
    request: PageRequest,
    now: datetime,
    *,
    include: frozenset[str],
) -> Page[bytes]:
    """A page of the profile's favorites, last added first, without those whose food is not there now."""

    async def read(count: int, beyond: int | None) -> Sequence[Listed]:
        found = await favorites.read_favorites(store, reference_id, request, now, count=count, beyond=beyond)
        if not found and beyond is None:
            # There may be no such profile; and beyond a cursor that is no item is as little as beyond the last item.
            profile = await get_profile(store, reference_id)
            cursor = request.cursor
            if cursor is not None and await favorites.find_place(store, profile.id, cursor, now) is None:
                raise InvalidCursor
        return found

    return await fill_page(current, store, request, include, read)


async def add_favorite(current: CurrentCatalogue, store: Store, reference_id: str, food_id: str, now: datetime) -> bool:
    """Make the food a favorite of the profile, and say whether it was none before."""
    # Not inside the transaction, which may run in a thread of its own; a catalogue belongs to this one.
    in_catalogue = is_id(food_id) and current.get().has(food_id)

    async def add(statements: Statements) -> bool:
        taken = await profiles.take_number(statements, reference_id)
        if taken is None:
            raise ProfileNotFound
        profile_id, place = taken
        # The profile's own food is kept from being deleted until it is a favorite, and then goes together with it.
        if not in_catalogue and not (
            is_id(food_id) and await custom_foods.lock_food(statements, profile_id, food_id) is not None
        ):
            raise _not_found()
        is_new = await favorites.add_favorite(statements, profile_id, food_id, place, now)
        await favorites.sweep_removed(statements, profile_id, now)
        return is_new

    return await store.transaction(add)


async def remove_favorite(
    current: CurrentCatalogue, store: Store, reference_id: str, food_id: str, now: datetime
) -> None:
    """Take the food out of the profile's favorites, where it need not be.

    A favorite can be removed whether or not its food is there still, and for a day after that once more. Any other
    food must be there: one that is not is more likely a mistake.
    """

    async def remove(statements: Statements) -> bool:
        profile = await profiles.lock_profile_alone(statements, reference_id)
        if profile is None:
            raise ProfileNotFound
        if not is_id(food_id):
            return False
        await favorites.remove_favorite(statements, profile.id, food_id, now)
        await favorites.sweep_removed(statements, profile.id, now)
        return await favorites.find_place(statements, profile.id, food_id, now) is not None or bool(
            await custom_foods.find_foods(statements, profile.id, [food_id])
        )

    is_known = await store.transaction(remove)
    if not is_known and not (is_id(food_id) and current.get().has(food_id)):
        raise _not_found()


def _not_found() -> FoodNotFound:
    return FoodNotFound(
        "Neither the catalogue nor this profile has a food with this _id. Take the _id from an answer of this server."
    )
