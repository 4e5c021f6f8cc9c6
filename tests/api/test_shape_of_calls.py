"""What calls cost, by their shape and not by the clock: their statements, how these are answered, what is copied.

A call that sends one statement more, or one that has to be sorted for, is slower on every machine; a test of its time
would fail on busy ones only.
"""

import re
import tracemalloc
from dataclasses import replace
from typing import Any, NamedTuple

import httpx
import pytest

from provender.storage.engine import Engine, Statements
from tests.conftest import Service
from tests.pantry import BANANA, COLA, PANTRY
from tests.storage.recording import Asked, RecordingEngine, is_postgresql, plan

TODAY = "2026-03-10"


class Shape(NamedTuple):
    """A call, and how many statements it sends. PostgreSQL needs as many unless it is said."""

    method: str
    path: str
    parameters: dict[str, Any]
    statements: int
    on_postgresql: int | None = None
    sorts: bool = False

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"


_ALICE = {"profile_reference_id": "alice"}
_LOG = {**_ALICE, "food_id": BANANA.id, "meal": "lunch"}

SHAPES = [
    Shape("GET", f"/v1/foods/{BANANA.id}", {}, 0),
    Shape("GET", "/v1/foods/search", {"query": "banana"}, 0),
    # What several words find among a profile's own foods has to be put into one order.
    Shape("GET", "/v1/foods/search", {**_ALICE, "query": "banana"}, 1, sorts=True),
    Shape("GET", "/v1/foods/search", {**_ALICE, "query": "soup"}, 1, sorts=True),
    Shape("GET", "/v1/foods/barcode", {**_ALICE, "barcode": COLA.barcode}, 1),
    Shape("GET", "/v1/nutrients", {}, 0),
    Shape("GET", "/v1/catalogue", {}, 0),
    Shape("GET", f"/v1/foods/{BANANA.id}/provenance", {}, 0),
    Shape("GET", "/v1/profiles/alice", {}, 1),
    Shape("GET", "/v1/profiles", {}, 1),
    Shape("GET", "/v1/foods/favorites", _ALICE, 1),
    Shape("GET", "/v1/foods/recently-eaten", _ALICE, 1),
    Shape("GET", "/v1/foods/recently-eaten", {**_ALICE, "meal": "lunch"}, 1),
    Shape("GET", "/v1/foods/most-eaten", _ALICE, 1),
    Shape("GET", "/v1/foods/most-eaten", {**_ALICE, "meal": "lunch"}, 1),
    Shape("GET", "/v1/diary-logs", {**_ALICE, "date": TODAY}, 1),
    Shape("GET", "/v1/diary-logs", {**_ALICE, "date": TODAY, "meal": "lunch"}, 1),
    Shape("GET", "/v1/diary-logs/summary", {**_ALICE, "date": TODAY}, 1),
    Shape("GET", "/v1/foods/custom", _ALICE, 1),
    Shape("GET", "/v1/saved-meals", _ALICE, 1),
    # One round trip; SQLite's statements are calls of a function.
    Shape("POST", "/v1/diary-logs", _LOG, 3, on_postgresql=1),
]


@pytest.fixture
async def alice(recording: RecordingEngine, acme: httpx.AsyncClient) -> httpx.AsyncClient:
    """A profile that has some of everything."""
    await _ok(acme.post("/v1/profiles", data={"reference_id": "alice"}))
    for food in PANTRY[:3]:
        await _ok(acme.post(f"/v1/foods/favorites/{food.id}", data=_ALICE))
        await _ok(acme.post("/v1/diary-logs", data={**_LOG, "food_id": food.id}))
    custom = {**_ALICE, "food_name": "Soup", "serving_description": "bowl", "metric_serving_amount": 250}
    await _ok(acme.post("/v1/foods/custom", data={**custom, "metric_serving_unit": "ml", "food_type": "generic"}))
    items = [{"food_id": BANANA.id, "number_of_servings": 1}]
    await _ok(acme.post("/v1/saved-meals", json={**_ALICE, "name": "Snack", "meal": "snack", "items": items}))
    recording.take()
    return acme


async def _ok(answer: Any) -> httpx.Response:
    response: httpx.Response = await answer
    assert response.is_success, response.text
    return response


async def _send(client: httpx.AsyncClient, shape: Shape) -> httpx.Response:
    if shape.method == "GET":
        return await _ok(client.get(shape.path, params=shape.parameters))
    return await _ok(client.post(shape.path, data=shape.parameters))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape.name} {' '.join(shape.parameters)}")
async def test_a_call_sends_so_many_statements_each_along_an_index(
    alice: httpx.AsyncClient, recording: RecordingEngine, engine: Engine, shape: Shape
) -> None:
    # Whatever is settled, prepared or remembered by the first of them.
    await _send(alice, shape)
    recording.take()
    answer = await _send(alice, shape)
    asked = recording.take()
    if shape.method == "GET" and "data" in answer.json():
        assert answer.json()["data"], "an empty list would show nothing"
    expected = shape.statements
    if is_postgresql(engine) and shape.on_postgresql is not None:
        expected = shape.on_postgresql
    assert len(asked) == expected, [each.sql for each in asked]
    for each in asked:
        found = await _plan_with_indexes(engine, each)
        # A table that is read through, or rows that no index has in their order. A scan of what a part of the statement
        # itself has found is none.
        assert not re.search(r"\bSCAN (?!exact\b|page\b|begun\b|either\b|CONSTANT)\w+|Seq Scan", found), found
        assert shape.sorts or not re.search(r"TEMP B-TREE|\bSort\b", found), found


async def _plan_with_indexes(engine: Engine, asked: Asked) -> str:
    """The plan; PostgreSQL's as it is for large tables, which it reads through or sorts only for want of an index."""
    if not is_postgresql(engine):
        return await plan(engine, asked)

    async def explain(statements: Statements) -> str:
        for unwanted in ("seqscan", "sort", "bitmapscan"):
            await statements.change(f"SET LOCAL enable_{unwanted} = off")
        rows = await statements.all(f"EXPLAIN (COSTS OFF) {asked.sql}", *asked.values)
        return "\n".join(row[0] for row in rows)

    return await engine.transaction(explain)


async def _bodies(service: Service, client: httpx.AsyncClient, path: str, query: str) -> list[bytes]:
    """The very objects that the application hands to the server as the body of an answer."""
    sent: list[bytes] = []
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(b"authorization", client.headers["authorization"].encode())],
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body":
            sent.append(message["body"])

    await service.app(scope, receive, send)
    return sent


async def test_a_food_is_not_copied_at_all(service: Service, alice: httpx.AsyncClient) -> None:
    kept = service.app.services.catalogue.get().find(BANANA.id, frozenset())
    assert kept is not None
    [body] = await _bodies(service, alice, f"/v1/foods/{BANANA.id}", "")
    assert body is kept.body


async def test_the_foods_of_a_page_are_copied_once(service: Service, alice: httpx.AsyncClient) -> None:
    """Into the answer: while it is made, there is no memory for another copy of it."""
    service.use_catalogue([replace(BANANA, source_key=f"kind {number}") for number in range(100)])
    asked = "query=banana&limit=100&include[]=vitamins,minerals,lipids"
    await _bodies(service, alice, "/v1/foods/search", asked)
    tracemalloc.start()
    [body] = await _bodies(service, alice, "/v1/foods/search", asked)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert body.count(b'"_id"') == 100
    # Beside the answer a request needs some memory for a moment; a second copy would be twice as much.
    assert len(body) < most < 1.7 * len(body)
