"""Reads a query: its words, and what they may stand for where they are unfinished, misspelt, joined or split."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from provender.catalogue.amounts import leave_out_amount
from provender.catalogue.language import (
    fold_telling,
    meant_by_beginning,
    meant_by_words_begun,
    other_words,
    split_parts,
    understand,
    written_as,
)
from provender.catalogue.naming import ALONE
from provender.catalogue.spelling import count_mistakes, file_under, forgiven
from provender.catalogue.tiers import Reading, Slot
from provender.catalogue.vocabulary import INDEXED_BEGINNING, MOST_LIKELY, Vocabulary, Word
from provender.model.folding import fold_words

# A query may have hundreds of words; this many say enough.
_MOST_WORDS = 6
# A beginning that is not in the index stands for its commonest completions.
_MOST_COMPLETIONS = 48
_MOST_CORRECTIONS = 4
# A word has found too little when a near word is in so many times as many foods.
_MUCH_COMMONER = 50
# A word that more foods have is nobody's mistake.
_CERTAIN = 20
_SHORTEST_HALF = 3
# So many forms of one word others look for.
_MOST_FORMS = 16
_LONGEST_JOINED = 30
_MANY_WORDS = 5
_PERCENT = re.compile(r"(\d)\s*(?:%|(?:percent|per cent|pct)\b)", re.IGNORECASE)


class Reader:
    """Reads queries with the words of one version of the catalogue."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def read(self, query: str) -> list[Reading]:
        """The ways to understand a query, the likeliest first; none where no food has any of its words.

        Where it begins with an amount, what it says without that comes behind what it says with it.
        """
        readings: list[Reading] = [*self._read(query)]
        if rest := leave_out_amount(_write_percent(query)):
            readings += [reading for reading in self._read(rest) if reading not in readings]
        return readings

    def _read(self, query: str) -> list[list[Slot]]:
        parts = _fold(query)
        if not parts:
            return []
        understood = [understand(part) for part in parts]
        # Of a word that comes twice the last counts, since it may be unfinished.
        typed = list(dict.fromkeys(reversed([word for part in understood for word in part])))[::-1]
        slots = [self._slot(word) for word in typed]
        # A last word that was read together with those before it is finished.
        *before, last = folded = parts[-1]
        if understood[-1] == understand(before) + understand([last]):
            slots[-1] = self._unfinished(slots[-1], last)
        begun = list(self._begun(slots, folded)) if len(slots) == len(folded) <= _MOST_WORDS else []
        slots, typed = _choose(slots, typed)
        written = {word: text for part in parts for text in part for word in understand([text])}
        corrected = self._corrected(slots, [(word, written.get(word, word)) for word in typed])
        readings = [slots, *begun, *self._joined(slots, typed), *corrected]
        # Where no reading knows every word, what is known has to do.
        whole = [reading for reading in readings if all(slot.is_known for slot in reading)]
        known = whole or [[slot for slot in readings[-1] if slot.is_known]]
        return [reading for reading in known if reading]

    def read_terms(self, query: str) -> list[tuple[frozenset[str], str | None]]:
        """For each word of a query all that may be written for it; of the last also what it begins with.

        Words that the catalogue does not know are taken for what they are near to as well.
        """
        terms = []
        telling = leave_out_amount(_write_percent(query)) or query
        folded = list(dict.fromkeys(word for part in _fold(telling) for word in part))[:_MOST_WORDS]
        for word in folded:
            forms = written_as(word)
            if len(understood := understand([word])) == 1:
                near = self._near(self._slot(understood[0]), understood[0], word, last=False)
                forms += [form for other in near for form in written_as(other.text)]
            terms.append((frozenset(forms[:_MOST_FORMS]), word if word is folded[-1] else None))
        return terms

    def _slot(self, word: str) -> Slot:
        found = self._vocabulary.find(word)
        return Slot((found,) if found else ())

    def _unfinished(self, slot: Slot, typed: str) -> Slot:
        """The last slot, with what its word may go on to."""
        words = [word for text in meant_by_beginning(typed) if (word := self._vocabulary.find(text))]
        # "berri" goes on to berries, which is filed as berry.
        if (stem := typed.removesuffix("e")).endswith("i"):
            words += self._vocabulary.completions(f"{stem[:-1]}y", _MOST_COMPLETIONS)
        if len(typed) <= INDEXED_BEGINNING and self._vocabulary.has_beginning(typed):
            likely = self._vocabulary.likely_completions(typed)
            return _going_on(replace(slot, beginning=typed), words, likely)
        words += self._vocabulary.completions(typed, _MOST_COMPLETIONS)
        naming = [word for word in words if ALONE in word.classes]
        return _going_on(slot, words, sorted(naming, key=lambda word: -word.foods)[:MOST_LIKELY])

    def _begun(self, slots: Sequence[Slot], folded: Sequence[str]) -> Iterator[list[Slot]]:
        """Readings in which the last words are the beginning of several that mean something: "hot do", "capsicu"."""
        for words, meaning in meant_by_words_begun(folded):
            meant = [self._slot(word) for word in meaning]
            # One word alone is rather the beginning of what it can be by itself.
            if all(slot.words for slot in meant) and (words > 1 or not slots[-1].is_known):
                yield [*slots[:-words], *meant]

    def _joined(self, slots: Sequence[Slot], typed: Sequence[str]) -> Iterator[list[Slot]]:
        """Readings in which two words are one, as in "pop corn", or one is two, as in "peanutbutter"."""
        for place in range(len(typed) - 1):
            before, after = typed[place], typed[place + 1]
            # A letter behind a word is the beginning of the next.
            if (len(after) > 1 or after.isdigit()) and (joined := self._known(before + after)):
                yield [*slots[:place], *joined, *slots[place + 2 :]]
        for place, word in enumerate(typed):
            if len(word) <= _LONGEST_JOINED and _may_be_joined(slots[place]):
                for middle in range(_SHORTEST_HALF, len(word) - _SHORTEST_HALF + 1):
                    first, second = self._known(word[:middle]), self._known(word[middle:])
                    if first and second:
                        yield [*slots[:place], *first, *second, *slots[place + 1 :]]

    def _known(self, text: str) -> list[Slot]:
        """The slots of what a word means, if foods have all of it."""
        slots = [self._slot(word) for word in understand([text])]
        return slots if all(slot.words for slot in slots) else []

    def _corrected(self, slots: Sequence[Slot], typed: Sequence[tuple[str, str]]) -> Iterator[list[Slot]]:
        """The reading in which every word that finds nothing, or too little, is another that is near it."""
        corrected = list(slots)
        for place, (slot, (word, written)) in enumerate(zip(slots, typed, strict=True)):
            if near := self._near(slot, word, written, last=place == len(typed) - 1):
                corrected[place] = Slot(tuple(near[:_MOST_CORRECTIONS]), is_guess=True)
        if corrected != list(slots):
            yield corrected

    def _near(self, slot: Slot, word: str, written: str, *, last: bool) -> list[Word]:
        """What may have been meant by a word, in the singular and as it was written."""
        if slot.is_known:
            # A word that foods have may have one mistake; one that only begins others is unfinished, and no mistake.
            if slot.foods > _CERTAIN or slot.likely or not slot.words or not forgiven(word):
                return []
            near = self._vocabulary.near(word, 1, alike=True)
            return [other for other in near if _is_likelier(other, word, slot)]
        # Two mistakes behind the right first letter are likelier than a wrong first letter.
        for alike in (True, False):
            for mistakes in range(1, max(forgiven(word), forgiven(written)) + 1):
                if near := self._likely(dict.fromkeys((word, written)), mistakes, alike=alike, last=last):
                    return [*self._plain_ones(near, word), *near]
        return []

    def _plain_ones(self, near: Sequence[Word], typed: str) -> list[Word]:
        """What plain foods have for a word that only brands have, where that is the rarer way to write it.

        "brocolli" is one mistake from "brocoli", which is on foreign labels, and two from the broccoli that is meant.
        """
        if any(word.plain for word in near):
            return []
        return [
            other
            for word in near[:_MOST_CORRECTIONS]
            for other in self._vocabulary.near(word.text, 1, alike=True)
            if other.plain and other.foods > word.foods
            if count_mistakes(typed, other.text, forgiven(typed)) is not None
        ]

    def _likely(self, spellings: Iterable[str], mistakes: int, *, alike: bool, last: bool) -> list[Word]:
        """The words that a misspelt one may be; it is what was typed, and what that would be the plural of."""
        near: list[Word] = []
        for spelling in spellings:
            if mistakes <= forgiven(spelling):
                near += self._vocabulary.near(spelling, mistakes, alike=alike, unfinished=last)
                # "omlette" is near to what means an omelet.
                meant = sorted({other_words()[other] for other in _near_others(spelling, mistakes)}) if alike else []
                near += [word for text in meant if (word := self._vocabulary.find(text))]
        return sorted(set(near), key=lambda word: (-word.plain, -word.brand, word.text))


