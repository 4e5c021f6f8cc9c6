"""python -m benchmarks.capacity [--profiles N] [--logs-a-day N] [--days N] …: print the plan for one's own numbers."""

import asyncio
import json
import sys
import tempfile
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec
import uvloop

from benchmarks.capacity.plan import Assumptions, Rates, make_plan, show
from benchmarks.capacity.sample import Habits, Measured, measure
from benchmarks.servers import run_postgresql
from benchmarks.stages import Stage, build_shipped_once, make_settings

_RESULTS = Path(__file__).parents[1] / "results" / "latest.json"


def _options(command: Any) -> Any:
    """An option for each assumption and each habit, with its default."""
    for kind in (Assumptions, Habits):
        for each in reversed(fields(kind)):
            name = f"--{each.name.replace('_', '-')}"
            command = click.option(name, type=type(each.default), default=each.default, show_default=True)(command)
    return command


@click.command()
@_options
@click.option("--sample", default=40, show_default=True, help="So many profiles are made and measured.")
@click.option("--calls", default=4000, show_default=True, help="So many logs and reads are timed.")
@click.option(
    "--sample-file",
    type=click.Path(path_type=Path),
    help="Keep what was measured in this file; where it is there, nothing is measured, and its habits count.",
)
def main(*, sample: int, calls: int, sample_file: Path | None, **numbers: Any) -> None:
    """Print rows, bytes and machines for so many profiles, with what was measured and what is assumed."""
    # For every request httpx looks on the disk for a module that is not there, which takes as long as all else it does.
    sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]  # None is how Python says that there is none.
    assumed = Assumptions(**{each.name: numbers[each.name] for each in fields(Assumptions)})
    habits = Habits(**{each.name: numbers[each.name] for each in fields(Habits)})
    rates = Rates.of(json.loads(_RESULTS.read_text()))
    if sample_file is not None and sample_file.exists():
        measured = msgspec.json.decode(sample_file.read_bytes(), type=Measured)
    else:
        measured = _measure(habits, sample, calls)
        if sample_file is not None:
            sample_file.write_bytes(msgspec.json.encode(measured))
    click.echo(show(make_plan(assumed, measured, rates), assumed, measured, rates))


def _measure(habits: Habits, sample: int, calls: int) -> Measured:
    with tempfile.TemporaryDirectory(prefix="provender-capacity-") as name, run_postgresql() as address:
        settings = make_settings(Path(name) / "data", build_shipped_once(Path(name) / "catalogue"), address)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            stage = runner.run(Stage.set_up(settings, datetime.now(UTC)))
            return runner.run(measure(stage, habits, sample, calls))


if __name__ == "__main__":
    main()
