"""A large catalogue of brand products, invented but realistic: the same seed gives the same foods on every machine.

Names are made from `brand_words.py` by templates. Words and brands are drawn by a Zipf law, so that a few words are in
some per cent of all names while most are in one.
"""

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import accumulate
from random import Random
from string import Formatter
from typing import NamedTuple

from benchmarks import brand_words as words
from benchmarks.invented import invent_word, name_brand
from provender.model.foods import Food, Serving, Unit
from provender.model.gtin import check_digit

# GS1 keeps the prefix 952 for demonstrations, so that no barcode here is one on a real package.
_PREFIX = "952"
# Times a number that has no factor in common with 10 ** 9, a count visits every number once, in no visible order.
_NUMBERS, _NUMBER_STEP = 10**9, 387_420_489
# Seeds get numbers far apart, so that the products of two of them are hardly ever the same.
_SEED_STEP = 10**7

# How many invented words there are of each kind, and how many brands that have more than one product.
_VARIETIES = 20_000
_LINES = 400_000
_BRANDS = 6_000

# Few adjectives are on most packages; with the other words the head of the list is less alone.
_FLATNESS = {"adjective": 0.5}

# Shares of all products, about those of real tables; there, some makers write everything in upper case.
_BRAND_OF_ITS_OWN = 0.012
_BRAND_IN_NAME = 0.05
_MISSPELT = 0.008
_UPPER, _LOWER, _SENTENCE = 0.07, 0.03, 0.10

_RELEASED = datetime(2025, 6, 1, tzinfo=UTC)

# No float but these comes into a draw: their quotients and sums are the same on every machine, powers need not be.
Chance = Callable[[], float]


class _Draw:
    """Draws one of some words, the k-th as often as 1 / (k + flatness): a Zipf law, with Mandelbrot's flatter head."""

    def __init__(self, word: Callable[[int], str], count: int, flatness: float) -> None:
        self._word = word
        self._sums = list(accumulate(1 / (k + flatness) for k in range(1, count + 1)))
        self._total = self._sums[-1]

    def __call__(self, at: float) -> str:
        return self._word(bisect(self._sums, at * self._total))


class _Template(NamedTuple):
    """How a name is put together: a format, and what is drawn for each of its places."""

    form: str
    draws: tuple[_Draw, ...]


class _Language:
    """The templates of a language and their weights."""

    def __init__(self, language: str, shared: Mapping[str, _Draw]) -> None:
        # Every English word is capitalized on a package; elsewhere the lists have words as they are written.
        write = _capitalize_all if language == "english" else str
        draws = dict(shared)
        for slot, listed in words.LANGUAGES[language].items():
            written = [write(word) for word in listed]
            draws[slot] = _Draw(written.__getitem__, len(written), _FLATNESS.get(slot, 1.5))
        rows = [line.split(maxsplit=1) for line in words.TEMPLATES[language].strip().splitlines()]
        self._templates = [_read_template(text, draws) for _, text in rows]
        self._sums = list(accumulate(float(weight) for weight, _ in rows))

    def name(self, chance: Chance) -> str:
        template = self._templates[bisect(self._sums, chance() * self._sums[-1])]
        drawn: list[str] = []
        for draw in template.draws:
            word = draw(chance())
            # Nobody sells chocolate with chocolate, however often the word comes up.
            while word in drawn:
                word = draw(chance())
            drawn.append(word)
        name = template.form % tuple(drawn)
        return name[0].upper() + name[1:]


