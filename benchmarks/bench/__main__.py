"""`make bench`: measures, prints the table, and writes it as Markdown and as JSON.

python -m benchmarks.bench [--quick] [--only PATTERN] [--rounds N] [--seconds N] [--cache DIR] [--results DIR]
"""

import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import click

from benchmarks.bench.context import QUICK, Context, Sizes, failing
from benchmarks.bench.load import Generator
from benchmarks.bench.machine import BENCH_PYTHON, ROOT, describe_machine, find_cores
from benchmarks.bench.parts import PARTS, left_out, remarks
from benchmarks.bench.processes import terminated_as_interrupted
from benchmarks.bench.results import Report, Row
from benchmarks.bench.stages import Postgresql
from benchmarks.bench.stock import Stock
from benchmarks.bench.tables import make_json, make_markdown
from benchmarks.measuring import write_json

_BEGAN = time.monotonic()


@click.command()
@click.option("--quick", is_flag=True, help="Two minutes: less data, shorter rounds, fewer rows.")
@click.option("--only", metavar="PATTERN", help="Only rows whose section and name match this regular expression.")
@click.option("--rounds", type=click.IntRange(1), help="How often everything is measured in turn.")
@click.option("--seconds", type=click.IntRange(1), help="How long a contestant is measured in a round.")
@click.option(
    "--cache", type=click.Path(path_type=Path), default=ROOT / "benchmarks" / ".cache", help="Where data is kept."
)
@click.option(
    "--results", type=click.Path(path_type=Path), default=ROOT / "benchmarks" / "results", help="Where the table goes."
)
def main(*, quick: bool, only: str | None, rounds: int | None, seconds: int | None, cache: Path, results: Path) -> None:
    """Measure Provender on this machine, and judge every figure by its goal."""
    program = shutil.which("wrk")
    if program is None:
        raise click.ClickException("wrk, the load generator, is missing: apt install wrk, or brew install wrk.")
    if not BENCH_PYTHON.exists():
        raise click.ClickException("The other services are not installed; `make bench` does that.")
    sizes = QUICK if quick else Sizes()
    sizes = replace(sizes, rounds=rounds or sizes.rounds, seconds=seconds or sizes.seconds)
    server_core, load_core = find_cores()
    # Beside the data, and not in /tmp, which may be in memory: there no write is durable, and nothing large fits.
    cache.mkdir(parents=True, exist_ok=True)
    with terminated_as_interrupted(), tempfile.TemporaryDirectory(prefix=".run-", dir=cache) as name:
        folder = Path(name)
        context = Context(
            sizes=sizes,
            stock=Stock(cache, _say),
            folder=folder,
            generator=Generator(program, load_core, folder),
            server_core=server_core,
            load_core=load_core,
            say=_say,
        )
        rows, was_stopped = _measure(context, _chooser(only))
    if was_stopped:
        _say("Stopped; everything that was started has ended, and what was measured until then is written.")
    missing = left_out(sizes) + ([f"everything that does not match {only}"] if only else [])
    settings = {"rounds": sizes.rounds, "seconds": sizes.seconds, "quick": quick, "remarks": remarks(sizes)}
    report = Report(describe_machine(), settings, rows, missing, time.monotonic() - _BEGAN)
    _write(report, results, "partial" if only or was_stopped else "quick" if quick else "latest")
    if was_stopped:
        sys.exit(130)


def _measure(context: Context, wants: Callable[[str], bool]) -> tuple[list[Row], bool]:
    """All wanted rows, part by part, and whether somebody stopped it; one that fails is there with its error."""
    chosen = [(part, [row for row in part.plan(context.sizes) if wants(row.title)]) for part in PARTS]
    planned = [(part, rows) for part, rows in chosen if rows]
    with ExitStack() as exits:
        postgresql = None
        if context.sizes.postgresql and any(part.uses_postgresql for part, _ in planned):
            with failing(context, ()):
                postgresql = exits.enter_context(Postgresql.run())
        try:
            for part, rows in planned:
                with failing(context, rows):
                    part.measure(context, postgresql, rows)
        except KeyboardInterrupt:
            measured = [row for _, rows in planned for row in rows if row.figures]
            return measured, True
    return [row for _, rows in planned for row in rows], False


def _chooser(only: str | None) -> Callable[[str], bool]:
    if only is None:
        return lambda _: True
    try:
        pattern = re.compile(only, re.IGNORECASE)
    except re.error as error:
        raise click.BadParameter(f"--only: {error}") from None
    return lambda name: pattern.search(name) is not None


def _say(text: str) -> None:
    """To standard error, with the time since the start: a full run is long."""
    click.echo(f"{time.monotonic() - _BEGAN:5.0f} s  {text}", err=True)


def _write(report: Report, results: Path, name: str) -> None:
    results.mkdir(parents=True, exist_ok=True)
    text = make_markdown(report)
    (results / f"{name}.md").write_text(text, encoding="utf-8")
    write_json(results / f"{name}.json", make_json(report))
    click.echo(text)
    click.echo(f"Written to {results / name}.md and .json.")


if __name__ == "__main__":
    main()
