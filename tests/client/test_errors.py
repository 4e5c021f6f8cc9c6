"""What is raised, and what it says."""

import copy
import logging
import pickle
import socket
from collections.abc import Generator
from typing import Any

import httpx
import pytest

from provender.api.errors import public_errors, status_of
from provender_client import (
    AsyncClient,
    Client,
    ConnectionFailed,
    FieldError,
    ServerError,
    TimedOut,
    UnexpectedAnswer,
    errors,
)
from tests.client.conftest import TLS
from tests.client.network import Meet, Network, problem, profile

FAULT = {"param": "limit", "code": "out_of_range", "message": "is wrong."}


async def _error(meet: Meet, answer: httpx.Response | Exception, max_retries: int = 0) -> Any:
    found = []

    def scenario(client: Client) -> Generator[Any, Any, None]:
        with pytest.raises(errors.ProvenderError) as caught:
            yield client.profiles.retrieve("bob")
        found.append(caught.value)

    await meet(Network(*[answer] * (max_retries + 1)), scenario, max_retries=max_retries)
    return found[0]


async def test_a_problem_is_told_with_everything_that_it_says(meet: Meet) -> None:
    fault = {"param": "limit", "code": "out_of_range", "message": "is 1 to 100."}
    error = await _error(meet, problem(400, "invalid_parameters", errors=[fault]))
    assert isinstance(error, errors.InvalidRequest)
    assert (error.status, error.code, error.title) == (400, "invalid_parameters", "A title")
    assert (error.detail, error.request_id, error.param) == ("A sentence.", "r-1", "limit")
    assert error.errors == (FieldError("limit", "out_of_range", "is 1 to 100."),)


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(502, html="<h1>Bad Gateway</h1>", headers={"X-Request-Id": "r-2"}),
        httpx.Response(502, content=b"{", headers={"Content-Type": "application/problem+json", "X-Request-Id": "r-2"}),
        httpx.Response(502, json=[1], headers={"Content-Type": "application/problem+json", "X-Request-Id": "r-2"}),
    ],
    ids=["html", "no JSON", "no object"],
)
async def test_an_answer_of_a_proxy_is_an_error_too(meet: Meet, answer: httpx.Response) -> None:
    error = await _error(meet, answer)
    assert type(error) is ServerError
    assert (error.status, error.code, error.title, error.request_id) == (502, None, "Bad Gateway", "r-2")
    assert "proxy" in str(error)


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, html="<h1>Log in to this hotel</h1>"),
        httpx.Response(200, json=["not", "a", "profile"]),
        httpx.Response(200, json={"_id": "and nothing else"}),
        profile(created_at=10**17),
        httpx.Response(200, content="[" * 100_000),
        httpx.Response(301, headers={"Location": "https://elsewhere.test/"}),
    ],
    ids=["html", "list", "too little", "a time that no calendar has", "too deep", "redirect"],
)
async def test_an_answer_that_is_none_of_the_api_is_not_taken_for_one(meet: Meet, answer: httpx.Response) -> None:
    error = await _error(meet, answer)
    assert type(error) is UnexpectedAnswer
    assert "base_url" in str(error)


async def test_a_page_of_a_proxy_is_not_taken_for_an_export(meet: Meet) -> None:
    def scenario(client: Client) -> Generator[Any, Any, None]:
        with pytest.raises(UnexpectedAnswer, match="text/html"):
            yield client.profiles.export("bob").read()

    await meet(Network(httpx.Response(200, html="<h1>Log in to this hotel</h1>")), scenario)


@pytest.mark.parametrize("error", public_errors(), ids=lambda error: error.code)
def test_every_error_of_the_api_has_its_place_in_the_tree(error: Any) -> None:
    status = int(status_of(error))
    expected = {
        400: "InvalidRequest",
        401: "Unauthenticated",
        403: "PermissionDenied",
        404: "NotFound",
        409: "Conflict",
        429: "TooManyRequests",
        500: "ServerError",
        503: "ServiceUnavailable",
    }
    assert errors.error_of(status).__name__ == expected.get(status, "InvalidRequest")


def test_the_tree_that_is_drawn_is_the_tree() -> None:
    lines = [line for line in (errors.__doc__ or "").splitlines() if line.startswith("    ") and line.strip()]
    drawn = [(line.index(line.lstrip(" │├└─")), line.lstrip(" │├└─").split()[0]) for line in lines]

    def walk(kind: type[Exception], depth: int) -> Generator[tuple[int, str]]:
        yield depth, kind.__name__
        for child in kind.__subclasses__():
            yield from walk(child, depth + 4)

    assert drawn == list(walk(errors.ProvenderError, 4))


@pytest.mark.parametrize(
    "answer",
    [
        problem(409, "reference_id_taken", {"Retry-After": "7"}, errors=[FAULT]),
        httpx.Response(502, html="<h1>Bad Gateway</h1>"),
        httpx.Response(200, json={"_id": "and nothing else"}),
        httpx.ReadTimeout("slow"),
    ],
    ids=["problem", "proxy", "unexpected", "no answer"],
)
async def test_an_error_survives_being_pickled_and_copied(meet: Meet, answer: Any) -> None:
    """It crosses from a worker of a queue to whoever waits for it."""
    error = await _error(meet, answer)
    error.add_note("Seen in a worker.")
    assert error.request == "GET http://127.0.0.1:8000/v1/profiles/bob"
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):  # noqa: S301
        assert type(again) is type(error)
        assert (str(again), vars(again)) == (str(error), vars(error))


