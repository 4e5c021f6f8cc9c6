"""What is sent again is written once: on the real application and both databases, over a network that loses things."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from provender.model.access import Scope
from provender.services import access
from provender_client import AsyncClient, Conflict, ConnectionFailed, TooManyRequests
from tests.client.scenarios import GRANOLA
from tests.conftest import Service


@dataclass
class Losing(httpx.AsyncBaseTransport):
    """Brings every request to the application, and loses the answers that it is told to."""

    inner: httpx.AsyncBaseTransport
    is_lost: Callable[[int, httpx.Request], bool]
    # A status that comes in the place of a lost answer; without one the connection breaks.
    status: int | None = None
    seen: list[httpx.Request] = field(default_factory=list)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        response = await self.inner.handle_async_request(request)
        if not self.is_lost(len(self.seen), request):
            return response
        if self.status is None:
            raise httpx.ReadError("The connection was reset.", request=request)
        return httpx.Response(self.status, request=request)


Lossy = Callable[..., AsyncClient]


@pytest.fixture
async def lossy(service: Service, monkeypatch: pytest.MonkeyPatch) -> Lossy:
    """Makes a client of acme whose answers are lost where `is_lost` says so. Waiting takes no time."""

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr("provender_client.drivers.sleep_async", sleep)
    key = await service.key("acme")

    def make(is_lost: Callable[[int, httpx.Request], bool], status: int | None = None) -> AsyncClient:
        transport = Losing(httpx.ASGITransport(service.app), is_lost, status)
        return AsyncClient(key, "http://provender.test", http_client=httpx.AsyncClient(transport=transport))

    return make


@pytest.mark.parametrize("status", [None, 504], ids=["the connection breaks", "a proxy gives up"])
async def test_a_post_whose_answer_is_lost_twice_is_written_once(lossy: Lossy, status: int | None) -> None:
    client = lossy(lambda number, request: request.method == "POST" and number <= 2, status)
    made = await client.profiles.create("alice")
    assert [profile.id async for profile in client.profiles.list()] == [made.id]


async def test_without_retries_the_caller_sends_it_again_with_its_own_key(lossy: Lossy) -> None:
    client = lossy(lambda number, _: number == 1).with_options(max_retries=0)
    with pytest.raises(ConnectionFailed):
        await client.profiles.create("alice", idempotency_key="signup-alice")
    made = await client.profiles.create("alice", idempotency_key="signup-alice")
    assert made.reference_id == "alice"
    with pytest.raises(Conflict) as taken:
        await client.profiles.create("alice")
    assert taken.value.code == "reference_id_taken"


async def test_a_walk_goes_on_where_a_page_was_lost(lossy: Lossy) -> None:
    client = lossy(lambda number, request: request.method == "GET" and number % 2 == 0)
    await client.profiles.create("alice")
    names = [f"Granola {number}" for number in range(7)]
    for name in names:
        await client.custom_foods.create(profile_reference_id="alice", **GRANOLA | {"food_name": name})
    walk = client.custom_foods.list("alice", limit=2)
    assert [food.food_name async for food in walk] == names[::-1]
    oldest = [food.id async for food in walk][-1]
    back = client.custom_foods.list("alice", limit=2, ending_before=oldest)
    assert [food.food_name async for food in back] == names[1:]


async def test_a_file_whose_answer_is_lost_is_sent_again_and_imported_once(lossy: Lossy, tmp_path: Path) -> None:
    client = lossy(lambda number, _: number in (3, 4))
    await client.profiles.create("alice", timezone="Asia/Tokyo")
    path = tmp_path / "alice.json"
    path.write_bytes(await client.profiles.export("alice").read())
    copied = await client.profiles.import_document(path, reference_id="alicia")
    assert copied.timezone == "Asia/Tokyo"
    assert {profile.reference_id async for profile in client.profiles.list()} == {"alice", "alicia"}


async def test_an_export_that_breaks_off_is_not_taken_for_a_whole_one(service: Service) -> None:
    class Breaking(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield b'{"format": 1, '
            raise httpx.ReadError("The connection was reset.")

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"Content-Type": "application/json"}, stream=Breaking())

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
        export = AsyncClient("pv_key", http_client=http).profiles.export("alice")
        with pytest.raises(ConnectionFailed):
            await export.read()


async def test_a_limit_of_the_key_is_told_with_how_long_to_wait(service: Service) -> None:
    key = await access.create_key(service.engine, "acme", Scope.READ, service.clock(), 1)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(service.app)) as http:
        client = AsyncClient(key, "http://provender.test", http_client=http, max_retries=0)
        await client.profiles.list().page()
        with pytest.raises(TooManyRequests) as refused:
            await client.profiles.list().page()
    assert refused.value.retry_after_s is not None
    assert 1 <= refused.value.retry_after_s <= 60


async def test_whoever_is_cancelled_while_waiting_sends_nothing_more() -> None:
    waiting = asyncio.Event()
    sent = []

    async def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        waiting.set()
        return httpx.Response(503, headers={"Retry-After": "30"})

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
        call = asyncio.create_task(AsyncClient("pv_key", http_client=http).profiles.retrieve("bob"))
        await waiting.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
    assert len(sent) == 1
