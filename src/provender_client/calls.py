"""A call: one request of the API and how its answer is read. It is worked out once, and sent as often as need be."""

from __future__ import annotations

import datetime as dt
import json
import re
import uuid
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final, Generic, TypeVar
from urllib.parse import quote

import httpx

T = TypeVar("T")

_PIECE = 64 * 1024
# What the API takes as an Idempotency-Key.
_IDEMPOTENCY_KEY = re.compile(r"[!-~]{1,255}")


class Omitted(Enum):
    """The default of parameters that may be null: leaving one out and sending None are not the same."""

    OMITTED = "omitted"


OMITTED: Final = Omitted.OMITTED


class FileBody(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A file as the body of a request, read anew for each try, and never as a whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.size: int = path.stat().st_size

    def __iter__(self) -> Iterator[bytes]:
        with self._path.open("rb") as file:
            while piece := file.read(_PIECE):
                yield piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        # A piece of a local file is there sooner than a thread would be.
        for piece in self:
            yield piece


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """An argument that is the whole body of its request. The others are sent in the query then."""

    body: bytes | FileBody
    # How long an answer may take where that is longer than usual.
    patience_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Generic[T]):
    """What is sent, and what `read` makes of the answer's JSON."""

    method: str
    path: str
    read: Callable[[Any], T]
    query: Mapping[str, str] = field(default_factory=dict)
    body: bytes | FileBody | None = None
    # The same for every try of a call: it is what lets the server see that they are one.
    idempotency_key: str | None = None
    patience_s: float | None = None

    def asking_for(self, **query: str) -> Call[T]:
        return replace(self, query={**self.query, **query})

    @property
    def headers(self) -> dict[str, str]:
        headers = {}
        if self.idempotency_key is not None:
            headers["Idempotency-Key"] = self.idempotency_key
        if self.body is not None:
            headers["Content-Type"] = "application/json"
        if isinstance(self.body, FileBody):
            headers["Content-Length"] = str(self.body.size)
        return headers


def call(method: str, path: str, read: Callable[[Any], T], parameters: Mapping[str, object]) -> Call[T]:
    """The call with these parameters: in the path where it names them, else in the query, or in a JSON body."""
    rest = dict(parameters)
    filled = path.format(**{name: _segment(name, rest.pop(name)) for name in _names_in(path)})
    key = _key(rest.pop("idempotency_key", None)) if method == "POST" else None
    made = Call(method=method, path=filled, read=read, idempotency_key=key)
    document = rest.pop("document", None)
    if isinstance(document, Document):
        made = replace(made, body=document.body, patience_s=document.patience_s)
    elif method in ("POST", "PATCH"):
        return replace(made, body=json.dumps(rest, default=_plain, ensure_ascii=False, allow_nan=False).encode())
    return replace(made, query={name: _text(value) for name, value in rest.items()})


def _names_in(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]


def _key(given: object) -> str:
    """The caller's own, or a new one. One that is unfit is not replaced: the caller relies on it."""
    key = str(uuid.uuid4() if given is None else given)
    if not _IDEMPOTENCY_KEY.fullmatch(key):
        raise ValueError(f"idempotency_key is {key!r}; it has 1 to 255 visible ASCII characters, and no blanks.")
    return key


def _segment(name: str, value: object) -> str:
    """One segment of a path, whatever characters it has."""
    # An empty one and dots would make it the path of something else.
    if value in ("", ".", ".."):
        raise ValueError(f"{name} is {value!r}, which names nothing.")
    return quote(_text(value), safe="")


def _text(value: object) -> str:
    """A parameter as a query has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dt.date):
        return _day(value)
    if isinstance(value, (str, int, float, uuid.UUID)):
        return str(value)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, Mapping)):
        return ",".join(map(_text, value))
    raise TypeError(f"A {type(value).__name__} cannot be sent.")


def _plain(value: object) -> object:
    """What JSON cannot write by itself, as it can be written."""
    if isinstance(value, dt.date):
        return _day(value)
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return list(value)
    # Its type says enough: a whole food would fill the message.
    raise TypeError(f"A {type(value).__name__} cannot be sent.")


def _day(value: dt.date) -> str:
    # A datetime is a date to Python. Which day it is depends on the time zone, so that is not guessed here.
    if isinstance(value, dt.datetime):
        raise TypeError(f"A day is asked for, and {value!r} is a moment. Send its .date().")
    return value.isoformat()
