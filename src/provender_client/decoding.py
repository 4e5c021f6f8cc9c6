"""From JSON to the dataclasses of `models`, by their type hints. What is not there takes the field's default."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from provender_client.models.answers import Answer

A = TypeVar("A", bound=Answer)
Convert = Callable[[Any], Any]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def reader(kind: type[A]) -> Callable[[Any], A]:
    """What makes a `kind` of a JSON object. It is worked out once, when the client is imported."""
    hints = get_type_hints(kind)
    plan = [
        (field.name, wire_name(field.name), _conversion(hints[field.name]))
        for field in fields(kind)
        if field.name != "raw"
    ]

    def read(raw: Any) -> A:
        found: dict[str, Any] = {"raw": raw}
        for name, wire, convert in plan:
            if wire in raw:
                value = raw[wire]
                found[name] = value if convert is None or value is None else convert(value)
        return kind(**found)

    return read


def wire_name(name: str) -> str:
    return "_id" if name == "id" else name


def _conversion(hint: Any) -> Convert | None:
    """None where the JSON value is taken as it is."""
    if get_origin(hint) in (Union, types.UnionType):
        [hint] = [one for one in get_args(hint) if one is not type(None)]
    if hint is datetime:
        return _moment
    if hint is date:
        return date.fromisoformat
    if get_origin(hint) is tuple:
        return _each(_conversion(get_args(hint)[0]))
    return reader(hint) if isinstance(hint, type) and issubclass(hint, Answer) else None


def _moment(milliseconds: int) -> datetime:
    # An integer number of them, so that no rounding of floats moves it.
    return _EPOCH + timedelta(milliseconds=milliseconds)


def _each(convert: Convert | None) -> Convert:
    if convert is None:
        return tuple
    return lambda values: tuple(map(convert, values))
