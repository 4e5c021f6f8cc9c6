"""How arguments are sent, and what a client is made of."""

import copy
import inspect
import json
import pickle
import uuid
from collections.abc import Generator
from datetime import UTC, date, datetime
from typing import Any

import httpx
import pytest

from provender_client import AsyncClient, Client, InvalidBarcode, ProvenderError
from provender_client.decoding import reader
from provender_client.models.foods import Food
from tests.client.network import Meet, Network, profile
from tests.client.test_models import FOOD as FOOD_AS_SENT

EMPTY = httpx.Response(200, json={"has_more": False, "data": []})
FOOD = reader(Food)(FOOD_AS_SENT)
CREATED = httpx.Response(201, json={"_id": "x", "created": True})


async def _sent(meet: Meet, answer: httpx.Response, scenario: Any) -> httpx.Request:
    network = Network(answer)
    await meet(network, scenario)
    [request] = network.sent
    return request


async def test_queries_have_what_was_given_and_nothing_else(meet: Meet) -> None:
    def scenario(client: Client) -> Generator[Any, Any, None]:
        yield client.diary.list("a b", from_=date(2026, 3, 9), to="2026-03-10", include=["vitamins", "lipids"]).page()

    request = await _sent(meet, EMPTY, scenario)
    assert dict(request.url.params) == {
        "profile_reference_id": "a b",
        "from": "2026-03-09",
        "to": "2026-03-10",
        "include": "vitamins,lipids",
    }
    assert request.headers["Authorization"] == "Bearer pv_key"
    assert request.headers["User-Agent"].startswith("provender-client/")


async def test_bodies_have_dates_and_lists_as_json(meet: Meet) -> None:
    def scenario(client: Client) -> Generator[Any, Any, None]:
        yield client.diary.create(profile_reference_id="a", food_id="f", date=date(2026, 3, 9), number_of_servings=0)

    request = await _sent(meet, CREATED, scenario)
    assert json.loads(request.content) == {
        "profile_reference_id": "a",
        "food_id": "f",
        "date": "2026-03-09",
        "number_of_servings": 0,
    }
    assert request.headers["Content-Type"] == "application/json"


async def test_an_id_is_one_segment_of_the_path_whatever_it_is(meet: Meet) -> None:
    def scenario(client: Client) -> Generator[Any, Any, None]:
        yield client.profiles.retrieve("../profiles/ann?x=1#y")

    request = await _sent(meet, profile(), scenario)
    assert request.url.raw_path == b"/v1/profiles/..%2Fprofiles%2Fann%3Fx%3D1%23y"


@pytest.mark.parametrize("reference_id", ["", ".", ".."])
def test_an_id_that_names_nothing_is_not_sent(reference_id: str) -> None:
    with pytest.raises(ValueError, match="names nothing"):
        Client("pv_key").profiles.delete(reference_id)


def test_a_moment_is_no_day() -> None:
    with pytest.raises(TypeError, match="is a moment"):
        Client("pv_key").diary.summary("alice", date=datetime(2026, 3, 9, tzinfo=UTC))


def test_a_barcode_that_is_none_is_not_sent() -> None:
    with pytest.raises(InvalidBarcode):
        Client("pv_key").foods.by_barcode("012345678904")


@pytest.mark.parametrize(
    "misuse",
    [
        lambda client: client.profiles.delete(None),
        lambda client: client.diary.list(None),
        lambda client: client.profiles.create(None),
        lambda client: client.foods.by_barcode(None),
        lambda client: client.foods.by_barcode(4006381333931),
        lambda client: client.foods.retrieve(FOOD),
        lambda client: client.foods.retrieve(b"qH2cz3R44WDV4dIf"),
        lambda client: client.diary.create(profile_reference_id="a", food_id=FOOD),
        lambda client: client.diary.create_batch([{"profile_reference_id": "a", "food_id": FOOD}]),
        lambda client: client.diary.create(profile_reference_id=b"a", food_id="f"),
        lambda client: client.profiles.import_document("alice.json"),
    ],
)
def test_what_would_be_taken_for_something_else_is_not_sent(misuse: Any) -> None:
    """The profile called "None", a food called by all that is in it, a path for a document."""

    def never(request: httpx.Request) -> httpx.Response:
        raise AssertionError(f"{request.method} {request.url} was sent")

    with httpx.Client(transport=httpx.MockTransport(never)) as http, pytest.raises(TypeError) as caught:
        misuse(Client("pv_key", http_client=http))
    assert len(str(caught.value)) < 120, "a message, not a whole food"


def test_a_whole_food_in_the_place_of_its_id_is_told_with_the_method() -> None:
    with pytest.raises(TypeError, match=r"^Foods\.retrieve: food_id is a whole Food; give its id\.$"):
        Client("pv_key").foods.retrieve(FOOD)  # type: ignore[arg-type]


def test_a_number_that_is_none_is_told_with_the_method() -> None:
    with pytest.raises(ValueError, match="JSON") as caught:
        Client("pv_key").diary.create(profile_reference_id="a", food_id="f", metric_amount=float("nan"))
    assert caught.value.__notes__ == ["This was an argument of Diary.create."]


