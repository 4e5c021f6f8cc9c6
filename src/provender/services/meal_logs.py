"""Logging saved meals: their items become logs of the diary, all of them in one transaction."""

import contextlib
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import partial
from typing import NamedTuple

from provender.model.diary import Meal, today
from provender.model.errors import Fault, FoodNotFound, InvalidParameters, MealItemsMissing
from provender.model.portions import Loggable
from provender.model.saved_meals import MealItem
from provender.services.catalogue import CurrentCatalogue
from provender.services.new_logs import write_portions
from provender.services.portions import NewLog, day_fault, lock_own_foods, prepare, read_foods
from provender.services.saved_meals import get_stored, lock_meal
from provender.storage import profiles
from provender.storage.engine import Statements
from provender.storage.store import Store


class LoggedMeal(NamedTuple):
    """The ids of the logs in the order of the items, and the items whose food is missing."""

    log_ids: Sequence[str]
    skipped: Sequence[MealItem]


class MealToLog(NamedTuple):
    """Which saved meal is to be logged, and how. By default its day is today, and its meal the saved meal's own."""

    meal_id: str
    # If a profile is named, the meal has to be one of its own.
    reference_id: str | None
    day: date | None
    meal: Meal | None
    note: str | None
    skip_missing: bool


class _OtherFoods(Exception):
    """The meal has other foods than it had a moment ago, so that nobody has looked for them."""


async def log_meal(current: CurrentCatalogue, store: Store, asked: MealToLog, now: datetime) -> LoggedMeal:
    """Write a log for each item of the meal into its profile's diary: all of them or none."""
    while True:
        # The foods of the catalogue are read before the transaction, which may run in a thread of its own. A meal that
        # gets other foods between the two is begun with once more.
        stored = await get_stored(store, asked.meal_id, asked.reference_id)
        known = read_foods(current, stored.meal.food_ids)
        looked_for = {food_id: known.get(food_id) for food_id in stored.meal.food_ids}
        with contextlib.suppress(_OtherFoods):
            return await store.transaction(partial(_log, asked=asked, looked_for=looked_for, now=now))


async def _log(
    statements: Statements, asked: MealToLog, looked_for: Mapping[str, Loggable | None], now: datetime
) -> LoggedMeal:
    stored, profile = await lock_meal(statements, asked.meal_id, asked.reference_id)
    meal = stored.meal
    if not meal.food_ids <= looked_for.keys():
        raise _OtherFoods
    if asked.day is not None and (fault := day_fault("date", asked.day, today(profile.timezone, now))) is not None:
        raise InvalidParameters([fault])
    foods = {food_id: food for food_id, food in looked_for.items() if food is not None}
    foods |= await lock_own_foods(statements, profile.id, meal.food_ids - foods.keys())
    missing = {place: item for place, item in enumerate(meal.items) if item.food_id not in foods}
    if missing and not asked.skip_missing:
        raise _items_missing(missing)
    new = [
        NewLog(
            reference_id=profile.reference_id,
            food_id=item.food_id,
            meal=asked.meal or meal.meal,
            number_of_servings=item.number_of_servings,
            day=asked.day,
            note=asked.note,
            name=f"items[{place}].",
        )
        for place, item in enumerate(meal.items)
        if place not in missing
    ]
    begun = await profiles.begin_logs(statements, profile.reference_id, len(new), now) if new else None
    if begun is None:
        return LoggedMeal([], list(missing.values()))
    portions = prepare(new, [foods[log.food_id] for log in new], {profile.reference_id: profile.timezone}, now)
    return LoggedMeal(await write_portions(statements, begun, portions, now), list(missing.values()))


def _items_missing(missing: Mapping[int, MealItem]) -> MealItemsMissing:
    return MealItemsMissing(
        faults=[
            Fault(f"items[{place}].food_id", FoodNotFound.code, f'is "{item.food_name}", which no longer exists.')
            for place, item in missing.items()
        ]
    )
