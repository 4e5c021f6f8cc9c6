"""How often a food was eaten: its logs by day, of which those of the past 30 days count.

Days are numbers of days since 1970-01-01 here, as they are stored; see `model/times.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

# Today and the 29 days before it.
WINDOW_DAYS = 30

# A profile that moves from one end of the time zones to the other may find itself two days earlier.
SPARE_DAYS = 2

# Beside its row for each meal, a food has one for all of them.
ALL_MEALS = "all"


class Place(NamedTuple):
    """Where in most eaten a food stands. The last number of no two foods is the same."""

    logs: int
    last_number: int


@dataclass(frozen=True, slots=True)
class EatenFood:
    """A food in one meal, or in all of them."""

    food_id: str
    meal: str
    last_number: int
    # How many logs each day has that counts, or did two days ago, or will.
    days: Mapping[int, int]

    def logs(self, today: int) -> int:
        """The logs of the past 30 days."""
        first = today - WINDOW_DAYS
        return sum([count for day, count in self.days.items() if first < day <= today])

    def valid_until(self, today: int) -> int | None:
        """The first day after today on which there are more of them, or fewer."""
        first = today - WINDOW_DAYS
        turns = [day if day > today else day + WINDOW_DAYS for day in self.days if day > first]
        return min(turns, default=None)

    def place(self, today: int) -> Place:
        return Place(self.logs(today), self.last_number)

    def changed(self, days: Mapping[int, int], last_number: int, today: int) -> "EatenFood":
        """With so many logs more, or fewer, on some days, and without the days that are over for good."""
        merged = dict(self.days)
        for day, count in days.items():
            merged[day] = merged.get(day, 0) + count
        first = today - WINDOW_DAYS - SPARE_DAYS
        kept = {day: count for day, count in merged.items() if count > 0 and day > first}
        return EatenFood(self.food_id, self.meal, last_number, kept)
