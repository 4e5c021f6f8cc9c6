"""Times are exact to the millisecond, both ways."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from provender.model.times import from_ms, timezone_names, to_ms, zone

_LAST = to_ms(datetime(9999, 12, 31, tzinfo=UTC))


@given(st.integers(to_ms(datetime(1, 1, 1, tzinfo=UTC)), _LAST))
def test_milliseconds_survive_the_way_there_and_back(milliseconds: int) -> None:
    assert to_ms(from_ms(milliseconds)) == milliseconds


def test_every_timezone_that_is_accepted_can_be_used() -> None:
    assert {"Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "UTC"} <= timezone_names()
    for name in timezone_names():
        datetime(2026, 3, 10, tzinfo=UTC).astimezone(zone(name))


def test_a_profile_without_a_timezone_lives_in_utc() -> None:
    assert zone(None).key == "UTC"
