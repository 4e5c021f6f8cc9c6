"""The kind of diary days: dates of the calendar, without a time and without a time zone."""

import re
from datetime import date, timedelta

from provender.api.kinds.kind import Kind, Schema, Unfit

_EPOCH = date(1970, 1, 1)

_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
_DAYS = re.compile(r"-?\d{1,18}", re.ASCII)

_FORM = "must be a date, written as YYYY-MM-DD, or a whole number of days since 1970-01-01."


class Date(Kind[date]):
    """A date, also as the number of days since 1970-01-01; a client of this interface may count them so."""

    def __init__(self, earliest: date = date.min, until: str = str(date.max)) -> None:
        """`until` says in words what the latest one is, where that depends on the day and is checked later."""
        self.earliest = earliest
        self.until = until

    def from_text(self, text: str) -> date:
        return self._from_days(int(text)) if _DAYS.fullmatch(text) else self._from_form(text)

    def from_json(self, value: object) -> date:
        # In JSON types are told apart: digits in a string are no number of days.
        if isinstance(value, str):
            return self._from_form(value)
        # JSON has one sort of numbers: 20000.0 is as whole as 20000.
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return self._from_days(value)
        raise Unfit("wrong_type", _FORM)

    def _from_form(self, text: str) -> date:
        written = _DATE.fullmatch(text)
        if written is None:
            raise Unfit("invalid_date", _FORM)
        try:
            found = date(*map(int, written.groups()))
        except ValueError:
            raise Unfit("invalid_date", "must be a date that the calendar has, from 0001-01-01 on.") from None
        if found < self.earliest:
            raise self._out_of_range()
        return found

    def _from_days(self, days: int) -> date:
        if not _days(self.earliest) <= days <= _days(date.max):
            raise self._out_of_range()
        return _EPOCH + timedelta(days=days)

    def _out_of_range(self) -> Unfit:
        return Unfit(
            "out_of_range",
            f"must be from {self.earliest} to {self.until}. A whole number counts the days since 1970-01-01.",
        )

    def schema(self) -> Schema:
        # `format` speaks of strings alone, and the two bounds of numbers alone.
        return {
            "type": ["string", "integer"],
            "format": "date",
            "minimum": _days(self.earliest),
            "maximum": _days(date.max),
        }


def _days(day: date) -> int:
    return (day - _EPOCH).days
