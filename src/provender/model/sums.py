"""What diary entries add up to: the sum of every nutrient, and how many entries knew it.

Sums are whole billionths, so that adding is exact, and what is added and later taken away leaves nothing behind.

A diary day is added to with every log, and has well over a hundred nutrients. So the nutrients of the registry are not
added one by one: all of them together are one long number, in which each has bits of its own, wide enough that it never
runs over into the next. Adding two such numbers adds all nutrients at once.
"""

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import add, itemgetter, sub
from typing import Any

from provender.model.decimals import BILLION, Ratio, times, to_billionths
from provender.model.nutrients import GROUPS, STORED_ORDER, Group, Nutrients

_PLACES = {name: place for place, name in enumerate(STORED_ORDER)}

# A sum has 12 bytes of the long number: ten million entries of the largest value there may be would fit. A count has 4.
_SUMS = struct.Struct("<" + "QI" * len(STORED_ORDER))
_COUNTS = struct.Struct(f"<{len(STORED_ORDER)}I")
_LOW = 2**64

# Far more than anybody eats of anything, and few enough that sums of them are numbers that everybody can read.
LARGEST = 10**12 * BILLION

# To multiply and divide all nutrients at once, each needs twice its room: so every second one is done by itself.
_LANE = 96
_ONES = sum(1 << (2 * _LANE * place) for place in range((len(STORED_ORDER) + 1) // 2))
_EVERY_SECOND = ((1 << _LANE) - 1) * _ONES

# A value times twice the factor must fit into so many bits: half of the room, and one bit to spare.
_ROOM_BITS = _LANE - 1
_ABOVE_BITS = _ROOM_BITS - 1 - LARGEST.bit_length()
_BELOW_BITS = _ROOM_BITS - 5

# Added to a value, it reaches the highest bit of its place if the value is too large.
_TOO_LARGE = ((1 << _ROOM_BITS) - 1 - LARGEST) * _ONES
_HIGHEST = (1 << _ROOM_BITS) * _ONES

# Nutrients of a custom food that the registry does not have, by group and name: their sum, and how many knew them.
Others = Mapping[str, Mapping[str, tuple[int, int]]]


class TooMuch(Exception):
    """An entry has more of something than can be counted."""


def _members(group: Group) -> tuple[tuple[str, ...], Callable[[Sequence[Any]], tuple[Any, ...]]]:
    names = tuple(name for name in GROUPS if GROUPS[name] is group)
    pick = itemgetter(*(_PLACES[name] for name in names))
    return names, pick if len(names) > 1 else lambda values: (pick(values),)


# The names of each group in the order of answers, and how their values are picked out of all.
_GROUPS = {group.value: _members(group) for group in Group}


@dataclass(frozen=True, slots=True)
class Sums:
    entries: int
    # All nutrients of the registry in one number each; see above.
    values: int
    known: int
    others: Others

    @classmethod
    def nothing(cls) -> "Sums":
        return cls(0, 0, 0, {})

    @classmethod
    def of(cls, nutrients: Nutrients) -> "Sums":
        """One entry: one serving with these values."""
        values, known = [0] * len(STORED_ORDER), [0] * len(STORED_ORDER)
        others: dict[str, dict[str, tuple[int, int]]] = {}
        for group, members in nutrients.items():
            for name, value in members.items():
                if GROUPS.get(name) is group:
                    values[_PLACES[name]] = to_billionths(value)
                    known[_PLACES[name]] = 1
                else:
                    others.setdefault(group.value, {})[name] = (to_billionths(value), 1)
        _check(others)
        return cls(1, _together(values), int.from_bytes(_COUNTS.pack(*known), "little"), others)

    @classmethod
    def stored(cls, entries: int, values: bytes, known: bytes, others: Others) -> "Sums":
        """From bytes. Those that an earlier release has stored may be fewer, where the registry has grown."""
        return cls(entries, int.from_bytes(values, "little"), int.from_bytes(known, "little"), others)

    @classmethod
    def total(cls, parts: Iterable["Sums"]) -> "Sums":
        """The entries of all of them."""
        entries, values, known = 0, 0, 0
        others: Others = {}
        for part in parts:
            entries += part.entries
            values += part.values
            known += part.known
            if part.others:
                others = _combine(others, part.others, add)
        return cls(entries, values, known, others)

    def times(self, ratio: Ratio) -> "Sums":
        """One entry with another amount."""
        above, below = ratio
        if above == below:
            return self
        if above.bit_length() <= _ABOVE_BITS and below.bit_length() <= _BELOW_BITS:
            values = _times_together(self.values, ratio)
        else:
            values = _together([times(value, ratio) for value in self._each()])
        others = {
            group: {name: (times(value, ratio), known) for name, (value, known) in members.items()}
            for group, members in self.others.items()
        }
        _check(others)
        return Sums(self.entries, values, self.known, others)

    def minus(self, other: "Sums") -> "Sums":
        """Without the entries of the other, which are among these."""
        others = _combine(self.others, other.others, sub) if other.others else self.others
        return Sums(self.entries - other.entries, self.values - other.values, self.known - other.known, others)

    def to_bytes(self) -> tuple[bytes, bytes]:
        """The values, and how many entries knew them."""
        return self.values.to_bytes(_SUMS.size, "little"), self.known.to_bytes(_COUNTS.size, "little")

    def groups(self) -> dict[str, dict[str, float]]:
        """Every group with the nutrients that some entry knew, as numbers."""
        shown = [value / BILLION for value in self._each()]
        known = self._known()
        found: dict[str, dict[str, float]] = {}
        for group, (names, pick) in _GROUPS.items():
            found[group] = dict(compress(zip(names, pick(shown), strict=True), pick(known)))
        for group, members in self.others.items():
            found[group] |= {name: value / BILLION for name, (value, _) in members.items()}
        return found

    def unknown(self) -> dict[str, int]:
        """How many entries did not know a nutrient that others knew; what all of them knew is not here."""
        entries = self.entries
        found = {name: entries - known for name, known in zip(STORED_ORDER, self._known(), strict=True) if known}
        for members in self.others.values():
            for name, (_, known) in members.items():
                # One name in two groups is two nutrients; the answer has room for the one that fewer knew.
                found[name] = max(found.get(name, 0), entries - known)
        return {name: count for name, count in found.items() if count}

    def _each(self) -> list[int]:
        parts = _SUMS.unpack(self.values.to_bytes(_SUMS.size, "little"))
        high = parts[1::2]
        return [low + _LOW * rest for low, rest in zip(parts[::2], high, strict=True)] if any(high) else [*parts[::2]]

    def _known(self) -> tuple[int, ...]:
        return _COUNTS.unpack(self.known.to_bytes(_COUNTS.size, "little"))


def _times_together(values: int, ratio: Ratio) -> int:
    """As `times` has it, for all values at once, and exactly.

    A whole number below 2**n is divided by another, d, if it is multiplied with 2**s / d, rounded up, and its last s
    bits are left out, where s is n and the bits of d. What is left out of one number ends up above the next lower one.
    """
    above, below = ratio
    bits = _ROOM_BITS + (2 * below).bit_length()
    inverse = -(-(1 << bits) // (2 * below))
    quotients = ((1 << (2 * _LANE - bits)) - 1) * _ONES
    found = 0
    for shift in (0, _LANE):
        doubled = ((values >> shift) & _EVERY_SECOND) * (2 * above) + below * _ONES
        part = ((doubled * inverse) >> bits) & quotients
        if (part + _TOO_LARGE) & _HIGHEST:
            raise TooMuch
        found |= part << shift
    return found


def _together(values: Sequence[int]) -> int:
    if max(values) > LARGEST:
        raise TooMuch
    parts = [0] * (2 * len(values))
    if max(values) < _LOW:
        parts[::2] = values
    else:
        parts[::2] = [value % _LOW for value in values]
        parts[1::2] = [value // _LOW for value in values]
    return int.from_bytes(_SUMS.pack(*parts), "little")


def _check(others: Others) -> None:
    if any(value > LARGEST for members in others.values() for value, _ in members.values()):
        raise TooMuch


def _combine(ours: Others, theirs: Others, combine: Callable[[int, int], int]) -> Others:
    merged = {group: dict(members) for group, members in ours.items()}
    for group, members in theirs.items():
        mine = merged.setdefault(group, {})
        for name, (value, known) in members.items():
            before, knew = mine.get(name, (0, 0))
            mine[name] = combine(before, value), combine(knew, known)
            if not mine[name][1]:
                del mine[name]
        if not mine:
            del merged[group]
    return merged
