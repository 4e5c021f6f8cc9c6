"""Foods, and what is in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from provender_client.models.answers import Answer

Amounts = Mapping[str, float]
FoodType = Literal["generic", "brand"]
Unit = Literal["g", "ml", "oz"]
Group = Literal["vitamins", "minerals", "carbohydrates", "lipids", "proteins"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Nutrients(Answer):
    """Amounts by group. A nutrient that is not there is unknown, not zero; a group that is None was not asked for."""

    macro_nutrients: Amounts
    water_in_gm: float | None = None
    vitamins: Amounts | None = None
    minerals: Amounts | None = None
    carbohydrates: Amounts | None = None
    lipids: Amounts | None = None
    proteins: Amounts | None = None

    @property
    def energy_kcal(self) -> float | None:
        return self.macro_nutrients.get("energy_kcal")

    def amount(self, nutrient: str) -> float | None:
        """How much of a nutrient, whichever group it is in; None where that is unknown or was not asked for."""
        if nutrient == "water_in_gm":
            return self.water_in_gm
        groups = (
            self.macro_nutrients,
            self.vitamins,
            self.minerals,
            self.carbohydrates,
            self.lipids,
            self.proteins,
        )
        return next((group[nutrient] for group in groups if group and nutrient in group), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals(Nutrients):
    """What several foods add up to, in every group."""

    vitamins: Amounts
    minerals: Amounts
    carbohydrates: Amounts
    lipids: Amounts
    proteins: Amounts


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving(Answer):
    """A household measure of a food."""

    id: str
    serving_description: str
    metric_serving_amount: float
    metric_serving_unit: Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Food(Nutrients):
    """A food of the catalogue, or a profile's own. Its nutrients are those of one serving as described."""

    id: str
    food_name: str
    food_type: FoodType
    brand_name: str | None
    serving_description: str
    metric_serving_amount: int
    metric_serving_unit: Unit
    profile_reference_id: str | None
    created_at: datetime
    updated_at: datetime
    barcode: str | None = None
    servings: tuple[Serving, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Nutrient(Answer):
    """A nutrient that foods may have, and the group in which they have it."""

    name: str
    group: str
    unit: str
    title: str
