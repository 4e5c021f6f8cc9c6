"""The diary as it looks on the wire: logs with their values as eaten, and sums of days."""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from provender.api.answers import Answer
from provender.api.render import Created
from provender.model.nutrients import Group
from provender.model.paging import Page
from provender.model.portions import Quantity, rescale
from provender.model.sums import Sums
from provender.model.times import from_day
from provender.storage.diary import StoredEntry
from provender.storage.diary_days import Day, show
from provender.storage.logged_foods import StoredLoggedFood

_encode = msgspec.json.Encoder().encode

# What an answer has whether or not it is asked for.
_ALWAYS = frozenset({Group.MACRO_NUTRIENTS, Group.WATER})

_Members = dict[str, float]

# So many logs, as far as their food and how much of it was eaten go. With every group one has some ten kilobytes.
_KEPT = 1024


class LogAnswer(msgspec.Struct, kw_only=True):
    """A log: a food as it was eaten. All values are for what was eaten. Times are milliseconds since 1970."""

    id: str = msgspec.field(name="_id")
    food_id: str
    food_name: str
    food_type: Literal["generic", "brand"]
    brand_name: str | None
    serving_description: str
    metric_serving_amount: float
    metric_serving_unit: Literal["g", "ml", "oz"]
    number_of_servings: float
    metric_amount: float
    macro_nutrients: _Members
    water_in_gm: float | UnsetType = UNSET
    meal: Literal["breakfast", "lunch", "dinner", "snack"]
    date: date
    note: str | None
    profile_reference_id: str
    created_at: int
    updated_at: int
    vitamins: _Members | UnsetType = UNSET
    minerals: _Members | UnsetType = UNSET
    carbohydrates: _Members | UnsetType = UNSET
    lipids: _Members | UnsetType = UNSET
    proteins: _Members | UnsetType = UNSET


class LogPage(msgspec.Struct):
    """A page of a list of logs."""

    has_more: bool
    data: list[LogAnswer]


class SumsAnswer(msgspec.Struct, kw_only=True):
    """What entries add up to. `unknown` says how many of them did not know a nutrient."""

    entries: int
    macro_nutrients: _Members
    water_in_gm: float | UnsetType = UNSET
    vitamins: _Members
    minerals: _Members
    carbohydrates: _Members
    lipids: _Members
    proteins: _Members
    unknown: dict[str, int]


class DayAnswer(SumsAnswer, kw_only=True):
    """What the entries of a day add up to, as in a sum of several."""

    date: date


class SummaryAnswer(msgspec.Struct):
    """The days that have entries, and all of them together."""

    data: list[DayAnswer]
    total: SumsAnswer


class CreatedList(msgspec.Struct):
    """What was created, in its order."""

    data: list[Created]


def log(entry: StoredEntry, include: frozenset[str]) -> Answer:
    return Answer(_encode(_log(entry, include)))


def log_page(page: Page[StoredEntry], include: frozenset[str]) -> Answer:
    return Answer(_encode(LogPage(page.has_more, [_log(entry, include) for entry in page.items])))


def created_list(ids: Sequence[str]) -> Answer:
    """201 where something was created, and 200 where there was nothing to create."""
    return Answer(_encode(CreatedList([Created(id_, created=True) for id_ in ids])), 201 if ids else 200)


def summary(days: Sequence[Day]) -> Answer:
    """As SummaryAnswer has it, put together from bytes: a year of it has megabytes."""
    data = b",".join(b'{"date":"%b",%b}' % (_date(day.date), day.shown) for day in days)
    total = show(Sums.total(day.sums for day in days))
    return Answer(b'{"data":[%b],"total":{%b}}' % (data, total))


def _date(day: int) -> bytes:
    return from_day(day).isoformat().encode("ascii")


def _log(entry: StoredEntry, include: frozenset[str]) -> LogAnswer:
    stored = entry.log
    return LogAnswer(
        id=stored.id,
        food_id=stored.food_id,
        meal=stored.meal,  # type: ignore[arg-type]  # The storage has no other values.
        date=from_day(stored.date),
        note=stored.note,
        profile_reference_id=entry.reference_id,
        created_at=stored.created_at,
        updated_at=stored.updated_at,
        **_as_eaten(entry.logged, stored.quantity, include),
    )


@lru_cache(_KEPT)
def _as_eaten(logged: StoredLoggedFood, quantity: Quantity, include: frozenset[str]) -> dict[str, Any]:
    """What a log says of its food. Working that out takes far longer than finding that it was asked for before."""
    wanted = _ALWAYS | {group for group in Group if group in include}
    ratio = quantity.ratio(logged.metric_serving_amount)
    scaled = dict(rescale(logged.nutrients(is_weighed=quantity.is_weighed, groups=frozenset(wanted)), ratio))
    water = scaled.pop(Group.WATER)
    return {
        "food_name": logged.food_name,
        "food_type": logged.food_type,
        "brand_name": logged.brand_name,
        "serving_description": logged.serving_description,
        "metric_serving_amount": whole(logged.metric_serving_amount),
        "metric_serving_unit": logged.metric_serving_unit,
        "number_of_servings": whole(quantity.number_of_servings),
        "metric_amount": whole(quantity.weight(logged.metric_serving_amount)),
        **{group.value: msgspec.Raw(_encode(members)) for group, members in scaled.items()},
        **water,
    }


def whole(value: float) -> float:
    """A whole number is written as one."""
    return int(value) if float(value).is_integer() else value
