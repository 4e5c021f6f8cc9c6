"""A key is nowhere but with its owner, wherever a client has put it by mistake."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import psutil
import pytest

from provender.model.access import new_key
from provender.settings import Settings
from tests.conftest import PostgresqlServer
from tests.system.commands import call, printed
from tests.system.server import Server, free_port, serving

# The settings are made by an asynchronous fixture, which needs to know what runs it.
pytestmark = pytest.mark.usefixtures("anyio_backend")


PROFILES = "/v1/profiles"


def _misplaced(key: str) -> Iterator[dict[str, Any]]:
    """Requests with the key where it does not belong."""
    yield from _in_addresses(key)
    yield from _in_bodies(key)
    yield from _in_headers(key)
    for method in (key, key[:20]):
        yield {"url": PROFILES, "method": method}
        yield {"url": "/nowhere", "method": method}


def _in_addresses(key: str) -> Iterator[dict[str, Any]]:
    for name in ("api_key", "key", "access_token", "limit", "starting_after", "profile_reference_id", key):
        for path in (PROFILES, "/v1/foods/search", "/v1/diary-logs", "/v1/foods/barcode", f"/{key}"):
            yield {"url": path, "params": {name: key}}
    yield {"url": f"{PROFILES}?{key}"}
    paths = (f"/{key}", f"/v1/{key}", f"{PROFILES}/{key}", f"{PROFILES}/{key}/export", f"/v1/foods/{key}")
    for path in (*paths, f"/v1/keys/{key}"):
        yield {"url": path}
        yield {"url": path, "method": "DELETE"}
    for path in (f"/v1/diary-logs/{key}", f"/v1/saved-meals/{key}", f"{PROFILES}//{key}", f"/openapi.json/{key}"):
        yield {"url": path}


def _in_bodies(key: str) -> Iterator[dict[str, Any]]:
    for body in ({"api_key": key}, {key: key}, {"reference_id": f"{key}\x00"}, {"timezone": key}, key, [key]):
        yield {"url": PROFILES, "method": "POST", "json": body}
        yield {"url": "/v1/diary-logs", "method": "POST", "json": body}
        yield {"url": f"{PROFILES}/import", "method": "POST", "json": body}
    yield {"url": PROFILES, "method": "POST", "data": {"api_key": key, key: "1"}}
    yield {"url": PROFILES, "method": "POST", "content": key}
    yield {"url": PROFILES, "method": "POST", "content": key, "headers": {"Content-Type": key}}
    yield {"url": PROFILES, "method": "POST", "content": key, "headers": {"Content-Type": f"text/{key}"}}
    yield {"url": PROFILES, "method": "POST", "content": f'{{"{key}', "headers": {"Content-Type": "application/json"}}


def _in_headers(key: str) -> Iterator[dict[str, Any]]:
    for name in ("X-Api-Key", "Cookie", "User-Agent", "Referer", "If-None-Match", "Accept", "Content-Encoding", key):
        yield {"url": PROFILES, "headers": {name: key}}
    for request_id in (key, key[:-1], f"order-17/{key}", f"{key[:20]}:{key}"):
        yield {"url": PROFILES, "headers": {"X-Request-Id": request_id}}
    for idempotency_key in (key, f"{key}-1"):
        data = {"reference_id": f"made-{idempotency_key[39:]}"}
        for url in (PROFILES, f"{PROFILES}/nowhere"):
            yield {"url": url, "method": "POST", "data": data, "headers": {"Idempotency-Key": idempotency_key}}


def _authorizations(key: str, unknown: str, revoked: str) -> list[str]:
    forms = ["Bearer {}", "bearer {}", "Bearer  {}", "Bearer {},{}", "Basic {}", "{}", "Bearer x{}"]
    forms += ["Bearer {}x", "Token {}", 'Bearer "{}"', "Bearer key={}"]
    cut = key[:-1]
    return [form.format(each, each) for form in forms for each in (key, unknown, revoked, cut)]


def _ask(server: Server, key: str, unknown: str, revoked: str) -> list[httpx.Response]:
    requests: list[dict[str, Any]] = [
        {"url": PROFILES, "headers": {"Authorization": each}} for each in _authorizations(key, unknown, revoked)
    ]
    for each in (key, unknown, revoked):
        for request in _misplaced(each):
            headers = {"Authorization": f"Bearer {key}"} | request.get("headers", {})
            requests += [request, request | {"headers": headers}]
    with server.client() as client:
        return [client.request(**({"method": "GET"} | request)) for request in requests]


def _make(server: Server, key: str) -> str:
    """A key that is made over the API, and asked for once more: only the first answer has it."""
    with server.client(key) as client:
        made, again = (client.post("/v1/keys", headers={"Idempotency-Key": "new"}) for _ in range(2))
    assert (made.status_code, again.json()) == (201, made.json() | {"key": None})
    return str(made.json()["key"])


def _titles(server: Server) -> str:
    """What everybody on the machine may read of the server's processes."""
    main = psutil.Process(server.process.pid)
    processes = [main, *main.children(recursive=True)]
    return "\n".join(
        Path(f"/proc/{process.pid}/{name}").read_text() for process in processes for name in ("cmdline", "comm")
    )


