"""Times the food diary: the production application in process, on SQLite and PostgreSQL, called without a network.

python -m benchmarks.diary_speed [--postgresql] [--million] [--delete N] [--rounds 7] [--folder DIR] [--json FILE]
"""

import asyncio
import contextlib
import gc
import sys
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import click
import httpx
import uvloop

from benchmarks.diaries import find_foods, log_foods, multiply_diary
from benchmarks.diary_calls import SHELL, Call, log_alone, log_at_once, read, read_first
from benchmarks.diary_deletion import measure_deletion
from benchmarks.measuring import Measure, Samples, make_table, write_json
from benchmarks.servers import run_postgresql
from benchmarks.stages import Stage, build_shipped_once, make_settings
from provender.settings import Settings

_YEAR, _MONTH = 365, 30
_PER_DAY = 10

_SUMMARY = "summary of a year, {:,} logs"
_DAY = "a page of 10 of a day, diary of {:,} logs"

_LISTS = ("recently-eaten", "most-eaten")
_MEALS = {"all meals": "", "lunch": "&meal=lunch"}
# How many days after the last write, and what that is called.
_LATER = {1: "the morning after", 40: "40 days after"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much of everything. The figures that we publish are measured with these; tests take less."""

    rounds: int = 7
    foods: int = 300
    few: int = 100
    many: int = 20_000
    # How many times the many there are in the longest diary, or none.
    times: int | None = None
    clients: int = 64
    reads_a_round: int = 15
    logs_a_round: int = 20
    logs_of_a_client: int = 5
    delete: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """One database, filled, and clients of the application on it: today and on later days."""

    stage: Stage
    foods: Sequence[str]
    clients: Mapping[int, httpx.AsyncClient]
    # How many logs in 30 days the profiles have.
    eaters: Mapping[int, str]

    @property
    def client(self) -> httpx.AsyncClient:
        return self.clients[0]


@contextlib.asynccontextmanager
async def _prepare(settings: Settings, sizes: Sizes, now: datetime) -> AsyncGenerator[Scene]:
    stage = await Stage.set_up(settings, now)
    today = now.date()
    eaters = {sizes.few: "few", sizes.many: "many"}
    async with stage.open() as client:
        foods = await find_foods(client, sizes.foods)
        await log_foods(client, "short", foods, sizes.few, today=today, days=max(sizes.few // _PER_DAY, 1))
        await log_foods(client, "year", foods, sizes.many, today=today, days=_YEAR)
        for count, name in eaters.items():
            await log_foods(client, name, foods, count, today=today, days=_MONTH)
        for number in range(sizes.clients):
            await log_foods(client, f"logger-{number}", foods, 1, today=today, days=1)
        if sizes.times is not None:
            (await client.post("/v1/profiles", data={"reference_id": "most"})).raise_for_status()
            async with stage.store() as store:
                eaters[await multiply_diary(store, "many", "most", sizes.times, now)] = "most"
    async with AsyncExitStack() as exits:
        clients = {days: await exits.enter_async_context(stage.open(days_later=days)) for days in (0, *_LATER)}
        yield Scene(stage, foods, clients, eaters)


def _calls(scene: Scene, sizes: Sizes) -> list[Call]:
    """Everything that is measured on a database."""
    client, today = scene.client, scene.stage.now.date()
    first = today - timedelta(days=_YEAR - 1)
    summary = f"/v1/diary-logs/summary?profile_reference_id=year&from={first}&to={today}"
    day = f"/v1/diary-logs?limit={_PER_DAY}&date={today}&profile_reference_id"
    short, long = Measure(_DAY.format(sizes.few)), _DAY.format(sizes.many)
    year = Measure(_SUMMARY.format(sizes.many))
    reads = [
        read(client, SHELL, "/v1/profiles/few"),
        read(client, year, summary),
        *_eaten_calls(scene, sizes),
        read(client, short, f"{day}=short"),
        read(client, Measure(long, against=short.name), f"{day}=year"),
    ]
    profiles = [f"logger-{number}" for number in range(sizes.clients)]
    return [
        *(call.repeated(sizes.reads_a_round) for call in reads),
        read_first(scene.stage, Measure(f"{year.name}, first call of a new application", against=year.name), summary),
        log_alone(client, "logger-0", scene.foods).repeated(sizes.logs_a_round),
        log_at_once(
            client, profiles, scene.foods, sizes.logs_of_a_client, f"{sizes.clients} clients, as many profiles"
        ),
        log_at_once(
            client,
            profiles[:1] * sizes.clients,
            scene.foods,
            sizes.logs_of_a_client,
            f"{sizes.clients} clients, one profile",
        ),
    ]


def _eaten_calls(scene: Scene, sizes: Sizes) -> list[Call]:
    """Both lists, of all meals and of one, today and later: many logs against few, and later against today."""
    calls = []
    for listed in _LISTS:
        for meal, parameter in _MEALS.items():
            for count, profile in scene.eaters.items():
                path = f"/v1/foods/{listed}?limit=10&profile_reference_id={profile}{parameter}"
                what = f"{listed}, {meal}"
                name = f"{what}, {count:,} logs"
                against = None if count == sizes.few else f"{what}, {sizes.few:,} logs"
                calls.append(read(scene.client, Measure(name, against=against), path))
                if listed == "most-eaten":
                    calls += [
                        read(scene.clients[days], Measure(f"{name}, {later}", against=name), path)
                        for days, later in _LATER.items()
                    ]
    return calls


async def measure(settings: Mapping[str, Settings], sizes: Sizes) -> dict[str, Samples]:
    """What was measured, by database: everything in turn, in another order each round."""
    now = datetime.now(UTC)
    samples = {database: Samples() for database in settings}
    async with AsyncExitStack() as exits:
        scenes = {
            database: await exits.enter_async_context(_prepare(those, sizes, now))
            for database, those in settings.items()
        }
        calls = [(database, call) for database, scene in scenes.items() for call in _calls(scene, sizes)]
        for _, call in calls:
            # Compiles statements, once in the life of a process. It is not counted.
            await call.run(Samples())
        # So that the lines of the table are in our order, and not in that of the first round.
        for database, call in calls:
            for kind in call.measures:
                samples[database].add(kind)
        for number in range(sizes.rounds):
            gc.collect()
            random = Random(number).random
            for database, call in sorted(calls, key=lambda _: random()):
                await call.run(samples[database])
    if sizes.delete:
        for database, those in settings.items():
            await measure_deletion(await Stage.set_up(those, now), sizes.delete, samples[database])
    return samples


@click.command()
@click.option("--postgresql", is_flag=True, help="Measure PostgreSQL too, on a server of our own.")
@click.option("--million", is_flag=True, help="Measure what a profile with a million logs in 30 days has eaten, too.")
@click.option(
    "--delete", default=0, show_default=True, help="Delete a profile with so many logs while another is used."
)
@click.option("--rounds", default=Sizes().rounds, show_default=True, help="How often everything is measured in turn.")
@click.option("--folder", type=click.Path(path_type=Path), help="Use the catalogue in this folder, or build it there.")
@click.option("--json", "file", type=click.Path(path_type=Path), help="Write the figures to this file too.")
def main(*, postgresql: bool, million: bool, delete: int, rounds: int, folder: Path | None, file: Path | None) -> None:
    """Print how long the diary takes to write and to read."""
    # For every request httpx looks on the disk for a module that is not there, which takes as long as all else it does.
    sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]  # None is how Python says that there is none.
    many = Sizes().many
    sizes = Sizes(rounds=rounds, times=1_000_000 // many if million else None, delete=delete)
    with tempfile.TemporaryDirectory(prefix="provender-diary-") as name, ExitStack() as exits:
        data = Path(name)
        catalogue = build_shipped_once(folder or data / "catalogue")
        settings = {"SQLite": make_settings(data / "sqlite", catalogue)}
        if postgresql:
            address = exits.enter_context(run_postgresql())
            settings["PostgreSQL"] = make_settings(data / "postgresql", catalogue, address)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            samples = runner.run(measure(settings, sizes))
    click.echo("\n".join(make_table(samples)))
    if file is not None:
        write_json(file, {database: taken.figures() for database, taken in samples.items()})


if __name__ == "__main__":
    main()
