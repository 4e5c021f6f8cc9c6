"""The limit: an ASGI application that answers constant bytes, on the same server with the same settings.

    python -m benchmarks.bench.bare PORT

A PUT with a number as its body sets how many bytes an answer has; one worker, so one number.
"""

import sys
from typing import Any

from granian.constants import Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import Server

_start: dict[str, Any] = {}
_body: dict[str, Any] = {}


def _set_length(length: int) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(length).encode())]
    _start.update({"type": "http.response.start", "status": 200, "headers": headers})
    _body.update({"type": "http.response.body", "body": b"x" * length})


_set_length(500)


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        return
    # Whoever takes a log has to read it, so that is part of the limit.
    if scope["method"] != "GET":
        message = await receive()
        if scope["method"] == "PUT":
            _set_length(int(message["body"]))
    await send(_start)
    await send(_body)


def main() -> None:
    # As `provender serve` sets it up: see src/provender/cli/serve.py.
    Server(
        "benchmarks.bench.bare:app",
        address="127.0.0.1",
        port=int(sys.argv[1]),
        workers=1,
        interface=Interfaces.ASGI,
        loop=Loops.uvloop,
        websockets=False,
        http1_settings=HTTP1Settings(header_read_timeout=10_000),
        log_level=LogLevels.warning,
    ).serve()


if __name__ == "__main__":
    main()