def _kept(settings: Settings, postgresql: PostgresqlServer | None) -> Iterator[tuple[str, bytes]]:
    """All that is on the disk of the storage, with its log of changes."""
    folders = [settings.data_dir]
    if postgresql is not None:
        assert settings.database_url is not None
        number = asyncio.run(_write_out(settings.database_url))
        data = Path(postgresql.server.pgdata)
        folders += [data / "base" / str(number), data / "pg_wal", data / "log"]
    for folder in folders:
        for path in folder.rglob("*") if folder.is_dir() else [folder]:
            if path.is_file():
                yield str(path), path.read_bytes()


async def _write_out(url: str) -> int:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("CHECKPOINT")
        number: int = await connection.fetchval("SELECT oid FROM pg_database WHERE datname = current_database()")
        return number
    finally:
        await connection.close()


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="there is no /proc to look at processes in")
def test_a_key_is_in_no_log_answer_metric_title_or_file(settings: Settings, request: pytest.FixtureRequest) -> None:
    key, revoked = (
        printed(call("keys", "create", "--application", "acme", "--scope", "admin", settings=settings)).strip()
        for _ in range(2)
    )
    call("keys", "revoke", revoked[:11], settings=settings)
    unknown = new_key()
    metrics_port = free_port()
    postgresql = None if settings.database_url is None else request.getfixturevalue("postgresql")
    with serving(settings, variables={"PROVENDER_METRICS_PORT": str(metrics_port)}) as server:
        made = _make(server, key)
        answers = _ask(server, key, unknown, revoked)
        metrics = httpx.get(f"http://127.0.0.1:{metrics_port}/metrics", trust_env=False).text
        titles = _titles(server)
        on_disk = dict(_kept(settings, postgresql))
        assert server.stop() == 0
    on_disk |= dict(_kept(settings, postgresql))
    # The requests were read, and what is looked through is what it is meant to be.
    assert {200, 201, 400, 401, 404, 405} <= {answer.status_code for answer in answers}
    assert server.stderr.count("\n") > len(answers)
    assert "provender_requests_total" in metrics
    assert "serve" in titles
    assert any(key[:11].encode() in content for content in on_disk.values())
    # Half of a secret is too much of it as well, and so is one in other letters: methods and media types change them.
    parts = [part.lower() for each in (key, unknown, revoked, made) for part in (each[11:24], each[24:35])]
    texts = [("metrics", metrics), ("titles", titles), ("output", server.stdout)]
    texts += [("log", line) for line in server.stderr.splitlines()]
    texts += [(repr(answer.request), f"{answer.headers} {answer.text}") for answer in answers]
    assert not [(where, text) for where, text in texts if any(part in text.lower() for part in parts)]
    for path, content in on_disk.items():
        assert not [part for part in parts if part.encode() in content.lower()], path
