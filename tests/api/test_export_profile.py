"""GET /v1/profiles/{reference_id}/export."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from provender.model.access import Scope
from provender.model.errors import StorageUnavailable
from provender.services import exports
from provender.storage import diary
from tests.conftest import Service
from tests.kitchen import new_food, new_profile
from tests.moving import LOST, WITH_LOST, export, fill, log
from tests.pantry import BANANA


async def test_an_export_has_everything_the_profile_has(acme: httpx.AsyncClient, service: Service) -> None:
    service.use_catalogue(WITH_LOST)
    ids = await fill(acme)
    service.clock.advance(minutes=5)
    response = await acme.get("/v1/profiles/alice/export")
    assert response.headers["content-type"] == "application/json"
    assert "content-length" not in response.headers
    document = response.json()
    profile = (await acme.get("/v1/profiles/alice")).json()
    assert list(document)[:7] == [
        "format", "_id", "reference_id", "timezone", "created_at", "updated_at", "exported_at",
    ]  # fmt: skip
    assert document["format"] == 1
    assert document["exported_at"] == profile["created_at"] + 300_000
    for name in ("_id", "reference_id", "timezone", "created_at", "updated_at"):
        assert document[name] == profile[name]
    assert [food["_id"] for food in document["custom_foods"]] == [ids["muesli"], ids["granola"]]
    assert [each["food_id"] for each in document["favorites"]] == [
        ids["muesli"], BANANA.id, LOST.id, ids["granola"],
    ]  # fmt: skip
    assert [meal["name"] for meal in document["saved_meals"]] == ["Breakfast as ever", "Snack"]
    assert [item["is_custom"] for item in document["saved_meals"][0]["items"]] == [True, True, False, False, True]
    logs = document["diary_logs"]
    assert [entry["date"] for entry in logs] == [
        "2026-03-10", "2026-03-10", "2026-03-10", "2026-03-02", "2026-02-25", "2025-01-01", "2026-03-09", "2027-03-10",
        "1900-01-01", "2026-03-08",
    ]  # fmt: skip
    assert [entry.get("metric_amount") for entry in logs] == [None, 33.3, None, 59, 100, *[None] * 5]
    logged = {(food["_id"], food["food_id"]): food for food in document["logged_foods"]}
    assert {(entry["logged_food_id"], entry["food_id"]) for entry in logs} == logged.keys()
    assert list(logged) == sorted(logged)
    before, after = (logged[logs[place]["logged_food_id"], ids["granola"]] for place in (-2, -1))
    assert (before["food_name"], after["food_name"]) == ("Granola 🥑", "Granola!")


async def test_foods_are_exported_as_they_are_answered(acme: httpx.AsyncClient, service: Service) -> None:
    service.use_catalogue(WITH_LOST)
    await fill(acme)
    groups = "vitamins,minerals,carbohydrates,lipids,proteins"
    for food in (await export(acme))["custom_foods"]:
        answered = (await acme.get(f"/v1/foods/{food['_id']}", params={"include": groups})).json()
        assert answered.pop("profile_reference_id") == "alice"
        assert food == answered


async def test_a_profile_without_anything_is_exported_with_empty_lists(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    document = await export(acme)
    lists = ("custom_foods", "favorites", "saved_meals", "logged_foods", "diary_logs")
    assert {name: document[name] for name in lists} == {name: [] for name in lists}


async def test_lists_of_many_pages_are_whole_and_in_order(
    acme: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, service: Service
) -> None:
    service.use_catalogue(WITH_LOST)
    await fill(acme)
    whole = await export(acme)
    for size in (1, 2, 3):
        monkeypatch.setattr(exports, "PAGE", size)
        assert await export(acme) == whole


async def test_an_unknown_profile_is_not_found(acme: httpx.AsyncClient) -> None:
    for reference_id in ("nobody", "%00"):
        response = await acme.get(f"/v1/profiles/{reference_id}/export")
        assert (response.status_code, response.json()["code"]) == (404, "profile_not_found")


async def test_a_read_key_is_enough(acme: httpx.AsyncClient, service: Service) -> None:
    await new_profile(acme)
    reader = await service.client("acme", Scope.READ)
    assert (await export(reader))["reference_id"] == "alice"


async def test_head_has_the_headers_and_no_body(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    answers = [await acme.request(method, "/v1/profiles/alice/export") for method in ("HEAD", "GET")]
    assert answers[0].content == b""
    assert answers[0].headers["content-type"] == answers[1].headers["content-type"]
    assert (await acme.head("/v1/profiles/nobody/export")).status_code == 404


async def test_a_profile_that_is_called_import_can_be_reached_and_exported(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "import")
    assert (await export(acme, "import"))["reference_id"] == "import"
    assert (await acme.get("/v1/profiles/import")).json()["reference_id"] == "import"
    assert (await acme.patch("/v1/profiles/import", data={"timezone": "UTC"})).status_code == 200
    assert (await acme.delete("/v1/profiles/import")).status_code == 200
    assert (await acme.put("/v1/profiles/import")).headers["allow"] == "DELETE, GET, PATCH, POST, HEAD"


class _Caller:
    """A request for an export whose answer is taken message by message."""

    def __init__(self, service: Service, client: httpx.AsyncClient) -> None:
        self.sent: list[Any] = []
        self.hung_up = asyncio.Event()
        self._requested = False
        self._service = service
        self._headers = [(b"authorization", client.headers["authorization"].encode())]

    async def ask(self, method: str = "GET") -> None:
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "path": "/v1/profiles/alice/export",
            "raw_path": b"/v1/profiles/alice/export",
            "query_string": b"",
            "headers": self._headers,
        }
        await self._service.app(scope, self._receive, self._send)

    @property
    def is_whole(self) -> bool:
        return self.sent[-1]["type"] == "http.response.body" and not self.sent[-1].get("more_body", False)

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent)

    async def _receive(self) -> Any:
        if not self._requested:
            self._requested = True
            return {"type": "http.request", "body": b""}
        await self.hung_up.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        self.sent.append(message)


@pytest.fixture
async def many_pages(acme: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A profile with some logs, and pages of one each."""
    await new_profile(acme)
    for number in range(5):
        await log(acme, BANANA.id, note=str(number))
    monkeypatch.setattr(exports, "PAGE", 1)


