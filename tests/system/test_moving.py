"""Exports and imports of large profiles on a real server: others are answered meanwhile, and memory stays as it is."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import statistics
import threading
import time
from collections.abc import Iterator
from typing import Any

import apsw
import asyncpg
import httpx
import psutil
import pytest

from provender.settings import Settings
from provender.storage.opening import DATABASE_FILE
from provender.storage.removal import OWNED_TABLES
from tests.system.server import Server, serving, until

LOGS = 20_000
JSON = {"Content-Type": "application/json"}
MOST_MEMORY = 60 * 1024 * 1024


def _document(logs: int) -> bytes:
    groups = ("macro_nutrients", "vitamins", "minerals", "carbohydrates", "lipids", "proteins")
    food: dict[str, Any] = {
        "food_name": "Banana", "food_type": "generic", "brand_name": None, "serving_description": "1 medium",
        "metric_serving_amount": 118, "metric_serving_unit": "g", "water_in_gm": 88.5, "is_rounded": False,
    } | {group: {f"own_{number}": 1.5 for number in range(15)} for group in groups}  # fmt: skip
    times = {"created_at": 1_700_000_000_000, "updated_at": 1_700_000_000_000}
    document = {
        "format": 1, "reference_id": "alice", **times,
        "logged_foods": [food | {"_id": f"{n:016}", "food_id": f"{n:016}"} for n in range(200)],
        "diary_logs": [
            {
                "_id": f"{n:016}", "food_id": f"{n % 200:016}", "logged_food_id": f"{n % 200:016}", "is_custom": False,
                "number_of_servings": 1 + n % 3, "meal": "lunch", "date": f"20{10 + n % 14}-01-{1 + n % 28:02}",
                "note": None, **times,
            }
            for n in range(logs)
        ],
    }  # fmt: skip
    return json.dumps(document).encode()


class _Watch:
    """Somebody else who uses the server meanwhile, and an eye on its memory."""

    def __init__(self, server: Server, key: str) -> None:
        self.delays: list[float] = []
        self.memory: list[int] = []
        self._client = server.client(key)
        self._worker = max(psutil.Process(server.process.pid).children(), key=lambda each: each.memory_info().rss)
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> "_Watch":
        self._client.post("/v1/profiles", data={"reference_id": "bob"})
        self.before = self._worker.memory_info().rss
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
        self._client.close()

    def _watch(self) -> None:
        while not self._done.is_set():
            for method, path in (("GET", "/v1/profiles/bob"), ("PATCH", "/v1/profiles/bob")):
                began = time.perf_counter()
                response = self._client.request(method, path, data={"timezone": "UTC"} if method == "PATCH" else None)
                self.delays.append(time.perf_counter() - began)
                assert response.status_code == 200
            self.memory.append(self._worker.memory_info().rss)
            time.sleep(0.01)

    def check(self) -> None:
        assert len(self.delays) > 20
        # Nine of ten: the slowest of some hundred requests says more about the machine than about the server.
        assert statistics.quantiles(self.delays, n=10)[8] < 0.1
        assert max(self.memory) - self.before < MOST_MEMORY


@pytest.mark.alone
async def test_others_are_answered_while_a_large_profile_is_moved(settings: Settings) -> None:
    document = _document(LOGS)
    assert len(document) > 4_000_000
    with serving(settings) as server, server.client(server.key) as client:
        client.timeout = httpx.Timeout(120)
        with _Watch(server, server.key) as watch:
            response = client.post("/v1/profiles/import", content=document, headers=JSON)
            assert response.status_code == 201, response.text
            exported = client.get("/v1/profiles/alice/export")
        watch.check()
        logs = exported.json()["diary_logs"]
        assert len(logs) == LOGS
        assert exported.headers["transfer-encoding"] == "chunked"
        days = {"profile_reference_id": "alice", "from": "2010-01-01", "to": "2010-12-31"}
        total = client.get("/v1/diary-logs/summary", params=days).json()["total"]
        expected = sum(log["date"].startswith("2010") for log in json.loads(document)["diary_logs"])
        assert total["entries"] == expected


async def test_a_document_over_the_limit_is_refused_while_it_arrives(settings: Settings) -> None:
    def pieces() -> Iterator[bytes]:
        yield b'{"format": 1, "reference_id": "'
        for _ in range(48):
            yield b"x" * 65536

    with serving(settings, variables={"PROVENDER_IMPORT_MAX_MIB": "2"}) as server, server.client(server.key) as client:
        response = client.post("/v1/profiles/import", content=pieces(), headers=JSON)
        assert response.status_code == 413
        assert "2 MiB" in response.json()["detail"]


@pytest.mark.alone
async def test_an_export_that_nobody_reads_ends_and_holds_no_memory(settings: Settings) -> None:
    with serving(settings) as server, server.client(server.key) as client:
        client.timeout = httpx.Timeout(120)
        assert client.post("/v1/profiles/import", content=_document(LOGS), headers=JSON).status_code == 201
        with _Watch(server, server.key) as watch:
            with socket.create_connection(("127.0.0.1", server.port), timeout=5) as caller:
                lines = ["GET /v1/profiles/alice/export HTTP/1.1", "Host: a", f"Authorization: Bearer {server.key}"]
                caller.sendall("\r\n".join([*lines, "", ""]).encode())
                assert caller.recv(1000).startswith(b"HTTP/1.1 200")
                await asyncio.sleep(0.5)
            until(lambda: '/export","status":499' in server.stderr, 10, "the server notices")
        watch.check()


async def _rows(settings: Settings, sql: str) -> list[Any]:
    if settings.database_url is None:
        with contextlib.closing(apsw.Connection(str(settings.data_dir / DATABASE_FILE))) as file:
            file.set_busy_timeout(5000)
            return file.execute(sql).fetchall()
    connection = await asyncpg.connect(settings.database_url)
    try:
        return [tuple(row) for row in await connection.fetch(sql)]
    finally:
        await connection.close()


async def test_of_an_import_that_is_killed_nothing_is_left(settings: Settings) -> None:
    with serving(settings) as server:
        key = server.key

        def send() -> None:
            with server.client(key) as client, contextlib.suppress(httpx.HTTPError):
                client.post("/v1/profiles/import", content=_document(LOGS), headers=JSON)

        sending = threading.Thread(target=send)
        sending.start()
        while not await _rows(settings, "SELECT 1 FROM diary_logs LIMIT 1"):
            assert sending.is_alive(), "it was answered before anything was written"
            await asyncio.sleep(0.01)
        os.killpg(server.process.pid, signal.SIGKILL)
        sending.join()
    assert await _rows(settings, "SELECT 1 FROM deleted_profiles")
    # Its time would come in ten minutes.
    await _rows(settings, "UPDATE deleted_profiles SET deleted_at = 0")
    with serving(settings) as again, again.client(key) as client:
        assert client.get("/v1/profiles").json()["data"] == []
        left = [*OWNED_TABLES, "deleted_profiles"]
        for _ in range(500):
            left = [table for table in left if await _rows(settings, f"SELECT 1 FROM {table} LIMIT 1")]
            if not left:
                break
            await asyncio.sleep(0.02)
        assert left == []
        assert not any(settings.data_dir.glob("tmp*"))
        assert client.post("/v1/profiles/import", content=_document(10), headers=JSON).status_code == 201


async def test_an_answer_that_breaks_off_is_noticed(settings: Settings) -> None:
    """The profile is deleted while its export is being sent: the connection ends without the end of the answer."""
    with serving(settings) as server, server.client(server.key) as client, server.client(server.key) as other:
        client.timeout = httpx.Timeout(60)
        assert client.post("/v1/profiles/import", content=_document(LOGS), headers=JSON).status_code == 201
        for is_deleted in (False, True):
            with client.stream("GET", "/v1/profiles/alice/export") as response:
                pieces = response.iter_raw(1000)
                next(pieces)
                if not is_deleted:
                    assert list(pieces)
                    continue
                assert other.delete("/v1/profiles/alice").status_code == 200
                with pytest.raises(httpx.RemoteProtocolError):
                    list(pieces)
