"""Two applications cannot see each other in any way, nor two profiles, over every route of the OpenAPI document."""

import statistics
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import httpx
import pytest

from tests.conftest import Service
from tests.contract import openapi
from tests.diary import diary, is_active, most, new_log, recently, summary
from tests.kitchen import add_favorite, list_favorites, new_favorites, new_food, new_profile
from tests.menu import new_meal
from tests.pantry import BANANA, COLA
from tests.storage.recording import RecordingEngine
from tests.trespassing import REQUESTS, Asked, filled

# The catalogue is the same for everybody; every other route that asks for a key must keep applications apart.
SHARED = {("GET", "/v1/nutrients"), ("GET", "/v1/catalogue")}
OPERATIONS = {
    (method.upper(), path): operation
    for path, operations in openapi()["paths"].items()
    for method, operation in operations.items()
    if operation.get("security") and (method.upper(), path) not in SHARED
}
CURSORS = ("starting_after", "ending_before")

# No food of the catalogue has them.
BARCODE, OTHER_BARCODE = "0012345678905", "0012345678912"
NOBODYS = {"alice": "never-existed", "barcode": OTHER_BARCODE} | dict.fromkeys(("food", "meal", "log"), "0" * 16)

ROUNDS = 7
MOST_TIMES_AS_LONG = 1.5


class Stage(NamedTuple):
    """alice of acme has one of everything; bob, of acme and of globex, has things of his own."""

    acme: httpx.AsyncClient
    globex: httpx.AsyncClient
    ids: Mapping[str, str]
    profile_id: str

    async def kept(self) -> list[Any]:
        """All that acme has."""
        paths = ("/v1/profiles", "/v1/profiles/alice/export", "/v1/profiles/bob/export")
        return [(await self.acme.get(path)).json() for path in paths]


@pytest.fixture
async def stage(recording: RecordingEngine, acme: httpx.AsyncClient, globex: httpx.AsyncClient) -> Stage:
    profile_id = await new_profile(acme, "alice")
    food_id = await new_food(acme, "alice", barcode=BARCODE)
    await add_favorite(acme, food_id)
    meal_id = await new_meal(acme, [food_id])
    log_id = await new_log(acme, food_id)
    for client in (acme, globex):
        await new_profile(client, "bob")
        own = await new_food(client, "bob", food_name="Porridge")
        await add_favorite(client, own, "bob")
        await new_meal(client, [own], "bob")
        await new_log(client, own, "bob")
    ids = {"alice": "alice", "food": food_id, "meal": meal_id, "log": log_id, "barcode": BARCODE}
    return Stage(acme, globex, ids, profile_id)


def _names_bob(asked: Asked) -> bool:
    return "{bob}" in f"{asked.query} {asked.body}"


