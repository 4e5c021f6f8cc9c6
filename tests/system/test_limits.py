"""Callers that mean no good, over real connections: what they get, and that the server goes on."""

import asyncio
import contextlib
import re
import resource
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from provender.catalogue.folder import CatalogueFolder
from provender.cli.connections import CONNECTIONS, connections_a_worker
from provender.settings import Settings
from tests.system.server import Server, serving, until, worker_of

PATIENCE_S = 1
# Machines may be busy; a hang is much longer.
ENDED_WITHIN_S = 20

HEALTHY = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
BODY = b"reference_id=alice"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, catalogue_folder: CatalogueFolder) -> Iterator[Server]:
    """On SQLite: what is tested here is over before a database is asked."""
    data_dir = tmp_path_factory.mktemp("limits") / "data"
    data_dir.mkdir(mode=0o700)
    (data_dir / "catalogue").symlink_to(catalogue_folder.path)
    with serving(Settings(data_dir=data_dir), variables={"PROVENDER_CLIENT_TIMEOUT_S": str(PATIENCE_S)}) as running:
        yield running


def _connect(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=ENDED_WITHIN_S)


def _read_to_end(caller: socket.socket) -> bytes:
    """All that comes until the server closes the connection, which it must."""
    received = b""
    # Closed with something unread, a connection is reset; what came before that counts.
    with contextlib.suppress(ConnectionResetError):
        while piece := caller.recv(65536):
            received += piece
    return received


def _answers(server: Server, request: bytes) -> list[int]:
    """The statuses of all answers until the server closes the connection."""
    with _connect(server) as caller:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            caller.sendall(request)
        received = _read_to_end(caller)
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", received)]


def _first_answers(server: Server, request: bytes, number: int) -> list[int]:
    """As many answers as are expected, and those that come in a moment after them."""
    received = b""
    with _connect(server) as caller:
        caller.sendall(request)
        while len(statuses := re.findall(rb"HTTP/1\.[01] (\d{3}) ", received)) <= number:
            if number and len(statuses) == number:
                caller.settimeout(0.1)
            try:
                piece = caller.recv(65536)
            except TimeoutError:
                break
            if not piece:
                break
            received += piece
    return [int(status) for status in statuses]


def _is_healthy(server: Server) -> bool:
    with server.client() as client:
        return client.get("/healthz").status_code == 200


def _get(*lines: bytes, target: bytes = b"/healthz", version: bytes = b"HTTP/1.1") -> bytes:
    return b"\r\n".join([b"GET %b %b" % (target, version), *lines, b"", b""])


def _post(*lines: bytes, body: bytes = BODY, key: bytes = b"KEY", version: bytes = b"HTTP/1.1") -> bytes:
    head = [b"POST /v1/profiles %b" % version, b"Host: a", b"Authorization: Bearer %b" % key]
    return b"\r\n".join([*head, b"Content-Type: application/x-www-form-urlencoded", *lines, b"", b""]) + body


def _chunked(body: bytes) -> bytes:
    return _post(b"Transfer-Encoding: chunked", body=body)


HOST = b"Host: a"
LENGTH = b"Content-Length: %d" % len(BODY)
CHUNK = b"%x\r\n%b\r\n" % (len(BODY), BODY)
LAST = b"0\r\n\r\n"

