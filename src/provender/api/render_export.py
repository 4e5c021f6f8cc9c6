"""The export of a profile as it looks on the wire: one JSON document, in pieces of a page each."""

from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import date, datetime
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Raw, UnsetType

from provender.api.answers import Stream
from provender.model.export_format import FORMAT
from provender.model.saved_meals import SavedMeal
from provender.model.times import from_day, to_ms
from provender.services.exports import Export
from provender.storage.diary import StoredLog
from provender.storage.favorites import StoredFavorite
from provender.storage.fragments import StoredFood
from provender.storage.groups import as_sent
from provender.storage.logged_foods import StoredLoggedFood

T = TypeVar("T")

_encode = msgspec.json.Encoder().encode

# In answers it is an object of numbers. It is kept as the JSON that answers show, so it is not taken apart here.
_Members = dict[str, float]

_Meal = Literal["breakfast", "lunch", "dinner", "snack"]


class ExportedFood(msgspec.Struct, kw_only=True):
    """A custom food, with all its values for one serving."""

    id: str = msgspec.field(name="_id")
    food_name: str
    food_type: Literal["generic", "brand"]
    brand_name: str | None
    serving_description: str
    metric_serving_amount: int
    metric_serving_unit: Literal["g", "ml", "oz"]
    barcode: str | UnsetType = UNSET
    macro_nutrients: _Members
    water_in_gm: float | UnsetType = UNSET
    vitamins: _Members
    minerals: _Members
    carbohydrates: _Members
    lipids: _Members
    proteins: _Members
    created_at: int
    updated_at: int


class ExportedFavorite(msgspec.Struct):
    """A favorite food, and when it was added."""

    food_id: str
    added_at: int


class ExportedItem(msgspec.Struct):
    """An item of a saved meal. The name is the one that the food had when it was put there."""

    food_id: str
    food_name: str
    number_of_servings: float
    is_custom: bool


class ExportedMeal(msgspec.Struct, kw_only=True):
    """A saved meal."""

    id: str = msgspec.field(name="_id")
    name: str
    meal: _Meal
    items: list[ExportedItem]
    created_at: int
    updated_at: int


class ExportedLoggedFood(msgspec.Struct, kw_only=True):
    """A food as it was logged: all values are for one serving, unrounded even where they are shown rounded."""

    id: str = msgspec.field(name="_id")
    food_id: str
    food_name: str
    food_type: Literal["generic", "brand"]
    brand_name: str | None
    serving_description: str
    metric_serving_amount: float
    metric_serving_unit: Literal["g", "ml", "oz"]
    is_rounded: bool
    macro_nutrients: _Members
    water_in_gm: float | UnsetType = UNSET
    vitamins: _Members
    minerals: _Members
    carbohydrates: _Members
    lipids: _Members
    proteins: _Members


class ExportedLog(msgspec.Struct, kw_only=True):
    """A diary log: how much of which food as it was logged. `metric_amount` is there only where it was weighed."""

    id: str = msgspec.field(name="_id")
    food_id: str
    is_custom: bool
    logged_food_id: str
    number_of_servings: float
    metric_amount: float | UnsetType = UNSET
    meal: _Meal
    date: date
    note: str | None
    created_at: int
    updated_at: int


class ExportAnswer(msgspec.Struct, kw_only=True):
    """Everything that a profile has. Times are milliseconds since 1970."""

    format: int
    id: str = msgspec.field(name="_id")
    reference_id: str
    timezone: str | None
    created_at: int
    updated_at: int
    exported_at: int
    custom_foods: list[ExportedFood]
    favorites: list[ExportedFavorite]
    saved_meals: list[ExportedMeal]
    logged_foods: list[ExportedLoggedFood]
    diary_logs: list[ExportedLog]


def export(found: Export, now: datetime) -> Stream:
    return Stream(_pieces(found, now))


async def _pieces(found: Export, now: datetime) -> AsyncGenerator[bytes]:
    profile = found.profile
    head = {
        "format": FORMAT,
        "_id": profile.id,
        "reference_id": profile.reference_id,
        "timezone": profile.timezone,
        "created_at": to_ms(profile.created_at),
        "updated_at": to_ms(profile.updated_at),
        "exported_at": to_ms(now),
    }
    yield _encode(head)[:-1]
    lists: list[tuple[str, AsyncGenerator[Sequence[Any]], Callable[[Any], object]]] = [
        ("custom_foods", found.custom_foods(), _food),
        ("favorites", found.favorites(), _favorite),
        ("saved_meals", found.saved_meals(), _meal),
        ("logged_foods", found.logged_foods(), _logged_food),
        ("diary_logs", found.logs(), _log),
    ]
    for name, pages, shown in lists:
        before = f',"{name}":['.encode()
        async for page in pages:
            yield before + _encode([shown(each) for each in page])[1:-1]
            before = b","
        yield b"]" if before == b"," else before + b"]"
    await found.check()
    yield b"}\n"


def _food(food: StoredFood) -> dict[str, object]:
    shown: dict[str, object] = {"_id": food.id} | _described(food)
    if food.barcode is not None:
        shown["barcode"] = food.barcode
    return shown | _nutrients(food) | {"created_at": food.created_at, "updated_at": food.updated_at}


def _favorite(favorite: StoredFavorite) -> ExportedFavorite:
    return ExportedFavorite(favorite.food_id, favorite.added_at)


def _meal(meal: SavedMeal) -> ExportedMeal:
    return ExportedMeal(
        id=meal.id,
        name=meal.name,
        meal=meal.meal.value,
        items=[
            ExportedItem(item.food_id, item.food_name, as_sent(item.number_of_servings), item.is_custom)
            for item in meal.items
        ],
        created_at=to_ms(meal.created_at),
        updated_at=to_ms(meal.updated_at),
    )


def _logged_food(each: tuple[str, StoredLoggedFood]) -> dict[str, object]:
    food_id, food = each
    named: dict[str, object] = {"_id": food.id, "food_id": food_id}
    return named | _described(food) | {"is_rounded": bool(food.is_rounded)} | _nutrients(food)


def _described(food: StoredFood | StoredLoggedFood) -> dict[str, object]:
    return {
        "food_name": food.food_name,
        "food_type": food.food_type,
        "brand_name": food.brand_name,
        "serving_description": food.serving_description,
        "metric_serving_amount": as_sent(food.metric_serving_amount),
        "metric_serving_unit": food.metric_serving_unit,
    }


def _nutrients(food: StoredFood | StoredLoggedFood) -> dict[str, object]:
    shown: dict[str, object] = {"macro_nutrients": Raw(food.macro_nutrients)}
    if food.water_in_gm is not None:
        shown["water_in_gm"] = as_sent(food.water_in_gm)
    return shown | {
        "vitamins": Raw(food.vitamins),
        "minerals": Raw(food.minerals),
        "carbohydrates": Raw(food.carbohydrates),
        "lipids": Raw(food.lipids),
        "proteins": Raw(food.proteins),
    }


def _log(log: StoredLog) -> ExportedLog:
    return ExportedLog(
        id=log.id,
        food_id=log.food_id,
        is_custom=bool(log.is_custom),
        logged_food_id=log.logged_food_id,
        number_of_servings=as_sent(log.number_of_servings),
        metric_amount=UNSET if log.metric_amount is None else as_sent(log.metric_amount),
        meal=log.meal,  # type: ignore[arg-type]  # The storage has no other values.
        date=from_day(log.date),
        note=log.note,
        created_at=log.created_at,
        updated_at=log.updated_at,
    )
