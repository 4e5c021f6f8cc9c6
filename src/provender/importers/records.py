"""What every importer hands on: a candidate in common terms; and what becomes of it: a food, or a rejection."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from provender.model.foods import Food, Serving, Unit

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


class Reason(StrEnum):
    """Why a record was rejected. The words are the report's."""

    UNREADABLE = "unreadable"
    NOT_A_FOOD = "not_a_food"
    NO_KEY = "no_key"
    SUPERSEDED = "superseded"
    NO_NAME = "no_name"
    NO_ENERGY = "no_energy"
    TOO_MUCH_ENERGY = "too_much_energy"
    MORE_THAN_100_G = "more_than_100_g"
    MACROS_OVER_105_G = "macros_over_105_g"
    NEGATIVE_VALUE = "negative_value"
    NO_BASIS = "no_basis"


class Mend(StrEnum):
    """What was put right, or left out, on the way to a food. The words are the report's."""

    ENERGY_FROM_KJ = "energy_from_kj"
    ENERGY_WAS_KJ = "energy_was_kj"
    ENERGY_FROM_ATWATER = "energy_from_atwater"
    ENERGY_COMPUTED = "energy_computed"
    SODIUM_FROM_SALT = "sodium_from_salt"
    SODIUM_WAS_SALT = "sodium_was_salt"
    MILLIGRAMS_AS_GRAMS = "milligrams_as_grams"
    SLIGHTLY_NEGATIVE = "slightly_negative"
    SLIGHTLY_OVER_100_G = "slightly_over_100_g"
    NOT_A_NUMBER = "not_a_number"
    NAME_SHORTENED = "name_shortened"
    PER_SERVING = "per_serving"
    PER_100_AS_SERVING = "per_100_as_serving"
    BARCODE_WRONG_CHECK_DIGIT = "barcode_wrong_check_digit"
    BARCODE_IN_STORE = "barcode_in_store"
    BARCODE_UNUSABLE = "barcode_unusable"


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