class _Maker:
    """What foods are made from, prepared once."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        plain = [_capitalize_all(name) for name in words.PLAIN]
        shared = {
            "plain": _Draw(plain.__getitem__, len(plain), flatness=6),
            "variety": _Draw(invent_word, _VARIETIES, flatness=100),
            "line": _Draw(lambda index: invent_word(_VARIETIES + index), _LINES, flatness=40),
            "size": _Draw(words.SIZES.__getitem__, len(words.SIZES), flatness=3),
            "percent": _Draw(words.PERCENTS.__getitem__, len(words.PERCENTS), flatness=1),
        }
        self._languages = [_Language(language, shared) for language in words.SHARES]
        self._shares = list(accumulate(words.SHARES.values()))
        self._brand = _Draw([name_brand(index) for index in range(_BRANDS)].__getitem__, _BRANDS, flatness=8)
        self._nutrients = [_make_nutrients(chance) for _ in range(500)]

    def make_food(self, serial: int, number: int) -> Food:
        chance = self._chance
        own = chance() < _BRAND_OF_ITS_OWN
        brand = invent_word(_VARIETIES + _LINES + serial) if own else self._brand(chance())
        digits = f"{_PREFIX}{number:09}"
        barcode = digits + check_digit(digits)
        unit, serving = _SERVINGS[int(chance() * len(_SERVINGS))]
        return Food(
            source="off",
            source_key=barcode,
            dataset="off",
            name=self._make_name(brand),
            brand=brand,
            unit=unit,
            nutrients=self._nutrients[int(chance() * len(self._nutrients))],
            servings=serving,
            barcode=barcode,
            released=_RELEASED,
        )

    def _make_name(self, brand: str) -> str:
        chance = self._chance
        name = self._languages[bisect(self._shares, chance() * self._shares[-1])].name(chance)
        if chance() < _MISSPELT:
            name = _misspell(name, chance)
        if chance() < _BRAND_IN_NAME:
            name = f"{brand}, {name}" if chance() < 0.4 else f"{brand} {name}"
        case = chance()
        if case < _UPPER:
            return name.upper()
        if case < _UPPER + _LOWER:
            return name.lower()
        return name[0] + name[1:].lower() if case < _UPPER + _LOWER + _SENTENCE else name


def generate_brand_foods(count: int, seed: int = 1) -> Iterator[Food]:
    """So many brand products. The first of them do not depend on how many there are."""
    maker = _Maker(Random(seed).random)
    for serial in range(count):
        yield maker.make_food(serial, (seed * _SEED_STEP + serial) * _NUMBER_STEP % _NUMBERS)


def _read_template(text: str, draws: Mapping[str, _Draw]) -> _Template:
    parts = list(Formatter().parse(text))
    form = "".join(literal + ("%s" if slot else "") for literal, slot, _, _ in parts)
    return _Template(form, tuple(draws[slot] for _, slot, _, _ in parts if slot))


def _capitalize_all(phrase: str) -> str:
    return " ".join(word[0].upper() + word[1:] for word in phrase.split())


def _misspell(name: str, chance: Chance) -> str:
    """A letter doubled, left out, swapped with the next, or another; a name too short to be misspelt stays."""
    place = 1 + int(chance() * len(name))
    if not name[place - 1 : place + 2].isalpha() or place + 2 > len(name):
        return name
    before, letter, after = name[:place], name[place], name[place + 1 :]
    how = int(chance() * 4)
    if how == 0:
        return before + letter + letter + after
    if how == 1:
        return before + after
    if how == 2:
        return before + after[0] + letter + after[1:]
    return before + "aeioustn"[int(chance() * 8)] + after


def _make_nutrients(chance: Chance) -> dict[str, float]:
    """Values for 100 g whose energy fits them."""
    fat = round(chance() * 35, 1)
    carbohydrates = round(chance() * 45, 1)
    protein = round(chance() * 20, 1)
    return {
        "energy_kcal": float(round(9 * fat + 4 * carbohydrates + 4 * protein)),
        "total_fat_in_gm": fat,
        "total_carbohydrates_in_gm": carbohydrates,
        "total_protein_in_gm": protein,
        "sugars_in_g": round(carbohydrates * chance(), 1),
        "sodium_in_mg": float(round(chance() * 900)),
    }


_SERVINGS = [(Unit.GRAM, (Serving(f"1 serving ({grams} g)", float(grams)),)) for grams in range(15, 160, 5)] + [
    (Unit.MILLILITRE, (Serving(f"1 glass ({ml} ml)", float(ml)),)) for ml in (200, 240, 250, 330, 355)
]
