"""DELETE /v1/profiles/{reference_id}"""

import asyncio

import httpx

from tests.conftest import Service
from tests.kitchen import MUESLI, new_food, new_profile


async def test_a_deleted_profile_is_gone(acme: httpx.AsyncClient) -> None:
    created = (await acme.post("/v1/profiles", data={"reference_id": "alice"})).json()
    response = await acme.delete("/v1/profiles/alice")
    assert response.status_code == 200
    assert response.json() == {"_id": created["_id"], "deleted": True}
    assert (await acme.get("/v1/profiles/alice")).status_code == 404
    assert (await acme.patch("/v1/profiles/alice", data={"timezone": "UTC"})).status_code == 404
    assert (await acme.get("/v1/profiles")).json()["data"] == []


async def test_deleting_twice_is_not_found(acme: httpx.AsyncClient) -> None:
    await acme.post("/v1/profiles", data={"reference_id": "alice"})
    await acme.delete("/v1/profiles/alice")
    again = await acme.delete("/v1/profiles/alice")
    assert again.status_code == 404
    assert again.json()["code"] == "profile_not_found"


async def test_of_16_parallel_deletions_one_deletes(acme: httpx.AsyncClient) -> None:
    await acme.post("/v1/profiles", data={"reference_id": "alice"})
    responses = await asyncio.gather(*(acme.delete("/v1/profiles/alice") for _ in range(16)))
    assert sorted(response.status_code for response in responses) == [200] + [404] * 15


async def test_a_profile_created_anew_is_another_profile(acme: httpx.AsyncClient) -> None:
    first = (await acme.post("/v1/profiles", data={"reference_id": "alice", "timezone": "Asia/Tokyo"})).json()
    await acme.delete("/v1/profiles/alice")
    second = await acme.post("/v1/profiles", data={"reference_id": "alice"})
    assert second.status_code == 201
    assert second.json()["_id"] != first["_id"]
    assert second.json()["timezone"] is None


async def test_what_a_deleted_profile_left_is_cleared_away(acme: httpx.AsyncClient, service: Service) -> None:
    await acme.post("/v1/profiles", data={"reference_id": "alice"})
    await acme.delete("/v1/profiles/alice")
    async with asyncio.timeout(5):
        while await service.engine.all("SELECT profile_id FROM deleted_profiles"):
            await asyncio.sleep(0.01)


async def test_with_the_profile_go_its_custom_foods_even_those_made_meanwhile(acme: httpx.AsyncClient) -> None:
    """A food whose creation was confirmed before, during or after the deletion is reached by nobody afterwards."""
    await new_profile(acme)
    made: list[str] = [await new_food(acme, **MUESLI)]

    async def make() -> None:
        response = await acme.post("/v1/foods/custom", json=MUESLI | {"profile_reference_id": "alice"})
        if response.status_code == 201:
            made.append(response.json()["_id"])
        else:
            assert response.json()["code"] == "profile_not_found"

    makers = [asyncio.create_task(make()) for _ in range(20)]
    deleted = await acme.delete("/v1/profiles/alice")
    await asyncio.gather(*makers)
    assert deleted.status_code == 200
    for food_id in made:
        assert (await acme.get(f"/v1/foods/{food_id}")).json()["code"] == "food_not_found"
    await new_profile(acme)
    assert (await acme.get("/v1/foods/custom?profile_reference_id=alice")).json()["data"] == []
    by_barcode = await acme.get(f"/v1/foods/barcode?barcode={MUESLI['barcode']}&profile_reference_id=alice")
    assert by_barcode.json()["code"] == "food_not_found"
