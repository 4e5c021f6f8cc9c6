"""Judges a candidate: mends what has one right answer, rejects what has none, and says what it did.

The limits are physics, not taste: 100 g of a food hold no more than 100 g of anything, and pure fat has about 900 kcal.
"""

import math
import re
from collections.abc import Mapping
from typing import Any

from provender.importers.records import Accepted, Candidate, Outcome, Rejected
from provender.model.foods import Food
from provender.model.gtin import Reason as NoBarcode
from provender.model.gtin import gtin13_for_import
from provender.model.judging import Mend, Reason
from provender.model.nutrients import GRAMS, NUTRIENTS, Group

LONGEST_NAME = 255

KJ_PER_KCAL = 4.184
# Pure fat has 902 kcal; nothing has more.
MOST_ENERGY_KCAL = 910
# Tables round each value and measure carbohydrates by difference, so sums may stand a little above 100 g.
MOST_MACROS_G = 105
# Sodium chloride is 39.3 % sodium; labels use 1 / 2.5.
SALT_PER_SODIUM = 2.5

# Carbohydrate by difference inherits the errors of all the others, so a little below zero means none.
_LEAST_BY_DIFFERENCE_G = -3.0

# The largest amount that 100 g can hold, in each nutrient's own unit. Energy has a limit of its own; an international
# unit has none.
_LARGEST = {
    name: 100 / GRAMS[nutrient.unit] if nutrient.unit in GRAMS else 1e12 for name, nutrient in NUTRIENTS.items()
}

# Fiber and polyols have less energy than the factors say, but hardly ever so much less.
_LEAST_OF_EXPECTED = 0.8

_MACROS = ("total_protein_in_gm", "total_carbohydrates_in_gm", "total_fat_in_gm")

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")

_BARCODE_MENDS = {
    NoBarcode.WRONG_CHECK_DIGIT: Mend.BARCODE_WRONG_CHECK_DIGIT,
    NoBarcode.IN_STORE: Mend.BARCODE_IN_STORE,
}


class _NoFoodError(Exception):
    """Raised where a rule finds that no food can be made of a candidate."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def judge(candidate: Candidate, record: Mapping[str, Any]) -> Outcome:
    mends: list[Mend] = []
    try:
        name = _name(candidate.name, mends)
        nutrients, energy_kj, salt_in_g = _mend_basis(candidate, mends)
        _mend_salt(nutrients, salt_in_g, mends)
        _check_amounts(nutrients, mends)
        computed = _mend_energy(nutrients, energy_kj, mends)
        if candidate.by_difference:
            computed |= _net_carbohydrates(nutrients)
    except _NoFoodError as verdict:
        return Rejected(verdict.reason, candidate.key, record)
    food = Food(
        source=candidate.source,
        dataset=candidate.dataset or candidate.source,
        source_key=candidate.key,
        name=name,
        brand=(_tidy(candidate.brand, mends) or None) if candidate.brand else None,
        unit=candidate.unit,
        nutrients=nutrients,
        servings=[serving for serving in candidate.servings if 0 < serving.amount < math.inf and serving.description],
        barcode=_barcode(candidate.barcode, mends),
        released=candidate.released,
        besides=candidate.besides,
        computed=computed,
    )
    return Accepted(food, tuple(mends))


def _name(text: str, mends: list[Mend]) -> str:
    name = _tidy(text, mends)
    if not name:
        raise _NoFoodError(Reason.NO_NAME)
    return name


def _tidy(text: str, mends: list[Mend]) -> str:
    """The text on one line, without what cannot be shown, cut to what the interface allows."""
    # What can be printed has no control characters in it, and most texts can.
    tidied = " ".join((text if text.isprintable() else _CONTROL.sub(" ", text)).split())
    if len(tidied) <= LONGEST_NAME:
        return tidied
    mends.append(Mend.NAME_SHORTENED)
    return tidied[: LONGEST_NAME - 1].rstrip() + "…"


def _mend_basis(candidate: Candidate, mends: list[Mend]) -> tuple[dict[str, float], float | None, float | None]:
    """Values for 100 g that were entered as those of a serving, and then divided by it once more.

    It is seen by macros that weigh more than the serving they should be in, and is undone by multiplying. Their energy
    is what such records have wrong most often; one that is far from what the macros make is worked out anew.
    """
    nutrients = dict(candidate.nutrients)
    kept = nutrients, candidate.energy_kj, candidate.salt_in_g
    if candidate.divided_by is None:
        return kept
    macros = _weigh_macros(nutrients)
    if not MOST_MACROS_G < macros < math.inf:
        return kept
    share = candidate.divided_by / 100
    if macros * share > MOST_MACROS_G:
        return kept
    mends.append(Mend.PER_100_AS_SERVING)
    nutrients = {name: value * share for name, value in nutrients.items()}
    salt_in_g = None if candidate.salt_in_g is None else candidate.salt_in_g * share
    expected = _expect_energy(nutrients)
    if all(name in nutrients for name in _MACROS) and nutrients.get("energy_kcal", 0.0) < _LEAST_OF_EXPECTED * expected:
        nutrients.pop("energy_kcal", None)
        return nutrients, None, salt_in_g
    return nutrients, None if candidate.energy_kj is None else candidate.energy_kj * share, salt_in_g


def _mend_salt(nutrients: dict[str, float], salt_in_g: float | None, mends: list[Mend]) -> None:
    """Labels give salt, tables give sodium; some records hold the one in the other's place."""
    if salt_in_g is None or not 0 <= salt_in_g < math.inf:
        return
    from_salt = salt_in_g / SALT_PER_SODIUM * 1000
    sodium = nutrients.get("sodium_in_mg")
    if sodium is None:
        nutrients["sodium_in_mg"] = from_salt
        mends.append(Mend.SODIUM_FROM_SALT)
    elif salt_in_g > 0 and math.isclose(sodium, salt_in_g * 1000, rel_tol=0.01):
        nutrients["sodium_in_mg"] = from_salt
        mends.append(Mend.SODIUM_WAS_SALT)


