"""PATCH /v1/profiles/{reference_id}"""

import httpx

from tests.conftest import Service


async def test_the_timezone_can_be_changed_and_unset(acme: httpx.AsyncClient, service: Service) -> None:
    created = (await acme.post("/v1/profiles", data={"reference_id": "alice"})).json()
    service.clock.advance(seconds=5)
    changed = await acme.patch("/v1/profiles/alice", data={"timezone": "Europe/Berlin"})
    assert changed.status_code == 200
    expected = created | {"timezone": "Europe/Berlin", "updated_at": created["updated_at"] + 5000}
    assert changed.json() == expected
    assert (await acme.get("/v1/profiles/alice")).json() == expected
    for unset in ({"data": {"timezone": ""}}, {"json": {"timezone": None}}):
        assert (await acme.patch("/v1/profiles/alice", **unset)).json()["timezone"] is None


async def test_setting_the_same_timezone_is_no_change(acme: httpx.AsyncClient, service: Service) -> None:
    created = await acme.post("/v1/profiles", data={"reference_id": "alice", "timezone": "UTC"})
    service.clock.advance(seconds=5)
    assert (await acme.patch("/v1/profiles/alice", json={"timezone": "UTC"})).json() == created.json()


async def test_a_patch_of_nothing_changes_nothing(acme: httpx.AsyncClient, service: Service) -> None:
    created = await acme.post("/v1/profiles", data={"reference_id": "alice", "timezone": "Asia/Tokyo"})
    service.clock.advance(seconds=5)
    assert (await acme.patch("/v1/profiles/alice")).json() == created.json()
    assert (await acme.patch("/v1/profiles/alice", json={})).json() == created.json()


async def test_an_unknown_timezone_changes_nothing(acme: httpx.AsyncClient) -> None:
    created = await acme.post("/v1/profiles", data={"reference_id": "alice", "timezone": "Asia/Tokyo"})
    response = await acme.patch("/v1/profiles/alice", data={"timezone": "Tokyo"})
    assert response.status_code == 400
    assert response.json()["errors"][0]["code"] == "unknown_timezone"
    assert (await acme.get("/v1/profiles/alice")).json() == created.json()


async def test_the_reference_id_cannot_be_changed(acme: httpx.AsyncClient) -> None:
    await acme.post("/v1/profiles", data={"reference_id": "alice"})
    response = await acme.patch("/v1/profiles/alice", data={"reference_id": "bob"})
    assert response.status_code == 400
    assert response.json()["errors"][0]["code"] == "unknown_parameter"


async def test_an_unknown_profile_is_not_found(acme: httpx.AsyncClient) -> None:
    for body in ({}, {"timezone": "UTC"}):
        response = await acme.patch("/v1/profiles/nobody", json=body)
        assert response.status_code == 404
        assert response.json()["code"] == "profile_not_found"
