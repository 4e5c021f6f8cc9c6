"""Kinds of text: names and notes, ids, barcodes, time zones."""

import re

from provender.api.kinds.kind import Schema, StringKind, Unfit
from provender.model.errors import InvalidBarcode
from provender.model.gtin import advise, is_gtin13
from provender.model.ids import is_id
from provender.model.profiles import REFERENCE_ID_MAX_LENGTH, UNREACHABLE_REFERENCE_IDS
from provender.model.times import timezone_names

# Control characters break logs and terminals, and PostgreSQL cannot keep a NUL; a lone surrogate is no character.
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
# The same for the document, as ECMA 262 writes it. No text of JSON has a lone surrogate.
_ALLOWED = r"^[^\u0000-\u001f\u007f-\u009f]*$"


class Text(StringKind):
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
        return {"type": "string", "minLength": self.shortest, "maxLength": self.longest, "pattern": _ALLOWED}


class Query(StringKind):
    """What somebody types to find something. Blanks around it mean nothing, and are not counted."""

    # So many characters of which some are blanks may be sent.
    longest = 1000
    most = 500

    def from_text(self, text: str) -> str:
        return Text(longest=self.most).from_text(text.strip())

    def schema(self) -> Schema:
        return {"type": "string", "minLength": 1, "maxLength": self.most, "pattern": _ALLOWED}


# The id that an application has given to a profile, wherever it is sent.
REFERENCE_ID = Text(longest=REFERENCE_ID_MAX_LENGTH, refused=UNREACHABLE_REFERENCE_IDS)


class Id(StringKind):
    """An `_id` that is to be kept, or referred to; whether anything has it is another question."""

    def from_text(self, text: str) -> str:
        if not is_id(text):
            raise Unfit("invalid_id", "must be an _id: 16 letters and digits.")
        return text

    def schema(self) -> Schema:
        return {"type": "string", "pattern": "^[0-9A-Za-z]{16}$"}


class Cursor(StringKind):
    """An item's `_id`. Anything may be sent; whether it is an item of the list, the list knows."""

    longest = 1000

    def __init__(self, pattern: str = "[0-9A-Za-z]{16}") -> None:
        self.pattern = pattern

    def from_text(self, text: str) -> str:
        return text

    def schema(self) -> Schema:
        return {"type": "string", "pattern": f"^{self.pattern}$"}


class Barcode(StringKind):
    """A GTIN-13. What is none is told what to send instead, so that it may be longer than it should be."""

    longest = 1000

    def from_text(self, text: str) -> str:
        if not is_gtin13(text):
            raise Unfit(InvalidBarcode.code, advise(text))
        return text

    def schema(self) -> Schema:
        return {"type": "string", "pattern": "^[0-9]{13}$"}


class Timezone(StringKind):
    """The IANA name of a time zone."""

    def from_text(self, text: str) -> str:
        if text not in timezone_names():
            raise Unfit("unknown_timezone", "must be the IANA name of a time zone, such as Europe/Berlin.")
        return text

    def schema(self) -> Schema:
        return {"type": "string", "examples": ["Europe/Berlin", "America/New_York"]}
