"""Requests a second, 64 connections: against a bare application on the same server, and against other services.

All contestants get the same kind of script, in another order each round, so that ratios are of neighbours in time.
"""

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx

from benchmarks.bench.calls import BARE, DATASETTE, PROVENDER, SELFMADE, Call, main_calls
from benchmarks.bench.commits import measure_commits, plan_commits
from benchmarks.bench.contestants import Server, run_bare, run_datasette, run_selfmade
from benchmarks.bench.context import CONNECTIONS, Context, Sizes, explain, failing
from benchmarks.bench.load import LoadFailed, Script, Sent
from benchmarks.bench.results import POSTGRESQL, SQLITE, Figure, Goal, Row, at_least, ratios
from benchmarks.bench.stages import Postgresql, Stage, new_folder, open_stages
from benchmarks.selfmade.build import build_service

LIMIT = "Share of a bare application's throughput"
OTHERS = "Times the throughput of what one would use instead"

_SHARES = {
    "food by id": 0.75,
    "food by barcode": 0.70,
    "search for a common word, 10 foods a page": 0.45,
    "search for two common words, 10 foods a page": 0.45,
    "favorites, 10 foods a page": 0.45,
    "recently eaten, 10 foods a page": 0.45,
    "most eaten, 10 foods a page": 0.45,
    "log a food, durable": 0.35,
}
_TIMES = {"food by id": 4.0, "food by barcode": 4.0, "search for a common word, 10 foods a page": 20.0}
# Where nothing more is promised, Provender is ahead.
_AHEAD = at_least(1.0, "x")
_LOGGING, _DAY = "log a food, durable", "a day of the diary"
_OF_DATASETTE = ("food by id", *(name for name in _SHARES if name.startswith("search")))
_ANSWERS = 300
# A service that needs longer than this for a turn of all connections gets fewer of them: most of its answers would be
# under way, and not counted, when the time is up.
_TURN_S = 0.5
_LEAST_CONNECTIONS = 4
_PROBES = 30


@dataclass(frozen=True, slots=True)
class _Pace:
    """How a contestant is asked: as fast as 64 connections can, unless it could not answer them all in time."""

    connections: int
    seconds: int


@dataclass(frozen=True, slots=True)
class _Contestant:
    name: str
    server: Server
    headers: Mapping[str, str]

    def ask(self, client: httpx.Client, sent: Sent) -> bytes:
        """One answer, which must be a success."""
        headers = dict(self.headers) | ({"Content-Type": sent.kind} if sent.kind else {})
        answer = client.request(sent.method, sent.path, content=sent.body, headers=headers)
        if not answer.is_success:
            raise LoadFailed(f"{sent.method} {sent.path} was answered {answer.status_code}: {answer.text[:200]}")
        return answer.content

    def requests(self, call: Call) -> Sequence[Sent] | None:
        return call.others.get(self.name) if self.name in (SELFMADE, DATASETTE) else call.provender


def plan_throughput(sizes: Sizes) -> list[Row]:
    names = [name for name in (*_SHARES, _DAY) if sizes.calls is None or name in sizes.calls]
    limits = [_row(LIMIT, name, name, BARE, at_least(_SHARES[name])) for name in names if name in _SHARES]
    others = []
    for name in names:
        goal = at_least(_TIMES[name], "x") if name in _TIMES else _AHEAD
        others.append(_row(OTHERS, f"{name}, against {SELFMADE}", name, SELFMADE, goal))
        if name in _OF_DATASETTE:
            others.append(_row(OTHERS, f"{name}, against {DATASETTE}", name, DATASETTE, _AHEAD))
    return [*limits, plan_commits(), *others]


def _row(section: str, title: str, call: str, against: str, goal: Goal) -> Row:
    return Row(section, title, goal, details={"call": call, "against": against})


def measure_throughput(context: Context, postgresql: Postgresql | None, rows: Sequence[Row]) -> None:
    commits = [row for row in rows if row.name == plan_commits().name]
    with ExitStack() as exits:
        stages = open_stages(exits, context, context.sizes.profiles, postgresql)
        contestants = _enter(exits, context, stages)
        for call in main_calls(context.stock.sample(context.sizes.foods), stages[SQLITE].profiles):
            of_call = [row for row in rows if row.details.get("call") == call.name]
            if of_call:
                with failing(context, of_call):
                    _measure(context, call, contestants, of_call)
            if call.name == _LOGGING and commits:
                with failing(context, commits):
                    measure_commits(context, stages[SQLITE], call, commits[0])


def _enter(exits: ExitStack, context: Context, stages: Mapping[str, Stage]) -> list[_Contestant]:
    folder, core, stock, sizes = new_folder(context), context.server_core, context.stock, context.sizes
    stage = stages[SQLITE]
    foods = stock.selfmade(sizes.foods)
    service = folder / "selfmade.db"
    build_service(foods, service, stage.key, stock.templates(sizes.foods), sizes.profiles)
    return [
        _Contestant(BARE, exits.enter_context(run_bare(folder, core=core)), stage.headers),
        *(_Contestant(column, stage.server, stage.headers) for column, stage in stages.items()),
        _Contestant(SELFMADE, exits.enter_context(run_selfmade(service, folder, core=core)), stage.headers),
        _Contestant(DATASETTE, exits.enter_context(run_datasette(foods, folder, core=core)), {}),
    ]


