"""The food diary: logs, what they add up to, and what is sent to make them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypedDict

from provender_client.models.answers import Answer
from provender_client.models.foods import FoodType, Nutrients, Totals, Unit

Meal = Literal["breakfast", "lunch", "dinner", "snack"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiaryLog(Nutrients):
    """A food as it was eaten. Its nutrients are those of all that was eaten."""

    id: str
    food_id: str
    food_name: str
    food_type: FoodType
    brand_name: str | None
    serving_description: str
    metric_serving_amount: float
    metric_serving_unit: Unit
    number_of_servings: float
    metric_amount: float
    meal: Meal
    date: dt.date
    note: str | None
    profile_reference_id: str
    created_at: dt.datetime
    updated_at: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums(Totals):
    """What logs add up to. `unknown` has the nutrients that some of them do not know, with the number of those."""

    entries: int
    unknown: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class DaySums(Sums):
    """What the logs of one day add up to."""

    date: dt.date


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Answer):
    """Every day that has logs, and all of them together."""

    data: tuple[DaySums, ...]
    total: Sums


class _Required(TypedDict):
    profile_reference_id: str
    food_id: str


class NewLog(_Required, total=False):
    """One log of a batch. The members are the parameters of `diary.create`."""

    number_of_servings: float
    metric_amount: float
    serving_id: str
    meal: Meal
    date: dt.date | str
    note: str
