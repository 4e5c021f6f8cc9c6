"""A sample of profiles, made through the API on PostgreSQL, and what it takes: rows, bytes, processor time."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date
from random import Random

import httpx
import psutil

from benchmarks.diaries import find_foods, log_foods
from benchmarks.stages import Stage
from provender.storage.engine import Engine

_CALLERS = 8

# What the API's reads of a profile are here: one of each in turn.
_READS = (
    "/v1/foods/recently-eaten?profile_reference_id={0}",
    "/v1/foods/most-eaten?profile_reference_id={0}",
    "/v1/foods/favorites?profile_reference_id={0}",
    "/v1/diary-logs?profile_reference_id={0}&date={1}",
    "/v1/diary-logs/summary?profile_reference_id={0}&date={1}",
)

_SIZES = """
    SELECT c.relname, pg_table_size(c.oid), pg_indexes_size(c.oid)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind = 'r' ORDER BY c.relname
"""

# What there is of it does not grow with the profiles.
_NOT_OF_PROFILES = ("applications", "api_keys", "schema_version", "deleted_profiles", "usage")


@dataclass(frozen=True, slots=True)
class Habits:
    """What each profile of the sample has."""

    days: int = 365
    logs_a_day: int = 10
    different_foods: int = 100
    favorites: int = 10
    custom_foods: int = 5
    saved_meals: int = 2


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    rows: int
    table_bytes: int
    index_bytes: int

    @property
    def sizes(self) -> tuple[int, int, int]:
        return self.rows, self.table_bytes, self.index_bytes


@dataclass(frozen=True, slots=True)
class Measured:
    habits: Habits
    profiles: int
    tables: Sequence[Table]
    # Processor time of the database, in microseconds, for one log with what follows from it, and for one read.
    database_us_a_log: float
    database_us_a_read: float


async def measure(stage: Stage, habits: Habits, profiles: int, calls: int) -> Measured:
    """Load the sample and measure it; `calls` logs and as many reads are made after that for the processor time."""
    names = [f"profile-{number:09}" for number in range(profiles)]
    today = stage.now.date()
    async with stage.open() as client, stage.engine() as engine:
        foods = await find_foods(client, habits.different_foods)
        # Indexes have pages before there are rows.
        empty = await _tables(engine)
        await _by_callers(lambda name: _fill(client, name, foods, habits, today), names)
        tables = [
            Table(after.name, *(a - b for a, b in zip(after.sizes, before.sizes, strict=True)))
            for before, after in zip(empty, await _tables(engine), strict=True)
        ]

        async def log(number: int) -> None:
            food_id = foods[number % len(foods)]
            body = {"profile_reference_id": names[number % profiles], "food_id": food_id}
            (await client.post("/v1/diary-logs", json=body)).raise_for_status()

        async def read(number: int) -> None:
            path = _READS[number % len(_READS)].format(names[number // len(_READS) % profiles], today)
            (await client.get(path)).raise_for_status()

        logging = await _database_us(engine, log, calls)
        reading = await _database_us(engine, read, calls)
    return Measured(habits, profiles, tables, logging, reading)


async def _tables(engine: Engine) -> list[Table]:
    """As they are when all is settled and what updates left behind can be used again."""
    await _until_settled(engine)
    for row in await engine.all(_SIZES):
        await engine.change(f"VACUUM ANALYZE {row[0]}")
    return [
        Table(row[0], await _count(engine, row[0]), row[1], row[2])
        for row in await engine.all(_SIZES)
        if row[0] not in _NOT_OF_PROFILES
    ]


async def _fill(client: httpx.AsyncClient, name: str, foods: Sequence[str], habits: Habits, today: date) -> None:
    """Days that are over in batches, and today one by one, each with a key, as a client that repeats requests would."""
    days = habits.days - 1
    before = date.fromordinal(today.toordinal() - 1)
    await log_foods(client, name, foods, days * habits.logs_a_day, today=before, days=days)
    random = Random(name)
    for number in range(habits.logs_a_day):
        body = {"profile_reference_id": name, "food_id": random.choice(foods)}
        key = {"Idempotency-Key": f"{name}-{number}"}
        (await client.post("/v1/diary-logs", json=body, headers=key)).raise_for_status()
    owner = {"profile_reference_id": name}
    for food_id in random.sample(foods, habits.favorites):
        (await client.post(f"/v1/foods/favorites/{food_id}", data=owner)).raise_for_status()
    for number in range(habits.custom_foods):
        (await client.post("/v1/foods/custom", json=owner | _custom_food(number))).raise_for_status()
    for number in range(habits.saved_meals):
        items = [{"food_id": food_id, "number_of_servings": 1} for food_id in random.sample(foods, 5)]
        meal = owner | {"name": f"Usual {number}", "items": items}
        (await client.post("/v1/saved-meals", json=meal)).raise_for_status()


def _custom_food(number: int) -> dict[str, object]:
    return {
        "food_name": f"Granola of the house {number}",
        "serving_description": "1 bowl",
        "metric_serving_amount": 60,
        "metric_serving_unit": "g",
        "macro_nutrients": {"energy_kcal": 260, "total_fat_in_gm": 9.5, "total_protein_in_gm": 6},
        "minerals": {"iron_in_mg": 1.9},
    }


async def _by_callers(work: Callable[[str], Awaitable[None]], names: Sequence[str]) -> None:
    waiting = iter(names)

    async def call() -> None:
        for name in waiting:
            await work(name)

    await asyncio.gather(*(call() for _ in range(_CALLERS)))


async def _until_settled(engine: Engine) -> None:
    while await engine.one("SELECT 1 FROM profiles WHERE unsettled > 0 LIMIT 1"):  # noqa: ASYNC110 - No event tells.
        await asyncio.sleep(0.1)


async def _count(engine: Engine, table: str) -> int:
    row = await engine.one(f"SELECT count(*) FROM {table}")
    return 0 if row is None else int(row[0])


async def _database_us(engine: Engine, call: Callable[[int], Awaitable[None]], calls: int) -> float:
    """How long all processes of the database worked for one call, settling included."""
    row = await engine.one("SELECT pg_backend_pid()")
    if row is None:
        raise LookupError("The database has no processes.")
    main = psutil.Process(row[0]).parent()
    if main is None:
        raise LookupError("The database is not on this machine.")
    await _by_callers(lambda number: call(int(number)), [str(number) for number in range(_CALLERS * 4)])
    await _until_settled(engine)
    before = _processor_s(main)
    await _by_callers(lambda number: call(int(number)), [str(number) for number in range(calls)])
    await _until_settled(engine)
    return (_processor_s(main) - before) / calls * 1e6


def _processor_s(main: psutil.Process) -> float:
    spent = 0.0
    for process in (main, *main.children()):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        spent += times.user + times.system
    return spent
