"""The queries that speed is measured with, drawn from a catalogue's own words: what people type, and what attackers do.

The same catalogue gives the same queries.
"""

import itertools
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import apsw

# The longest query that the API takes.
LONGEST = 500

_WORD = re.compile(r"[^\W_]+")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SAMPLE = 20_000
# Words for which a search may try others as well.
_SYNONYMS = (
    "ketchup catsup yoghurt donut doughnut garbanzo chickpea skim nonfat fries soda coke zucchini courgette aubergine "
    "eggplant prawns shrimp coriander cilantro rocket arugula porridge oatmeal crisps chips pop "
)
# So many words are tried for pairs that no food has together.
_CROSSED = 150


class Vocabulary:
    """The words of a catalogue: how many foods have each, which brands are rare, and the words of some names."""

    def __init__(self, foods_file: Path) -> None:
        self._file = foods_file
        self.counts: Counter[str] = Counter()
        brands: Counter[str] = Counter()
        names: list[list[str]] = []
        for name, brand in self._rows():
            # A word that a name has twice is in one food all the same; of all its copies one is kept in memory.
            words = list(dict.fromkeys(map(sys.intern, _WORD.findall(name.lower()))))
            self.counts.update(words)
            names.append(words)
            if brand is not None:
                brands[brand.lower()] += 1
        # Taken at equal distances, because the file has its foods in an order.
        self.names = names[:: max(1, len(names) // _SAMPLE)]
        ordered = sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))
        self.common = [word for word, _ in ordered if len(word) > 1][:400]
        self.rare = sorted(word for word, count in ordered if count == 1)
        self.rare_brands = sorted(brand for brand, count in brands.items() if count == 1)
        self._places = _mark_places(names, self.common[:_CROSSED])

    def strangers(self) -> tuple[list[str], list[str], list[str]]:
        """Common words that no food has together: in pairs, in threes of which each two do meet, and many at once."""
        pairs = [
            f"{a} {b}" for a, b in itertools.combinations(self._places, 2) if not self._places[a] & self._places[b]
        ]
        triples = []
        for a, b, c in itertools.combinations(list(self._places)[:40], 3):
            ab, ac, bc = (self._places[x] & self._places[y] for x, y in ((a, b), (a, c), (b, c)))
            if ab and ac and bc and not ab & bc:
                triples.append(f"{a} {b} {c}")
        many: list[str] = []
        for word, places in self._places.items():
            if not any(places & self._places[other] for other in many):
                many.append(word)
        return pairs, triples, many

    def _rows(self) -> Iterator[Any]:
        uri = f"{self._file.absolute().as_uri()}?mode=ro&immutable=1"
        connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        try:
            yield from connection.execute("SELECT name, brand FROM foods WHERE chosen AND listed ORDER BY rank")
        finally:
            connection.close()


