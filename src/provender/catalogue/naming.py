"""Reads a food's name for search: which of its words name the food, which say how it is, and how odd it is.

USDA names begin with what the food is and go on with how it is: "Bread, white, commercially prepared, toasted". The
class of a word says what it does in the name, and the points of a food say how far it is from what people mean when
they name it and say no more. Both are worked out when a catalogue is built; a search compares words and ranks only.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from provender.catalogue.forms import Part, Words, read_forms, read_part
from provender.catalogue.language import (
    fold_telling,
    names_besides,
    read_plainly,
    read_words,
    replaced_words,
    singular,
    split_parts,
)
from provender.model.folding import fold_words, has_words_only

# Classes of a plain food's words, from the best to the least. Each is a letter in front of the word in the index.
ALONE = "a"  # Names the food alone: "Milk" in "Milk, whole".
SECOND = "b"  # The second of two that name it together: "butter" in "Peanut butter, smooth".
FIRST = "c"  # The first of two.
AMONG = "d"  # One of three or more: "Chicken breast tenders, breaded".
KIND = "e"  # Says which kind of it, or in which form: "Cheese, cheddar, grated".
PART = "f"  # Says so among other words, or says an odd form, or what is in a dish: "Cookies, chocolate chip".
LATER = "g"  # Further back.
# Classes of a brand food's words.
PRODUCT = "p"  # In its name.
ASIDE = "q"  # In the name of the brand, or among what comes with it.
# The same of a food that is a brand's by its name, though no brand is known.
NAMED = "r"
NAMED_ASIDE = "s"

# Brands' foods have at least these points, plain foods fewer.
BRANDS_FROM = 1000.0

# With so many points for its forms a food is so odd that its name alone does not mean it.
_ODD = 4.0
# More parts than this make no food odder.
_MOST_KINDS = 2
_FOR_EACH_WORD = 0.15

_IN_PARENTHESES = re.compile(r"\(([^()]*)\)")
_NOT = re.compile(r"\b(?:other than|except|not|no(?! (?:salt|sugar|added))) [^,;()]*", re.IGNORECASE)
_COMPANY = re.compile(r" (?:made|prepared|with|in) ")
# A shouted word in a name that is not all shouted is a brand: "Snacks, M&M MARS, COMBOS Snacks".
_SHOUTED = re.compile(r"\b[A-Z][A-Z'&-]{3,}\b")
_HYPHENED = re.compile(r"(?<![\w-])([^\W\d_]+)-([^\W\d_]+)(?![\w-])")
_LOWER = re.compile(r"[a-z]")
# What the USDA's field for common names holds besides them: numbers of cuts and of commodity programmes.
_NO_NAME = re.compile(r"urmis|imps|commodity|recipe|family style|latino|\d", re.IGNORECASE)


class Naming(NamedTuple):
    """What search has to know about a food's name: the class of each word, and the food's points."""

    classes: dict[str, str]
    points: float


def tokens(name: str, brand: str | None, besides: str | None) -> str:
    """The text that is indexed: each word once, its class in front of it."""
    return _list_tokens(read_name(name, brand, besides))


def points(name: str, brand: str | None, besides: str | None, nutrients: int, servings: int) -> float:
    """How odd a food is, and how little is known of it: `nutrients` and `servings` are the sizes of what is known.

    The foods that people eat most are those that tables have measured most.
    """
    return _count_points(read_name(name, brand, besides), nutrients, servings)


def read_for_search(
    name: str, brand: str | None, besides: str | None, nutrients: int, servings: int
) -> tuple[float, str]:
    """Both of the above, for the price of one."""
    naming = read_name(name, brand, besides)
    return _count_points(naming, nutrients, servings), _list_tokens(naming)


def _list_tokens(naming: Naming) -> str:
    return " ".join([kind + word for word, kind in naming.classes.items()])


def _count_points(naming: Naming, nutrients: int, servings: int) -> float:
    known = min(nutrients, 3000) / 1500 + min(servings, 1000) / 1000
    odd = naming.points
    return odd - known if odd < BRANDS_FROM / 2 else odd - known / 10


def read_name(name: str, brand: str | None, besides: str | None) -> Naming:
    """Read a name; `besides` are other names that the food's source has for it."""
    if brand is not None:
        return _read_product(name, brand, PRODUCT, ASIDE)
    if _SHOUTED.search(name) and _LOWER.search(name):
        return _read_product(name, "", NAMED, NAMED_ASIDE)
    return _read_plain_food(name, besides)


