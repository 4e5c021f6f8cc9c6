"""Who is let in, and for what."""

import asyncio
from datetime import timedelta
from typing import NoReturn

import httpx
import pytest

from provender.model.access import Scope, hash_key, new_key
from provender.model.errors import InvalidRequest
from provender.services import access
from provender.services.access import Authenticator
from provender.storage.access import list_keys
from tests.conftest import Service, SettableClock
from tests.storage.recording import RecordingEngine


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


async def _works(service: Service, key: str) -> bool:
    """Whether a worker that has not seen the key lately takes it."""
    client = await service.client_with(f"Bearer {key}")
    service.app.services.authenticator._known.clear()  # noqa: SLF001 - It would be remembered for two seconds.
    return (await client.get("/v1/profiles")).status_code == 200


async def test_a_rotated_key_works_beside_the_new_one_until_the_overlap_is_over(service: Service) -> None:
    old = await service.key("acme", Scope.ADMIN)
    await access.limit_key(service.engine, old, 600, service.clock())
    new, ending = await access.rotate_key(service.engine, old[:11], timedelta(hours=24), service.clock())
    assert ending.revoked_at == service.clock() + timedelta(hours=24)
    [first, second] = sorted(await list_keys(service.engine), key=lambda key: key.revoked_at is None)
    assert (first.hash, second.hash) == (hash_key(old), hash_key(new))
    assert (second.application_name, second.scope, second.prefix) == ("acme", Scope.ADMIN, new[:11])
    assert second.rate_limit == 600
    assert await _works(service, old)
    assert await _works(service, new)
    service.clock.advance(hours=24, milliseconds=-1)
    assert await _works(service, old)
    service.clock.advance(milliseconds=1)
    assert not await _works(service, old)
    assert await _works(service, new)


async def test_no_overlap_ends_a_rotated_key_at_once(service: Service) -> None:
    old = await service.key("acme")
    new, _ = await access.rotate_key(service.engine, old, timedelta(), service.clock())
    assert not await _works(service, old)
    assert await _works(service, new)


async def test_a_key_that_runs_out_can_be_revoked_before(service: Service) -> None:
    old = await service.key("acme")
    await access.rotate_key(service.engine, old, timedelta(days=7), service.clock())
    await access.revoke_key(service.engine, old, service.clock())
    assert not await _works(service, old)
    # To revoke it again, later, does not put it off.
    revoked_at = service.clock()
    service.clock.advance(hours=1)
    await access.revoke_key(service.engine, old, service.clock())
    assert revoked_at in [key.revoked_at for key in await list_keys(service.engine)]


async def test_of_many_rotations_at_once_one_makes_a_key(service: Service) -> None:
    old = await service.key("acme")
    rotations = [access.rotate_key(service.engine, old, timedelta(days=7 - each), service.clock()) for each in range(8)]
    outcomes = await asyncio.gather(*rotations, return_exceptions=True)
    refused = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert [type(outcome) for outcome in refused] == [InvalidRequest] * 7
    assert len(await list_keys(service.engine)) == 2


async def test_a_key_is_not_remembered_for_longer_than_it_works(service: Service, clock: SettableClock) -> None:
    old = await service.key("acme")
    await access.rotate_key(service.engine, old, timedelta(seconds=1.5), clock())
    passed = 0.0
    authenticator = Authenticator(service.engine, clock, timer=lambda: passed)
    await authenticator.authenticate(old)
    passed = 1.4
    assert authenticator.recall(old.encode()) is not None
    passed = 1.5
    assert authenticator.recall(old.encode()) is None
    await authenticator.finish()


def _refuse(*_compared: object) -> NoReturn:
    raise AssertionError("a key was compared as it is, and not by its hash")


class _IncomparableBytes(bytes):
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _refuse


class _Incomparable(str):
    """A text that must not be compared with another, nor be found by what Python makes of it."""

    __slots__ = ()

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _refuse

    def encode(self, *_how: str) -> bytes:
        return _IncomparableBytes(str(self).encode())


async def test_keys_are_compared_by_their_hashes_only(service: Service, clock: SettableClock) -> None:
    key = await service.key("acme")
    engine = RecordingEngine(service.engine)
    authenticator = Authenticator(engine, clock)
    caller = await authenticator.authenticate(_Incomparable(key))
    assert await authenticator.authenticate(_Incomparable(key)) is caller
    assert authenticator.recall(_IncomparableBytes(key.encode())) is caller
    await authenticator.finish()
    values = [value for asked in engine.take() for value in asked.values]
    assert hash_key(key) in values
    assert not [value for value in values if isinstance(value, str) and value in key]


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
