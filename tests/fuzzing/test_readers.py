"""Whatever is sent, nothing is answered with a 500, and every answer is one that the document promises."""

import io
import itertools
from collections import Counter
from typing import Any
from urllib.parse import quote, urlencode

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from provender.importers.fdc import judge_newest
from provender.importers.fdc_json import read_json
from provender.importers.off import judge_line, read_csv
from provender.importers.opening import UnreadableInput
from provender.importers.records import Accepted, Rejected
from tests.conftest import Service
from tests.fuzzing.mutations import TEXTS, changed, odd_values, spoiled, write
from tests.kitchen import MUESLI, new_food, new_profile
from tests.moving import WITH_LOST, export, fill
from tests.pantry import BANANA

OWNER = "profile_reference_id"
LOG = {
    OWNER: "alice",
    "food_id": BANANA.id,
    "number_of_servings": 1.5,
    "meal": "lunch",
    "date": "2026-03-09",
    "note": "!",
}
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
    "/v1/foods/search": {
        "query": "banana",
        "limit": "5",
        "food_type": "brand",
        "include[]": "vitamins",
        OWNER: "alice",
    },
    "/v1/foods/barcode": {"barcode": "4006381333931", "include": "vitamins,servings"},
    "/v1/foods/recently-eaten": {OWNER: "alice", "limit": "5", "starting_after": BANANA.id, "meal": "lunch"},
    "/v1/foods/custom": {OWNER: "alice", "limit": "5", "ending_before": BANANA.id},
    "/v1/diary-logs": {OWNER: "alice", "from": "2026-03-01", "to": "2026-03-10", "meal": "lunch"},
    "/v1/diary-logs/summary": {OWNER: "alice", "date": "20000"},
    "/v1/profiles": {"limit": "5", "starting_after": BANANA.id},
}

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"

_ON_THEIR_WAY = frozenset(b"\r\n\0")

# What no HTTP server lets through is not for the application to judge.
header_values = st.binary(max_size=300).filter(lambda value: not _ON_THEIR_WAY & set(value)) | st.sampled_from(
    (b"", b"*", b'W/"a", "b"', b'"' * 100, b",,,", b"\xff\xfe", b"a" * 256, b"q=0;" * 50)
)
headers = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(
        ("If-None-Match", "Accept", "Idempotency-Key", "X-Request-Id", "Range", "Accept-Encoding", "Expect"),
        header_values,
    ),
)

Sent = tuple[str, str, bytes, dict[str, Any]]


