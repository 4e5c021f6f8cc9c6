"""The page of nutrients is what the registry and the importers say."""

import re
import runpy
from pathlib import Path

from provender.importers.off_nutrients import PER_100
from provender.importers.off_products import Product, judge_product
from provender.importers.records import Accepted
from provender.model.nutrients import NUTRIENTS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference-nutrients.md"


def _table() -> dict[str, list[str]]:
    """By member: unit, name, and what each source calls it."""
    rows = [re.split(r" ?\| ?", line)[1:-1] for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    return {row[0].strip("`"): row[1:] for row in rows}


def test_the_page_is_what_the_script_writes() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "write_nutrients.py"))
    assert PAGE.read_text() == script["write_page"](), "Run scripts/write_nutrients.py and look at what it changes."


def test_every_nutrient_is_there_in_the_order_of_answers() -> None:
    assert {name: row[:2] for name, row in _table().items()} == {
        nutrient.name: [nutrient.unit, nutrient.title] for nutrient in NUTRIENTS.values()
    }
    assert list(_table()) == list(NUTRIENTS)


def test_a_product_that_has_everything_has_what_the_page_says() -> None:
    """Of Open Food Facts, where most is worked out. Only its newer sets have units, and with them IU of vitamin A."""
    nutriments: dict[str, float | str | None] = dict.fromkeys([*PER_100.first, *PER_100.second], 0.001)
    judged = judge_product(Product(code="4006381333931", product_name="All", quantity="1 l", nutriments=nutriments))
    assert isinstance(judged, Accepted)
    assert {*judged.food.nutrients, "vitamin_a_in_iu"} == {name for name, row in _table().items() if row[4]}
