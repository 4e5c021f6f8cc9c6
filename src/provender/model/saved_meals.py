"""What a saved meal is: foods with amounts under a name, to be logged together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypedDict, Unpack

from provender.model.decimals import as_ratio, from_billionths, times, to_billionths
from provender.model.diary import Meal
from provender.model.nutrients import PLACES, Group
from provender.model.portions import LoggedFood

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


@dataclass(frozen=True, slots=True)
class Totals:
    """What a meal adds up to: the nutrients that some item knows, and how many items do not know one of them."""

    groups: Mapping[Group, Mapping[str, float]]
    unknown: Mapping[str, int]


def add_up(items: Sequence[MealItem], foods: Mapping[str, LoggedFood]) -> Totals:
    """The items whose foods are there; the others count as nothing, and not as unknown.

    It is the diary's arithmetic, but not its `Sums`: those have room for what can be logged only, and what a custom
    food says of itself may be more.
    """
    present = [item for item in items if item.food_id in foods]
    # Of each nutrient its sum, and how many items know it.
    sums: dict[Group, dict[str, tuple[int, int]]] = {group: {} for group in Group}
    for item in present:
        ratio = as_ratio(item.number_of_servings)
        for group, nutrients in foods[item.food_id].shown.items():
            members = sums[group]
            for name, value in nutrients.items():
                before, known = members.get(name, (0, 0))
                members[name] = before + times(to_billionths(value), ratio), known + 1
    groups: dict[Group, dict[str, float]] = {}
    unknown: dict[str, int] = {}
    for group, found in sums.items():
        names = sorted(found, key=_place)
        groups[group] = {name: from_billionths(found[name][0]) for name in names}
        unknown |= {name: len(present) - found[name][1] for name in names if found[name][1] < len(present)}
    return Totals(groups, unknown)


def _place(name: str) -> tuple[int, str]:
    """Nutrients of the registry come in its order, and those of other names after them."""
    return PLACES.get(name, len(PLACES)), name
