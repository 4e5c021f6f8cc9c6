"""What a diary is: entries on days and at meals, and what they add up to."""

import operator
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from provender.model.decimals import BILLION, Ratio, times, to_billionths
from provender.model.nutrients import PLACES, Group, Nutrients
from provender.model.portions import LoggedFood, Quantity
from provender.model.times import zone

BATCH_MAX = 100
COPY_MAX = 1000
SUMMARY_DAYS_MAX = 400
NOTE_MAX_LENGTH = 1000
SERVINGS_MAX = 100_000
METRIC_AMOUNT_MAX = 1_000_000

EARLIEST = date(1900, 1, 1)

# Far more than anybody eats of anything, and few enough that sums of them are numbers that everybody can read.
LARGEST_VALUE = 10**12 * BILLION

# Values, or sums of them, by group and member: whole billionths.
Billionths = Mapping[str, Mapping[str, int]]


class Meal(StrEnum):
    BREAKFAST = "breakfast"
    LUNCH = "lunch"
    DINNER = "dinner"
    SNACK = "snack"


@dataclass(frozen=True, slots=True)
class Sums:
    """What the entries of a day, or of any number of days, add up to."""

    entries: int
    values: Billionths
    # How many entries did not know a nutrient that others knew; what all of them knew is not here.
    unknown: Mapping[str, Mapping[str, int]]

    @classmethod
    def nothing(cls) -> "Sums":
        return cls(0, {}, {})

    @classmethod
    def total(cls, parts: Iterable["Sums"]) -> "Sums":
        """The entries of all of them; the same as adding one after the other, in one go."""
        entries = 0
        values: dict[str, dict[str, int]] = {}
        known: dict[str, dict[str, int]] = {}
        for part in parts:
            entries += part.entries
            for group, members in part.values.items():
                sums, counts = values.setdefault(group, {}), known.setdefault(group, {})
                unknown = part.unknown.get(group, {})
                for name, value in members.items():
                    sums[name] = sums.get(name, 0) + value
                    counts[name] = counts.get(name, 0) + part.entries - unknown.get(name, 0)
        missing = {
            group: {name: entries - count for name, count in counts.items() if count < entries}
            for group, counts in known.items()
        }
        return cls(entries, {group: _in_order(members) for group, members in values.items()}, missing)

    @property
    def is_nothing(self) -> bool:
        return self.entries == 0

    def plus(self, other: "Sums") -> "Sums":
        """The entries of both."""
        values: dict[str, dict[str, int]] = {}
        unknown: dict[str, dict[str, int]] = {}
        for group in _groups(self.values, other.values):
            ours, theirs = self.values.get(group, {}), other.values.get(group, {})
            our_unknown, their_unknown = self.unknown.get(group, {}), other.unknown.get(group, {})
            members = dict(ours)
            missing: dict[str, int] = {}
            for name, value in theirs.items():
                members[name] = members.get(name, 0) + value
            for name in members:
                count = (our_unknown.get(name, 0) if name in ours else self.entries) + (
                    their_unknown.get(name, 0) if name in theirs else other.entries
                )
                if count:
                    missing[name] = count
            values[group] = members if len(members) == len(ours) else _in_order(members)
            if missing:
                unknown[group] = missing
        return Sums(self.entries + other.entries, values, unknown)

    def minus(self, other: "Sums") -> "Sums":
        """Without the entries of the other, which are among these."""
        entries = self.entries - other.entries
        values: dict[str, dict[str, int]] = {}
        unknown: dict[str, dict[str, int]] = {}
        for group, ours in self.values.items():
            theirs = other.values.get(group, {})
            our_unknown, their_unknown = self.unknown.get(group, {}), other.unknown.get(group, {})
            members: dict[str, int] = {}
            missing: dict[str, int] = {}
            for name, value in ours.items():
                count = our_unknown.get(name, 0) - (their_unknown.get(name, 0) if name in theirs else other.entries)
                # What nobody knows any more has no sum, not even of nothing.
                if count < entries:
                    members[name] = value - theirs.get(name, 0)
                    if count:
                        missing[name] = count
            if members:
                values[group] = members
            if missing:
                unknown[group] = missing
        return Sums(entries, values, unknown)


# What a food knows, by group and member; foods of one source often know the same.
Shape = tuple[tuple[str, str], ...]


class Addition:
    """The sums of many entries, quicker than one after the other: values of the same shape are added as they come."""

    def __init__(self) -> None:
        self._parts: dict[Shape, tuple[int, list[int]]] = {}

    def add(self, shape: Shape, values: list[int]) -> None:
        """One entry, with a value in whole billionths for each member of its shape."""
        entries, sums = self._parts.get(shape, (0, None))
        self._parts[shape] = entries + 1, values if sums is None else list(map(operator.add, sums, values))

    def sums(self) -> Sums:
        return Sums.total(Sums(entries, _nested(shape, sums), {}) for shape, (entries, sums) in self._parts.items())


def _nested(shape: Shape, values: Iterable[int]) -> Billionths:
    nested: dict[str, dict[str, int]] = {}
    for (group, name), value in zip(shape, values, strict=True):
        nested.setdefault(group, {})[name] = value
    return nested


def eaten(food: LoggedFood, quantity: Quantity) -> Sums:
    """What one entry adds."""
    return Sums(1, multiply(food.nutrients, quantity.ratio(food.serving_amount)), {})


def multiply(nutrients: Nutrients, ratio: Ratio) -> Billionths:
    return {
        group: {name: times(to_billionths(value), ratio) for name, value in members.items()}
        for group, members in nutrients.items()
        if members
    }


def is_too_much(values: Billionths) -> bool:
    return any(value > LARGEST_VALUE for members in values.values() for value in members.values())


def today(timezone: str | None, now: datetime) -> date:
    return now.astimezone(zone(timezone)).date()


def latest(day: date) -> date:
    """The last day that can be written on a day: the same of the next year."""
    try:
        return day.replace(year=day.year + 1)
    except ValueError:
        return day.replace(year=day.year + 1, day=28)


def _groups(*values: Billionths) -> Iterator[Group]:
    return (group for group in Group if any(group in each for each in values))


def _in_order(members: Mapping[str, int]) -> dict[str, int]:
    """As in a food: nutrients of the registry in its order, then the others."""
    return {name: members[name] for name in sorted(members, key=lambda name: (PLACES.get(name, len(PLACES)), name))}