REFUSED = {
    "9 MB in a header": (431, _get(HOST, b"X: " + b"a" * 9_000_000)),
    "more than 128 KiB of headers": (431, _get(HOST, *(b"X%d: %b" % (n, b"a" * 1500) for n in range(90)))),
    "100,000 headers": (431, _get(HOST, *(b"X%d: a" % n for n in range(100_000)))),
    "101 headers": (431, _get(HOST, *(b"X%d: a" % n for n in range(100)))),
    "an address of 1 MB": (431, _get(HOST, target=b"/healthz?" + b"a" * 1_000_000)),
    "a length over the limit": (413, _post(b"Content-Length: 1048577", body=b"")),
    "a length that no number holds": (400, _post(b"Content-Length: " + b"9" * 30)),
    "chunks without an end": (413, _chunked((b"10000\r\n" + b"a" * 65536 + b"\r\n") * 40)),
    "a negative length": (400, _post(b"Content-Length: -18")),
    "a length with a sign": (400, _post(b"Content-Length: +18")),
    "a length in hexadecimal": (400, _post(b"Content-Length: 0x12")),
    "two lengths in one": (400, _post(b"Content-Length: 18, 18")),
    "two lengths that differ": (400, _post(LENGTH, b"Content-Length: 5")),
    "an encoding that is none": (400, _post(b"Transfer-Encoding: xchunked", body=LAST)),
    "an encoding that is not the last": (400, _post(b"Transfer-Encoding: chunked, identity", body=LAST)),
    "another encoding before": (400, _post(b"Transfer-Encoding: gzip, chunked", body=CHUNK + LAST)),
    "an encoding twice": (400, _post(*[b"Transfer-Encoding: chunked"] * 2, body=CHUNK + LAST)),
    "an encoding after a tabulator": (400, _post(b"Transfer-Encoding: \x0bchunked", body=LAST)),
    "identity and a length": (400, _post(b"Transfer-Encoding: identity", LENGTH)),
    "an encoding in HTTP/1.0": (400, _post(b"Transfer-Encoding: chunked", body=LAST + HEALTHY, version=b"HTTP/1.0")),
    "a folded header": (400, _post(b"X: a", b" b", LENGTH)),
    "a folded encoding": (400, _post(b"Transfer-Encoding:", b" chunked", body=LAST)),
    "a blank before a colon": (400, _post(b"Content-Length : 18")),
    "a blank before an encoding's colon": (400, _post(b"Transfer-Encoding : chunked", LENGTH)),
    "a carriage return alone": (400, _get(HOST, b"X: a\rTransfer-Encoding: chunked")),
    "a null in a value": (400, _get(HOST, b"X: a\0b")),
    "a null in a name": (400, _get(HOST, b"X\0: a")),
    "a null in the path": (400, _get(HOST, target=b"/heal\0thz")),
    "a header without a colon": (400, _get(HOST, b"nothing")),
    "a header without a name": (400, _get(HOST, b": a")),
    "a chunk of 0x12": (400, _chunked(b"0x12\r\n" + BODY + b"\r\n" + LAST)),
    "a chunk of +12": (400, _chunked(b"+12\r\n" + BODY + b"\r\n" + LAST)),
    "a chunk of -12": (400, _chunked(b"-12\r\n" + BODY + b"\r\n" + LAST)),
    "a chunk that no number holds": (400, _chunked(b"f" * 17 + b"\r\n" + BODY + b"\r\n" + LAST)),
    "a chunk's size that ends in a line feed": (400, _chunked(b"12\n" + BODY + b"\r\n" + LAST)),
    "an extension with a line feed": (400, _chunked(b"12;a\nb\r\n" + BODY + b"\r\n" + LAST)),
    "an extension of 100 kB": (400, _chunked(b"12;" + b"a" * 100_000 + b"\r\n" + BODY + b"\r\n" + LAST)),
    "a chunk longer than its size": (400, _chunked(b"12\r\n" + BODY + b"XX" + LAST)),
    "HTTP/0.9": (400, b"GET /healthz\r\n\r\n"),
    "HTTP/1.2": (400, _get(HOST, version=b"HTTP/1.2")),
    "HTTP/2 by its line": (400, _get(HOST, version=b"HTTP/2.0")),
    "TLS": (400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500)),
    "a body in a GET, with a request in it": (400, _get(HOST, b"Authorization: Bearer KEY", b"Content-Length: %d" % len(
        HEALTHY), target=b"/v1/profiles") + HEALTHY),
    "a body with a request in it, and no key": (401, _post(b"Content-Length: %d" % len(HEALTHY), body=HEALTHY,
        key=b"")),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_two_parsers_could_read_in_two_ways_gets_one_answer_and_no_second_chance(
    server: Server, what: str
) -> None:
    status, request = REFUSED[what]
    assert _answers(server, request.replace(b"KEY", server.key.encode())) == [status]
    assert _is_healthy(server)


