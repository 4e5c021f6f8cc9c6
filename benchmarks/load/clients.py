"""Connections that are kept open, and two ways to use them: as fast as they are answered, and at a constant rate.

At a constant rate every request has a time at which it is meant to be sent, whether or not those before it have been
answered, and its latency is counted from then. A request that finds no free connection waits for one, and that wait is
in its latency: a server that pauses is not spared the requests that would have come meanwhile.
"""

import asyncio
import time
from array import array
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import cast

from benchmarks.load.mix import Mix

# What is due is sent this often, so a latency may have so much of our own in it.
_TICK_S = 0.001
_GRACE_S = 10.0
_LENGTH = b"content-length: "


@dataclass(slots=True)
class Taken:
    """What a load has given: the latency of each answer in seconds, by the number of its kind, and what went wrong."""

    latencies: "list[array[float]]"
    errors: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    # The share of a processor that we took ourselves, and how late we were with what was due.
    cpu_share: float = 0.0
    lateness: "array[float]" = field(default_factory=lambda: array("d"))

    @property
    def answers(self) -> int:
        return sum(map(len, self.latencies))

    @property
    def rate(self) -> float:
        return self.answers / self.seconds


class _Connection(asyncio.Protocol):
    """One request at a time. Tells its load about each answer."""

    __slots__ = ("_kind", "_load", "_meant_at", "_parts", "_transport")

    def __init__(self, load: "Load") -> None:
        self._load = load
        self._kind = -1
        self._meant_at = 0.0
        self._parts = b""
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def send(self, kind: int, request: bytes, meant_at: float) -> None:
        self._kind, self._meant_at = kind, meant_at
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        if self._parts:
            data = self._parts + data
        end = data.find(b"\r\n\r\n")
        if end < 0:
            self._parts = data
            return
        # Servers that we measure write small letters. Without a length there is no body, as with 304.
        at = data.find(_LENGTH, 0, end)
        length = int(data[at + len(_LENGTH) : data.index(b"\r", at)]) if at >= 0 else 0
        if len(data) < end + 4 + length:
            self._parts = data
            return
        self._parts = b""
        kind, self._kind = self._kind, -1
        self._load.answered(self, kind, data[9:12], time.perf_counter() - self._meant_at)

    def connection_lost(self, _error: Exception | None) -> None:
        self._load.lost(self, was_asked=self._kind >= 0)

    def close(self) -> None:
        self._transport.abort()


class Load:
    """A number of connections to a server, which send what a mix says."""

    def __init__(self, port: int, mix: Mix, connections: int) -> None:
        self._port = port
        self._mix = mix
        self._wanted = connections
        self._free: deque[_Connection] = deque()
        self._all: list[_Connection] = []
        self._waiting: deque[tuple[int, bytes, float]] = deque()
        self._under_way = 0
        self._is_closed_loop = False
        self._is_over = False
        self._taken = Taken([])

    async def __aenter__(self) -> "Load":
        loop = asyncio.get_running_loop()
        for _ in range(self._wanted):
            _, connection = await loop.create_connection(lambda: _Connection(self), "127.0.0.1", self._port)
            self._all.append(connection)
            self._free.append(connection)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._is_over = True
        for connection in self._all:
            connection.close()
        # They are told so in the next turn of the loop.
        await asyncio.sleep(0)

    async def as_fast_as_answered(self, seconds: float) -> Taken:
        """Every connection sends again as soon as it is answered."""
        self._begin(closed_loop=True)
        began, cpu = time.perf_counter(), time.process_time()
        while self._free:
            kind, request = self._mix.draw()
            self._send(self._free.popleft(), kind, request, time.perf_counter())
        await asyncio.sleep(seconds)
        taken = self._taken
        taken.seconds = time.perf_counter() - began
        taken.cpu_share = (time.process_time() - cpu) / taken.seconds
        self._is_closed_loop = False
        await self._drain(Taken(taken.latencies, taken.errors))
        return taken

    async def at_rate(self, rate: float, seconds: float) -> Taken:
        """So many requests a second, evenly, whatever becomes of them."""
        self._begin(closed_loop=False)
        taken, draw = self._taken, self._mix.draw
        began, cpu = time.perf_counter(), time.process_time()
        sent, total = 0, int(rate * seconds)
        while sent < total:
            now = time.perf_counter()
            due = min(total, int((now - began) * rate) + 1)
            if sent < due:
                taken.lateness.append(now - (began + sent / rate))
            while sent < due:
                kind, request = draw()
                meant_at = began + sent / rate
                if self._free:
                    self._send(self._free.popleft(), kind, request, meant_at)
                else:
                    self._waiting.append((kind, request, meant_at))
                sent += 1
            await asyncio.sleep(_TICK_S)
        await self._drain(taken)
        taken.seconds = time.perf_counter() - began
        taken.cpu_share = (time.process_time() - cpu) / taken.seconds
        return taken

    def answered(self, connection: _Connection, kind: int, status: bytes, seconds: float) -> None:
        self._under_way -= 1
        if status[:1] == b"2":
            self._taken.latencies[kind].append(seconds)
        else:
            self._taken.errors[f"{self._mix.kinds[kind].name}: status {status.decode('latin-1')}"] += 1
        if self._is_closed_loop:
            number, request = self._mix.draw()
            self._send(connection, number, request, time.perf_counter())
        elif self._waiting:
            self._send(connection, *self._waiting.popleft())
        else:
            self._free.append(connection)

    def lost(self, connection: _Connection, *, was_asked: bool) -> None:
        if self._is_over:
            return
        self._under_way -= was_asked
        self._taken.errors["a connection was closed" + (" without an answer" if was_asked else "")] += 1
        if connection in self._free:
            self._free.remove(connection)

    def _begin(self, *, closed_loop: bool) -> None:
        self._is_closed_loop = closed_loop
        self._taken = Taken([array("d") for _ in self._mix.kinds])

    def _send(self, connection: _Connection, kind: int, request: bytes, meant_at: float) -> None:
        self._under_way += 1
        connection.send(kind, request, meant_at)

    async def _drain(self, taken: Taken) -> None:
        """Wait for what is still under way; what is not answered then is an error."""
        deadline = time.perf_counter() + _GRACE_S
        # An event instead would cost every answer a little.
        while (self._under_way or self._waiting) and time.perf_counter() < deadline:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        if left := self._under_way + len(self._waiting):
            taken.errors[f"no answer within {_GRACE_S:.0f} s after the end"] += left
