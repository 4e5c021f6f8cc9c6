"""The tiers of foods that answer a query, best first: expressions of the full-text index.

Tiers do not overlap, and within each the static rank decides. So a page of an answer reads the foods that it shows and
no others, however many foods match.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from provender.catalogue.naming import ALONE, AMONG, ASIDE, FIRST, KIND, LATER, NAMED, PART, PRODUCT, SECOND
from provender.catalogue.vocabulary import Word
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
    # The most foods that a word that it may go on to has, of those that name foods.
    completed: int = 0

    @property
    def foods(self) -> int:
        return sum(word.foods for word in (*self.words, *self.completions))

    @property
    def names_foods(self) -> bool:
        return any(ALONE in word.classes or SECOND in word.classes for word in self.words)

    @property
    def may_go_on(self) -> bool:
        return bool(self.completions or self.beginning)

    @property
    def is_begun_rather(self) -> bool:
        """Whether the word is more likely a beginning: "straw" of strawberries, while "pita" is no pitanga."""
        return self.completed > _MUCH_COMMONER * max((word.foods for word in self.words), default=0)

    def term(self, classes: str, *, begun: bool) -> str | None:
        """The expression for these words in one of the classes; None where no food has one."""
        words = (*self.words, *self.completions) if begun else self.words
        terms = [f'"{kind}{word.text}"' for word in words for kind in classes if kind in word.classes]
        if begun and self.beginning is not None:
            terms += [f'"{kind}{self.beginning}"*' for kind in classes]
        if len(terms) < 2:
            return terms[0] if terms else None
        return f"({' OR '.join(terms)})"


# One way to understand a query: a slot for each of its words.
Reading = Sequence[Slot]


def make_tiers(readings: Sequence[Reading], food_type: FoodType | None) -> list[str]:
    """The tiers that answer a query in any of its readings.

    A plain food stands before a brand's, and a word as it was typed before one that only begins so, unless that is
    what was more likely meant.
    """
    plain, brand = _Tiers(), _Tiers()
    typed = [(plain, False, tier) for tier in range(len(_SINGLE))]
    begun = [(plain, True, tier) for tier in range(len(_SINGLE))]
    brands = [(brand, False, 0), (brand, False, 1)]
    if readings[0][-1].is_begun_rather:
        order = typed[:1] + begun[:1] + typed[1:] + begun[1:3] + brands + begun[3:]
    else:
        order = typed + brands + begun
    order += [(brand, True, 0), (brand, True, 1)]
    tiers = []
    for kind, goes_on, tier in order:
        for reading in readings:
            if goes_on and not reading[-1].may_go_on:
                continue
            if kind is brand:
                expression = _brand_tier(reading, tier, food_type, begun=goes_on)
            else:
                expression = None if food_type is FoodType.BRAND else _plain_tier(reading, tier, begun=goes_on)
            if expression:
                tiers.append(kind.beyond(expression))
    return tiers


class _Tiers:
    """The tiers of one kind of foods so far."""

    def __init__(self) -> None:
        self._before: list[str] = []

    def beyond(self, expression: str) -> str:
        """The expression without what the tiers before it have."""
        earlier = " OR ".join(self._before)
        self._before.append(f"({expression})")
        return f"({expression}) NOT ({earlier})" if earlier else expression


def _plain_tier(reading: Reading, tier: int, *, begun: bool) -> str | None:
    if len(reading) == 1:
        return reading[0].term(_SINGLE[tier], begun=begun)
    classes = (_NEAR, _NEAR, _ANY, _ANY, "")[tier]
    together = _all_of(reading, classes, begun=begun)
    if together is None or tier in {1, 3}:
        return together
    naming = _naming(reading, begun=begun)
    return f"{together} AND ({' OR '.join(naming)})" if naming else None


def _naming(reading: Reading, *, begun: bool) -> list[str]:
    """What says that the words name the food: one that names it alone, or two that name it together."""
    naming = [term for term in _terms(reading, ALONE, begun=begun) if term]
    pairs = list(combinations(range(len(reading)), 2))
    first, second = _terms(reading, FIRST, begun=begun), _terms(reading, SECOND, begun=begun)
    naming += [f"({first[i]} AND {second[j]})" for i, j in pairs if first[i] and second[j]]
    if len(reading) > 2:
        among = _terms(reading, AMONG, begun=begun)
        naming += [f"({among[i]} AND {among[j]})" for i, j in pairs if among[i] and among[j]]
    return naming


def _brand_tier(reading: Reading, tier: int, food_type: FoodType | None, *, begun: bool) -> str | None:
    """The foods that have all words in the names of the products; then in their brands too."""
    named = {None: PRODUCT + NAMED, FoodType.BRAND: PRODUCT, FoodType.GENERIC: NAMED}[food_type]
    return _all_of(reading, named + ASIDE * tier, begun=begun)


def _all_of(reading: Reading, classes: str, *, begun: bool) -> str | None:
    terms = _terms(reading, classes, begun=begun)
    return " AND ".join(term for term in terms if term) if all(terms) else None


def _terms(reading: Reading, classes: str, *, begun: bool) -> list[str | None]:
    """The terms of all slots; only the last may be one that goes on."""
    last = len(reading) - 1
    return [slot.term(classes, begun=begun and place == last) for place, slot in enumerate(reading)]
