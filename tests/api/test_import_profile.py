"""POST /v1/profiles/import."""

import asyncio
import copy
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from provender.api import profile_judge
from provender.api.sent_logs import read_quickly
from provender.model.access import Scope
from provender.model.errors import StorageUnavailable
from provender.services import profile_imports, recounting
from provender.services.removal import clear_deleted_profiles
from provender.storage import diary, eaten, removal
from tests.conftest import Service
from tests.kitchen import MUESLI, add_favorite, faults, new_food, new_profile
from tests.moving import JSON, WITH_LOST, export, fill, log, send, without_ids
from tests.pantry import BANANA, PANTRY

Document = dict[str, Any]


@pytest.fixture
async def document(acme: httpx.AsyncClient, service: Service) -> Document:
    """The export of a profile alice that has everything and is there still."""
    service.use_catalogue(WITH_LOST)
    await fill(acme)
    service.use_catalogue(PANTRY)
    return await export(acme)


async def _everything(client: httpx.AsyncClient, owner: str = "alice") -> dict[str, Any]:
    """What all lists of the profile answer, without what is new after an import: ids."""
    own = {"profile_reference_id": owner}
    groups = {"include": "vitamins,minerals,carbohydrates,lipids,proteins"}
    asked = {
        "custom": ("/v1/foods/custom", own | groups),
        "favorites": ("/v1/foods/favorites", own),
        "recently": ("/v1/foods/recently-eaten", own),
        "recently breakfast": ("/v1/foods/recently-eaten", own | {"meal": "breakfast"}),
        "most": ("/v1/foods/most-eaten", own),
        "most dinner": ("/v1/foods/most-eaten", own | {"meal": "dinner"}),
        "logs": ("/v1/diary-logs", own | groups | {"from": "1900-01-01", "limit": "100"}),
        "summary": ("/v1/diary-logs/summary", own | {"from": "2026-02-20", "to": "2027-03-10"}),
        "long ago": ("/v1/diary-logs/summary", own | {"from": "1900-01-01", "to": "1900-01-02"}),
        "meals": ("/v1/saved-meals", own),
        "search": ("/v1/foods/search", own | {"query": "granola"}),
        "brands": ("/v1/foods/search", own | {"query": "kellogg", "food_type": "brand"}),
        "barcode": ("/v1/foods/barcode", own | {"barcode": str(MUESLI["barcode"])}),
        "profile": (f"/v1/profiles/{owner}", {}),
    }
    names = {food["_id"]: food["food_name"] for food in (await client.get(*asked_of(asked["custom"]))).json()["data"]}

    def plain(value: Any) -> Any:
        if isinstance(value, list):
            return [plain(each) for each in value]
        if not isinstance(value, dict):
            return names.get(value, value) if isinstance(value, str) else value
        kept = {
            name: plain(each) for name, each in value.items() if name not in ("reference_id", "profile_reference_id")
        }
        return kept | ({"_id": names.get(kept["_id"], "")} if "_id" in kept else {})

    return {name: plain((await client.get(*asked_of(each))).json()) for name, each in asked.items()}


def asked_of(asked: tuple[str, dict[str, str]]) -> tuple[httpx.URL]:
    path, parameters = asked
    return (httpx.URL(path, params=parameters),)


async def _left(service: Service) -> dict[str, set[str]]:
    """The ids of the profiles that have rows, by table."""
    found = {}
    for table in (*removal.OWNED_TABLES, "deleted_profiles"):
        rows = await service.engine.all(f"SELECT DISTINCT profile_id FROM {table}")
        if rows:
            found[table] = {row[0] for row in rows}
    return found


async def _nothing_is_left_but(service: Service, *profile_ids: str) -> bool:
    await clear_deleted_profiles(service.engine, clock=service.clock)
    left = await _left(service)
    return set().union(*left.values()) <= set(profile_ids) and "deleted_profiles" not in left


async def test_export_delete_import_export_is_the_same_document(
    acme: httpx.AsyncClient, service: Service, document: Document
) -> None:
    before = await _everything(acme)
    await acme.delete("/v1/profiles/alice")
    service.clock.advance(hours=1)
    response = await send(acme, document)
    assert response.status_code == 201
    assert response.json() == (await acme.get("/v1/profiles/alice")).json()
    assert response.json()["is_active"]
    assert response.json()["_id"] != document["_id"]
    again = await export(acme)
    assert without_ids(again) == without_ids(document)
    assert await _everything(acme) == before
    # Not one of the ids is an old one, but for those of foods that the profile has not made.
    for name in ("custom_foods", "saved_meals", "diary_logs"):
        assert not {item["_id"] for item in again[name]} & {item["_id"] for item in document[name]}
    assert await _nothing_is_left_but(service, again["_id"])