def _fold(query: str) -> list[list[str]]:
    """The folded words of a query that tell something, part by part; all of them where none does."""
    texts = split_parts(_write_percent(query))
    return [part for part in map(fold_telling, texts) if part] or [part for part in map(fold_words, texts) if part]


def _write_percent(query: str) -> str:
    return _PERCENT.sub(r"\1%", query)


def _may_be_joined(slot: Slot) -> bool:
    """Whether a word may be two: one that no food has, or brands' only, as in "cocacola"."""
    return not (slot.may_go_on or slot.words) or bool(slot.words and not any(word.plain for word in slot.words))


def _near_others(word: str, mistakes: int) -> set[str]:
    """The words that mean another, and that this one may be with so many mistakes."""
    filed = _filed_others()
    others = {other for key in file_under(word, mistakes) for other in filed.get(key, ())}
    return {other for other in others if count_mistakes(word, other, mistakes)}


@cache
def _filed_others() -> dict[int, list[str]]:
    filed: dict[int, list[str]] = {}
    for other in other_words():
        for key in file_under(other, forgiven(other)):
            filed.setdefault(key, []).append(other)
    return filed


def _is_likelier(other: Word, typed: str, slot: Slot) -> bool:
    """Whether a word that few foods have is a misspelling of another.

    It is if the other is far commoner, and begins and ends like it: hardly anybody gets the ends of a word wrong, and
    the names of brands often are a common word with another end.
    """
    alike = other.text[0] == typed[0] and other.text[-1] == typed[-1]
    return alike and slot.foods * _MUCH_COMMONER < other.foods


