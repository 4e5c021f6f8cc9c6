"""When a request is sent again, after how long, and that it is the same request."""

from collections.abc import Generator
from typing import Any

import httpx
import pytest

from provender_client import (
    Client,
    ConnectionFailed,
    InvalidRequest,
    NotFound,
    ServerError,
    ServiceUnavailable,
    TimedOut,
    TooManyRequests,
)
from tests.client.network import Meet, Network, problem, profile

HTML = httpx.Response(502, html="<h1>Bad Gateway</h1>")


def _retrieve(client: Client) -> Generator[Any, Any, None]:
    assert (yield client.profiles.retrieve("bob")).reference_id == "bob"


def _fails(error: type[Exception], found: list[Any]) -> Any:
    """A scenario that is to fail, and leaves its error in `found`."""

    def scenario(client: Client) -> Generator[Any, Any, None]:
        with pytest.raises(error) as caught:
            yield client.profiles.retrieve("bob")
        assert type(caught.value) is error
        found.append(caught.value)

    return scenario


@pytest.mark.parametrize("status", [429, 503])
async def test_retry_after_is_waited_for_and_little_more(meet: Meet, status: int) -> None:
    network = Network(problem(status, headers={"Retry-After": "7"}), profile())
    await meet(network, _retrieve)
    [waited] = network.waited
    assert 7 <= waited <= 7.7


@pytest.mark.parametrize(
    "failure",
    [
        problem(429),
        problem(503),
        HTML,
        httpx.Response(504),
        httpx.ConnectError("refused"),
        httpx.ReadError("reset"),
        httpx.RemoteProtocolError("half an answer"),
        httpx.ReadTimeout("slow"),
    ],
    ids=lambda failure: str(getattr(failure, "status_code", type(failure).__name__)),
)
async def test_what_may_pass_is_tried_again_after_longer_and_longer(meet: Meet, failure: Any) -> None:
    network = Network(failure, failure, failure, failure, failure, profile())
    await meet(network, _retrieve, max_retries=5)
    for waited, longest in zip(network.waited, (0.5, 1, 2, 4, 8), strict=True):
        assert longest / 2 <= waited <= longest


@pytest.mark.parametrize(
    ("failure", "error"),
    [(problem(503), ServiceUnavailable), (HTML, ServerError), (problem(429), TooManyRequests)],
    ids=["503", "502", "429"],
)
async def test_four_retries_are_enough_unless_more_are_asked_for(meet: Meet, failure: Any, error: Any) -> None:
    network = Network(*[failure] * 5)
    await meet(network, _fails(error, []))
    assert len(network.sent) == 5


async def test_a_retry_is_logged_without_naming_anybody(meet: Meet, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "provender_client")
    await meet(Network(problem(503, headers={"Retry-After": "0"}), httpx.ReadTimeout("slow"), profile()), _retrieve)
    first, second = (each.getMessage() for each in caplog.records if each.name == "provender_client")
    assert first == "GET: 503, sent again in 0.0 s"
    assert second.startswith("GET: ReadTimeout, sent again in ")


async def test_fewer_retries_than_none_are_none(meet: Meet) -> None:
    network = Network(problem(503), profile())
    await meet(network, _fails(ServiceUnavailable, []), max_retries=-1)
    assert len(network.sent) == 1


async def test_no_answer_at_all_is_told_with_its_cause(meet: Meet) -> None:
    for failure, error in ((httpx.ConnectError("refused"), ConnectionFailed), (httpx.ReadTimeout("slow"), TimedOut)):
        found: list[Any] = []
        await meet(Network(failure), _fails(error, found), max_retries=0)
        assert found[0].__cause__ is failure
        assert "GET http://127.0.0.1:8000/v1/profiles/bob" in str(found[0])
    await meet(Network(*[httpx.ConnectError("refused")] * 3), _fails(ConnectionFailed, found), max_retries=2)
    assert str(found[-1]) == "GET http://127.0.0.1:8000/v1/profiles/bob: refused (3 tries)"


@pytest.mark.parametrize(("status", "error"), [(400, InvalidRequest), (404, NotFound), (500, ServerError)])
async def test_what_would_fail_again_is_not_sent_again(meet: Meet, status: int, error: Any) -> None:
    network = Network(problem(status))
    await meet(network, _fails(error, []))
    assert len(network.sent) == 1


async def test_who_is_told_to_wait_for_long_is_told_so_at_once(meet: Meet) -> None:
    found: list[Any] = []
    network = Network(problem(429, headers={"Retry-After": "3600"}))
    await meet(network, _fails(TooManyRequests, found))
    assert found[0].retry_after_s == 3600
    assert network.waited == []


async def test_all_tries_of_a_post_are_one_request(meet: Meet) -> None:
    network = Network(httpx.ReadError("lost"), problem(503), profile(), profile())

    def scenario(client: Client) -> Generator[Any, Any, None]:
        yield client.profiles.create("bob", timezone="Europe/Berlin")
        yield client.profiles.create("bob", timezone="Europe/Berlin")

    await meet(network, scenario)
    first, second, third, other = network.sent
    keys = [request.headers["Idempotency-Key"] for request in network.sent]
    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert first.content == second.content == third.content == other.content


async def test_a_key_of_ones_own_is_sent_and_only_posts_have_one(meet: Meet) -> None:
    gone = httpx.Response(200, json={"_id": "x", "deleted": True})
    network = Network(profile(), profile(), profile(), gone)

    def scenario(client: Client) -> Generator[Any, Any, None]:
        yield client.profiles.create("bob", idempotency_key="signup-bob")
        yield client.profiles.retrieve("bob")
        yield client.profiles.change("bob", timezone=None)
        yield client.profiles.delete("bob")

    await meet(network, scenario)
    assert [request.headers.get("Idempotency-Key") for request in network.sent] == ["signup-bob", None, None, None]
    assert network.sent[0].content == b'{"reference_id": "bob"}'
    assert network.sent[2].content == b'{"timezone": null}'


@pytest.mark.parametrize(("failure", "notes"), [(httpx.ReadError("lost"), 1), (httpx.ConnectError("refused"), 0)])
async def test_a_delete_whose_answer_was_lost_says_that_it_may_have_been_done(
    meet: Meet, failure: Exception, notes: int
) -> None:
    network = Network(failure, problem(404, "profile_not_found"))

    def scenario(client: Client) -> Generator[Any, Any, None]:
        with pytest.raises(NotFound) as gone:
            yield client.profiles.delete("bob")
        assert len(getattr(gone.value, "__notes__", [])) == notes

    await meet(network, scenario)


async def test_patience_can_be_another_for_some_calls(meet: Meet) -> None:
    network = Network(problem(503), profile())

    def scenario(client: Client) -> Generator[Any, Any, None]:
        hasty = client.with_options(max_retries=0, timeout=1.5)
        with pytest.raises(ServiceUnavailable):
            yield hasty.profiles.retrieve("bob")
        yield client.profiles.retrieve("bob")

    await meet(network, scenario)
    reads = [request.extensions["timeout"]["read"] for request in network.sent]
    assert reads == [1.5, 30]
