"""DELETE /v1/profiles/{reference_id}"""

import asyncio

import httpx

from tests.conftest import Service


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
