"""GET /v1/diary-logs/{log_id}"""

from dataclasses import replace

import httpx
import pytest

from provender.model.access import Scope
from provender.model.foods import Serving
from tests.conftest import Service
from tests.diary import (
    GROUPS,
    change_log,
    copy_logs,
    day,
    delete_food,
    delete_log,
    diary,
    food,
    log,
    new_log,
    nutrients,
)
from tests.kitchen import MUESLI, faults, new_food, new_profile
from tests.pantry import BANANA, COLA, PLAIN

LOGS = "/v1/diary-logs"


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def test_a_log_is_found_by_its_id_alone(acme: httpx.AsyncClient) -> None:
    log_id = await new_log(acme, BANANA.id)
    response = await acme.get(f"{LOGS}/{log_id}")
    assert response.status_code == 200
    found = response.json()
    assert (found["_id"], found["food_id"], found["profile_reference_id"]) == (log_id, BANANA.id, "alice")
    assert (await acme.get(f"{LOGS}/{log_id}?profile_reference_id=alice")).json() == found


async def test_groups_are_there_as_they_are_asked_for(acme: httpx.AsyncClient) -> None:
    log_id = await new_log(acme, PLAIN.id)
    plain = (await acme.get(f"{LOGS}/{log_id}")).json()
    assert plain.keys().isdisjoint(GROUPS)
    assert "water_in_gm" not in plain
    for group in GROUPS:
        found = (await acme.get(f"{LOGS}/{log_id}?include[]={group}")).json()
        # Nothing is known, and that is what it says.
        assert found == plain | {group: {}}
    assert (await acme.get(f"{LOGS}/{log_id}?include[]=")).json() == plain
    unknown = await acme.get(f"{LOGS}/{log_id}?include=vitamin&includ=x")
    assert faults(unknown) == [("include", "not_allowed"), ("includ", "unknown_parameter")]


async def test_a_log_of_another_profile_is_not_found_with_this_one(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    log_id = await new_log(acme, BANANA.id)
    for name in ("bob", "nobody"):
        response = await acme.get(f"{LOGS}/{log_id}?profile_reference_id={name}")
        assert (response.status_code, response.json()["code"]) == (404, "log_not_found")


async def test_an_unknown_log_is_not_found(acme: httpx.AsyncClient) -> None:
    gone = await new_log(acme, BANANA.id)
    await delete_log(acme, gone)
    for log_id in (gone, "0" * 16, BANANA.id, "short", "%00", "%F0%9F%8D%8C", "x" * 300):
        response = await acme.get(f"{LOGS}/{log_id}")
        assert (response.status_code, response.json()["code"]) == (404, "log_not_found"), log_id


async def test_logs_of_a_deleted_profile_are_not_found(acme: httpx.AsyncClient) -> None:
    log_id = await new_log(acme, BANANA.id)
    assert (await acme.delete("/v1/profiles/alice")).status_code == 200
    for response in [
        await acme.get(f"{LOGS}/{log_id}"),
        await change_log(acme, log_id, meal="lunch"),
        await delete_log(acme, log_id),
    ]:
        assert (response.status_code, response.json()["code"]) == (404, "log_not_found")
    # One of the same name has a diary of its own.
    await new_profile(acme)
    assert await diary(acme) == []


async def test_an_import_that_changes_the_food_leaves_the_log_as_it_was(
    acme: httpx.AsyncClient, service: Service
) -> None:
    logs = [await new_log(acme, BANANA.id, number_of_servings=2), await new_log(acme, BANANA.id, metric_amount=100)]
    before = [await log(acme, log_id) for log_id in logs]
    renamed = replace(
        BANANA,
        name="Plantains",
        nutrients={"energy_kcal": 122.0},
        servings=[Serving("1 plantain", 179.0)],
        brand="Acme",
    )
    for catalogue in ([renamed, COLA], [COLA], []):
        service.use_catalogue(catalogue)
        assert [await log(acme, log_id) for log_id in logs] == before
    # What is logged from then on is the food as it is then.
    service.use_catalogue([renamed])
    found = await log(acme, await new_log(acme, BANANA.id))
    assert (found["food_name"], found["brand_name"], found["metric_amount"]) == ("Plantains", "Acme", 179)
    assert nutrients(found) == nutrients(await food(acme, BANANA.id))
    # Both contents of one food are there beside each other, and copies are of the log's own.
    assert [await log(acme, log_id) for log_id in logs] == before
    copied = (await copy_logs(acme, day(0), day(1))).json()["data"]
    found = await log(acme, copied[0]["_id"])
    assert (found["food_name"], nutrients(found)) == ("Bananas, raw", nutrients(before[0]))


async def test_an_edit_and_a_deletion_of_the_food_leave_the_log_as_it_was(
    acme: httpx.AsyncClient, service: Service
) -> None:
    muesli = await new_food(acme, **MUESLI)
    log_id = await new_log(acme, muesli, number_of_servings=0.25)
    before = await log(acme, log_id)
    service.clock.advance(hours=1)
    edit = {
        "profile_reference_id": "alice",
        "food_name": "Bircher",
        "vitamins": None,
        "macro_nutrients": {"energy_kcal": 1},
    }
    assert (await acme.patch(f"/v1/foods/custom/{muesli}", json=edit)).status_code == 200
    assert await log(acme, log_id) == before
    edited = await new_log(acme, muesli)
    assert (await log(acme, edited))["food_name"] == "Bircher"
    await delete_food(acme, muesli)
    assert await log(acme, log_id) == before
    assert (await log(acme, edited))["macro_nutrients"] == {"energy_kcal": 1, "total_fat_in_gm": 2}


async def test_a_deletion_of_one_log_leaves_others_of_the_same_food_as_they_were(acme: httpx.AsyncClient) -> None:
    """They share what is kept of the food."""
    ids = [await new_log(acme, BANANA.id) for _ in range(3)]
    before = await log(acme, ids[1])
    for gone in (ids[0], ids[2]):
        await delete_log(acme, gone)
        assert await log(acme, ids[1]) == before
    await delete_log(acme, ids[1])
    again = await log(acme, await new_log(acme, BANANA.id))
    assert nutrients(again) == nutrients(before)


async def test_a_key_that_may_read_is_enough(acme: httpx.AsyncClient, service: Service) -> None:
    log_id = await new_log(acme, BANANA.id)
    reader = await service.client("acme", Scope.READ)
    assert (await reader.get(f"{LOGS}/{log_id}")).status_code == 200
    assert (await (await service.client_with(None)).get(f"{LOGS}/{log_id}")).status_code == 401


async def test_words_of_the_path_are_no_logs(acme: httpx.AsyncClient) -> None:
    for word, allowed in [("batch", "POST"), ("copy", "POST"), ("summary", "GET, HEAD")]:
        response = await acme.patch(f"{LOGS}/{word}", json={})
        assert (response.status_code, response.headers["allow"]) == (405, allowed)
    response = await acme.post(f"{LOGS}/{'0' * 16}", json={})
    assert (response.status_code, response.headers["allow"]) == (405, "DELETE, GET, PATCH, HEAD")
