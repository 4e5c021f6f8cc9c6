"""The serving of an Open Food Facts product: its size as people wrote it, and what that weighs or holds."""

import html
import math
import re
from functools import lru_cache
from typing import Final, NamedTuple

from provender.importers.records import LONGEST_WORDS
from provender.model.foods import Unit, as_fraction, for_reading

# Nobody eats more at once; sizes beyond are whole cases, or typing errors.
LARGEST_SERVING: Final = 2000.0
_LONGEST_DESCRIPTION = 100
# How far the amount in the text may stand from the amount beside it, for the two to be the same: ounces are rounded.
_SAME = 0.05

_METRIC = {
    **dict.fromkeys(("g", "gr", "grm", "gram", "grams", "gramme", "grammes", "gramm"), (Unit.GRAM, 1.0)),
    "kg": (Unit.GRAM, 1000.0),
    "mg": (Unit.GRAM, 0.001),
    **dict.fromkeys(("ml", "mlt", "millilitre", "millilitres"), (Unit.MILLILITRE, 1.0)),
    "cl": (Unit.MILLILITRE, 10.0),
    "dl": (Unit.MILLILITRE, 100.0),
    **dict.fromkeys(("l", "litre", "litres", "liter", "liters"), (Unit.MILLILITRE, 1000.0)),
}
_AMOUNT = re.compile(rf"(?<![\w.,])(?<!\d/)(\d+(?:[.,]\d+)?)\s*({'|'.join(_METRIC)})(?!\w)", re.IGNORECASE)
# The codes that packages are registered with at GS1, as they come with American products.
_CODES = {"ONZ": "oz", "OZA": "fl oz", "GRM": "g", "MLT": "ml"}
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
_LONG_DECIMAL = re.compile(r"\d+\.\d{3,}")
_COUNT = re.compile(r"(\d*\.\d+)(?= [^\W\d])")
_ABOUT = re.compile(r"\s*\|\s*about\b", re.IGNORECASE)
_TWICE = re.compile(r"(.+?) \(\1\)")


class Portion(NamedTuple):
    """A serving whose unit may be unknown, since the food it belongs to may have another."""

    description: str
    amount: float
    unit: Unit | None


# The same few thousand sizes of packages, and of servings, are on most products.
@lru_cache(maxsize=20_000)
def read_unit(text: str | None) -> Unit | None:
    """The unit of a quantity such as "75 cl", or of a bare "ml"; None where there is none, or both."""
    if not text or len(text) > LONGEST_WORDS:
        return None
    if (known := _METRIC.get(text)) is not None:
        return known[0]
    units = {unit for unit, _ in _read_amounts(text)}
    return units.pop() if len(units) == 1 else None


@lru_cache(maxsize=20_000)
def read_portion(size: str, quantity: float | None, unit: str | None) -> Portion | None:
    """A serving from its size ("1 biscuit (12 g)") and the amount that Open Food Facts found in it, or None.

    The amount may be missing where the size has one that leaves no choice. Where the two contradict each other, neither
    is believed.
    """
    if len(size) > LONGEST_WORDS:
        size = ""
    amounts = _read_amounts(size)
    if quantity is None:
        agreeing = amounts if len(amounts) == 1 else []
    else:
        agreeing = [found for found in amounts if math.isclose(found[1], quantity, rel_tol=_SAME)]
    if not agreeing and (amounts or quantity is None):
        return None
    amount = round(agreeing[0][1] if quantity is None else quantity, 6)
    if not 0 < amount <= LARGEST_SERVING:
        return None
    measured = agreeing[0][0] if agreeing else read_unit(unit)
    return Portion(_describe(size, amount, measured), amount, measured)


def describe_amount(amount: float, unit: Unit | None) -> str:
    """An amount as a description, where the source has no better words for it."""
    return f"{for_reading(amount):g} {unit}" if unit else "1 serving"


def _read_amounts(text: str) -> list[tuple[Unit, float]]:
    amounts = []
    for number, word in _AMOUNT.findall(text):
        unit, factor = _METRIC[word.lower()]
        amounts.append((unit, float(number.replace(",", ".")) * factor))
    return amounts


def _describe(size: str, amount: float, unit: Unit | None) -> str:
    """The size in the source's words, without its shouting, its codes and its rounding errors."""
    text = " ".join(_ABOUT.sub("", html.unescape(size)).split())
    text = _LONG_DECIMAL.sub(lambda found: f"{for_reading(float(found[0])):g}", text)
    text = _AMOUNT.sub(lambda found: f"{found[1]} {found[2].lower()}", text)
    text = _CAPITALS.sub(lambda found: _CODES.get(found[0], found[0].lower()), text)
    text = _TWICE.sub(r"\1", text)
    # "0.25 cup" is a quarter of a cup, but "0.49 g" stays what it is.
    if (count := _COUNT.match(text)) and not _AMOUNT.match(text):
        text = as_fraction(float(count[1])) + text[count.end() :]
    is_bare = not any(letter.isalpha() for letter in _AMOUNT.sub("", text))
    return describe_amount(amount, unit) if is_bare or len(text) > _LONGEST_DESCRIPTION else text
