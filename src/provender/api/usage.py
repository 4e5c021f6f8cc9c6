"""The endpoint of an application's own usage."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from typing import Annotated, Any, ClassVar

from provender.api import render_keys
from provender.api.answers import Answer
from provender.api.kinds import Choice, Date
from provender.api.render_keys import UsageAnswer
from provender.api.routing import Call, Route
from provender.model.access import Scope
from provender.model.errors import Fault, InvalidParameters
from provender.model.times import to_day
from provender.model.usage import DAY, DAYS_MAX, DAYS_USUAL, HOUR, HOURLY_DAYS_MAX

_DATE = Date(earliest=date(1970, 1, 1))


def _dates_make_a_range(sent: Mapping[str, Any]) -> Iterable[Fault]:
    if sent.get("from") is not None and sent.get("to") is not None and sent["to"] < sent["from"]:
        yield Fault("to", "out_of_range", "must not be before from.")


@dataclass(frozen=True, kw_only=True)
class UsageParameters:
    RULES: ClassVar = (_dates_make_a_range,)

    from_: Annotated[
        date | None,
        _DATE,
        f"The first day, in UTC. Without it, {DAYS_USUAL} days up to the last, or {HOURLY_DAYS_MAX} by the hour.",
    ] = None
    to: Annotated[date | None, _DATE, "The last day, in UTC. Today if it is not sent."] = None
    by: Annotated[
        str,
        Choice(("day", "hour")),
        f"What to count by: days, of which {DAYS_MAX} at most can be asked for, or the hours of at most "
        f"{HOURLY_DAYS_MAX} days.",
    ] = "day"

    def days(self, today: date) -> tuple[date, date]:
        most, usual = (HOURLY_DAYS_MAX, HOURLY_DAYS_MAX) if self.by == "hour" else (DAYS_MAX, DAYS_USUAL)
        last = self.to or max(today, self.from_ or today)
        first = self.from_ or max(last - timedelta(days=usual - 1), _DATE.earliest)
        if (last - first).days >= most:
            message = f"must be within {most} days, counted from from, where by is {self.by}."
            raise InvalidParameters([Fault("to", "out_of_range", message)])
        return first, last


async def retrieve_usage(call: Call[UsageParameters]) -> Answer:
    asked = call.parameters
    first, last = asked.days(call.now.astimezone(UTC).date())
    hours = HOUR if asked.by == "hour" else DAY
    first_hour, last_hour = to_day(first) * DAY, (to_day(last) + 1) * DAY - hours
    found = await call.services.usage.read(call.store, hours, first_hour, last_hour)
    return render_keys.usage(found, hours, first_hour, last_hour)


ROUTES = (
    Route(
        method="GET",
        path="/v1/usage",
        handler=retrieve_usage,
        summary="Retrieve the usage of the application",
        description="How many requests its keys have sent, and how long the service took to answer them: by day or by "
        "hour, oldest first, those without any too; by endpoint, most requests first; and in all. `client_errors` were "
        "answered with 4xx, or their caller hung up; `server_errors` with 5xx. Half of the requests took at most "
        "`p50_ms` milliseconds, 95 of 100 at most `p95_ms`, 99 of 100 at most `p99_ms`: estimates, of at most 10,000. "
        "What other processes of the service have counted in the last 10 seconds may be missing.",
        tag="Keys and usage",
        scope=Scope.READ,
        parameters=UsageParameters,
        answers={200: UsageAnswer},
    ),
)
