"""Open Food Facts' own files, whole. They are not part of the project: without them these tests are skipped."""

import gzip
import json
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from provender.importers.off import judge_line, read_csv, read_jsonl
from provender.importers.off_parquet import read_parquet
from provender.importers.records import Accepted, Outcome
from provender.model.foods import Food, Unit
from provender.model.judging import Reason

FILES = Path(__file__).parents[2].parent / "shared" / "data" / "off"

pytestmark = pytest.mark.skipif(not FILES.exists(), reason=f"the Open Food Facts files are not in {FILES}")


def read_older() -> list[Outcome]:
    with gzip.open(FILES / "products_1000_nutriments.jsonl.gz") as file:
        return list(read_jsonl(file))


def read_newer() -> list[Outcome]:
    with gzip.open(FILES / "products_1000_nutrition_v1003.jsonl.gz") as file:
        return list(read_jsonl(file))


def count(outcomes: Iterable[Outcome]) -> Counter[str]:
    return Counter("accepted" if isinstance(outcome, Accepted) else outcome.reason.value for outcome in outcomes)


def foods_by_key(outcomes: Iterable[Outcome]) -> dict[str, Food]:
    return {outcome.food.source_key: outcome.food for outcome in outcomes if isinstance(outcome, Accepted)}


def list_differences(food: Food, other: Food, within: float) -> set[str]:
    return {
        name
        for name in food.nutrients.keys() | other.nutrients.keys()
        if not math.isclose(food.nutrients.get(name, math.nan), other.nutrients.get(name, math.nan), rel_tol=within)
    }


# A quarter of the products holds values for 100 g that were entered as values for a small serving, and multiplied.
OLDER = Counter(
    {
        "accepted": 904,
        "more_than_100_g": 2,
        "no_energy": 37,
        # Mints of half a gram and the like, with values for one alone.
        "no_basis": 33,
        "no_name": 20,
        "macros_over_105_g": 3,
        "negative_value": 1,
    }
)


def test_every_product_of_the_older_layout_has_an_outcome() -> None:
    outcomes = read_older()
    assert len(outcomes) == 1000
    assert count(outcomes) == OLDER


def test_every_product_of_the_newer_layout_has_an_outcome() -> None:
    outcomes = read_newer()
    assert len(outcomes) == 1000
    # This file was made from the values for 100 g alone: what had only values for a serving has none here.
    assert count(outcomes) == OLDER - Counter(no_basis=33) + Counter(no_energy=33)


def test_both_layouts_give_the_same_foods() -> None:
    older, newer = foods_by_key(read_older()), foods_by_key(read_newer())
    assert older.keys() == newer.keys()
    differing = {key: names for key, food in older.items() if (names := list_differences(food, newer[key], 1e-9))}
    # The file of the newer layout calls the alcohol of these "g", where it is the "% vol" of the older one: five foods
    # with traces of it from their ingredients, weighed in grams, for which a share of volume is no amount.
    assert differing.keys() == {
        "0002000010775",
        "0009300000307",
        "0009300000673",
        "0009300004084",
        "0009300005234",
    }
    assert all(names == {"alcohol_in_gm"} for names in differing.values())
    for key, food in older.items():
        assert replace(food, nutrients={}) == replace(newer[key], nutrients={})


def test_what_is_sold_by_volume_is_measured_in_millilitres() -> None:
    assert Counter(food.unit for food in foods_by_key(read_older()).values()) == {Unit.GRAM: 848, Unit.MILLILITRE: 56}


def test_servings_and_brands_are_found() -> None:
    foods = foods_by_key(read_older()).values()
    assert sum(bool(food.servings) for food in foods) == 793
    assert sum(food.brand is not None for food in foods) == 860


def test_every_row_of_the_export_has_an_outcome() -> None:
    with gzip.open(FILES / "products_1000.csv.gz") as file:
        outcomes = list(read_csv(file))
    assert len(outcomes) == 1000
    # The export has lost the nutrition of whatever was not migrated to the newer layout when it was made.
    assert count(outcomes) == {
        "accepted": 185,
        "no_energy": 791,
        "no_name": 22,
        "macros_over_105_g": 1,
        "negative_value": 1,
    }
    older = foods_by_key(read_older())
    for key, food in foods_by_key(outcomes).items():
        # It rounds to ten decimals of a gram, which shows where there are few micrograms.
        for name in list_differences(food, older[key], 1e-4):
            assert name.endswith(("_in_mcg", "_in_iu"))
            assert food.nutrients[name] == pytest.approx(older[key].nutrients[name], abs=0.003)


def test_parquet_holds_the_same_foods() -> None:
    pytest.importorskip("pyarrow", reason="pyarrow, the extra `parquet`, is not installed")
    outcomes = list(read_parquet(FILES / "products_1000.parquet"))
    assert len(outcomes) == 1000
    assert count(outcomes) == OLDER
    foods, older = foods_by_key(outcomes), foods_by_key(read_older())
    assert foods.keys() == older.keys()
    for key, food in foods.items():
        assert not list_differences(food, older[key], 1e-6)
        assert replace(food, nutrients={}) == replace(older[key], nutrients={})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("api_v2_product_read__get-fields-all", ["accepted"]),
        ("api_v2_product_read__get-fields-raw", ["accepted"]),
        ("api_v3_product_read__get-fields-all", ["accepted"]),
        ("api_v3_product_read__get-fields-raw", ["accepted"]),
        # These have nothing but estimated sugars.
        ("search_v1__search-no-filter", [Reason.NO_ENERGY.value] * 6),
    ],
)
def test_documents_of_the_server_are_read(name: str, expected: list[str]) -> None:
    answer = json.loads((FILES / "server_json" / f"{name}.json").read_bytes())
    products = answer.get("products") or [answer["product"]]
    outcomes = [judge_line(json.dumps(product).encode()) for product in products]
    assert count(outcomes) == Counter(expected)


@pytest.mark.parametrize("api", ["api_v2", "api_v3"])
def test_the_server_says_the_same_in_both_layouts(api: str) -> None:
    def read_food(fields: str) -> Food:
        answer = json.loads((FILES / "server_json" / f"{api}_product_read__get-fields-{fields}.json").read_bytes())
        outcome = judge_line(json.dumps(answer["product"]).encode())
        assert isinstance(outcome, Accepted)
        return outcome.food

    # The older layout shows an estimate of added sugars among what was measured, and does not say so.
    assert list_differences(read_food("all"), read_food("raw"), 1e-9) == {"added_sugars_in_g"}
