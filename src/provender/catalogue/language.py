"""Words as search compares them: singular, and the tables' word where people have several.

The lists behind it are data: `data/synonyms.txt` says which words mean the same. Names and queries are read by the same
rules, so that a word that is read oddly is read oddly on both sides.
"""

import hashlib
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import islice, takewhile

from provender.model.folding import fold_words

# Words that say nothing about a food.
STOP_WORDS = frozenset(
    ["a", "an", "and", "as", "at", "by", "for", "from", "in", "n", "of", "on", "or", "the", "to", "with"]
)

# With an accent, a word of so many letters is another word; a shorter one says nothing in other languages either.
_SHORTEST_ACCENTED = 3
_WRITTEN = re.compile(r"\w+")

_SHORTEST_BEGINNING = 3
_SHORTEST_PLURAL = 4

_PARTS = re.compile(r"(?<!\d),|,(?!\d)|[;:()]| - ")

# Where the rules would give two forms for one word.
_IRREGULAR = {
    "leaves": "leaf", "loaves": "loaf", "halves": "half", "calves": "calf", "knives": "knife", "geese": "goose",
    "pies": "pie", "quiches": "quiche", "brioches": "brioche", "ceviches": "ceviche",
}  # fmt: skip


@lru_cache(maxsize=50_000)
def singular(word: str) -> str:
    """One form for singular and plural. It need not be a word, as long as both come out alike."""
    if len(word) < _SHORTEST_PLURAL:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word.endswith("s"):
        # Cookies are of cooky as berries are of berry; so a cookie has to be one too.
        return f"{word[:-2]}y" if word.endswith("ie") and len(word) > _SHORTEST_PLURAL else word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("oes", "ches", "shes", "sses", "xes")):
        return word[:-2]
    return word if word.endswith(("ss", "us", "is")) else word[:-1]


# By the first word of what is written: the rest of it, and what it means; the longest first.
_Meanings = dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]
# By the last of the words that a name must have: all of them, and what the food is also called.
_Names = dict[str, list[tuple[frozenset[str], list[list[str]]]]]


@cache
def _meanings() -> _Meanings:
    meanings: _Meanings = {}
    for line in read_list("synonyms.txt"):
        if ">" not in line:
            meaning, *others = (_singulars(side) for side in line.split("="))
            for first, *rest in others:
                meanings.setdefault(first, []).append((tuple(rest), meaning))
    for entries in meanings.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return meanings


def _singulars(text: str) -> tuple[str, ...]:
    return tuple(singular(word) for word in fold_words(text) if word not in STOP_WORDS)


@cache
def _names() -> _Names:
    names: _Names = {}
    for line in read_list("synonyms.txt"):
        known, besides, called = line.partition(">")
        if besides:
            words = read_words(known)
            others = [read_words(other) for other in called.split(",")]
            names.setdefault(words[-1], []).append((frozenset(words), others))
    return names


def read_list(name: str) -> Iterator[str]:
    """The lines of one of the lists, without comments."""
    text = _list_file(name).read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))


def mark_lists() -> str:
    """A short text that changes when one of the lists does."""
    lists = b"\0".join(_list_file(name).read_bytes() for name in ("forms.txt", "synonyms.txt"))
    return hashlib.blake2b(lists, digest_size=8).hexdigest()


def _list_file(name: str) -> Traversable:
    return resources.files("provender.catalogue").joinpath("data", name)


def read_words(text: str) -> list[str]:
    """The telling words of a text, as they are compared."""
    return understand(fold_telling(text))


def split_parts(text: str) -> list[str]:
    """The parts of a name, or of a query. A comma between two digits is no end of a part."""
    return _PARTS.split(text)


def fold_telling(text: str) -> list[str]:
    """The folded words of a text, without those that say nothing: "the" says nothing, and "thé" is tea."""
    words = fold_words(text)
    telling = [word for word in words if word not in STOP_WORDS]
    if len(telling) == len(words) or text.isascii():
        return telling
    written = set(_WRITTEN.findall(unicodedata.normalize("NFC", text).casefold()))
    said_nothing = {word for word in STOP_WORDS if len(word) < _SHORTEST_ACCENTED or word in written}
    return [word for word in words if word not in said_nothing]