# What is right, or refused without an end of the connection.
TAKEN = {
    "chunks": ([201], _chunked(CHUNK + LAST)),
    "an extension": ([201], _chunked(b"12;a=b\r\n" + BODY + b"\r\n" + LAST)),
    "trailers, and the next request": ([201, 200], _chunked(CHUNK + b"0\r\nX: a\r\n\r\n" + HEALTHY)),
    "the same length twice": ([201], _post(LENGTH, LENGTH)),
    # RFC 9112, 6.3: the chunks count. The connection ends, so that nobody can hide a request behind the other length.
    "a length and chunks": ([201], _post(b"Content-Length: 5", b"Transfer-Encoding: chunked", body=CHUNK + LAST
        + HEALTHY)),
    "chunks and a length": ([201], _post(b"Transfer-Encoding: chunked", b"Content-Length: 5", body=CHUNK + LAST
        + HEALTHY)),
    "three requests at once": ([200, 200, 200], HEALTHY * 3),
    # RFC 9112, 3.2.2: a server must take it, from whatever host it speaks.
    "an address with its host": ([200], _get(HOST, target=b"http://other.example/healthz")),
    # RFC 9112, 2.2 allows it; no body is found by it that others would not find.
    "line feeds alone": ([200], b"GET /healthz HTTP/1.1\nHost: a\n\n"),
    "HTTP/1.0 without a host": ([200], _get(version=b"HTTP/1.0")),
    "no host": ([400], _get()),
    "two hosts": ([400], _get(HOST, b"Host: b")),
    "two keys": ([400], _get(HOST, b"Authorization: Bearer KEY", b"Authorization: Bearer KEY", target=b"/v1/profiles")),
    "100 headers": ([200], _get(HOST, *(b"X%d: a" % n for n in range(99)))),
    "nearly 64 KiB of headers": ([200], _get(HOST, *(b"X%d: %b" % (n, b"a" * 1000) for n in range(60)))),
    "HTTP/2 by prior knowledge": ([], b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])),
    "a switch to HTTP/2": ([200], _get(HOST, b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c",
        b"HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA")),
}  # fmt: skip


@pytest.mark.parametrize("what", TAKEN)
def test_what_is_right_is_taken_once(server: Server, what: str) -> None:
    statuses, request = TAKEN[what]
    assert _first_answers(server, request.replace(b"KEY", server.key.encode()), len(statuses)) == statuses
    with server.client(server.key) as client:
        left = [profile["reference_id"] for profile in client.get("/v1/profiles").json()["data"]]
        assert left == (["alice"] if 201 in statuses else [])
        for reference_id in left:
            client.delete(f"/v1/profiles/{reference_id}")


def test_a_body_that_ends_early_is_no_fault_of_the_server(server: Server) -> None:
    with _connect(server) as caller:
        caller.sendall(_post(b"Content-Length: 50").replace(b"KEY", server.key.encode()))
        caller.shutdown(socket.SHUT_WR)
        answer = _read_to_end(caller)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'"code":"invalid_body"' in answer


@pytest.mark.parametrize(
    "beginning", [b"", b"GET /hea", _get(HOST)[:-2], HEALTHY], ids=["nothing", "a line", "headers", "between two"]
)
def test_a_connection_on_which_nothing_comes_is_closed(server: Server, beginning: bytes) -> None:
    began = time.monotonic()
    with _connect(server) as caller:
        caller.sendall(beginning)
        _read_to_end(caller)
    assert PATIENCE_S * 0.9 <= time.monotonic() - began < ENDED_WITHIN_S


