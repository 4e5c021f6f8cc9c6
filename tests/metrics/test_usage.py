"""What is read from counts of requests."""

import pytest

from provender.metrics.counts import DURATIONS_S
from provender.metrics.usage import CLIENT_ERRORS, SERVER_ERRORS, ApplicationUsage, Counts, quantile_ms, requests
from provender.storage.usage import COUNTED


def _counts(**buckets: int) -> Counts:
    """Counts with so many requests in the columns of these names."""
    return [buckets.get(name, 0) for name in COUNTED]


@pytest.mark.parametrize(
    ("counts", "share", "expected"),
    [
        (_counts(), 0.5, None),
        # Four requests between 1 and 2.5 ms: the second of them is in their middle.
        (_counts(up_to_2500_us=4), 0.5, 1.75),
        (_counts(up_to_2500_us=4), 1.0, 2.5),
        (_counts(up_to_250_us=1), 0.5, 0.125),
        (_counts(up_to_1000_us=90, up_to_100000_us=10), 0.5, 0.778),
        (_counts(up_to_1000_us=90, up_to_100000_us=10), 0.95, 75.0),
        (_counts(up_to_1000_us=99, longer=1), 0.5, 0.753),
        # Nothing is known of what lies beyond.
        (_counts(longer=3), 0.5, 10_000),
    ],
)
def test_quantiles_are_interpolated_within_buckets(counts: Counts, share: float, expected: float | None) -> None:
    assert quantile_ms(counts, share) == expected


def test_errors_are_requests_too() -> None:
    usage = ApplicationUsage()
    for status in (200, 201, 304, 400, 404, 429, 499, 500, 503):
        usage.observe(3, status, 0)
    usage.observe(4, 200, len(DURATIONS_S))
    taken = usage.take()
    assert taken.keys() == {3, 4}
    assert (requests(taken[3]), taken[3][CLIENT_ERRORS], taken[3][SERVER_ERRORS]) == (9, 4, 2)
    assert taken[4] == _counts(longer=1)
    assert usage.take() == {}