def _going_on(slot: Slot, words: Sequence[Word], likely: Sequence[Word]) -> Slot:
    completions = tuple(word for word in dict.fromkeys(words) if word not in slot.words)
    return replace(slot, completions=completions, likely=tuple(word for word in likely if word not in slot.words))


def leave_out(reading: Reading) -> Reading:
    """The reading without its least telling word, or without half of them where there are many.

    Of words that name foods the last is what the others say more of: cherry tomatoes are tomatoes.
    """
    least = sorted(reading, key=lambda slot: _tells(slot, is_last=slot is reading[-1]))
    left_out = least[: 1 if len(reading) < _MANY_WORDS else len(reading) // 2]
    return [slot for slot in reading if not any(slot is other for other in left_out)]


def _tells(slot: Slot, *, is_last: bool = False) -> tuple[bool, bool, bool, bool, int]:
    """What a word tells: nothing if no food has it; less if it is a guess, or names no food, or many foods have it."""
    return slot.is_known, not slot.is_guess, slot.names_foods, is_last, -slot.foods


def _choose(slots: list[Slot], typed: list[str]) -> tuple[list[Slot], list[str]]:
    """The most telling words of a query that has too many, in their order."""
    telling = sorted(range(len(slots)), key=lambda place: _tells(slots[place]), reverse=True)[:_MOST_WORDS]
    return [slots[place] for place in sorted(telling)], [typed[place] for place in sorted(telling)]
