"""Deletes a profile with a long diary while another profile is used, and says what each had to wait.

Client and server share the process, so what others wait is rather too long than too short.
"""

import asyncio
import itertools
import os
import time
from collections.abc import Sequence

import httpx

from benchmarks.diaries import fill_diary, find_foods
from benchmarks.measuring import Measure, Samples, percentile
from benchmarks.stages import Stage
from provender.model.times import to_day
from provender.storage.engine import Engine

_DAYS = 3650
_FOODS = 50
_BEFORE_S = 3.0
_LOOK_AGAIN_S = 0.1

_LOG, _READ = "another's log", "another's most eaten"


async def measure_deletion(stage: Stage, logs: int, samples: Samples, *, before_s: float = _BEFORE_S) -> None:
    """Delete a profile with so many logs. Another is used for a while before that, for comparison, and meanwhile."""
    async with stage.open() as client, stage.engine() as engine:
        going = (await client.post("/v1/profiles", data={"reference_id": "going"})).raise_for_status().json()["_id"]
        (await client.post("/v1/profiles", data={"reference_id": "other"})).raise_for_status()
        foods = await find_foods(client, _FOODS)
        began = time.perf_counter()
        await fill_diary(engine, going, logs, today=to_day(stage.now.date()), days=_DAYS)
        samples.add(Measure(f"{logs:,} logs written by SQL", "s"), time.perf_counter() - began)
        # What is still on its way to the disk would be waited for by the first who write.
        await asyncio.to_thread(os.sync)
        for name, took in (await _use(client, foods, asyncio.create_task(asyncio.sleep(before_s)))).items():
            samples.add(Measure(f"{name}, alone"), *took)
        deleted: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        began = time.perf_counter()
        others = asyncio.create_task(_use(client, foods, asyncio.create_task(_delete(client, engine, deleted))))
        answered, meanwhile = await deleted, await others
        gone = time.perf_counter() - began
    during = f"while {logs:,} logs are deleted"
    samples.add(Measure(f"a profile with {logs:,} logs is deleted: the answer"), answered * 1000)
    samples.add(Measure(f"a profile with {logs:,} logs is deleted: every row is gone", "s"), gone)
    for name, took in meanwhile.items():
        samples.add(Measure(f"{name}, {during}", against=f"{name}, alone"), *took)
        samples.add(Measure(f"{name}, {during}: p99"), percentile(sorted(took), 0.99))
        samples.add(Measure(f"{name}, {during}: longest"), max(took))


async def _delete(client: httpx.AsyncClient, engine: Engine, deleted: asyncio.Future[float]) -> None:
    """Delete the profile, tell how many seconds the answer took, and wait until every row is gone."""
    began = time.perf_counter()
    (await client.delete("/v1/profiles/going")).raise_for_status()
    deleted.set_result(time.perf_counter() - began)
    while await engine.one("SELECT 1 FROM deleted_profiles"):  # noqa: ASYNC110 - Nothing else tells when it is done.
        await asyncio.sleep(_LOOK_AGAIN_S)


async def _use(client: httpx.AsyncClient, foods: Sequence[str], until: asyncio.Task[None]) -> dict[str, list[float]]:
    """The milliseconds of the other profile's requests until a task is done: logs and reads in turn."""
    took: dict[str, list[float]] = {_LOG: [], _READ: []}
    turns = itertools.cycle(foods)
    while not until.done():
        began = time.perf_counter()
        body = {"profile_reference_id": "other", "food_id": next(turns)}
        (await client.post("/v1/diary-logs", json=body)).raise_for_status()
        logged = time.perf_counter()
        (await client.get("/v1/foods/most-eaten?limit=10&profile_reference_id=other")).raise_for_status()
        took[_LOG].append((logged - began) * 1000)
        took[_READ].append((time.perf_counter() - logged) * 1000)
    # What went wrong in it is raised here.
    await until
    return took
