"""Logs as JSON, one line an event, on standard error. Never a key, never a body, never a caller's own ids."""

import asyncio
import contextlib
import logging
import math
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http import HTTPMethod
from typing import Any

import msgspec

_FLUSH_AFTER_S = 0.2
_FLUSH_AT = 64 * 1024
# What POSIX promises to write to a pipe in one piece, on Linux (PIPE_BUF).
_ATOMIC = 4096

_log = logging.getLogger(__name__)

_SAID_AGAIN_AFTER_S = 10.0
_COMPLAINTS = 100

_encode = msgspec.json.Encoder().encode


# Written by hand, since a line is made for every request. Nothing in it needs escaping: methods are tokens of HTTP,
# routes and names of applications are of our own choosing, and a request id has only characters that are let in.
_LINE = b'{"time":"%b.%03d%b%d.%03d%b%b"}\n'

# What a line says of the time, between its milliseconds and those it took, and after them; for each such request once.
_REMEMBERED = 10_000


_What = tuple[str, str | None, int, str | None]


def _quoted(text: str | None) -> str:
    return "null" if text is None else f'"{text}"'


class RequestLog:
    """One line a request. Lines are gathered for a moment, so that a busy server writes many with one call."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._lines: list[bytes] = []
        self._size = 0
        self._timer: asyncio.TimerHandle | None = None
        # The second in which the last line was written, as a number and as text.
        self._second = 0
        self._second_text = b""
        self._words: dict[_What, tuple[bytes, bytes]] = {}

    def write(
        self,
        method: str,
        route: str | None,
        status: int,
        nanoseconds: int,
        application: str | None,
        request_id: bytes,
    ) -> None:
        second, millisecond = divmod(time.time_ns() // 1_000_000, 1000)
        if second != self._second:
            self._second = second
            self._second_text = datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S").encode()
        what = (method, route, status, application)
        words = self._words.get(what) or self._find_words(what)
        milliseconds, microseconds = divmod(nanoseconds // 1000, 1000)
        line = _LINE % (
            self._second_text, millisecond, words[0], milliseconds, microseconds, words[1], request_id
        )  # fmt: skip
        self._lines.append(line)
        self._size += len(line)
        if self._size >= _FLUSH_AT:
            self.flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_FLUSH_AFTER_S, self.flush)

    def _find_words(self, what: "_What") -> tuple[bytes, bytes]:
        """The words of a line that are the same for all requests of this kind."""
        method, route, status, application = what
        level = "error" if status >= 500 else "info"
        # A method is any word that a caller likes, and could be a key.
        method = method if method in HTTPMethod.__members__ else "other"
        before = f'Z","level":"{level}","event":"request","method":"{method}"'
        between = f',"route":{_quoted(route)},"status":{status},"ms":'
        after = f',"application":{_quoted(application)},"request_id":"'
        words = (before + between).encode(), after.encode()
        if len(self._words) >= _REMEMBERED:
            self._words.clear()
        self._words[what] = words
        return words

    def flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        lines, self._lines, self._size = self._lines, [], 0
        for chunk in _chunks(lines):
            # Nobody reads the log any more; the service goes on without it.
            with contextlib.suppress(BrokenPipeError):
                os.write(self.descriptor, chunk)


def _chunks(lines: list[bytes]) -> Iterator[bytes]:
    """The lines in pieces that a pipe takes whole, so that those of several workers do not run into each other."""
    chunk = b""
    for line in lines:
        if chunk and len(chunk) + len(line) > _ATOMIC:
            yield chunk
            chunk = b""
        chunk += line
    if chunk:
        yield chunk


class Complaints:
    """What keeps requests from being answered: said when it begins and now and then, not with every request."""

    def __init__(self, timer: Callable[[], float] = time.monotonic) -> None:
        self._timer = timer
        # When it was said last, and how often it was passed over since.
        self._said: dict[str, tuple[float, int]] = {}

    def say(self, what: str, request_id: str) -> None:
        now = self._timer()
        said_at, unsaid = self._said.get(what, (-math.inf, 0))
        if now - said_at < _SAID_AGAIN_AFTER_S:
            self._said[what] = said_at, unsaid + 1
            return
        if len(self._said) >= _COMPLAINTS:
            self._said.clear()
        self._said[what] = now, 0
        more = f" The same for {unsaid} requests since it was last said." if unsaid else ""
        _log.error("%s%s", what, more, extra={"request_id": request_id})


class JsonFormatter(logging.Formatter):
    """Everything else that is logged, in the same form as the requests."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": _now(),
            "level": record.levelname.lower(),
            "event": "log",
            "logger": record.name,
            "message": record.getMessage(),
        }
        if (request_id := getattr(record, "request_id", None)) is not None:
            line["request_id"] = request_id
        if record.exc_info and record.exc_info[0] is not None:
            line["traceback"] = "".join(traceback.format_exception(*record.exc_info))
        return _encode(line).decode()


def configure_logging() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("provender").setLevel(logging.INFO)
    # While a database is away, its pool would write a traceback with every try to connect. We say it in one line.
    logging.getLogger("asyncpg").setLevel(logging.ERROR)


# The server's own lines ("worker started") in our form. It takes such a dictionary and applies it in every process.
SERVER_LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": JsonFormatter}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stderr"}},
    "loggers": {"_granian": {"handlers": ["stderr"], "level": "WARNING", "propagate": False}},
}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