async def test_it_goes_under_another_reference_id_while_the_first_is_there(
    acme: httpx.AsyncClient, document: Document
) -> None:
    before = await _everything(acme)
    response = await send(acme, document, reference_id="böb / 2")
    assert (response.status_code, response.json()["reference_id"]) == (201, "böb / 2")
    assert await _everything(acme) == before
    assert without_ids(await export(acme, "b%C3%B6b%20%2F%202")) | {"reference_id": "alice"} == without_ids(document)
    assert (await export(acme))["_id"] == document["_id"]


@pytest.mark.parametrize(
    "encode",
    [
        lambda document: json.dumps(document, sort_keys=True).encode(),
        lambda document: json.dumps(document, indent=4).encode(),
        lambda document: json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode(),
        lambda document: json.dumps(dict(reversed(document.items())), separators=(" ,\r\n", "\t: ")).encode(),
    ],
    ids=["sorted", "indented", "compact", "reversed"],
)
async def test_a_document_may_be_written_in_any_way(
    acme: httpx.AsyncClient, document: Document, encode: Callable[[Document], bytes]
) -> None:
    assert (await send(acme, encode(document), reference_id="bob")).status_code == 201
    imported = await export(acme, "bob")
    assert without_ids(imported) | {"reference_id": "alice", "logged_foods": []} == without_ids(document) | {
        "logged_foods": []
    }


async def test_the_diary_goes_on_after_an_import(acme: httpx.AsyncClient, document: Document) -> None:
    """Sums, counts and numbers are such that what is written next fits."""
    for owner in ("bob", "carol"):
        await send(acme, document, reference_id=owner)
    for owner in ("alice", "bob", "carol"):
        await log(acme, BANANA.id, owner, metric_amount=50)
        await add_favorite(acme, PANTRY[-1].id, owner)
        logs = (await acme.get("/v1/diary-logs", params={"profile_reference_id": owner, "date": "2026-03-02"})).json()
        await acme.patch(f"/v1/diary-logs/{logs['data'][0]['_id']}", json={"number_of_servings": 3})
        gone = (await acme.get("/v1/diary-logs", params={"profile_reference_id": owner, "date": "2026-03-09"})).json()
        await acme.delete(f"/v1/diary-logs/{gone['data'][0]['_id']}")
        copied = {"profile_reference_id": owner, "from": "2026-03-10", "to": "2026-03-11"}
        assert (await acme.post("/v1/diary-logs/copy", data=copied)).status_code == 201
    expected = await _everything(acme)
    for owner in ("bob", "carol"):
        assert await _everything(acme, owner) == expected


async def test_lists_that_are_left_out_are_empty(acme: httpx.AsyncClient) -> None:
    head = {"format": 1, "reference_id": "alice", "created_at": 5, "updated_at": 6}
    response = await send(acme, head)
    assert response.status_code == 201
    assert response.json() | {"_id": ""} == {
        "_id": "", "reference_id": "alice", "is_active": False, "created_at": 5, "updated_at": 6, "timezone": None,
    }  # fmt: skip


async def test_a_taken_reference_id_is_refused_and_leaves_nothing(
    acme: httpx.AsyncClient, service: Service, document: Document
) -> None:
    await new_profile(acme, "bob")
    for query in ({}, {"reference_id": "bob"}):
        response = await send(acme, document, **query)
        assert (response.status_code, response.json()["code"]) == (409, "reference_id_taken")
    bob = (await acme.get("/v1/profiles/bob")).json()["_id"]
    assert await _nothing_is_left_but(service, document["_id"], bob)