def _read_plain_food(name: str, besides: str | None) -> Naming:
    classes: dict[str, str] = {}
    parts = [part for part in map(read_part, _split(_IN_PARENTHESES.sub(" ", name))) if part.words]
    naming = _note_parts(classes, parts)
    parts += _note_remarks(classes, name)
    for other in _other_names(besides or ""):
        _note(classes, other, KIND if len(other) == 1 else PART)
    _note_besides(classes)
    if "-" in name:
        _note_joined(classes, name)
    # A form that is said twice is as odd as one that is said once.
    odd = sum(dict(form for part in parts for form in part.odd).values())
    if odd >= _ODD:
        classes = {word: _AS_ODD[kind] for word, kind in classes.items()}
    usual = min(part.state for part in parts) + min(part.usual for part in parts) if parts else 0.0
    # What is said to be of a kind is less plainly the food than what is not.
    kinds = min(naming - 1, _MOST_KINDS) + _FOR_EACH_WORD * sum(len(part.telling) for part in parts)
    return Naming(_as_written(classes, name, LATER), odd + usual + kinds)


def _note_parts(classes: dict[str, str], parts: Iterable[Part]) -> int:
    """Note the words of a plain food's name, and return how many of its parts say what the food is."""
    forms = read_forms()
    naming = 0
    dish = False
    for part in parts:
        if not naming and part.words in forms.categories:
            _note(classes, part.words, KIND if len(part.words) == 1 else PART)
        elif naming and not part.telling:
            _note(classes, part.words, PART if part.is_odd or len(part.words) > 1 else KIND)
        else:
            naming += 1
            if naming == 1 or part.words in forms.names:
                _note_name(classes, part)
            else:
                alone = len(part.words) == 1 and not dish
                kind = LATER if part.in_company else (KIND, PART, LATER)[min(naming - 1 - alone, 2)]
                _note(classes, part.words, kind)
            dish = dish or part.words in forms.dishes
    return naming


def _note_remarks(classes: dict[str, str], name: str) -> Iterator[Part]:
    """Note what stands in parentheses, and what the food is not; and give those that say how it is."""
    for text in _NOT.findall(name):
        _note(classes, read_words(text), LATER)
    for found in _IN_PARENTHESES.finditer(name):
        aside = read_part(found[1])
        # One word near the beginning is another name of the food; further back, or longer, it is a remark.
        near = len(aside.words) == 1 and name.count(",", 0, found.start()) < 2
        _note(classes, aside.words, KIND if near else LATER)
        # What a name includes besides says nothing of how the food is.
        if not found[1].lower().startswith("include"):
            yield aside


# An odd food is found by its words, but behind every plain one.
_AS_ODD = {ALONE: PART, SECOND: PART, FIRST: PART, AMONG: LATER, KIND: LATER, PART: LATER, LATER: LATER}


def _read_product(name: str, brand: str, named: str, aside: str) -> Naming:
    """Read the name of a brand's food. How odd it is nobody asks; the one that says least is most likely meant."""
    product, company = _set_company_apart(name)
    if not company and ("," not in name or has_words_only(name)) and (singulars := read_plainly(name)) is not None:
        # Most names of products: every word means itself, so that it does not matter which part it stands in.
        return _read_plain_product(name, singulars, brand, named, aside)
    words = dict.fromkeys([word for text in split_parts(product) for word in read_words(text)], named)
    telling = words.keys() - _read_heading(product) - (maker := _read_maker(brand))
    classes = dict.fromkeys(maker, aside) | words
    if company:
        beside = read_words(company)
        _note(classes, beside, aside)
        telling.update(beside)
    _note_besides(classes)
    if "-" in name:
        _note_joined(classes, name)
    return Naming(_as_written(classes, name, aside), BRANDS_FROM + sum(map(_weigh, telling)))


