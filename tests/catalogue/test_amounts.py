"""Amounts in queries: what is one, and that it says how much is meant and not what."""

from pathlib import Path

import pytest

from provender.catalogue.amounts import leave_out_amount
from provender.model.foods import Food
from provender.model.paging import PageRequest
from tests.searching import brand_food, build_catalogue, opened, page_of, plain_food


@pytest.mark.parametrize(
    ("query", "food"),
    [
        ("2 eggs", "eggs"),
        ("2 eggs, boiled", "eggs, boiled"),
        ("1 apple", "apple"),
        ("1/2 avocado", "avocado"),
        ("½ avocado", "avocado"),
        ("1½ cups of rice", "rice"),
        ("100g rice", "rice"),
        ("0,5 l milk", "milk"),
        ("250 ML milk", "milk"),
        ("6 oz. steak", "steak"),
        ("12 fl oz beer", "beer"),
        ("3 glasses of wine", "wine"),
        ("cup of tea", "tea"),
        ("a slice of bread", "bread"),
        (" 2  cans of tuna", "tuna"),
    ],
)
def test_an_amount_that_a_query_begins_with_is_left_out(query: str, food: str) -> None:
    assert leave_out_amount(query) == food


@pytest.mark.parametrize(
    "query",
    [
        *("eggs", "", "2", "2 ", "½", "100g", "cup", "cup of", "cup of ", "2 cups of", "1 glass of the "),
        # Names that begin with a number, or with a unit.
        *("7up", "7 up", "5 spice", "4 cheese pizza", "100 grand", "2% milk", "80/20 ground beef", "glass noodles"),
        # An amount that stands elsewhere, and a word that only begins like a unit.
        *("eggs 2", "yogurt 500 g", "2 glace cherry", "cupcake of mine"),
    ],
)
def test_what_is_no_amount_stays(query: str) -> None:
    assert leave_out_amount(query) is None


EGGS = plain_food("Egg, whole, raw, fresh")
CUSTARD = plain_food("Egg custards, dry mix, prepared with 2% milk")
SCOTCH = brand_food("2 scotch eggs", "Acme")
TEA = plain_food("Beverages, tea, black, brewed")
TEA_CUPS = brand_food("Tea cups", "Acme")
FIVE_SPICE = brand_food("Chinese 5 spice", "Acme")
PAPRIKA = plain_food("Spices, paprika")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        # The food that is counted comes first, and whatever has the number in its name is found as well.
        ("2 eggs", [EGGS, CUSTARD, SCOTCH]),
        ("cup of tea", [TEA, TEA_CUPS]),
        ("1 cup tea", [TEA, TEA_CUPS]),
        ("100g paprika", [PAPRIKA]),
        ("5 spice", [FIVE_SPICE]),
    ],
)
def test_an_amount_says_how_much_is_meant_and_not_what(tmp_path: Path, query: str, found: list[Food]) -> None:
    foods = [EGGS, CUSTARD, SCOTCH, TEA, TEA_CUPS, FIVE_SPICE, PAPRIKA]
    with opened(build_catalogue(tmp_path, foods)) as catalogue:
        names = {food.id: food.name for food in foods}
        ids, more = page_of(catalogue, query, PageRequest(10))
        assert [names[food_id] for food_id in ids] == [food.name for food in found]
        assert not more
