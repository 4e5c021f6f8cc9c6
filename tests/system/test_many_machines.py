"""Two servers with data folders of their own, on a primary and a standby of PostgreSQL: the primary is lost.

Reads go on, writes resume when the standby is promoted, and nothing that was answered is missing or counted wrongly.
"""

import asyncio
import shutil
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from provender.catalogue.folder import CatalogueFolder
from provender.model.errors import StorageUnavailable
from provender.settings import Settings
from provender.storage.postgresql import open_postgresql
from tests import diary
from tests.pantry import BANANA, COLA, PLAIN
from tests.storage.test_settling import assert_settled_as_far_as_it_says
from tests.system.replicas import Pair, replicating
from tests.system.server import Server, serving

FOODS = (BANANA.id, COLA.id, PLAIN.id)
SUMMARY = "/v1/diary-logs/summary"

# Far more than any of it takes: on a busy machine it must not be what fails.
WITHIN_S = 30


@contextmanager
def _machine(folder: Path, pair: Pair, catalogue: CatalogueFolder) -> Iterator[Server]:
    """A server with nothing but the database in common with another."""
    shutil.copytree(catalogue.path, folder / "data" / "catalogue", symlinks=True)
    with serving(Settings(data_dir=folder / "data", database_url=pair.url)) as server:
        yield server


@dataclass
class Traffic:
    """What is sent all the time through both machines, and what is answered."""

    machines: Sequence[httpx.AsyncClient]
    # Of each profile: its logs that were answered, and how many were sent.
    answered: dict[str, list[str]] = field(default_factory=dict)
    sent: Counter[str] = field(default_factory=Counter)
    refusals: Counter[int] = field(default_factory=Counter)
    reads: Counter[int] = field(default_factory=Counter)
    stopped: bool = False

    async def create(self, owner: str) -> None:
        response = await self.machines[0].post("/v1/profiles", json={"reference_id": owner})
        assert response.status_code == 201, response.text
        self.answered[owner] = []

    async def log(self, machine: int, owner: str, food_id: str, **more: Any) -> bool:
        self.sent[owner] += 1
        response = await diary.create_log(self.machines[machine], food_id, owner, **more)
        if response.status_code == 201:
            self.answered[owner].append(response.json()["_id"])
            return True
        assert response.status_code == 503, response.text
        assert response.json()["code"] == "storage_unavailable"
        assert int(response.headers["retry-after"]) > 0
        self.refusals[machine] += 1
        return False

    async def keep_writing(self, machine: int, owner: str) -> None:
        number = 0
        while not self.stopped:
            meal = diary.MEALS[number % 3]
            if not await self.log(machine, owner, FOODS[number * number % len(FOODS)], meal=meal):
                await asyncio.sleep(0.02)
            number += 1

    async def keep_reading(self, machine: int, owner: str) -> None:
        """Every read is answered, and sees at least what was answered before it, and at most what was sent."""
        client = self.machines[machine]
        while not self.stopped:
            for path in (SUMMARY, diary.RECENTLY, diary.MOST, "/v1/diary-logs"):
                at_least = len(self.answered[owner])
                asked = {"profile_reference_id": owner}
                if path == SUMMARY:
                    asked |= {"from": "2026-01-01", "to": "2026-12-31"}
                response = await client.get(path, params=asked)
                assert response.status_code == 200, (path, response.text)
                if path == SUMMARY:
                    assert at_least <= response.json()["total"]["entries"] <= self.sent[owner]
                self.reads[machine] += 1

    async def until(self, holds: Any, what: str) -> None:
        deadline = time.monotonic() + WITHIN_S
        while not holds():
            assert time.monotonic() < deadline, f"not within {WITHIN_S} s: {what}"
            await asyncio.sleep(0.01)
