"""Calls of the diary that are timed: reads, logs one by one, and logs of many clients at once.

Client and application share the process, so every time has the client's work in it. `SHELL` shows how much that is.
"""

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

import httpx

from benchmarks.measuring import Measure, Samples
from benchmarks.stages import Stage

SHELL = Measure("a profile: of which the client and the application's shell")


@dataclass(frozen=True, slots=True)
class Call:
    """Something that is measured once, or some times in a row."""

    measures: tuple[Measure, ...]
    once: Callable[[Samples], Awaitable[None]]
    times: int = 1

    def repeated(self, times: int) -> "Call":
        return replace(self, times=times)

    async def run(self, samples: Samples) -> None:
        for _ in range(self.times):
            await self.once(samples)


def read(client: httpx.AsyncClient, kind: Measure, path: str) -> Call:
    async def once(samples: Samples) -> None:
        await _read(client, kind, path, samples)

    return Call((kind,), once)


def read_first(stage: Stage, kind: Measure, path: str) -> Call:
    """The first call of a new application: its connections have read nothing. The disk's pages are in memory."""

    async def once(samples: Samples) -> None:
        async with stage.open() as client:
            await _read(client, kind, path, samples)

    return Call((kind,), once)


def log_alone(client: httpx.AsyncClient, profile: str, foods: Sequence[str]) -> Call:
    kind = Measure("one log, alone")
    turns = itertools.cycle(foods)

    async def once(samples: Samples) -> None:
        began = time.perf_counter()
        response = await _log(client, profile, next(turns))
        samples.add(kind, (time.perf_counter() - began) * 1000, size=len(response.content))

    return Call((kind,), once)


def log_at_once(client: httpx.AsyncClient, profiles: Sequence[str], foods: Sequence[str], each: int, who: str) -> Call:
    """As many clients as profiles are named, each of which logs some foods one after the other."""
    rate, latency = Measure(f"logs of {who}", "1/s"), Measure(f"one log of {who}", against="one log, alone")
    processor = Measure(f"processor time of a log of {who}, without PostgreSQL's own")
    turns = itertools.cycle(foods)

    async def once(samples: Samples) -> None:
        took: list[float] = []

        async def log(profile: str) -> None:
            for _ in range(each):
                began = time.perf_counter()
                await _log(client, profile, next(turns))
                took.append((time.perf_counter() - began) * 1000)

        began, used = time.perf_counter(), time.process_time()
        await asyncio.gather(*map(log, profiles))
        seconds, used = time.perf_counter() - began, time.process_time() - used
        samples.add(rate, len(took) / seconds)
        samples.add(latency, *took)
        samples.add(processor, used * 1000 / len(took))

    return Call((rate, latency, processor), once)


async def _read(client: httpx.AsyncClient, kind: Measure, path: str, samples: Samples) -> None:
    began = time.perf_counter()
    response = await client.get(path)
    samples.add(kind, (time.perf_counter() - began) * 1000, size=len(response.content))
    response.raise_for_status()


async def _log(client: httpx.AsyncClient, profile: str, food_id: str) -> httpx.Response:
    body = {"profile_reference_id": profile, "food_id": food_id, "meal": "lunch"}
    return (await client.post("/v1/diary-logs", json=body)).raise_for_status()
