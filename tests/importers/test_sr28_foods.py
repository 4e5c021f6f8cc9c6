"""Foods of every kind, checked by hand: values copied from SR28's NUT_DATA.txt, portions from its WEIGHT.txt."""

from dataclasses import dataclass

import pytest

from provender.importers import sr28
from provender.importers.records import Accepted
from provender.importers.sr28_nutrients import NAMES
from provender.model.foods import Food, choose_serving, scale


@dataclass(frozen=True)
class Known:
    """A food as the tables have it. `per_100_g` gives the nutrient number, the registry's name and the value."""

    ndb_number: str
    name: str
    per_100_g: str
    serving: tuple[str, int]
    scaled: dict[str, float]
    brand: str | None = None
    absent: tuple[str, ...] = ()


KNOWN = [
    Known(
        "01001",
        "Butter, salted",
        "208 energy_kcal 717, 204 total_fat_in_gm 81.11, 606 saturated_fat_g 51.368, 320 vitamin_a_in_mcg 684, "
        "318 vitamin_a_in_iu 2499, 307 sodium_in_mg 643, 605 trans_fat_g 3.278",
        ('1 pat (1" sq, 1/3" high)', 5),
        {"energy_kcal": 35.85, "vitamin_a_in_mcg": 34.2, "sodium_in_mg": 32.15},
    ),
    Known(
        "01077",
        "Milk, whole, 3.25% milkfat, with added vitamin D",
        "208 energy_kcal 61, 213 lactose_in_g 5.05, 301 calcium_in_mg 113, 324 vitamin_d_in_iu 51, "
        "326 vitamin_d3_in_mcg 1.3, 269 sugars_in_g 5.05",
        ("1 cup", 244),
        {"energy_kcal": 148.8, "calcium_in_mg": 275.7},
    ),
    Known(
        "01123",
        "Egg, whole, raw, fresh",
        "208 energy_kcal 143, 203 total_protein_in_gm 12.56, 601 cholesterol_in_mg 372, 418 vitamin_b12_in_mcg 0.89, "
        "324 vitamin_d_in_iu 82, 328 vitamin_d_in_mcg 2.0, 421 choline_in_mg 293.8",
        ("1 large", 50),
        {"energy_kcal": 71.5, "total_protein_in_gm": 6.28, "vitamin_d_in_iu": 41},
    ),
    # No household portion at all.
    Known(
        "01289",
        "Kefir, lowfat, plain, LIFEWAY",
        "208 energy_kcal 41, 203 total_protein_in_gm 3.79, 301 calcium_in_mg 130, 269 sugars_in_g 4.61",
        ("100 g", 100),
        {"energy_kcal": 41, "sugars_in_g": 4.61},
    ),
    Known(
        "02047",
        "Salt, table",
        "208 energy_kcal 0, 307 sodium_in_mg 38758, 317 selenium_in_mcg 0.1, 255 water_in_gm 0.20, "
        "313 fluoride_in_mcg 2.0",
        ("1 tsp", 6),
        {"energy_kcal": 0, "sodium_in_mg": 2325},
    ),
    # 13.5 g are shown as 14 g, 3.7 % more.
    Known(
        "04053",
        "Oil, olive, salad or cooking",
        "208 energy_kcal 884, 204 total_fat_in_gm 100.00, 617 fatty_acid_18_1_in_g 71.269, "
        "645 monounsaturated_fat_g 72.961, 323 vitamin_e_in_mg 14.35, 430 vitamin_k_in_mcg 60.2, 291 fiber_in_g 0.0",
        ("1 tablespoon", 14),
        {"energy_kcal": 123.8, "total_fat_in_gm": 14},
    ),
    # WEIGHT.txt says that 3 oz of it weigh 28 g, which is 1 oz.
    Known(
        "05705",
        "Turkey, whole, meat only, with added solution, roasted",
        "208 energy_kcal 140, 203 total_protein_in_gm 26.61, 307 sodium_in_mg 223, 418 vitamin_b12_in_mcg 1.68",
        ("3 oz", 85),
        {"energy_kcal": 119, "total_protein_in_gm": 22.62},
    ),
    Known(
        "06062",
        "CAMPBELL'S, Red and White, Chicken Noodle Soup, condensed",
        "208 energy_kcal 47, 307 sodium_in_mg 683, 205 total_carbohydrates_in_gm 5.97",
        ("1/2 cup", 123),
        {"energy_kcal": 57.81, "sodium_in_mg": 840.1},
        brand="Campbell Soup",
        absent=("caffeine_in_mg",),
    ),
    Known(
        "08469",
        "Cereals ready-to-eat, KELLOGG'S, Reduced Sugar Frosted Flakes Cereal",
        "208 energy_kcal 357, 269 sugars_in_g 23.89, 435 folate_dfe_in_mcg 553, 431 folic_acid_in_mcg 314, "
        "417 folate_in_mcg 333, 578 added_vitamin_b12_in_mcg 5.00",
        ("3/4 cup (1 serving)", 30),
        {"energy_kcal": 107.1, "sugars_in_g": 7.167},
        brand="Kellogg",
    ),
    Known(
        "09040",
        "Bananas, raw",
        "208 energy_kcal 89, 306 potassium_in_mg 358, 401 vitamin_c_in_mg 8.7, 291 fiber_in_g 2.6, "
        "209 starch_in_g 5.38, 210 sucrose_in_g 2.39, 212 fructose_in_g 4.85",
        ("1 cup, mashed", 225),
        {"potassium_in_mg": 805.5, "fiber_in_g": 5.85},
    ),
    Known(
        "11124",
        "Carrots, raw",
        "208 energy_kcal 41, 321 beta_carotene_in_mcg 8285, 322 alpha_carotene_in_mcg 3477, "
        "320 vitamin_a_in_mcg 835, 318 vitamin_a_in_iu 16706, 338 lutein_and_zeaxanthin_in_mcg 256",
        ("1 cup, chopped", 128),
        {"energy_kcal": 52.48, "beta_carotene_in_mcg": 10600},
    ),
    Known(
        "11457",
        "Spinach, raw",
        "208 energy_kcal 23, 454 betaine_in_mg 102.6, 430 vitamin_k_in_mcg 482.9, 303 iron_in_mg 2.71, "
        "338 lutein_and_zeaxanthin_in_mcg 12198, 417 folate_in_mcg 194, 301 calcium_in_mg 99",
        ("1 cup", 30),
        {"energy_kcal": 6.9, "vitamin_k_in_mcg": 144.9},
    ),
    Known(
        "12061",
        "Nuts, almonds",
        "208 energy_kcal 579, 573 added_vitamin_e_in_mg 0.00, 323 vitamin_e_in_mg 25.63, "
        "342 gamma_tocopherol_in_mg 0.64, 315 manganese_in_mg 2.179, 512 histidine_in_g 0.539, "
        "641 beta_sitosterol_in_mg 130",
        ("1 cup, whole", 143),
        {"energy_kcal": 828, "vitamin_e_in_mg": 36.65},
    ),
    Known(
        "14003",
        "Alcoholic beverage, beer, regular, all",
        "208 energy_kcal 43, 221 alcohol_in_gm 3.9, 255 water_in_gm 91.96, 205 total_carbohydrates_in_gm 3.55",
        ("1 fl oz", 30),
        {"energy_kcal": 12.9, "alcohol_in_gm": 1.17},
    ),
    Known(
        "14209",
        "Beverages, coffee, brewed, prepared with tap water",
        "208 energy_kcal 1, 262 caffeine_in_mg 40, 263 theobromine_in_mg 0, 203 total_protein_in_gm 0.12",
        ("1 fl oz", 30),
        {"energy_kcal": 0.3, "caffeine_in_mg": 12},
    ),
    Known(
        "14450",
        "Beverages, drink mix, QUAKER OATS, GATORADE, orange flavor, powder",
        "208 energy_kcal 388, 307 sodium_in_mg 63, 269 sugars_in_g 80.50, 601 cholesterol_in_mg 0, "
        "210 sucrose_in_g 59.90",
        ("1 scoop powder", 23),
        {"energy_kcal": 89.24, "sodium_in_mg": 14.49},
        brand="Gatorade",
    ),
    Known(
        "15076",
        "Fish, salmon, Atlantic, wild, raw",
        "208 energy_kcal 142, 629 fatty_acid_20_5_n3_in_g 0.321, 621 fatty_acid_22_6_n3_in_g 1.115, "
        "631 fatty_acid_22_5_n3_in_g 0.287, 203 total_protein_in_gm 19.84, 255 water_in_gm 68.50",
        ("3 oz", 85),
        {"energy_kcal": 120.7, "total_protein_in_gm": 16.86},
        absent=("vitamin_d_in_iu", "vitamin_d_in_mcg"),
    ),
    Known(
        "18069",
        "Bread, white, commercially prepared (includes soft bread crumbs)",
        "208 energy_kcal 266, 431 folic_acid_in_mcg 86, 432 food_folate_in_mcg 25, 435 folate_dfe_in_mcg 171, "
        "303 iron_in_mg 3.61, 605 trans_fat_g 0.027, 406 vitamin_b3_in_mg 4.780",
        ("1 slice", 29),
        {"energy_kcal": 77.14, "folic_acid_in_mcg": 24.94, "vitamin_b3_in_mg": 1.386},
    ),
    Known(
        "19155",
        "Candies, MARS SNACKFOOD US, SNICKERS Bar",
        "208 energy_kcal 491, 263 theobromine_in_mg 85, 262 caffeine_in_mg 8, 605 trans_fat_g 0.436",
        ("1 bar (2 oz)", 57),
        {"energy_kcal": 279.9, "theobromine_in_mg": 48.45},
        brand="Masterfoods",
    ),
    # The first portion, a packet of 2.8 g, would be shown as 3 g, 7 % more; the teaspoon of 4.2 g is 4.8 % off.
    Known(
        "19335",
        "Sugars, granulated",
        "208 energy_kcal 387, 205 total_carbohydrates_in_gm 99.98, 210 sucrose_in_g 99.80, 255 water_in_gm 0.02, "
        "269 sugars_in_g 99.80",
        ("1 tsp", 4),
        {"energy_kcal": 15.48, "sucrose_in_g": 3.992},
    ),
    Known(
        "21237",
        "McDONALD'S, BIG MAC",
        "208 energy_kcal 257, 204 total_fat_in_gm 14.96, 605 trans_fat_g 0.588",
        ("1 item (7.6 oz)", 219),
        {"energy_kcal": 562.8, "total_fat_in_gm": 32.76},
        brand="McDonald's",
    ),
    Known(
        "23572",
        "Beef, ground, 80% lean meat / 20% fat, raw",
        "208 energy_kcal 254, 204 total_fat_in_gm 20.00, 521 hydroxyproline_in_g 0.272, 502 threonine_in_g 0.665, "
        "504 leucine_in_g 1.339, 507 cystine_in_g 0.177, 605 trans_fat_g 1.180",
        ("4 oz", 113),
        {"energy_kcal": 287, "total_fat_in_gm": 22.6},
    ),
]