@pytest.mark.usefixtures("many_pages")
async def test_it_is_sent_while_it_is_read(acme: httpx.AsyncClient, service: Service) -> None:
    caller = _Caller(service, acme)
    await caller.ask()
    assert caller.is_whole
    assert len(caller.sent) > 8
    assert len(json.loads(caller.body)["diary_logs"]) == 5


@pytest.mark.usefixtures("many_pages")
async def test_when_the_storage_fails_midway_the_answer_breaks_off(
    acme: httpx.AsyncClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, reads = diary.read_made, 0

    async def fail_later(*values: Any) -> Any:
        nonlocal reads
        reads += 1
        if reads == 3:
            raise StorageUnavailable("It does not answer.")
        return await read(*values)

    monkeypatch.setattr(diary, "read_made", fail_later)
    caller = _Caller(service, acme)
    await caller.ask()
    assert caller.sent[0]["status"] == 200
    assert not caller.is_whole
    assert b'"note":"1"' in caller.body
    assert b'"note":"2"' not in caller.body
    assert '"status":500' in service.log_lines()[-1]


@pytest.mark.usefixtures("many_pages")
@pytest.mark.parametrize("at", [1, 3, 6])
async def test_when_the_profile_is_deleted_meanwhile_the_answer_breaks_off(
    acme: httpx.AsyncClient, service: Service, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    read, reads = diary.read_made, 0

    async def delete_before(*values: Any) -> Any:
        nonlocal reads
        reads += 1
        if reads == at:
            await acme.delete("/v1/profiles/alice")
        return await read(*values)

    monkeypatch.setattr(diary, "read_made", delete_before)
    caller = _Caller(service, acme)
    await caller.ask()
    assert not caller.is_whole
    with pytest.raises(ValueError, match="Expecting"):
        json.loads(caller.body)


@pytest.mark.usefixtures("many_pages")
async def test_reading_stops_when_the_caller_has_hung_up(
    acme: httpx.AsyncClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, reads = diary.read_made, 0
    caller = _Caller(service, acme)

    async def hang_up(*values: Any) -> Any:
        nonlocal reads
        reads += 1
        if reads == 2:
            caller.hung_up.set()
            await asyncio.sleep(0)
        return await read(*values)

    monkeypatch.setattr(diary, "read_made", hang_up)
    await caller.ask()
    assert not caller.is_whole
    assert reads < 5
    assert '"status":499' in service.log_lines()[-1]


@pytest.mark.usefixtures("many_pages")
async def test_what_is_logged_meanwhile_is_not_in_it_and_what_is_deleted_leaves_no_gap(
    acme: httpx.AsyncClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever happens meanwhile, every log in it has its food as it was logged."""
    logs = (await export(acme))["diary_logs"]
    read, reads = diary.read_made, 0

    async def change_meanwhile(*values: Any) -> Any:
        nonlocal reads
        reads += 1
        if reads == 2:
            await acme.delete(f"/v1/diary-logs/{logs[2]['_id']}")
            food_id = await new_food(acme)
            await log(acme, food_id, note="late")
        return await read(*values)

    monkeypatch.setattr(diary, "read_made", change_meanwhile)
    document = await export(acme)
    assert [entry["note"] for entry in document["diary_logs"]] == ["0", "1", "3", "4"]
    known = {(food["_id"], food["food_id"]) for food in document["logged_foods"]}
    assert {(entry["logged_food_id"], entry["food_id"]) for entry in document["diary_logs"]} <= known
