"""How many statements, and round trips, each call sends to PostgreSQL: one for a read, one round trip for a log."""

import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

import httpx

from benchmarks.bench.calls import NO_FOODS, Call, main_calls, profile_calls
from benchmarks.bench.contestants import create_key, make_data_dir, run_provender
from benchmarks.bench.context import Context, Sizes, failing
from benchmarks.bench.filling import find_full
from benchmarks.bench.load import Sent
from benchmarks.bench.plan import Sample
from benchmarks.bench.results import POSTGRESQL, Figure, Row, at_most
from benchmarks.bench.stages import Postgresql, new_folder
from benchmarks.bench.wire import Counts, Wire

SECTION = "What a call sends to PostgreSQL"
_ONE = at_most(1)
# By then the driver has prepared its statements.
_WARM_UP = 20
_COUNTED = 30


def _calls(sample: Sample, profiles: Sequence[int]) -> list[Call]:
    """Every call once, under the name it has elsewhere."""
    every = {call.name.removesuffix(", 10 foods a page"): call for call in main_calls(sample, profiles)}
    return list((every | {call.name: call for call in profile_calls(sample, profiles)}).values())


def plan_statements(sizes: Sizes) -> list[Row]:
    if not sizes.postgresql:
        return []
    calls = _calls(NO_FOODS, range(40))
    return [
        Row(
            SECTION,
            f"{_name(call)}: {'round trips' if _is_log(call) else 'statements'}",
            _ONE,
            details={"call": call.name},
        )
        for call in calls
        if call.name != "log a food, durable"
    ]


def _name(call: Call) -> str:
    return call.name.removesuffix(", 10 foods a page")


def _is_log(call: Call) -> bool:
    return call.name.startswith("log a food")


def measure_statements(context: Context, postgresql: Postgresql | None, rows: Sequence[Row]) -> None:
    if postgresql is None:
        raise RuntimeError("PostgreSQL does not run")
    profiles, folder = context.sizes.profiles, new_folder(context)
    data = make_data_dir(folder / "data", context.stock.catalogue(context.sizes.foods))
    address = postgresql.filled(context, data, profiles)
    key = create_key(data, address)
    calls = _calls(context.stock.sample(context.sizes.foods), find_full(profiles, context.sizes.full))
    with (
        # The name of a socket can have about 100 characters only, so it is not in the run's folder.
        tempfile.TemporaryDirectory(prefix="provender-wire-") as short,
        Wire(address, Path(short)).run() as wire,
        run_provender(data, folder, database=wire.address) as server,
        server.client(key) as client,
    ):
        for row in rows:
            call = next(call for call in calls if call.name == row.details["call"])
            with failing(context, [row], POSTGRESQL):
                counted = _count(client, call.provender, wire)
                statements = [one.statements for one in counted]
                round_trips = [one.round_trips for one in counted]
                row.figures[POSTGRESQL] = Figure.of(round_trips if _is_log(call) else statements)
                row.notes.append(
                    f"{statistics.median(statements):g} statements in {statistics.median(round_trips):g} round trips"
                )


def _count(client: httpx.Client, requests: Sequence[Sent], wire: Wire) -> list[Counts]:
    """What each of some calls sent, one after the other."""
    counted = []
    for number in range(_WARM_UP + _COUNTED):
        sent = requests[number % len(requests)]
        before = wire.counts.copy()
        headers = {"Content-Type": sent.kind} if sent.kind else {}
        client.request(sent.method, sent.path, content=sent.body, headers=headers).raise_for_status()
        if number >= _WARM_UP:
            counted.append(wire.counts - before)
    return counted
