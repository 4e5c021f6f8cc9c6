"""`provender serve` on its way out: SIGTERM and Ctrl-C end it soon, and nobody who was being answered is cut off."""

import asyncio
import contextlib
import itertools
import json
import signal
import socket
import time
from collections.abc import AsyncGenerator
from pathlib import Path

import apsw
import asyncpg
import httpx
import pytest

from provender.settings import Settings
from provender.storage.opening import DATABASE_FILE, open_engine
from tests.pantry import BANANA
from tests.system.server import STOPPED_WITHIN_S, Server, serving, starting, until
from tests.torture.wire import Gone, Wire

# The promise is 10 seconds; with nothing left to do, nobody should have to wait for them.
AT_ONCE_S = 5


def _seconds_to_stop(server: Server) -> float:
    asked = time.monotonic()
    assert server.stop() == 0
    return time.monotonic() - asked


async def test_sigterm_ends_it_at_once_even_with_a_connection_open(settings: Settings) -> None:
    with serving(settings, workers=2) as server, server.client(server.key) as client:
        assert client.get("/v1/profiles").status_code == 200
        assert _seconds_to_stop(server) < AT_ONCE_S
        assert not server.accepts_connections()
        assert '"level":"error"' not in server.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_to_the_whole_group_is_no_failure(settings: Settings, number: signal.Signals) -> None:
    """A terminal sends Ctrl-C to the workers too, and systemd SIGTERM; they must not pass for workers that died."""
    with serving(settings, workers=2) as server:
        server.signal_all(number)
        assert server.process.wait(AT_ONCE_S) == 0
        assert '"level":"error"' not in server.stderr


async def test_a_worker_that_hears_a_signal_more_than_once_still_ends(settings: Settings) -> None:
    """It always may: from the group, then from the main process, and from whoever is impatient."""
    with serving(settings, workers=2) as server:
        server.signal_all(signal.SIGINT)
        server.signal_all(signal.SIGINT)
        # The second one may also find the main process when all is done and only Python itself is ending.
        assert server.process.wait(AT_ONCE_S) in (0, -signal.SIGINT)


async def test_sigterm_ends_it_even_while_its_workers_are_starting(settings: Settings) -> None:
    """A worker that has not heard the signal is ended by force, but only after all the time that it might need."""
    with starting(settings, workers=4) as server:
        until(lambda: "listens on" in server.stdout, 20, "it greets")
        assert _seconds_to_stop(server) < AT_ONCE_S


@pytest.mark.parametrize("workers", [1, 2])
async def test_under_load_whatever_was_carried_out_was_answered(settings: Settings, workers: int) -> None:
    """A connection that is closed between two requests takes none with it that the server has begun."""
    answered: set[str] = set()
    statuses: set[int] = set()

    async def write(wire: Wire, lane: int) -> None:
        with contextlib.suppress(Gone):
            for number in itertools.count():
                name = f"user-{lane}-{number}"
                response = await wire.request("POST", "/v1/profiles", b'{"reference_id":"%b"}' % name.encode())
                statuses.add(response.status)
                answered.add(name)

    with serving(settings, workers=workers) as server:
        wires = [Wire(server.port, server.key) for _ in range(16)]
        async with asyncio.TaskGroup() as tasks:
            for lane, wire in enumerate(wires):
                tasks.create_task(write(wire, lane))
            while len(answered) < 50:
                await asyncio.sleep(0.01)
            asked = time.monotonic()
            server.process.terminate()
        assert await asyncio.to_thread(server.process.wait, STOPPED_WITHIN_S) == 0
        assert time.monotonic() - asked < STOPPED_WITHIN_S
        assert '"level":"error"' not in server.stderr
    assert statuses == {201}
    engine = await open_engine(settings)
    there = {row[0] for row in await engine.all("SELECT reference_id FROM profiles")}
    await engine.close()
    assert there == answered


