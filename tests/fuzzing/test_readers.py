"""Whatever is sent, nothing is answered with a 500, and every answer is one that the document promises."""

import json
from typing import Any
from urllib.parse import quote, urlencode

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from provender.importers.fdc import judge_newest
from provender.importers.fdc_json import read_json
from provender.importers.off import judge_line, read_csv
from provender.importers.opening import UnreadableInput
from provender.importers.records import Accepted, Rejected
from tests.conftest import Service
from tests.fuzzing.mutations import TEXTS, changed, odd_values, spoiled, write
from tests.kitchen import MUESLI, new_food, new_profile
from tests.moving import export, fill
from tests.pantry import BANANA

OWNER = "profile_reference_id"
LOG = {OWNER: "alice", "food_id": BANANA.id, "number_of_servings": 1.5, "meal": "lunch", "date": "2026-03-09", "note": "!"}
MEAL = {OWNER: "alice", "name": "Lunch", "meal": "lunch", "items": [{"food_id": BANANA.id, "number_of_servings": 2}]}

# Right bodies of the requests that have one.
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("POST", "/v1/profiles"): {"reference_id": "bob", "timezone": "Europe/Berlin"},
    ("PATCH", "/v1/profiles/alice"): {"timezone": "Europe/Berlin"},
    ("POST", "/v1/foods/custom"): {OWNER: "alice", **MUESLI},
    ("POST", f"/v1/foods/favorites/{BANANA.id}"): {OWNER: "alice"},
    ("POST", "/v1/diary-logs"): LOG,
    ("POST", "/v1/diary-logs/batch"): {"logs": [LOG, LOG]},
    ("POST", "/v1/diary-logs/copy"): {OWNER: "alice", "from": "2026-03-09", "to": "2026-03-10"},
    ("POST", "/v1/saved-meals"): MEAL,
}

# Right parameters of the requests that have them in their address.
QUERIES = {
    "/v1/foods/search": {"query": "banana", "limit": "5", "food_type": "brand", "include[]": "vitamins", OWNER: "alice"},
    "/v1/foods/barcode": {"barcode": "4006381333931", "include": "vitamins,servings"},
    "/v1/foods/recently-eaten": {OWNER: "alice", "limit": "5", "starting_after": BANANA.id, "meal": "lunch"},
    "/v1/foods/custom": {OWNER: "alice", "limit": "5", "ending_before": BANANA.id},
    "/v1/diary-logs": {OWNER: "alice", "from": "2026-03-01", "to": "2026-03-10", "meal": "lunch"},
    "/v1/diary-logs/summary": {OWNER: "alice", "date": "20000"},
    "/v1/profiles": {"limit": "5", "starting_after": BANANA.id},
}

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"

# A test is one request to one service, and the service may stay as the one before has left it.
MANY = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])

headers = st.fixed_dictionaries(
    {},
    optional={
        name: st.binary(max_size=300).filter(lambda value: not set(value) & set(b"\r\n\0"))
        | st.sampled_from((b"", b"*", b'W/"a", "b"', b'"' * 100, b",,,", b"\xff\xfe", b"a" * 256, b"q=0;" * 50))
        for name in ("If-None-Match", "Accept", "Idempotency-Key", "X-Request-Id", "Range", "Accept-Encoding", "Expect")
    },
)


async def _send(client: httpx.AsyncClient, method: str, address: str, **more: Any) -> httpx.Response:
    """The client holds the answer against the document, and raises what the application lets through."""
    response = await client.request(method, address, **more)
    assert response.status_code < 500, response.text
    return response


@pytest.fixture
async def alice(acme: httpx.AsyncClient) -> httpx.AsyncClient:
    await new_profile(acme)
    await new_food(acme)
    return acme


@MANY
@given(st.data())
async def test_json_bodies(alice: httpx.AsyncClient, data: st.DataObject) -> None:
    (method, path), right = data.draw(st.sampled_from(sorted(BODIES.items(), key=str)))
    body = data.draw(changed(right).map(write).flatmap(spoiled))
    await _send(alice, method, path, content=body, headers={"Content-Type": JSON})


@MANY
@given(st.data())
async def test_form_bodies(alice: httpx.AsyncClient, data: st.DataObject) -> None:
    (method, path), right = data.draw(st.sampled_from(sorted(BODIES.items(), key=str)))
    pairs = [(name, value) for name, value in right.items() if not isinstance(value, dict | list)]
    pairs += [(f"{name}[{member}]", each) for name, value in right.items() if isinstance(value, dict) for member, each in value.items()]
    at = data.draw(st.integers(0, len(pairs) - 1))
    pairs[at] = (pairs[at][0], data.draw(odd_values))
    body = data.draw(spoiled(urlencode(pairs, errors="surrogatepass").encode()))
    await _send(alice, method, path, content=body, headers={"Content-Type": FORM})


@MANY
@given(st.data())
async def test_queries_and_headers(alice: httpx.AsyncClient, data: st.DataObject) -> None:
    path, right = data.draw(st.sampled_from(sorted(QUERIES.items())))
    query = dict(right)
    query[data.draw(st.sampled_from(sorted(right)))] = data.draw(st.sampled_from(TEXTS) | st.text(max_size=30))
    encoded = data.draw(spoiled(urlencode(query, errors="surrogatepass").encode()))
    # What no HTTP server lets through is not for the application to judge.
    address = httpx.URL("http://provender.test", raw_path=path.encode() + b"?" + quote(encoded, safe="%&=+[]{}\"\\").encode())
    await _send(alice, "GET", str(address), headers=data.draw(headers))


