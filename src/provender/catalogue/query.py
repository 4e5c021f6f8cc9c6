"""Reads a query: its words, and what they may stand for where they are unfinished, misspelt, joined or split."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from provender.catalogue.language import STOP_WORDS, meant_by_beginning, understand
from provender.catalogue.naming import ALONE
from provender.catalogue.tiers import Reading, Slot
from provender.catalogue.vocabulary import INDEXED_BEGINNING, Vocabulary, Word
from provender.model.folding import fold_words

# A query may have hundreds of words; this many say enough.
_MOST_WORDS = 8
# A beginning that is not in the index stands for its commonest completions.
_MOST_COMPLETIONS = 48
_MOST_CORRECTIONS = 4
# A word has found too little when a near word is in so many times as many foods.
_MUCH_COMMONER = 50
_SHORTEST_HALF = 3
_PERCENT = re.compile(r"(\d)\s*(?:percent|per cent|pct)\b", re.IGNORECASE)


class Reader:
    """Reads queries with the words of one version of the catalogue."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def read(self, query: str) -> list[Reading]:
        """The ways to understand a query, the likeliest first; none where no food has any of its words."""
        query = _PERCENT.sub(r"\1%", query)
        folded = [word for word in fold_words(query) if word not in STOP_WORDS] or fold_words(query)
        typed = list(dict.fromkeys(understand(folded)))
        if not typed:
            return []
        slots = [self._slot(word) for word in typed]
        # A last word that was read together with those before it is finished.
        if understand(folded) == understand(folded[:-1]) + understand(folded[-1:]):
            slots[-1] = self._unfinished(slots[-1], folded[-1])
        readings = [slots, *self._joined(slots, typed), *self._corrected(slots, typed)]
        # Where no reading knows every word, what is known has to do.
        whole = [reading for reading in readings if all(map(_is_known, reading))]
        known = whole or [[slot for slot in readings[-1] if _is_known(slot)]]
        return [tuple(_shorten(reading)) for reading in known if reading]

    def _slot(self, word: str) -> Slot:
        found = self._vocabulary.find(word)
        return Slot((found,) if found else ())

    def _unfinished(self, slot: Slot, typed: str) -> Slot:
        """The last slot, with what its word may go on to."""
        meant = dict.fromkeys(meant_by_beginning(typed)) if len(typed) > 1 else {}
        words = [word for text in meant if (word := self._vocabulary.find(text))]
        if len(typed) <= INDEXED_BEGINNING:
            completed = self._vocabulary.commonest_completion(typed)
            return replace(slot, completions=tuple(words), beginning=typed, completed=completed)
        # "berri" goes on to berries, which is filed as berry.
        for beginning in (typed, typed.removesuffix("e").removesuffix("i") + "y"):
            words += self._vocabulary.completions(beginning, _MOST_COMPLETIONS)
            if words:
                break
        completions = tuple(word for word in dict.fromkeys(words) if word not in slot.words)
        completed = max((word.foods for word in completions if ALONE in word.classes), default=0)
        return replace(slot, completions=completions, completed=completed)

    def _joined(self, slots: Sequence[Slot], typed: Sequence[str]) -> Iterator[list[Slot]]:
        """Readings in which two words are one, as in "pop corn", or one is two, as in "peanutbutter"."""
        for place in range(len(typed) - 1):
            if joined := self._known(typed[place] + typed[place + 1]):
                yield [*slots[:place], *joined, *slots[place + 2 :]]
        for place, word in enumerate(typed):
            if not _is_known(slots[place]):
                for middle in range(_SHORTEST_HALF, len(word) - _SHORTEST_HALF + 1):
                    before, after = self._known(word[:middle]), self._known(word[middle:])
                    if before and after:
                        yield [*slots[:place], *before, *after, *slots[place + 1 :]]

    def _known(self, text: str) -> list[Slot]:
        """The slots of what a word means, if foods have all of it."""
        slots = [self._slot(word) for word in understand([text])]
        return slots if all(slot.words for slot in slots) else []

    def _corrected(self, slots: Sequence[Slot], typed: Sequence[str]) -> Iterator[list[Slot]]:
        """The reading in which every word that finds nothing, or too little, is another that is near it."""
        corrected = list(slots)
        for place, (slot, word) in enumerate(zip(slots, typed, strict=True)):
            last = place == len(typed) - 1
            near = self._vocabulary.near(word, _MOST_CORRECTIONS, unfinished=last)
            near = [other for other in near if other not in slot.words and _is_likelier(other, word, slot)]
            if near:
                corrected[place] = Slot(tuple(near))
        if corrected != list(slots):
            yield corrected


def _is_known(slot: Slot) -> bool:
    return bool(slot.words or slot.may_go_on)


def _is_likelier(other: Word, typed: str, slot: Slot) -> bool:
    """Whether a word that finds nothing, or too little, was meant as another.

    A word that foods have is a misspelling if the other is far commoner, and begins and ends like it: hardly anybody
    gets the ends of a word wrong, and brands' names often are a common word with another end.
    """
    if not _is_known(slot):
        return True
    if slot.beginning is not None:
        return False
    alike = other.text[0] == typed[0] and other.text[-1] == typed[-1]
    return alike and slot.foods * _MUCH_COMMONER < other.foods


def leave_out_one(reading: Reading) -> Reading:
    """The reading without its least telling word: one that names no food, or else the one that most foods have."""
    least = min(range(len(reading)), key=lambda place: (reading[place].names_foods, -reading[place].foods))
    return tuple(slot for place, slot in enumerate(reading) if place != least)


def _shorten(reading: Reading) -> Reading:
    while len(reading) > _MOST_WORDS:
        reading = leave_out_one(reading)
    return reading
