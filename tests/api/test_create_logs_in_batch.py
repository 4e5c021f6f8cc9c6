"""POST /v1/diary-logs/batch"""

import asyncio
import json
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from provender.model.access import Scope
from provender.model.foods import serving_id
from tests.conftest import Service
from tests.diary import (
    create_logs,
    day,
    delete_food,
    diary,
    is_active,
    list_logs,
    log,
    most,
    new_log,
    new_logs,
    recently,
    summary,
)
from tests.kitchen import MUESLI, faults, new_food, new_profile
from tests.pantry import BANANA, COLA, PLAIN

BATCH = "/v1/diary-logs/batch"
EATEN: dict[str, Any] = {"profile_reference_id": "alice", "food_id": BANANA.id}


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def _assert_nothing_is_written(client: httpx.AsyncClient) -> None:
    assert await diary(client) == []
    assert await recently(client) == await most(client) == []
    assert (await summary(client, day(-100), day(100)))["data"] == []
    assert not await is_active(client)


async def test_logs_are_confirmed_in_the_order_they_were_sent(acme: httpx.AsyncClient) -> None:
    response = await create_logs(acme, {"food_id": COLA.id}, {"food_id": BANANA.id}, {"food_id": COLA.id})
    assert response.status_code == 201
    assert response.json().keys() == {"data"}
    data = response.json()["data"]
    assert [confirmation.keys() for confirmation in data] == [{"_id", "created"}] * 3
    ids = [confirmation["_id"] for confirmation in data]
    assert ids == sorted(set(ids))
    assert [(await log(acme, log_id))["food_id"] for log_id in ids] == [COLA.id, BANANA.id, COLA.id]


async def test_each_log_is_what_it_would_be_by_itself(acme: httpx.AsyncClient) -> None:
    muesli = await new_food(acme, **MUESLI)
    each: list[dict[str, Any]] = [
        {"food_id": BANANA.id},
        {"food_id": muesli, "number_of_servings": 1.333, "meal": "breakfast", "date": day(-2), "note": "🥣"},
        {"food_id": COLA.id, "metric_amount": 62.5, "date": 20522},
        {"food_id": BANANA.id, "serving_id": serving_id(BANANA.id, "1 slice"), "number_of_servings": 0.25},
        {"food_id": PLAIN.id, "note": None},
    ]
    for sent, log_id in zip(each, await new_logs(acme, *each), strict=True):
        alone = await new_log(acme, sent["food_id"], **sent)
        assert await log(acme, log_id) | {"_id": ""} == await log(acme, alone) | {"_id": ""}


async def test_a_hundred_logs_with_everything_they_may_have_are_taken(acme: httpx.AsyncClient) -> None:
    slice_ = serving_id(BANANA.id, "1 slice")
    logs = [
        {
            "food_id": BANANA.id,
            "serving_id": slice_,
            "number_of_servings": number + 0.5,
            "meal": "lunch",
            "date": day(-number),
            "note": f"number {number}",
        }
        for number in range(100)
    ]
    ids = await new_logs(acme, *logs)
    assert len(set(ids)) == 100
    found = await diary(acme)
    assert [entry["_id"] for entry in found] == ids[::-1]
    assert [entry["note"] for entry in found] == [f"number {number}" for number in range(99, -1, -1)]


async def test_one_to_a_hundred_logs_are_taken(acme: httpx.AsyncClient) -> None:
    for logs in ([], [EATEN] * 101):
        [(param, _)] = faults(await acme.post(BATCH, json={"logs": logs}))
        assert param == "logs"
    assert faults(await acme.post(BATCH, json={})) == [("logs", "required")]
    assert faults(await acme.post(BATCH)) == [("logs", "required")]
    for wrong in (5, "x", {"0": EATEN}, None):
        [(param, _)] = faults(await acme.post(BATCH, json={"logs": wrong}))
        assert param == "logs"
    unknown = await acme.post(BATCH, json={"logs": [EATEN], "log": 1})
    assert faults(unknown) == [("log", "unknown_parameter")]
    await _assert_nothing_is_written(acme)


async def test_a_form_is_told_to_be_json(acme: httpx.AsyncClient) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for pairs in ({"logs": json.dumps([EATEN])}, {"logs[0][food_id]": BANANA.id}):
        response = await acme.post(BATCH, content=urlencode(pairs), headers=form)
        assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")
        assert "JSON" in response.json()["detail"] or "json" in response.json()["detail"]


async def test_faults_name_the_index_and_come_all_at_once(acme: httpx.AsyncClient) -> None:
    response = await acme.post(
        BATCH,
        json={
            "logs": [
                EATEN,
                EATEN | {"number_of_servings": 0, "meal": "brunch"},
                {"profile_reference_id": "alice"},
                EATEN | {"fod_id": "x"},
                EATEN | {"metric_amount": 5, "number_of_servings": 5},
                EATEN | {"date": "1899-12-31"},
                EATEN | {"note": None},
                EATEN | {"note": ""},
                EATEN | {"meal": None},
            ]
        },
    )
    found = faults(response)
    assert {fault for fault in found if not fault[0].startswith("logs[4].")} == {
        ("logs[1].number_of_servings", "out_of_range"),
        ("logs[1].meal", "not_allowed"),
        ("logs[2].food_id", "required"),
        ("logs[3].fod_id", "unknown_parameter"),
        ("logs[5].date", "out_of_range"),
        ("logs[7].note", "too_short"),
        ("logs[8].meal", "null_not_allowed"),
    }
    assert [code for param, code in found if param.startswith("logs[4].")] == ["not_combinable"]
    for wrong in (5, "x", None, [EATEN]):
        [(param, _)] = faults(await acme.post(BATCH, json={"logs": [EATEN, wrong]}))
        assert param == "logs[1]"
    await _assert_nothing_is_written(acme)


