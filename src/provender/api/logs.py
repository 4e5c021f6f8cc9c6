"""Logs as JSON, one line an event, on standard error. Never a key, never a body, never a caller's own ids."""

import asyncio
import logging
import os
import sys
import traceback
from datetime import UTC, datetime
from typing import Any

import msgspec

_FLUSH_AFTER_S = 0.2
_FLUSH_AT = 64 * 1024

_encode = msgspec.json.Encoder().encode


class _RequestLine(msgspec.Struct):
    time: str
    level: str
    event: str
    method: str
    route: str | None
    status: int
    ms: float
    application: str | None
    request_id: str


class RequestLog:
    """One line a request. Lines are gathered for a moment, so that a busy server writes many with one call."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines = bytearray()
        self._timer: asyncio.TimerHandle | None = None

    def write(
        self,
        *,
        method: str,
        route: str | None,
        status: int,
        ms: float,
        application: str | None,
        request_id: str,
    ) -> None:
        level = "error" if status >= 500 else "info"
        line = _RequestLine(_now(), level, "request", method, route, status, ms, application, request_id)
        self._lines += _encode(line) + b"\n"
        if len(self._lines) >= _FLUSH_AT:
            self.flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_FLUSH_AFTER_S, self.flush)

    def flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        lines, self._lines = memoryview(self._lines), bytearray()
        while lines:
            lines = lines[os.write(self._descriptor, lines) :]


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