@pytest.mark.parametrize("key", ["", "two words", "schlüssel", "line\nbreak", "x" * 256])
def test_an_idempotency_key_that_is_unfit_is_not_replaced_by_another(key: str) -> None:
    with pytest.raises(ValueError, match="idempotency_key"):
        Client("pv_key").profiles.create("bob", idempotency_key=key)


async def test_an_id_may_be_a_uuid_wherever_it_is_sent(meet: Meet) -> None:
    user: Any = uuid.UUID(int=7)
    network = Network(profile(), EMPTY, profile())

    def scenario(client: Client) -> Generator[Any, Any, None]:
        yield client.profiles.retrieve(user)
        yield client.diary.list(user).page()
        yield client.profiles.create(user)

    await meet(network, scenario)
    path, query, body = network.sent
    assert path.url.path == f"/v1/profiles/{user}"
    assert query.url.params["profile_reference_id"] == str(user)
    assert json.loads(body.content) == {"reference_id": str(user)}


def test_the_key_and_the_address_can_be_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PROVENDER_API_KEY", raising=False)
    monkeypatch.delenv("PROVENDER_URL", raising=False)
    for kind in (Client, AsyncClient):
        with pytest.raises(ProvenderError, match="PROVENDER_API_KEY"):
            kind()
    for no_key in ("pv_…", "pv_a pv_b", "pv_a\n"):
        with pytest.raises(ProvenderError, match="no API key"):
            Client(no_key)
    monkeypatch.setenv("PROVENDER_API_KEY", "pv_secret")
    assert "pv_secret" not in repr(vars(Client()))
    assert repr(Client()) == "Client(base_url='http://127.0.0.1:8000')"
    monkeypatch.setenv("PROVENDER_URL", "https://food.test/")
    assert repr(AsyncClient()) == "AsyncClient(base_url='https://food.test')"


@pytest.mark.parametrize(
    "base_url", ["127.0.0.1:8000", "localhost", "ftp://food.test", "https://", "http://a:port", "http://a/v1/"]
)
def test_an_address_that_is_none_is_refused_at_once(base_url: str) -> None:
    with pytest.raises(ProvenderError, match="base_url"):
        Client("pv_key", base_url)


def test_an_address_with_a_password_is_refused_and_not_repeated() -> None:
    with pytest.raises(ProvenderError, match="base_url") as caught:
        AsyncClient("pv_key", "https://acme:hunter2@food.test")
    assert "hunter2" not in str(caught.value)


async def test_a_client_closes_the_connections_that_it_has_opened_and_no_others() -> None:
    async with httpx.AsyncClient() as http:
        async with AsyncClient("pv_key", http_client=http):
            pass
        assert not http.is_closed
    with Client("pv_key") as client:
        hasty = client.with_options(max_retries=0)
        hasty.close()
        assert not client._driver.http.is_closed  # noqa: SLF001
    assert client._driver.http.is_closed  # noqa: SLF001


def test_the_timeout_of_a_client_of_ones_own_holds_unless_another_is_given() -> None:
    def read_s(client: Client | AsyncClient) -> float | None:
        return client._driver.timeout.read  # noqa: SLF001

    patient = httpx.Client(timeout=99)
    assert read_s(Client("pv_key", http_client=patient)) == 99
    assert read_s(AsyncClient("pv_key", http_client=httpx.AsyncClient(timeout=99))) == 99
    assert read_s(Client("pv_key", http_client=patient, timeout=2)) == 2
    assert read_s(Client("pv_key", http_client=httpx.Client())) == 30


def test_a_client_and_its_lists_are_not_pickled_with_their_key() -> None:
    for kept in (Client("pv_key"), AsyncClient("pv_key"), Client("pv_key").foods, Client("pv_key").foods.search("x")):
        for take in (pickle.dumps, copy.deepcopy):
            with pytest.raises(TypeError, match="make one in each process"):
                take(kept)


def test_a_list_says_what_it_is_and_how_it_is_used() -> None:
    assert repr(Client("pv_key").foods.search("x")).startswith("<Pages of GET /v1/foods/search: iterate")
    assert repr(AsyncClient("pv_key").diary.list("bob")).startswith(
        "<AsyncPages of GET /v1/diary-logs: use `async for`"
    )


def test_an_editor_offers_the_methods_and_nothing_else() -> None:
    offered = [name for name in dir(Client("pv_key").foods) if not name.startswith("_")]
    assert offered == ["by_barcode", "provenance", "retrieve", "search"]


def test_wrong_arguments_are_told_with_the_method() -> None:
    with pytest.raises(TypeError, match=r"^Foods\.search: .*'limt'$"):
        Client("pv_key").foods.search("banana", limt=3)  # type: ignore[call-arg]


def test_a_method_shows_its_name_signature_and_docstring() -> None:
    method = Client("pv_key").foods.retrieve
    assert method.__name__ == "retrieve"
    assert list(inspect.signature(method).parameters) == ["food_id", "include"]
    assert (method.__doc__ or "").startswith("The food with this id")
