"""Saved meals: create, find, list, change, delete. How they are logged is in `services/meal_logs.py`.

An item of a meal is `missing` when its food is neither in the catalogue now nor a custom food of the profile. Nothing
is written for that: whatever reads a meal looks for its foods.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, TypedDict, Unpack

from provender.model.diary import Meal
from provender.model.errors import Fault, FoodNotFound, MealNotFound, ProfileNotFound
from provender.model.ids import is_id, new_id
from provender.model.paging import MAX_LIMIT, Page, PageRequest
from provender.model.profiles import Profile
from provender.model.saved_meals import MealDetails, MealItem, SavedMeal, Totals, add_up
from provender.services.catalogue import CurrentCatalogue
from provender.services.portions import read_foods
from provender.services.profiles import read_page
from provender.storage import custom_foods, profiles, saved_meals
from provender.storage.engine import Statements
from provender.storage.saved_meals import StoredMeal
from provender.storage.store import Store


class NewItem(NamedTuple):
    """An item as it is asked for."""

    food_id: str
    number_of_servings: float


class MealChange(TypedDict, total=False):
    """What a change names; the rest stays."""

    name: str
    meal: Meal
    items: Sequence[NewItem]


class ShownMeal(NamedTuple):
    """A meal with the present names of those of its foods that are there."""

    meal: SavedMeal
    reference_id: str
    names: Mapping[str, str]


class WholeMeal(NamedTuple):
    """A meal with what its foods, as they are now, add up to."""

    shown: ShownMeal
    totals: Totals


async def create_meal(
    current: CurrentCatalogue,
    store: Store,
    reference_id: str,
    now: datetime,
    *,
    name: str,
    meal: Meal,
    items: Sequence[NewItem],
) -> str:
    """Save a meal of the profile, and return its id."""
    names = await _read_names(current, {item.food_id for item in items})
    id_ = new_id(now)

    async def create(statements: Statements) -> str:
        profile = await profiles.lock_profile_alone(statements, reference_id)
        if profile is None:
            raise ProfileNotFound
        found = await _find_items(statements, profile.id, items, names, kept=())
        await saved_meals.insert_meal(statements, profile.id, SavedMeal(id_, name, meal, found, now, now))
        return id_

    return await store.transaction(create)


async def get_meal(current: CurrentCatalogue, store: Store, meal_id: str, reference_id: str | None) -> WholeMeal:
    """The meal with this id; if a profile is named, it has to be one of its own."""
    return await _add_up(current, store, await get_stored(store, meal_id, reference_id))


async def get_owner(store: Store, meal_id: str, reference_id: str | None) -> str:
    """The `reference_id` of the profile whose meal it is."""
    return (await get_stored(store, meal_id, reference_id)).reference_id


async def list_meals(
    current: CurrentCatalogue, store: Store, reference_id: str, request: PageRequest
) -> Page[ShownMeal]:
    """The profile's meals, newest first."""
    page = await read_page(store, reference_id, saved_meals.list_meals(store, reference_id, request))
    food_ids = {food_id for stored in page.items for food_id in stored.meal.food_ids}
    names = await _read_names(current, food_ids)
    if others := food_ids - names.keys():
        own = await custom_foods.find_foods(store, page.items[0].profile_id, others)
        names |= {food.id: food.food_name for food in own.values()}
    return page.map(lambda stored: ShownMeal(stored.meal, reference_id, names))


async def change_meal(
    current: CurrentCatalogue,
    store: Store,
    meal_id: str,
    reference_id: str | None,
    now: datetime,
    **change: Unpack[MealChange],
) -> WholeMeal:
    """Change what is named, and return the meal as it is then."""
    # Also where no items are sent: the answer needs the catalogue, and one that is not there is better told before.
    names = await _read_names(current, {item.food_id for item in change.get("items", ())})

    async def apply(statements: Statements) -> StoredMeal:
        stored, profile = await lock_meal(statements, meal_id, reference_id)
        before, details = stored.meal, MealDetails()
        if "name" in change:
            details["name"] = change["name"]
        if "meal" in change:
            details["meal"] = change["meal"]
        if "items" in change:
            details["items"] = await _find_items(statements, profile.id, change["items"], names, kept=before.items)
        after = before.changed(now, **details)
        if after is not before:
            await saved_meals.update_meal(statements, profile.id, after)
        return stored._replace(meal=after)

    return await _add_up(current, store, await store.transaction(apply))


