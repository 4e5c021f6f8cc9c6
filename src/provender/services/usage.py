"""How much each application asks for: counted in every worker, written down now and then, and read by itself."""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from provender.metrics.usage import Counts, Usages, add, no_requests
from provender.model.errors import StorageUnavailable
from provender.model.times import Clock, to_ms
from provender.model.usage import KEPT_HOURS
from provender.storage import usage
from provender.storage.engine import Engine
from provender.storage.store import Store
from provender.storage.usage import Span, Usage

_log = logging.getLogger(__name__)

# What a process that is killed has not written down yet.
WRITE_EVERY_S = 10.0

# So many are written in one transaction, each into the row of its hour and that of its day.
_AT_ONCE = 128

# Where the storage cannot be written to, so many counts wait here at most: some 20 MB.
MOST_HELD = 50_000

# A server that stops has to stop, also where the storage does not answer.
_FINISH_WITHIN_S = 2.0

# Whoever reads waits no longer for a write: it may hang for as long as the storage is given, time and again.
_READ_WITHIN_S = 1.0

_HOUR_MS = 3_600_000


class _Place(NamedTuple):
    application_id: str
    hour: int
    route: str


class UsageRecorder:
    """A task beside the server. What could not be written is kept, and written with what follows.

    Where a database breaks off in the middle of a commit, nobody knows whether that was written. It is written again
    then, and may be counted twice.
    """

    def __init__(self, engine: Engine, usages: Usages, routes: Sequence[str], clock: Clock) -> None:
        """`routes` are the names of all routes, in the order of their numbers, which begin with 1."""
        self._engine = engine
        self._usages = usages
        self._routes = routes
        self._clock = clock
        self._hour = self._this_hour()
        self._cleared_in = -1
        self._held: dict[_Place, Counts] = {}
        self._is_full = False
        # Nothing is read while something is being written: it would be counted in both places, or in neither.
        self._turn = asyncio.Lock()

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self._pause_s())
            # To its end, even if the server stops meanwhile: then it is known what was written.
            writing = asyncio.create_task(self._write_and_clear())
            await asyncio.shield(writing)

    async def finish(self) -> None:
        """Write down what is left."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FINISH_WITHIN_S):
                await self._write_and_clear(clear=False)

    async def read(self, store: Store, hours: int, first_hour: int, last_hour: int) -> Usage:
        """An application's usage from one hour or day to another, with what this process has not written yet."""
        has_turn = await self._wait_for_turn()
        try:
            if has_turn:
                self._collect()
            found = await usage.read_usage(store, hours, first_hour, last_hour)
            held = [(place, counts) for place, counts in self._held.items() if place[0] == store.application_id]
        finally:
            if has_turn:
                self._turn.release()
        for place, counts in held:
            hour = place.hour - place.hour % hours
            if first_hour <= hour <= last_hour:
                add(found.by_hour.setdefault(hour, no_requests()), counts)
                add(found.by_route.setdefault(place.route, no_requests()), counts)
        return found

    async def write(self) -> None:
        """Write down all that was counted until now."""
        async with self._turn:
            self._collect()
            while batch := dict(islice(self._held.items(), _AT_ONCE)):
                await self._engine.transaction(partial(usage.add_usage, rows=_rows(batch)))
                for place in batch:
                    del self._held[place]

    async def _wait_for_turn(self) -> bool:
        """Whether it has come. Without it nothing may be added to what is being written, so what is newer is left out;
        and should the write end just then, what it wrote is counted twice or not at all, this once.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_READ_WITHIN_S):
                return await self._turn.acquire()
        return False

    async def _write_and_clear(self, *, clear: bool = True) -> None:
        try:
            await self.write()
            if clear and self._cleared_in != self._hour:
                await self._clear_old()
                self._cleared_in = self._hour
        except StorageUnavailable as error:
            _log.warning("the usage of applications will be written later: %s", error.detail)
        except Exception:  # noqa: BLE001 - A fault here must not end the counting of everybody's requests.
            _log.exception("the usage of applications was not written, and will be tried again")

    async def _clear_old(self) -> None:
        for hours, kept in KEPT_HOURS.items():
            oldest = self._hour - kept
            more = await usage.has_old(self._engine, hours, oldest)
            while more:
                more = await self._engine.transaction(partial(usage.clear_old, hours=hours, first_hour=oldest))

    def _collect(self) -> None:
        """Take what was counted since the last time. It belongs to the hour that it was begun in."""
        for application_id, route_number, counts in self._usages.take():
            place = _Place(application_id, self._hour, self._routes[route_number - 1])
            held = self._held.get(place)
            if held is not None:
                add(held, counts)
            elif len(self._held) < MOST_HELD:
                self._held[place] = counts
            elif not self._is_full:
                self._is_full = True
                _log.warning("usage is not counted for now: there is no room, since it could not be written for long")
        if len(self._held) < MOST_HELD:
            self._is_full = False
        self._hour = self._this_hour()

    def _this_hour(self) -> int:
        return to_ms(self._clock()) // _HOUR_MS

    def _pause_s(self) -> float:
        """Until the next time, or until the hour is over: what comes then belongs to another."""
        left_s = (_HOUR_MS - to_ms(self._clock()) % _HOUR_MS) / 1000
        return min(WRITE_EVERY_S, max(left_s, 0.1))


def _rows(batch: dict[_Place, Counts]) -> dict[Span, Counts]:
    """The rows to add to. Several hours may be of one day, and a statement can add to a row only once."""
    rows: dict[Span, Counts] = {}
    for place, counts in batch.items():
        for span in usage.spans_of(*place):
            add(rows.setdefault(span, no_requests()), counts)
    return rows
