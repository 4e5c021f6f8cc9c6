"""Saved meals of the tests: short ways to make and log them, and to read what the diary has of them."""

from collections.abc import Sequence
from typing import Any

import httpx

GROUPS = ("vitamins", "minerals", "carbohydrates", "lipids", "proteins")

# A food as it is put into a meal: its id, with a number of servings or without.
Item = str | tuple[str, float]


def listed(*items: Item) -> list[dict[str, Any]]:
    """The items as they are sent."""
    return [
        {"food_id": item} if isinstance(item, str) else {"food_id": item[0], "number_of_servings": item[1]}
        for item in items
    ]


async def save_meal(
    client: httpx.AsyncClient, items: Sequence[Item], owner: str = "alice", /, **parameters: Any
) -> httpx.Response:
    body = {"profile_reference_id": owner, "name": "Usual", "items": listed(*items)} | parameters
    return await client.post("/v1/saved-meals", json=body)


async def new_meal(client: httpx.AsyncClient, items: Sequence[Item], owner: str = "alice", /, **parameters: Any) -> str:
    """A saved meal of the profile, and its id."""
    response = await save_meal(client, items, owner, **parameters)
    assert response.status_code == 201, response.text
    return str(response.json()["_id"])


async def meal(client: httpx.AsyncClient, meal_id: str) -> dict[str, Any]:
    response = await client.get(f"/v1/saved-meals/{meal_id}")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def change_meal(client: httpx.AsyncClient, meal_id: str, **parameters: Any) -> httpx.Response:
    return await client.patch(f"/v1/saved-meals/{meal_id}", json=parameters)


async def log_meal(client: httpx.AsyncClient, meal_id: str, **parameters: Any) -> httpx.Response:
    return await client.post(f"/v1/saved-meals/{meal_id}/log", json=parameters)


async def delete_food(client: httpx.AsyncClient, food_id: str, owner: str = "alice") -> None:
    response = await client.delete(f"/v1/foods/custom/{food_id}", params={"profile_reference_id": owner})
    assert response.status_code == 200, response.text


async def page_of(
    client: httpx.AsyncClient, path: str, owner: str = "alice", /, **parameters: Any
) -> tuple[list[dict[str, Any]], bool]:
    """A page of one of the profile's lists, and whether there are more."""
    response = await client.get(path, params={"profile_reference_id": owner} | parameters)
    assert response.status_code == 200, response.text
    page = response.json()
    return page["data"], page["has_more"]


async def logs(client: httpx.AsyncClient, owner: str = "alice", /, **parameters: Any) -> list[dict[str, Any]]:
    """The logs of the profile, 100 at most, in the order of the diary."""
    found, more = await page_of(client, "/v1/diary-logs", owner, **{"from": "1900-01-01", "limit": 100} | parameters)
    assert not more
    return found


async def eaten(client: httpx.AsyncClient, word: str, owner: str = "alice", /, **parameters: Any) -> list[str]:
    """The ids of the foods eaten `recently` or `most`."""
    found, _ = await page_of(client, f"/v1/foods/{word}-eaten", owner, **parameters)
    return [food["_id"] for food in found]


async def summary(client: httpx.AsyncClient, day: str, owner: str = "alice") -> dict[str, Any]:
    """What the entries of a day add up to."""
    asked = {"profile_reference_id": owner, "from": day, "to": day}
    response = await client.get("/v1/diary-logs/summary", params=asked)
    assert response.status_code == 200, response.text
    total: dict[str, Any] = response.json()["total"]
    return total