def draw(requests: st.SearchStrategy[Sent], count: int = 150) -> list[Sent]:
    """The same requests every time. They are made first and sent then, since strategies and event loops do not mix."""
    found: list[Sent] = []

    @settings(max_examples=count, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(requests)
    def collect(each: Sent) -> None:
        found.append(each)

    collect()
    return found


async def send_all(client: httpx.AsyncClient, requests: list[Sent]) -> Counter[int]:
    """The client holds the answers against the document, and raises what the application lets through."""
    statuses: Counter[int] = Counter()
    for method, address, body, more in requests:
        try:
            response = await client.request(method, address, content=body or None, headers=more)
            assert response.status_code < 500, response.text
        except BaseException as error:
            error.add_note(f"This was sent: {method} {address} {more} {body!r}")
            raise
        statuses[response.status_code] += 1
    return statuses


@pytest.fixture
async def alice(acme: httpx.AsyncClient) -> httpx.AsyncClient:
    await new_profile(acme)
    await new_food(acme)
    return acme


right_bodies = st.sampled_from(sorted(BODIES.items(), key=str))


@st.composite
def json_requests(draw: st.DrawFn) -> Sent:
    (method, path), right = draw(right_bodies)
    body = draw(spoiled(write(draw(changed(right))), most=draw(st.sampled_from((0, 0, 2)))))
    return method, path, body, {"Content-Type": JSON}


@st.composite
def form_requests(draw: st.DrawFn) -> Sent:
    (method, path), right = draw(right_bodies)
    pairs = [(name, value) for name, value in right.items() if not isinstance(value, dict | list)]
    groups = [(name, value) for name, value in right.items() if isinstance(value, dict)]
    pairs += [(f"{name}[{member}]", each) for name, group in groups for member, each in group.items()]
    if pairs:
        at = draw(st.integers(0, len(pairs) - 1))
        pairs[at] = (pairs[at][0], draw(odd_values))
    encoded = urlencode(pairs, errors="surrogatepass").encode()
    return method, path, draw(spoiled(encoded, most=draw(st.sampled_from((0, 0, 2))))), {"Content-Type": FORM}


@st.composite
def queries(draw: st.DrawFn) -> Sent:
    path, right = draw(st.sampled_from(sorted(QUERIES.items())))
    name = draw(st.sampled_from(sorted(right)))
    query = right | {name: draw(st.sampled_from(TEXTS) | st.text(max_size=30))}
    encoded = draw(spoiled(urlencode(query, errors="surrogatepass").encode(), most=draw(st.sampled_from((0, 0, 2)))))
    return "GET", f"{path}?{quote(encoded, safe='%&=+[]{}')}", b"", draw(headers)


@st.composite
def paths(draw: st.DrawFn) -> Sent:
    start, end = draw(
        st.sampled_from(
            (("foods", ""), ("profiles", ""), ("profiles", "/export"), ("diary-logs", ""), ("saved-meals", ""))
        )
    )
    odd = draw(st.sampled_from(TEXTS) | st.text(max_size=30) | st.text("0123456789", min_size=8, max_size=14))
    segment = quote(odd[:200].encode("utf-8", "surrogatepass"), safe="").replace(".", "%2E")
    return draw(st.sampled_from(("GET", "HEAD", "DELETE"))), f"/v1/{start}/{segment}{end}", b"", draw(headers)


@st.composite
def keyed_requests(draw: st.DrawFn) -> Sent:
    body = write(LOG | {"note": draw(st.sampled_from(("a", "b")))})
    key = draw(st.sampled_from((b"again", b"a" * 255, b"\xe9")) | header_values)
    return "POST", "/v1/diary-logs", body, draw(headers) | {"Content-Type": JSON, "Idempotency-Key": key}


async def test_json_bodies(alice: httpx.AsyncClient) -> None:
    statuses = await send_all(alice, draw(json_requests(), 250))
    assert statuses[201] > 10
    assert statuses[400] > 50


async def test_form_bodies(alice: httpx.AsyncClient) -> None:
    statuses = await send_all(alice, draw(form_requests(), 250))
    assert statuses[201] > 10
    assert statuses[400] > 50


async def test_queries_and_headers(alice: httpx.AsyncClient) -> None:
    statuses = await send_all(alice, draw(queries()))
    assert statuses[200] > 2
    assert statuses[400] > 20


async def test_ids_in_paths(alice: httpx.AsyncClient) -> None:
    assert (await send_all(alice, draw(paths())))[404] > 20


async def test_keys_of_repeated_requests(alice: httpx.AsyncClient) -> None:
    statuses = await send_all(alice, draw(keyed_requests()))
    assert statuses[201] > 10
    assert statuses[409] > 1


async def test_documents_of_profiles(service: Service, acme: httpx.AsyncClient) -> None:
    service.use_catalogue(WITH_LOST)
    await fill(acme)
    document = await export(acme)
    numbers = itertools.count()

    @st.composite
    def documents(draw: st.DrawFn) -> Sent:
        body = draw(spoiled(write(draw(changed(document))), most=draw(st.sampled_from((0, 0, 2)))))
        return "POST", f"/v1/profiles/import?reference_id=copy-{next(numbers)}", body, {"Content-Type": JSON}

    statuses = await send_all(acme, draw(documents(), 200))
    # Some changes do no harm. If all did, little would have been tried.
    assert statuses[201] > 10
    assert statuses[400] > 50


# --- Records of catalogues

PRODUCT = {
    "code": "4006381333931",
    "product_name": "Biscuits",
    "product_name_en": "Biscuits",
    "lang": "de",
    "brands": "Acme, Other",
    "serving_size": "2 biscuits (25 g)",
    "serving_quantity": "25",
    "nutrition_data_per": "100g",
    "last_modified_t": 1700000000,
    "nutriments": {"energy-kcal_100g": 480, "fat_100g": 20.5, "proteins_100g": "6.5", "salt_100g": 0.5},
    "nutrition": {"aggregated_set": {"per": "100g", "nutrients": {"fat": {"value": 20.5, "unit": "g"}}}},
}
APPLE = {
    "fdcId": 1,
    "dataType": "Foundation",
    "description": "Apple",
    "ndbNumber": 9003,
    "publicationDate": "4/1/2019",
    "foodNutrients": [{"nutrient": {"id": 1008, "number": "208", "unitName": "kcal"}, "amount": 52.0}],
    "foodPortions": [{"gramWeight": 182.0, "amount": 1.0, "measureUnit": {"name": "medium"}, "modifier": "3 in"}],
}
COLA = {
    "fdcId": 2,
    "dataType": "Branded",
    "description": "COLA",
    "gtinUpc": "4006381333931",
    "brandOwner": "ACME INC.",
    "servingSize": 330.0,
    "servingSizeUnit": "ml",
    "householdServingFullText": "1 can",
    "modifiedDate": "2020-01-01",
    "foodNutrients": [{"nutrient": {"id": 1008, "unitName": "kcal"}, "amount": 42.0}],
}
FOODS = {"FoundationFoods": [APPLE, COLA]}


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
    try:
        outcomes = list(read_csv(io.BytesIO(file)))
    except ValueError:
        assert b"code" not in file.partition(b"\n")[0].split(b"\t")
        return
    assert all(isinstance(outcome, Accepted | Rejected) for outcome in outcomes)