def _measure(context: Context, call: Call, contestants: Sequence[_Contestant], rows: Sequence[Row]) -> None:
    context.say(f"Throughput: {call.name}")
    length = _mean_length(call, next(one for one in contestants if one.name == SQLITE))
    bare = next(one for one in contestants if one.name == BARE)
    with bare.server.client() as client:
        client.put("/", content=str(round(length))).raise_for_status()
    # A service that no wanted row compares with does not take part.
    names = {SQLITE, POSTGRESQL, *(row.details["against"] for row in rows)}
    rates, errors, paces = _run_rounds(context, call, [one for one in contestants if one.name in names])
    for row in rows:
        _judge(row, rates, errors, row.details["against"])
        row.notes += [
            f"{name} with {pace.connections} connections for {pace.seconds} s, as it is slow"
            for name, pace in paces.items()
            if pace.connections < CONNECTIONS and name in (SQLITE, POSTGRESQL, row.details["against"])
        ]
        row.details |= {"requests_per_second": rates, "answer_bytes": round(length)}
        if row.section == LIMIT:
            row.notes.append(f"answers of {length:,.0f} bytes")


def _run_rounds(
    context: Context, call: Call, contestants: Sequence[_Contestant]
) -> tuple[dict[str, list[float]], dict[str, str], dict[str, _Pace]]:
    """Requests a second by round. Who fails once is left out from then on, with the reason."""
    scripts: dict[str, Path] = {}
    paces: dict[str, _Pace] = {}
    rates: dict[str, list[float]] = {}
    errors: dict[str, str] = {}
    for one in contestants:
        if (requests := one.requests(call)) is not None:
            scripts[one.name] = context.write_script(f"throughput-{one.name}", Script(requests, one.headers))
            rates[one.name] = []
            with _noting(one, errors):
                paces[one.name] = _find_pace(context, one, requests)
                if context.sizes.warm_up_seconds:
                    _run(context, one, scripts[one.name], paces[one.name])
    taking_part = [one for one in contestants if one.name in scripts]
    for _, order in context.rounds(taking_part):
        for one in order:
            if one.name not in errors:
                with _noting(one, errors):
                    rates[one.name].append(_run(context, one, scripts[one.name], paces[one.name]))
    return rates, errors, paces


@contextlib.contextmanager
def _noting(one: _Contestant, errors: dict[str, str]) -> Iterator[None]:
    try:
        yield
    except (LoadFailed, httpx.HTTPError) as error:
        errors[one.name] = explain(error)


def _find_pace(context: Context, one: _Contestant, requests: Sequence[Sent]) -> _Pace:
    """64 connections, or as many as a slow service answers in half a second, and then for longer."""
    # Provender and the limit are promised at 64, whatever it does to them.
    if one.name not in (SELFMADE, DATASETTE):
        return _Pace(CONNECTIONS, context.sizes.seconds)
    chosen = requests[:: max(1, len(requests) // _PROBES)][:_PROBES]
    with one.server.client() as client:
        one.ask(client, chosen[0])
        began = time.perf_counter()
        for sent in chosen:
            one.ask(client, sent)
        took = (time.perf_counter() - began) / len(chosen)
    return choose_pace(took, context.sizes.seconds, context.sizes.slow_seconds)


def choose_pace(answer_s: float, seconds: int, slow_seconds: int) -> _Pace:
    connections = max(_LEAST_CONNECTIONS, min(CONNECTIONS, int(_TURN_S / answer_s)))
    # Few answers need more time to be counted, and what is under way at the end is not.
    return _Pace(connections, seconds if connections == CONNECTIONS else max(seconds, slow_seconds))


def _run(context: Context, one: _Contestant, script: Path, pace: _Pace) -> float:
    server = one.server
    load = context.generator.run(script, server.port, connections=pace.connections, seconds=pace.seconds)
    # What wrk left unanswered is still worked on, and would take the next one's time.
    server.program.settle()
    return load.check().rate


def _judge(row: Row, rates: Mapping[str, list[float]], errors: Mapping[str, str], against: str) -> None:
    for column in (SQLITE, POSTGRESQL):
        if column not in rates:
            continue
        failed = [f"{name}: {errors[name]}" for name in (column, against) if name in errors]
        row.figures[column] = (
            Figure.failed("; ".join(failed)) if failed else Figure.of(ratios(rates[column], rates[against]))
        )
    written = [
        f"{_title(name)} {_middle(rates[name]):,.0f}" for name in (SQLITE, POSTGRESQL, against) if rates.get(name)
    ]
    row.notes.append(f"requests a second: {', '.join(written)}")


def _title(name: str) -> str:
    return f"{PROVENDER} on {name}" if name in (SQLITE, POSTGRESQL) else name


def _middle(rates: Sequence[float]) -> float:
    return Figure.of(rates).value or 0.0


def _mean_length(call: Call, one: _Contestant) -> float:
    """The mean of real answers of the script. One that is no success fails the row here, with its text."""
    requests = call.provender[:: max(1, len(call.provender) // _ANSWERS)]
    with one.server.client() as client:
        lengths = [len(one.ask(client, sent)) for sent in requests]
    return sum(lengths) / len(lengths)