def understand(folded: Sequence[str]) -> list[str]:
    """Folded words in the singular, each replaced by what it means, alone or together with those behind it."""
    meanings = _meanings()
    words = [singular(word) for word in folded]
    if meanings.keys().isdisjoint(words):
        return words
    understood: list[str] = []
    place = 0
    while place < len(words):
        for rest, meaning in meanings.get(words[place], ()):
            end = place + 1 + len(rest)
            if tuple(words[place + 1 : end]) == rest:
                understood += meaning
                break
        else:
            end = place + 1
            understood.append(words[place])
        place = end
    return understood


def read_plainly(text: str) -> list[str] | None:
    """The telling words of a text in the singular, if they are what `read_words` finds too: none means another."""
    words = [singular(word) for word in fold_telling(text)]
    return words if _meanings().keys().isdisjoint(words) else None


def names_besides(words: Iterable[str]) -> list[tuple[str, frozenset[str], list[str]]]:
    """What a food whose name has these words is also called; the words it is called so for, and which stands for it."""
    names = _names()
    if names.keys().isdisjoint(words):
        return []
    found = frozenset(words)
    return [
        (word, known, called)
        for word in sorted(found & names.keys())
        for known, others in names[word]
        if known <= found
        for called in others
    ]


@cache
def replaced_words() -> frozenset[str]:
    """The single words that are always read as others."""
    return frozenset(word for word, entries in _meanings().items() if any(not rest for rest, _ in entries))


@cache
def other_words() -> dict[str, str]:
    """The single words that mean another, and what each means; an irregular plural is one of them."""
    return _IRREGULAR | {
        word: meaning[0]
        for word, entries in _meanings().items()
        for rest, meaning in entries
        if not rest and len(meaning) == 1
    }


@lru_cache(maxsize=10_000)
def meant_by_beginning(beginning: str) -> tuple[str, ...]:
    """What is meant by words that begin so: "yogh" will be yogurt. A few letters may be anything."""
    if len(beginning) < _SHORTEST_BEGINNING:
        return ()
    words = _sorted_other_words()
    begun = takewhile(lambda word: word.startswith(beginning), islice(words, bisect_left(words, beginning), None))
    return tuple(sorted({other_words()[word] for word in begun}))


@cache
def _sorted_other_words() -> list[str]:
    return sorted(other_words())


def meant_by_words_begun(folded: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """What the last words mean if the last of them goes on, and how many they are: "hot do" will be a frankfurter.

    Single words that mean single words are not among them; see `meant_by_beginning`.
    """
    *before, last = folded
    if not before and len(last) < _SHORTEST_BEGINNING:
        return
    words = [singular(word) for word in before]
    for written, meaning in _written_by_last_letter().get(last[0], ()):
        if written[-1].startswith(last) and written[-1] != last:
            rest = len(written) - 1
            if not rest or tuple(words[-rest:]) == written[:-1]:
                yield len(written), meaning


@cache
def _written_by_last_letter() -> dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    """Words that mean others, by the first letter of their last; without single words that mean single words."""
    written: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for first, entries in _meanings().items():
        for rest, meaning in entries:
            words = (first, *rest)
            if len(words) > 1 or len(meaning) > 1:
                written.setdefault(words[-1][0], []).append((words, meaning))
    return written


def written_as(word: str) -> list[str]:
    """How a folded word may be written by somebody else: itself, in singular and plural, and other words for it."""
    meant = understand([word])
    others = [other for other, entries in _meanings().items() if ((), tuple(meant)) in entries]
    forms = [word]
    for stem in [singular(word), *(meant if len(meant) == 1 else ()), *others]:
        forms += [stem, f"{stem}s", f"{stem}es"]
        if stem.endswith("y"):
            forms.append(f"{stem[:-1]}ies")
    return list(dict.fromkeys(forms))
