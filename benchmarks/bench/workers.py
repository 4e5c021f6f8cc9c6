"""Two workers against one, on reads.

Two workers and the load generator share two cores, also on a machine that has more, so that the figure means the same
everywhere. What the load generator took, its own processor time, is measured and set off: the rate of two workers is
that of the cores it left to them, as if they had both. One worker has a core to itself, with the load generator on the
other, so its rate needs no correction. Time that both cores idle counts against the workers, and so does everything
that they lose by sharing memory and files.
"""

from collections.abc import Sequence
from contextlib import ExitStack

from benchmarks.bench.calls import Call, main_calls
from benchmarks.bench.context import CONNECTIONS, Context, Sizes, failing
from benchmarks.bench.load import Script
from benchmarks.bench.results import SQLITE, Figure, Row, at_least, ratios
from benchmarks.bench.stages import Postgresql, Stage, sqlite_stage

SECTION = "Two workers against one"
_READS = ("food by id", "search for a common word, 10 foods a page", "recently eaten, 10 foods a page")
_GOAL = at_least(1.6, "x")
_CORES = 2


def plan_workers(sizes: Sizes) -> list[Row]:
    return [Row(SECTION, name, _GOAL, details={"call": name}) for name in _READS] if sizes.workers else []


def set_off(rate: float, load_cpu_s: float, seconds: float) -> float:
    """The rate on two cores, when the load generator took some of their time."""
    left = _CORES - load_cpu_s / seconds
    return rate * _CORES / left


def measure_workers(context: Context, _: Postgresql | None, rows: Sequence[Row]) -> None:
    with ExitStack() as exits:
        stages = {
            number: exits.enter_context(sqlite_stage(context, context.sizes.profiles, workers=number))
            for number in (1, _CORES)
        }
        calls = main_calls(context.stock.sample(context.sizes.foods), stages[1].profiles)
        for row in rows:
            context.say(f"Workers: {row.name}")
            with failing(context, [row], SQLITE):
                _compare(context, row, stages, next(call for call in calls if call.name == row.name))


def _compare(context: Context, row: Row, stages: dict[int, Stage], call: Call) -> None:
    raw: dict[int, list[float]] = {number: [] for number in stages}
    fair: dict[int, list[float]] = {number: [] for number in stages}
    scripts = {
        number: context.write_script(f"workers-{number}", Script(call.provender, stage.headers))
        for number, stage in stages.items()
    }
    for _, order in context.rounds(list(stages)):
        for number in order:
            load = context.generator.run(
                scripts[number],
                stages[number].server.port,
                connections=CONNECTIONS,
                seconds=context.sizes.seconds,
                cores=None if number == 1 else context.both_cores,
            ).check()
            raw[number].append(load.rate)
            share = set_off(load.rate, load.cpu_s, load.duration_us / 1e6) if number > 1 else load.rate
            fair[number].append(share)
    row.figures[SQLITE] = Figure.of(ratios(fair[_CORES], fair[1]))
    row.details |= {"requests_per_second": raw, "set_off": fair}
    one, two = (Figure.of(raw[number]).value or 0 for number in (1, _CORES))
    row.notes.append(
        f"one worker on a core of its own {one:,.0f} requests a second, two on both, shared with wrk, {two:,.0f}: "
        f"{Figure.of(ratios(raw[_CORES], raw[1])).value:.2f}x before wrk's own processor time is set off"
    )
