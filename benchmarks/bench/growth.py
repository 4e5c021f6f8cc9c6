"""How cost grows with foods, pages, logs and profiles: the median latency of a size over that of the smallest.

In process it is the cost of the work itself; over HTTP it is what a caller sees, with few connections, so that no
request waits for many others. Sizes are measured in turn, in another order each round.
"""

import asyncio
import itertools
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from random import Random

import uvloop

from benchmarks.bench.calls import NO_FOODS, Call, day_call, eaten_calls, profile_calls
from benchmarks.bench.context import Context, Sizes, failing
from benchmarks.bench.filling import DIARIES, EATERS
from benchmarks.bench.in_process import InProcess, on_core
from benchmarks.bench.load import Script, Sent
from benchmarks.bench.results import Figure, Goal, Row, at_most, growth
from benchmarks.bench.stages import Postgresql, Stage, open_stages

LOGS = "How cost grows with the logs of a profile"
PROFILES = "How cost grows with the number of profiles"
IN_PROCESS, HTTP = "in process", "over HTTP"
WAYS = (IN_PROCESS, HTTP)

FEW_CONNECTIONS = 2
_EATEN, _DAY, _PROFILE = at_most(1.5, "x"), at_most(1.2, "x"), at_most(1.3, "x")

_scripts = itertools.count(1)

# What measures one size once, and gives its median latency in microseconds; it is told which round it is.
Measured = Callable[[int], float]


def ways_of(sizes: Sizes) -> tuple[str, ...]:
    return WAYS if sizes.growth_over_http else (IN_PROCESS,)


def plan_logs(sizes: Sizes) -> list[Row]:
    names = [(call.name, _EATEN) for call in eaten_calls("")] + [(day_call("").name, _DAY)]
    return [_row(LOGS, name, goal, way) for name, goal in names for way in ways_of(sizes)]


def plan_profiles(sizes: Sizes) -> list[Row]:
    if sizes.many_profiles is None:
        return []
    names = [call.name for call in profile_calls(NO_FOODS, range(40))]
    return [_row(PROFILES, name, _PROFILE, way) for name in names for way in WAYS]


def _row(section: str, name: str, goal: Goal, way: str) -> Row:
    return Row(section, f"{name}, {way}", goal, details={"call": name, "way": way})


def compare(context: Context, row: Row, column: str, sizes: Mapping[str, Measured]) -> None:
    """Fill in a row: every size once a round, after one time that does not count."""
    context.say(f"Growth: {row.name}, {column}")
    if context.sizes.warm_up_seconds:
        for measure in sizes.values():
            measure(-1)
    taken: dict[str, list[float]] = {size: [] for size in sizes}
    for number, order in context.rounds(list(sizes)):
        for size in order:
            taken[size].append(sizes[size](number))
    row.figures[column] = Figure.of(growth(taken))
    row.details.setdefault("p50_us", {})[column] = taken
    written = ", ".join(f"{size} {(Figure.of(values).value or 0) / 1000:.3f}" for size, values in taken.items())
    row.notes.append(f"{column}, p50 in ms: {written}")


def over_http(context: Context, stage: Stage, call: Call) -> Measured:
    """wrk with few connections."""
    script = context.write_script(f"latency-{next(_scripts)}", Script(_shuffled(call), stage.headers))

    def measure(number: int) -> float:
        seconds = context.sizes.latency_seconds if number >= 0 else 1
        port = stage.server.port
        return context.generator.run(script, port, connections=FEW_CONNECTIONS, seconds=seconds).check().p50

    return measure


def in_process(context: Context, app: InProcess, call: Call) -> Measured:
    requests, count = _shuffled(call), context.sizes.calls_in_process

    def measure(number: int) -> float:
        first = max(number, 0) * count
        chosen = [requests[place % len(requests)] for place in range(first, first + count)]
        with on_core(context.server_core):
            return app.p50_us(chosen)

    return measure


def _shuffled(call: Call) -> list[Sent]:
    return Random(1).sample(list(call.provender), len(call.provender))


def measure_logs(context: Context, postgresql: Postgresql | None, rows: Sequence[Row]) -> None:
    with ExitStack() as exits:
        runner = exits.enter_context(asyncio.Runner(loop_factory=uvloop.new_event_loop))
        for column, stage in open_stages(exits, context, context.sizes.profiles, postgresql).items():
            app = exits.enter_context(InProcess(runner, stage))
            for row in rows:
                with failing(context, [row], column):
                    calls = _calls_of_lengths(context, row.details["call"])
                    sizes = {size: _way(context, stage, app, row, call) for size, call in calls.items()}
                    compare(context, row, column, sizes)


def _calls_of_lengths(context: Context, name: str) -> dict[str, Call]:
    """A call of the profiles with few logs, with many and with the most, by how many that are."""
    most = context.sizes.most_logs
    profiles = DIARIES if name == day_call("").name else EATERS
    # In a quick run the second has as many as there are at most, and the third does not exist.
    lengths = {
        min(logs, most): profile for profile, logs in reversed(profiles.items()) if logs <= most or profile != "most"
    }
    return {f"{logs:,} logs": _find(name, profile) for logs, profile in sorted(lengths.items())}


def _find(name: str, profile: str) -> Call:
    return next(call for call in (*eaten_calls(profile), day_call(profile)) if call.name == name)


def _way(context: Context, stage: Stage, app: InProcess, row: Row, call: Call) -> Measured:
    return in_process(context, app, call) if row.details["way"] == IN_PROCESS else over_http(context, stage, call)


def measure_profiles(context: Context, postgresql: Postgresql | None, rows: Sequence[Row]) -> None:
    numbers = [number for number in (context.sizes.profiles, context.sizes.many_profiles) if number is not None]
    sample = context.stock.sample(context.sizes.foods)
    with ExitStack() as exits:
        runner = exits.enter_context(asyncio.Runner(loop_factory=uvloop.new_event_loop))
        opened = {number: open_stages(exits, context, number, postgresql) for number in numbers}
        for column in opened[numbers[0]]:
            stages = {number: opened[number][column] for number in numbers}
            apps = {number: exits.enter_context(InProcess(runner, stage)) for number, stage in stages.items()}
            for row in rows:
                with failing(context, [row], column):
                    sizes = {
                        f"{number:,} profiles": _way(
                            context, stage, apps[number], row, _named(profile_calls(sample, stage.profiles), row)
                        )
                        for number, stage in stages.items()
                    }
                    compare(context, row, column, sizes)


def _named(calls: Sequence[Call], row: Row) -> Call:
    return next(call for call in calls if call.name == row.details["call"])