def _mark_places(names: Sequence[Sequence[str]], words: Sequence[str]) -> dict[str, int]:
    """For each word a number with a bit set for every food that has it."""
    places = {word: bytearray(len(names) // 8 + 1) for word in words}
    for place, name in enumerate(names):
        for word in name:
            if word in places:
                places[word][place >> 3] |= 1 << (place & 7)
    return {word: int.from_bytes(marks, "little") for word, marks in places.items()}


class Mix:
    """What people type, so many queries of each kind."""

    def __init__(self, vocabulary: Vocabulary, count: int) -> None:
        self._vocabulary = vocabulary
        self._random = Random(1).random
        self._count = count
        self._long_words = [word for name in vocabulary.names for word in name if len(word) >= 4 and word.isalpha()]

    def draw(self) -> dict[str, list[str]]:
        """The queries by kind. A word's chance is its frequency, as in what people type."""
        return {
            "common words": self._vocabulary.common[: self._count],
            "pairs": [self._some_words(2) for _ in range(self._count)],
            "triples": [self._some_words(3) for _ in range(self._count)],
            "prefixes of 2 to 5 letters": [self._prefix(2, 5) for _ in range(self._count)],
            "prefixes of 6 to 9 letters": [self._prefix(6, 9) for _ in range(self._count)],
            "a word and a prefix": [self._word_and_prefix() for _ in range(self._count)],
            "rare brands": [self._pick(self._vocabulary.rare_brands) for _ in range(self._count)],
            "typos": [self.misspell(self._pick(self._long_words)) for _ in range(self._count)],
            "pairs with a typo": [self._misspell_last(self._some_words(2)) for _ in range(self._count)],
            "words that exist nowhere": [self._nonsense() for _ in range(self._count)],
        }

    def misspell(self, word: str) -> str:
        """The word with one letter wrong, missing, extra or swapped, so that no food has it."""
        for _ in range(20):
            place, letter = int(self._random() * (len(word) - 1)), self._pick(_LETTERS)
            before, here, after = word[:place], word[place], word[place + 1 :]
            changed = self._pick([f"{before}{letter}{after}", before + after, f"{before}{letter}{here}{after}",
                                  f"{before}{after[:1]}{here}{after[1:]}"])  # fmt: skip
            if changed not in self._vocabulary.counts:
                return changed
        return f"{word}q"

    def _pick(self, choices: Sequence[str]) -> str:
        return choices[int(self._random() * len(choices))]

    def _name(self, least: int) -> list[str]:
        """The words of a food that has so many at least."""
        names = self._vocabulary.names
        while len(name := names[int(self._random() * len(names))]) < least:
            pass
        return name

    def _some_words(self, count: int) -> str:
        words = sorted(self._name(count), key=lambda _: self._random())
        return " ".join(words[:count])

    def _prefix(self, least: int, most: int) -> str:
        length = least + int(self._random() * (most - least + 1))
        return next(word for _ in itertools.count() if len(word := self._pick(self._long_words)) > length)[:length]

    def _word_and_prefix(self) -> str:
        first, second = self._some_words(2).split()
        return f"{first} {second[: 1 + int(self._random() * 4)]}"

    def _misspell_last(self, words: str) -> str:
        first, last = words.split()
        return f"{first} {self.misspell(last)}" if len(last) >= 4 else f"{self.misspell(first)} {last}"

    def _nonsense(self) -> str:
        while (word := "".join(self._pick(_LETTERS) for _ in range(5 + int(self._random() * 8)))) in (
            self._vocabulary.counts
        ):
            pass
        return word


def draw_adversarial(vocabulary: Vocabulary, mix: Mix) -> dict[str, list[str]]:
    """Queries made to be slow, by what they are made of."""
    common, rare = vocabulary.common, vocabulary.rare
    neighbours = list(itertools.pairwise(common))
    long_words = [word for word in common if len(word) >= 8]
    pairs, triples, many = vocabulary.strangers()
    two_letters = [a + b for a in _LETTERS for b in _LETTERS]
    characters = _draw_characters()
    forms = {
        "one letter": list(_LETTERS),
        "250 one-letter words": [" ".join(_LETTERS * 10), " ".join("a" * 250)],
        "two letters": two_letters[::7],
        "all two-letter prefixes": [" ".join(two_letters), " ".join(two_letters[::-1])],
        "a common word and one letter": [f"{word} {letter}" for word in common[:8] for letter in "abcdps"],
        "two common words and one letter": [f"{a} {b} {letter}" for a, b in neighbours[:10] for letter in "acs"],
        "a common word, many times": [" ".join([word] * 250) for word in common[:3]],
        "two common words by turns": [" ".join(common[:2] * 125), " ".join(common[2:4] * 125)],
        "the most common words": [" ".join(common[:60]), " ".join(common[60:120]), " ".join(common[59::-1])],
        "the most common words without their last letter": [" ".join(word[:-1] for word in common)],
        "two common words that never meet": pairs[:60],
        "three common words of which only pairs meet": triples[:60],
        "many common words that never meet": [" ".join(many), " ".join(many[::-1]), " ".join(many[:8])],
        "two common words and one that exists nowhere": [f"{a} {b} xqzvkw" for a, b in neighbours[:20]],
        "a common word and a rare one": [f"{a} {b}" for a, b in zip(common, rare[::97], strict=False)][:30],
        "rare words": [" ".join(rare[place : place + 60]) for place in (0, len(rare) // 2)],
        "a word of 500 letters": [_LETTERS * 20, common[0] * 125, "a" * LONGEST],
        "thirty misspelt long words": [
            " ".join(mix.misspell(word) for word in (long_words * 30)[start : start + 30]) for start in (0, 30)
        ],
        "misspelt common words": [" ".join(mix.misspell(word) for word in common if len(word) >= 4)],
        "words with two letters wrong": [" ".join(mix.misspell(mix.misspell(word)) for word in long_words)],
        "other words for the same food": [_SYNONYMS * 3],
        "digits and percent signs": ["".join(f"{n}% " for n in range(200)), "% " * 250, "1 2 3 4 5 6 7 8 9 0 " * 25],
        "numbers": ["7" * LONGEST, "1", "100", " ".join(map(str, range(200)))],
        "random Unicode": ["".join(characters), " ".join(characters), "".join(characters[::-1])],
        "marks that combine": ["e" + "\u0301" * 499, "e\u0301" * 250, "\u0301 " * 250, "\ufb01\ufb02" * 250],
        "no Latin letters": [" " * 499 + "a", "." * LONGEST, "\U0001f34c" * LONGEST, "\u5976\u8336" * 250],
        "the language of FTS5": ['"' * LONGEST, "NEAR(a b, 9) OR ^c* AND NOT {name}: d + " * 12, "* " * 250],
        "hyphens and apostrophes": ["-".join(common), "'".join(common), "-".join(_LETTERS * 10), "-'" * 250],
    }
    return {form: [query[:LONGEST] for query in queries] for form, queries in forms.items()}


def _draw_characters() -> list[str]:
    """Characters of all scripts, without the surrogates, which are none."""
    random = Random(2).random
    ranges = [(0, 0xD800)] * 350 + [(0x1F000, 0x1FB00)] * 150
    return [chr(start + int(random() * (end - start))) for start, end in ranges]
