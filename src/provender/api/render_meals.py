"""Saved meals as they look on the wire."""

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from provender.api.answers import Answer
from provender.api.render import Created
from provender.api.render_diary import whole
from provender.model.nutrients import Group
from provender.model.paging import Page
from provender.model.times import to_ms
from provender.services.meal_logs import LoggedMeal
from provender.services.saved_meals import ShownMeal, WholeMeal

_encode = msgspec.json.Encoder().encode

_Members = dict[str, float]


class MealItemAnswer(msgspec.Struct):
    """A food of a saved meal. One that is `missing` does not exist any more, and has the name that it had."""

    food_id: str
    food_name: str
    number_of_servings: float
    missing: bool


class MealListItem(msgspec.Struct, kw_only=True):
    """A saved meal as the list shows it. Times are milliseconds since 1970."""

    id: str = msgspec.field(name="_id")
    name: str
    meal: Literal["breakfast", "lunch", "dinner", "snack"]
    profile_reference_id: str
    items: list[MealItemAnswer]
    created_at: int
    updated_at: int


class MealPage(msgspec.Struct):
    """A page of a list of saved meals."""

    has_more: bool
    data: list[MealListItem]


class TotalsAnswer(msgspec.Struct, kw_only=True):
    """What the items add up to that are not missing, with the values that their foods have now."""

    macro_nutrients: _Members
    water_in_gm: float | UnsetType = UNSET
    vitamins: _Members
    minerals: _Members
    carbohydrates: _Members
    lipids: _Members
    proteins: _Members


class MealAnswer(MealListItem, kw_only=True):
    """A saved meal. `unknown` says how many of the items that are not missing did not know a nutrient."""

    totals: TotalsAnswer
    unknown: dict[str, int]


class SkippedItem(msgspec.Struct):
    """An item that was not logged, because its food is missing."""

    food_id: str
    food_name: str


class LoggedMealAnswer(msgspec.Struct):
    """The logs that were created, in the order of the items, and the items that were skipped."""

    data: list[Created]
    skipped: list[SkippedItem]


def meal(found: WholeMeal) -> Answer:
    groups: dict[str, Any] = {group.value: members for group, members in found.totals.groups.items()}
    # Water is a member by itself, and not there where nobody knows it.
    totals = TotalsAnswer(**groups.pop(Group.WATER.value), **groups)
    return Answer(_encode(MealAnswer(totals=totals, unknown=dict(found.totals.unknown), **_members(found.shown))))


def meal_page(page: Page[ShownMeal]) -> Answer:
    return Answer(_encode(MealPage(page.has_more, [MealListItem(**_members(found)) for found in page.items])))


def logged_meal(logged: LoggedMeal) -> Answer:
    """201 where something was logged, and 200 where every item was skipped."""
    data = [Created(id_, created=True) for id_ in logged.log_ids]
    skipped = [SkippedItem(item.food_id, item.food_name) for item in logged.skipped]
    return Answer(_encode(LoggedMealAnswer(data, skipped)), 201 if data else 200)


def _members(found: ShownMeal) -> dict[str, Any]:
    saved, names = found.meal, found.names
    items = [
        MealItemAnswer(
            item.food_id,
            names.get(item.food_id, item.food_name),
            whole(item.number_of_servings),
            missing=item.food_id not in names,
        )
        for item in saved.items
    ]
    return {
        "id": saved.id,
        "name": saved.name,
        "meal": saved.meal.value,
        "profile_reference_id": found.reference_id,
        "items": items,
        "created_at": to_ms(saved.created_at),
        "updated_at": to_ms(saved.updated_at),
    }
