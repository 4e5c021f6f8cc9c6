"""The foods of the tests: few, of our own making, and each there for a reason."""

from datetime import UTC, datetime

from provender.model.foods import Food, Serving, Unit

BANANA = Food(
    source="usda",
    source_key="09040",
    dataset="sr28",
    name="Bananas, raw",
    brand=None,
    unit=Unit.GRAM,
    nutrients={
        "energy_kcal": 89.0,
        "total_fat_in_gm": 0.33,
        "total_carbohydrates_in_gm": 22.84,
        "total_protein_in_gm": 1.09,
        "water_in_gm": 74.91,
        "vitamin_c_in_mg": 8.7,
        "vitamin_b6_in_mg": 0.367,
        "potassium_in_mg": 358.0,
        "sugars_in_g": 12.23,
        "leucine_in_g": 0.068,
    },
    # The first rounds by 11 %, so it is not the one that is shown.
    servings=[Serving("1 slice", 4.5), Serving("1 medium", 118.0), Serving("1 cup, mashed", 225.0)],
    released=datetime(2016, 5, 1, tzinfo=UTC),
)

# A brand with a barcode, in millilitres, about which little is known.
COLA = Food(
    source="off",
    source_key="4006381333931",
    dataset="off",
    name="Cola",
    brand="Acme",
    unit=Unit.MILLILITRE,
    nutrients={"energy_kcal": 42.0, "sugars_in_g": 10.6},
    servings=[Serving("1 can (330 ml)", 330.0)],
    barcode="4006381333931",
    released=datetime(2025, 6, 1, tzinfo=UTC),
)

# The same barcode as the cola's, from a dataset that documents its foods better.
COLA_AGAIN = Food(
    source="usda_branded",
    source_key="4006381333931",
    dataset="usda_branded",
    name="COLA",
    brand="Acme",
    unit=Unit.MILLILITRE,
    nutrients={"energy_kcal": 42.0, "total_carbohydrates_in_gm": 10.6, "sugars_in_g": 10.6, "caffeine_in_mg": 9.5},
    barcode="4006381333931",
    released=datetime(2024, 6, 1, tzinfo=UTC),
)

# Nothing but its energy is known, and it has no serving of its own.
PLAIN = Food(
    source="usda",
    source_key="99999",
    dataset="sr28",
    name='Crème, "plain" \U0001f34c',
    brand=None,
    unit=Unit.GRAM,
    nutrients={"energy_kcal": 300.0},
    released=datetime(2016, 5, 1, tzinfo=UTC),
)

PANTRY = (BANANA, COLA, COLA_AGAIN, PLAIN)
