"""How much each application has asked for since it was last written down, and what can be read from such counts.

A row of counts is a list: errors of the caller, errors of the server, then how many requests took how long. Errors are
among the latter too, so that these are all requests.
"""

from collections.abc import Iterator, Sequence

from provender.metrics.counts import DURATIONS_S

Counts = list[int]

CLIENT_ERRORS, SERVER_ERRORS, _FIRST_BUCKET = range(3)
WIDTH = _FIRST_BUCKET + len(DURATIONS_S) + 1

_BOUNDS_MS = tuple(bound * 1000 for bound in DURATIONS_S)


def no_requests() -> Counts:
    return [0] * WIDTH


def requests(counts: Counts) -> int:
    return sum(counts[_FIRST_BUCKET:])


def quantile_ms(counts: Counts, share: float) -> float | None:
    """How long the slowest of this share of the requests took, as if those of a bucket were spread over it evenly.

    Beyond the last bound nothing is known but that it was longer, so the answer is that bound.
    """
    left = share * requests(counts)
    low = 0.0
    for high, number in zip(_BOUNDS_MS, counts[_FIRST_BUCKET:], strict=False):
        if number and left <= number:
            return round(low + (high - low) * left / number, 3)
        left -= number
        low = high
    return low if requests(counts) else None


class ApplicationUsage:
    """The requests of one application by the numbers of their routes."""

    __slots__ = ("_rows",)

    def __init__(self) -> None:
        self._rows: dict[int, Counts] = {}

    def observe(self, route_number: int, status: int, bucket: int) -> None:
        """A request was answered. As `RequestCounts.observe`, this is called for each of them."""
        row = self._rows.get(route_number)
        if row is None:
            row = self._rows[route_number] = no_requests()
        row[_FIRST_BUCKET + bucket] += 1
        if status >= 400:
            row[CLIENT_ERRORS if status < 500 else SERVER_ERRORS] += 1

    def take(self) -> dict[int, Counts]:
        """What was counted since the last time."""
        taken, self._rows = self._rows, {}
        return taken


class Usages:
    """The usage of every application that has asked this process for anything."""

    def __init__(self) -> None:
        self._by_application: dict[str, ApplicationUsage] = {}

    def of(self, application_id: str) -> ApplicationUsage:
        return self._by_application.setdefault(application_id, ApplicationUsage())

    def take(self) -> Iterator[tuple[str, int, Counts]]:
        """The application, the route's number and the counts, for everything since the last time."""
        for application_id, usage in self._by_application.items():
            for route_number, counts in usage.take().items():
                yield application_id, route_number, counts


def add(total: Counts, more: Sequence[int]) -> None:
    for place, number in enumerate(more):
        total[place] += number
