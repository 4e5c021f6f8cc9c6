"""GET /v1/keys"""

from datetime import timedelta
from typing import Any

import httpx
import pytest

from provender.model.access import Scope
from provender.model.times import to_ms
from provender.services import access
from tests.conftest import Service
from tests.keyring import list_keys, new_key, own_id


@pytest.fixture
async def admin(service: Service) -> httpx.AsyncClient:
    return await service.client("acme", Scope.ADMIN)


async def _page(client: httpx.AsyncClient, **parameters: Any) -> tuple[list[str], bool]:
    response = await client.get("/v1/keys", params=parameters)
    assert response.status_code == 200, response.text
    page = response.json()
    return [key["_id"] for key in page["data"]], page["has_more"]


async def test_an_item_says_all_of_a_key_but_the_key(admin: httpx.AsyncClient, service: Service) -> None:
    service.clock.advance(minutes=1)
    limited, key = await new_key(admin, scope="read", rate_limit=600)
    # The day of use is noted beside the request.
    await service.app.services.authenticator.finish()
    response = await admin.get("/v1/keys")
    assert response.json() == {
        "has_more": False,
        "data": [
            {
                "_id": limited,
                "scope": "read",
                "created_at": to_ms(service.clock()),
                "last_used_on": None,
                "revoked_at": None,
                "rate_limit": 600,
                "works": True,
                "is_own": False,
            },
            {
                "_id": own_id(admin),
                "scope": "admin",
                "created_at": to_ms(service.clock() - timedelta(minutes=1)),
                "last_used_on": "2026-03-10",
                "revoked_at": None,
                "rate_limit": None,
                "works": True,
                "is_own": True,
            },
        ],
    }
    for secret in (key[11:], admin.headers["authorization"][-20:]):
        assert secret not in response.text


async def test_a_key_that_ends_or_has_ended_is_listed_with_its_end(admin: httpx.AsyncClient, service: Service) -> None:
    old = (await service.key("acme"))[:11]
    await access.rotate_key(service.engine, old, timedelta(hours=1), service.clock())
    ends = to_ms(service.clock() + timedelta(hours=1))
    for works in (True, False):
        [found] = [key for key in await list_keys(admin) if key["_id"] == old]
        assert (found["revoked_at"], found["works"]) == (ends, works)
        service.clock.advance(hours=1)


async def test_the_list_is_newest_first_and_has_pages_in_both_directions(
    admin: httpx.AsyncClient, service: Service
) -> None:
    # Several of one moment have an order too.
    for number in range(11):
        await new_key(admin)
        service.clock.advance(seconds=number % 2)
    everything, more = await _page(admin, limit=100)
    assert (len(everything), more) == (12, False)
    times = [key["created_at"] for key in await list_keys(admin)]
    assert times == sorted(times, reverse=True)
    assert len(set(times)) == 6
    assert await _page(admin) == (everything[:10], True)
    for limit in (1, 5):
        seen, more = await _page(admin, limit=limit)
        while more:
            page, more = await _page(admin, limit=limit, starting_after=seen[-1])
            seen += page
        assert seen == everything
        seen, more = [everything[-1]], True
        while more:
            page, more = await _page(admin, limit=limit, ending_before=seen[0])
            seen = page + seen
        assert seen == everything


@pytest.mark.parametrize("cursor", ["pv_00000000", "pv_", "0" * 16, "pv_0000000\x00", "pv_000000000"])
async def test_a_cursor_that_is_no_key_of_the_list_is_refused(admin: httpx.AsyncClient, cursor: str) -> None:
    response = await admin.get("/v1/keys", params={"starting_after": cursor})
    assert (response.status_code, response.json()["code"]) == (400, "invalid_cursor")


async def test_another_applications_keys_are_not_listed_and_no_cursors(
    admin: httpx.AsyncClient, service: Service
) -> None:
    other = await service.client("globex", Scope.ADMIN)
    assert [key["_id"] for key in await list_keys(other)] == [own_id(other)]
    response = await other.get("/v1/keys", params={"starting_after": own_id(admin)})
    assert response.json()["code"] == "invalid_cursor"


@pytest.mark.parametrize("scope", [Scope.READ, Scope.WRITE])
async def test_keys_are_for_keys_of_scope_admin(service: Service, scope: Scope) -> None:
    client = await service.client("acme", scope)
    for response in (
        await client.get("/v1/keys"),
        await client.post("/v1/keys"),
        await client.delete("/v1/keys/pv_00000000"),
    ):
        assert (response.status_code, response.json()["code"]) == (403, "insufficient_scope")
    [row] = await service.engine.all("SELECT revoked_at FROM api_keys")
    assert row[0] is None
