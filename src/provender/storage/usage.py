"""How much each application has asked for, as it is kept: rows that every worker adds to."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from provender.metrics.counts import DURATIONS_S
from provender.metrics.usage import Counts
from provender.model.usage import DAY, HOUR
from provender.storage.engine import Statements, Value
from provender.storage.rooms import in_sizes, places

# As in `storage/removal.py`: quick, and no other writer waits for long.
STEP = 500

_KEY = ("application_id", "hours", "first_hour", "route")
# In the order of `Counts`.
COUNTED = (
    "client_errors",
    "server_errors",
    *(f"up_to_{round(bound * 1_000_000)}_us" for bound in DURATIONS_S),
    "longer",
)

# So many rows go into one statement: a few lengths only, so that a database has few statements to prepare.
_SIZES = (64, 8, 1)

# PostgreSQL's sums of large numbers are of another type.
_SUMS = ", ".join(f"CAST(SUM({name}) AS bigint)" for name in COUNTED)
_ASKED = "FROM usage WHERE application_id = $1 AND hours = $2 AND first_hour BETWEEN $3 AND $4"

# One statement, so that both sums are of the same rows.
READ = f"""
    SELECT first_hour, '' AS route, {_SUMS} {_ASKED} GROUP BY first_hour
    UNION ALL SELECT 0, route, {_SUMS} {_ASKED} GROUP BY route
"""

# The oldest: any would do, but where PostgreSQL takes many rows to be old it would look for one among all of them.
FIND_OLD = "SELECT first_hour FROM usage WHERE hours = $1 AND first_hour < $2 ORDER BY first_hour LIMIT 1"

CLEAR_OLD = f"""
    DELETE FROM usage WHERE ({", ".join(_KEY)}) IN (
        SELECT {", ".join(_KEY)} FROM usage WHERE hours = $1 AND first_hour < $2 ORDER BY first_hour LIMIT $3
    ) RETURNING first_hour
"""


class Span(NamedTuple):
    """What a row is about: what an application asked of one route in so many hours from one on."""

    application_id: str
    hours: int
    first_hour: int
    route: str


class Usage(NamedTuple):
    """What one application has asked for, by the first hour of each row, and by route."""

    by_hour: dict[int, Counts]
    by_route: dict[str, Counts]


async def add_usage(statements: Statements, rows: Mapping[Span, Counts]) -> None:
    """Add to the rows. They are taken in one order, so that no two writers each wait for a row that the other has."""
    for part in in_sizes(sorted(rows.items()), _SIZES):
        values: list[Value] = []
        for span, counts in part:
            values += (*span, *counts)
        await statements.change(_add(len(part)), *values)


@cache
def _add(rows: int) -> str:
    columns = (*_KEY, *COUNTED)
    values = ", ".join(f"({places(1 + row * len(columns), len(columns))})" for row in range(rows))
    sums = ", ".join(f"{name} = usage.{name} + excluded.{name}" for name in COUNTED)
    return (
        f"INSERT INTO usage ({', '.join(columns)}) VALUES {values} ON CONFLICT ({', '.join(_KEY)}) DO UPDATE SET {sums}"
    )


async def read_usage(statements: Statements, hours: int, first_hour: int, last_hour: int) -> Usage:
    """The application's rows of so many hours each, that begin between these two, added up in two ways."""
    found = Usage({}, {})
    for hour, route, *counts in await statements.all(READ, hours, first_hour, last_hour):
        if route:
            found.by_route[route] = counts
        else:
            found.by_hour[hour] = counts
    return found


async def has_old(statements: Statements, hours: int, first_hour: int) -> bool:
    """Whether there are rows of so many hours, of any application, from before this hour."""
    return await statements.one(FIND_OLD, hours, first_hour) is not None


async def clear_old(statements: Statements, hours: int, first_hour: int) -> bool:
    """Remove some of them; whether there may be more."""
    return len(await statements.change(CLEAR_OLD, hours, first_hour, STEP)) == STEP


def spans_of(application_id: str, hour: int, route: str) -> Sequence[Span]:
    """The rows that a request of this hour is counted in."""
    return (
        Span(application_id, HOUR, hour, route),
        Span(application_id, DAY, hour - hour % DAY, route),
    )
