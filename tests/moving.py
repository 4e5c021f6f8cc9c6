"""Profiles that are exported and imported: one that has everything, and short ways to move it."""

import json
from typing import Any

import httpx

from provender.model.foods import Food, Unit
from tests.kitchen import MUESLI, add_favorite, new_food, new_profile, remove_favorite
from tests.pantry import BANANA, COLA_AGAIN, PANTRY

JSON = {"Content-Type": "application/json"}

# A food that the catalogue loses after it was logged.
LOST = Food(
    source="usda",
    source_key="11111",
    dataset="sr28",
    name="Dodo, raw",
    brand=None,
    unit=Unit.GRAM,
    nutrients={"energy_kcal": 200.0, "water_in_gm": 60.0},
)

WITH_LOST = (*PANTRY, LOST)


async def log(client: httpx.AsyncClient, food_id: str, owner: str = "alice", /, **parameters: Any) -> str:
    body = {"profile_reference_id": owner, "food_id": food_id} | parameters
    response = await client.post("/v1/diary-logs", json=body)
    assert response.status_code == 201, response.text
    return str(response.json()["_id"])


async def save_meal(client: httpx.AsyncClient, owner: str = "alice", /, **parameters: Any) -> str:
    response = await client.post("/v1/saved-meals", json={"profile_reference_id": owner} | parameters)
    assert response.status_code == 201, response.text
    return str(response.json()["_id"])


async def export(client: httpx.AsyncClient, owner: str = "alice") -> dict[str, Any]:
    response = await client.get(f"/v1/profiles/{owner}/export")
    assert response.status_code == 200, response.text
    document: dict[str, Any] = response.json()
    return document


async def send(client: httpx.AsyncClient, document: Any, **query: str) -> httpx.Response:
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return await client.post("/v1/profiles/import", content=body, params=query, headers=JSON)


async def fill(client: httpx.AsyncClient) -> dict[str, str]:
    """A profile alice with everything that there is. The catalogue has WITH_LOST."""
    await new_profile(client, "alice")
    await client.patch("/v1/profiles/alice", data={"timezone": "Europe/Berlin"})
    muesli = await new_food(
        client,
        **MUESLI,
    )
    own_names = {"vitamins": {"zzz_in_mg": 1.5, "vitamin_c_in_mg": 2}, "proteins": {"own_protein": 0.1}}
    granola = await new_food(client, **own_names, food_name="Granola 🥑")
    gone = await new_food(client, food_name="Gone")
    for food_id in (muesli, BANANA.id, LOST.id, granola):
        await add_favorite(client, food_id)
    await add_favorite(client, COLA_AGAIN.id)
    await remove_favorite(client, COLA_AGAIN.id)
    items = [{"food_id": food_id, "number_of_servings": 1.5} for food_id in (muesli, gone, BANANA.id, LOST.id, muesli)]
    await save_meal(client, name="Breakfast as ever", meal="breakfast", items=items)
    await save_meal(client, name="Snack", items=[{"food_id": granola}])
    await _fill_diary(client, muesli, granola, gone)
    await client.delete(f"/v1/foods/custom/{gone}", params={"profile_reference_id": "alice"})
    return {"muesli": muesli, "granola": granola, "gone": gone}


async def _fill_diary(client: httpx.AsyncClient, muesli: str, granola: str, gone: str) -> None:
    servings = (await client.get(f"/v1/foods/{muesli}?include[]=servings")).json()["servings"]
    await log(client, muesli, meal="breakfast")
    await log(client, muesli, metric_amount=33.3, meal="breakfast", note='a: b, "c" \\ [d] {e} é🥑')
    await log(client, muesli, serving_id=servings[1]["_id"], number_of_servings=0.25)
    edited = await log(client, BANANA.id, date="2026-03-01", meal="dinner")
    await log(client, BANANA.id, metric_amount=100, date="2026-02-25")
    await log(client, BANANA.id, number_of_servings=1.333, date="2025-01-01")
    await log(client, gone, date="2026-03-09", number_of_servings=3)
    await log(client, LOST.id, date="2027-03-10")
    await log(client, granola, date="1900-01-01", meal="lunch")
    deleted = await log(client, COLA_AGAIN.id)
    await client.delete(f"/v1/diary-logs/{deleted}")
    await client.patch(f"/v1/diary-logs/{edited}", json={"metric_amount": 59, "note": "half", "date": "2026-03-02"})
    # Its values are from before the food was changed.
    await client.patch(f"/v1/foods/custom/{granola}", json={"profile_reference_id": "alice", "food_name": "Granola!"})
    await log(client, granola, date="2026-03-08")


def without_ids(document: dict[str, Any]) -> dict[str, Any]:
    """A document whose own ids are replaced by what they stand for, so that two can be compared."""
    own = {food["_id"]: f"custom food {place}" for place, food in enumerate(document["custom_foods"])}

    def plain(item: dict[str, Any]) -> dict[str, Any]:
        shown = {name: value for name, value in item.items() if name != "_id"}
        if "food_id" in shown:
            shown["food_id"] = own.get(shown["food_id"], shown["food_id"])
        if "items" in shown:
            shown["items"] = [plain(each) for each in shown["items"]]
        return shown

    lists = {name: [plain(item) for item in value] for name, value in document.items() if isinstance(value, list)}
    # These are in the order of ids; the id of a food as it was logged is a hash, and stays.
    lists["logged_foods"] = sorted(
        ({"_id": food["_id"]} | plain(food) for food in document["logged_foods"]), key=json.dumps
    )
    head = {name: value for name, value in document.items() if name not in ("_id", "exported_at")}
    return head | lists
