"""HTTP as far as callers need it: they are many on few processors, and a whole client would keep those busy."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

_PATIENCE_S = 40


class Gone(Exception):
    """The connection broke before the answer was whole."""


@dataclass(frozen=True)
class Response:
    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def text(self) -> str:
        return f"{self.status} {self.content.decode(errors='replace')}"

    def json(self) -> Any:
        return json.loads(self.content)


class Wire:
    """One connection at a time, kept as long as both sides do."""

    def __init__(self, port: int, key: str) -> None:
        self._port = port
        self._key = key
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(
        self, method: str, path: str, body: bytes | None = None, query: dict[str, str] | None = None, **headers: str
    ) -> Response:
        """The answer, or Gone. Whoever stops waiting hangs up."""
        done = False
        try:
            async with asyncio.timeout(_PATIENCE_S):
                response = await self._exchange(method, f"{path}?{urlencode(query)}" if query else path, body, headers)
            done = response.headers.get("connection") != "close"
        except (OSError, EOFError, TimeoutError) as error:
            raise Gone(f"{method} {path}: {error!r}") from error
        else:
            return response
        finally:
            if not done:
                self.close()

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _exchange(self, method: str, target: str, body: bytes | None, headers: dict[str, str]) -> Response:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        lines = [f"{method} {target} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {self._key}"]
        if body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + (body or b""))
        head, *rest = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in rest if line)}
        if "transfer-encoding" in fields:
            content = await _read_chunks(reader)
        else:
            content = await reader.readexactly(int(fields.get("content-length", 0)))
        return Response(int(head.split()[1]), fields, content)


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    pieces = []
    while size := int(await reader.readuntil(b"\r\n"), 16):
        pieces.append((await reader.readexactly(size + 2))[:-2])
    await reader.readexactly(2)
    return b"".join(pieces)
