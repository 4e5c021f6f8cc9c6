"""The files that how-tos name, of records of our own making: with as many of each kind as the pages show."""

import gzip
import itertools
import json
from pathlib import Path
from typing import Any

from provender.importers.sr28 import read_records
from provender.model.gtin import check_digit
from tests.documents.pages import shown_block
from tests.importers.test_fdc_csv import one_of_each, write_zip
from tests.test_project import DOCS

_MACROS = {"fat_100g": 18, "carbohydrates_100g": 62, "proteins_100g": 8}
_SOUND = {"energy-kcal_100g": 450, **_MACROS}
_DIVIDED = {"energy-kcal_100g": 1800, "fat_100g": 72, "carbohydrates_100g": 248, "proteins_100g": 32}
_A_SERVING = {"nutrition_data_per": "serving", "serving_size": "25 g", "serving_quantity": 25}

# How many products of each kind there are.
_PRODUCTS: list[tuple[int, dict[str, Any]]] = [
    (476, {"nutriments": _SOUND, "countries_tags": ["en:france"]}),
    (37, {"nutriments": {}}),
    (33, {"nutriments": {"energy-kcal_serving": 90, "fat_serving": 3.6}}),
    (20, {"nutriments": _SOUND, "product_name": ""}),
    (3, {"nutriments": {**_SOUND, "proteins_100g": 40}}),
    (2, {"nutriments": {**_SOUND, "sugars_100g": 162}}),
    (1, {"nutriments": {**_SOUND, "proteins_100g": -8}}),
    (236, {"nutriments": _DIVIDED, **_A_SERVING}),
    (187, {"nutriments": _MACROS}),
    (2, {"nutriments": {"energy-kcal_100g": 400, "carbohydrates_100g": 100.4}}),
    (1, {"nutriments": {"energy-kj_100g": 1883, **_MACROS}}),
    (1, {"nutriments": _SOUND, "code": "4000000000000"}),
    (1, {"nutriments": {**_SOUND, "energy-kcal_100g": 1883}}),
]


def write_products(path: Path) -> None:
    """Open Food Facts: every product with a barcode, of which one has a wrong check digit."""
    kinds = [members for count, members in _PRODUCTS for _ in range(count)]
    lines = []
    for number, members in enumerate(kinds, 500_000_000_000):
        code = f"{number}{check_digit(str(number))}"
        product = {"code": code, "lang": "en", "product_name": f"Oat biscuits {number}", "brands": "Acme"}
        # Without spaces, as Open Food Facts writes it.
        lines.append(json.dumps(product | members, separators=(",", ":")))
    path.write_bytes(gzip.compress("\n".join(lines).encode(), 1))


def write_foundation(path: Path) -> None:
    """Foundation Foods: 40 records without energy, and 300 foods, of which SR28 has 178."""
    known = [record.ndb_number for record in itertools.islice(read_records(), 400) if record.ndb_number != "01145"]
    numbers = ["1145", *(str(90_000 + at) for at in range(39)), *known[:178], *(str(91_000 + at) for at in range(122))]
    foods: list[tuple[object, ...]] = []
    nutrients: list[tuple[object, ...]] = []
    for at, fdc_id in enumerate(range(789_828, 789_828 + len(numbers))):
        name = "Bananas, raw" if at else "Butter, stick, unsalted"
        foods.append((fdc_id, "foundation_food", name, 9, "2020-04-01"))
        # The first 40 have neither energy nor carbohydrates.
        amounts = {1003: 1.0, 1004: 0.5}
        if at >= 40:
            amounts |= {1005: 22.0, 2047 if at < 243 else 1008: 96.5}
        if at >= 332:
            amounts |= {1005: -0.1, 1008: 8.5}
        nutrients.extend((0, fdc_id, nutrient, amount, 1) for nutrient, amount in amounts.items())
    codes: list[tuple[object, ...]] = [(food[0], code, "") for food, code in zip(foods, numbers, strict=True)]
    tables = {"food.csv": foods, "food_nutrient.csv": nutrients, "foundation_food.csv": codes}
    # What says of them what the dataset is, and no tables of other datasets.
    shared = {name: rows for name, rows in one_of_each().items() if not name.endswith("_food.csv")}
    write_zip(path, shared | tables)


def write_shown(page: str, files: dict[str, tuple[Path, str]]) -> None:
    """What stands in a code block of the page, by its beginning, as a file in an encoding."""
    for beginning, (path, encoding) in files.items():
        path.write_text(shown_block(DOCS / page, beginning), encoding)
