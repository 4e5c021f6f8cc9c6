"""What a saved meal is: foods with amounts under a name, to be logged together."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypedDict, Unpack

from provender.model.diary import Meal, Sums, eaten
from provender.model.portions import LoggedFood, Quantity

ITEMS_MAX = 100


@dataclass(frozen=True, slots=True)
class MealItem:
    """A food of a meal. The name is the one it had when it was put there; the food itself may be gone since."""

    food_id: str
    food_name: str
    number_of_servings: float
    is_custom: bool


class MealDetails(TypedDict, total=False):
    """What a change may name; what it does not name stays."""

    name: str
    meal: Meal
    items: tuple[MealItem, ...]


@dataclass(frozen=True, slots=True)
class SavedMeal:
    id: str
    name: str
    meal: Meal
    items: tuple[MealItem, ...]
    created_at: datetime
    updated_at: datetime

    @property
    def food_ids(self) -> set[str]:
        return {item.food_id for item in self.items}

    def changed(self, now: datetime, **details: Unpack[MealDetails]) -> "SavedMeal":
        """The meal after a change. A change to what it is already is none."""
        changed = replace(self, **details)
        return self if changed == self else replace(changed, updated_at=now)


def add_up(items: Iterable[MealItem], foods: Mapping[str, LoggedFood]) -> Sums:
    """What the items add up to whose foods are there; the others count as nothing, and not as unknown."""
    return Sums.total(
        eaten(foods[item.food_id], Quantity(item.number_of_servings)) for item in items if item.food_id in foods
    )
