"""The tiers of foods that answer a query, best first: expressions of the full-text index.

Tiers do not overlap, and within each the static rank decides. So a page of an answer reads the foods that it shows and
no others, however many foods match.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import NamedTuple, TypeVar

from provender.catalogue.naming import (
    ALONE,
    AMONG,
    ASIDE,
    FIRST,
    KIND,
    LATER,
    NAMED,
    NAMED_ASIDE,
    PART,
    PRODUCT,
    SECOND,
)
from provender.catalogue.vocabulary import MOST_LIKELY, Word
from provender.model.foods import FoodType

# The classes that answer a single word, in order: "butter" is butter before it is peanut butter.
_SINGLE = (ALONE, SECOND, KIND, FIRST + AMONG + PART, LATER)
_NEAR = ALONE + SECOND + FIRST + AMONG + KIND + PART
_ANY = _NEAR + LATER

# A word is rather a beginning when one that it may go on to is so many times as common.
_MUCH_COMMONER = 3


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of one word in a query, and the words that may stand there."""

    # Several where a misspelt word may be any of them.
    words: tuple[Word, ...]
    # Of the last word, which may go on: its completions, or the beginning itself where the index has beginnings.
    completions: tuple[Word, ...] = ()
    beginning: str | None = None
    # The commonest words that it may go on to, of those that name foods.
    likely: tuple[Word, ...] = ()
    # Whether these are not the words that were typed, but words near to them.
    is_guess: bool = False

    @property
    def foods(self) -> int:
        return sum(word.foods for word in (*self.words, *self.completions))

    @property
    def is_known(self) -> bool:
        return bool(self.words or self.may_go_on)

    @property
    def names_foods(self) -> bool:
        """Whether a word names plain foods, and does not just say how they are."""
        return any(ALONE in word.classes or SECOND in word.classes for word in self.words)

    @property
    def may_go_on(self) -> bool:
        return bool(self.completions or self.beginning)

    @property
    def is_begun_rather(self) -> bool:
        """Whether the word is more likely a beginning: "straw" of strawberries, while "pita" is no pitanga."""
        typed = max((word.foods for word in self.words), default=0)
        return any(word.foods > _MUCH_COMMONER * typed for word in self.likely)

    def term(self, classes: str, *, begun: bool) -> str | None:
        """The expression for the word, or for what it goes on to, in one of the classes; None where no food has it."""
        words = self.completions if begun else self.words
        terms = [f'"{kind}{word.text}"' for word in words for kind in classes if kind in word.classes]
        if begun and self.beginning is not None:
            terms += [f'"{kind}{self.beginning}"*' for kind in classes]
        return _any_of(terms)


# One way to understand a query: a slot for each of its words.
Reading = Sequence[Slot]


class Tier(NamedTuple):
    """The expression that finds the foods of a tier, and a simpler one that finds them among others, if there is one.

    Where that finds nothing, several tiers need not be asked.
    """

    expression: str
    among: str | None = None


_PLAIN_TIERS = len(_SINGLE)
_BRAND_TIERS = 2


def make_tiers(readings: Sequence[Reading], food_type: FoodType | None) -> Iterator[Tier]:
    """The tiers that answer a query in any of its readings, each made when it is asked for.

    A plain food stands before a brand's, and a word as it was typed before one that only begins so, unless that is
    what was more likely meant.
    """
    plain, brand = _Kind(_plain_tier), _Kind(partial(_brand_tier, food_type=food_type))
    typed = [(plain, False, place) for place in range(_PLAIN_TIERS)]
    likely = [(plain, True, -place) for place in range(MOST_LIKELY, 0, -1)]
    begun = [(plain, True, place) for place in range(_PLAIN_TIERS)]
    brands = [(brand, False, place) for place in range(_BRAND_TIERS)]
    if readings[0][-1].is_begun_rather:
        order = [typed[0], *likely, begun[0], *typed[1:], *begun[1:3], *brands, *begun[3:]]
    else:
        order = [*typed, *brands, *likely, *begun]
    order += [(brand, True, place) for place in range(_BRAND_TIERS)]
    if food_type is FoodType.BRAND:
        order = [entry for entry in order if entry[0] is brand]
    for kind, goes_on, place in order:
        # What a word will likely be is asked of the likeliest reading alone.
        for reading in readings[:1] if place < 0 else readings:
            if tier := kind.make(reading, place, begun=goes_on):
                yield tier


class _Kind:
    """Plain foods, or brands': makes their tiers, each without what those of other readings made before it have."""

    def __init__(self, make_tier: Callable[..., str | None]) -> None:
        self._make_tier = make_tier
        self._made: list[tuple[Reading, str]] = []

    def make(self, reading: Reading, place: int, *, begun: bool) -> Tier | None:
        if begun and not reading[-1].may_go_on:
            return None
        expression = self._make_tier(reading, place, begun=begun)
        if expression is None:
            return None
        # The tiers of one reading do not overlap as they are.
        others = [tier for other, tier in self._made if other is not reading]
        self._made.append((reading, expression))
        among = _all_of(reading, _ANY, begun=begun) if len(reading) > 1 and self._make_tier is _plain_tier else None
        return Tier(_without(expression, others), among)


