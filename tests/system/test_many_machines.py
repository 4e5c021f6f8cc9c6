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
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from provender.catalogue.folder import CatalogueFolder
from provender.model.errors import StorageUnavailable
from provender.settings import Settings
from provender.storage.postgresql import open_postgresql
from provender.storage.postgresql_copying import postgresql_snapshot
from tests import diary
from tests.pantry import BANANA, COLA, PLAIN
from tests.storage.test_settling import assert_settled_as_far_as_it_says
from tests.system.replicas import Pair, replicating
from tests.system.server import Server, serving

FOODS = (BANANA.id, COLA.id, PLAIN.id)
SUMMARY = "/v1/diary-logs/summary"

# Far more than any of it takes: on a busy machine it must not be what fails.
WITHIN_S = 30


def _days() -> dict[str, str]:
    """Today, and the day that it may have become meanwhile."""
    today = datetime.now(UTC).date()
    return {"from": str(today - timedelta(days=1)), "to": str(today + timedelta(days=1))}


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
                days = _days() if "diary" in path else {}
                response = await client.get(path, params={"profile_reference_id": owner} | days)
                assert response.status_code == 200, (path, response.text)
                if path == SUMMARY:
                    assert at_least <= response.json()["total"]["entries"] <= self.sent[owner]
                self.reads[machine] += 1

    async def until(self, holds: Any, what: str) -> None:
        deadline = time.monotonic() + WITHIN_S
        while not holds():
            assert time.monotonic() < deadline, f"not within {WITHIN_S} s: {what}"
            await asyncio.sleep(0.01)


@dataclass(frozen=True)
class Stage:
    pair: Pair
    servers: Sequence[Server]
    traffic: Traffic


@pytest.fixture
async def stage(tmp_path: Path, catalogue_folder: CatalogueFolder) -> AsyncIterator[Stage]:
    async with AsyncExitStack() as stack:
        pair = stack.enter_context(replicating())
        servers = [stack.enter_context(_machine(tmp_path / name, pair, catalogue_folder)) for name in ("one", "two")]
        assert not servers[1].printed_keys
        clients = [await stack.enter_async_context(server.fresh_client(servers[0].key)) for server in servers]
        yield Stage(pair, servers, Traffic(clients))


async def _run(url: str, sql: str, *values: Any) -> list[asyncpg.Record]:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetch(sql, *values)
    finally:
        await connection.close()


async def _fresh_lists(url: str, owner: str, meal: str | None) -> tuple[list[str], list[str]]:
    """The recently and the most eaten foods, counted from the logs alone. All of them are of today."""
    rows = await _run(
        url,
        """
        SELECT food_id, count(*) AS logs, max(number) AS last FROM diary_logs
        WHERE profile_id = (SELECT id FROM profiles WHERE reference_id = $1) AND ($2::text IS NULL OR meal = $2)
        GROUP BY food_id
        """,
        owner,
        meal,
    )
    recent = sorted(rows, key=lambda row: row["last"], reverse=True)
    most = sorted(rows, key=lambda row: (row["logs"], row["last"]), reverse=True)
    return [row["food_id"] for row in recent], [row["food_id"] for row in most]


async def _assert_exact(url: str, client: httpx.AsyncClient, owner: str) -> set[str]:
    """What this machine says follows from the logs is what they give when they are counted. Returns their ids."""
    for meal in (None, *diary.MEALS):
        named = {} if meal is None else {"meal": meal}
        recent, most = await _fresh_lists(url, owner, meal)
        assert await diary.recently(client, owner, **named) == recent
        assert await diary.most(client, owner, **named) == most
    logs = await diary.diary(client, owner)
    days = _days()
    assert await diary.summary(client, days["from"], days["to"], owner) == diary.summarised(logs)
    return {log["_id"] for log in logs}


async def _assert_settled(url: str) -> None:
    engine = await open_postgresql(url, 1)
    try:
        await assert_settled_as_far_as_it_says(engine)
    finally:
        await engine.close()


async def _owing(url: str) -> list[str]:
    return [row[0] for row in await _run(url, "SELECT reference_id FROM profiles WHERE unsettled > 0")]


async def _fall_behind(pair: Pair, traffic: Traffic) -> list[str]:
    """Let the standby fall behind, so that nothing may be answered which it cannot show. Returns who owes there."""
    url = pair.standby.url
    for _ in range(20):
        for owner in ("bob", "carol"):
            for number in range(5):
                assert await traffic.log(number % 2, owner, FOODS[number % 2], meal="lunch")
        await _run(url, "SELECT pg_wal_replay_pause()")
        while (await _run(url, "SELECT pg_get_wal_replay_pause_state()"))[0][0] != "paused":
            await asyncio.sleep(0.01)
        owing = await _owing(url)
        if {"bob", "carol"} & set(owing):
            return owing
        # They have been settled already: this machine is busy.
        await _run(url, "SELECT pg_wal_replay_resume()")
    raise AssertionError("nobody ever owes anything, so this shows nothing")


