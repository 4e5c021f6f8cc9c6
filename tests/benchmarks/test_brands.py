"""The invented brand products: always the same, and as uneven as real ones."""

import itertools
import re
from collections import Counter

import pytest

from benchmarks.brand_words import PLAIN
from benchmarks.brands import generate_brand_foods
from provender.model.foods import Food, FoodType
from provender.model.gtin import is_gtin13, is_in_store

COUNT = 20_000


@pytest.fixture(scope="module")
def foods() -> list[Food]:
    return list(generate_brand_foods(COUNT))


@pytest.fixture(scope="module")
def word_counts(foods: list[Food]) -> Counter[str]:
    """How many foods have each word in their names."""
    return Counter(word for food in foods for word in set(re.findall(r"[^\W_]+", food.name.lower())))


def test_the_same_seed_gives_the_same_foods(foods: list[Food]) -> None:
    assert list(generate_brand_foods(500)) == foods[:500]


def test_the_foods_are_the_same_on_every_machine(foods: list[Food]) -> None:
    """A change here changes every figure that was measured with them, so it must be meant."""
    assert [(food.name, food.brand, food.barcode) for food in foods[:4]] == [
        ("Fromage de quinoa pur", "Dolandique", "9528900000001"),
        ("GREVIEZ CHEESE", "Marneon Organics", "9522774204893"),
        ("Apfelmarmelade", "La Ferme Motiette", "9526648409780"),
        ("lövea organic cookies, chocolate", "Copper Heron", "9520522614673"),
    ]


def test_another_seed_gives_other_foods(foods: list[Food]) -> None:
    others = list(itertools.islice(generate_brand_foods(COUNT, seed=2), 500))
    assert not {food.barcode for food in others} & {food.barcode for food in foods}
    assert [food.name for food in others] != [food.name for food in foods[:500]]


def test_every_barcode_is_valid_and_its_own(foods: list[Food]) -> None:
    barcodes = [food.barcode for food in foods if food.barcode is not None]
    assert len(set(barcodes)) == COUNT
    assert all(is_gtin13(barcode) and not is_in_store(barcode) for barcode in barcodes)
    assert [food.source_key for food in foods] == barcodes


def test_every_food_is_a_brand_with_energy_and_a_serving(foods: list[Food]) -> None:
    assert all(food.food_type is FoodType.BRAND and food.name and food.brand for food in foods)
    assert all("energy_kcal" in food.nutrients and len(food.servings) == 1 for food in foods)


def test_names_of_plain_foods_come_in_every_case(foods: list[Food]) -> None:
    plain = {food.name for food in foods if food.name.lower() in PLAIN}
    assert {"Milk", "Chicken Breast", "Butter", "MILK"} <= plain
    assert any(name.islower() for name in plain)


@pytest.mark.parametrize(
    "pattern", ["[à-ÿ]", "'", "-", "&", "%", r"\d+ x \d+ ml", r"(\w+\W+){9}\w+$", r"(?i)milk chocolate", "^[A-Z ]+$"]
)
def test_what_makes_real_names_hard_occurs(foods: list[Food], pattern: str) -> None:
    assert any(re.search(pattern, food.name) for food in foods)


def test_few_words_are_common_and_many_occur_once(word_counts: Counter[str]) -> None:
    assert word_counts.most_common(1)[0][1] > 0.03 * COUNT
    assert sum(count == 1 for count in word_counts.values()) > 1000


def test_some_brands_are_common_and_some_occur_once(foods: list[Food]) -> None:
    brands = Counter(food.brand for food in foods)
    assert brands.most_common(1)[0][1] > 0.01 * COUNT
    assert sum(count == 1 for count in brands.values()) > 200