async def test_of_two_imports_of_one_reference_id_at_once_one_wins(
    acme: httpx.AsyncClient, service: Service, document: Document
) -> None:
    answers = await asyncio.gather(*(send(acme, document, reference_id="bob") for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    [won] = [answer.json()["_id"] for answer in answers if answer.status_code == 201]
    assert without_ids(await export(acme, "bob")) | {"reference_id": "alice"} == without_ids(document)
    assert await _nothing_is_left_but(service, document["_id"], won)


async def test_a_read_key_may_not_import(service: Service) -> None:
    reader = await service.client("acme", Scope.READ)
    assert (await send(reader, {"format": 1})).status_code == 403


async def test_only_json_is_taken(acme: httpx.AsyncClient, document: Document) -> None:
    body = json.dumps(document).encode()
    for content_type in ("application/x-www-form-urlencoded", "text/plain", None):
        headers = {} if content_type is None else {"Content-Type": content_type}
        response = await acme.post("/v1/profiles/import?reference_id=bob", content=body, headers=headers)
        assert response.status_code == 415
        assert "JSON only" in response.json()["detail"]


async def test_a_document_over_the_limit_is_refused(acme: httpx.AsyncClient, service: Service) -> None:
    largest = service.settings.import_max_mib * 1024 * 1024
    response = await acme.post(
        "/v1/profiles/import", headers=JSON | {"Content-Length": str(largest + 1)}, content=b"{}"
    )
    assert (response.status_code, response.json()["code"]) == (413, "body_too_large")
    assert "256 MiB" in response.json()["detail"]


async def test_a_document_may_be_larger_than_other_bodies(acme: httpx.AsyncClient, document: Document) -> None:
    document["diary_logs"][0]["note"] = "x" * 1000
    document["diary_logs"] += [document["diary_logs"][0] | {"_id": f"{number:016}"} for number in range(1500)]
    assert len(json.dumps(document)) > 1_500_000
    assert (await send(acme, document, reference_id="bob")).status_code == 201
    assert len((await export(acme, "bob"))["diary_logs"]) == 1510


@pytest.mark.parametrize("parameter", ["reference_idd=bob", "reference_id=", "reference_id=a&reference_id=b", "x=1"])
async def test_other_parameters_of_the_address_are_refused(
    acme: httpx.AsyncClient, document: Document, parameter: str
) -> None:
    response = await acme.post(f"/v1/profiles/import?{parameter}", content=json.dumps(document), headers=JSON)
    assert response.status_code == 400


BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda _: b"",
    "no object": lambda body: b"[%b]" % body,
    "cut off in a text": lambda body: body[: body.index(b"Granola") + 3],
    "cut off in a list": lambda body: body[: body.index(b'"diary_logs"') + 300],
    "cut off at the end": lambda body: body[:-1],
    "something behind": lambda body: body + b"{}",
    "no UTF-8": lambda body: body.replace(b"Granola", b"Gran\xffla"),
    "a control character": lambda body: body.replace(b"Granola", b"Gran\x00la"),
    "a comma too many": lambda body: body.replace(b'"diary_logs": [', b'"diary_logs": [,'),
    "not a number": lambda body: body.replace(b'"metric_amount": 33.3', b'"metric_amount": NaN'),
    "a name twice": lambda body: body.replace(b'"format": 1', b'"format": 1, "format": 1'),
    "a list twice": lambda body: body[:-1] + b', "favorites": []}',
    "a name twice in a log": lambda body: body.replace(b'"meal": "dinner"', b'"meal": "lunch", "meal": "dinner"'),
    "a name twice in a food": lambda body: body.replace(b'"zzz_in_mg"', b'"vitamin_c_in_mg"'),
    "nested too deep": lambda body: body.replace(b'"format": 1', b'"format": ' + b"[" * 99 + b"]" * 99),
    "one large value": lambda body: body.replace(b"Granola", b"x" * 2_000_000, 1),
}


@pytest.mark.parametrize("name", BROKEN)
async def test_what_cannot_be_read_is_refused(
    acme: httpx.AsyncClient, service: Service, document: Document, name: str
) -> None:
    body = json.dumps(document).encode()
    broken = BROKEN[name](body)
    assert broken != body
    response = await send(acme, broken, reference_id="bob")
    assert (response.status_code, response.json()["code"]) == (400, "invalid_body")
    assert await _nothing_is_left_but(service, document["_id"])


def _set(path: str, value: Any) -> Callable[[Document], None]:
    """Put a value to a place such as `diary_logs[1].date`; without a value, take it away."""

    def change(document: Document) -> None:
        *steps, last = path.replace("[", ".").replace("]", "").split(".")
        target: Any = document
        for step in steps:
            target = target[int(step) if step.isdecimal() else step]
        place = int(last) if last.isdecimal() else last
        if value is None and path.endswith("!"):
            del target[last[:-1]]
        else:
            target[place] = value

    return change


DAY_MS = 24 * 3600 * 1000
NOW_MS = 1_773_144_000_000

WRONG: list[tuple[str, Any, list[tuple[str, str]]]] = [
    ("format", 2, [("format", "out_of_range")]),
    ("format!", None, [("format", "required")]),
    ("formatt", 1, [("formatt", "unknown_parameter")]),
    ("diary_log", [], [("diary_log", "unknown_parameter")]),
    ("whatever", [{"a": [1, "]"]}], [("whatever", "unknown_parameter")]),
    ("_id", "short", [("_id", "invalid_id")]),
    ("reference_id", "", [("reference_id", "too_short")]),
    ("reference_id", "..", [("reference_id", "not_allowed")]),
    ("reference_id", 7, [("reference_id", "wrong_type")]),
    ("reference_id!", None, [("reference_id", "required")]),
    ("timezone", "Mars/Base", [("timezone", "unknown_timezone")]),
    ("timezone", ["UTC"], [("timezone", "wrong_type")]),
    ("created_at", -1, [("created_at", "out_of_range")]),
    ("created_at", NOW_MS + DAY_MS + 1, [("created_at", "out_of_range")]),
    ("updated_at", "1", [("updated_at", "wrong_type")]),
    ("diary_logs", {}, [("diary_logs", "wrong_type")]),
    ("favorites", None, [("favorites", "null_not_allowed")]),
    ("custom_foods[0]", 7, [("custom_foods[0]", "wrong_type")]),
    ("custom_foods[1]", [], [("custom_foods[1]", "wrong_type")]),
    ("custom_foods[0]._id", "0", [("custom_foods[0]._id", "invalid_id")]),
    ("custom_foods[0]._id!", None, [("custom_foods[0]._id", "required")]),
    ("custom_foods[0].food_name", "", [("custom_foods[0].food_name", "too_short")]),
    ("custom_foods[0].food_name", "x" * 256, [("custom_foods[0].food_name", "too_long")]),
    ("custom_foods[0].food_name", "a\u0085b", [("custom_foods[0].food_name", "invalid_character")]),
    ("custom_foods[0].food_type", "generic", [("custom_foods[0].brand_name", "not_combinable")]),
    ("custom_foods[0].brand_name", None, [("custom_foods[0].brand_name", "required")]),
    ("custom_foods[0].food_type", "other", [("custom_foods[0].food_type", "not_allowed")]),
    ("custom_foods[0].barcode", "123", [("custom_foods[0].barcode", "invalid_barcode")]),
    ("custom_foods[0].metric_serving_amount", 0, [("custom_foods[0].metric_serving_amount", "out_of_range")]),
    ("custom_foods[0].metric_serving_amount", 1.5, [("custom_foods[0].metric_serving_amount", "wrong_type")]),
    ("custom_foods[0].metric_serving_unit", "lb", [("custom_foods[0].metric_serving_unit", "not_allowed")]),
    ("custom_foods[0].vitamins", [], [("custom_foods[0].vitamins", "wrong_type")]),
    ("custom_foods[0].vitamins", {"A": 1}, [("custom_foods[0].vitamins[A]", "invalid_name")]),
    ("custom_foods[0].vitamins", {"a": -1}, [("custom_foods[0].vitamins[a]", "out_of_range")]),
    ("custom_foods[0].vitamins", {f"a{n}": 1 for n in range(101)}, [("custom_foods[0].vitamins", "too_many")]),
    ("custom_foods[0].vitamin", {}, [("custom_foods[0].vitamin", "unknown_parameter")]),
    ("custom_foods[0].profile_reference_id", "a", [("custom_foods[0].profile_reference_id", "unknown_parameter")]),
    ("custom_foods[0].water_in_gm", "1", [("custom_foods[0].water_in_gm", "wrong_type")]),
    ("custom_foods[0].created_at", NOW_MS + 2 * DAY_MS, [("custom_foods[0].created_at", "out_of_range")]),
    ("favorites[0].food_id", "?" * 16, [("favorites[0].food_id", "invalid_id")]),
    ("favorites[1].added_at", NOW_MS + 2 * DAY_MS, [("favorites[1].added_at", "out_of_range")]),
    ("favorites[1].added_at", 0.5, [("favorites[1].added_at", "wrong_type")]),
    ("favorites[1].place", 1, [("favorites[1].place", "unknown_parameter")]),
    ("saved_meals[0].name", "\u0000", [("saved_meals[0].name", "invalid_character")]),
    ("saved_meals[0].meal", "brunch", [("saved_meals[0].meal", "not_allowed")]),
    ("saved_meals[0].items", [], [("saved_meals[0].items", "too_few")]),
    ("saved_meals[0].items[1].food_id", "x", [("saved_meals[0].items[1].food_id", "invalid_id")]),
    ("saved_meals[0].items[1].number_of_servings", 0, [("saved_meals[0].items[1].number_of_servings", "out_of_range")]),
    ("saved_meals[0].items[0].is_custom", False, [("saved_meals[0].items[0].is_custom", "not_combinable")]),
    ("saved_meals[0].items[1].is_custom", 1, [("saved_meals[0].items[1].is_custom", "wrong_type")]),
    ("saved_meals[0].totals", {}, [("saved_meals[0].totals", "unknown_parameter")]),
    ("logged_foods[0].metric_serving_amount", 0, [("logged_foods[0].metric_serving_amount", "out_of_range")]),
    ("logged_foods[0].food_name", "x" * 256, [("logged_foods[0].food_name", "too_long")]),
    ("logged_foods[0].lipids", {"a": 1e301}, [("logged_foods[0].lipids[a]", "out_of_range")]),
    ("diary_logs[1]", "log", [("diary_logs[1]", "wrong_type")]),
    ("diary_logs[1]._id", "x", [("diary_logs[1]._id", "invalid_id")]),
    ("diary_logs[1].food_id", "0" * 16, [("diary_logs[1].logged_food_id", "not_found")]),
    ("diary_logs[1].logged_food_id", "0" * 16, [("diary_logs[1].logged_food_id", "not_found")]),
    ("diary_logs[1].is_custom", False, [("diary_logs[1].is_custom", "not_combinable")]),
    ("diary_logs[1].is_custom", "true", [("diary_logs[1].is_custom", "wrong_type")]),
    ("diary_logs[0].number_of_servings", 0, [("diary_logs[0].number_of_servings", "out_of_range")]),
    ("diary_logs[0].number_of_servings", 100_001, [("diary_logs[0].number_of_servings", "out_of_range")]),
    ("diary_logs[0].number_of_servings", True, [("diary_logs[0].number_of_servings", "wrong_type")]),
    ("diary_logs[1].metric_amount", 0, [("diary_logs[1].metric_amount", "out_of_range")]),
    ("diary_logs[1].metric_amount", None, [("diary_logs[1].metric_amount", "null_not_allowed")]),
    ("diary_logs[1].meal", "brunch", [("diary_logs[1].meal", "not_allowed")]),
    ("diary_logs[1].date", "2026-02-30", [("diary_logs[1].date", "invalid_date")]),
    ("diary_logs[1].date", "1899-12-31", [("diary_logs[1].date", "out_of_range")]),
    ("diary_logs[1].date", "2027-03-11", [("diary_logs[1].date", "out_of_range")]),
    ("diary_logs[1].date", 10**6, [("diary_logs[1].date", "out_of_range")]),
    ("diary_logs[1].date!", None, [("diary_logs[1].date", "required")]),
    ("diary_logs[1].note", "", [("diary_logs[1].note", "too_short")]),
    ("diary_logs[1].note", "x" * 1001, [("diary_logs[1].note", "too_long")]),
    ("diary_logs[1].note", "a\nb", [("diary_logs[1].note", "invalid_character")]),
    ("diary_logs[1].created_at", NOW_MS + 2 * DAY_MS, [("diary_logs[1].created_at", "out_of_range")]),
    ("diary_logs[1].updated_at", -1, [("diary_logs[1].updated_at", "out_of_range")]),
    ("diary_logs[1].serving_id", "0" * 16, [("diary_logs[1].serving_id", "unknown_parameter")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "value", "expected"), WRONG, ids=[f"{path}={value!r:.20}" for path, value, _ in WRONG]
)
async def test_what_is_wrong_is_named_with_its_place(
    acme: httpx.AsyncClient, service: Service, path: str, value: Any, expected: list[tuple[str, str]]
) -> None:
    document = copy.deepcopy(await _cached(acme, service))
    _set(path, value)(document)
    response = await send(acme, document, reference_id="bob")
    assert expected[0] in faults(response) or response.json()["code"] == expected[0][1]
    assert (await acme.get("/v1/profiles/bob")).status_code == 404
    assert await _nothing_is_left_but(service, "")


_documents: list[Document] = []


async def _cached(acme: httpx.AsyncClient, service: Service) -> Document:
    """The export of the profile that has everything, made once: the clock of the tests always says the same."""
    if not _documents:
        service.use_catalogue(WITH_LOST)
        await fill(acme)
        _documents.append(await export(acme))
        await acme.delete("/v1/profiles/alice")
    return _documents[0]


async def test_ids_that_come_twice_are_named(acme: httpx.AsyncClient, service: Service) -> None:
    document = copy.deepcopy(await _cached(acme, service))
    for name in ("custom_foods", "favorites", "saved_meals", "logged_foods", "diary_logs"):
        document[name].append(copy.deepcopy(document[name][0]))
    lengths = {name: len(value) - 1 for name, value in document.items() if isinstance(value, list)}
    assert faults(await send(acme, document)) == [
        (f"custom_foods[{lengths['custom_foods']}]._id", "duplicate"),
        (f"favorites[{lengths['favorites']}].food_id", "duplicate"),
        (f"saved_meals[{lengths['saved_meals']}]._id", "duplicate"),
        (f"logged_foods[{lengths['logged_foods']}]._id", "duplicate"),
        (f"diary_logs[{lengths['diary_logs']}]._id", "duplicate"),
    ]


async def test_all_faults_are_told_at_once_and_at_most_25(acme: httpx.AsyncClient, service: Service) -> None:
    document = copy.deepcopy(await _cached(acme, service))
    document["timezone"] = "Mars/Base"
    document["favorites"][0]["food_id"] = 7
    document["diary_logs"][2] |= {"meal": "brunch", "dat": "2026-01-01"}
    response = await send(acme, document)
    assert faults(response) == [
        ("timezone", "unknown_timezone"),
        ("favorites[0].food_id", "wrong_type"),
        ("diary_logs[2].meal", "not_allowed"),
        ("diary_logs[2].dat", "unknown_parameter"),
    ]
    assert "Did you mean date?" in response.json()["errors"][3]["message"]
    document["diary_logs"] = [{}] * 100
    assert len(faults(await send(acme, document))) == 25


async def test_more_than_can_be_counted_is_refused(acme: httpx.AsyncClient, service: Service) -> None:
    document = copy.deepcopy(await _cached(acme, service))
    for food in document["logged_foods"]:
        food["minerals"]["iron_in_mg"] = 1e9
    document["diary_logs"][0]["number_of_servings"] = 1001
    document["diary_logs"][1]["metric_amount"] = 1_000_000
    assert faults(await send(acme, document)) == [
        ("diary_logs[0].number_of_servings", "out_of_range"),
        ("diary_logs[1].metric_amount", "out_of_range"),
    ]
    # As it is shown, and counted, it is rounded up.
    for food in document["logged_foods"]:
        food |= {"is_rounded": True, "minerals": {"iron_in_mg": 999_960_000}}
    document["diary_logs"][0]["number_of_servings"] = 1000.03
    document["diary_logs"][1]["metric_amount"] = 1
    assert faults(await send(acme, document)) == [("diary_logs[0].number_of_servings", "out_of_range")]
    document["diary_logs"][0]["number_of_servings"] = 1000
    assert (await send(acme, document, reference_id="carol")).status_code == 201
    for food in document["logged_foods"]:
        food["minerals"]["iron_in_mg"] = 1e299
        food["metric_serving_amount"] = 1e-9
    assert len(faults(await send(acme, document))) == len(document["diary_logs"])


async def test_quick_reading_takes_nothing_that_the_reader_refuses(acme: httpx.AsyncClient, service: Service) -> None:
    """Logs have a quick way through; whatever is wrong with one must not find it."""
    document = await _cached(acme, service)
    for path, value, _ in WRONG:
        if not path.startswith("diary_logs[") or path == "diary_logs[1]":
            continue
        changed = copy.deepcopy(document)
        _set(path, value)(changed)
        entry = changed["diary_logs"][int(path[len("diary_logs[")])]
        by_itself = path not in (
            "diary_logs[1].food_id", "diary_logs[1].logged_food_id", "diary_logs[1].is_custom",
        ) and value not in ("2027-03-11", NOW_MS + 2 * DAY_MS)  # fmt: skip
        if by_itself:
            assert read_quickly(json.dumps(entry).encode()) is None, path
    for entry in document["diary_logs"]:
        is_quick = read_quickly(json.dumps(entry).encode()) is not None
        assert is_quick == (":" not in (entry["note"] or ""))


async def test_foods_of_others_are_not_reached(
    acme: httpx.AsyncClient, globex: httpx.AsyncClient, service: Service
) -> None:
    """A document may name any id. Whoever's food that is, it is none of this profile's, and nothing of it shows."""
    document = copy.deepcopy(await _cached(acme, service))
    await new_profile(acme, "carol")
    await new_profile(globex, "alice")
    ours, theirs = await new_food(acme, "carol", food_name="Secret"), await new_food(globex, food_name="Secret")
    document["custom_foods"][0]["_id"], replaced = ours, document["custom_foods"][0]["_id"]
    text = json.dumps(document).replace(replaced, theirs)
    assert (await send(acme, text.encode(), reference_id="bob")).status_code == 201
    before = [(await client.get(f"/v1/foods/{id_}")).json() for client, id_ in ((acme, ours), (globex, theirs))]
    for path in ("favorites", "recently-eaten", "most-eaten", "custom"):
        assert "Secret" not in (await acme.get(f"/v1/foods/{path}?profile_reference_id=bob")).text
    assert "Secret" not in (await acme.get("/v1/saved-meals?profile_reference_id=bob")).text
    await acme.delete("/v1/profiles/bob")
    after = [(await client.get(f"/v1/foods/{id_}")).json() for client, id_ in ((acme, ours), (globex, theirs))]
    assert after == before


async def test_an_export_of_one_application_can_be_imported_by_another(
    acme: httpx.AsyncClient, globex: httpx.AsyncClient, document: Document
) -> None:
    assert (await send(globex, document)).status_code == 201
    assert without_ids(await export(globex)) == without_ids(document)
    assert await _everything(globex) == await _everything(acme)


async def test_foods_as_they_were_logged_that_no_log_uses_are_left_behind(
    acme: httpx.AsyncClient, document: Document
) -> None:
    document["diary_logs"] = document["diary_logs"][:1]
    await send(acme, document, reference_id="bob")
    assert len((await export(acme, "bob"))["logged_foods"]) == 1


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps of one row each, so that there are many."""
    for name in ("_FOODS_AT_ONCE", "_ROWS_AT_ONCE"):
        monkeypatch.setattr(profile_judge, name, 1)
    for name in ("_LOGS_AT_ONCE", "_COUNTED_AT_ONCE", "_WRITTEN_AT_ONCE", "_KEPT_AT_HAND"):
        monkeypatch.setattr(recounting, name, 1)


@pytest.mark.usefixtures("small_steps")
async def test_in_the_smallest_steps_it_comes_to_the_same(acme: httpx.AsyncClient, document: Document) -> None:
    await send(acme, document, reference_id="bob")
    assert await _everything(acme, "bob") == await _everything(acme)


@pytest.mark.usefixtures("small_steps")
async def test_nothing_is_seen_of_it_before_all_is_there(
    acme: httpx.AsyncClient, service: Service, document: Document
) -> None:
    """Looked at after every turn of the event loop, from the first row to the last."""
    task = asyncio.create_task(send(acme, document, reference_id="bob"))
    had_rows = False
    while not task.done():
        await asyncio.sleep(0)
        rows = await service.engine.all("SELECT DISTINCT profile_id FROM diary_logs")
        listed = (await acme.get("/v1/profiles?limit=100")).json()["data"]
        if len(listed) == 1:
            had_rows = had_rows or len(rows) > 1
            assert (await acme.get("/v1/diary-logs?profile_reference_id=bob&from=1900-01-01")).status_code in (200, 404)
            # The cleaner leaves it alone meanwhile.
            await clear_deleted_profiles(service.engine, clock=service.clock)
        else:
            assert without_ids(await export(acme, "bob")) | {"reference_id": "alice"} == without_ids(document)
    assert (await task).status_code == 201
    assert had_rows, "it was never looked at in the middle"


@pytest.mark.usefixtures("small_steps")
async def test_a_cancelled_import_leaves_nothing(acme: httpx.AsyncClient, service: Service, document: Document) -> None:
    for turns in range(0, 400, 23):
        task = asyncio.create_task(send(acme, document, reference_id="bob"))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        if (await acme.get("/v1/profiles/bob")).status_code == 200:
            await acme.delete("/v1/profiles/bob")
        # A write of a caller that went away may still be under way; one more comes after it.
        await acme.patch("/v1/profiles/alice", data={"timezone": "UTC"})
        assert await _nothing_is_left_but(service, document["_id"]), turns


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("at", [1, 2, 9])
async def test_an_import_that_the_storage_fails_in_leaves_nothing(
    acme: httpx.AsyncClient, service: Service, document: Document, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    insert, inserted = diary.insert_logs, 0

    async def fail_later(*values: Any) -> None:
        nonlocal inserted
        inserted += 1
        # From then on, since a transaction that fails may be run again.
        if inserted >= at:
            raise StorageUnavailable("It does not answer.")
        await insert(*values)

    monkeypatch.setattr(diary, "insert_logs", fail_later)
    response = await send(acme, document, reference_id="bob")
    assert response.status_code == 503
    assert (await acme.get("/v1/profiles/bob")).status_code == 404
    assert await _nothing_is_left_but(service, document["_id"])


@pytest.mark.usefixtures("small_steps")
async def test_one_that_ends_without_a_word_is_cleared_away_when_its_time_has_come(
    acme: httpx.AsyncClient, service: Service, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a crash: not even its note is touched any more."""
    put_off = removal.put_off

    async def crash(statements: Any, profile_id: str, until: Any) -> bool:
        if until <= service.clock():
            raise StorageUnavailable("It is gone.")
        return await put_off(statements, profile_id, until)

    insert = eaten.save_rows
    monkeypatch.setattr(removal, "put_off", crash)
    monkeypatch.setattr(eaten, "save_rows", lambda *_, **__: 1 / 0)
    assert (await send(acme, document, reference_id="bob")).status_code == 500
    monkeypatch.setattr(eaten, "save_rows", insert)
    service.clock.advance(minutes=9)
    assert not await _nothing_is_left_but(service, document["_id"])
    # Its reference_id is free meanwhile.
    assert (await send(acme, document, reference_id="bob")).status_code == 201
    bob = (await acme.get("/v1/profiles/bob")).json()["_id"]
    service.clock.advance(minutes=2)
    assert await _nothing_is_left_but(service, document["_id"], bob)
    assert await _everything(acme, "bob") == await _everything(acme)


@pytest.mark.usefixtures("small_steps")
async def test_one_that_was_given_up_does_not_go_on(
    acme: httpx.AsyncClient, service: Service, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert = diary.insert_logs

    async def sleep(*values: Any) -> None:
        await insert(*values)
        monkeypatch.setattr(diary, "insert_logs", insert)
        asleep.append(True)

    asleep: list[bool] = []
    monkeypatch.setattr(diary, "insert_logs", sleep)
    step = profile_imports._Import._step  # noqa: SLF001

    async def step_after_the_cleaner(self: Any, write: Any) -> None:
        if asleep.pop() if asleep else False:
            service.clock.advance(minutes=11)
            assert await _nothing_is_left_but(service, document["_id"])
        await step(self, write)

    monkeypatch.setattr(profile_imports._Import, "_step", step_after_the_cleaner)  # noqa: SLF001
    assert (await send(acme, document, reference_id="bob")).status_code == 503
    assert (await acme.get("/v1/profiles/bob")).status_code == 404
    assert await _nothing_is_left_but(service, document["_id"])


async def test_a_caller_that_hangs_up_in_the_document_leaves_nothing(
    acme: httpx.AsyncClient, service: Service, document: Document
) -> None:
    body = json.dumps(document).encode()
    messages = [{"type": "http.request", "body": body[:5000], "more_body": True}, {"type": "http.disconnect"}]
    sent: list[Any] = []

    async def receive() -> Any:
        return messages.pop(0)

    async def take(message: Any) -> None:
        sent.append(message)

    headers = [(b"authorization", acme.headers["authorization"].encode()), (b"content-type", b"application/json")]
    path = "/v1/profiles/import"
    scope = {"type": "http", "http_version": "1.1", "method": "POST", "path": path, "raw_path": path.encode()}
    await service.app(scope | {"query_string": b"reference_id=bob", "headers": headers}, receive, take)
    # A body that ends early looks the same, and its caller may still listen.
    assert [message.get("status") for message in sent] == [400, None]
    assert await _nothing_is_left_but(service, document["_id"])
    assert {each.name for each in service.settings.data_dir.iterdir()} <= {
        "catalogue", "provender.db", "provender.db-wal", "provender.db-shm",
        *(each.name for each in service.settings.data_dir.glob("catalogue-*")),
    }  # fmt: skip


async def test_with_a_key_it_is_imported_once_and_answered_again(
    acme: httpx.AsyncClient, service: Service, document: Document
) -> None:
    async def send_with_key(body: Document, query: str = "?reference_id=bob") -> httpx.Response:
        headers = JSON | {"Idempotency-Key": "move-1"}
        return await acme.post(f"/v1/profiles/import{query}", content=json.dumps(body), headers=headers)

    first, again = await send_with_key(document), await send_with_key(document)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"
    others = [await send_with_key(document | {"timezone": "UTC"}), await send_with_key(document, "?reference_id=carol")]
    assert [each.json()["code"] for each in others] == ["idempotency_key_reused"] * 2
    assert await _nothing_is_left_but(service, document["_id"], first.json()["_id"])


async def test_of_two_at_once_with_one_key_both_get_the_answer_of_one(
    acme: httpx.AsyncClient, service: Service, document: Document
) -> None:
    headers = JSON | {"Idempotency-Key": "move-2"}
    body = json.dumps(document)
    answers = await asyncio.gather(
        *(acme.post("/v1/profiles/import?reference_id=bob", content=body, headers=headers) for _ in range(3))
    )
    assert {answer.status_code for answer in answers} == {201}
    made = {answer.json()["_id"] for answer in answers}
    assert len(made) == 1
    assert await _nothing_is_left_but(service, document["_id"], *made)
