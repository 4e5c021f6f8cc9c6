"""Rounds of torture: many callers write, something is killed at a random moment, it comes back, and all is counted."""

import asyncio
import contextlib
import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import apsw
import psutil

from provender.settings import Settings
from provender.storage.opening import DATABASE_FILE
from tests.system.server import Server, free_port, starting
from tests.torture.caller import Caller, shown
from tests.torture.counting import check_counts, read, read_all
from tests.torture.postgresql import OwnPostgresql
from tests.torture.state import Content, Loss
from tests.torture.wire import Wire
from tests.torture.writes import COMMONS

_SETTLED_WITHIN_S = 60
# Where so many profiles are counted at once, the server is not the one that waits.
_COUNTED_AT_ONCE = 8


class Victim(StrEnum):
    SERVER = "server"  # every process of it
    WORKER = "worker"  # one of two; the other goes on
    DATABASE = "database"  # PostgreSQL, while the server runs on


@dataclass
class Outcome:
    """What a round was, in figures."""

    victim: Victim
    workers: int
    killed_after_s: float
    recovered_in_s: float
    counts: Counter[str]
    entries: int


@dataclass
class Torture:
    """A server, its database, and the callers, through all rounds."""

    settings: Settings
    postgresql: OwnPostgresql | None
    catalogue: list[str]
    chance: random.Random
    callers_count: int
    load_s: tuple[float, float]
    port: int = field(default_factory=free_port)
    callers: list[Caller] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._exits = contextlib.ExitStack()
        self._server: Server | None = None
        self._workers = 0
        self.key = ""

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        try:
            self._start(workers=2)
            assert self._server is not None
            self.key = self._server.key
            foods = await self._read_foods()
            seeds = [f"{self.chance.random()}" for _ in range(self.callers_count)]
            self.callers = [Caller(f"caller-{number}", self._wire(), seed, foods) for number, seed in enumerate(seeds)]
            yield
        finally:
            for caller in self.callers:
                caller.close()
            self._exits.close()

    async def play(self, victim: Victim, workers: int) -> Outcome:
        """One round with so many workers, two where one of them is killed. The server that it leaves is the next's."""
        workers = 2 if victim is Victim.WORKER else workers
        if workers != self._workers:
            await asyncio.to_thread(self._start, workers)
        stop = asyncio.Event()
        before = self._counts()
        after_s = self.chance.uniform(*self.load_s)
        async with asyncio.TaskGroup() as tasks:
            for caller in self.callers:
                tasks.create_task(caller.write_until(stop))
            await asyncio.sleep(after_s)
            killed = time.monotonic()
            await asyncio.to_thread(self._kill, victim)
            if victim is Victim.SERVER:
                stop.set()
            else:
                # The others go on, and so do all when it is back.
                await asyncio.to_thread(self._bring_back, victim)
                await asyncio.sleep(self.chance.uniform(*self.load_s))
                stop.set()
        if victim is Victim.SERVER:
            await asyncio.to_thread(self._start, workers)
        async with asyncio.timeout(_SETTLED_WITHIN_S):
            await asyncio.gather(*(caller.settle() for caller in self.callers))
        recovered_in_s = time.monotonic() - killed
        await self._reckon()
        entries = sum(len(caller.state) for caller in self.callers)
        return Outcome(victim, workers, after_s, recovered_in_s, self._counts() - before, entries)

    def _wire(self) -> Wire:
        return Wire(self.port, self.key)

    def _counts(self) -> Counter[str]:
        return sum((caller.counts for caller in self.callers), Counter())

    def _start(self, workers: int) -> None:
        self._exits.close()
        self._exits = contextlib.ExitStack()
        self._server = self._exits.enter_context(starting(self.settings, workers=workers, port=self.port))
        self._server.wait_until_ready(workers)
        self._workers = workers

    def _kill(self, victim: Victim) -> None:
        assert self._server is not None
        match victim:
            case Victim.SERVER:
                self._server.signal_all(signal.SIGKILL)
                self._server.process.wait()
            case Victim.WORKER:
                worker = self.chance.choice(_workers(self._server))
                os.kill(worker, signal.SIGKILL)
            case Victim.DATABASE:
                assert self.postgresql is not None
                self.chance.choice([self.postgresql.kill, self.postgresql.stop_at_once])()

    def _bring_back(self, victim: Victim) -> None:
        if victim is Victim.DATABASE and self.postgresql is not None:
            time.sleep(self.chance.uniform(0, 0.5))
            self.postgresql.start()

    async def _read_foods(self) -> dict[str, Content]:
        """The foods of the catalogue as logs of them show them, which is learnt by logging each."""
        wire = self._wire()
        for owner in ("probe", COMMONS):
            await _post(wire, "/v1/profiles", {"reference_id": owner})
        for food_id in self.catalogue:
            await _post(wire, "/v1/diary-logs", {"profile_reference_id": "probe", "food_id": food_id})
        document = await read(wire, "/v1/profiles/probe/export")
        wire.close()
        return {food["food_id"]: shown(food) for food in document["logged_foods"]}

    async def _reckon(self) -> None:
        assert self._server is not None
        expected = {"probe", COMMONS} | {owner for caller in self.callers for owner, _, _ in caller.state}
        wires = [self._wire() for _ in range(_COUNTED_AT_ONCE)]
        there = {profile["reference_id"] for profile in await read_all(wires[0], "/v1/profiles")}
        if there != expected:
            raise Loss(f"profiles: {there - expected} are there besides, {expected - there} are not there")
        await asyncio.gather(*(caller.reckon() for caller in self.callers))
        left = sorted(expected)

        async def count(wire: Wire) -> None:
            while left:
                await check_counts(wire, left.pop(), set(self.catalogue))
            wire.close()

        await asyncio.gather(*(count(wire) for wire in wires))
        if self.settings.database_url is None:
            check_file(self.settings.data_dir / DATABASE_FILE)
        faults = [line for line in self._server.stderr.splitlines() if "Traceback" in line]
        if faults:
            raise Loss(f"the server's log has {len(faults)} faults of its own, such as {faults[0]}")


def check_file(path: Path) -> None:
    """SQLite's own judgement of its file."""
    with contextlib.closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as file:
        whole = file.execute("PRAGMA integrity_check").fetchall()
        dangling = file.execute("PRAGMA foreign_key_check").fetchall()
    if whole != [("ok",)] or dangling:
        raise Loss(f"the file is damaged: {whole} {dangling}")


async def _post(wire: Wire, path: str, body: Content) -> None:
    response = await wire.request("POST", path, json.dumps(body).encode())
    if response.status != 201:
        raise Loss(f"{path}: {response.text}")


def _workers(server: Server) -> list[int]:
    return [child.pid for child in psutil.Process(server.process.pid).children()]


def victims_of(postgresql: OwnPostgresql | None) -> Iterator[Victim]:
    yield Victim.SERVER
    yield Victim.WORKER
    if postgresql is not None:
        yield Victim.DATABASE
