"""How often a food was eaten in the past 30 days, and until when that stays true."""

from hypothesis import given
from hypothesis import strategies as st

from provender.model.eaten import SPARE_DAYS, WINDOW_DAYS, EatenFood

TODAY = 20_000

days = st.dictionaries(st.integers(TODAY - 40, TODAY + 40), st.integers(1, 5))


def _eaten(counts: dict[int, int]) -> EatenFood:
    return EatenFood("food", "all", 1, {}).changed(counts, 1, TODAY)


def _fresh(counts: dict[int, int], today: int) -> int:
    return sum(count for day, count in counts.items() if today - 29 <= day <= today)


@given(days, st.integers(-SPARE_DAYS, 60))
def test_the_count_is_right_today_on_every_day_to_come_and_two_days_back(counts: dict[int, int], later: int) -> None:
    assert _eaten(counts).logs(TODAY + later) == _fresh(counts, TODAY + later)


@given(days)
def test_a_count_stays_as_it_is_until_its_day_and_changes_then(counts: dict[int, int]) -> None:
    eaten = _eaten(counts)
    until = eaten.valid_until(TODAY)
    last = TODAY + 100 if until is None else until - 1
    assert {_fresh(counts, day) for day in range(TODAY, last + 1)} == {_fresh(counts, TODAY)}
    # One day may leave and another come at once; most often the count is another then.
    if until is not None and until - WINDOW_DAYS not in counts:
        assert _fresh(counts, until) > _fresh(counts, TODAY)


@given(days, days)
def test_logs_that_are_taken_away_leave_the_others(kept: dict[int, int], gone: dict[int, int]) -> None:
    both = _eaten(kept).changed(gone, 2, TODAY)
    back = both.changed({day: -count for day, count in gone.items()}, 1, TODAY)
    assert back == _eaten(kept)


def test_days_that_are_over_for_good_are_forgotten() -> None:
    assert set(_eaten({TODAY - 32: 1, TODAY - 31: 1, TODAY - 29: 1, TODAY + 9: 1}).days) == {
        TODAY - 31,
        TODAY - 29,
        TODAY + 9,
    }
