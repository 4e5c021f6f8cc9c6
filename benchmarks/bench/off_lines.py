"""Lines in the shape of Open Food Facts' JSONL export, made up: real members, invented products.

Of the 127 members that products have, an import reads some twenty. The others are here too, with text of about the
length that they have in the export, because passing over them is most of the work: a line has 7 kB.
"""

import gzip
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from benchmarks.brands import generate_brand_foods
from provender.model.foods import Food

# The mean length of members that no import reads, in a sample of 1,000 real products.
_PASSED_OVER = {
    "misc_tags": 544, "states_tags": 454, "ingredients_tags": 417, "data_quality_warnings_tags": 259,
    "ingredients_original_tags": 251, "ingredients_text_en": 238, "ingredients_text": 211, "popularity_tags": 454,
    "data_quality_info_tags": 178, "ingredients_without_ciqual_codes": 124, "categories_properties_tags": 192,
    "nutrient_levels_tags": 90, "informers_tags": 82, "correctors_tags": 64, "ingredients_analysis_tags": 66,
    "data_quality_errors_tags": 53, "data_sources_tags": 53, "categories_tags": 90, "categories": 60,
    "nova_groups_tags": 39, "entry_dates_tags": 33, "last_edit_dates_tags": 33, "additives_tags": 29,
    "languages_tags": 23, "brands_tags": 24, "packagings": 121, "countries_tags": 19, "allergens_tags": 18,
    "images": 900, "sources_fields": 300, "ecoscore_data": 500, "unknown_ingredients_n": 10, "creator": 15,
}  # fmt: skip
_NUTRIENTS = {
    "energy-kcal": ("energy_kcal", "kcal", 1.0),
    "fat": ("total_fat_in_gm", "g", 1.0),
    "carbohydrates": ("total_carbohydrates_in_gm", "g", 1.0),
    "proteins": ("total_protein_in_gm", "g", 1.0),
    "sugars": ("sugars_in_g", "g", 1.0),
    "sodium": ("sodium_in_mg", "g", 0.001),
}
_WORDS = [
    "en:to-be-completed",
    "en:ingredients-completed",
    "en:packaging-photo-selected",
    "en:nutrition-facts-completed",
    "sugar",
    "salt",
    "en:photos-uploaded",
    "wheat-flour",
    "palm-oil",
    "en:environmental-score-missing",
    "cocoa-butter",
    "emulsifier",
    "en:vegetarian",
    "milk",
]
_VARIANTS = 200
_PIECE = 2000


def write_lines(file: Path, count: int) -> None:
    """So many products, compressed as the export is."""
    random = Random(1)
    padding = [_pad(random) for _ in range(_VARIANTS)]
    encode = msgspec.json.Encoder().encode
    # Level 1, because reading it again takes as long whatever the level was.
    with gzip.open(file, "wb", compresslevel=1) as out:
        piece: list[bytes] = []
        for number, food in enumerate(generate_brand_foods(count, seed=2)):
            piece.append(encode(_product(food))[:-1] + padding[number % _VARIANTS])
            if len(piece) == _PIECE:
                out.write(b"".join(piece))
                piece.clear()
        out.write(b"".join(piece))


def _pad(random: Random) -> bytes:
    """The members that are passed over, and the end of a line."""
    members: dict[str, Any] = {}
    for name, length in _PASSED_OVER.items():
        words = [random.choice(_WORDS) for _ in range(max(1, length // 18))]
        members[name] = words if name.endswith("_tags") else " ".join(words)
    return b"," + msgspec.json.encode(members)[1:] + b"\n"


def _product(food: Food) -> dict[str, Any]:
    serving = food.servings[0]
    nutrients = {
        theirs: {
            "source": "packaging",
            "source_index": 0,
            "source_per": "100g",
            "unit": unit,
            "value": round(food.nutrients[ours] * factor, 4),
        }
        for theirs, (ours, unit, factor) in _NUTRIENTS.items()
        if ours in food.nutrients
    }
    return {
        "code": food.barcode,
        "lang": "en",
        "product_type": "food",
        "product_name": food.name,
        "product_name_en": food.name,
        "brands": food.brand,
        "quantity": f"350 {food.unit.value}",
        "product_quantity": "350",
        "product_quantity_unit": food.unit.value,
        "serving_size": f"{serving.amount:g} {food.unit.value}",
        "serving_quantity": f"{serving.amount:g}",
        "serving_quantity_unit": food.unit.value,
        "last_modified_t": 1_760_000_000,
        "schema_version": 1003,
        "nutrition": {
            "aggregated_set": {
                "nutrients": nutrients,
                "per": f"100{food.unit.value}",
                "preparation": "as_sold",
            },
            "input_sets": [{"nutrients": nutrients, "per": f"100{food.unit.value}", "source": "packaging"}],
        },
    }