async def test_the_primary_is_replaced_and_nothing_that_was_answered_is_lost(stage: Stage) -> None:
    pair, traffic = stage.pair, stage.traffic
    one, two = traffic.machines

    # Two machines write to the same profile at once, and what follows is exact on both.
    await traffic.create("alice")
    await asyncio.gather(
        *(traffic.log(number % 2, "alice", FOODS[number % 3], meal=diary.MEALS[number % 4]) for number in range(80))
    )
    assert not traffic.refusals
    first, second = traffic.answered["alice"][:2]
    changed, deleted = await asyncio.gather(diary.change_log(one, first, meal="snack"), diary.delete_log(two, second))
    assert (changed.status_code, deleted.status_code) == (200, 200)
    traffic.answered["alice"].remove(second)
    for client in traffic.machines:
        assert await _assert_exact(pair.primary.url, client, "alice") == set(traffic.answered["alice"])

    # A request that is sent to both machines under one key is written once, and answered the same.
    await traffic.create("bob")
    body = {"profile_reference_id": "bob", "food_id": BANANA.id}
    again: Any = {"headers": {"Idempotency-Key": "one-banana"}, "json": body}
    answers = await asyncio.gather(*(client.post("/v1/diary-logs", **again) for client in (one, two) * 4))
    assert {answer.status_code for answer in answers} == {201}
    [banana] = {answer.json()["_id"] for answer in answers}
    traffic.answered["bob"].append(banana)
    traffic.sent["bob"] += 1

    # Who asks for the primary alone reads from nothing else.
    primary_alone = await open_postgresql(f"{pair.url}&target_session_attrs=read-write", 1)
    assert await primary_alone.one("SELECT 1")

    # A connection that breaks does not send a read to the standby, and nothing is copied from there.
    broken = await open_postgresql(pair.url, 1)
    [process] = await broken.one("SELECT pg_backend_pid()") or ()
    reading = asyncio.create_task(broken.one("SELECT pg_is_in_recovery() FROM pg_sleep(1)"))
    await asyncio.sleep(0.3)
    await _run(pair.primary.url, "SELECT pg_terminate_backend($1)", process)
    assert await reading == (False,)
    await broken.close()
    async with postgresql_snapshot(pair.url, "the address") as snapshot:
        connection = snapshot._connection  # noqa: SLF001 - Which server it is cannot be seen from outside.
        assert await connection.fetchval("SELECT pg_is_in_recovery()") is False

    # The primary is lost while both machines write and read.
    await traffic.create("carol")
    async with asyncio.TaskGroup() as tasks:
        for machine in range(2):
            tasks.create_task(traffic.keep_writing(machine, "alice"))
            tasks.create_task(traffic.keep_reading(machine, "alice"))
        await traffic.until(lambda: len(traffic.answered["alice"]) > 150, "both machines write")
        owing = await _fall_behind(pair, traffic)
        await asyncio.sleep(0.2)
        await asyncio.to_thread(pair.primary.kill)
        await traffic.until(lambda: min(traffic.refusals[0], traffic.refusals[1]) > 2, "writes are refused")
        before = Counter(traffic.reads)
        await traffic.until(lambda: all(traffic.reads[machine] >= before[machine] + 8 for machine in (0, 1)), "reads")

        # Also those that would settle first are answered, exactly, and nothing is settled by it.
        for client in traffic.machines:
            for owner in ("bob", "carol"):
                assert await _assert_exact(pair.standby.url, client, owner) == set(traffic.answered[owner])
            assert (await client.get("/readyz")).status_code == 200
        assert await _owing(pair.standby.url) == owing
        with pytest.raises(StorageUnavailable, match="no primary"):
            await primary_alone.one("SELECT 1")
        await primary_alone.close()

        # So does a worker that starts now.
        late = await open_postgresql(pair.url, 1)
        assert await late.one("SELECT pg_is_in_recovery()") == (True,)
        await late.close()

        # The standby takes over, and both machines write again by themselves.
        await asyncio.to_thread(pair.standby.promote)
        answered = len(traffic.answered["alice"])
        await traffic.until(lambda: len(traffic.answered["alice"]) > answered + 50, "writes resume")
        traffic.stopped = True
    for machine in (0, 1):
        assert await traffic.log(machine, "bob", PLAIN.id, meal="dinner")
    assert (await two.post("/v1/diary-logs", **again)).json()["_id"] == banana

    for client in traffic.machines:
        for owner, answered_ids in traffic.answered.items():
            found = await _assert_exact(pair.standby.url, client, owner)
            assert set(answered_ids) <= found, "something that was answered is lost"
            assert len(found) <= traffic.sent[owner]
    await _assert_settled(pair.standby.url)
