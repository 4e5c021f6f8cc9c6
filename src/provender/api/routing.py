"""The route table: what each endpoint is, in the one form that routes, validates and documents it."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar
from urllib.parse import unquote

import msgspec

from provender.api.answers import Answer, Stream
from provender.api.errors import MethodNotAllowed
from provender.api.parameters import NoParameters
from provender.api.reader import Reader
from provender.api.spool import Spool
from provender.model.access import Scope
from provender.model.errors import NotFound, ProvenderError
from provender.model.idempotency import KeyedRequest
from provender.services.idempotency import once
from provender.services.running import Services
from provender.storage.store import Store

P = TypeVar("P")


class Call(msgspec.Struct, Generic[P], frozen=True):
    """One request as its handler sees it: who asks, for what, and when."""

    parameters: P
    path: tuple[str, ...]
    store: Store
    now: datetime
    services: Services
    # Which key asks.
    key_id: str
    # What the caller has already, if it says so: an entity tag, or several.
    if_none_match: bytes | None = None
    # Only where an Idempotency-Key was sent.
    keyed: KeyedRequest | None = None
    # The body of a request whose route has a document.
    spool: Spool | None = None

    def store_once(self, owners: Sequence[str], render: Callable[[Any], Answer]) -> Store:
        """The store for the one transaction of a POST: if the request has a key, it happens once.

        `owners` are the reference_ids of the profiles that are written to, and `render` makes the answer from what the
        transaction returns. It does so inside of it, so that the answer is kept with what was written: it must be pure.
        """
        if self.keyed is None:
            return self.store

        def rendered(result: Any) -> tuple[int, bytes]:
            answer = render(result)
            return answer.status, answer.body

        return once(self.store, self.keyed, owners, rendered, self.now)


# What a request without a route is counted under. Routes have numbers from 1 on, which their router gives them.
NO_ROUTE = 0

Handler = Callable[[Call[Any]], Awaitable[Answer | Stream]]
OpenHandler = Callable[[Services], Awaitable[Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """An endpoint. `answers` are the successful statuses with the type of their body, `errors` what it may refuse."""

    method: str
    path: str
    handler: Handler
    summary: str
    tag: str
    scope: Scope
    answers: dict[int, type]
    parameters: type[Any] = NoParameters
    # What its body declares where that may be too large for memory: its parameters are sent in the address then.
    document: type[Any] | None = None
    errors: tuple[type[ProvenderError], ...] = ()
    description: str = ""
    # Whether it answers 304 to a caller that has the present answer already.
    conditional: bool = False
    reader: Reader[Any] = field(init=False)
    takes_body: bool = field(init=False)
    number: int = field(init=False, default=NO_ROUTE)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reader", Reader(self.parameters))
        object.__setattr__(self, "takes_body", self.method in ("POST", "PATCH"))


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRoute:
    """An endpoint without a key and without parameters, for whatever watches over the server."""

    method: str = "GET"
    path: str
    handler: OpenHandler
    summary: str
    tag: str
    answers: dict[int, type]
    errors: tuple[type[ProvenderError], ...] = ()
    description: str = ""
    number: int = field(init=False, default=NO_ROUTE)


AnyRoute = Route | OpenRoute


# The one variable whose values callers choose themselves, so that a fixed word may be one of them.
_CHOSEN_BY_CALLERS = "{reference_id}"


class _Node:
    __slots__ = ("methods", "takes_words", "variable", "words")

    def __init__(self) -> None:
        self.takes_words = False
        self.words: dict[bytes, _Node] = {}
        self.variable: _Node | None = None
        self.methods: dict[str, AnyRoute] = {}


class Router:
    """Finds the route of a path as it was sent, still percent-encoded, so that an id may contain a slash."""

    def __init__(self, routes: Sequence[AnyRoute]) -> None:
        self.routes = tuple(routes)
        self._root = _Node()
        for number, route in enumerate(routes, 1):
            object.__setattr__(route, "number", number)
            node = self._root
            for segment in route.path.split("/")[1:]:
                if segment.startswith("{"):
                    node.takes_words = node.takes_words or segment == _CHOSEN_BY_CALLERS
                    node.variable = node.variable or _Node()
                    node = node.variable
                else:
                    node = node.words.setdefault(segment.encode(), _Node())
            node.methods[route.method] = route
        self._fixed: dict[tuple[str, bytes], tuple[AnyRoute, tuple[str, ...]]] = {}
        self._ending: dict[tuple[str, bytes], tuple[AnyRoute, frozenset[bytes]]] = {}
        for route in routes:
            self._remember(route)

    def _remember(self, route: AnyRoute) -> None:
        """Nearly all requests are for a path without variables, or with one at its end: these are found by their text.

        Words that may stand in the place of the variable are left to the tree, which knows what they mean.
        """
        beginning, _, end = route.path.rpartition("/")
        if "{" in beginning:
            return
        if not end.startswith("{"):
            self._fixed[route.method, route.path.encode()] = (route, ())
            return
        node = self._root
        for word in beginning.encode().split(b"/")[1:]:
            node = node.words[word]
        self._ending[route.method, beginning.encode()] = (route, frozenset(node.words))

    def find(self, method: str, raw_path: bytes) -> tuple[AnyRoute, tuple[str, ...]] | None:
        """The route and the values of its path's variables; None where the table has no such path."""
        fixed = self._fixed.get((method, raw_path))
        if fixed is not None:
            return fixed
        beginning, _, end = raw_path.rpartition(b"/")
        ending = self._ending.get((method, beginning))
        if ending is not None and end and end not in ending[1]:
            return ending[0], (_decode(end),)
        return self._walk(method, raw_path)

    def _walk(self, method: str, raw_path: bytes) -> tuple[AnyRoute, tuple[str, ...]] | None:
        places: list[tuple[_Node, tuple[bytes, ...]]] = [(self._root, ())]
        for segment in raw_path.split(b"/")[1:]:
            places = [further for place in places for further in _further(*place, segment)]
        allowed: set[str] = set()
        for node, variables in places:
            route = node.methods.get("GET" if method == "HEAD" else method)
            if route is not None:
                return route, tuple(map(_decode, variables))
            allowed |= node.methods.keys()
        if allowed:
            raise MethodNotAllowed(method, [*sorted(allowed), "HEAD"] if "GET" in allowed else sorted(allowed))
        return None


def _further(node: _Node, variables: tuple[bytes, ...], segment: bytes) -> Iterator[tuple[_Node, tuple[bytes, ...]]]:
    """Where a segment leads to. A fixed word is taken for an id only where that is one of the callers' own."""
    word = node.words.get(segment)
    if word is not None:
        yield word, variables
    if node.variable is not None and segment and (word is None or node.takes_words):
        yield node.variable, (*variables, segment)


def _decode(segment: bytes) -> str:
    if segment.isalnum():
        return segment.decode("ascii")
    try:
        return unquote(segment.decode("utf-8"), errors="strict")
    except UnicodeDecodeError:
        raise NotFound("The path is not in UTF-8. Percent-encode its UTF-8 bytes.") from None
