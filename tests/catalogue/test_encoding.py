"""The pieces of a food are what a plain encoder makes of it, byte for byte: the `ETag` of a food depends on them."""

import random
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from provender.catalogue.encoding import encode_food
from provender.catalogue.fragments import Fragments
from provender.importers import sr28
from provender.importers.records import Accepted
from provender.model.foods import Food, Serving, Unit, choose_serving, for_reading, scale, serving_id
from provender.model.nutrients import NUTRIENTS, OPTIONAL_GROUPS, Group
from tests.pantry import BANANA, PANTRY


def _encode_plainly(food: Food, food_id: str) -> Fragments:
    description, amount = choose_serving(food)
    groups = scale(food.nutrients, amount)
    core: dict[str, Any] = {
        "_id": food_id,
        "food_name": food.name,
        "food_type": food.food_type.value,
        "brand_name": food.brand,
        "serving_description": description[:255],
        "metric_serving_amount": amount,
        "metric_serving_unit": food.unit.value,
        "macro_nutrients": groups[Group.MACRO_NUTRIENTS],
        **groups[Group.WATER],
        "profile_reference_id": None,
    }
    first = {serving.description: serving for serving in reversed(food.servings)}
    servings = [serving for serving in food.servings if first[serving.description] is serving]
    if (hundred := f"100 {food.unit.value}") not in first:
        servings.append(Serving(hundred, 100.0))
    listed = [
        {
            "_id": serving_id(food_id, serving.description),
            "serving_description": serving.description[:255],
            "metric_serving_amount": for_reading(serving.amount),
            "metric_serving_unit": food.unit.value,
        }
        for serving in servings
    ]
    per_100 = {"unit": food.unit.value, "nutrients": food.nutrients, "computed": sorted(food.computed)}
    encode = msgspec.json.encode
    groups_alone = [encode(groups[group]) for group in OPTIONAL_GROUPS]
    return Fragments._make([encode(core)[:-1], *groups_alone, encode(listed), encode(per_100)])


def _check(food: Food) -> None:
    assert encode_food(food, food.id) == _encode_plainly(food, food.id)


@pytest.mark.parametrize("food", PANTRY, ids=lambda food: food.name)
def test_a_food_is_encoded_as_a_plain_encoder_would(food: Food) -> None:
    _check(food)


def test_every_food_that_ships_is_encoded_so() -> None:
    for outcome in sr28.read_outcomes():
        assert isinstance(outcome, Accepted)
        _check(outcome.food)


def test_numbers_of_every_size_and_nutrients_in_any_order_are() -> None:
    chance = random.Random(20)  # noqa: S311 - The same numbers every time.
    names = list(NUTRIENTS)
    for _ in range(2000):
        chosen = chance.sample(names, chance.randrange(len(names)))
        nutrients = {name: chance.random() * 10.0 ** chance.randint(-12, 12) for name in chosen}
        nutrients |= dict.fromkeys(chosen[:2], 0.0) | dict.fromkeys(chosen[2:3], -0.0)
        _check(replace(BANANA, nutrients=nutrients, unit=chance.choice([Unit.GRAM, Unit.MILLILITRE])))


@pytest.mark.parametrize(
    "servings",
    [
        [],
        [Serving("1 cup", 240.0)],
        [Serving("1 cup", 240.0), Serving("1 cup", 250.0), Serving("1 tbsp", 15.25)],
        [Serving("100 g", 100.0), Serving("1 piece", 1e-7)],
        [Serving('a "quoted" \\ line\n' * 40, 12345.678)],
    ],
)
def test_servings_are_listed_once_and_with_100_g(servings: list[Serving]) -> None:
    _check(replace(BANANA, servings=servings, name='“Bananá” \\ "ripe"\t', brand="Ünï & Cø", computed=frozenset("ba")))