@MANY
@given(st.data())
async def test_ids_in_paths(alice: httpx.AsyncClient, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(("/v1/foods/{}", "/v1/profiles/{}", "/v1/profiles/{}/export", "/v1/diary-logs/{}", "/v1/saved-meals/{}")))
    odd = data.draw(st.sampled_from(TEXTS) | st.text(min_size=1, max_size=30) | st.text("0123456789", min_size=8, max_size=14))
    segment = quote(odd.encode("utf-8", "surrogatepass"), safe="")
    if not segment.strip(".") or len(segment) > 3000:
        return
    await _send(alice, data.draw(st.sampled_from(("GET", "DELETE", "HEAD"))), path.format(segment), headers=data.draw(headers))


@settings(MANY, max_examples=100)
@given(st.data())
async def test_keys_of_repeated_requests(alice: httpx.AsyncClient, data: st.DataObject) -> None:
    sent = data.draw(headers)
    await _send(alice, "POST", "/v1/diary-logs", json=LOG, headers=sent | {"Idempotency-Key": data.draw(st.binary(max_size=20).filter(lambda key: not set(key) & set(b"\r\n\0")))})


async def test_documents_of_profiles(acme: httpx.AsyncClient, service: Service) -> None:
    await fill(acme)
    document = await export(acme)

    @settings(max_examples=150, suppress_health_check=list(HealthCheck))
    @given(changed(document).map(write).flatmap(spoiled))
    def collect(body: bytes) -> None:
        bodies.append(body)

    bodies: list[bytes] = []
    collect()
    taken = 0
    for number, body in enumerate(bodies):
        address = f"/v1/profiles/import?reference_id=copy-{number}"
        response = await _send(acme, "POST", address, content=body, headers={"Content-Type": JSON})
        taken += response.status_code == 201
    # Some changes do no harm. If all did, little would have been tried.
    assert 0 < taken < len(bodies)


# --- Records of catalogues

PRODUCT = {
    "code": "4006381333931", "product_name": "Biscuits", "product_name_en": "Biscuits", "lang": "de", "brands": "Acme, Other",
    "serving_size": "2 biscuits (25 g)", "serving_quantity": "25", "nutrition_data_per": "100g", "last_modified_t": 1700000000,
    "nutriments": {"energy-kcal_100g": 480, "fat_100g": 20.5, "carbohydrates_100g": 65, "proteins_100g": "6.5", "salt_100g": 0.5},
    "nutrition": {"aggregated_set": {"per": "100g", "preparation": "as_sold", "nutrients": {"fat": {"value": 20.5, "unit": "g"}}}},
}  # fmt: skip
FOODS = {
    "FoundationFoods": [
        {
            "fdcId": 1, "dataType": "Foundation", "description": "Apple", "ndbNumber": 9003, "publicationDate": "4/1/2019",
            "foodNutrients": [{"nutrient": {"id": 1008, "number": "208", "unitName": "kcal"}, "amount": 52.0}],
            "foodPortions": [{"gramWeight": 182.0, "amount": 1.0, "measureUnit": {"name": "medium"}, "modifier": "3\\" dia"}],
        },
        {
            "fdcId": 2, "dataType": "Branded", "description": "COLA", "gtinUpc": "4006381333931", "brandOwner": "ACME INC.",
            "servingSize": 330.0, "servingSizeUnit": "ml", "householdServingFullText": "1 can", "modifiedDate": "2020-01-01",
            "foodNutrients": [{"nutrient": {"id": 1008, "unitName": "kcal"}, "amount": 42.0}],
        },
    ]
}  # fmt: skip


@settings(max_examples=400)
@given(changed(PRODUCT).map(write).flatmap(spoiled))
def test_products(line: bytes) -> None:
    outcome = judge_line(line.replace(b"\n", b" "))
    assert isinstance(outcome, Accepted | Rejected)
    if isinstance(outcome, Accepted):
        # What is in the catalogue is answered as JSON, which knows no NaN.
        assert all(0 <= value < 1e6 for value in outcome.food.nutrients.values())
        outcome.food.name.encode()


@settings(max_examples=400)
@given(changed(FOODS).map(write).flatmap(spoiled), st.integers(1, 200))
def test_foods(file: bytes, size: int) -> None:
    chunks = [file[at : at + size] for at in range(0, len(file), size)]
    try:
        outcomes = list(judge_newest(read_json(chunks, "foods.json")))
    except UnreadableInput:
        return
    for outcome in outcomes:
        assert isinstance(outcome, Accepted | Rejected)
        if isinstance(outcome, Accepted):
            assert all(0 <= value < 1e6 for value in outcome.food.nutrients.values())
            outcome.food.name.encode()


@settings(max_examples=200)
@given(spoiled(b"code\tproduct_name\tenergy-kcal_100g\n4006381333931\tBiscuits\t480\n\n4006381333948\tTea\t1e400\n"))
def test_exports(file: bytes) -> None:
    import io

    try:
        outcomes = list(read_csv(io.BytesIO(file)))
    except ValueError as error:
        assert "names no column" in str(error)
        return
    assert all(isinstance(outcome, Accepted | Rejected) for outcome in outcomes)
