"""`make torture`: rounds for every database and victim, a line each, and an end at the first loss."""

import argparse
import asyncio
import contextlib
import itertools
import random
import secrets
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from provender.catalogue.build import Build
from provender.catalogue.folder import CatalogueFolder
from provender.settings import Settings
from tests.pantry import BANANA, COLA_AGAIN, PANTRY, PLAIN
from tests.torture.postgresql import run_own_postgresql
from tests.torture.rounds import Outcome, Torture, Victim, victims_of
from tests.torture.state import Loss

FOODS = [food.id for food in (BANANA, COLA_AGAIN, PLAIN)]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--rounds", type=int, default=50, help="rounds for each database and victim")
    parser.add_argument("--seed", default=None, help="draw the same writes and moments again")
    parser.add_argument("--callers", type=int, default=24)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], action="append")
    parser.add_argument("--victim", choices=list(Victim), action="append")
    asked = parser.parse_args()
    seed = asked.seed or secrets.token_hex(4)
    print(f"seed {seed}", flush=True)
    for database in asked.database or ["sqlite", "postgresql"]:
        if (losses := _losses(database, asked, f"{seed}-{database}")) is not None:
            for loss in losses.exceptions:
                print(f"LOST on {database}, seed {seed}: {loss}", file=sys.stderr)
            return 1
    return 0


def _losses(database: str, asked: argparse.Namespace, seed: str) -> BaseExceptionGroup[Loss] | None:
    found = None
    try:
        asyncio.run(_torture(database, asked, seed))
    except* Loss as losses:
        found = losses
    return found


async def _torture(database: str, asked: argparse.Namespace, seed: str) -> None:
    with contextlib.ExitStack() as exits:
        folder = Path(exits.enter_context(tempfile.TemporaryDirectory(prefix="provender-torture-")))
        (data_dir := folder / "data").mkdir(mode=0o700)
        with Build(CatalogueFolder(data_dir / "catalogue"), datetime.now(UTC)) as build:
            build.add(PANTRY, release="1")
            build.finish()
        postgresql = exits.enter_context(run_own_postgresql()) if database == "postgresql" else None
        settings = Settings(data_dir=data_dir, database_url=postgresql.new_database() if postgresql else None)
        chance = random.Random(seed)
        torture = Torture(settings, postgresql, FOODS, chance, asked.callers, load_s=(0.1, 2.0))
        victims = [victim for victim in victims_of(postgresql) if victim in (asked.victim or victims_of(postgresql))]
        totals: Counter[str] = Counter()
        started = time.monotonic()
        async with torture.running():
            for victim, number in itertools.product(victims, range(1, asked.rounds + 1)):
                outcome = await torture.play(victim, workers=1 + number % 2)
                totals += outcome.counts
                print(f"{database:10} {number:3}/{asked.rounds}  {_line(outcome)}", flush=True)
        took = time.monotonic() - started
        print(
            f"{database}: nothing was lost of {totals['answered']} answered writes, in {took:.0f} s. {_words(totals)}"
        )


def _line(outcome: Outcome) -> str:
    return (
        f"{outcome.victim:8} workers {outcome.workers}  killed after {outcome.killed_after_s:.2f} s, "
        f"back in {outcome.recovered_in_s:.1f} s; {outcome.entries} entries; {_words(outcome.counts)}"
    )


def _words(counts: Counter[str]) -> str:
    return ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))


if __name__ == "__main__":
    sys.exit(main())
