"""POST /v1/keys"""

import httpx
import pytest

from provender.model.access import LARGEST_LIMIT, Scope, hash_key, is_key
from provender.storage.engine import Engine
from tests.conftest import Service
from tests.keyring import list_keys, new_key, own_id
from tests.kitchen import faults

KEY = {"Idempotency-Key": "one"}


@pytest.fixture
async def admin(service: Service) -> httpx.AsyncClient:
    return await service.client("acme", Scope.ADMIN)


async def test_a_key_is_told_once_and_works_at_once(admin: httpx.AsyncClient, service: Service, engine: Engine) -> None:
    response = await admin.post("/v1/keys")
    made = response.json()
    assert (response.status_code, made.keys(), made["created"]) == (201, {"_id", "key", "created"}, True)
    assert is_key(made["key"])
    assert made["key"].startswith(made["_id"])
    client = await service.client_with(f"Bearer {made['key']}")
    assert (await client.post("/v1/profiles", data={"reference_id": "alice"})).status_code == 201
    assert (await client.get("/v1/keys")).status_code == 403
    # Of the same application, and kept as its hash alone.
    assert (await admin.get("/v1/profiles/alice")).status_code == 200
    row = await engine.one("SELECT hash, scope, rate_limit FROM api_keys WHERE prefix = $1", made["_id"])
    assert row is not None
    assert list(row) == [hash_key(made["key"]), "write", None]


@pytest.mark.parametrize("scope", ["read", "write", "admin"])
async def test_a_key_may_do_what_its_scope_says(admin: httpx.AsyncClient, service: Service, scope: str) -> None:
    _, key = await new_key(admin, scope=scope)
    client = await service.client_with(f"Bearer {key}")
    statuses = [
        (await client.get("/v1/profiles")).status_code,
        (await client.post("/v1/profiles", data={"reference_id": "alice"})).status_code,
        (await client.get("/v1/keys")).status_code,
    ]
    assert statuses == {"read": [200, 403, 403], "write": [200, 201, 403], "admin": [200, 201, 200]}[scope]


async def test_a_key_has_the_limit_that_it_is_given(admin: httpx.AsyncClient, service: Service) -> None:
    _, key = await new_key(admin, rate_limit=7)
    client = await service.client_with(f"Bearer {key}")
    assert (await client.get("/v1/profiles")).headers["ratelimit-limit"] == "7"
    for sent, kept in ((0, 0), (LARGEST_LIMIT, LARGEST_LIMIT), (None, None)):
        response = await admin.post("/v1/keys", json={"rate_limit": sent})
        [found] = [each for each in await list_keys(admin) if each["_id"] == response.json()["_id"]]
        assert found["rate_limit"] == kept


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"scope": "owner"}, ("scope", "not_allowed")),
        ({"rate_limit": -1}, ("rate_limit", "out_of_range")),
        ({"rate_limit": LARGEST_LIMIT + 1}, ("rate_limit", "out_of_range")),
        ({"rate_limit": "many"}, ("rate_limit", "wrong_type")),
        ({"application": "globex"}, ("application", "unknown_parameter")),
    ],
)
async def test_what_does_not_fit_makes_no_key(
    admin: httpx.AsyncClient, body: dict[str, object], fault: tuple[str, str]
) -> None:
    response = await admin.post("/v1/keys", json=body)
    assert faults(response) == [fault]
    assert [key["_id"] for key in await list_keys(admin)] == [own_id(admin)]


async def test_a_request_that_is_sent_again_gets_the_id_and_not_the_key(
    admin: httpx.AsyncClient, engine: Engine
) -> None:
    first = (await admin.post("/v1/keys", data={"scope": "read"}, headers=KEY)).json()
    again = await admin.post("/v1/keys", data={"scope": "read"}, headers=KEY)
    assert (again.status_code, again.headers["idempotent-replayed"]) == (201, "true")
    assert again.json() == {"_id": first["_id"], "key": None, "created": True}
    assert len(await list_keys(admin)) == 2
    other = await admin.post("/v1/keys", data={"scope": "write"}, headers=KEY)
    assert other.json()["code"] == "idempotency_key_reused"
    [row] = await engine.all("SELECT * FROM answered_requests")
    assert first["_id"].encode() in bytes(row[-1])
    assert first["key"][11:] not in repr(tuple(row))


async def test_the_answer_is_kept_for_a_day_and_goes_with_no_profile(
    admin: httpx.AsyncClient, service: Service
) -> None:
    await admin.post("/v1/profiles", data={"reference_id": "alice"})
    first = await admin.post("/v1/keys", headers=KEY)
    await admin.delete("/v1/profiles/alice")
    service.clock.advance(hours=23, minutes=59)
    again = await admin.post("/v1/keys", headers=KEY)
    assert again.json()["_id"] == first.json()["_id"]
    service.clock.advance(minutes=1)
    anew = await admin.post("/v1/keys", headers=KEY)
    assert anew.json()["key"] is not None
    assert anew.json()["_id"] != first.json()["_id"]
