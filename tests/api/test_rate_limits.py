"""Limits of keys, and of keys that do not exist."""

from dataclasses import replace

import httpx
import pytest

from provender.model.access import NO_LIMIT, Scope, new_key
from provender.services import access
from provender.settings import Settings
from provender.storage import access as storage
from tests.conftest import Service

LIMIT = 4


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """For every key that has no limit of its own."""
    return replace(settings, rate_limit=LIMIT)


async def _client(service: Service, limit: int | None, scope: Scope = Scope.WRITE) -> httpx.AsyncClient:
    key = await access.create_key(service.engine, "acme", scope, service.clock(), limit)
    return await service.client_with(f"Bearer {key}")


def _quota(response: httpx.Response) -> tuple[int, int]:
    limit, remaining, reset = (int(response.headers[f"RateLimit-{name}"]) for name in ("Limit", "Remaining", "Reset"))
    assert 1 <= reset <= 60
    return limit, remaining


async def _refused(client: httpx.AsyncClient, limit: int) -> None:
    response = await client.get("/v1/profiles")
    assert response.status_code == 429
    assert response.json()["code"] == "too_many_requests"
    assert _quota(response) == (limit, 0)
    assert 1 <= int(response.headers["Retry-After"]) <= -(-60 // limit)


async def test_a_key_over_its_limit_is_refused_and_others_are_not(service: Service, acme: httpx.AsyncClient) -> None:
    for remaining in (3, 2, 1, 0):
        response = await acme.get("/v1/profiles")
        assert response.status_code == 200
        assert _quota(response) == (LIMIT, remaining)
        assert "retry-after" not in response.headers
    await _refused(acme, LIMIT)
    same_application = await service.client("acme")
    assert (await same_application.get("/v1/profiles")).status_code == 200
    assert '"status":429' in service.log_lines()[-2]


async def test_nothing_of_a_refused_request_is_done(service: Service) -> None:
    client = await _client(service, 1)
    assert (await client.post("/v1/profiles", data={"reference_id": "alice"})).status_code == 201
    for _ in range(3):
        assert (await client.post("/v1/profiles", data={"reference_id": "bob"})).status_code == 429
        assert (await client.delete("/v1/profiles/alice")).status_code == 429
    other = await _client(service, NO_LIMIT)
    assert [each["reference_id"] for each in (await other.get("/v1/profiles")).json()["data"]] == ["alice"]


async def test_every_answer_tells_of_the_quota_and_counts_as_one(service: Service) -> None:
    client = await _client(service, 10)
    answers = [
        await client.post("/v1/profiles", data={"reference_id": "alice"}),
        await client.get("/v1/profiles/alice/export"),
        await client.post("/v1/profiles", data={}),
        await client.get("/v1/profiles/nobody"),
        await client.post("/v1/profiles", content=b"<a/>", headers={"Content-Type": "text/xml"}),
        await client.head("/v1/profiles"),
    ]
    assert [answer.status_code for answer in answers] == [201, 200, 400, 404, 415, 200]
    assert [_quota(answer) for answer in answers] == [(10, remaining) for remaining in range(9, 3, -1)]
    reader = await _client(service, 10, Scope.READ)
    forbidden = await reader.post("/v1/profiles", data={"reference_id": "bob"})
    assert (forbidden.status_code, _quota(forbidden)) == (403, (10, 9))


async def test_a_limit_of_its_own_wins_and_none_is_none(service: Service) -> None:
    one, unlimited = await _client(service, 1), await _client(service, NO_LIMIT)
    assert _quota(await one.get("/v1/profiles")) == (1, 0)
    await _refused(one, 1)
    for _ in range(2 * LIMIT):
        response = await unlimited.get("/v1/profiles")
        assert response.status_code == 200
        assert not [name for name in response.headers if name.startswith("ratelimit")]


async def test_a_limit_that_is_changed_holds_and_what_was_used_stays_so(service: Service) -> None:
    key = await service.key("acme")
    for limit, remaining in [(LIMIT, 3), (8, 5), (None, 1)]:
        await access.limit_key(service.engine, key, limit, service.clock())
        # A client whose key nobody remembers from before the change.
        service.app.services.authenticator._known.clear()  # noqa: SLF001 - It takes two seconds otherwise.
        client = await service.client_with(f"Bearer {key}")
        assert _quota(await client.get("/v1/profiles")) == (limit or LIMIT, remaining)


async def test_what_needs_no_key_has_no_limit(service: Service) -> None:
    stranger = await service.client_with(None)
    for path in ("/healthz", "/readyz", "/openapi.json", "/docs/errors", "/nowhere"):
        for _ in range(2 * LIMIT):
            response = await stranger.get(path)
            assert response.status_code in (200, 404)
            assert not [name for name in response.headers if name.startswith("ratelimit")]


async def test_keys_that_do_not_exist_are_looked_for_only_so_often(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "UNKNOWN_KEYS_A_MINUTE", 20)
    looked_for = []
    find_key = storage.find_key

    async def find(engine: object, key_hash: bytes) -> object:
        looked_for.append(key_hash)
        return await find_key(service.engine, key_hash)

    monkeypatch.setattr(storage, "find_key", find)
    authenticator = service.app.services.authenticator
    authenticator.__init__(service.engine, service.clock)  # type: ignore[misc]  # With the limit of this test.
    known = await _client(service, NO_LIMIT)
    assert (await known.get("/v1/profiles")).status_code == 200
    looked_for.clear()
    statuses = []
    for _ in range(40):
        guess = await service.client_with(f"Bearer {new_key()}")
        response = await guess.get("/v1/profiles")
        statuses.append(response.status_code)
        if response.status_code == 429:
            assert int(response.headers["Retry-After"]) >= 1
            assert "ratelimit-limit" not in response.headers
    # One more every three seconds, should this take so long.
    assert 20 <= statuses.count(401) == len(looked_for) <= 30
    assert set(statuses) == {401, 429}
    # Keys that have worked here go on, though they are looked for again.
    authenticator._known.clear()  # noqa: SLF001 - It takes two seconds otherwise.
    assert (await known.get("/v1/profiles")).status_code == 200
    assert len(authenticator._have_worked) == 1  # noqa: SLF001 - That guesses fill no memory, no answer shows.


async def test_a_revoked_key_is_no_way_around(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "UNKNOWN_KEYS_A_MINUTE", 3)
    authenticator = service.app.services.authenticator
    authenticator.__init__(service.engine, service.clock)  # type: ignore[misc]  # With the limit of this test.
    key = await service.key("acme")
    client = await service.client_with(f"Bearer {key}")
    assert (await client.get("/v1/profiles")).status_code == 200
    await access.revoke_key(service.engine, key, service.clock())
    authenticator._known.clear()  # noqa: SLF001 - It takes two seconds otherwise.
    assert [(await client.get("/v1/profiles")).status_code for _ in range(5)] == [401, 401, 401, 429, 429]