def test_a_body_that_drips_is_answered_with_408_and_the_connection_ends(server: Server) -> None:
    with _connect(server) as caller:
        caller.sendall(_post(b"Content-Length: 1000", body=b"").replace(b"KEY", server.key.encode()))
        caller.settimeout(0.1)
        received = b""
        began = time.monotonic()
        while time.monotonic() - began < ENDED_WITHIN_S:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                caller.send(b"r")
            try:
                piece = caller.recv(65536)
            except TimeoutError:
                continue
            except ConnectionResetError:
                break
            received += piece
            if not piece:
                break
        else:
            pytest.fail("the server still waits")
    assert received.startswith(b"HTTP/1.1 408 ")
    assert b'"code":"body_too_slow"' in received
    assert b"\r\nconnection: close\r\n" in received


def test_a_connection_whose_answer_nobody_reads_is_closed(server: Server) -> None:
    [worker] = psutil.Process(server.process.pid).children()

    def connections() -> int:
        return sum(each.status == psutil.CONN_ESTABLISHED for each in worker.net_connections())

    until(lambda: connections() == 0, ENDED_WITHIN_S, "those of other tests are gone")
    with contextlib.ExitStack() as callers:
        for _ in range(5):
            callers.enter_context(_connect(server)).sendall(_get(HOST, target=b"/openapi.json"))
        until(lambda: connections() == 5, ENDED_WITHIN_S, "all are answered")
        until(lambda: connections() == 0, ENDED_WITHIN_S, "none is kept")


@contextlib.contextmanager
def _open_files(soft: int) -> Iterator[None]:
    """Let this process, and those that it starts, have so many files open."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    if before[1] != resource.RLIM_INFINITY and before[1] < soft:
        pytest.skip("This machine does not let a process open so many files.")
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.parametrize(
    ("files", "connections"), [(resource.RLIM_INFINITY, CONNECTIONS), (20_000, CONNECTIONS), (1024, 758), (64, 1)]
)
def test_where_the_system_gives_few_files_a_worker_takes_fewer_connections(
    monkeypatch: pytest.MonkeyPatch, files: int, connections: int
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    assert connections_a_worker(Settings()) == connections


def test_more_connections_than_a_server_takes_wait_and_it_is_well_when_they_go(data_dir: Path) -> None:
    variables = {"PROVENDER_CLIENT_TIMEOUT_S": "5"}
    with contextlib.ExitStack() as server_stack:
        # As many systems have it, and too few for so many connections: it is raised.
        with _open_files(1024):
            server = server_stack.enter_context(serving(Settings(data_dir=data_dir), variables=variables))
        [worker] = psutil.Process(server.process.pid).children()
        assert worker.rlimit(psutil.RLIMIT_NOFILE)[0] > CONNECTIONS
        with _open_files(4096), contextlib.ExitStack() as callers:
            for _ in range(2000):
                callers.enter_context(_connect(server))
            until(lambda: len(worker.net_connections()) >= CONNECTIONS, ENDED_WITHIN_S, "as many as it takes are taken")
            # Who comes now waits until those that say nothing are sent away.
            with server.client() as client:
                assert client.get("/healthz").status_code == 200
        assert _is_healthy(server)
        until(lambda: len(worker.net_connections()) < 20, ENDED_WITHIN_S, "nothing is left of the others")
        assert worker.is_running()
        assert '"level":"error"' not in server.stderr


async def test_two_workers_count_the_requests_of_a_key_together(data_dir: Path) -> None:
    limit = 100
    variables = {"PROVENDER_RATE_LIMIT": str(limit)}
    with serving(Settings(data_dir=data_dir), workers=2, variables=variables) as server:
        async with server.fresh_client(server.key) as client:
            began = time.monotonic()
            responses = await asyncio.gather(*(client.get("/v1/nutrients") for _ in range(3 * limit)))
            took = time.monotonic() - began
        by_worker = [worker_of(response) for response in responses if response.status_code == 200]
        assert {response.status_code for response in responses} == {200, 429}
        assert len(set(by_worker)) == 2, "one worker was not asked at all"
        # The quota, what has come back of it meanwhile, and what two workers may miss at the same instant.
        assert limit <= len(by_worker) <= (limit + took * limit / 60) * 1.1 + 1
        assert all(int(each.headers["retry-after"]) >= 1 for each in responses if each.status_code == 429)
