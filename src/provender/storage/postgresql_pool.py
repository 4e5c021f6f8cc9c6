"""The connections of a pool: counted, bounded in time, and some of them kept for reads."""

import asyncio
import itertools
from typing import Any

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from provender.metrics.counts import PoolCounts

ACQUIRE_TIMEOUT_S = 5


class OpenConnections:
    """How many connections a pool holds. It would tell by looking at each of them, so it is told of them instead."""

    def __init__(self, counts: PoolCounts) -> None:
        self._counts = counts
        self._numbers = itertools.count()
        # Not just how many: asyncpg may tell twice that a connection ended.
        self._open: set[int] = set()

    async def add(self, connection: Any) -> None:
        number = next(self._numbers)
        connection.add_termination_listener(lambda _: self._remove(number))
        self._open.add(number)
        self._counts.open(len(self._open))

    def _remove(self, number: int) -> None:
        self._open.discard(number)
        self._counts.open(len(self._open))


class Acquired:
    """A connection of the pool for the time of a block, counted; for a write, one of those that writes may have."""

    __slots__ = ("_acquiring", "_counts", "_writes")

    def __init__(self, pool: "asyncpg.Pool[Any]", counts: PoolCounts, writes: asyncio.Semaphore | None = None) -> None:
        self._acquiring = pool.acquire(timeout=ACQUIRE_TIMEOUT_S)
        self._counts = counts
        self._writes = writes

    async def __aenter__(self) -> "PoolConnectionProxy[Any]":
        try:
            if self._writes is not None:
                await _wait_for(self._writes)
            try:
                connection = await self._acquiring.__aenter__()
            except BaseException:
                self._end_write()
                raise
        except TimeoutError:
            self._counts.time_out()
            raise
        self._counts.take()
        return connection

    async def __aexit__(self, *error: Any) -> None:
        try:
            await self._acquiring.__aexit__(*error)
        finally:
            self._end_write()
            self._counts.give_back()

    def _end_write(self) -> None:
        if self._writes is not None:
            self._writes.release()


async def _wait_for(writes: asyncio.Semaphore) -> None:
    if not writes.locked():
        # It does not wait then, and a timer would cost more than the rest.
        await writes.acquire()
        return
    async with asyncio.timeout(ACQUIRE_TIMEOUT_S):
        await writes.acquire()
