"""What there is to ask for: foods to retrieve, queries, and the profiles that every contestant gets alike.

A few templates are made up; each profile is a copy of one of them. The same day and the same foods give the same plan.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

import msgspec

TEMPLATES = 40
FAVORITES = 14
LOGS = 60
DAYS = 30

_MEALS = ("breakfast", "lunch", "dinner", "snack")
_SERVINGS = (0.5, 1.0, 1.5, 2.0)
_WORD = re.compile(r"[^\W\d_]{2,}")


class Known(msgspec.Struct, frozen=True):
    """A food of the catalogue: its id, its barcode if it has one, and its number in the self-made service."""

    id: str
    barcode: str | None
    number: int


class Sample(msgspec.Struct, frozen=True):
    """Foods taken at equal distances from all of a catalogue, and queries that find many in it: words, and pairs."""

    foods: list[Known]
    words: list[str]
    pairs: list[str]

    def spread(self, count: int) -> list[Known]:
        """So many of the foods, at equal distances."""
        return self.foods[:: max(1, len(self.foods) // count)][:count]


@dataclass(frozen=True, slots=True)
class PlannedLog:
    food: str
    day: date
    meal: str
    servings: float


@dataclass(frozen=True, slots=True)
class Template:
    favorites: Sequence[str]
    logs: Sequence[PlannedLog]

    @property
    def foods(self) -> set[str]:
        return {*self.favorites, *(log.food for log in self.logs)}


def reference_id(number: int) -> str:
    return f"p{number}"


def draw_queries(names: Sequence[str], words: int, pairs: int) -> tuple[list[str], list[str]]:
    """The most common words, and pairs of them that stand in one name, each in no order.

    A word is common by how many names have it.
    """
    counts: Counter[str] = Counter()
    split = [list(dict.fromkeys(word.lower() for word in _WORD.findall(name))) for name in names]
    for found in split:
        counts.update(found)
    common = [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:words]]
    known, random = set(common), Random(1)
    drawn: dict[str, None] = {}
    candidates = [usable for found in split if len(usable := [word for word in found if word in known]) > 1]
    for usable in random.sample(candidates, min(len(candidates), 4 * pairs)):
        if len(drawn) == pairs:
            break
        drawn[" ".join(random.sample(usable, 2))] = None
    return random.sample(common, len(common)), list(drawn)


def plan_templates(foods: Sequence[str], today: date, count: int = TEMPLATES) -> list[Template]:
    """Diaries of a month, two logs a day, and some favorites."""
    templates = []
    for number in range(count):
        random = Random(number)
        menu = random.sample(foods, min(len(foods), 40))
        days = [today - timedelta(days=DAYS - 1 - place * DAYS // LOGS) for place in range(LOGS)]
        logs = [PlannedLog(random.choice(menu), day, random.choice(_MEALS), random.choice(_SERVINGS)) for day in days]
        templates.append(Template(random.sample(foods, min(len(foods), FAVORITES)), logs))
    return templates
