"""Times: aware and in UTC inside; whole milliseconds where they are stored or sent."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import cache
from importlib import resources
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

Clock = Callable[[], datetime]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_FIRST_DAY = _EPOCH.toordinal()


def utc_now() -> datetime:
    return datetime.now(UTC)


def to_ms(time: datetime) -> int:
    """Integer arithmetic throughout: a float would be off by one for some milliseconds."""
    return (time - _EPOCH) // _MILLISECOND


def from_ms(milliseconds: int) -> datetime:
    return _EPOCH + milliseconds * _MILLISECOND


def to_day(day: date) -> int:
    """A calendar date as it is stored: days since 1970-01-01."""
    return day.toordinal() - _FIRST_DAY


def from_day(number: int) -> date:
    return date.fromordinal(number + _FIRST_DAY)


@cache
def timezone_names() -> frozenset[str]:
    """The IANA names of the `tzdata` release in use: the same on every machine, whatever its system has."""
    names = resources.files("tzdata").joinpath("zones").read_text(encoding="ascii").split()
    return frozenset(names) - {"Factory"}


def zone(name: str | None) -> ZoneInfo:
    """The time zone of a profile: UTC unless one is set.

    One that a server with newer `tzdata` has stored may be unknown here; that must not cost the profile its answer.
    """
    try:
        return ZoneInfo(name or "UTC")
    except ZoneInfoNotFoundError:
        return ZoneInfo("UTC")
