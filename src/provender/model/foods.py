"""What a food is: a name, its nutrients for 100 g or 100 ml, and the servings people measure it in."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from fractions import Fraction

from provender.model.ids import id_of
from provender.model.nutrients import GROUPS, PLACES, Group

# A serving is shown in whole grams; one that rounding would change by more than this is not shown at all.
LARGEST_ROUNDING = 0.05


class FoodType(StrEnum):
    GENERIC = "generic"
    BRAND = "brand"


class Unit(StrEnum):
    """What a serving is measured in. The catalogue uses grams and millilitres; custom foods may use ounces."""

    GRAM = "g"
    MILLILITRE = "ml"
    OUNCE = "oz"


@dataclass(frozen=True, slots=True)
class Serving:
    """A household measure, such as "1 cup", and what it weighs, or holds, in the food's own unit."""

    description: str
    amount: float


@dataclass(slots=True)
class Food:
    """A food of the catalogue. `nutrients` are for 100 of `unit`, in the units of the registry, unrounded.

    Nobody changes one; it is not frozen because an import makes millions, and a frozen one takes three times as long.
    """

    # The id is made of these two. One source may publish several datasets, with the same keys.
    source: str
    source_key: str
    dataset: str
    name: str
    brand: str | None
    unit: Unit
    nutrients: Mapping[str, float]
    servings: Sequence[Serving] = ()
    barcode: str | None = None
    # When the source last changed it, as far as the source says.
    released: datetime | None = None
    # Other names that the source has for it.
    besides: str | None = None
    # Nutrients that the source does not have and that were worked out from others.
    computed: frozenset[str] = frozenset()

    @property
    def id(self) -> str:
        return food_id(self.source, self.source_key)

    @property
    def food_type(self) -> FoodType:
        return FoodType.GENERIC if self.brand is None else FoodType.BRAND


def food_id(source: str, source_key: str) -> str:
    """The same food has the same id after every import, on every machine."""
    return id_of(f"{source}\0{source_key}")


def serving_id(food: str, description: str) -> str:
    """The id of one of a food's servings; it lasts as long as the source describes the serving alike."""
    return food_id("serving", f"{food}\0{description}")


def shown_amount(amount: float) -> int | None:
    """The whole number that stands for an amount, or None where rounding would change it by more than 5 %."""
    whole = math.floor(amount + 0.5)
    return whole if whole > 0 and abs(whole - amount) <= LARGEST_ROUNDING * amount else None


def choose_serving(food: Food) -> tuple[str, int]:
    """The serving that a food is shown with: its first household measure that can be shown, else 100 g or ml."""
    for serving in food.servings:
        whole = shown_amount(serving.amount)
        if whole is not None:
            return serving.description, whole
    return "100 " + food.unit, 100


def scale(nutrients: Mapping[str, float], amount: float) -> dict[Group, dict[str, float]]:
    """The nutrients of some amount, by group, in the registry's order, rounded for reading."""
    groups: dict[Group, dict[str, float]] = {group: {} for group in Group}
    share = amount / 100
    for name in sorted(nutrients, key=PLACES.__getitem__):
        groups[GROUPS[name]][name] = for_reading(nutrients[name] * share)
    return groups


def for_reading(value: float) -> float:
    """Four significant digits: a hundredth of a percent is more than any table knows, and 3.2999999 is not read."""
    if value == 0:
        return 0
    rounded = float("%.4g" % value)  # noqa: UP031 - It is faster than an f-string.
    return int(rounded) if rounded.is_integer() else rounded


def as_fraction(amount: float) -> str:
    """A household amount the way people say it: 0.5 is "1/2", 1.333 is "1 1/3", 2 is "2"."""
    fraction = Fraction(amount).limit_denominator(8)
    if abs(float(fraction) - amount) > 0.01 or fraction.denominator in (5, 7):
        return f"{amount:g}"
    whole, part = divmod(fraction, 1)
    words = [str(whole)] if whole or not part else []
    return " ".join([*words, str(part)] if part else words)
