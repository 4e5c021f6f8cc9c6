"""How arguments are sent, and what a client is made of."""

import inspect
import json
from collections.abc import Generator
from datetime import UTC, date, datetime
from typing import Any

import httpx
import pytest

from provender_client import AsyncClient, Client, InvalidBarcode, ProvenderError
from tests.client.network import Meet, Network, profile

EMPTY = httpx.Response(200, json={"has_more": False, "data": []})
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


@pytest.mark.parametrize("base_url", ["127.0.0.1:8000", "localhost", "ftp://food.test", "https://", "http://a:port"])
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


def test_wrong_arguments_are_told_with_the_method() -> None:
    with pytest.raises(TypeError, match=r"^Foods\.search: .*'limt'$"):
        Client("pv_key").foods.search("banana", limt=3)  # type: ignore[call-arg]


def test_a_method_shows_its_name_signature_and_docstring() -> None:
    method = Client("pv_key").foods.retrieve
    assert method.__name__ == "retrieve"
    assert list(inspect.signature(method).parameters) == ["food_id", "include"]
    assert (method.__doc__ or "").startswith("The food with this id")
