"""Custom foods: create, find, list, change, delete."""

import hashlib
from datetime import datetime
from typing import Unpack

from provender.catalogue.store import Entry
from provender.model.custom_foods import CustomFood, Details, SentNutrients, merge
from provender.model.errors import FoodNotFound, ProfileNotFound
from provender.model.foods import FoodType, Unit
from provender.model.ids import is_id, new_id
from provender.model.nutrients import OPTIONAL_GROUPS
from provender.model.paging import Page, PageRequest
from provender.model.profiles import Profile
from provender.services.profiles import read_page
from provender.services.settling import lock_settled
from provender.storage import custom_foods, eaten, favorites, profiles
from provender.storage.engine import Statements
from provender.storage.fragments import StoredFood
from provender.storage.store import Store

_ALL_GROUPS = frozenset(group.value for group in OPTIONAL_GROUPS)


async def create_custom_food(
    store: Store,
    reference_id: str,
    now: datetime,
    *,
    name: str,
    brand: str | None,
    food_type: FoodType,
    serving_description: str,
    serving_amount: int,
    unit: Unit,
    barcode: str | None,
    nutrients: SentNutrients,
) -> str:
    """Make a food of the profile, and return its id."""
    food = CustomFood(
        id=new_id(now),
        name=name,
        brand=brand,
        food_type=food_type,
        serving_description=serving_description,
        serving_amount=serving_amount,
        unit=unit,
        nutrients=merge({}, nutrients),
        barcode=barcode,
        created_at=now,
        updated_at=now,
    )

    async def create(statements: Statements) -> str:
        profile = await _lock_profile(statements, reference_id)
        await custom_foods.insert_food(statements, profile.id, food)
        return food.id

    return await store.transaction(create)


async def find_custom_food(store: Store, food_id: str, include: frozenset[str]) -> Entry | None:
    """The food with this id, whichever profile of the application has it."""
    food = await custom_foods.find_food(store, food_id)
    return None if food is None else _entry(food, include)


async def find_custom_food_by_barcode(
    store: Store, reference_id: str, gtin13: str, include: frozenset[str]
) -> Entry | None:
    """The profile's own food with this barcode; of several the newest."""
    food = await custom_foods.find_food_by_barcode(store, reference_id, gtin13)
    return None if food is None else _entry(food, include)


async def list_custom_foods(
    store: Store, reference_id: str, include: frozenset[str], request: PageRequest
) -> Page[bytes]:
    page = await read_page(store, reference_id, custom_foods.list_foods(store, reference_id, request))
    return page.map(lambda food: food.body(include))


async def change_custom_food(
    store: Store,
    reference_id: str,
    food_id: str,
    now: datetime,
    nutrients: SentNutrients,
    **details: Unpack[Details],
) -> Entry:
    """Change what is named, and return the food with all its groups."""

    async def change(statements: Statements) -> CustomFood:
        profile = await _lock_profile(statements, reference_id)
        stored = await custom_foods.lock_food(statements, profile.id, food_id) if is_id(food_id) else None
        if stored is None:
            raise _not_found()
        before = stored.food()
        food = before.changed(nutrients, now, **details)
        if food is not before:
            await custom_foods.update_food(statements, profile.id, before, food)
        return food

    return _entry(StoredFood.of(await store.transaction(change), reference_id), _ALL_GROUPS)


async def delete_custom_food(store: Store, reference_id: str, food_id: str, now: datetime) -> None:
    """Delete the food, and take it out of its profile's favorites and of what it has eaten. Its logs stay."""

    async def delete(statements: Statements) -> None:
        # Alone: nobody may be logging it, or counting its logs, meanwhile. And settled, so that no log of it is counted
        # afterwards.
        profile = await lock_settled(statements, reference_id, now)
        if profile is None:
            raise ProfileNotFound
        if not is_id(food_id) or not await custom_foods.delete_food(statements, profile.id, food_id):
            raise _not_found()
        await favorites.remove_favorite(statements, profile.id, food_id, now)
        await eaten.delete_food(statements, profile.id, food_id)

    await store.transaction(delete)


async def _lock_profile(statements: Statements, reference_id: str) -> Profile:
    profile = await profiles.lock_profile(statements, reference_id)
    if profile is None:
        raise ProfileNotFound
    return profile


def _not_found() -> FoodNotFound:
    return FoodNotFound("This profile has no custom food with this _id. Foods of the catalogue cannot be changed.")


def _entry(food: StoredFood, include: frozenset[str]) -> Entry:
    body = food.body(include)
    return Entry(body, b'"%b"' % hashlib.blake2b(body, digest_size=12).hexdigest().encode())
