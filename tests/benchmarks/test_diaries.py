"""The diaries that are measured: what was not logged is as if it had been."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from benchmarks.diaries import fill_diary, find_foods, log_foods, multiply_diary
from benchmarks.diary_deletion import measure_deletion
from benchmarks.diary_speed import Sizes, measure
from benchmarks.measuring import Measure, Samples, make_table
from benchmarks.stages import Stage, make_settings
from provender.catalogue.folder import CatalogueFolder
from provender.model.times import to_day
from provender.settings import Settings

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
TODAY = date(2026, 3, 10)
LOGS = 240
DAYS = 40


@pytest.fixture
def storage(tmp_path: Path, shipped_folder: CatalogueFolder) -> Settings:
    return make_settings(tmp_path / "data", shipped_folder)


async def _list(client: httpx.AsyncClient, path: str) -> list[Any]:
    response = await client.get(path)
    return list(response.raise_for_status().json()["data"])


async def _summary(client: httpx.AsyncClient, profile: str) -> list[Any]:
    return await _list(client, f"/v1/diary-logs/summary?profile_reference_id={profile}&from=2026-01-01&to=2026-12-31")


async def test_logs_are_spread_evenly_over_the_days_and_meals(storage: Settings) -> None:
    stage = await Stage.set_up(storage, NOW)
    async with stage.open() as client:
        foods = await find_foods(client, 30)
        assert len(set(foods)) == 30
        await log_foods(client, "alice", foods, LOGS, today=TODAY, days=DAYS)
        days = await _summary(client, "alice")
        assert [day["entries"] for day in days] == [LOGS // DAYS] * DAYS
        assert days[-1]["date"] == "2026-03-10"
        logs = await _list(client, "/v1/diary-logs?profile_reference_id=alice&limit=100&from=2026-01-01")
        assert {log["meal"] for log in logs} == {"breakfast", "lunch", "dinner", "snack"}
        assert {log["number_of_servings"] for log in logs} == {0.5, 1, 1.333, 2}


async def test_a_multiplied_diary_is_as_if_it_had_been_logged(storage: Settings) -> None:
    """Alice's diary three times over by SQL, and Bob's by logging the same three times, through the API."""
    stage = await Stage.set_up(storage, NOW)
    async with stage.open() as client, stage.store() as store:
        foods = await find_foods(client, 30)
        await log_foods(client, "alice", foods, LOGS, today=TODAY, days=DAYS)
        for profile in ("multiplied", "logged"):
            (await client.post("/v1/profiles", data={"reference_id": profile})).raise_for_status()
        assert await multiply_diary(store, "alice", "multiplied", 3, NOW) == 3 * LOGS
        for _ in range(3):
            await _log_again(client, "alice", "logged")
        assert await _summary(client, "multiplied") == await _summary(client, "logged")
        for path in ("recently-eaten?", "most-eaten?", "recently-eaten?meal=lunch&", "most-eaten?meal=lunch&"):
            of = f"/v1/foods/{path}limit=100&profile_reference_id="
            assert await _list(client, f"{of}multiplied") == await _list(client, f"{of}logged") != []
        numbers = await store.all(
            "SELECT min(number), max(number), count(DISTINCT l.id), last_number FROM diary_logs l JOIN profiles p "
            "ON p.id = l.profile_id WHERE l.application_id = $1 AND reference_id = 'multiplied' GROUP BY last_number"
        )
        assert [tuple(row) for row in numbers] == [(1, 3 * LOGS, 3 * LOGS, 3 * LOGS)]


async def _log_again(client: httpx.AsyncClient, source: str, target: str) -> None:
    """All of a profile's logs for another one, in the order in which they were made."""
    path = f"/v1/diary-logs?profile_reference_id={source}&from=2026-01-01&limit=100"
    logs = page = await _list(client, path)
    while page:
        page = await _list(client, f"{path}&starting_after={page[-1]['_id']}")
        logs += page
    taken = ("food_id", "number_of_servings", "meal", "date")
    bodies = [{"profile_reference_id": target} | {name: log[name] for name in taken} for log in logs]
    for first in range(0, len(bodies), 100):
        (await client.post("/v1/diary-logs/batch", json={"logs": bodies[first : first + 100]})).raise_for_status()


async def test_a_filled_diary_has_so_many_logs_on_so_many_days(storage: Settings) -> None:
    stage = await Stage.set_up(storage, NOW)
    async with stage.open() as client, stage.engine() as engine:
        response = await client.post("/v1/profiles", data={"reference_id": "alice"})
        await fill_diary(engine, response.json()["_id"], 1000, today=to_day(TODAY), days=20)
        rows = await engine.all("SELECT count(*), count(DISTINCT date), max(date), max(number) FROM diary_logs")
        assert [tuple(row) for row in rows] == [(1000, 20, to_day(TODAY), 1000)]


async def test_everything_is_measured(storage: Settings) -> None:
    sizes = Sizes(
        rounds=2, foods=20, few=10, many=200, times=2, clients=3, reads_a_round=1, logs_a_round=1, logs_of_a_client=1
    )
    samples = await measure({"SQLite": storage}, sizes)
    lines = list(make_table(samples))
    for line in (
        "summary of a year, 200 logs, first call of a new application",
        "most-eaten, lunch, 400 logs, the morning after",
        "a page of 10 of a day, diary of 200 logs",
        "logs of 3 clients, one profile",
    ):
        assert any(found.startswith(f"| {line} |") for found in lines)
    figures = samples["SQLite"].figures()
    assert all(figure["samples"] >= sizes.rounds and figure["median"] > 0 for figure in figures.values())
    assert figures["recently-eaten, lunch, 200 logs"]["ratio"] > 0


async def test_a_deletion_is_measured(storage: Settings) -> None:
    samples = Samples()
    await measure_deletion(await Stage.set_up(storage, NOW), 2000, samples, before_s=0.1)
    assert samples.values[Measure("a profile with 2,000 logs is deleted: the answer")][0] > 0
    assert samples.values[Measure("another's log, while 2,000 logs are deleted: longest")][0] > 0
