"""What importers of labels share about amounts: units of mass, and the names of what a candidate holds apart."""

from typing import Final

from provender.model.nutrients import GRAMS, NUTRIENTS

# Beside the registry's names: the two fields of a candidate that are no nutrient of it yet.
ENERGY_KJ: Final = "energy_kj"
SALT: Final = "salt_in_g"

# An international unit of vitamin D is 0.025 mcg, in every form of it. That of vitamin A depends on the form, and that
# of vitamin E on where it is from, so they are not converted.
VITAMIN_D_IU_PER_MCG: Final = 40

# How sources write the units of mass; the two Greek letters are a micro sign and a mu.
MASSES: Final = {"g": "g", "mg": "mg", "mcg": "mcg", "µg": "mcg", "μg": "mcg", "ug": "mcg"}


def get_factor(unit: str, nutrient: str) -> float:
    """What an amount in a unit of mass is multiplied by for the unit of a nutrient; ValueError where there is none."""
    wanted = "g" if nutrient == SALT else NUTRIENTS[nutrient].unit
    if unit not in MASSES or wanted not in GRAMS:
        raise ValueError(f"{unit} cannot be converted to {wanted}.")
    given, needed = GRAMS[MASSES[unit]], GRAMS[wanted]
    # A power of ten, rounded because the quotient of two floats is not quite that.
    return float(round(given / needed)) if given >= needed else 1 / round(needed / given)
