"""Callers that let the server wait: in their bodies, or by not taking what they asked for."""

import asyncio
from dataclasses import replace
from typing import Any

import httpx
import pytest

from provender.api.patience import GaveUp, Patience
from provender.settings import Settings
from tests.conftest import Service
from tests.kitchen import new_profile

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, client_timeout_s=1)


async def _pieces(*pieces: bytes) -> Any:
    for piece in pieces:
        yield piece
    await asyncio.sleep(30)


@pytest.mark.parametrize("path", ["/v1/profiles", "/v1/profiles/import"])
async def test_a_body_that_does_not_come_is_given_up(acme: httpx.AsyncClient, path: str) -> None:
    response = await asyncio.wait_for(acme.post(path, content=_pieces(b'{"a":', b" "), headers=JSON), 20)
    assert response.status_code == 408
    assert response.json()["code"] == "body_too_slow"
    assert "Only 6 bytes" in response.json()["detail"]
    assert response.headers["connection"] == "close"
    assert (await acme.get("/v1/profiles")).json()["data"] == []


async def test_an_answer_that_nobody_takes_is_given_up(acme: httpx.AsyncClient, service: Service) -> None:
    await new_profile(acme)
    path = "/v1/profiles/alice/export"
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"authorization", acme.headers["authorization"].encode())],
    }
    never = asyncio.Event()

    async def receive() -> Any:
        await never.wait()

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body":
            await never.wait()

    await asyncio.wait_for(service.app(scope, receive, send), 20)
    assert '/export","status":499' in service.log_lines()[-1]


async def test_bytes_that_come_make_a_wait_longer_and_silence_ends_it() -> None:
    patience = Patience(0.2)
    looking = asyncio.create_task(patience.run())
    with patience.waiting() as wait:
        # Ten times as long as the patience is, and all the time bytes come.
        for _ in range(40):
            wait.extend(2048)
            await asyncio.sleep(0.05)
    with pytest.raises(GaveUp), patience.waiting():
        await asyncio.sleep(30)
    # Who is cancelled by somebody else is cancelled.
    entered = asyncio.Event()

    async def wait_long() -> None:
        with patience.waiting(10**9):
            entered.set()
            await asyncio.sleep(30)

    task = asyncio.create_task(wait_long())
    await entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not patience._waits  # noqa: SLF001 - That none is left behind, nothing else shows.
    looking.cancel()
