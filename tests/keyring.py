"""Short ways to ask for an application's own keys."""

from typing import Any

import httpx

from provender.model.access import PREFIX_LENGTH


def own_id(client: httpx.AsyncClient) -> str:
    """What the key that a client sends is known by."""
    key: str = client.headers["authorization"].removeprefix("Bearer ")
    return key[:PREFIX_LENGTH]


async def list_keys(client: httpx.AsyncClient, **parameters: Any) -> list[dict[str, Any]]:
    response = await client.get("/v1/keys", params={"limit": 100} | parameters)
    assert response.status_code == 200, response.text
    found: list[dict[str, Any]] = response.json()["data"]
    return found


async def new_key(client: httpx.AsyncClient, **parameters: Any) -> tuple[str, str]:
    """A new key of the client's application: its id and the key."""
    response = await client.post("/v1/keys", data=parameters)
    assert response.status_code == 201, response.text
    made = response.json()
    return made["_id"], made["key"]