@pytest.fixture(scope="module")
def foods() -> dict[str, Food]:
    accepted = [outcome.food for outcome in sr28.read_outcomes() if isinstance(outcome, Accepted)]
    return {food.source_key: food for food in accepted}


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_a_food_has_the_values_of_the_tables_and_is_shown_by_the_serving(known: Known, foods: dict[str, Food]) -> None:
    food = foods[known.ndb_number]
    assert (food.name, food.brand) == (known.name, known.brand)
    for number, name, value in (entry.split() for entry in known.per_100_g.split(", ")):
        assert NAMES[number] == name
        assert food.nutrients[name] == float(value), name
    assert not food.nutrients.keys() & set(known.absent)

    assert choose_serving(food) == known.serving
    scaled = {
        name: value for group in scale(food.nutrients, known.serving[1]).values() for name, value in group.items()
    }
    assert {name: scaled[name] for name in known.scaled} == known.scaled


def test_portions_come_in_the_order_of_the_tables(foods: dict[str, Food]) -> None:
    assert [(serving.description, serving.amount) for serving in foods["09040"].servings] == [
        ("1 cup, mashed", 225),
        ("1 cup, sliced", 150),
        ('1 extra small (less than 6" long)', 81),
        ('1 small (6" to 6-7/8" long)', 101),
        ('1 medium (7" to 7-7/8" long)', 118),
        ('1 large (8" to 8-7/8" long)', 136),
        ('1 extra large (9" or longer)', 152),
        ("1 serving", 126),
    ]
