"""DELETE /v1/foods/custom/{food_id}"""

import asyncio

import httpx
import pytest

from provender.model.access import Scope
from tests.conftest import Service
from tests.kitchen import MUESLI, faults, new_food, new_profile
from tests.pantry import BANANA

BARCODE = {"barcode": MUESLI["barcode"], "profile_reference_id": "alice"}


@pytest.fixture
async def muesli(acme: httpx.AsyncClient) -> str:
    await new_profile(acme)
    return await new_food(acme, **MUESLI)


async def _delete(client: httpx.AsyncClient, food_id: str, owner: str = "alice") -> httpx.Response:
    return await client.delete(f"/v1/foods/custom/{food_id}", params={"profile_reference_id": owner})


async def test_a_deleted_food_is_gone(acme: httpx.AsyncClient, service: Service, muesli: str) -> None:
    granola = await new_food(acme)
    response = await _delete(acme, muesli)
    assert response.status_code == 200
    assert response.json() == {"_id": muesli, "deleted": True}
    assert (await acme.get(f"/v1/foods/{muesli}")).json()["code"] == "food_not_found"
    assert (await acme.get("/v1/foods/barcode", params=BARCODE)).json()["code"] == "food_not_found"
    listed = (await acme.get("/v1/foods/custom?profile_reference_id=alice")).json()["data"]
    assert [food["_id"] for food in listed] == [granola]
    changed = await acme.patch(f"/v1/foods/custom/{muesli}", json={"profile_reference_id": "alice"})
    assert changed.json()["code"] == "food_not_found"
    left = await service.engine.all("SELECT DISTINCT food_id FROM custom_food_words")
    assert [row[0] for row in left] == [granola]


async def test_deleting_twice_is_not_found(acme: httpx.AsyncClient, muesli: str) -> None:
    await _delete(acme, muesli)
    again = await _delete(acme, muesli)
    assert (again.status_code, again.json()["code"]) == (404, "food_not_found")


async def test_of_16_parallel_deletions_one_deletes(acme: httpx.AsyncClient, muesli: str) -> None:
    responses = await asyncio.gather(*(_delete(acme, muesli) for _ in range(16)))
    assert sorted(response.status_code for response in responses) == [200] + [404] * 15


async def test_only_the_owner_deletes_a_food(acme: httpx.AsyncClient, muesli: str) -> None:
    await new_profile(acme, "bob")
    before = (await acme.get(f"/v1/foods/{muesli}")).json()
    response = await _delete(acme, muesli, "bob")
    assert (response.status_code, response.json()["code"]) == (404, "food_not_found")
    assert (await acme.get(f"/v1/foods/{muesli}")).json() == before


@pytest.mark.parametrize("food_id", [BANANA.id, "0" * 16, "short", "%00", "%F0%9F%8D%8C", "4006381333931"])
async def test_what_is_no_custom_food_is_not_found(acme: httpx.AsyncClient, muesli: str, food_id: str) -> None:
    response = await _delete(acme, food_id)
    assert (response.status_code, response.json()["code"]) == (404, "food_not_found")
    assert (await acme.get(f"/v1/foods/{BANANA.id}")).status_code == 200


async def test_the_profile_is_required_and_must_exist(acme: httpx.AsyncClient, muesli: str) -> None:
    assert faults(await acme.delete(f"/v1/foods/custom/{muesli}")) == [("profile_reference_id", "required")]
    response = await _delete(acme, muesli, "nobody")
    assert (response.status_code, response.json()["code"]) == (404, "profile_not_found")
    assert (await acme.get(f"/v1/foods/{muesli}")).status_code == 200


async def test_deleting_needs_a_key_that_may_write(service: Service, muesli: str) -> None:
    assert (await _delete(await service.client("acme", Scope.READ), muesli)).status_code == 403


async def test_a_path_with_a_custom_food_takes_patch_and_delete(acme: httpx.AsyncClient, muesli: str) -> None:
    response = await acme.get(f"/v1/foods/custom/{muesli}")
    assert response.status_code == 405
    assert response.headers["allow"] == "DELETE, PATCH"
