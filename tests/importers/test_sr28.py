"""The catalogue that ships, as a whole: how much is in it, and that nothing of it was lost or bent on the way."""

import time
from collections import Counter

import pytest

from provender.importers import sr28
from provender.importers.records import Accepted
from provender.importers.sr28_nutrients import NAMES
from provender.model.foods import Food, FoodType, Unit, choose_serving
from provender.model.nutrients import NUTRIENTS

# Energy in kilojoules is number 208 once more, and stands beside it in all but 33 foods.
KILOJOULES = "268"
FOODS_WITH_KILOJOULES = 8_756

# Portions that say nothing new (8), contradict themselves (5) or mean nothing (1); test_sr28_portions.py has the rules.
PORTIONS_LEFT_OUT = 14


@pytest.fixture(scope="module")
def header() -> sr28.Header:
    return sr28.read_header()


@pytest.fixture(scope="module")
def foods() -> list[Food]:
    outcomes = list(sr28.read_outcomes())
    accepted = [outcome for outcome in outcomes if isinstance(outcome, Accepted)]
    assert len(accepted) == len(outcomes)
    # A national table that needs mending would mean that the judge, or the mapping, is wrong.
    assert not [outcome for outcome in accepted if outcome.mends]
    return [outcome.food for outcome in accepted]


def test_the_header_says_what_the_file_holds(header: sr28.Header) -> None:
    assert header.release == "SR28"
    assert (header.foods, header.values, header.portions) == (8_789, 679_045, 15_438)
    assert len(header.nutrients) == 150


def test_every_food_is_accepted_and_none_is_mended(foods: list[Food], header: sr28.Header) -> None:
    assert len(foods) == header.foods


def test_no_two_foods_share_a_key_or_an_id(foods: list[Food]) -> None:
    assert len({food.source_key for food in foods}) == len(foods)
    assert len({food.id for food in foods}) == len(foods)


def test_foods_are_keyed_by_their_ndb_number_with_its_noughts(foods: list[Food]) -> None:
    assert {food.source for food in foods} == {"usda"}
    assert all(len(food.source_key) == 5 and food.source_key.isdigit() for food in foods)
    assert foods[0].source_key == "01001"
    assert [food.source_key for food in foods] == sorted(food.source_key for food in foods)


def test_every_value_arrives_but_the_kilojoules(foods: list[Food], header: sr28.Header) -> None:
    measured = sum(len(food.nutrients.keys() - food.computed) for food in foods)
    assert measured == header.values - FOODS_WITH_KILOJOULES
    assert all(value >= 0 for food in foods for value in food.nutrients.values())


def test_what_nobody_measured_is_absent(foods: list[Food]) -> None:
    known = Counter(name for food in foods for name in food.nutrients)
    # As many as NUT_DATA has rows of each: grep -c '~^~313~^' and so on.
    assert known["energy_kcal"] == known["total_protein_in_gm"] == 8_789
    assert known["water_in_gm"] == 8_788
    assert known["fluoride_in_mcg"] == 554
    assert known["fatty_acid_21_5_in_g"] == 127
    assert not known.keys() & {"added_sugars_in_g", "iodine_in_mcg"}


def test_net_carbohydrates_are_worked_out_where_fiber_is_known(foods: list[Food]) -> None:
    for food in foods:
        assert ("net_carbs_in_g" in food.computed) == ("fiber_in_g" in food.nutrients)
        assert food.computed <= {"net_carbs_in_g"}


def test_every_nutrient_of_the_tables_has_its_own_name_in_the_registry(header: sr28.Header) -> None:
    numbers = {number for number, _, _ in header.nutrients}
    assert numbers - NAMES.keys() == {KILOJOULES}
    assert NAMES.keys() <= numbers
    assert len(set(NAMES.values())) == len(NAMES) == 149
    assert set(NAMES.values()) <= NUTRIENTS.keys()


def test_no_unit_needs_a_conversion(header: sr28.Header) -> None:
    for number, unit, name in header.nutrients:
        if number != KILOJOULES:
            assert unit.replace("µg", "mcg") == NUTRIENTS[NAMES[number]].unit, name


@pytest.mark.parametrize(
    ("number", "name"),
    [
        # Those that are easily taken for one another.
        ("318", "vitamin_a_in_iu"),
        ("320", "vitamin_a_in_mcg"),
        ("324", "vitamin_d_in_iu"),
        ("328", "vitamin_d_in_mcg"),
        ("417", "folate_in_mcg"),
        ("431", "folic_acid_in_mcg"),
        ("432", "food_folate_in_mcg"),
        ("435", "folate_dfe_in_mcg"),
        ("621", "fatty_acid_22_6_n3_in_g"),
        ("631", "fatty_acid_22_5_n3_in_g"),
        ("675", "fatty_acid_18_2_n6_in_g"),
        ("685", "fatty_acid_18_3_n6_in_g"),
        ("851", "fatty_acid_18_3_n3_in_g"),
    ],
)
def test_numbers_mean_what_the_tables_say(number: str, name: str) -> None:
    assert NAMES[number] == name


def test_foods_of_a_manufacturer_are_brand_foods(foods: list[Food]) -> None:
    assert Counter(food.food_type for food in foods) == {FoodType.BRAND: 1_707, FoodType.GENERIC: 7_082}


def test_household_portions_are_kept_but_for_those_that_cannot_be_used(foods: list[Food], header: sr28.Header) -> None:
    assert sum(len(food.servings) for food in foods) == header.portions - PORTIONS_LEFT_OUT
    for food in foods:
        descriptions = [serving.description for serving in food.servings]
        # The id of a serving is made of its description.
        assert len(set(descriptions)) == len(descriptions), food.name
        assert all(serving.amount > 0 for serving in food.servings)


def test_every_food_is_weighed_and_can_be_shown(foods: list[Food]) -> None:
    assert {food.unit for food in foods} == {Unit.GRAM}
    shown = [choose_serving(food) for food in foods]
    assert shown.count(("100 g", 100)) == 366
    assert all(len(description) <= 80 for description, _ in shown)


def test_names_are_the_sources_own(foods: list[Food]) -> None:
    names = {food.source_key: food.name for food in foods}
    # But for doubled spaces, which 19 of them have.
    assert names == {record.ndb_number: " ".join(record.description.split()) for record in sr28.read_records()}
    assert names["01001"] == "Butter, salted"
    assert names["21237"] == "McDONALD'S, BIG MAC"
    assert names["20088"] == "Wild rice, raw"


def test_a_food_says_when_usda_last_changed_it(foods: list[Food]) -> None:
    released = [food.released for food in foods if food.released is not None]
    assert len(released) == len(foods)
    assert (min(released).year, max(released).year) == (1996, 2015)


def test_reading_is_fast_enough_for_the_first_start() -> None:
    start = time.monotonic()
    assert sum(1 for _ in sr28.read_outcomes()) == 8_789
    # About a second; the whole first start has five.
    assert time.monotonic() - start < 5
