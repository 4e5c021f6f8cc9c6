"""A short form of `make torture`: callers write, something is killed, and all that was answered is there."""

import asyncio
import random
from collections import Counter
from pathlib import Path

import pytest

from provender.settings import Settings
from tests.pantry import BANANA, COLA_AGAIN, PLAIN
from tests.torture.postgresql import OwnPostgresql
from tests.torture.rounds import Torture, Victim
from tests.torture.state import Change, Loss, State, difference
from tests.torture.wire import Wire

FOODS = [food.id for food in (BANANA, COLA_AGAIN, PLAIN)]


def _torture(data_dir: Path, postgresql: OwnPostgresql | None, callers: int) -> Torture:
    settings = Settings(data_dir=data_dir, database_url=postgresql.new_database() if postgresql else None)
    chance = random.Random(17)  # noqa: S311 - The same writes every time.
    return Torture(settings, postgresql, FOODS, chance, callers, load_s=(0.2, 0.5))


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
async def test_what_was_answered_outlives_every_kill(
    database: str, data_dir: Path, request: pytest.FixtureRequest
) -> None:
    postgresql: OwnPostgresql | None = request.getfixturevalue("own_postgresql") if database == "postgresql" else None
    torture = _torture(data_dir, postgresql, callers=8)
    # Of workers there are two anyway, so one start fewer is needed in this order.
    victims = [Victim.WORKER, Victim.WORKER, Victim.SERVER, Victim.SERVER]
    victims += [Victim.DATABASE] * 2 if postgresql else []
    counts: Counter[str] = Counter()
    async with torture.running():
        for number, victim in enumerate(victims):
            counts += (await torture.play(victim, workers=2 if number < 3 else 1)).counts
    assert counts["answered"] > 50, "hardly anything was written, so this has shown nothing"


BEFORE: State = {("alice", "log", "a"): {"note": "1"}}
BATCH = Change(added=[("alice", "log", {"note": "2"}), ("alice", "log", {"note": "3"})])


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ({}, "is not there"),
        (BEFORE | {("alice", "log", "b"): {"note": "2"}}, "was not added"),
        (BEFORE | {("alice", "log", name): {"note": name} for name in "234"}, "is there besides"),
        ({("alice", "log", "a"): {"note": "x"}}, "is different"),
    ],
    ids=["lost", "half", "twice", "changed"],
)
def test_the_ledger_sees_what_is_lost_or_half_there(found: State, words: str) -> None:
    """A torture that cannot fail would show nothing."""
    assert difference(BEFORE, Change(), BEFORE) is None
    assert difference(BEFORE, BATCH, BEFORE | {("alice", "log", name): {"note": name} for name in "23"}) is None
    assert words in (difference(BEFORE, BATCH, found) or "")


async def test_a_caller_reports_a_write_that_is_gone(data_dir: Path) -> None:
    torture = _torture(data_dir, None, callers=2)
    async with torture.running():
        caller, stop = torture.callers[0], asyncio.Event()
        asyncio.get_running_loop().call_later(0.5, stop.set)
        await caller.write_until(stop)
        await caller.settle()
        await caller.reckon()
        owner = next(owner for owner, kind, _ in caller.state if kind == "profile")
        other = Wire(torture.port, torture.key)
        assert (await other.request("DELETE", f"/v1/profiles/{owner}")).status == 200
        other.close()
        with pytest.raises(Loss, match="is not there"):
            await caller.reckon()
