"""DELETE /v1/diary-logs/{log_id}"""

import asyncio

import httpx
import pytest

from provender.model.access import Scope
from tests.conftest import Service
from tests.diary import (
    at,
    day,
    delete_food,
    delete_log,
    diary,
    is_active,
    list_logs,
    log,
    most,
    new_log,
    recently,
    summary,
)
from tests.kitchen import faults, new_food, new_profile
from tests.pantry import BANANA, COLA, PLAIN


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def test_a_deleted_log_is_gone(acme: httpx.AsyncClient) -> None:
    log_id, kept = await new_log(acme, BANANA.id), await new_log(acme, COLA.id)
    response = await delete_log(acme, log_id)
    assert (response.status_code, response.json()) == (200, {"_id": log_id, "deleted": True})
    gone = await acme.get(f"/v1/diary-logs/{log_id}")
    assert (gone.status_code, gone.json()["code"]) == (404, "log_not_found")
    assert await list_logs(acme, date=day(0)) == ([kept], False)
    assert await recently(acme) == await most(acme) == [COLA.id]
    assert (await summary(acme, day(0), day(0)))["total"]["entries"] == 1


async def test_deleting_twice_is_not_found(acme: httpx.AsyncClient) -> None:
    log_id = await new_log(acme, BANANA.id)
    await delete_log(acme, log_id)
    again = await delete_log(acme, log_id)
    assert (again.status_code, again.json()["code"]) == (404, "log_not_found")


async def test_of_16_parallel_deletions_one_deletes(acme: httpx.AsyncClient) -> None:
    log_id, kept = await new_log(acme, BANANA.id), await new_log(acme, BANANA.id)
    responses = await asyncio.gather(*(delete_log(acme, log_id) for _ in range(16)))
    assert sorted(response.status_code for response in responses) == [200] + [404] * 15
    assert (await summary(acme, day(0), day(0)))["total"]["entries"] == 1
    await delete_log(acme, kept)
    assert await recently(acme) == await most(acme) == []


async def test_the_profile_may_be_sent_and_must_be_the_logs_then(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    log_id = await new_log(acme, BANANA.id)
    for name in ("bob", "nobody"):
        response = await delete_log(acme, log_id, profile_reference_id=name)
        assert (response.status_code, response.json()["code"]) == (404, "log_not_found")
    assert (await log(acme, log_id))["_id"] == log_id
    assert (await delete_log(acme, log_id, profile_reference_id="alice")).status_code == 200


async def test_an_unknown_log_is_not_found(acme: httpx.AsyncClient) -> None:
    for unknown in ("0" * 16, "short", "%00", BANANA.id):
        response = await delete_log(acme, unknown)
        assert (response.status_code, response.json()["code"]) == (404, "log_not_found")
    assert faults(await delete_log(acme, "0" * 16, meal="lunch")) == [("meal", "unknown_parameter")]


async def test_the_last_log_takes_the_activity_of_its_month_with_it(acme: httpx.AsyncClient, service: Service) -> None:
    old = await new_log(acme, BANANA.id)
    service.clock.now = at("2026-04-01T12:00")
    assert not await is_active(acme)
    new = [await new_log(acme, COLA.id), await new_log(acme, PLAIN.id, date=day(-200))]
    await delete_log(acme, new[0])
    assert await is_active(acme)
    await delete_log(acme, new[1])
    assert not await is_active(acme)
    # The one that is left was made in March.
    service.clock.now = at("2026-03-31T12:00")
    assert await is_active(acme)
    await delete_log(acme, old)
    assert not await is_active(acme)


async def test_logs_of_foods_that_are_gone_count_for_the_activity(acme: httpx.AsyncClient, service: Service) -> None:
    granola = await new_food(acme)
    await new_log(acme, granola)
    bananas = await new_log(acme, BANANA.id)
    await delete_food(acme, granola)
    service.use_catalogue([])
    assert await is_active(acme)
    await delete_log(acme, bananas)
    assert await is_active(acme)


async def test_everything_can_be_deleted_in_any_order(acme: httpx.AsyncClient) -> None:
    granola = await new_food(acme)
    ids = [
        await new_log(acme, food_id, meal=meal, date=day(after), number_of_servings=0.1)
        for food_id in (granola, BANANA.id)
        for meal in ("lunch", "dinner")
        for after in (0, -29, 3)
    ]
    await delete_food(acme, granola)
    for log_id in ids[::2] + ids[1::2]:
        assert (await delete_log(acme, log_id)).status_code == 200
    assert await diary(acme) == []
    assert await recently(acme) == await most(acme) == await most(acme, meal="lunch") == []
    assert (await summary(acme, day(-40), day(40)))["data"] == []


async def test_deleting_needs_a_key_that_may_write(acme: httpx.AsyncClient, service: Service) -> None:
    log_id = await new_log(acme, BANANA.id)
    assert (await delete_log(await service.client("acme", Scope.READ), log_id)).status_code == 403
    assert (await log(acme, log_id))["_id"] == log_id
