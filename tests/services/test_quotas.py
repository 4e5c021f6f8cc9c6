"""Quotas: never more than was promised in any stretch of time, and never less than that for whoever keeps to it."""

import hashlib
import multiprocessing
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from provender.services.quotas import PLACES, Cells, Quota, Quotas, Taken, _private_cells, shared_cells

MINUTE = 60_000_000_000
SECOND = 1_000_000_000
START = 1_000 * SECOND

LIMITS = st.integers(1, 200)
GAPS = st.lists(st.integers(0, 5 * SECOND) | st.integers(0, 2 * MINUTE) | st.just(0), min_size=1, max_size=300)


def _hash(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


class Watch:
    """A machine's clock, which a test moves on."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


def _quota(limit: int, watch: Watch, name: str = "a", cells: Cells | None = None) -> Quota:
    return Quota(limit, _hash(name), cells, watch)


@given(LIMITS, GAPS)
def test_no_stretch_of_time_has_more_requests_than_a_quota_and_its_share(limit: int, gaps: list[int]) -> None:
    watch = Watch()
    quota = _quota(limit, watch)
    accepted = []
    for gap in gaps:
        watch.now += gap
        if not quota.take().wait_s:
            accepted.append(watch.now)
    interval = MINUTE // limit
    for first, begin in enumerate(accepted):
        for last in range(first, len(accepted)):
            assert last - first + 1 <= limit + (accepted[last] - begin) // interval
    for begin, after_minute in zip(accepted, accepted[2 * limit :], strict=False):
        assert after_minute - begin >= MINUTE - limit, "in a minute there are at most two quotas"


@given(LIMITS, GAPS)
def test_who_waits_as_long_as_told_is_let_in(limit: int, gaps: list[int]) -> None:
    watch = Watch()
    quota = _quota(limit, watch)
    for gap in gaps:
        watch.now += gap
        wait_s = quota.wait_s()
        taken = quota.take()
        assert taken.wait_s == wait_s
        assert 0 <= taken.wait_s <= 60
        if taken.wait_s:
            watch.now += taken.wait_s * SECOND
            assert not quota.take().wait_s


@given(LIMITS, st.integers(1, 500))
def test_who_keeps_to_the_limit_is_never_refused(limit: int, requests: int) -> None:
    watch = Watch()
    quota = _quota(limit, watch)
    for _ in range(requests):
        assert not quota.take().wait_s
        watch.now += -(-MINUTE // limit)


@given(LIMITS, GAPS)
def test_what_is_said_to_remain_does_and_the_rest_is_back_when_it_was_said_to_be(limit: int, gaps: list[int]) -> None:
    watch = Watch()
    quota = _quota(limit, watch)
    taken = Taken(limit, limit, 0, 0)
    for gap in gaps:
        watch.now += gap
        taken = quota.take()
    left = [quota.take() for _ in range(taken.remaining)]
    assert not any(each.wait_s for each in left)
    assert all(before.remaining == after.remaining + 1 for before, after in pairwise(left))
    assert quota.take().wait_s
    watch.now += quota.take().reset_s * SECOND
    assert quota.take().remaining == limit - 1


def test_a_key_without_a_limit_has_no_quota_and_its_own_limit_wins() -> None:
    assert Quotas(None).of(_hash("a"), None) is None
    assert Quotas(5).of(_hash("a"), 0) is None
    for usual, own, limit in [(5, None, 5), (5, 7, 7), (None, 7, 7)]:
        quota = Quotas(usual).of(_hash("a"), own)
        assert quota is not None
        assert quota.take().limit == limit


def test_keys_that_meet_in_one_place_are_counted_each_for_itself() -> None:
    watch = Watch()
    # With so few places every key meets another.
    cells = _private_cells(8)
    quotas = [_quota(3, watch, f"key-{number}", cells) for number in range(8)]
    for _ in range(3):
        assert not any(quota.take().wait_s for quota in quotas)
    assert all(quota.take().wait_s for quota in quotas)


def test_where_there_is_no_place_left_a_key_is_counted_in_its_worker_alone() -> None:
    watch = Watch()
    cells = _private_cells(2)
    quotas = [_quota(3, watch, f"key-{number}", cells) for number in range(5)]
    for quota in quotas:
        assert [bool(quota.take().wait_s) for _ in range(4)] == [False, False, False, True]


def test_the_place_of_a_key_that_has_its_whole_quota_goes_to_another() -> None:
    watch = Watch()
    cells = _private_cells(1)
    first, second = (_quota(3, watch, name, cells) for name in ("a", "b"))
    first.take()
    watch.now += MINUTE
    second.take()
    assert second._cells is cells  # noqa: SLF001 - That it is the common place, no answer shows.
    # The first finds out, and does not go on with the other's count.
    assert first.take().remaining == 2


def test_two_objects_for_one_key_count_together_and_a_new_limit_keeps_what_is_used() -> None:
    watch = Watch()
    cells = shared_cells()
    assert len(cells) == 2 * PLACES
    assert _quota(4, watch, cells=cells).take().remaining == 3
    assert _quota(4, watch, cells=cells).take().remaining == 2
    assert _quota(8, watch, cells=cells).take().remaining == 3


def _take_in_child(cells: Cells) -> None:
    quota = Quotas(10, cells).of(_hash("a"), None)
    assert quota is not None
    quota.take()


def test_processes_that_are_forked_count_together() -> None:
    cells = shared_cells()
    for _ in range(3):
        child = multiprocessing.get_context("fork").Process(target=_take_in_child, args=(cells,))
        child.start()
        child.join()
        assert child.exitcode == 0
    quota = Quotas(10, cells).of(_hash("a"), None)
    assert quota is not None
    assert quota.take().remaining == 6


def test_nothing_of_a_key_but_a_part_of_its_hash_is_kept() -> None:
    cells = shared_cells()
    quota = Quotas(10, cells).of(_hash("a"), None)
    assert quota is not None
    quota.take()
    tag, _ = (cell for cell in cells if cell)
    assert tag == int.from_bytes(_hash("a")[:8], "big") | 1
