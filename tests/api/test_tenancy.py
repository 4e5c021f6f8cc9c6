"""Two applications cannot see each other in any way, over every route of the table."""

from typing import Any

import httpx
import pytest

from provender.api.app import ROUTES
from provender.api.routing import Route
from tests.conftest import Service

# The catalogue is the same for everybody; every other route must keep applications apart.
SHARED = {"/v1/foods/{food_id}", "/v1/foods/barcode", "/v1/nutrients"}

TENANT_ROUTES = [route for route in ROUTES if isinstance(route, Route) and route.path not in SHARED]

# What a request of that route has to carry besides its path.
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("PATCH", "/v1/profiles/{reference_id}"): {"timezone": "Asia/Tokyo"},
    ("POST", "/v1/profiles"): {"reference_id": "made-by-globex"},
}


def _without_request_id(response: httpx.Response) -> dict[str, Any]:
    return {name: value for name, value in response.json().items() if name != "request_id"}


@pytest.mark.parametrize("route", TENANT_ROUTES, ids=lambda route: f"{route.method} {route.path}")
async def test_anothers_profile_is_like_one_that_never_existed(
    acme: httpx.AsyncClient, globex: httpx.AsyncClient, route: Route
) -> None:
    created = (await acme.post("/v1/profiles", data={"reference_id": "alice"})).json()
    body = BODIES.get((route.method, route.path))

    async def ask(reference_id: str) -> httpx.Response:
        path = route.path.replace("{reference_id}", reference_id)
        assert "{" not in path, "this test does not know what to put there, so it would show nothing"
        return await globex.request(route.method, path, json=body)

    answer = await ask("alice")
    if "{" in route.path:
        assert answer.status_code == 404
        assert _without_request_id(answer) == _without_request_id(await ask("never-existed"))
    else:
        assert "alice" not in answer.text
        assert created["_id"] not in answer.text
    # And nothing of it has changed.
    assert (await acme.get("/v1/profiles/alice")).json() == created


@pytest.mark.parametrize("name", ["starting_after", "ending_before"])
async def test_anothers_id_is_no_cursor(acme: httpx.AsyncClient, globex: httpx.AsyncClient, name: str) -> None:
    created = (await acme.post("/v1/profiles", data={"reference_id": "alice"})).json()
    await globex.post("/v1/profiles", data={"reference_id": "bob"})
    known = await globex.get("/v1/profiles", params={name: created["_id"]})
    unknown = await globex.get("/v1/profiles", params={name: "0" * 16})
    assert known.status_code == 400
    assert _without_request_id(known) == _without_request_id(unknown)


async def test_a_reference_id_is_unique_within_an_application_only(
    acme: httpx.AsyncClient, globex: httpx.AsyncClient
) -> None:
    ours = await acme.post("/v1/profiles", data={"reference_id": "alice"})
    theirs = await globex.post("/v1/profiles", data={"reference_id": "alice", "timezone": "Asia/Tokyo"})
    assert ours.status_code == theirs.status_code == 201
    assert ours.json()["_id"] != theirs.json()["_id"]
    await globex.delete("/v1/profiles/alice")
    assert (await acme.get("/v1/profiles/alice")).json() == ours.json()


async def test_lists_hold_ones_own_profiles_only(
    acme: httpx.AsyncClient, globex: httpx.AsyncClient, service: Service
) -> None:
    for number in range(3):
        await acme.post("/v1/profiles", data={"reference_id": f"acme-{number}"})
        await globex.post("/v1/profiles", data={"reference_id": f"globex-{number}"})
    for client, name in [(acme, "acme"), (globex, "globex")]:
        data = (await client.get("/v1/profiles")).json()["data"]
        assert [profile["reference_id"] for profile in data] == [f"{name}-{number}" for number in (2, 1, 0)]
    fresh = await service.client("initech")
    assert (await fresh.get("/v1/profiles")).json()["data"] == []