def _read_plain_product(name: str, words: Sequence[str], brand: str, named: str, aside: str) -> Naming:
    maker = _read_maker(brand)
    classes = dict.fromkeys(maker, aside)
    classes.update(dict.fromkeys(words, named))
    _note_besides(classes)
    if "-" in name:
        _note_joined(classes, name)
    if "%" in name or "%" in brand:
        _note_numbers(classes, aside)
    telling = set(words).difference(maker, _read_heading(name)) if "," in name else set(words) - maker
    return Naming(classes, BRANDS_FROM + sum(map(_weigh, telling)))


@lru_cache(maxsize=20_000)
def _read_maker(brand: str) -> frozenset[str]:
    return frozenset(read_words(brand))


def _read_heading(name: str) -> Words:
    """The words of the heading that a name begins with, if it begins with one."""
    first, comma, _ = name.partition(",")
    words = read_part(first).words if comma else ()
    return words if words in read_forms().categories else ()


def _set_company_apart(name: str) -> tuple[str, str]:
    """The name of a product, and what it comes with, if it ends with that."""
    if " with " not in name:
        return name, ""
    product, _, company = name.rpartition(" with ")
    return (product, company) if "," not in company else (name, "")


@lru_cache(maxsize=50_000)
def _weigh(word: str) -> float:
    """How much a word adds to the name of a product: hardly anything if it says what every package says."""
    forms = read_forms()
    alone = (word,)
    if alone in forms.plain:
        return -0.5
    if alone in forms.makers:
        return 0.0
    usual = alone in forms.dishes or alone in forms.categories or alone in forms.names or word in forms.points
    return 0.5 if usual else 1.0


def _note_name(classes: dict[str, str], part: Part) -> None:
    """Note the words of a part that names the food."""
    nouns = part.nouns or part.words
    if len(nouns) == 2:
        _note(classes, nouns[1:], SECOND)
        _note(classes, nouns[:1], FIRST)
    else:
        _note(classes, nouns, ALONE if len(nouns) == 1 else AMONG)
    _note(classes, part.words, KIND)


def _note(classes: dict[str, str], words: Iterable[str], kind: str) -> None:
    """Give words their class; one that has a better already keeps it."""
    for word in words:
        if classes.get(word, kind) >= kind:
            classes[word] = kind


def _note_besides(classes: dict[str, str]) -> None:
    """Note what a food with these words is also called: of several words the last is what it is.

    The words that it is called so for keep their classes.
    """
    for word, known, called in names_besides(classes):
        kind = classes[word]
        *others, last = called
        _note(classes, {last} - known, kind)
        _note(classes, set(others) - known, max(kind, PART))


def _note_joined(classes: dict[str, str], name: str) -> None:
    """Note words with a hyphen as one word too: "multi-grain" is also written multigrain."""
    for first, second in _HYPHENED.findall(name):
        words = read_words(f"{first} {second}")
        if len(words) == 2 and classes.keys() >= set(words):
            _note(classes, [singular("".join(fold_words(first + second)))], max(classes[word] for word in words))


def _split(name: str) -> list[str]:
    """The parts of a name, without what the food is not.

    What it is made of, or comes with, is no part of what it is called.
    """
    first, *others = split_parts(_NOT.sub("", name))
    return [*_COMPANY.split(first, maxsplit=1), *others]


def _as_written(classes: dict[str, str], name: str, kind: str) -> dict[str, str]:
    """The words, and with them what else people may write of the name.

    That is a percentage as a bare number ("80/20" is 80% lean), and the single words of several that mean another.
    """
    _note_numbers(classes, kind)
    for word in map(singular, fold_telling(name)):
        if word not in classes and word not in replaced_words():
            classes[word] = kind
    return classes


def _note_numbers(classes: dict[str, str], kind: str) -> None:
    _note(classes, [word[:-1] for word in classes if word[-1] == "%"], kind)


def _other_names(text: str) -> Iterator[list[str]]:
    for other in text.split(","):
        if not _NO_NAME.search(other) and (words := read_words(other)):
            yield words