def _check_amounts(nutrients: dict[str, float], mends: list[Mend]) -> None:
    """No amount below nothing, none above everything, and the three macros no more than the food itself."""
    odd = [name for name, value in nutrients.items() if not 0 <= value <= _LARGEST[name]]
    for name in odd:
        value = nutrients[name]
        if not math.isfinite(value):
            del nutrients[name]
            mends.append(Mend.NOT_A_NUMBER)
        elif value < 0:
            if name != "total_carbohydrates_in_gm" or value < _LEAST_BY_DIFFERENCE_G:
                raise _NoFoodError(Reason.NEGATIVE_VALUE)
            nutrients[name] = 0.0
            mends.append(Mend.SLIGHTLY_NEGATIVE)
        else:
            nutrients[name] = _mend_excess(name, value, mends)
    if _weigh_macros(nutrients) > MOST_MACROS_G:
        raise _NoFoodError(Reason.MACROS_OVER_105_G)


def _weigh_macros(nutrients: Mapping[str, float]) -> float:
    # Written out, as below: every food is asked this several times, and a loop takes three times as long.
    amount = nutrients.get
    return (
        amount("total_protein_in_gm", 0.0) + amount("total_carbohydrates_in_gm", 0.0) + amount("total_fat_in_gm", 0.0)
    )


def _expect_energy(nutrients: Mapping[str, float]) -> float:
    """The energy in kcal by Atwater's general factors, kcal in a gram."""
    amount = nutrients.get
    return (
        4 * amount("total_protein_in_gm", 0.0)
        + 4 * amount("total_carbohydrates_in_gm", 0.0)
        + 9 * amount("total_fat_in_gm", 0.0)
        + 7 * amount("alcohol_in_gm", 0.0)
    )


def _mend_excess(name: str, value: float, mends: list[Mend]) -> float:
    """What more than 100 g of something may have meant."""
    largest = _LARGEST[name]
    # Rounded tables show 100.1 g of sugar in sugar; that is 100.
    if value <= 1.01 * largest:
        mends.append(Mend.SLIGHTLY_OVER_100_G)
        return largest
    # More than 100 g of a vitamin or a mineral: the number was milligrams, written where grams belong.
    if NUTRIENTS[name].group in (Group.VITAMINS, Group.MINERALS) and value <= 100 * largest:
        mends.append(Mend.MILLIGRAMS_AS_GRAMS)
        return value / 1000
    raise _NoFoodError(Reason.MORE_THAN_100_G)


def _mend_energy(nutrients: dict[str, float], energy_kj: float | None, mends: list[Mend]) -> frozenset[str]:
    """Find the energy in kcal, and return what had to be worked out for it."""
    kcal = nutrients.get("energy_kcal")
    expected = _expect_energy(nutrients)
    if kcal is None and energy_kj is not None and 0 <= energy_kj < math.inf:
        kcal = energy_kj / KJ_PER_KCAL
        mends.append(Mend.ENERGY_FROM_KJ)
    elif kcal is not None and _is_kilojoules(kcal, energy_kj, expected):
        kcal /= KJ_PER_KCAL
        mends.append(Mend.ENERGY_WAS_KJ)
    if kcal is not None:
        if kcal > MOST_ENERGY_KCAL:
            raise _NoFoodError(Reason.TOO_MUCH_ENERGY)
        nutrients["energy_kcal"] = kcal
        return frozenset()
    if not all(name in nutrients for name in _MACROS):
        raise _NoFoodError(Reason.NO_ENERGY)
    nutrients["energy_kcal"] = expected
    mends.append(Mend.ENERGY_COMPUTED)
    return frozenset({"energy_kcal"})


def _net_carbohydrates(nutrients: dict[str, float]) -> frozenset[str]:
    """Carbohydrates by difference include the fiber; what is left without it is what most diets count."""
    if "net_carbs_in_g" in nutrients or not {"total_carbohydrates_in_gm", "fiber_in_g"} <= nutrients.keys():
        return frozenset()
    nutrients["net_carbs_in_g"] = max(0.0, nutrients["total_carbohydrates_in_gm"] - nutrients["fiber_in_g"])
    return frozenset({"net_carbs_in_g"})


def _is_kilojoules(kcal: float, energy_kj: float | None, expected: float) -> bool:
    """Whether the number given as kcal is kJ: it is then about 4.2 times what the macros make, or the kJ themselves.

    The macros decide, where they say enough; a number that equals the kJ counts only where they do not contradict.
    """
    if kcal <= 0:
        return False
    if expected >= 20:
        return 3.6 <= kcal / expected <= 4.8
    return energy_kj is not None and energy_kj > MOST_ENERGY_KCAL and math.isclose(kcal, energy_kj, rel_tol=0.02)


def _barcode(text: str | None, mends: list[Mend]) -> str | None:
    if not text:
        return None
    gtin13, reason = gtin13_for_import(text)
    if gtin13 is None and reason is not NoBarcode.MISSING:
        mends.append(_BARCODE_MENDS.get(reason, Mend.BARCODE_UNUSABLE) if reason else Mend.BARCODE_UNUSABLE)
    return gtin13
