"""Answers as dataclasses: also those of a server that is newer than the client."""

import copy
import pickle
from dataclasses import FrozenInstanceError
from datetime import UTC, date, datetime
from typing import Any

import pytest

from provender_client.decoding import reader
from provender_client.models.diary import DiaryLog, Summary
from provender_client.models.foods import Food
from provender_client.models.operating import NewKey

FOOD: dict[str, Any] = {
    "_id": "qH2cz3R44WDV4dIf",
    "food_name": "Bananas, raw",
    "food_type": "generic",
    "brand_name": None,
    "serving_description": "1 medium",
    "metric_serving_amount": 118,
    "metric_serving_unit": "g",
    "macro_nutrients": {"energy_kcal": 105},
    "profile_reference_id": None,
    "created_at": 1794732646567,
    "updated_at": 1794732646567,
}


def test_a_newer_server_is_understood_and_what_is_new_is_kept() -> None:
    food = reader(Food)(FOOD | {"food_type": "recipe", "co2_in_g": 80, "servings": [{"_id": "s", "new": 1} | SERVING]})
    assert str(food.food_type) == "recipe"
    assert food.extra == {"co2_in_g": 80}
    assert food.servings is not None
    assert food.servings[0].extra == {"new": 1}
    assert food.raw["co2_in_g"] == 80


SERVING = {"serving_description": "1 slice", "metric_serving_amount": 4.5, "metric_serving_unit": "g"}


def test_times_are_aware_and_exact_to_the_millisecond() -> None:
    food = reader(Food)(FOOD)
    assert food.created_at == datetime(2026, 11, 15, 8, 50, 46, 567000, tzinfo=UTC)


def test_an_answer_cannot_be_changed_and_can_be_compared_copied_and_pickled() -> None:
    food, same = reader(Food)(FOOD), reader(Food)(FOOD | {"unknown to us": 1})
    with pytest.raises(FrozenInstanceError):
        food.food_name = "Apple"  # type: ignore[misc]
    assert food == same
    assert copy.deepcopy(food) == food
    assert pickle.loads(pickle.dumps(food)) == food  # noqa: S301 - It is our own.


def test_a_new_key_does_not_get_into_logs() -> None:
    key = reader(NewKey)({"_id": "pv_EXAMPLE1", "key": "pv_EXAMPLE1secret", "created": True})
    assert key.key == "pv_EXAMPLE1secret"
    assert "secret" not in repr(key)


def test_unknown_is_not_zero() -> None:
    food = reader(Food)(FOOD | {"vitamins": {"vitamin_c_in_mg": 0}})
    assert food.amount("vitamin_c_in_mg") == 0
    assert food.amount("vitamin_e_in_mg") is None
    assert food.amount("water_in_gm") is None
    assert food.minerals is None


def test_what_is_nested_is_read_too() -> None:
    groups: dict[str, Any] = {name: {} for name in ("vitamins", "minerals", "carbohydrates", "lipids", "proteins")}
    sums = groups | {"entries": 1, "macro_nutrients": {"energy_kcal": 105}, "unknown": {"iron_in_mg": 1}}
    summary = reader(Summary)({"data": [sums | {"date": "2026-03-09"}], "total": sums})
    assert summary.data[0].date == date(2026, 3, 9)
    assert summary.total.energy_kcal == 105
    assert summary.total.unknown == {"iron_in_mg": 1}


@pytest.mark.parametrize("missing", ["_id", "macro_nutrients"])
def test_an_answer_without_what_it_must_have_is_refused(missing: str) -> None:
    with pytest.raises(TypeError):
        reader(Food)({name: value for name, value in FOOD.items() if name != missing})


def test_a_log_is_no_food() -> None:
    with pytest.raises(TypeError):
        reader(DiaryLog)(FOOD)