async def test_faults_that_only_the_food_or_the_profile_shows_name_the_index_too(acme: httpx.AsyncClient) -> None:
    response = await create_logs(acme, EATEN, EATEN | {"serving_id": serving_id(COLA.id, "1 can (330 ml)")})
    assert faults(response) == [("logs[1].serving_id", "unknown_serving")]
    # In the east it is tomorrow already, and so it is a year from now.
    await acme.post("/v1/profiles", json={"reference_id": "east", "timezone": "Pacific/Kiritimati"})
    ahead = EATEN | {"date": day(366)}
    refused = await create_logs(acme, ahead | {"profile_reference_id": "east"}, ahead)
    assert faults(refused) == [("logs[1].date", "out_of_range")]
    assert await diary(acme, "east") == []
    await _assert_nothing_is_written(acme)


async def test_a_great_many_faults_are_cut_off_at_25(acme: httpx.AsyncClient) -> None:
    found = faults(await acme.post(BATCH, json={"logs": [{"meal": "brunch"}] * 100}))
    assert len(found) == 25
    assert found[0][0].startswith("logs[0].")


async def test_unknown_foods_are_not_found_by_their_index(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    bobs, gone = await new_food(acme, "bob"), await new_food(acme)
    await delete_food(acme, gone)
    response = await create_logs(
        acme, EATEN, {"food_id": "0" * 16}, {"food_id": bobs}, EATEN, {"food_id": gone}, {"food_id": "short"}
    )
    assert (response.status_code, response.json()["code"]) == (404, "food_not_found")
    named = [fault["param"] for fault in response.json()["errors"]]
    assert named == [f"logs[{index}].food_id" for index in (1, 2, 4, 5)]
    await _assert_nothing_is_written(acme)


async def test_unknown_profiles_are_not_found_by_their_index(acme: httpx.AsyncClient) -> None:
    response = await create_logs(
        acme, EATEN, EATEN | {"profile_reference_id": "nobody"}, EATEN, EATEN | {"profile_reference_id": "noone"}
    )
    assert (response.status_code, response.json()["code"]) == (404, "profile_not_found")
    named = [fault["param"] for fault in response.json()["errors"]]
    assert named == [f"logs[{index}].profile_reference_id" for index in (1, 3)]
    await _assert_nothing_is_written(acme)


async def test_a_batch_may_be_of_several_profiles(acme: httpx.AsyncClient, service: Service) -> None:
    zones = {"alice": None, "zoe": "Pacific/Pago_Pago", "bob": "Pacific/Kiritimati"}
    for name in ("zoe", "bob"):
        await acme.post("/v1/profiles", json={"reference_id": name, "timezone": zones[name]})
    service.clock.advance(hours=-1.5)
    granola = await new_food(acme, "bob")
    ids = await new_logs(
        acme,
        {"food_id": BANANA.id, "profile_reference_id": "zoe"},
        {"food_id": granola, "profile_reference_id": "bob"},
        {"food_id": BANANA.id},
        {"food_id": COLA.id, "profile_reference_id": "zoe"},
        {"food_id": COLA.id},
    )
    # Each has the day that its own profile has now: it is half past ten in the morning in UTC.
    assert await list_logs(acme, "zoe", date=day(-1)) == ([ids[0], ids[3]], False)
    assert await list_logs(acme, "bob", date=day(1)) == ([ids[1]], False)
    assert await list_logs(acme, date=day(0)) == ([ids[2], ids[4]], False)
    assert await recently(acme) == [COLA.id, BANANA.id]
    assert await recently(acme, "zoe") == [COLA.id, BANANA.id]
    assert await most(acme, "bob") == [granola]
    for name in zones:
        assert await is_active(acme, name)


async def test_batches_of_the_same_profiles_in_another_order_do_not_lock_each_other_out(
    acme: httpx.AsyncClient,
) -> None:
    names = ["alice", "bob", "carol", "dave"]
    for name in names[1:]:
        await new_profile(acme, name)
    batches = [
        [{"food_id": BANANA.id, "profile_reference_id": names[(start + step * turn) % 4]} for turn in range(4)]
        for start in range(4)
        for step in (1, 3)
    ]
    made = await asyncio.gather(*(new_logs(acme, *batch) for batch in batches * 2))
    found = [await diary(acme, name) for name in names]
    assert [len(each) for each in found] == [16] * 4
    assert {entry["_id"] for each in found for entry in each} == {log_id for ids in made for log_id in ids}


async def test_all_or_none_of_a_batch_is_there_while_it_is_written(acme: httpx.AsyncClient) -> None:
    """Whoever reads meanwhile sees whole batches only."""
    batch = [{"food_id": BANANA.id, "date": day(0)}] * 10

    async def look() -> list[int]:
        return [len((await list_logs(acme, date=day(0), limit=100))[0]) for _ in range(20)]

    looking = asyncio.create_task(look())
    await asyncio.gather(*(new_logs(acme, *batch) for _ in range(8)))
    assert {count % 10 for count in await looking} == {0}
    assert (await summary(acme, day(0), day(0)))["total"]["entries"] == 80


async def test_a_batch_needs_a_key_that_may_write(service: Service) -> None:
    assert (await create_logs(await service.client_with(None), EATEN)).status_code == 401
    assert (await create_logs(await service.client("acme", Scope.READ), EATEN)).status_code == 403
