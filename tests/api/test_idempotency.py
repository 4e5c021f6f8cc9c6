"""The header Idempotency-Key: a POST that is sent again is answered again, and written once."""

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import httpx
import msgspec
import pytest

from provender.api.app import ROUTES
from provender.model.access import Scope
from provender.storage.engine import Engine
from tests.conftest import Service
from tests.contract import openapi
from tests.kitchen import GRANOLA, add_favorite, faults, list_favorites, new_food, new_profile
from tests.menu import new_meal
from tests.pantry import BANANA, PANTRY

KEY = {"Idempotency-Key": "2b1a6f1c-7f0d-4a52-9a3e-6f0f6a0a5f51"}


class Example(NamedTuple):
    """A request to a POST route that succeeds when the profile alice exists, and changes something."""

    route: str
    body: dict[str, Any]
    path: str = ""
    # What the first answer alone tells; it is null when the answer is given again.
    told_once: str | None = None

    async def send(self, client: httpx.AsyncClient, headers: dict[str, str]) -> httpx.Response:
        return await client.post(self.path or self.route, json=self.body, headers=headers)

    def repeated(self, first: httpx.Response) -> bytes:
        """The body of the answer to the same request when it is sent again."""
        if self.told_once is None:
            return first.content
        assert first.json()[self.told_once] is not None
        return msgspec.json.encode(first.json() | {self.told_once: None})


_BY_ALICE = {"profile_reference_id": "alice"}

# Every POST route there is.
EXAMPLES = [
    Example("/v1/profiles", {"reference_id": "bob", "timezone": "Europe/Berlin"}),
    Example("/v1/profiles/import", {"format": 1, "reference_id": "carol", "created_at": 0, "updated_at": 0}),
    Example("/v1/foods/custom", GRANOLA | _BY_ALICE),
    Example("/v1/foods/favorites/{food_id}", _BY_ALICE, f"/v1/foods/favorites/{BANANA.id}"),
    Example("/v1/diary-logs", _BY_ALICE | {"food_id": BANANA.id}),
    Example("/v1/diary-logs/batch", {"logs": [_BY_ALICE | {"food_id": BANANA.id}] * 3}),
    Example("/v1/diary-logs/copy", _BY_ALICE | {"from": "2026-03-09", "to": "2026-03-10"}),
    Example("/v1/saved-meals", _BY_ALICE | {"name": "Usual", "items": [{"food_id": BANANA.id}]}),
    Example("/v1/saved-meals/{meal_id}/log", {}, "/v1/saved-meals/{meal_id}/log"),
    Example("/v1/keys", {"scope": "read"}, told_once="key"),
]


def was_replayed(response: httpx.Response) -> bool:
    return bool(response.headers.get("idempotent-replayed") == "true")


def test_every_post_route_has_an_example() -> None:
    assert {example.route for example in EXAMPLES} == {route.path for route in ROUTES if route.method == "POST"}


def test_every_post_route_documents_the_key() -> None:
    for example in EXAMPLES:
        operation = openapi()["paths"][example.route]["post"]
        assert {"$ref": "#/components/parameters/Idempotency-Key"} in operation["parameters"]
        assert "`idempotency_key_reused`" in operation["responses"]["409"]["description"]
        for status, response in operation["responses"].items():
            assert ("Idempotent-Replayed" in response["headers"]) == status.startswith("2")


async def _stored(engine: Engine) -> dict[str, Sequence[Any]]:
    """Every row of every table that a request writes to, but the answers themselves."""
    if type(engine).__name__ == "PostgresqlEngine":
        rows = await engine.all("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
    else:
        rows = await engine.all("SELECT name FROM sqlite_schema WHERE type = 'table'")
    # What is noted beside requests: how many there were, and the day on which a key was used.
    names = sorted({row[0] for row in rows} - {"answered_requests", "api_keys", "usage"})
    stored: dict[str, Sequence[Any]] = {
        name: sorted(map(repr, await engine.all(f"SELECT * FROM {name}"))) for name in names
    }
    keys = await engine.all("SELECT hash, application_id, scope, created_at, revoked_at FROM api_keys ORDER BY hash")
    return stored | {"api_keys": list(map(repr, keys))}


async def _staged(client: httpx.AsyncClient, example: Example) -> Example:
    """The example with what the examples need: a profile, a day to copy, and a meal to log."""
    await new_profile(client, "alice")
    await client.post("/v1/diary-logs", json=_BY_ALICE | {"food_id": BANANA.id, "date": "2026-03-09"})
    return example._replace(path=example.path.format(meal_id=await new_meal(client, [BANANA.id])))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.route)
