"""The two ways to send: one that blocks, one that is awaited. How one iterates is in `pages.py`.

Nothing else differs between the two clients.
"""

from __future__ import annotations

from asyncio import sleep as sleep_async
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from time import sleep
from typing import Generic, NoReturn, TypeVar

import httpx

from provender_client.answered import media_type, unexpected_answer
from provender_client.calls import Call, FileBody
from provender_client.sending import Outcome, Tries, unanswered_error

T = TypeVar("T")
H = TypeVar("H", httpx.Client, httpx.AsyncClient)


@dataclass(frozen=True, slots=True, kw_only=True)
class Driver(Generic[H]):
    """What both have: where to send to, as whom, and with how much patience."""

    http: H
    base_url: str
    # A traceback that shows variables must not show this one.
    api_key: str = field(repr=False)
    timeout: httpx.Timeout
    max_retries: int
    user_agent: str

    def __reduce__(self) -> NoReturn:
        raise TypeError("A client has an API key and connections, and is not pickled: make one in each process.")

    def request(self, call: Call[T]) -> httpx.Request:
        timeout = self.timeout
        if call.patience_s is not None and timeout.read is not None:
            read = max(timeout.read, call.patience_s)
            timeout = httpx.Timeout(connect=timeout.connect, read=read, write=timeout.write, pool=timeout.pool)
        request = self.http.build_request(
            call.method,
            self.base_url + call.path,
            params=call.query or None,
            content=call.body if isinstance(call.body, bytes) else None,
            headers={"Authorization": f"Bearer {self.api_key}", "User-Agent": self.user_agent, **call.headers},
            timeout=timeout,
        )
        if isinstance(call.body, FileBody):
            # Given as content it could be sent once only, and by one of the clients only.
            request.stream = call.body
        return request


class SyncDriver(Driver[httpx.Client]):
    """Sends with httpx.Client."""

    def run(self, call: Call[T]) -> T:
        return read(call, self._answer(call))

    @contextmanager
    def stream(self, call: Call[T]) -> Generator[httpx.Response]:
        response = self._answer(call, whole=False)
        try:
            check_json(response)
            yield response
        except httpx.RequestError as error:
            raise unanswered_error(error) from error
        finally:
            response.close()

    def _answer(self, call: Call[T], *, whole: bool = True) -> httpx.Response:
        request, tries = self.request(call), Tries(self.max_retries)
        while True:
            outcome: Outcome
            try:
                outcome = self.http.send(request, stream=not whole)
                if not outcome.is_success:
                    outcome.read()
            except httpx.RequestError as error:
                outcome = error
            judged = tries.judge(outcome)
            if isinstance(judged, httpx.Response):
                return judged
            sleep(judged)


class AsyncDriver(Driver[httpx.AsyncClient]):
    """Sends with httpx.AsyncClient."""

    async def run(self, call: Call[T]) -> T:
        return read(call, await self._answer(call))

    @asynccontextmanager
    async def stream(self, call: Call[T]) -> AsyncGenerator[httpx.Response]:
        response = await self._answer(call, whole=False)
        try:
            check_json(response)
            yield response
        except httpx.RequestError as error:
            raise unanswered_error(error) from error
        finally:
            await response.aclose()

    async def _answer(self, call: Call[T], *, whole: bool = True) -> httpx.Response:
        request, tries = self.request(call), Tries(self.max_retries)
        while True:
            outcome: Outcome
            try:
                outcome = await self.http.send(request, stream=not whole)
                if not outcome.is_success:
                    await outcome.aread()
            except httpx.RequestError as error:
                outcome = error
            judged = tries.judge(outcome)
            if isinstance(judged, httpx.Response):
                return judged
            await sleep_async(judged)


def read(call: Call[T], response: httpx.Response) -> T:
    """What the answer says, or that it is none of the API's."""
    try:
        return call.read(response.json())
    # An absurd time overflows, and absurd nesting is too deep.
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise unexpected_answer(response) from error


def check_json(response: httpx.Response) -> None:
    """An answer that is handed on unread could otherwise be a page of a proxy, and be kept for an export."""
    if media_type(response) != "application/json":
        raise unexpected_answer(response)
