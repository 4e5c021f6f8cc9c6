"""GET /v1/nutrients"""

import httpx

from provender.model.nutrients import NUTRIENTS

# The names of the public client library, letter for letter, with their uneven suffixes.
LIBRARY = [
    "energy_kcal",
    "total_fat_in_gm",
    "total_carbohydrates_in_gm",
    "total_protein_in_gm",
    "water_in_gm",
    "vitamin_a_in_mcg",
    "vitamin_b1_in_mg",
    "vitamin_b2_in_mg",
    "vitamin_b3_in_mg",
    "vitamin_b5_in_mg",
    "vitamin_b6_in_mg",
    "vitamin_b12_in_mcg",
    "vitamin_c_in_mg",
    "vitamin_d_in_iu",
    "vitamin_e_in_mg",
    "vitamin_k_in_mcg",
    "folate_in_mcg",
    "sodium_in_mg",
    "calcium_in_mg",
    "iron_in_mg",
    "potassium_in_mg",
    "copper_in_mg",
    "magnesium_in_mg",
    "zinc_in_mg",
    "fiber_in_g",
    "net_carbs_in_g",
    "starch_in_g",
    "sugars_in_g",
    "added_sugars_in_g",
    "cholesterol_in_mg",
    "monounsaturated_fat_g",
    "polyunsaturated_fat_g",
    "trans_fat_g",
    "saturated_fat_g",
    "cystine_in_g",
    "histidine_in_g",
    "isoleucine_in_g",
    "leucine_in_g",
    "methionine_in_g",
    "phenylalanine_in_g",
    "threonine_in_g",
    "tyrosine_in_g",
    "valine_in_g",
]


async def test_the_registry_names_every_nutrient_with_group_and_unit(acme: httpx.AsyncClient) -> None:
    data = (await acme.get("/v1/nutrients")).json()["data"]
    assert [nutrient["name"] for nutrient in data] == list(NUTRIENTS)
    by_name = {nutrient["name"]: nutrient for nutrient in data}
    assert by_name["sodium_in_mg"] == {"name": "sodium_in_mg", "group": "minerals", "unit": "mg", "title": "Sodium"}


def test_the_43_names_of_the_library_are_there() -> None:
    assert len(LIBRARY) == 43
    assert set(LIBRARY) <= set(NUTRIENTS)


def test_the_other_names_end_in_their_unit() -> None:
    for nutrient in NUTRIENTS.values():
        if nutrient.name not in LIBRARY:
            assert nutrient.name.endswith(("_in_" + nutrient.unit.lower(), "_in_gm"))
