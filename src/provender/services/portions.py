"""From what is asked to be logged to what is written: foods are found, servings chosen, amounts worked out."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache

import msgspec

from provender.catalogue.fragments import Record
from provender.model.custom_foods import CustomFood
from provender.model.diary import Meal, latest, today
from provender.model.errors import Fault, FoodNotFound, InvalidParameters
from provender.model.ids import is_id
from provender.model.portions import Loggable, Quantity
from provender.model.sums import TooMuch
from provender.services.catalogue import CurrentCatalogue
from provender.storage import custom_foods
from provender.storage.engine import Statements
from provender.storage.logged_foods import StoredLoggedFood


class NewLog(msgspec.Struct, frozen=True):
    """What is to be logged. `name` stands before the names of its parameters where it is one of several."""

    reference_id: str
    food_id: str
    meal: Meal
    number_of_servings: float | None = None
    metric_amount: float | None = None
    serving_id: str | None = None
    day: date | None = None
    note: str | None = None
    name: str = ""


class Portion(msgspec.Struct, frozen=True):
    """A food that is there, as it is going to be logged."""

    food_id: str
    is_custom: bool
    logged: StoredLoggedFood
    quantity: Quantity
    day: date
    meal: Meal
    note: str | None


def read_foods(current: CurrentCatalogue, food_ids: set[str]) -> dict[str, Loggable]:
    """Those of the foods that the catalogue has.

    Not to be called inside a transaction, which may run in a thread of its own: a catalogue belongs to this one.
    """
    catalogue = current.get()
    return {food_id: food for food_id in food_ids if is_id(food_id) and (food := catalogue.read(food_id)) is not None}


async def lock_own_foods(statements: Statements, profile_id: str, food_ids: set[str]) -> dict[str, Loggable]:
    """Those of the foods that the profile has made for itself, kept from being changed until they are logged."""
    own: dict[str, Loggable] = {}
    for food_id in sorted(food_ids):
        stored = await custom_foods.lock_food(statements, profile_id, food_id) if is_id(food_id) else None
        if stored is not None:
            own[food_id] = stored.food()
    return own


def prepare(
    new: Sequence[NewLog], foods: Sequence[Loggable | None], zones: Mapping[str, str | None], now: datetime
) -> list[Portion]:
    """What is to be written, or everything that is wrong with it. `zones` are the time zones of the profiles."""
    found = [(log, food) for log, food in zip(new, foods, strict=True) if food is not None]
    if len(found) < len(new):
        missing = [log for log, food in zip(new, foods, strict=True) if food is None]
        raise _foods_not_found(missing)
    faults: list[Fault] = []
    portions: list[Portion] = []
    for log, food in found:
        portion = find_portion(log, food, today(zones[log.reference_id], now), faults)
        if portion is not None:
            portions.append(portion)
    if faults:
        raise InvalidParameters(faults)
    return portions


def find_portion(log: NewLog, food: Loggable, own_today: date, faults: list[Fault]) -> Portion | None:
    """What is to be written of one log. What is wrong with it is added to the faults."""
    if log.day is not None and (fault := day_fault(f"{log.name}date", log.day, own_today)) is not None:
        faults.append(fault)
    logged = _from_catalogue(food, log.serving_id) if isinstance(food, Record) else _logged(food, log.serving_id)
    if logged is None:
        faults.append(_serving_fault(log))
        return None
    if log.metric_amount is not None:
        quantity = Quantity.weighing(log.metric_amount, logged.metric_serving_amount)
    else:
        quantity = Quantity(1 if log.number_of_servings is None else log.number_of_servings)
    try:
        logged.check(quantity)
    except TooMuch:
        # Where nobody has said how much, it is the food itself.
        said = log.number_of_servings is not None or log.metric_amount is not None
        faults.append(amount_fault(quantity, log.name) if said else _food_fault(log))
        return None
    day = own_today if log.day is None else log.day
    return Portion(log.food_id, isinstance(food, CustomFood), logged, quantity, day, log.meal, log.note)


def day_fault(param: str, day: date, own_today: date) -> Fault | None:
    """What is wrong with a day that is to be written, if anything is."""
    last = latest(own_today)
    if day <= last:
        return None
    return Fault(param, "out_of_range", f"must be at most one year ahead: {last} is the last day today.")


def amount_fault(quantity: Quantity, name: str = "") -> Fault:
    param = "number_of_servings" if quantity.metric_amount is None else "metric_amount"
    return Fault(f"{name}{param}", "out_of_range", "is so much that the food's values cannot be counted any more.")


def _logged(food: Loggable, serving_id: str | None) -> StoredLoggedFood | None:
    logged = food.as_shown() if serving_id is None else food.as_measured(serving_id)
    return None if logged is None else StoredLoggedFood.of(logged)


@lru_cache(maxsize=2048)
def _from_catalogue(food: Record, serving_id: str | None) -> StoredLoggedFood | None:
    """As above. People log the same foods again, and working this out takes longer than looking it up."""
    return _logged(food, serving_id)


def _food_fault(log: NewLog) -> Fault:
    return Fault(f"{log.name}food_id", "out_of_range", "is a food with more of something than can be counted.")


def _serving_fault(log: NewLog) -> Fault:
    return Fault(
        f"{log.name}serving_id",
        "unknown_serving",
        "is none of this food's servings. Retrieve the food with include[]=servings to see them.",
    )


def _foods_not_found(missing: Sequence[NewLog]) -> FoodNotFound:
    message = "is no food of the catalogue, and none of this profile."
    return FoodNotFound(
        "Neither the catalogue nor this profile has a food with this _id. Take the _id from an answer of this server.",
        faults=[Fault(f"{log.name}food_id", FoodNotFound.code, message) for log in missing if log.name],
    )
