"""Kinds of parameters: how each is read from text and from JSON, and how the OpenAPI document describes it.

A kind raises Unfit for what it does not take; nothing else may leave it, whatever comes in.
"""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Literal, TypeVar

from provender.model.custom_foods import MEMBERS_MAX
from provender.model.errors import InvalidBarcode
from provender.model.gtin import advise, is_gtin13
from provender.model.profiles import REFERENCE_ID_MAX_LENGTH, UNREACHABLE_REFERENCE_IDS
from provender.model.times import timezone_names

T = TypeVar("T")
Schema = dict[str, Any]

# Control characters break logs and terminals, and PostgreSQL cannot keep a NUL; a lone surrogate is no character.
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")

_NUMBER = re.compile(r"[+-]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})(?:[eE][+-]?\d{1,3})?", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d{1,18}", re.ASCII)

_MEMBER = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)


class Unfit(Exception):
    """Why a value is not taken: a stable code, and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Kind(ABC, Generic[T]):
    """A kind whose values are single texts, or what its subclasses say."""

    shape: ClassVar[Literal["scalar", "list", "group"]] = "scalar"

    # No fitting value has more characters; longer ones are refused before they are decoded.
    longest = 64

    @abstractmethod
    def from_text(self, text: str) -> T:
        """Read a value from a query or a form, where everything is text."""

    @abstractmethod
    def from_json(self, value: object) -> T:
        """Read a value from a JSON body, where types are told apart."""

    @abstractmethod
    def schema(self) -> Schema:
        """What the OpenAPI document says of it."""


class _StringKind(Kind[str]):
    """A kind whose values are strings in JSON too."""

    def from_json(self, value: object) -> str:
        if not isinstance(value, str):
            raise Unfit("wrong_type", "must be a string.")
        return self.from_text(value)


class Text(_StringKind):
    """Text of some length, without control characters. `refused` values have a reason of their own."""

    def __init__(self, *, longest: int = 255, shortest: int = 1, refused: frozenset[str] = frozenset()) -> None:
        self.longest = longest
        self.shortest = shortest
        self.refused = refused

    def from_text(self, text: str) -> str:
        if len(text) < self.shortest:
            raise Unfit("too_short", f"must have at least {self.shortest} character{'s' * (self.shortest > 1)}.")
        if len(text) > self.longest:
            raise Unfit("too_long", f"must have at most {self.longest} characters.")
        if _FORBIDDEN.search(text):
            raise Unfit("invalid_character", "must not contain control characters or lone surrogates.")
        if text in self.refused:
            raise Unfit("not_allowed", f"must not be {' or '.join(map(repr, sorted(self.refused)))}.")
        return text

    def schema(self) -> Schema:
        return {"type": "string", "minLength": self.shortest, "maxLength": self.longest}


class Query(_StringKind):
    """What somebody types to find something. Blanks around it mean nothing, and are not counted."""

    # So many characters of which some are blanks may be sent.
    longest = 1000
    most = 500

    def from_text(self, text: str) -> str:
        return Text(longest=self.most).from_text(text.strip())

    def schema(self) -> Schema:
        return {"type": "string", "minLength": 1, "maxLength": self.most}


# The id that an application has given to a profile, wherever it is sent.
REFERENCE_ID = Text(longest=REFERENCE_ID_MAX_LENGTH, refused=UNREACHABLE_REFERENCE_IDS)


class Cursor(_StringKind):
    """An item's `_id`. Anything may be sent; whether it is an item of the list, the list knows."""

    longest = 1000

    def from_text(self, text: str) -> str:
        return text

    def schema(self) -> Schema:
        return {"type": "string", "pattern": "^[0-9A-Za-z]{16}$"}


class Barcode(_StringKind):
    """A GTIN-13. What is none is told what to send instead, so that it may be longer than it should be."""

    longest = 1000

    def from_text(self, text: str) -> str:
        if not is_gtin13(text):
            raise Unfit(InvalidBarcode.code, advise(text))
        return text

    def schema(self) -> Schema:
        return {"type": "string", "pattern": "^[0-9]{13}$"}


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
        if not 0 <= value <= 1e300 or not math.isfinite(value):
            raise Unfit("out_of_range", "must be a finite number that is not below 0.")
        return float(value)

    def schema(self) -> Schema:
        return {"type": "number", "minimum": 0}


class Choice(_StringKind):
    """One of a few words."""

    def __init__(self, values: Sequence[str]) -> None:
        self.values = tuple(values)

    def from_text(self, text: str) -> str:
        if text not in self.values:
            raise Unfit("not_allowed", f"must be one of {', '.join(self.values)}.")
        return text

    def schema(self) -> Schema:
        return {"type": "string", "enum": list(self.values)}


class Choices(Kind[frozenset[str]]):
    """Any of a few words, however they are written: repeated, in brackets, or with commas between them."""

    shape = "list"
    longest = 256

    def __init__(self, values: Sequence[str]) -> None:
        self.choice = Choice(values)

    def from_text(self, text: str) -> frozenset[str]:
        return frozenset(self.choice.from_text(word.strip()) for word in text.split(",") if word.strip())

    def from_json(self, value: object) -> frozenset[str]:
        words = value if isinstance(value, list) else [value]
        if not all(isinstance(word, str) for word in words):
            raise Unfit("wrong_type", "must be a list of strings.")
        return frozenset[str]().union(*map(self.from_text, words))

    def schema(self) -> Schema:
        return {"type": "array", "items": self.choice.schema()}


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
            "additionalProperties": {"type": ["number", "null"], "minimum": 0},
            "propertyNames": {"pattern": "^[a-z][a-z0-9_]{0,63}$"},
            "maxProperties": self.most,
        }


class Timezone(_StringKind):
    """The IANA name of a time zone."""

    def from_text(self, text: str) -> str:
        if text not in timezone_names():
            raise Unfit("unknown_timezone", "must be the IANA name of a time zone, such as Europe/Berlin.")
        return text

    def schema(self) -> Schema:
        return {"type": "string", "examples": ["Europe/Berlin", "America/New_York"]}