async def test_an_export_that_is_under_way_is_sent_to_its_end(settings: Settings) -> None:
    with serving(settings) as server:
        with server.client(server.key) as client:
            assert client.post("/v1/profiles", data={"reference_id": "alice"}).status_code == 201
            log = {"profile_reference_id": "alice", "food_id": BANANA.id, "note": "x" * 1000}
            for _ in range(30):
                assert client.post("/v1/diary-logs/batch", json={"logs": [log] * 100}).status_code == 201
        # The system must not take all of it off the server's hands.
        small = httpx.HTTPTransport(socket_options=[(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)])
        headers = {"Authorization": f"Bearer {server.key}"}
        with (
            httpx.Client(transport=small, base_url=server.url, headers=headers, timeout=20) as client,
            client.stream("GET", "/v1/profiles/alice/export") as export,
        ):
            pieces = export.iter_raw()
            document = next(pieces)
            server.process.terminate()
            until(lambda: not server.accepts_connections(), 5, "nobody new is let in")
            assert server.process.poll() is None, "it went before all was sent"
            document += b"".join(pieces)
        assert len(json.loads(document)["diary_logs"]) == 3000
        assert server.process.wait(STOPPED_WITHIN_S) == 0


async def test_a_client_that_never_sends_its_body_does_not_keep_it_for_ever(data_dir: Path) -> None:
    with serving(Settings(data_dir=data_dir)) as server:
        creation = await _Creation.begin(server)
        server.process.terminate()
        assert server.process.wait(STOPPED_WITHIN_S) == 0
        await creation.close()


class _Creation:
    """The creation of the profile alice, sent piece by piece."""

    BODY = b"reference_id=alice"

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def begin(cls, server: Server) -> "_Creation":
        """Send all but the body, and wait for the sign that the server has begun to read."""
        creation = cls(*await asyncio.open_connection("127.0.0.1", server.port))
        lines = [
            "POST /v1/profiles HTTP/1.1",
            "Host: 127.0.0.1",
            f"Authorization: Bearer {server.key}",
            "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(cls.BODY)}",
            "Expect: 100-continue",
        ]
        creation._writer.write("\r\n".join([*lines, "", ""]).encode())
        assert await creation.answer() == "HTTP/1.1 100 Continue"
        return creation

    async def send_body(self) -> None:
        self._writer.write(self.BODY)
        await self._writer.drain()

    async def answer(self) -> str:
        async with asyncio.timeout(STOPPED_WITHIN_S):
            head = await self._reader.readuntil(b"\r\n\r\n")
        return head.decode().splitlines()[0]

    async def close(self) -> None:
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()


@pytest.mark.parametrize("whom", ["main", "group"])
async def test_a_request_whose_body_is_under_way_is_still_answered(settings: Settings, whom: str) -> None:
    with serving(settings) as server:
        creation = await _Creation.begin(server)
        server.process.terminate() if whom == "main" else server.signal_all(signal.SIGTERM)
        until(lambda: not server.accepts_connections(), 5, "nobody new is let in")
        await creation.send_body()
        assert await creation.answer() == "HTTP/1.1 201 Created"
        await creation.close()
        assert server.process.wait(STOPPED_WITHIN_S) == 0
    with serving(settings) as again, again.client(server.key) as client:
        assert client.get("/v1/profiles/alice").status_code == 200


@contextlib.asynccontextmanager
async def _writes_held_up(settings: Settings) -> AsyncGenerator[None]:
    """Someone else writes, and takes their time."""
    if settings.database_url is None:
        with contextlib.closing(apsw.Connection(str(settings.data_dir / DATABASE_FILE))) as file:
            file.execute("BEGIN IMMEDIATE")
            yield
        return
    connection = await asyncpg.connect(settings.database_url)
    try:
        async with connection.transaction():
            await connection.execute("LOCK TABLE profiles IN EXCLUSIVE MODE")
            yield
    finally:
        await connection.close()


async def test_a_request_that_waits_for_the_storage_is_still_answered(settings: Settings) -> None:
    with serving(settings) as server:
        async with _writes_held_up(settings):
            creation = await _Creation.begin(server)
            await creation.send_body()
            server.process.terminate()
            until(lambda: not server.accepts_connections(), 5, "nobody new is let in")
            assert server.process.poll() is None, "it went without answering"
        assert await creation.answer() == "HTTP/1.1 201 Created"
        await creation.close()
        assert server.process.wait(STOPPED_WITHIN_S) == 0
    with serving(settings) as again, again.client(server.key) as client:
        assert client.get("/v1/profiles/alice").status_code == 200
