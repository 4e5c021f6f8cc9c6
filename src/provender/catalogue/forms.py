"""The forms that foods come in, as `data/forms.txt` lists them, and what a part of a name says by them.

"Cooked" and "meat only" say how a food is, not what it is; "raw" is what people mean when they say nothing, and
"dehydrated" is not.
"""

import re
from collections.abc import Mapping, Sequence, Set
from functools import cache, lru_cache
from typing import NamedTuple

from provender.catalogue.language import read_list, read_words

Words = tuple[str, ...]

# A form with more than these points is odd.
_ODD_FORM = 0.5
# Forms with so few points are states: raw, cooked.
_STATE = -2.0

_IN_COMPANY = re.compile(r"\s*(?:made|with|in|includes?) ")


class Forms(NamedTuple):
    """What `data/forms.txt` says."""

    categories: Set[Words]
    names: Set[Words]
    dishes: Set[Words]
    plain: Set[Words]
    makers: Set[Words]
    # As they are written, since a can of beans is not canned beans.
    units: Set[str]
    # By the first word: the words of a form, and its points; the longest first.
    points: Mapping[str, Sequence[tuple[Words, float]]]


@cache
def read_forms() -> Forms:
    named: dict[str, set[Words]] = {"category": set(), "name": set(), "dish": set(), "plain": set(), "maker": set()}
    forms: dict[str, list[tuple[Words, float]]] = {}
    units: set[str] = set()
    for line in read_list("forms.txt"):
        kind, _, text = line.partition(" ")
        if kind == "unit":
            units.add(text)
            continue
        words = tuple(read_words(text))
        if kind in named:
            named[kind].add(words)
        else:
            forms.setdefault(words[0], []).append((words, float(kind)))
    for entries in forms.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return Forms(named["category"], named["name"], named["dish"], named["plain"], named["maker"], units, forms)


class Part(NamedTuple):
    """A part of a name: its words, those that are no forms, and the points of its forms."""

    words: Words
    telling: Words
    # Without those forms only that say little.
    nouns: Words
    state: float
    usual: float
    odd: tuple[tuple[Words, float], ...]
    # Whether it says what comes with the food.
    in_company: bool

    @property
    def is_odd(self) -> bool:
        return any(points > _ODD_FORM for _, points in self.odd)


@lru_cache(maxsize=50_000)
def read_part(text: str) -> Part:
    """Read a part of a name. Tables repeat their parts, so that most are read from the cache."""
    words = tuple(read_words(text))
    forms = read_forms().points
    state = usual = 0.0
    telling: list[str] = []
    nouns: list[str] = []
    odd: list[tuple[Words, float]] = []
    place = 0
    while place < len(words):
        for form, points in forms.get(words[place], ()):
            if words[place : place + len(form)] == form:
                if points <= _STATE:
                    state = min(state, points)
                elif points < 0:
                    usual = min(usual, points)
                else:
                    odd.append((form, points))
                if points:
                    nouns += form
                place += len(form)
                break
        else:
            # A number, or a letter, says no more than a form does.
            if len(words[place]) > 1 and not words[place][0].isdigit():
                telling.append(words[place])
                nouns.append(words[place])
            place += 1
    in_company = _IN_COMPANY.match(text) is not None
    if in_company:
        # A food is not odd for what comes with it.
        odd = [(form, min(points, _ODD_FORM)) for form, points in odd]
    return Part(words, tuple(telling), tuple(nouns), state, usual, tuple(odd), in_company)
