"""HTTP as the network sees it: what only a real server and a real connection can show."""

import socket
from collections.abc import Iterator
from functools import partial
from urllib.parse import quote

import httpx
import pytest

from provender.settings import Settings
from tests.system.server import Server, serving

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
TOO_MUCH = 3 * 1024 * 1024


@pytest.fixture(scope="module")
def server(shared_settings: Settings) -> Iterator[Server]:
    with serving(shared_settings) as running:
        yield running


@pytest.fixture
def client(server: Server, key: str) -> Iterator[httpx.Client]:
    """An application that has nothing yet, over one connection."""
    with server.client(key) as opened:
        yield opened


def test_head_answers_what_get_does_without_the_body(client: httpx.Client) -> None:
    client.post("/v1/profiles", data={"reference_id": "alice"})
    for path in ("/v1/profiles", "/v1/profiles/alice", "/v1/profiles/nobody", "/healthz", "/docs/api", "/nowhere"):
        # The id of the request is in a problem, so it must be the same for both.
        with_body, without = (client.request(method, path, headers={"X-Request-Id": "1"}) for method in ("GET", "HEAD"))
        assert without.status_code == with_body.status_code
        assert without.content == b""
        for name in ("content-type", "content-length"):
            assert without.headers[name] == with_body.headers[name], f"{name} of {path}"


def test_many_requests_go_over_one_connection(client: httpx.Client) -> None:
    ports = set()
    for number in range(5):
        responses = [
            client.post("/v1/profiles", data={"reference_id": f"user-{number}"}),
            client.get(f"/v1/profiles/user-{number}"),
            client.head("/v1/profiles"),
            client.get("/nowhere"),
        ]
        assert [response.status_code for response in responses] == [201, 200, 200, 404]
        ports |= {response.extensions["network_stream"].get_extra_info("client_addr")[1] for response in responses}
    assert len(ports) == 1, "the server has closed the connection in between"


def test_any_reference_id_is_found_by_its_percent_encoded_path(server: Server, client: httpx.Client) -> None:
    for reference_id in ("a/b", "a b", "a+b", "100%", "a%2Fb", "why?", "#1", "../etc", "🥑", "/ +%?#🥑&=;:@"):
        created = client.post("/v1/profiles", data={"reference_id": reference_id})
        assert created.json()["reference_id"] == reference_id
        # Dots are encoded too: a client may take `..` for a step up before it sends anything.
        path = f"{server.url}/v1/profiles/{quote(reference_id, safe='').replace('.', '%2E')}"
        assert client.get(path).json() == created.json()
        assert client.patch(path, data={"timezone": "UTC"}).json()["timezone"] == "UTC"
        assert client.delete(path).json() == {"_id": created.json()["_id"], "deleted": True}
        assert client.get(path).status_code == 404


def _chunks() -> Iterator[bytes]:
    for _ in range(TOO_MUCH // 65536):
        yield b"x" * 65536


def test_a_body_over_1_mib_is_answered_with_a_problem(server: Server, key: str) -> None:
    for content in (b"x" * TOO_MUCH, _chunks()):
        with server.client(key) as client:
            response = client.post("/v1/profiles", content=content, headers=FORM)
        announced = "content-length" in response.request.headers
        assert announced == isinstance(content, bytes)
        assert response.status_code == 413
        assert response.headers["content-type"] == "application/problem+json"
        assert response.json()["code"] == "body_too_large"
        assert response.json()["request_id"] == response.headers["x-request-id"]


@pytest.mark.parametrize(("key_works", "status"), [(True, b"413"), (False, b"401")])
def test_an_answer_that_does_not_wait_for_the_body_says_that_the_connection_ends(
    server: Server, key: str, key_works: bool, status: bytes
) -> None:
    """RFC 9112, 9.6. A caller that is not told sends its next request into a connection that is being closed."""
    lines = [
        "POST /v1/profiles HTTP/1.1",
        "Host: 127.0.0.1",
        f"Authorization: Bearer {key if key_works else 'nonsense'}",
        f"Content-Length: {TOO_MUCH}",
    ]
    # Whether the server notices by itself that a body is left over differs from one time to the next.
    for _ in range(50):
        with socket.create_connection(("127.0.0.1", server.port), timeout=5) as caller:
            caller.sendall("\r\n".join([*lines, "", ""]).encode())
            answer = b"".join(iter(partial(caller.recv, 65536), b""))
        assert answer.split()[1] == status
        assert b"\r\nconnection: close\r\n" in answer.lower()


def test_every_answer_has_a_request_id(client: httpx.Client) -> None:
    answers = [
        client.get("/healthz"),
        client.get("/openapi.json"),
        client.get("/docs/api"),
        client.get("/docs/errors"),
        client.get("/v1/profiles"),
        client.post("/v1/profiles", data={"reference_id": "alice"}),
        client.get("/v1/profiles/nobody"),
        client.get("/v1/profiles", headers={"Authorization": "Bearer nonsense"}),
        client.get("/nowhere"),
        client.put("/v1/profiles"),
        client.put("/healthz"),
        client.options("/docs/api"),
        client.post("/v1/profiles", content=b"<xml/>", headers={"Content-Type": "application/xml"}),
    ]
    made = [answer.headers["x-request-id"] for answer in answers]
    assert len(set(made)) == len(made)
    assert all(len(request_id) == 20 and int(request_id, 16) >= 0 for request_id in made)


def test_a_callers_own_request_id_is_answered_if_it_is_sane(client: httpx.Client) -> None:
    for sent, is_sane in [("trace-1:a/b", True), ("x" * 128, True), ("x" * 129, False), ("a b", False), ("é", False)]:
        response = client.get("/healthz", headers=[(b"X-Request-Id", sent.encode())])
        assert (response.headers["x-request-id"] == sent) == is_sane
