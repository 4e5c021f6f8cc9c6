"""A caller that goes away leaves no half-written state behind."""

import asyncio
from typing import Any

import httpx

from tests.conftest import Service


async def test_a_cancelled_write_happens_whole_or_not_at_all(acme: httpx.AsyncClient, service: Service) -> None:
    """Cancel deletions, which are two statements, at every point they can be cancelled at."""
    for turns in range(40):
        reference_id = f"user-{turns}"
        created = (await acme.post("/v1/profiles", data={"reference_id": reference_id})).json()
        task = asyncio.create_task(acme.delete(f"/v1/profiles/{reference_id}"))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        # A write of a caller that went away may still be under way; one more write of the same kind comes after it.
        await acme.patch(f"/v1/profiles/{reference_id}", data={"timezone": "UTC"})
        exists = (await acme.get(f"/v1/profiles/{reference_id}")).status_code == 200
        listed = created["_id"] in (await acme.get("/v1/profiles?limit=100")).text
        assert exists == listed
        noted = await service.engine.one("SELECT 1 FROM deleted_profiles WHERE profile_id = $1", created["_id"])
        assert not (exists and noted), "noted as deleted, but still there"
    # The service goes on as if nothing had happened.
    assert (await acme.post("/v1/profiles", data={"reference_id": "after"})).status_code == 201


async def test_a_caller_that_hangs_up_in_its_body_is_logged_and_nothing_is_written(
    acme: httpx.AsyncClient, service: Service
) -> None:
    messages = [
        {"type": "http.request", "body": b"reference_id=al", "more_body": True},
        {"type": "http.disconnect"},
    ]
    sent: list[Any] = []

    async def receive() -> Any:
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": "/v1/profiles",
        "raw_path": b"/v1/profiles",
        "query_string": b"",
        "headers": [
            (b"authorization", acme.headers["authorization"].encode()),
            (b"content-type", b"application/x-www-form-urlencoded"),
        ],
    }
    await service.app(scope, receive, send)
    # A body that ends early looks the same, and its caller may still listen.
    assert [message.get("status") for message in sent] == [400, None]
    assert '"status":499' in service.log_lines()[-1]
    assert (await acme.get("/v1/profiles")).json()["data"] == []
