"""Ids: 16 letters and digits whose string order is the order of creation."""

import threading
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from provender.model.ids import ALPHABET, encode, is_id, new_id

NOW = datetime(2026, 3, 10, tzinfo=UTC)


@given(st.lists(st.integers(-10_000, 10_000), min_size=2, max_size=50))
def test_ids_increase_strictly_whatever_the_clock_does(steps: list[int]) -> None:
    ids = [new_id(NOW + timedelta(milliseconds=step)) for step in steps]
    assert ids == sorted(set(ids))
    assert all(is_id(made) for made in ids)


def test_ids_of_a_later_millisecond_sort_later() -> None:
    later = datetime(2126, 1, 1, tzinfo=UTC)
    assert new_id(later) < new_id(later + timedelta(milliseconds=1)) < new_id(later + timedelta(days=365 * 1000))


def test_threads_never_share_an_id() -> None:
    made: list[str] = []

    def make() -> None:
        made.extend(new_id(NOW) for _ in range(2000))

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 8000


@given(st.integers(0, 62**16 - 1), st.integers(0, 62**16 - 1))
def test_the_order_of_strings_is_the_order_of_numbers(first: int, second: int) -> None:
    assert (encode(first, 16) < encode(second, 16)) == (first < second)


def test_the_alphabet_is_in_ascii_order() -> None:
    assert list(ALPHABET) == sorted(set(ALPHABET))


def test_only_16_letters_and_digits_have_the_form_of_an_id() -> None:
    assert is_id("0123456789abcXYZ")
    for text in ["", "short", "0123456789abcXY", "0123456789abcXYZ0", "0123456789abcXY-", "0123456789abcXYé", "٣" * 16]:
        assert not is_id(text)