async def test_every_post_route_answers_again_and_writes_once(service: Service, example: Example) -> None:
    acme = await service.client("acme", Scope.ADMIN)
    example = await _staged(acme, example)
    before = await _stored(service.engine)
    first = await example.send(acme, KEY)
    assert first.is_success, first.text
    assert not was_replayed(first)
    after = await _stored(service.engine)
    assert after != before
    service.clock.advance(seconds=5)
    again = await example.send(acme, KEY)
    assert was_replayed(again)
    assert (again.status_code, again.content) == (first.status_code, example.repeated(first))
    assert again.headers["content-type"] == first.headers["content-type"]
    assert await _stored(service.engine) == after


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.route)
async def test_of_32_equal_requests_at_once_one_writes_and_all_get_its_answer(
    service: Service, example: Example
) -> None:
    acme = await service.client("acme", Scope.ADMIN)
    example = await _staged(acme, example)
    for number in range(3):
        if "reference_id" in example.body:
            example = example._replace(body=example.body | {"reference_id": f"bob-{number}"})
        key = {"Idempotency-Key": str(number)}
        responses = await asyncio.gather(*(example.send(acme, key) for _ in range(32)))
        assert {response.status_code for response in responses} == {responses[0].status_code}
        assert responses[0].is_success, responses[0].text
        assert Counter(map(was_replayed, responses)) == {False: 1, True: 31}
        [first] = [response for response in responses if not was_replayed(response)]
        assert {response.content for response in responses if was_replayed(response)} == {example.repeated(first)}
        rows = await service.engine.all("SELECT scope FROM answered_requests")
        assert len(rows) == number + 1


async def test_of_one_key_with_many_bodies_at_once_one_body_wins(acme: httpx.AsyncClient) -> None:
    """Also where they are for different profiles, which do not wait for each other otherwise."""
    names = [f"user-{number}" for number in range(16)]
    for name in names:
        await new_profile(acme, name)
    bodies = [GRANOLA | {"profile_reference_id": name} for name in names] * 2
    responses = await asyncio.gather(*(acme.post("/v1/foods/custom", json=body, headers=KEY) for body in bodies))
    assert Counter(response.status_code for response in responses) == {201: 2, 409: 30}
    assert len({response.content for response in responses if response.status_code == 201}) == 1
    foods = [(await acme.get(f"/v1/foods/custom?profile_reference_id={name}")).json()["data"] for name in names]
    assert sorted(map(len, foods)) == [0] * 15 + [1]


