"""How Open Food Facts names and measures nutrients, and what the registry calls them.

Its `nutriments` hold grams, whatever the package says ("fat_100g", "fat_serving"), energy in kJ, and in kcal under a
name of its own. Its newer sets hold values with units. The names are those of taxonomies/nutrients.txt of its server.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from provender.importers.amounts import ENERGY_KJ, MASSES, SALT, VITAMIN_D_IU_PER_MCG, get_factor
from provender.model.nutrients import GRAMS

# The strength of a drink, which is no weight yet: it stands beside the registry's names until the unit is known.
STRENGTH: Final = "alcohol_in_percent_vol"

# Grams in a millilitre of ethanol at 20 °C.
ETHANOL_DENSITY: Final = 0.789

# Only what is the same substance on both sides: oleic acid is one of several 18:1, so it is not all of them.
_NAMES = {
    "fat": "total_fat_in_gm",
    "proteins": "total_protein_in_gm",
    "caffeine": "caffeine_in_mg",
    "water": "water_in_gm",
    # Carbohydrates.
    "carbohydrates-total": "total_carbohydrates_in_gm",
    "sugars": "sugars_in_g",
    "added-sugars": "added_sugars_in_g",
    "sucrose": "sucrose_in_g",
    "glucose": "glucose_in_g",
    "fructose": "fructose_in_g",
    "galactose": "galactose_in_g",
    "lactose": "lactose_in_g",
    "maltose": "maltose_in_g",
    "starch": "starch_in_g",
    "polyols": "polyols_in_g",
    "fiber": "fiber_in_g",
    # Lipids.
    "saturated-fat": "saturated_fat_g",
    "monounsaturated-fat": "monounsaturated_fat_g",
    "polyunsaturated-fat": "polyunsaturated_fat_g",
    "trans-fat": "trans_fat_g",
    "cholesterol": "cholesterol_in_mg",
    "omega-3-fat": "omega_3_in_g",
    "omega-6-fat": "omega_6_in_g",
    "butyric-acid": "fatty_acid_4_0_in_g",
    "caproic-acid": "fatty_acid_6_0_in_g",
    "caprylic-acid": "fatty_acid_8_0_in_g",
    "capric-acid": "fatty_acid_10_0_in_g",
    "lauric-acid": "fatty_acid_12_0_in_g",
    "myristic-acid": "fatty_acid_14_0_in_g",
    "palmitic-acid": "fatty_acid_16_0_in_g",
    "stearic-acid": "fatty_acid_18_0_in_g",
    "arachidic-acid": "fatty_acid_20_0_in_g",
    "behenic-acid": "fatty_acid_22_0_in_g",
    "lignoceric-acid": "fatty_acid_24_0_in_g",
    "nervonic-acid": "fatty_acid_24_1_c_in_g",
    "linoleic-acid": "fatty_acid_18_2_n6_in_g",
    "alpha-linolenic-acid": "fatty_acid_18_3_n3_in_g",
    "gamma-linolenic-acid": "fatty_acid_18_3_n6_in_g",
    "dihomo-gamma-linolenic-acid": "fatty_acid_20_3_n6_in_g",
    "arachidonic-acid": "fatty_acid_20_4_n6_in_g",
    "eicosapentaenoic-acid": "fatty_acid_20_5_n3_in_g",
    "docosahexaenoic-acid": "fatty_acid_22_6_n3_in_g",
    # Vitamins.
    "vitamin-a": "vitamin_a_in_mcg",
    "beta-carotene": "beta_carotene_in_mcg",
    "vitamin-b1": "vitamin_b1_in_mg",
    "vitamin-b2": "vitamin_b2_in_mg",
    "vitamin-pp": "vitamin_b3_in_mg",
    "pantothenic-acid": "vitamin_b5_in_mg",
    "vitamin-b6": "vitamin_b6_in_mg",
    "biotin": "biotin_in_mcg",
    "folates": "folate_in_mcg",
    "vitamin-b12": "vitamin_b12_in_mcg",
    "vitamin-c": "vitamin_c_in_mg",
    "vitamin-d": "vitamin_d_in_mcg",
    "vitamin-e": "vitamin_e_in_mg",
    "vitamin-k": "vitamin_k_in_mcg",
    "choline": "choline_in_mg",
    # Minerals.
    "sodium": "sodium_in_mg",
    "potassium": "potassium_in_mg",
    "chloride": "chloride_in_mg",
    "calcium": "calcium_in_mg",
    "phosphorus": "phosphorus_in_mg",
    "iron": "iron_in_mg",
    "magnesium": "magnesium_in_mg",
    "zinc": "zinc_in_mg",
    "copper": "copper_in_mg",
    "manganese": "manganese_in_mg",
    "fluoride": "fluoride_in_mcg",
    "selenium": "selenium_in_mcg",
    "chromium": "chromium_in_mcg",
    "molybdenum": "molybdenum_in_mcg",
    "iodine": "iodine_in_mcg",
}

# Other names for what is above, which count where the first name is not given. The plain "carbohydrates" are without
# fibre on a European label and with it on an American one; nothing in a record says which.
_SECOND_NAMES = {
    "carbohydrates": "total_carbohydrates_in_gm",
    "vitamin-b9": "folate_in_mcg",
    "phylloquinone": "vitamin_k_in_mcg",
}

# By name, then by unit: the registry's name, and what the value has to be multiplied by.
_Measures = dict[str, dict[str | None, tuple[str, float]]]


class Measured(msgspec.Struct, gc=False):
    """A nutrient of the newer sets."""

    value: float | str | None = None
    unit: str | None = None
    source: str | None = None


def _name_suffixed(names: Mapping[str, str], suffix: str) -> dict[str, tuple[str, float]]:
    return {f"{name}{suffix}": (nutrient, get_factor("g", nutrient)) for name, nutrient in names.items()}


class Kind:
    """The members of `nutriments` that end alike, with what each stands for: first names, and second ones."""

    def __init__(self, suffix: str) -> None:
        self.first = {
            f"energy-kcal{suffix}": ("energy_kcal", 1.0),
            f"energy-kj{suffix}": (ENERGY_KJ, 1.0),
            f"salt{suffix}": (SALT, 1.0),
            f"alcohol{suffix}": (STRENGTH, 1.0),
            **_name_suffixed(_NAMES, suffix),
        }
        # Energy without a unit in its name is kJ, also where the package has kcal.
        self.second = {f"energy{suffix}": (ENERGY_KJ, 1.0), **_name_suffixed(_SECOND_NAMES, suffix)}


PER_100: Final = Kind("_100g")
PER_100_PREPARED: Final = Kind("_prepared_100g")
PER_SERVING: Final = Kind("_serving")


def _name_measured(names: Mapping[str, str]) -> _Measures:
    return {name: {unit: (nutrient, get_factor(unit, nutrient)) for unit in MASSES} for name, nutrient in names.items()}


# The same by name and unit, for the newer sets. What is missing, such as iron in "% DV", is not read.
_MEASURED: _Measures = {
    **_name_measured(_NAMES),
    "salt": {unit: (SALT, GRAMS[known]) for unit, known in MASSES.items()},
    "alcohol": {
        **{unit: ("alcohol_in_gm", GRAMS[known]) for unit, known in MASSES.items()},
        "% vol": (STRENGTH, 1.0),
    },
    "energy-kcal": {"kcal": ("energy_kcal", 1.0)},
    "energy-kj": {"kJ": (ENERGY_KJ, 1.0)},
}
_MEASURED["vitamin-a"]["IU"] = ("vitamin_a_in_iu", 1.0)
_MEASURED["vitamin-d"]["IU"] = ("vitamin_d_in_mcg", 1 / VITAMIN_D_IU_PER_MCG)
_MEASURED_SECOND: _Measures = {
    "energy": {"kJ": (ENERGY_KJ, 1.0), "kcal": ("energy_kcal", 1.0)},
    **_name_measured(_SECOND_NAMES),
}

# Every `nutriments` member that is read: for sources that have a column for each.
MEMBERS: Final = frozenset(
    member for kind in (PER_100, PER_100_PREPARED, PER_SERVING) for member in (*kind.first, *kind.second)
)


def read_number(value: object) -> float | None:
    """A number, also where it is written as text; None for anything else, and for what no float can hold."""
    if type(value) is float:
        return value
    if isinstance(value, str | int) and not isinstance(value, bool):
        try:
            return float(value)
        except (ValueError, OverflowError):
            return None
    return None


def read_nutriments(nutriments: Mapping[str, object], kind: Kind) -> dict[str, float]:
    """Amounts by the registry's names, in its units, for whatever amount of food the suffix stands for."""
    found: dict[str, float] = {}
    first = kind.first
    # Most members are other suffixes; `filter` passes over them without a step of the interpreter for each.
    for member in filter(first.__contains__, nutriments):
        value = nutriments[member]
        number = value if type(value) is float else read_number(value)
        if number is not None:
            name, factor = first[member]
            found[name] = number * factor
    for member, (name, factor) in kind.second.items():
        if name not in found and member in nutriments:
            number = read_number(nutriments[member])
            if number is not None:
                found[name] = number * factor
    return found


def read_measured(nutrients: Mapping[str, Measured]) -> dict[str, float]:
    """The same of a newer set. Estimates from the list of ingredients are left out, since nobody has measured them."""
    found: dict[str, float] = {}
    for name in filter(_MEASURED.__contains__, nutrients):
        measured = nutrients[name]
        known = _MEASURED[name].get(measured.unit)
        if known is not None and measured.source != "estimate":
            value = measured.value
            number = value if type(value) is float else read_number(value)
            if number is not None:
                found[known[0]] = number * known[1]
    for name, units in _MEASURED_SECOND.items():
        if (second := nutrients.get(name)) is not None and second.source != "estimate":
            known = units.get(second.unit)
            number = read_number(second.value)
            if known is not None and number is not None:
                found.setdefault(known[0], number * known[1])
    return found
