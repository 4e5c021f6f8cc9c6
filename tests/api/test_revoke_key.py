"""DELETE /v1/keys/{key_id}"""

from datetime import timedelta

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


async def test_a_revoked_key_is_refused_at_once_and_stays_in_the_list(
    admin: httpx.AsyncClient, service: Service
) -> None:
    key_id, key = await new_key(admin)
    client = await service.client_with(f"Bearer {key}")
    # Remembered by now, which must not let it in.
    assert (await client.get("/v1/profiles")).status_code == 200
    response = await admin.delete(f"/v1/keys/{key_id}")
    assert (response.status_code, response.json()) == (200, {"_id": key_id, "deleted": True})
    assert (await client.get("/v1/profiles")).json()["code"] == "unauthenticated"
    found = {item["_id"]: item for item in await list_keys(admin)}
    assert (found[key_id]["works"], found[key_id]["revoked_at"]) == (False, to_ms(service.clock()))
    assert found[own_id(admin)]["works"]


async def test_revoking_again_changes_nothing(admin: httpx.AsyncClient, service: Service) -> None:
    key_id, _ = await new_key(admin)
    await admin.delete(f"/v1/keys/{key_id}")
    # The day of use is noted beside the request.
    await service.app.services.authenticator.finish()
    before = await list_keys(admin)
    service.clock.advance(hours=1)
    assert (await admin.delete(f"/v1/keys/{key_id}")).status_code == 200
    assert await list_keys(admin) == before


async def test_a_key_that_was_to_end_later_ends_now(admin: httpx.AsyncClient, service: Service) -> None:
    old = (await service.key("acme"))[:11]
    await access.rotate_key(service.engine, old, timedelta(days=7), service.clock())
    await admin.delete(f"/v1/keys/{old}")
    [found] = [key for key in await list_keys(admin) if key["_id"] == old]
    assert (found["works"], found["revoked_at"]) == (False, to_ms(service.clock()))


async def test_a_key_cannot_revoke_itself_but_another_can(admin: httpx.AsyncClient, service: Service) -> None:
    response = await admin.delete(f"/v1/keys/{own_id(admin)}")
    assert (response.status_code, response.json()["code"]) == (409, "own_key")
    assert "another key" in response.json()["detail"]
    _, second = await new_key(admin, scope="admin")
    other = await service.client_with(f"Bearer {second}")
    assert (await other.delete(f"/v1/keys/{own_id(admin)}")).status_code == 200
    assert (await admin.get("/v1/keys")).status_code == 401


async def test_another_applications_key_is_not_there(admin: httpx.AsyncClient, service: Service) -> None:
    other = await service.client("globex", Scope.ADMIN)
    response = await other.delete(f"/v1/keys/{own_id(admin)}")
    assert (response.status_code, response.json()["code"]) == (404, "key_not_found")
    assert (await admin.get("/v1/keys")).status_code == 200
    assert [key["revoked_at"] for key in await list_keys(admin)] == [None]


@pytest.mark.parametrize("form", ["pv_00000000", "pv_", "pv_%00%00%00%00%00%00%00%00", "{key}", "{shorter}"])
async def test_what_is_no_id_of_a_key_is_not_there(admin: httpx.AsyncClient, form: str) -> None:
    key_id, key = await new_key(admin)
    response = await admin.delete(f"/v1/keys/{form.format(key=key, shorter=key_id[:-1])}")
    assert (response.status_code, response.json()["code"]) == (404, "key_not_found")
    # A whole key in the path is not said again.
    assert key[11:] not in response.text
    assert all(item["works"] for item in await list_keys(admin))
