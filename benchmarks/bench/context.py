"""What every part of a run needs: how much of everything, where it is kept, the load generator, and who is told."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeVar

from benchmarks.bench.load import Generator, Script
from benchmarks.bench.results import SQLITE, Figure, Row
from benchmarks.bench.stock import Stock

Kind = TypeVar("Kind")

CONNECTIONS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much of everything. Figures that we publish are measured with these; a quick run takes `QUICK`."""

    foods: int = 1_000_000
    growing_foods: tuple[int, ...] = (100_000, 1_000_000, 3_000_000)
    profiles: int = 1_000
    many_profiles: int | None = 1_000_000
    # So many of them have a diary of a month, favorites and custom foods, and are asked for.
    full: int = 1_000
    most_logs: int = 1_000_000
    # Lines to import, or none.
    lines: int = 1_000_000
    rounds: int = 5
    seconds: int = 2
    # For a service that gives few answers.
    slow_seconds: int = 5
    latency_seconds: int = 2
    calls_in_process: int = 200
    starts: int = 5
    # The first requests of a call fill caches, on every side.
    warm_up_seconds: int = 1
    growth_over_http: bool = True
    postgresql: bool = True
    workers: bool = True
    # The calls whose throughput is measured, or all of them.
    calls: tuple[str, ...] | None = None


QUICK = Sizes(
    foods=20_000,
    growing_foods=(10_000, 20_000),
    profiles=200,
    many_profiles=None,
    full=200,
    most_logs=2_000,
    lines=0,
    rounds=3,
    seconds=1,
    slow_seconds=1,
    latency_seconds=1,
    calls_in_process=60,
    starts=1,
    warm_up_seconds=0,
    growth_over_http=False,
    postgresql=False,
    workers=False,
    calls=(
        "food by id",
        "search for a common word, 10 foods a page",
        "most eaten, 10 foods a page",
        "log a food, durable",
    ),
)


@dataclass(frozen=True, slots=True)
class Context:
    sizes: Sizes
    stock: Stock
    # A folder of this run, which goes with it.
    folder: Path
    generator: Generator
    server_core: int | None
    load_core: int | None
    say: Callable[[str], None]

    @property
    def both_cores(self) -> tuple[int, ...] | None:
        """The two cores together, for what has to share them."""
        if self.server_core is None or self.load_core is None:
            return None
        return (self.server_core, self.load_core)

    def write_script(self, name: str, script: Script) -> Path:
        return script.write(self.folder / f"{name}.lua")

    def rounds(self, contestants: Sequence[Kind]) -> Iterator[tuple[int, list[Kind]]]:
        """The contestants in another order each round."""
        for number in range(self.sizes.rounds):
            yield number, Random(number).sample(list(contestants), len(contestants))


@contextlib.contextmanager
def failing(context: Context, rows: Sequence[Row], column: str | None = None) -> Iterator[None]:
    """What goes wrong becomes the figure of the rows it was for, and the run goes on. Figures that are there stay.

    Where no column is named, a row with any figure has what it needs.
    """
    reason = "it was not measured"
    try:
        yield
    except Exception as error:  # noqa: BLE001 - Whatever it is, the rest is still worth measuring.
        reason = explain(error)
        context.say(f"FAILED: {reason}")
    for row in rows:
        if not row.figures if column is None else column not in row.figures:
            row.figures[column or SQLITE] = Figure.failed(reason)


def explain(error: BaseException) -> str:
    """An error in one line, for a row."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
