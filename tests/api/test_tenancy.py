"""Two applications cannot see each other in any way, over every route of the table."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import httpx
import pytest

from provender.api.app import ROUTES
from provender.api.routing import Route
from tests.conftest import Service
from tests.diary import diary, is_active, most, new_log, recently, summary
from tests.kitchen import GRANOLA, add_favorite, list_favorites, new_favorites, new_food, new_profile
from tests.menu import new_meal
from tests.pantry import BANANA, COLA

# The catalogue is the same for everybody; every other route must keep applications apart.
SHARED = {("GET", "/v1/nutrients")}

# No food of the catalogue has it.
BARCODE = "0012345678905"


class Asked(NamedTuple):
    """A request of globex. {alice}, {food}, {meal} and {log} are acme's, or nobody's; {bob} is a profile of globex."""

    method: str
    path: str
    query: Mapping[str, str] = MappingProxyType({})
    body: dict[str, Any] | None = None


_BY_ALICE = {"profile_reference_id": "{alice}"}
_BY_BOB = {"profile_reference_id": "{bob}"}
_DAYS = {"from": "2026-03-01", "to": "2026-03-20"}
_MEAL = {"name": "Usual", "items": [{"food_id": "{food}"}]}

_DOCUMENT = {"format": 1, "reference_id": "imported-by-globex", "created_at": 0, "updated_at": 0}

REQUESTS = [
    Asked("GET", "/v1/profiles"),
    Asked("POST", "/v1/profiles", body={"reference_id": "made-by-globex"}),
    Asked("GET", "/v1/profiles/{reference_id}"),
    Asked("PATCH", "/v1/profiles/{reference_id}", body={"timezone": "Asia/Tokyo"}),
    Asked("DELETE", "/v1/profiles/{reference_id}"),
    Asked("GET", "/v1/profiles/{reference_id}/export"),
    # What a document may name of others, and does not reach, is in test_import_profile.py.
    Asked("POST", "/v1/profiles/import", body=_DOCUMENT),
    Asked("GET", "/v1/foods/{food_id}"),
    Asked("GET", "/v1/foods/barcode", _BY_ALICE | {"barcode": BARCODE}),
    Asked("GET", "/v1/foods/search", _BY_ALICE | {"query": "granola"}),
    Asked("GET", "/v1/foods/search", _BY_BOB | {"query": "granola"}),
    Asked("GET", "/v1/foods/search", {"query": "granola"}),
    Asked("GET", "/v1/foods/custom", _BY_ALICE),
    Asked("GET", "/v1/foods/custom", _BY_BOB),
    Asked("POST", "/v1/foods/custom", body=GRANOLA | _BY_ALICE),
    Asked("PATCH", "/v1/foods/custom/{food_id}", body=_BY_ALICE | {"food_name": "Renamed"}),
    Asked("PATCH", "/v1/foods/custom/{food_id}", body=_BY_BOB | {"food_name": "Renamed"}),
    Asked("DELETE", "/v1/foods/custom/{food_id}", _BY_ALICE),
    Asked("DELETE", "/v1/foods/custom/{food_id}", _BY_BOB),
    Asked("GET", "/v1/foods/favorites", _BY_ALICE),
    Asked("GET", "/v1/foods/favorites", _BY_BOB),
    Asked("POST", "/v1/foods/favorites/{food_id}", body=_BY_ALICE),
    Asked("POST", "/v1/foods/favorites/{food_id}", body=_BY_BOB),
    Asked("DELETE", "/v1/foods/favorites/{food_id}", _BY_ALICE),
    Asked("DELETE", "/v1/foods/favorites/{food_id}", _BY_BOB),
    Asked("GET", "/v1/foods/recently-eaten", _BY_ALICE),
    Asked("GET", "/v1/foods/recently-eaten", _BY_BOB),
    Asked("GET", "/v1/foods/most-eaten", _BY_ALICE),
    Asked("GET", "/v1/foods/most-eaten", _BY_BOB),
    Asked("POST", "/v1/diary-logs", body=_BY_ALICE | {"food_id": BANANA.id}),
    Asked("POST", "/v1/diary-logs", body=_BY_ALICE | {"food_id": "{food}"}),
    Asked("POST", "/v1/diary-logs", body=_BY_BOB | {"food_id": "{food}"}),
    Asked("POST", "/v1/diary-logs/batch", body={"logs": [_BY_ALICE | {"food_id": BANANA.id}]}),
    Asked(
        "POST", "/v1/diary-logs/batch", body={"logs": [_BY_BOB | {"food_id": each} for each in (BANANA.id, "{food}")]}
    ),
    Asked("GET", "/v1/diary-logs", _BY_ALICE | {"date": "2026-03-10"}),
    Asked("GET", "/v1/diary-logs", _BY_BOB | _DAYS),
    Asked("GET", "/v1/diary-logs/{log_id}"),
    Asked("GET", "/v1/diary-logs/{log_id}", _BY_ALICE),
    Asked("GET", "/v1/diary-logs/{log_id}", _BY_BOB),
    Asked("PATCH", "/v1/diary-logs/{log_id}", body={"meal": "lunch"}),
    Asked("PATCH", "/v1/diary-logs/{log_id}", body=_BY_ALICE | {"date": "2026-03-11"}),
    Asked("DELETE", "/v1/diary-logs/{log_id}"),
    Asked("DELETE", "/v1/diary-logs/{log_id}", _BY_BOB),
    Asked("POST", "/v1/diary-logs/copy", body=_BY_ALICE | {"from": "2026-03-10", "to": "2026-03-11"}),
    Asked("POST", "/v1/diary-logs/copy", body=_BY_BOB | {"from": "2026-03-10", "to": "2026-03-11"}),
    Asked("GET", "/v1/diary-logs/summary", _BY_ALICE | _DAYS),
    Asked("GET", "/v1/diary-logs/summary", _BY_BOB | _DAYS),
    Asked("GET", "/v1/saved-meals", _BY_ALICE),
    Asked("GET", "/v1/saved-meals", _BY_BOB),
    Asked("POST", "/v1/saved-meals", body=_BY_ALICE | _MEAL | {"items": [{"food_id": BANANA.id}]}),
    Asked("POST", "/v1/saved-meals", body=_BY_BOB | _MEAL),
    Asked("GET", "/v1/saved-meals/{meal_id}"),
    Asked("GET", "/v1/saved-meals/{meal_id}", _BY_ALICE),
    Asked("GET", "/v1/saved-meals/{meal_id}", _BY_BOB),
    Asked("PATCH", "/v1/saved-meals/{meal_id}", body={"name": "Renamed"}),
    Asked("PATCH", "/v1/saved-meals/{meal_id}", body=_BY_BOB | _MEAL),
    Asked("DELETE", "/v1/saved-meals/{meal_id}"),
    Asked("DELETE", "/v1/saved-meals/{meal_id}", _BY_BOB),
    Asked("POST", "/v1/saved-meals/{meal_id}/log", body={}),
    Asked("POST", "/v1/saved-meals/{meal_id}/log", body=_BY_ALICE | {"skip_missing": True}),
    Asked("POST", "/v1/saved-meals/{meal_id}/log", body=_BY_BOB),
]


def _without_request_id(response: httpx.Response) -> dict[str, Any]:
    return {name: value for name, value in response.json().items() if name != "request_id"}


def _filled(asked: Asked, **names: str) -> dict[str, Any]:
    """The request, with names in the places of braces."""
    path = asked.path
    for variable, name in (("reference_id", "alice"), ("food_id", "food"), ("meal_id", "meal"), ("log_id", "log")):
        path = path.replace(f"{{{variable}}}", names[name])

    def fill(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: fill(each) for name, each in value.items()}
        if isinstance(value, list):
            return [fill(each) for each in value]
        return value.format(**names) if isinstance(value, str) else value

    request: dict[str, Any] = {"method": asked.method, "url": path, "params": fill(asked.query)}
    return request if asked.body is None else request | {"json": fill(asked.body)}


def test_every_route_is_asked() -> None:
    routes = {(route.method, route.path) for route in ROUTES if isinstance(route, Route)}
    assert {(asked.method, asked.path) for asked in REQUESTS} == routes - SHARED


@pytest.mark.parametrize("asked", REQUESTS, ids=str)
async def test_anothers_profile_and_food_are_like_ones_that_never_existed(
    acme: httpx.AsyncClient, globex: httpx.AsyncClient, asked: Asked
) -> None:
    profile_id = await new_profile(acme, "alice")
    food_id = await new_food(acme, "alice", barcode=BARCODE)
    await add_favorite(acme, food_id)
    meal_id = await new_meal(acme, [food_id])
    log_id = await new_log(acme, food_id)
    await new_profile(globex, "bob")

    async def kept() -> list[Any]:
        """All that acme has."""
        paths = ["/v1/profiles", "/v1/profiles/alice"]
        lists = ("foods/custom", "foods/favorites", "foods/recently-eaten", "foods/most-eaten", "saved-meals")
        paths += [f"/v1/{path}?profile_reference_id=alice" for path in lists]
        paths += ["/v1/diary-logs?profile_reference_id=alice&from=1900-01-01"]
        return [(await acme.get(path)).json() for path in paths]

    before = await kept()
    of_acme = {"alice": "alice", "food": food_id, "meal": meal_id, "log": log_id}
    of_nobody = {"alice": "never-existed", "food": "0" * 16, "meal": "0" * 16, "log": "0" * 16}
    answer = await globex.request(**_filled(asked, bob="bob", **of_acme))
    never = await globex.request(**_filled(asked, bob="bob", **of_nobody))
    if _filled(asked, bob="bob", **of_acme) != _filled(asked, bob="bob", **of_nobody):
        assert answer.status_code == 404
        assert _without_request_id(answer) == _without_request_id(never)
    else:
        for known in ("alice", profile_id, food_id, meal_id, log_id):
            assert known not in answer.text
    # And nothing of it has changed.
    assert await kept() == before


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


@pytest.mark.parametrize("path", ["/v1/foods/custom", "/v1/foods/search?query=granola", "/v1/foods/favorites"])
@pytest.mark.parametrize("name", ["starting_after", "ending_before"])
async def test_anothers_food_is_no_cursor(
    acme: httpx.AsyncClient, globex: httpx.AsyncClient, name: str, path: str
) -> None:
    for client in (acme, globex):
        await new_profile(client, "alice")
    [theirs], _ = await new_favorites(acme, 1), await new_favorites(globex, 1)
    known, unknown = [
        await globex.get(httpx.URL(path).copy_merge_params({"profile_reference_id": "alice", name: cursor}))
        for cursor in (theirs, "0" * 16)
    ]
    assert known.status_code == 400
    assert _without_request_id(known) == _without_request_id(unknown)


@pytest.mark.parametrize("name", ["starting_after", "ending_before"])
async def test_anothers_meal_is_no_cursor(acme: httpx.AsyncClient, globex: httpx.AsyncClient, name: str) -> None:
    for client in (acme, globex):
        await new_profile(client, "alice")
    theirs, _ = await new_meal(acme, [BANANA.id]), await new_meal(globex, [BANANA.id])
    known, unknown = [
        await globex.get("/v1/saved-meals", params={"profile_reference_id": "alice", name: cursor})
        for cursor in (theirs, "0" * 16)
    ]
    assert known.status_code == 400
    assert _without_request_id(known) == _without_request_id(unknown)


async def test_profiles_of_one_name_have_foods_of_their_own(acme: httpx.AsyncClient, globex: httpx.AsyncClient) -> None:
    for client, food_name in [(acme, "Granola"), (globex, "Porridge")]:
        await new_profile(client, "alice")
        await new_food(client, "alice", food_name=food_name, barcode=BARCODE)
    for client, food_name in [(acme, "Granola"), (globex, "Porridge")]:
        listed = (await client.get("/v1/foods/custom?profile_reference_id=alice")).json()["data"]
        assert [food["food_name"] for food in listed] == [food_name]
        found = await client.get(f"/v1/foods/barcode?barcode={BARCODE}&profile_reference_id=alice")
        assert found.json()["food_name"] == food_name


async def test_profiles_of_one_name_have_favorites_of_their_own(
    acme: httpx.AsyncClient, globex: httpx.AsyncClient
) -> None:
    for client in (acme, globex):
        await new_profile(client, "alice")
    ours, theirs = await new_favorites(acme, 2), await new_favorites(globex, 1)
    await add_favorite(acme, BANANA.id)
    assert await list_favorites(acme) == ([BANANA.id, *ours], False)
    assert await list_favorites(globex) == (theirs, False)


@pytest.mark.parametrize("path", ["/v1/diary-logs?from=1900-01-01", "/v1/foods/recently-eaten", "/v1/foods/most-eaten"])
async def test_what_another_has_eaten_is_no_cursor(
    acme: httpx.AsyncClient, globex: httpx.AsyncClient, path: str
) -> None:
    logs, foods = [], []
    for client in (acme, globex):
        await new_profile(client, "alice")
        foods.append(await new_food(client))
        logs.append(await new_log(client, foods[-1]))
    for name in ("starting_after", "ending_before"):
        known, unknown = [
            await globex.get(httpx.URL(path).copy_merge_params({"profile_reference_id": "alice", name: cursor}))
            for cursor in (logs[0] if "logs" in path else foods[0], "0" * 16)
        ]
        assert known.status_code == 400
        assert _without_request_id(known) == _without_request_id(unknown)


async def test_profiles_of_one_name_have_diaries_of_their_own(
    acme: httpx.AsyncClient, globex: httpx.AsyncClient
) -> None:
    for client in (acme, globex):
        await new_profile(client, "alice")
    ours = await new_log(acme, BANANA.id, date="2026-03-10")
    assert await diary(globex) == []
    assert await recently(globex) == await most(globex) == []
    assert not await is_active(globex)
    theirs = [await new_log(globex, COLA.id, date="2026-03-10") for _ in range(2)]
    assert [log["_id"] for log in await diary(acme)] == [ours]
    assert [log["_id"] for log in await diary(globex)] == theirs
    for client, food_id, entries in [(acme, BANANA.id, 1), (globex, COLA.id, 2)]:
        assert await recently(client) == await most(client) == [food_id]
        assert (await summary(client, "2026-03-10", "2026-03-10"))["total"]["entries"] == entries
