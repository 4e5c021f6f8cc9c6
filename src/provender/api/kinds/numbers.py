"""Kinds of numbers, and groups of them."""

import math
import re

from provender.api.kinds.kind import Kind, Schema, Unfit
from provender.model.custom_foods import MEMBERS_MAX

# As many places as any program writes; the length of a value is limited elsewhere.
_NUMBER = re.compile(r"[+-]?(?:\d{1,64}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,3})?", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d{1,18}", re.ASCII)

# Far beyond anything that is eaten, and sums of such numbers are finite too.
_LARGEST = 1e300

_MEMBER = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)


class Whole(Kind[int]):
    """A whole number between two bounds."""

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high

    def from_text(self, text: str) -> int:
        if not _WHOLE.fullmatch(text):
            raise Unfit("wrong_type", "must be a whole number.")
        return self.from_json(int(text))

    def from_json(self, value: object) -> int:
        # JSON has one sort of numbers: 5.0 is as whole as 5.
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise Unfit("wrong_type", "must be a whole number.")
        if not self.low <= value <= self.high:
            raise Unfit("out_of_range", f"must be from {self.low} to {self.high}.")
        return value

    def schema(self) -> Schema:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


class Number(Kind[float]):
    """A finite number, not below zero."""

    def from_text(self, text: str) -> float:
        if not _NUMBER.fullmatch(text):
            raise Unfit("wrong_type", "must be a number, such as 0.25.")
        return self.from_json(float(text))

    def from_json(self, value: object) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise Unfit("wrong_type", "must be a number.")
        # Whole numbers of any length are finite, but not all of them fit a float.
        if not 0 <= value <= _LARGEST or not math.isfinite(value):
            raise Unfit("out_of_range", "must be a finite number that is not below 0.")
        # -0.0 is nothing else than 0, but not every database keeps its sign.
        return abs(float(value))

    def schema(self) -> Schema:
        return {"type": "number", "minimum": 0, "maximum": _LARGEST}


class Amount(Kind[float]):
    """A decimal of a billionth and more. Up to 15 significant digits come back in an answer as they were sent."""

    # Values are kept to nine places; of less than this nothing would be left.
    least = 1e-9

    def __init__(self, most: float) -> None:
        self.most = most

    def from_text(self, text: str) -> float:
        if not _NUMBER.fullmatch(text):
            raise Unfit("wrong_type", "must be a number, such as 0.25.")
        return self.from_json(float(text))

    def from_json(self, value: object) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise Unfit("wrong_type", "must be a number.")
        # What is not finite is not between the two either.
        if not self.least <= value <= self.most:
            raise Unfit("out_of_range", f"must be a number from 0.000000001 to {self.most}.")
        return float(value)

    def schema(self) -> Schema:
        return {"type": "number", "minimum": self.least, "maximum": self.most}


class Group(Kind[float | None]):
    """Named numbers, such as a group of nutrients. What is read here is one member: None where it is not known."""

    shape = "group"
    most = MEMBERS_MAX
    _number = Number()

    def from_text(self, text: str) -> float | None:
        return None if text == "" else self._number.from_text(text)

    def from_json(self, value: object) -> float | None:
        return None if value is None else self._number.from_json(value)

    @staticmethod
    def is_name(text: str) -> bool:
        return _MEMBER.fullmatch(text) is not None

    def schema(self) -> Schema:
        return {
            "type": "object",
            "additionalProperties": {"type": ["number", "null"], "minimum": 0, "maximum": _LARGEST},
            "propertyNames": {"pattern": "^[a-z][a-z0-9_]{0,63}$"},
            "maxProperties": self.most,
        }
