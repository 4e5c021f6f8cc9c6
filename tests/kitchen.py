"""Custom foods of the tests, and short ways to make them and to have favorites."""

from typing import Any

import httpx

# Everything that create custom food requires, but the profile.
GRANOLA: dict[str, Any] = {
    "food_name": "Granola",
    "serving_description": "1 bowl",
    "metric_serving_amount": 60,
    "metric_serving_unit": "g",
}

# Every parameter there is.
MUESLI: dict[str, Any] = {
    "food_name": "Müesli",
    "food_type": "brand",
    "brand_name": "Kellogg's",
    "serving_description": "1 cup (45 g)",
    "metric_serving_amount": 45,
    "metric_serving_unit": "g",
    "barcode": "0012345678905",
    "macro_nutrients": {"energy_kcal": 163.5, "total_fat_in_gm": 2, "total_protein_in_gm": None},
    "water_in_gm": 3.25,
    "vitamins": {"vitamin_c_in_mg": 0, "vitamin_b6_in_mg": 0.367},
    "minerals": {"iron_in_mg": 1.9},
    "carbohydrates": {"sugars_in_g": 10.1},
    "lipids": {"saturated_fat_g": 0.4},
    "proteins": {"leucine_in_g": 0.068},
}


async def new_profile(client: httpx.AsyncClient, reference_id: str = "alice") -> str:
    response = await client.post("/v1/profiles", data={"reference_id": reference_id})
    assert response.status_code == 201, response.text
    return str(response.json()["_id"])


async def new_food(client: httpx.AsyncClient, owner: str = "alice", /, **parameters: Any) -> str:
    """A custom food of the profile, and its id."""
    body = GRANOLA | {"profile_reference_id": owner} | parameters
    response = await client.post("/v1/foods/custom", json=body)
    assert response.status_code == 201, response.text
    return str(response.json()["_id"])


async def add_favorite(client: httpx.AsyncClient, food_id: str, owner: str = "alice") -> httpx.Response:
    return await client.post(f"/v1/foods/favorites/{food_id}", data={"profile_reference_id": owner})


async def remove_favorite(client: httpx.AsyncClient, food_id: str, owner: str = "alice") -> httpx.Response:
    return await client.delete(f"/v1/foods/favorites/{food_id}", params={"profile_reference_id": owner})


async def list_favorites(
    client: httpx.AsyncClient, owner: str = "alice", /, **parameters: Any
) -> tuple[list[str], bool]:
    """The ids of a page of the profile's favorites, and whether there are more."""
    response = await client.get("/v1/foods/favorites", params={"profile_reference_id": owner} | parameters)
    assert response.status_code == 200, response.text
    page = response.json()
    return [food["_id"] for food in page["data"]], page["has_more"]


async def new_favorites(client: httpx.AsyncClient, count: int, owner: str = "alice", /) -> list[str]:
    """That many custom foods of the profile as its favorites, and their ids in the list's order."""
    ids = [await new_food(client, owner, food_name=f"Granola {number}") for number in range(count)]
    for id_ in ids:
        assert (await add_favorite(client, id_, owner)).status_code == 201
    return ids[::-1]


def faults(response: httpx.Response) -> list[tuple[str, str]]:
    assert response.status_code == 400, response.text
    return [(fault["param"], fault["code"]) for fault in response.json()["errors"]]