async def test_what_the_answer_was_is_kept_for_a_report(meet: Meet) -> None:
    answer = problem(409, headers={"X-Request-Id": "r-1", "Server": "Köln".encode()}, more={"a": [1]})
    error = await _error(meet, answer)
    assert (error.headers["x-request-id"], error.headers["SERVER"]) == ("r-1", "Köln")
    assert error.body == answer.json()
    page = await _error(meet, httpx.Response(502, html="<h1>Bad Gateway</h1>" + "<br>" * 10_000))
    assert page.body.startswith("<h1>Bad Gateway</h1>")
    assert len(page.body) == 2000
    hotel = await _error(meet, httpx.Response(200, html="<h1>Log in</h1>", headers={"X-Request-Id": "r-2"}))
    assert (hotel.status, hotel.body, hotel.request_id) == (200, "<h1>Log in</h1>", "r-2")
    assert hotel.headers["Content-Type"].startswith("text/html")


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (problem(404, "profile_not_found"), "404 profile_not_found: A sentence. (request r-1)"),
        (
            problem(400, "invalid_parameters", errors=[FAULT, FAULT | {"param": "query"}], detail="limit: is wrong."),
            "400 invalid_parameters: limit: is wrong. query: is wrong. (request r-1)",
        ),
        (
            problem(400, "many", errors=[FAULT | {"param": str(number)} for number in range(9)]),
            "400 many: A sentence. 0: is wrong. 1: is wrong. 2: is wrong. 3: is wrong. … (request r-1)",
        ),
        (problem(400, "odd", detail="Two\nlines."), "400 odd: Two lines. (request r-1)"),
        (httpx.Response(502), "502 Bad Gateway: The answer is not the API's own; it may be that of a proxy."),
    ],
    ids=["one", "two faults", "many faults", "two lines", "proxy"],
)
async def test_an_error_is_one_line_that_says_what_is_wrong(meet: Meet, answer: httpx.Response, line: str) -> None:
    assert str(await _error(meet, answer)) == line


@pytest.mark.parametrize(
    "answer",
    [httpx.Response(404, html="<h1>Not Found</h1>"), httpx.Response(404), problem(404, "not_found")],
    ids=["a proxy's page", "nothing", "no such path"],
)
async def test_a_path_that_is_not_there_is_not_taken_for_a_thing_that_is_not_there(
    meet: Meet, answer: httpx.Response
) -> None:
    error = await _error(meet, answer)
    assert type(error) is UnexpectedAnswer
    assert error.status == 404


ECHO = "You sent: Authorization: Bearer pv_key"


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(502, html=ECHO, headers={"X-Echo": ECHO}),
        httpx.Response(200, html=ECHO, headers={"X-Echo": ECHO}),
        httpx.Response(302, headers={"Location": "https://log.in.test/?then=pv_key"}),
        problem(
            401, "unauthenticated", detail=ECHO, title=ECHO, errors=[{"param": ECHO, "code": ECHO, "message": ECHO}]
        ),
        httpx.Response(201, json={"_id": "pv_EXAMPLE1", "key": "pv_" + "a" * 38}),
        httpx.Response(502, headers={"X-Request-Id": "pv_key"}),
        httpx.Response(200, headers={"X-Request-Id": "pv_key", "Content-Type": "text/plain; echo=pv_key"}),
        httpx.ConnectError("refused"),
        httpx.RemoteProtocolError(f"illegal header line: {ECHO}"),
    ],
    ids=["proxy", "unexpected", "redirect", "problem", "a new key", "id", "type", "no answer", "no HTTP"],
)
async def test_no_error_and_no_log_has_a_key(meet: Meet, caplog: pytest.LogCaptureFixture, answer: Any) -> None:
    caplog.set_level(logging.DEBUG)
    error = await _error(meet, answer, max_retries=1)
    told = [str(error), repr(error), repr(vars(error)), pickle.dumps(error).decode("latin-1")]
    told += [repr(vars(record)) for record in caplog.records]
    assert caplog.records
    for secret in ("pv_key", "pv_" + "a" * 38):
        assert not [each for each in told if secret in each]


async def test_a_server_that_never_answers_is_not_waited_for_forever() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with httpx.Client(verify=TLS, trust_env=False) as http, pytest.raises(TimedOut):
            Client("pv_key", url, timeout=0.1, max_retries=0, http_client=http).profiles.retrieve("bob")
        async with httpx.AsyncClient(verify=TLS, trust_env=False) as http:
            with pytest.raises(TimedOut):
                await AsyncClient("pv_key", url, timeout=0.1, max_retries=0, http_client=http).profiles.retrieve("bob")
    with httpx.Client(verify=TLS, trust_env=False) as http, pytest.raises(ConnectionFailed):
        Client("pv_key", url, max_retries=0, http_client=http).profiles.retrieve("bob")


async def test_there_is_a_timeout_unless_one_asks_for_none(meet: Meet) -> None:
    network = Network(profile(), profile())

    def scenario(client: Client) -> Generator[Any, Any, None]:
        yield client.profiles.retrieve("bob")
        yield client.profiles.import_document(b"{}")

    await meet(network, scenario)
    usual, importing = (request.extensions["timeout"] for request in network.sent)
    assert usual == {"connect": 5, "read": 30, "write": 30, "pool": 30}
    assert importing == usual | {"read": 600}
