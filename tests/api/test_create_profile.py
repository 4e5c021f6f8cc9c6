"""POST /v1/profiles"""

import asyncio
from urllib.parse import quote

import httpx
import pytest

from tests.conftest import Service


async def test_a_created_profile_has_all_its_fields(acme: httpx.AsyncClient, service: Service) -> None:
    response = await acme.post("/v1/profiles", data={"reference_id": "alice"})
    assert response.status_code == 201
    profile = response.json()
    assert len(profile.pop("_id")) == 16
    created_at = round(service.clock().timestamp() * 1000)
    assert profile == {
        "reference_id": "alice",
        "is_active": False,
        "created_at": created_at,
        "updated_at": created_at,
        "timezone": None,
    }


async def test_json_and_form_mean_the_same(acme: httpx.AsyncClient) -> None:
    by_json = await acme.post("/v1/profiles", json={"reference_id": "alice", "timezone": "Asia/Tokyo"})
    by_form = await acme.post("/v1/profiles", data={"reference_id": "bob", "timezone": "Asia/Tokyo"})
    assert by_json.status_code == by_form.status_code == 201
    assert by_json.json()["timezone"] == by_form.json()["timezone"] == "Asia/Tokyo"


async def test_a_reference_id_is_taken_only_once(acme: httpx.AsyncClient) -> None:
    await acme.post("/v1/profiles", data={"reference_id": "alice"})
    again = await acme.post("/v1/profiles", data={"reference_id": "alice"})
    assert again.status_code == 409
    assert again.json()["code"] == "reference_id_taken"


async def test_of_32_parallel_creations_one_wins(acme: httpx.AsyncClient) -> None:
    responses = await asyncio.gather(*(acme.post("/v1/profiles", data={"reference_id": "alice"}) for _ in range(32)))
    statuses = sorted(response.status_code for response in responses)
    assert statuses == [201] + [409] * 31
    assert len((await acme.get("/v1/profiles")).json()["data"]) == 1


@pytest.mark.parametrize(
    "reference_id",
    [
        "a/b",
        "/",
        "a b",
        "a+b",
        "100%",
        "%2F",
        "a?b=c#d",
        "🍌",
        "é",
        "e\u0301",
        "ä" * 255,
        "...",
        "user@example.com",
        "\u200d",
        " ",
        "a&b=c",
        "\U0010ffff",
        "ALICE",
    ],
)
async def test_any_reference_id_survives_the_way_through_a_path(acme: httpx.AsyncClient, reference_id: str) -> None:
    created = await acme.post("/v1/profiles", data={"reference_id": reference_id})
    assert created.status_code == 201
    address = f"/v1/profiles/{quote(reference_id, safe='')}"
    found = await acme.get(address)
    assert found.json() == created.json()
    assert found.json()["reference_id"] == reference_id
    assert (await acme.patch(address, data={"timezone": "UTC"})).json()["_id"] == created.json()["_id"]
    assert (await acme.delete(address)).json() == {"_id": created.json()["_id"], "deleted": True}


async def test_reference_ids_are_compared_exactly(acme: httpx.AsyncClient) -> None:
    for reference_id in ["alice", "Alice", "alice ", " alice", "é", "e\u0301"]:
        response = await acme.post("/v1/profiles", data={"reference_id": reference_id})
        assert response.status_code == 201


@pytest.mark.parametrize(
    ("reference_id", "code"),
    [
        ("", "too_short"),
        ("x" * 256, "too_long"),
        (".", "not_allowed"),
        ("..", "not_allowed"),
        ("a\x00b", "invalid_character"),
        ("a\nb", "invalid_character"),
        ("a\x7fb", "invalid_character"),
        ("a\x85b", "invalid_character"),
    ],
)
async def test_an_impossible_reference_id_is_refused(acme: httpx.AsyncClient, reference_id: str, code: str) -> None:
    for response in [
        await acme.post("/v1/profiles", data={"reference_id": reference_id}),
        await acme.post("/v1/profiles", json={"reference_id": reference_id}),
    ]:
        assert response.status_code == 400
        assert [(fault["param"], fault["code"]) for fault in response.json()["errors"]] == [("reference_id", code)]


@pytest.mark.parametrize("value", [42, True, None, ["alice"], {"a": 1}])
async def test_a_reference_id_in_json_must_be_a_string(acme: httpx.AsyncClient, value: object) -> None:
    response = await acme.post("/v1/profiles", json={"reference_id": value})
    assert response.status_code == 400
    assert response.json()["errors"][0]["param"] == "reference_id"


@pytest.mark.parametrize(
    "timezone", ["Mars/Olympus", "europe/berlin", "+02:00", "localtime", "../etc/passwd", "Factory"]
)
async def test_an_unknown_timezone_is_refused(acme: httpx.AsyncClient, timezone: str) -> None:
    response = await acme.post("/v1/profiles", data={"reference_id": "alice", "timezone": timezone})
    assert response.status_code == 400
    assert response.json()["errors"][0]["code"] == "unknown_timezone"
    assert (await acme.get("/v1/profiles")).json()["data"] == []


async def test_an_empty_timezone_is_none(acme: httpx.AsyncClient) -> None:
    response = await acme.post("/v1/profiles", data={"reference_id": "alice", "timezone": ""})
    assert response.json()["timezone"] is None
