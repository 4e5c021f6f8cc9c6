"""Who is let in, and for what."""

import asyncio

import httpx
import pytest

from provender.model.access import Scope, hash_key, new_key
from provender.services import access
from provender.storage.access import list_keys
from tests.conftest import Service


async def _refused(client: httpx.AsyncClient) -> httpx.Response:
    response = await client.get("/v1/profiles")
    assert response.status_code == 401
    assert response.json()["code"] == "unauthenticated"
    assert response.headers["www-authenticate"] == "Bearer"
    return response


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Basic YWxpY2U6c2VjcmV0",
        "Bearer nonsense",
        "Bearer pv_",
        "Bearer pv_" + "a" * 38,
        "Bearer " + "x" * 5000,
        "pv_" + "a" * 38,
    ],
)
async def test_a_missing_or_malformed_key_is_refused(service: Service, authorization: str | None) -> None:
    await _refused(await service.client_with(authorization))


async def test_an_unknown_key_is_refused(service: Service) -> None:
    await _refused(await service.client_with(f"Bearer {new_key()}"))


async def test_a_key_with_one_letter_changed_is_refused(service: Service) -> None:
    key = await service.key("acme")
    changed = key[:10] + ("a" if key[10] != "a" else "b") + key[11:]
    await _refused(await service.client_with(f"Bearer {changed}"))


async def test_the_scheme_is_read_in_any_case(service: Service) -> None:
    client = await service.client_with(f"bearer {await service.key('acme')}")
    assert (await client.get("/v1/profiles")).status_code == 200


async def test_a_new_key_works_at_once_even_after_it_was_refused(service: Service) -> None:
    key = new_key()
    client = await service.client_with(f"Bearer {key}")
    await _refused(client)
    # The key is made elsewhere, as by the command line, while this server has just refused it.
    working = await service.key("acme")
    await service.engine.change("UPDATE api_keys SET hash = $1 WHERE hash = $2", hash_key(key), hash_key(working))
    assert (await client.get("/v1/profiles")).status_code == 200


async def test_a_revoked_key_stops_working_within_5_seconds(service: Service) -> None:
    key = await service.key("acme")
    client = await service.client_with(f"Bearer {key}")
    assert (await client.get("/v1/profiles")).status_code == 200
    await access.revoke_key(service.engine, key[:11], service.clock())
    async with asyncio.timeout(5):
        while (await client.get("/v1/profiles")).status_code != 401:
            await asyncio.sleep(0.1)
    await _refused(client)


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/v1/profiles"), ("PATCH", "/v1/profiles/alice"), ("DELETE", "/v1/profiles/alice")],
)
async def test_a_read_key_may_not_write(service: Service, acme: httpx.AsyncClient, method: str, path: str) -> None:
    created = await acme.post("/v1/profiles", data={"reference_id": "alice"})
    reader = await service.client("acme", Scope.READ)
    response = await reader.request(method, path)
    assert response.status_code == 403
    assert response.json()["code"] == "insufficient_scope"
    assert (await reader.get("/v1/profiles/alice")).json() == created.json()


async def test_an_admin_key_may_read_and_write(service: Service) -> None:
    admin = await service.client("acme", Scope.ADMIN)
    assert (await admin.post("/v1/profiles", data={"reference_id": "alice"})).status_code == 201
    assert (await admin.get("/v1/profiles/alice")).status_code == 200


async def test_several_keys_open_the_same_application(service: Service, acme: httpx.AsyncClient) -> None:
    created = await acme.post("/v1/profiles", data={"reference_id": "alice"})
    other_key = await service.client("acme")
    assert (await other_key.get("/v1/profiles/alice")).json() == created.json()


async def test_the_day_of_use_is_noted(service: Service) -> None:
    client = await service.client("acme")
    [key] = await list_keys(service.engine)
    assert key.last_used_on is None
    await client.get("/v1/profiles")
    async with asyncio.timeout(5):
        while (await list_keys(service.engine))[0].last_used_on is None:
            await asyncio.sleep(0.01)
    assert (await list_keys(service.engine))[0].last_used_on == service.clock().date()


async def test_a_key_is_stored_only_as_a_hash(service: Service) -> None:
    key = await service.key("acme")
    [row] = await service.engine.all("SELECT * FROM api_keys")
    stored = " ".join(str(value) for value in row)
    assert key not in stored
    assert key[11:] not in stored


async def test_no_answer_is_given_before_the_key_is_checked(service: Service) -> None:
    stranger = await service.client_with(None)
    for method, path in [("GET", "/v1/profiles/alice"), ("DELETE", "/v1/profiles/alice"), ("PATCH", "/v1/profiles/x")]:
        assert (await stranger.request(method, path)).status_code == 401
    # Not even a body is judged for a stranger.
    assert (await stranger.post("/v1/profiles", content=b"x" * 2_000_000)).status_code == 401
