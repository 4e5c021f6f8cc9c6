"""A network that misbehaves as it is told to, under both kinds of the client."""

from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import httpx

Meet = Callable[..., Coroutine[Any, Any, None]]
Answer = httpx.Response | Exception
PROFILE = {
    "_id": "0KMjVMR5O1M8p8Pp",
    "reference_id": "bob",
    "is_active": False,
    "created_at": 1794708954079,
    "updated_at": 1794708954079,
    "timezone": None,
}


def profile(**more: Any) -> httpx.Response:
    return httpx.Response(200, json=PROFILE | more)


def problem(status: int, code: str = "some_code", headers: dict[str, Any] | None = None, **more: Any) -> httpx.Response:
    body = {"title": "A title", "status": status, "detail": "A sentence.", "code": code, "request_id": "r-1"} | more
    return httpx.Response(status, json=body, headers={"Content-Type": "application/problem+json"} | (headers or {}))


class Network:
    """Gives its answers one after the other, and remembers what was sent and how long was waited."""

    def __init__(self, *answers: Answer) -> None:
        self._answers: Iterator[Answer] = iter(answers)
        self.sent: list[httpx.Request] = []
        self.waited: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        request.read()
        return self._answer(request)

    async def awaited(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        return self._answer(request)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        answer = next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        # A response knows whether it was read, and by which client, so each try gets one of its own.
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)
