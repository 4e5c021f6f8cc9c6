"""Two workers on one storage: nothing is lost, and neither answers what another has made stale."""

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import Iterator

import httpx
import psutil
import pytest

from provender.settings import Settings
from tests.system.commands import printed, run
from tests.system.server import Server, serving, worker_of

REVOKED_WITHIN_S = 5
REPLACED_WITHIN_S = 20


@pytest.fixture(scope="module")
def server(shared_settings: Settings) -> Iterator[Server]:
    with serving(shared_settings, workers=2) as running:
        yield running


async def _ask(client: httpx.AsyncClient, times: int) -> list[httpx.Response]:
    return await asyncio.gather(*(client.get("/v1/profiles?limit=1") for _ in range(times)))


async def _reference_ids(client: httpx.AsyncClient) -> list[str]:
    """Every profile, page by page."""
    found: list[str] = []
    query = "limit=100"
    while True:
        page = (await client.get(f"/v1/profiles?{query}")).json()
        found += [profile["reference_id"] for profile in page["data"]]
        if not page["has_more"]:
            return found
        query = f"limit=100&starting_after={page['data'][-1]['_id']}"


async def test_of_many_creations_at_once_none_is_lost_and_none_is_listed_twice(server: Server, key: str) -> None:
    sent = {f"user-{number}" for number in range(300)}
    async with server.fresh_client(key) as client:
        responses = await asyncio.gather(*(client.post("/v1/profiles", data={"reference_id": one}) for one in sent))
        assert Counter(response.status_code for response in responses) == {201: 300}
        assert len({worker_of(response) for response in responses}) == 2, "one worker was not asked at all"
        listed = await _reference_ids(client)
    assert len(listed) == 300
    assert set(listed) == sent


async def test_a_read_by_any_worker_sees_a_write_by_any_other(server: Server, key: str) -> None:
    crossings = 0

    async def write_and_read(client: httpx.AsyncClient, lane: int) -> None:
        nonlocal crossings
        for number in range(25):
            path = f"/v1/profiles/user-{lane}-{number}"
            created = await client.post("/v1/profiles", data={"reference_id": f"user-{lane}-{number}"})
            read = await client.get(path)
            assert read.json() == created.json()
            changed = await client.patch(path, data={"timezone": "Europe/Berlin"})
            read_again = await client.get(path)
            assert read_again.json() == changed.json()
            deleted = await client.delete(path)
            gone = await client.get(path)
            assert gone.status_code == 404
            pairs = [(created, read), (changed, read_again), (deleted, gone)]
            crossings += sum(worker_of(write) != worker_of(after) for write, after in pairs)

    async with server.fresh_client(key) as client:
        await asyncio.gather(*(write_and_read(client, lane) for lane in range(4)))
    assert crossings > 50, "hardly a read went to another worker, so this has shown nothing"


async def test_of_32_creations_of_the_same_profile_one_succeeds(server: Server, key: str) -> None:
    async with server.fresh_client(key) as client:
        for number in range(5):
            form = {"reference_id": f"alice-{number}"}
            responses = await asyncio.gather(*(client.post("/v1/profiles", data=form) for _ in range(32)))
            assert Counter(response.status_code for response in responses) == {201: 1, 409: 31}
        assert len(await _reference_ids(client)) == 5


async def test_a_new_key_works_at_once_in_every_worker(server: Server, shared_settings: Settings) -> None:
    created = run("keys", "create", "--application", "acme", settings=shared_settings)
    async with server.fresh_client(printed(created).strip()) as client:
        responses = await _ask(client, 40)
    assert {response.status_code for response in responses} == {200}
    assert len({worker_of(response) for response in responses}) == 2


async def test_a_revoked_key_is_refused_by_every_worker_within_5_seconds(
    server: Server, shared_settings: Settings, key: str
) -> None:
    async with server.fresh_client(key) as client, server.fresh_client(server.key) as other:
        # Both workers know the key from before, so both have it in mind.
        assert len({worker_of(response) for response in await _ask(client, 40)}) == 2
        printed(run("keys", "revoke", key[:11], settings=shared_settings))
        deadline = time.monotonic() + REVOKED_WITHIN_S
        refusing: set[str] = set()
        while len(refusing) < 2:
            assert time.monotonic() < deadline, "it is still taken"
            responses = await _ask(client, 8)
            taking = {worker_of(response) for response in responses if response.status_code == 200}
            assert not taking & refusing, "a worker takes it again"
            refusing |= {worker_of(response) for response in responses if response.status_code == 401}
        responses = await _ask(client, 40)
        assert {response.status_code for response in responses} == {401}
        assert {worker_of(response) for response in responses} == refusing
        assert {response.status_code for response in await _ask(other, 8)} == {200}


async def test_a_worker_that_is_killed_is_replaced_and_the_service_goes_on(settings: Settings) -> None:
    with serving(settings, workers=2) as server:
        before = server.workers_that_are_ready()
        async with server.fresh_client(server.key) as client:
            assert (await client.post("/v1/profiles", data={"reference_id": "alice"})).status_code == 201
            worker, _ = psutil.Process(server.process.pid).children()
            os.kill(worker.pid, signal.SIGKILL)
            deadline = time.monotonic() + REPLACED_WITHIN_S
            answering: set[str] = set()
            number = 0
            while not answering - before or not answering & before:
                assert time.monotonic() < deadline, "the worker was not replaced"
                number += 1
                try:
                    response = await client.post("/v1/profiles", data={"reference_id": f"user-{number}"})
                    assert (await client.get("/v1/profiles/alice")).status_code == 200
                except httpx.TransportError:
                    # This connection was in the hands of the worker that died; that is all that may be lost.
                    continue
                assert response.status_code == 201
                answering.add(worker_of(response))
        assert len(server.workers_that_are_ready()) == 2
        assert server.stop() == 0
