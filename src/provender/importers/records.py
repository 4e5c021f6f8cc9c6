"""What every importer hands on: a candidate in common terms; and what becomes of it: a food, or a rejection."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from provender.model.foods import Food, Serving, Unit
from provender.model.judging import Mend, Reason

# No brand and no measure has more characters. What is longer is not read: some expressions here take a time that grows
# with the square of it.
LONGEST_WORDS = 500


@dataclass(slots=True)
class Candidate:
    """A record as a source has it, in the registry's names and units but not judged yet.

    `nutrients` are for 100 of `unit`. Energy in kilojoules and salt stand beside them, because what is to be made of
    them depends on what else is known.
    """

    # The source whose own stable key `key` is; the dataset it came in, where one source publishes several.
    source: str
    key: str
    name: str
    dataset: str = ""
    unit: Unit = Unit.GRAM
    brand: str | None = None
    # Other names that the source has for it.
    besides: str | None = None
    barcode: str | None = None
    nutrients: dict[str, float] = field(default_factory=dict)
    energy_kj: float | None = None
    salt_in_g: float | None = None
    # The serving that the values were divided by to make them values for 100, where the source did that itself.
    divided_by: float | None = None
    # Whether carbohydrates are what is left after everything else, so that fiber is among them.
    by_difference: bool = False
    servings: Sequence[Serving] = ()
    released: datetime | None = None


@dataclass(slots=True)
class Accepted:
    """A record that a food was made of, and what was mended on the way. Like a food, it is not frozen, to be quick."""

    food: Food
    mends: tuple[Mend, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A record that no food could be made of. `record` is what the source had, for whoever wants to see why."""

    reason: Reason
    key: str | None
    record: Mapping[str, Any]


Outcome = Accepted | Rejected