async def delete_meal(store: Store, meal_id: str, reference_id: str | None) -> None:
    async def delete(statements: Statements) -> None:
        _, profile = await lock_meal(statements, meal_id, reference_id)
        await saved_meals.delete_meal(statements, profile.id, meal_id)

    await store.transaction(delete)


async def get_stored(statements: Statements, meal_id: str, reference_id: str | None) -> StoredMeal:
    """The meal as it is kept; if a profile is named, it has to be one of its own."""
    stored = await saved_meals.find_meal(statements, meal_id) if is_id(meal_id) else None
    if stored is None or reference_id not in (None, stored.reference_id):
        raise MealNotFound
    return stored


async def lock_meal(statements: Statements, meal_id: str, reference_id: str | None) -> tuple[StoredMeal, Profile]:
    """The meal, with its profile locked alone. It is read again after that: it may have waited for another change."""
    stored = await get_stored(statements, meal_id, reference_id)
    profile = await profiles.lock_profile_alone(statements, stored.reference_id)
    if profile is None or profile.id != stored.profile_id:
        raise MealNotFound
    return await get_stored(statements, meal_id, reference_id), profile


async def _read_names(current: CurrentCatalogue, food_ids: Collection[str]) -> dict[str, str]:
    """The names of those of the foods that the catalogue has.

    A page of meals may have thousands of foods; between so many of them others have their turn.
    """
    names: dict[str, str] = {}
    catalogue = current.get()
    for number, food_id in enumerate(food_ids, 1):
        if is_id(food_id) and (name := catalogue.find_name(food_id)) is not None:
            names[food_id] = name
        if number % MAX_LIMIT == 0:
            await asyncio.sleep(0)
            # It may be another version by now, and the one before closed.
            catalogue = current.get()
    return names


async def _find_items(
    statements: Statements,
    profile_id: str,
    new: Sequence[NewItem],
    names: Mapping[str, str],
    kept: Sequence[MealItem],
) -> tuple[MealItem, ...]:
    """The items as they are to be kept. A food that the meal has already may stay in it, even if it is gone."""
    known = {item.food_id: item for item in kept}
    sought = {item.food_id for item in new if is_id(item.food_id)} - names.keys() - known.keys()
    own = await custom_foods.find_foods(statements, profile_id, sought)
    items: list[MealItem] = []
    faults: list[Fault] = []
    for place, (food_id, number_of_servings) in enumerate(new):
        if food_id in known:
            before = known[food_id]
            items.append(MealItem(food_id, before.food_name, number_of_servings, before.is_custom))
        elif food_id in names:
            items.append(MealItem(food_id, names[food_id], number_of_servings, is_custom=False))
        elif food_id in own:
            items.append(MealItem(food_id, own[food_id].food_name, number_of_servings, is_custom=True))
        else:
            message = "is no food of the catalogue, and none of this profile."
            faults.append(Fault(f"items[{place}].food_id", FoodNotFound.code, message))
    if faults:
        raise FoodNotFound(
            "Neither the catalogue nor this profile has some of these foods. Take each _id from an answer of this "
            "server.",
            faults=faults,
        )
    return tuple(items)


async def _add_up(current: CurrentCatalogue, store: Store, stored: StoredMeal) -> WholeMeal:
    meal = stored.meal
    foods = {food_id: food.as_shown() for food_id, food in read_foods(current, meal.food_ids).items()}
    own = await custom_foods.find_foods(store, stored.profile_id, meal.food_ids - foods.keys())
    foods |= {food.id: food.food().as_shown() for food in own.values()}
    names = {food_id: food.name for food_id, food in foods.items()}
    return WholeMeal(ShownMeal(meal, stored.reference_id, names), add_up(meal.items, foods))
