"""`make load`: a realistic mix over many connections, and whether the server stands it.

python -m benchmarks.load [--connections N] [--duration S] [--maximum S] [--only PATTERN] [--small] [--json FILE]
"""

import contextlib
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import click
import uvloop

from benchmarks.bench.contestants import run_bare
from benchmarks.bench.context import QUICK, Context, Sizes
from benchmarks.bench.load import Generator
from benchmarks.bench.machine import ROOT, describe_machine, find_cores
from benchmarks.bench.plan import reference_id
from benchmarks.bench.processes import terminated_as_interrupted
from benchmarks.bench.stages import Postgresql, Stage, sqlite_stage
from benchmarks.bench.stock import Stock
from benchmarks.load.clients import Load
from benchmarks.load.measure import measure
from benchmarks.load.mix import Mix, make_mix
from benchmarks.load.verdicts import Outcome, make_json, make_table, missed
from benchmarks.measuring import write_json

_BEGAN = time.monotonic()
_WARM_UP_S = 5.0
_OWN_LIMIT_S = 3.0

# No profile with a million logs, which takes minutes to make and is nobody's everyday.
_SIZES = replace(Sizes(), foods=100_000, most_logs=20_000)


@click.command()
@click.option("--connections", type=click.IntRange(1), default=500, show_default=True)
@click.option("--duration", type=click.IntRange(5), default=300, show_default=True, help="Seconds at the rate.")
@click.option("--maximum", type=click.IntRange(2), default=45, show_default=True, help="Seconds as fast as answered.")
@click.option("--only", metavar="PATTERN", help="Only the servers whose name matches this regular expression.")
@click.option("--small", is_flag=True, help="Less data, which is made in seconds.")
@click.option(
    "--cache", type=click.Path(path_type=Path), default=ROOT / "benchmarks" / ".cache", help="Where data is kept."
)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures there, too.")
def main(
    *, connections: int, duration: int, maximum: int, only: str | None, small: bool, cache: Path, json_file: Path | None
) -> None:
    """Load Provender with what applications do, and say whether it stands it; the exit code is 1 if not."""
    server_core, load_core = find_cores()
    cache.mkdir(parents=True, exist_ok=True)
    outcomes = []
    with terminated_as_interrupted(), tempfile.TemporaryDirectory(prefix=".load-", dir=cache) as name:
        context = Context(
            sizes=QUICK if small else _SIZES,
            stock=Stock(cache, _say),
            folder=Path(name),
            # Ours is another one: wrk cannot send at a constant rate.
            generator=Generator("wrk", load_core, Path(name)),
            server_core=server_core,
            load_core=load_core,
            say=_say,
        )
        for title, stage, is_pinned in _servers(context):
            if only is None or re.search(only, title, re.IGNORECASE):
                outcomes.append(_load(context, title, stage, is_pinned, connections, maximum, duration))
                click.echo("\n".join([*make_table(outcomes[-1]), ""]))
    if json_file is not None:
        write_json(json_file, {"machine": describe_machine(), "outcomes": [make_json(one) for one in outcomes]})
    faults = [f"{one.name}: {line}" for one in outcomes for line in missed(one)]
    click.echo("\n".join(faults) or "Every goal is met.")
    sys.exit(1 if faults else 0)


_Staging = Callable[[], AbstractContextManager[Stage]]


def _servers(context: Context) -> Iterator[tuple[str, _Staging, bool]]:
    """What is loaded: its name, how it is started, and whether we leave its core to it."""
    profiles = context.sizes.profiles
    yield "One worker on a core of its own", lambda: sqlite_stage(context, profiles), True
    yield "Two workers, who share both cores with the load", lambda: sqlite_stage(context, profiles, workers=2), False
    yield "One worker on PostgreSQL, which shares both cores", lambda: _on_postgresql(context), True


@contextlib.contextmanager
def _on_postgresql(context: Context) -> Iterator[Stage]:
    with Postgresql.run() as postgresql, postgresql.stage(context, context.sizes.profiles) as stage:
        yield stage


def _load(
    context: Context, title: str, staging: _Staging, is_pinned: bool, connections: int, maximum: int, duration: int
) -> Outcome:
    cores = {context.load_core} if is_pinned else {context.load_core, context.server_core}
    with staging() as stage, _on(cores):
        names = [reference_id(number) for number in stage.profiles]
        mix = make_mix(context.stock.sample(context.sizes.foods), names, stage.key, run=f"load{time.time_ns()}")
        if is_pinned:
            _say_own_limit(context, mix, connections)
        return uvloop.run(
            measure(
                title,
                mix,
                stage.server.port,
                stage.server.program.pid,
                connections=connections,
                warm_up_s=min(_WARM_UP_S, maximum),
                maximum_s=maximum,
                steady_s=duration,
                say=_say,
            )
        )


def _say_own_limit(context: Context, mix: Mix, connections: int) -> None:
    """How many requests we could send to a server that does nothing: far more than are asked for, or it is a fault."""

    async def run(port: int) -> float:
        async with Load(port, mix, connections) as load:
            return (await load.as_fast_as_answered(_OWN_LIMIT_S)).rate

    with run_bare(context.folder, core=context.server_core) as bare:
        limit = uvloop.run(run(bare.port))
    _say(f"An application that does nothing gives this generator {limit:,.0f} answers a second")


@contextlib.contextmanager
def _on(cores: set[int | None]) -> Iterator[None]:
    """This process, which makes the load, on these cores for a while; where nothing can be pinned, anywhere."""
    if None in cores:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core for core in cores if core is not None})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _say(text: str) -> None:
    click.echo(f"{time.monotonic() - _BEGAN:5.0f} s  {text}", err=True)


if __name__ == "__main__":
    main()
