"""Logging saved meals: their items become logs of the diary, all of them in one transaction."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from provender.model.diary import Meal, today
from provender.model.errors import Fault, FoodNotFound, InvalidParameters, MealItemsMissing
from provender.model.portions import Loggable
from provender.model.saved_meals import MealItem
from provender.services.catalogue import CurrentCatalogue
from provender.services.diary import write_logs
from provender.services.portions import NewLog, day_fault, lock_own_foods, prepare, read_foods
from provender.services.saved_meals import get_stored, lock_meal
from provender.storage import profiles
from provender.storage.engine import Statements
from provender.storage.store import Store


class LoggedMeal(NamedTuple):
    """The ids of the logs in the order of the items, and the items whose food is missing."""

    log_ids: Sequence[str]
    skipped: Sequence[MealItem]


class Logging(NamedTuple):
    """How a meal is to be logged. By default its day is today, and its meal the saved meal's own."""

    day: date | None
    meal: Meal | None
    note: str | None
    skip_missing: bool


async def log_meal(
    current: CurrentCatalogue, store: Store, meal_id: str, reference_id: str | None, how: Logging, now: datetime
) -> LoggedMeal:
    """Write a log for each item of the meal into its profile's diary: all of them or none."""
    while True:
        # Foods of the catalogue are read before the transaction, which may run in a thread of its own. A meal that
        # gets other foods between the two is begun with once more.
        looked_for = (await get_stored(store, meal_id, reference_id)).meal.food_ids
        logged = await _log_once(
            store, meal_id, reference_id, how, now, looked_for=looked_for, known=read_foods(current, looked_for)
        )
        if logged is not None:
            return logged


async def _log_once(
    store: Store,
    meal_id: str,
    reference_id: str | None,
    how: Logging,
    now: datetime,
    *,
    looked_for: set[str],
    known: Mapping[str, Loggable],
) -> LoggedMeal | None:
    """None where the meal has foods by now that were not looked for."""

    async def log(statements: Statements) -> LoggedMeal | None:
        stored, profile = await lock_meal(statements, meal_id, reference_id)
        meal = stored.meal
        if not meal.food_ids <= looked_for:
            return None
        if how.day is not None and (fault := day_fault("date", how.day, today(profile.timezone, now))) is not None:
            raise InvalidParameters([fault])
        foods = {**known, **await lock_own_foods(statements, profile.id, meal.food_ids - known.keys())}
        missing = {place: item for place, item in enumerate(meal.items) if item.food_id not in foods}
        if missing and not how.skip_missing:
            raise _items_missing(missing)
        new = [
            NewLog(
                reference_id=profile.reference_id,
                food_id=item.food_id,
                meal=how.meal or meal.meal,
                number_of_servings=item.number_of_servings,
                day=how.day,
                note=how.note,
                name=f"items[{place}].",
            )
            for place, item in enumerate(meal.items)
            if place not in missing
        ]
        begun = await profiles.begin_logs(statements, profile.reference_id, len(new), now) if new else None
        if begun is None:
            return LoggedMeal([], list(missing.values()))
        portions = prepare(new, [foods[log.food_id] for log in new], {profile.reference_id: profile}, now)
        ids = await write_logs(statements, profile, begun[1], portions, now)
        return LoggedMeal(ids, list(missing.values()))

    return await store.transaction(log)


def _items_missing(missing: Mapping[int, MealItem]) -> MealItemsMissing:
    return MealItemsMissing(
        faults=[
            Fault(f"items[{place}].food_id", FoodNotFound.code, f"is {item.food_name!r}, which no longer exists.")
            for place, item in missing.items()
        ]
    )
