"""A socket between Provender and PostgreSQL that counts what is sent: statements, and the times that one waits.

It reads PostgreSQL's own protocol, so it counts whatever the driver does, and needs nothing of it.
"""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

_SOCKET = ".s.PGSQL.5432"
_EXECUTE, _QUERY = ord("E"), ord("Q")
_CHUNK = 65536


@dataclass(slots=True)
class Counts:
    """Statements that were executed, and round trips: how often the client sent after the server had answered."""

    statements: int = 0
    round_trips: int = 0

    def __sub__(self, other: "Counts") -> "Counts":
        return Counts(self.statements - other.statements, self.round_trips - other.round_trips)

    def copy(self) -> "Counts":
        return Counts(self.statements, self.round_trips)


@dataclass(slots=True)
class Messages:
    """The client's side of one connection, cut into messages: a kind, and a length that counts itself.

    Only the first message, with which a connection starts, has no kind.
    """

    _rest: bytearray = field(default_factory=bytearray)
    _is_started: bool = False

    def read(self, chunk: bytes) -> int:
        """How many statements are executed by what is whole now."""
        self._rest += chunk
        statements = 0
        while True:
            head = 1 if self._is_started else 0
            if len(self._rest) < head + 4:
                return statements
            length = head + int.from_bytes(self._rest[head : head + 4], "big")
            if len(self._rest) < length:
                return statements
            statements += head and self._rest[0] in (_EXECUTE, _QUERY)
            self._is_started = True
            del self._rest[:length]


class Wire:
    """The proxy: it listens on a socket in a folder, and passes everything on, both ways."""

    def __init__(self, address: str, folder: Path) -> None:
        parts = urlsplit(address)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        self._target = str(Path(query["host"]) / _SOCKET)
        self._path = folder / _SOCKET
        self.address = urlunsplit(parts._replace(query=urlencode(query | {"host": str(folder)})))
        self.counts = Counts()

    @contextlib.contextmanager
    def run(self) -> Iterator["Wire"]:
        loop = asyncio.new_event_loop()
        ready, stop = threading.Event(), asyncio.Event()
        thread = threading.Thread(target=loop.run_until_complete, args=(self._serve(ready, stop),), daemon=True)
        thread.start()
        try:
            if not ready.wait(10):
                raise TimeoutError("the socket between Provender and PostgreSQL could not be opened")
            yield self
        finally:
            loop.call_soon_threadsafe(stop.set)
            thread.join(10)

    async def _serve(self, ready: threading.Event, stop: asyncio.Event) -> None:
        server = await asyncio.start_unix_server(self._connect, str(self._path))
        ready.set()
        await stop.wait()
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        theirs, to_them = await asyncio.open_unix_connection(self._target)
        messages, last = Messages(), ["server"]

        def seen(side: str, chunk: bytes) -> None:
            if side == "client":
                self.counts.statements += messages.read(chunk)
                self.counts.round_trips += last[0] == "server"
            last[0] = side

        async def pass_on(side: str, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            while chunk := await source.read(_CHUNK):
                seen(side, chunk)
                target.write(chunk)
                await target.drain()
            target.close()

        with contextlib.suppress(ConnectionError, asyncio.CancelledError):
            await asyncio.gather(pass_on("client", reader, to_them), pass_on("server", theirs, writer))
