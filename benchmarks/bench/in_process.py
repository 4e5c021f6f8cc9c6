"""Calls without a network: the catalogue's search by itself, and the production application called in this process."""

import asyncio
import contextlib
import gc
import os
import statistics
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.bench.load import LoadFailed, Sent
from benchmarks.bench.stages import Stage
from benchmarks.catalogues import open_catalogue
from provender.api.app import Application
from provender.catalogue.store import Catalogue
from provender.model.paging import PageRequest
from provender.settings import Settings

# By then a new application has opened its catalogue, which it does beside the first requests.
_UNTIL_OPEN_S = 0.2


@contextlib.contextmanager
def on_core(core: int | None) -> Iterator[None]:
    """This process on one core, which is where the servers are too, for as long as it measures."""
    if core is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


class Searches:
    """A catalogue that is asked in process."""

    def __init__(self, folder: Path, queries: Sequence[tuple[str, str | None]], count: int) -> None:
        self._folder = folder
        self._queries = queries
        self._count = count

    def p50_us(self, number: int) -> float:
        """The median of some queries, other ones each round, by a reader that is opened anew."""
        queries = Random(number).sample(list(self._queries), min(self._count, len(self._queries)))
        gc.collect()
        with contextlib.closing(open_catalogue(self._folder)) as catalogue:
            # The first call of all compiles statements, once in the life of a process.
            _search(catalogue, "milk", None)
            return statistics.median(_search(catalogue, text, cursor) for text, cursor in queries)


def _search(catalogue: Catalogue, text: str, cursor: str | None) -> float:
    page = PageRequest(limit=10) if cursor is None else PageRequest(limit=10, cursor=cursor)
    began = time.perf_counter_ns()
    catalogue.search(text, page, frozenset())
    return (time.perf_counter_ns() - began) / 1000


class InProcess:
    """The application on a stage's storage, beside the server that runs on it."""

    def __init__(self, runner: asyncio.Runner, stage: Stage) -> None:
        self._runner = runner
        self._stage = stage
        self._exits = contextlib.AsyncExitStack()
        self._app: Any = None

    def __enter__(self) -> "InProcess":
        self._app = self._runner.run(self._exits.enter_async_context(_open(self._stage)))
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.run(self._exits.aclose())

    def p50_us(self, requests: Sequence[Sent]) -> float:
        return statistics.median(self._runner.run(self._ask(requests)))

    async def _ask(self, requests: Sequence[Sent]) -> list[float]:
        headers = [(name.lower().encode(), value.encode()) for name, value in self._stage.headers.items()]
        return [await _call(self._app, sent, headers) for sent in requests]


@contextlib.asynccontextmanager
async def _open(stage: Stage) -> AsyncGenerator[Application]:
    descriptor = os.open(os.devnull, os.O_WRONLY)
    try:
        settings = Settings(data_dir=stage.data_dir, database_url=stage.database)
        app = Application(settings, log_descriptor=descriptor)
        async with app.lifespan():
            await asyncio.sleep(_UNTIL_OPEN_S)
            yield app
    finally:
        os.close(descriptor)


async def _call(app: Any, sent: Sent, headers: list[tuple[bytes, bytes]]) -> float:
    """The microseconds of one ASGI call."""
    path, _, query = sent.path.partition("?")
    body = (sent.body or "").encode()
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": sent.method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [*headers, *_body_headers(sent, body)],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    status = 0

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)

    began = time.perf_counter_ns()
    await app(scope, receive, send)
    took = (time.perf_counter_ns() - began) / 1000
    if not 200 <= status < 300:
        raise LoadFailed(f"{sent.method} {sent.path} was answered {status} in process")
    return took


def _body_headers(sent: Sent, body: bytes) -> list[tuple[bytes, bytes]]:
    if sent.body is None:
        return []
    return [(b"content-type", (sent.kind or "").encode()), (b"content-length", str(len(body)).encode())]
