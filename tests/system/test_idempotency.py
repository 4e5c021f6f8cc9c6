"""Idempotency-Key with real processes: requests are sent again after a crash, and to whichever worker is there."""

import asyncio
import signal
import threading
from collections import Counter
from typing import Any

import httpx
import pytest

from provender.settings import Settings
from tests.kitchen import GRANOLA
from tests.system.server import Server, serving, until, worker_of

# The settings are made by an asynchronous fixture, which needs to know what runs it.
pytestmark = pytest.mark.usefixtures("anyio_backend")


def _was_replayed(response: httpx.Response) -> bool:
    return bool(response.headers.get("idempotent-replayed") == "true")


def _new_food(name: str) -> dict[str, Any]:
    """One and the same request for each name."""
    body = GRANOLA | {"profile_reference_id": "alice", "food_name": name}
    return {"url": "/v1/foods/custom", "json": body, "headers": {"Idempotency-Key": f"make-{name}"}}


def _foods(client: httpx.Client) -> list[tuple[str, str]]:
    """The id and the name of every food that alice has."""
    found: list[tuple[str, str]] = []
    query = {"profile_reference_id": "alice", "limit": "100"}
    while True:
        page = client.get("/v1/foods/custom", params=query).json()
        found += [(food["_id"], food["food_name"]) for food in page["data"]]
        if not page["has_more"]:
            return found
        query["starting_after"] = found[-1][0]


def test_whoever_sends_again_after_kill_9_has_everything_once(settings: Settings) -> None:
    """Answered or not, written or not: what was under way when all processes were killed is there once at the end."""
    sent: list[str] = []
    answered: dict[str, bytes] = {}

    def write_until_killed(server: Server, writer: int) -> None:
        with server.client(server.key) as client:
            for number in range(100_000):
                name = f"{writer}-{number}"
                sent.append(name)
                try:
                    response = client.post(**_new_food(name))
                except httpx.TransportError:
                    return
                assert (response.status_code, _was_replayed(response)) == (201, False)
                answered[name] = response.content

    with serving(settings, workers=2) as server:
        with server.client(server.key) as client:
            client.post("/v1/profiles", data={"reference_id": "alice"})
        writers = [threading.Thread(target=write_until_killed, args=(server, writer)) for writer in range(8)]
        for writer in writers:
            writer.start()
        until(lambda: len(answered) >= 200, 20, "200 foods are written")
        server.signal_all(signal.SIGKILL)
        for writer in writers:
            writer.join(20)
            assert not writer.is_alive()
    with serving(settings) as restarted, restarted.client(server.key) as client:
        for name in sent:
            again = client.post(**_new_food(name))
            assert again.status_code == 201
            if name in answered:
                assert _was_replayed(again)
                assert again.content == answered[name]
            answered[name] = again.content
        foods = _foods(client)
        assert Counter(name for _, name in foods) == dict.fromkeys(sent, 1)
        assert all(id_.encode() in answered[name] for id_, name in foods)


async def test_two_workers_give_one_answer_and_write_once(settings: Settings) -> None:
    with serving(settings, workers=2) as server:
        async with server.fresh_client(server.key) as client:
            await client.post("/v1/profiles", data={"reference_id": "alice"})
            for number in range(10):
                request = _new_food(str(number))
                responses = await asyncio.gather(*(client.post(**request) for _ in range(16)))
                assert {response.status_code for response in responses} == {201}
                assert len({response.content for response in responses}) == 1
                assert Counter(map(_was_replayed, responses)) == {False: 1, True: 15}
                assert len({worker_of(response) for response in responses}) == 2, "one worker was not asked at all"
        with server.client(server.key) as reader:
            assert sorted(name for _, name in _foods(reader)) == [str(number) for number in range(10)]