def _requests(asked: Asked, ids: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is asked of alice's, and the same of nobody's."""
    return filled(asked, {"bob": "bob", **ids}), filled(asked, {"bob": "bob", **NOBODYS})


def _seen(response: httpx.Response) -> tuple[int, dict[str, Any], dict[str, str]]:
    """All of an answer that a caller can tell from another, but the id of the request."""
    body = {name: value for name, value in response.json().items() if name != "request_id"}
    return response.status_code, body, {name: each for name, each in response.headers.items() if name != "x-request-id"}


async def _compare(
    recording: RecordingEngine,
    client: httpx.AsyncClient,
    theirs: dict[str, Any],
    nobodys: dict[str, Any],
    *,
    is_within: bool = False,
) -> httpx.Response:
    """Ask for both. The answers must be the same, and so must be what the storage was asked for them.

    To another application the storage has to say the same as well. Profiles of one application are kept apart by what
    the service makes of a row: the application may see both.
    """
    # Whatever is settled or remembered by the first request is so for both.
    await client.request(**nobodys)
    recording.take()
    answer = await client.request(**theirs)
    asked_for_theirs = recording.take()
    never = await client.request(**nobodys)
    asked_for_nobodys = recording.take()
    assert _seen(answer) == _seen(never)
    assert [asked.sql for asked in asked_for_theirs] == [asked.sql for asked in asked_for_nobodys]
    if not is_within:
        assert [asked.rows for asked in asked_for_theirs] == [asked.rows for asked in asked_for_nobodys]
    return answer


def test_every_route_is_asked() -> None:
    assert {(asked.method, asked.path) for asked in REQUESTS} == set(OPERATIONS)


@pytest.mark.parametrize("operation", OPERATIONS, ids=" ".join)
async def test_what_is_anothers_is_like_what_never_existed(
    stage: Stage, recording: RecordingEngine, operation: tuple[str, str]
) -> None:
    before = await stage.kept()
    for asked in REQUESTS:
        if (asked.method, asked.path) != operation:
            continue
        theirs, nobodys = _requests(asked, stage.ids)
        # The other profile of the same application is no better off where it is named.
        for client in (stage.globex, stage.acme) if _names_bob(asked) else (stage.globex,):
            if theirs != nobodys:
                is_within = client is stage.acme
                answer = await _compare(recording, client, theirs, nobodys, is_within=is_within)
                assert answer.status_code == 404
            elif client is stage.globex or asked.method == "GET":
                answer = await client.request(**theirs)
                for known in (stage.profile_id, *stage.ids.values()):
                    assert known not in answer.text
    # And nothing of it has changed.
    assert await stage.kept() == before


@pytest.mark.parametrize("operation", [each for each in OPERATIONS if each[0] == "POST"], ids=" ".join)
async def test_anothers_idempotency_key_is_like_one_that_nobody_used(
    stage: Stage, recording: RecordingEngine, operation: tuple[str, str]
) -> None:
    for number, asked in enumerate(REQUESTS):
        if (asked.method, asked.path) == operation:
            theirs, _ = _requests(asked, stage.ids)
            used, unused = ({"Idempotency-Key": f"{name}-{number}"} for name in ("used", "unused"))
            await stage.acme.request(**theirs, headers=used)
            before = await stage.kept()
            answer = await stage.globex.request(**theirs, headers=used)
            assert "idempotent-replayed" not in answer.headers
            assert "idempotency" not in answer.json().get("code", "")
            if answer.status_code >= 400:
                await _compare(recording, stage.globex, theirs | {"headers": used}, theirs | {"headers": unused})
            assert await stage.kept() == before


def _has_cursors(operation: Mapping[str, Any]) -> bool:
    return set(CURSORS) <= {parameter.get("name") for parameter in operation.get("parameters", ())}


@pytest.mark.parametrize(
    "operation", [route for route, operation in OPERATIONS.items() if _has_cursors(operation)], ids=" ".join
)
async def test_anothers_id_is_no_cursor(stage: Stage, recording: RecordingEngine, operation: tuple[str, str]) -> None:
    ids = {stage.profile_id, *(stage.ids[name] for name in ("food", "meal", "log"))}
    lists = [each for each in REQUESTS if each[:2] == operation and "alice" not in f"{each.query}"]
    assert lists
    for asked in lists:
        request, _ = _requests(asked, stage.ids)
        for name in CURSORS:
            never = request | {"params": request["params"] | {name: "0" * 16}}
            for id_ in ids:
                cursor = request | {"params": request["params"] | {name: id_}}
                assert (await _compare(recording, stage.globex, cursor, never)).status_code == 400
                if _names_bob(asked):
                    answer = await _compare(recording, stage.acme, cursor, never, is_within=True)
                    assert answer.status_code == 400


async def test_what_is_anothers_takes_as_long_as_what_never_existed(stage: Stage) -> None:
    """Statements are the sharper check; this one would notice work that is not a statement."""
    # To hold an answer against the document takes longer than to give it.
    stage.globex.event_hooks = {}

    async def ratio(theirs: dict[str, Any], nobodys: dict[str, Any], rounds: int) -> float:
        took: tuple[list[float], list[float]] = [], []
        for _ in range(rounds):
            for request, times in zip((theirs, nobodys), took, strict=True):
                started = time.perf_counter()
                await stage.globex.request(**request)
                times.append(time.perf_counter() - started)
        return statistics.median(took[0]) / statistics.median(took[1])

    for asked in REQUESTS:
        theirs, nobodys = _requests(asked, stage.ids)
        if theirs == nobodys:
            continue
        # Again, and for longer, where it seems not to hold: the machine does other things too.
        ratios = []
        for attempt in range(6):
            ratios.append(await ratio(theirs, nobodys, ROUNDS * (attempt + 1)))
            if 1 / MOST_TIMES_AS_LONG < ratios[-1] < MOST_TIMES_AS_LONG:
                break
        else:
            pytest.fail(f"{asked} takes {ratios} times as long")


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