def _plain_tier(reading: Reading, place: int, *, begun: bool) -> str | None:
    """With one word: its classes, one after the other. With more: those foods first that the words name.

    A place below 0 is that of the foods that a likely completion names.
    """
    if place < 0:
        return _likely_tier(reading, MOST_LIKELY + place)
    # A food that has the word itself is in the tiers of that.
    typed = reading[-1].term(_ANY, begun=False) if begun else None
    if len(reading) == 1:
        several = begun or len(reading[0].words) > 1
        before = reading[0].term("".join(_SINGLE[:place]), begun=begun) if several else None
        others = _likely_named(reading, MOST_LIKELY) if begun and not place else []
        return _without(reading[0].term(_SINGLE[place], begun=begun), [typed, before, *others])
    naming = _naming(reading, begun=begun)
    near = _all_of(reading, _NEAR, begun=begun)
    if place == 0:
        others = _likely_named(reading, MOST_LIKELY) if begun else []
        return _without(_both(near, naming), [typed, *others])
    if place == 1:
        return _without(near, [typed, naming])
    anywhere = _all_of(reading, _ANY, begun=begun)
    if place == 2:
        return _without(_both(anywhere, naming), [typed, near])
    return _without(anywhere, [typed, near, naming]) if place == 3 else None


def _likely_tier(reading: Reading, place: int) -> str | None:
    """The foods that are named if the last word goes on to the likely word in this place."""
    *before, named = _likely_named(reading, place + 1) if place < len(reading[-1].likely) else [None]
    return _without(named, [reading[-1].term(_ANY, begun=False), *before])


def _likely_named(reading: Reading, most: int) -> list[str | None]:
    """For each of the likely words, what finds the foods that are named if the last word goes on to it."""
    finished = ([*reading[:-1], Slot((word,))] for word in reading[-1].likely[:most])
    return [_plain_tier(reading, 0, begun=False) for reading in finished]


def _naming(reading: Reading, *, begun: bool) -> str | None:
    """What says that the words name the food: one that names it alone, or two that name it together."""
    naming = [term for term in _terms(reading, ALONE, begun=begun) if term]
    pairs = list(combinations(range(len(reading)), 2))
    first, second = _terms(reading, FIRST, begun=begun), _terms(reading, SECOND, begun=begun)
    naming += [f"({first[i]} AND {second[j]})" for i, j in pairs if first[i] and second[j]]
    if len(reading) > 2:
        among = _terms(reading, AMONG, begun=begun)
        naming += [f"({among[i]} AND {among[j]})" for i, j in pairs if among[i] and among[j]]
    return _any_of(naming)


_BRAND_CLASSES = {
    None: (PRODUCT + NAMED, ASIDE + NAMED_ASIDE),
    FoodType.BRAND: (PRODUCT, ASIDE),
    FoodType.GENERIC: (NAMED, NAMED_ASIDE),
}


def _brand_tier(reading: Reading, place: int, *, begun: bool, food_type: FoodType | None) -> str | None:
    """The foods that have all words in the names of the products; then those that have some in their brands.

    Where a slot has several words, a food may have them in both, so that these two are one.
    """
    if place < 0:
        return None
    names, asides = _BRAND_CLASSES[food_type]
    if begun or any(len(slot.words) > 1 for slot in reading):
        typed = reading[-1].term(names + asides, begun=False) if begun else None
        return _without(_all_of(reading, names + asides, begun=begun), [typed]) if place == 0 else None
    if place == 0:
        return _all_of(reading, names, begun=False)
    brand = _any_of([term for term in _terms(reading, asides, begun=False) if term])
    return _both(_all_of(reading, names + asides, begun=False), brand)


def _all_of(reading: Reading, classes: str, *, begun: bool) -> str | None:
    terms = _terms(reading, classes, begun=begun)
    return " AND ".join(term for term in terms if term) if all(terms) else None


def _terms(reading: Reading, classes: str, *, begun: bool) -> list[str | None]:
    """The terms of all slots; only the last may be one that goes on."""
    last = len(reading) - 1
    return [slot.term(classes, begun=begun and place == last) for place, slot in enumerate(reading)]


def _any_of(terms: Sequence[str]) -> str | None:
    if len(terms) < 2:
        return terms[0] if terms else None
    return f"({' OR '.join(terms)})"


def _both(expression: str | None, other: str | None) -> str | None:
    return f"{expression} AND {other}" if expression and other else None


_Expression = TypeVar("_Expression", str, str | None)


def _without(expression: _Expression, others: Sequence[str | None]) -> _Expression:
    left_out = " OR ".join(f"({other})" for other in others if other)
    return f"({expression}) NOT ({left_out})" if expression and left_out else expression
