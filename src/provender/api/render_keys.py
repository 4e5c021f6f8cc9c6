"""Keys and usage as they look on the wire."""

from datetime import date, datetime
from typing import Literal, TypedDict

import msgspec

from provender.api.answers import Answer
from provender.metrics.usage import CLIENT_ERRORS, SERVER_ERRORS, Counts, add, no_requests, quantile_ms, requests
from provender.model.access import ApiKey
from provender.model.paging import Page
from provender.model.times import from_day, to_ms
from provender.model.usage import DAY, HOUR
from provender.storage.usage import Usage

_encode = msgspec.json.Encoder().encode

_HOUR_MS = 3_600_000


class KeyItem(msgspec.Struct):
    """An API key, but for the key itself. Times are milliseconds since 1970."""

    id: str = msgspec.field(name="_id")
    scope: Literal["read", "write", "admin"]
    created_at: int
    last_used_on: date | None
    revoked_at: int | None
    rate_limit: int | None
    works: bool
    is_own: bool


class KeyPage(msgspec.Struct):
    """A page of the list of keys."""

    has_more: bool
    data: list[KeyItem]


class CreatedKey(msgspec.Struct):
    """A key that was created. The key itself is null where the request was sent again: it is told once."""

    id: str = msgspec.field(name="_id")
    key: str | None
    created: bool


class Figures(msgspec.Struct, kw_only=True):
    """How many requests there were, and how long they took. Without any, nothing is known of the latter."""

    requests: int
    client_errors: int
    server_errors: int
    p50_ms: float | None
    p95_ms: float | None
    p99_ms: float | None


# The other figures do not inherit these: in an answer, what they are about stands before them.
class PeriodFigures(msgspec.Struct, kw_only=True):
    """The figures of a day, or of an hour: then there is the millisecond in which it began."""

    date: str | msgspec.UnsetType = msgspec.UNSET
    hour: int | msgspec.UnsetType = msgspec.UNSET
    requests: int
    client_errors: int
    server_errors: int
    p50_ms: float | None
    p95_ms: float | None
    p99_ms: float | None


class EndpointFigures(msgspec.Struct, kw_only=True):
    """The figures of an endpoint."""

    endpoint: str
    requests: int
    client_errors: int
    server_errors: int
    p50_ms: float | None
    p95_ms: float | None
    p99_ms: float | None


class UsageAnswer(msgspec.Struct):
    """What an application has asked for: by day or hour, by endpoint, and in all."""

    data: list[PeriodFigures]
    endpoints: list[EndpointFigures]
    total: Figures


def key_page(page: Page[ApiKey], own_id: str, now: datetime) -> Answer:
    data = [
        KeyItem(
            key.prefix,
            key.scope.value,
            to_ms(key.created_at),
            key.last_used_on,
            None if key.revoked_at is None else to_ms(key.revoked_at),
            key.rate_limit,
            key.works(now),
            key.prefix == own_id,
        )
        for key in page.items
    ]
    return Answer(_encode(KeyPage(page.has_more, data)))


def created_key(id_: str, key: str | None) -> Answer:
    return Answer(_encode(CreatedKey(id_, key, created=True)), 201)


def usage(found: Usage, hours: int, first_hour: int, last_hour: int) -> Answer:
    """Hours and days without requests are there too, so that what is drawn has no gaps."""
    total = no_requests()
    for counts in found.by_hour.values():
        add(total, counts)
    periods = [
        _period(hour, hours, _figures(found.by_hour.get(hour) or no_requests()))
        for hour in range(first_hour, last_hour + 1, hours)
    ]
    busiest = sorted(found.by_route.items(), key=lambda item: (-requests(item[1]), item[0]))
    endpoints = [EndpointFigures(endpoint=route, **_figures(counts)) for route, counts in busiest]
    return Answer(_encode(UsageAnswer(periods, endpoints, Figures(**_figures(total)))))


class _Numbers(TypedDict):
    requests: int
    client_errors: int
    server_errors: int
    p50_ms: float | None
    p95_ms: float | None
    p99_ms: float | None


def _period(hour: int, hours: int, numbers: _Numbers) -> PeriodFigures:
    if hours == HOUR:
        return PeriodFigures(hour=hour * _HOUR_MS, **numbers)
    return PeriodFigures(date=str(from_day(hour // DAY)), **numbers)


def _figures(counts: Counts) -> _Numbers:
    return {
        "requests": requests(counts),
        "client_errors": counts[CLIENT_ERRORS],
        "server_errors": counts[SERVER_ERRORS],
        "p50_ms": quantile_ms(counts, 0.5),
        "p95_ms": quantile_ms(counts, 0.95),
        "p99_ms": quantile_ms(counts, 0.99),
    }