async def test_many_requests_with_keys_of_their_own_are_all_written(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    foods = await asyncio.gather(
        *(
            acme.post("/v1/foods/custom", json=GRANOLA | _BY_ALICE, headers={"Idempotency-Key": str(number)})
            for number in range(64)
        )
    )
    assert not any(map(was_replayed, foods))
    assert len({response.json()["_id"] for response in foods}) == 64


async def test_the_key_with_another_body_is_refused_and_writes_nothing(acme: httpx.AsyncClient) -> None:
    first = await acme.post("/v1/profiles", data={"reference_id": "alice"}, headers=KEY)
    other = await acme.post("/v1/profiles", data={"reference_id": "bob"}, headers=KEY)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")
    assert not was_replayed(other)
    assert (await acme.get("/v1/profiles/bob")).status_code == 404
    # Whether the other body is right is not looked at.
    assert (await acme.post("/v1/profiles", data={"nonsense": "1"}, headers=KEY)).status_code == 409
    again = await acme.post("/v1/profiles", data={"reference_id": "alice"}, headers=KEY)
    assert was_replayed(again)
    assert again.content == first.content


async def test_the_same_bytes_as_another_media_type_are_another_body(acme: httpx.AsyncClient) -> None:
    form = "application/x-www-form-urlencoded"
    body = b"reference_id=alice"
    first = await acme.post("/v1/profiles", content=body, headers=KEY | {"Content-Type": form})
    assert first.status_code == 201
    utf_8 = await acme.post("/v1/profiles", content=body, headers=KEY | {"Content-Type": f"{form}; charset=utf-8"})
    assert was_replayed(utf_8)
    other = await acme.post("/v1/profiles", content=body, headers=KEY | {"Content-Type": "application/json"})
    assert other.json()["code"] == "idempotency_key_reused"


async def test_json_that_was_encoded_anew_is_the_same_body(acme: httpx.AsyncClient) -> None:
    """As by an app that was offline and restarted: some encoders put members in another order each time."""
    await new_profile(acme)
    headers = KEY | {"Content-Type": "application/json"}
    body = GRANOLA | _BY_ALICE | {"macro_nutrients": {"energy_kcal": 471, "total_fat_in_gm": 20.0}}
    first = await acme.post("/v1/foods/custom", content=json.dumps(body), headers=headers)
    assert first.status_code == 201
    turned = {name: dict(reversed(value.items())) if isinstance(value, dict) else value for name, value in body.items()}
    anew = json.dumps(dict(reversed(turned.items())), indent=2)
    assert anew != json.dumps(body)
    again = await acme.post("/v1/foods/custom", content=anew, headers=headers)
    assert was_replayed(again)
    assert again.content == first.content
    other = anew.replace("471", "472")
    assert (await acme.post("/v1/foods/custom", content=other, headers=headers)).status_code == 409


async def test_what_is_no_json_is_compared_as_it_is(acme: httpx.AsyncClient) -> None:
    headers = KEY | {"Content-Type": "application/json"}
    await acme.post("/v1/profiles", content=b'{"reference_id": "alice"}', headers=headers)
    # A name that comes twice, too many values, too deep, and nothing that is JSON: as another body, not for its faults.
    for body in (
        b'{"reference_id": "alice", "reference_id": "alice"}',
        b'{"a": [%b1]}' % (b"1," * 5000),
        b"[" * 100_000,
        b"\xff",
        b"[]",
        b"",
    ):
        refused = await acme.post("/v1/profiles", content=body, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (409, "idempotency_key_reused")


async def test_the_items_of_a_list_have_an_order(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    logs = [_BY_ALICE | {"food_id": BANANA.id, "note": note} for note in "ab"]
    assert (await acme.post("/v1/diary-logs/batch", json={"logs": logs}, headers=KEY)).status_code == 201
    again = await acme.post("/v1/diary-logs/batch", json={"logs": logs[::-1]}, headers=KEY)
    assert again.json()["code"] == "idempotency_key_reused"


async def test_another_key_another_path_and_no_key_are_other_requests(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    body = GRANOLA | _BY_ALICE
    ids = [
        (await acme.post("/v1/foods/custom", json=body, headers=headers)).json()["_id"]
        for headers in (KEY, {"Idempotency-Key": KEY["Idempotency-Key"].upper()}, {}, {})
    ]
    assert len(set(ids)) == 4
    for food_id in ids:
        added = await acme.post(f"/v1/foods/favorites/{food_id}", json=_BY_ALICE, headers=KEY)
        assert (added.status_code, was_replayed(added)) == (201, False)
    assert await list_favorites(acme) == (ids[::-1], False)


async def test_another_application_may_have_the_same_key(acme: httpx.AsyncClient, globex: httpx.AsyncClient) -> None:
    ours = await acme.post("/v1/profiles", data={"reference_id": "alice"}, headers=KEY)
    theirs = await globex.post("/v1/profiles", data={"reference_id": "alice"}, headers=KEY)
    other = await globex.post("/v1/profiles", data={"reference_id": "bob"}, headers={"Idempotency-Key": "other"})
    assert ours.status_code == theirs.status_code == other.status_code == 201
    assert not was_replayed(theirs)
    assert ours.json()["_id"] != theirs.json()["_id"]


async def test_another_key_of_the_same_application_gets_the_same_answer(
    acme: httpx.AsyncClient, service: Service
) -> None:
    first = await acme.post("/v1/profiles", data={"reference_id": "alice"}, headers=KEY)
    colleague = await service.client("acme", Scope.ADMIN)
    again = await colleague.post("/v1/profiles", data={"reference_id": "alice"}, headers=KEY)
    assert was_replayed(again)
    assert again.content == first.content


async def test_a_request_that_failed_may_be_sent_again_and_changed(acme: httpx.AsyncClient, engine: Engine) -> None:
    for body in ({"nonsense": "1"}, GRANOLA | {"food_name": ""}, GRANOLA | _BY_ALICE):
        failed = await acme.post("/v1/foods/custom", json=body, headers=KEY)
        assert failed.status_code in (400, 404)
    assert not await engine.all("SELECT scope FROM answered_requests")
    await new_profile(acme)
    for is_again in (False, True):
        made = await acme.post("/v1/foods/custom", json=GRANOLA | _BY_ALICE, headers=KEY)
        assert (made.status_code, was_replayed(made)) == (201, is_again)


async def test_a_conflict_is_no_answer_that_is_kept(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    taken = await acme.post("/v1/profiles", data={"reference_id": "alice"}, headers=KEY)
    assert taken.json()["code"] == "reference_id_taken"
    await acme.delete("/v1/profiles/alice")
    made = await acme.post("/v1/profiles", data={"reference_id": "alice"}, headers=KEY)
    assert (made.status_code, was_replayed(made)) == (201, False)


async def test_an_answer_is_kept_for_24_hours(acme: httpx.AsyncClient, service: Service) -> None:
    await new_profile(acme)

    async def send() -> httpx.Response:
        return await acme.post("/v1/foods/custom", json=GRANOLA | _BY_ALICE, headers=KEY)

    first = await send()
    service.clock.advance(hours=23, minutes=59, seconds=59)
    assert (await send()).content == first.content
    # Being given again does not keep it any longer.
    service.clock.advance(seconds=1)
    second = await send()
    assert not was_replayed(second)
    assert second.json()["_id"] != first.json()["_id"]
    service.clock.advance(hours=23)
    assert (await send()).content == second.content
    service.clock.advance(hours=1)
    renamed = GRANOLA | _BY_ALICE | {"food_name": "Other"}
    assert (await acme.post("/v1/foods/custom", json=renamed, headers=KEY)).status_code == 201


async def test_the_answer_goes_with_its_profile(acme: httpx.AsyncClient) -> None:
    """At once, also for a profile that is created anew under the same reference_id."""
    await new_profile(acme)
    food = await acme.post("/v1/foods/custom", json=GRANOLA | _BY_ALICE, headers=KEY)
    await acme.delete("/v1/profiles/alice")
    gone = await acme.post("/v1/foods/custom", json=GRANOLA | _BY_ALICE, headers=KEY)
    assert gone.json()["code"] == "profile_not_found"
    await new_profile(acme)
    anew = await acme.post("/v1/foods/custom", json=GRANOLA | _BY_ALICE, headers=KEY)
    assert (anew.status_code, was_replayed(anew)) == (201, False)
    assert anew.json()["_id"] != food.json()["_id"]


async def test_a_profile_is_created_anew_with_the_key_of_the_deleted_one(acme: httpx.AsyncClient) -> None:
    ids = set()
    for _ in range(3):
        for is_again in (False, True):
            created = await acme.post("/v1/profiles", data={"reference_id": "alice"}, headers=KEY)
            assert (created.status_code, was_replayed(created)) == (201, is_again)
        ids.add(created.json()["_id"])
        await acme.delete("/v1/profiles/alice")
    assert len(ids) == 3


async def test_equal_requests_after_a_deletion_write_once_too(acme: httpx.AsyncClient) -> None:
    """What the deleted profile has left under the key is in the way of all of them."""
    for _ in range(5):
        responses = await asyncio.gather(
            *(acme.post("/v1/profiles", data={"reference_id": "alice"}, headers=KEY) for _ in range(16))
        )
        assert {response.status_code for response in responses} == {201}
        assert len({response.content for response in responses}) == 1
        assert Counter(map(was_replayed, responses)) == {False: 1, True: 15}
        await acme.delete("/v1/profiles/alice")


async def test_an_answer_is_given_again_though_its_food_has_left_the_catalogue(
    acme: httpx.AsyncClient, service: Service
) -> None:
    await new_profile(acme)
    path = f"/v1/foods/favorites/{BANANA.id}"
    first = await acme.post(path, json=_BY_ALICE, headers=KEY)
    assert first.status_code == 201
    service.use_catalogue([food for food in PANTRY if food != BANANA])
    assert (await add_favorite(acme, BANANA.id)).status_code == 404
    again = await acme.post(path, json=_BY_ALICE, headers=KEY)
    assert was_replayed(again)
    assert (again.status_code, again.content) == (201, first.content)


async def test_an_answer_is_given_again_though_what_it_made_was_deleted(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    first = await acme.post("/v1/foods/custom", json=GRANOLA | _BY_ALICE, headers=KEY)
    await acme.delete(f"/v1/foods/custom/{first.json()['_id']}?profile_reference_id=alice")
    again = await acme.post("/v1/foods/custom", json=GRANOLA | _BY_ALICE, headers=KEY)
    assert again.content == first.content
    assert (await acme.get("/v1/foods/custom?profile_reference_id=alice")).json()["data"] == []


async def test_key_and_scope_are_looked_at_first(acme: httpx.AsyncClient, service: Service) -> None:
    form = {"reference_id": "alice"}
    assert (await acme.post("/v1/profiles", data=form, headers=KEY)).status_code == 201
    reader = await service.client("acme", Scope.READ)
    assert (await reader.post("/v1/profiles", data=form, headers=KEY)).status_code == 403
    nobody = await service.client_with(None)
    assert (await nobody.post("/v1/profiles", data=form, headers=KEY)).status_code == 401


@pytest.mark.parametrize(
    ("key", "code"),
    [
        (b"", "too_short"),
        (b"k" * 256, "too_long"),
        (b"two words", "invalid_character"),
        (b"tab\there", "invalid_character"),
        (b"\x7f", "invalid_character"),
        ("é".encode(), "invalid_character"),
        ("é".encode("latin-1"), "invalid_character"),
    ],
)
async def test_a_key_that_is_none_is_refused(acme: httpx.AsyncClient, key: bytes, code: str) -> None:
    response = await acme.post("/v1/profiles", data={"reference_id": "alice"}, headers=[(b"Idempotency-Key", key)])
    assert faults(response) == [("Idempotency-Key", code)]
    assert (await acme.get("/v1/profiles/alice")).status_code == 404


async def test_two_keys_are_refused(acme: httpx.AsyncClient) -> None:
    for second in (b"one", b"two"):
        twice = [(b"Idempotency-Key", b"one"), (b"idempotency-key", second)]
        response = await acme.post("/v1/profiles", data={"reference_id": "alice"}, headers=twice)
        assert faults(response) == [("Idempotency-Key", "duplicate")]


@pytest.mark.parametrize("key", ["k", "k" * 255, "".join(map(chr, range(0x21, 0x7F)))])
async def test_a_key_is_any_1_to_255_visible_characters(acme: httpx.AsyncClient, key: str) -> None:
    for is_again in (False, True):
        response = await acme.post("/v1/profiles", data={"reference_id": "alice"}, headers={"Idempotency-Key": key})
        assert (response.status_code, was_replayed(response)) == (201, is_again)


async def test_other_methods_do_not_look_at_the_key(acme: httpx.AsyncClient, engine: Engine) -> None:
    await new_profile(acme)
    food_id = await new_food(acme)
    for headers in (KEY, {"Idempotency-Key": "no key"}):
        for number in range(2):
            name = f"Granola {number}"
            body = _BY_ALICE | {"food_name": name}
            changed = await acme.patch(f"/v1/foods/custom/{food_id}", json=body, headers=headers)
            assert changed.json()["food_name"] == name
            read = await acme.get(f"/v1/foods/{food_id}", headers=headers)
            assert read.json()["food_name"] == name
            removed = await acme.delete(f"/v1/foods/favorites/{food_id}?profile_reference_id=alice", headers=headers)
            assert not any(map(was_replayed, (changed, read, removed)))
    assert not await engine.all("SELECT scope FROM answered_requests")


async def test_without_a_key_nothing_is_kept(acme: httpx.AsyncClient, engine: Engine) -> None:
    await new_profile(acme)
    await add_favorite(acme, await new_food(acme))
    assert not await engine.all("SELECT scope FROM answered_requests")


async def test_neither_key_nor_body_is_kept(acme: httpx.AsyncClient, engine: Engine) -> None:
    await new_profile(acme)
    await acme.post("/v1/foods/custom", json=GRANOLA | _BY_ALICE, headers={"Idempotency-Key": "my-secret-key"})
    [row] = await engine.all("SELECT * FROM answered_requests")
    for word in ("my-secret-key", "Granola"):
        assert word not in repr(tuple(row))
