"""Saved meals, and what logging one has made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from provender_client.models.answers import Answer, Created
from provender_client.models.diary import Meal
from provender_client.models.foods import Totals


@dataclass(frozen=True, slots=True, kw_only=True)
class MealItem(Answer):
    """A food of a saved meal. It is `missing` where the food no longer exists."""

    food_id: str
    food_name: str
    number_of_servings: float
    missing: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedMeal(Answer):
    """Foods that are eaten together, as a list has them."""

    id: str
    name: str
    meal: Meal
    profile_reference_id: str
    items: tuple[MealItem, ...]
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedMealWithTotals(SavedMeal):
    """A saved meal with what its items add up to now."""

    totals: Totals
    unknown: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedItem(Answer):
    """An item that was not logged, because its food no longer exists."""

    food_id: str
    food_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedMeal(Answer):
    """The logs that were made of a saved meal, in the order of its items."""

    data: tuple[Created, ...]
    skipped: tuple[SkippedItem, ...]


class _Required(TypedDict):
    food_id: str


class NewItem(_Required, total=False):
    """One item of a saved meal that is created or changed."""

    number_of_servings: float
