"""An installation with everything in it, and what its server answers, to be compared with that of another."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from provender.model.times import utc_now
from tests.diary import day
from tests.kitchen import new_profile
from tests.moving import fill, log
from tests.pantry import BANANA
from tests.system.server import Server

_TWICE = {"Idempotency-Key": "twice"}
_LISTS = ("foods/custom", "foods/favorites", "foods/recently-eaten", "foods/most-eaten", "saved-meals")
_DAYS = ("diary-logs", "diary-logs/summary")


@asynccontextmanager
async def _client(server: Server, key: str) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=server.url, headers=headers, trust_env=False, timeout=20) as client:
        yield client


def fill_installation(server: Server, key: str) -> None:
    """Profiles alice, with everything there is, bob, who logs in other tests, and carol, who was deleted."""

    async def run() -> None:
        async with _client(server, key) as client:
            await fill(client)
            await new_profile(client, "bob")
            await new_profile(client, "carol")
            await log(client, BANANA.id, "carol")
            assert (await client.delete("/v1/profiles/carol")).status_code == 200
            # Sent again it is answered again, and nothing is written.
            body = {"profile_reference_id": "alice", "food_id": BANANA.id}
            first = await client.post("/v1/diary-logs", json=body, headers=_TWICE)
            assert first.status_code == 201

    asyncio.run(run())


def answers(server: Server, key: str) -> dict[str, Any]:
    """What the server says of alice, and to somebody who sends a request again. Some logs are not settled yet."""

    async def run() -> dict[str, Any]:
        async with _client(server, key) as client:
            found: dict[str, Any] = {}
            body = {"profile_reference_id": "alice", "food_id": BANANA.id}
            again = await client.post("/v1/diary-logs", json=body, headers=_TWICE)
            assert again.status_code == 201
            found["again"] = again.json()
            export = (await client.get("/v1/profiles/alice/export")).json()
            found["export"] = export | {"exported_at": None}
            found["profiles"] = (await client.get("/v1/profiles")).json()["data"][-1]["_id"]
            days = {"from": day(-300, utc_now().date()), "to": day(1, utc_now().date())}
            for path, parameters in (*((path, {"limit": "100"}) for path in _LISTS), *((path, days) for path in _DAYS)):
                response = await client.get(f"/v1/{path}", params={"profile_reference_id": "alice"} | parameters)
                assert response.status_code == 200, response.text
                found[path] = response.json()
            return found

    return asyncio.run(run())
