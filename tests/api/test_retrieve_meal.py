"""GET /v1/saved-meals/{meal_id}"""

from decimal import Decimal
from typing import Any

import httpx
import pytest

from provender.model.access import Scope
from tests.conftest import Service
from tests.kitchen import MUESLI, faults, new_food, new_profile
from tests.menu import GROUPS, delete_food, log_meal, meal, new_meal, summary
from tests.pantry import BANANA, COLA_AGAIN, PANTRY, PLAIN


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def _food(client: httpx.AsyncClient, food_id: str) -> dict[str, Any]:
    found: dict[str, Any] = (await client.get(f"/v1/foods/{food_id}?include={','.join(GROUPS)}")).json()
    return found


def _sum(*parts: tuple[dict[str, Any], float]) -> dict[str, Any]:
    """What foods, each so many times, add up to, by decimals."""
    found: dict[str, Any] = {"macro_nutrients": {}, **{group: {} for group in GROUPS}}
    for food, number in parts:
        for group in ("macro_nutrients", *GROUPS):
            for name, value in food[group].items():
                before = Decimal(str(found[group].get(name, 0)))
                found[group][name] = float(before + Decimal(str(value)) * Decimal(str(number)))
        if "water_in_gm" in food:
            before = Decimal(str(found.get("water_in_gm", 0)))
            found["water_in_gm"] = float(before + Decimal(str(food["water_in_gm"])) * Decimal(str(number)))
    return found


async def test_totals_are_the_exact_sums_of_the_foods_as_they_are_shown(acme: httpx.AsyncClient) -> None:
    muesli = await new_food(acme, **MUESLI)
    found = await meal(acme, await new_meal(acme, [(BANANA.id, 1.1), (muesli, 0.3), (BANANA.id, 0.7)]))
    banana, custom = await _food(acme, BANANA.id), await _food(acme, muesli)
    assert found["totals"] == _sum((banana, 1.1), (custom, 0.3), (banana, 0.7))
    assert found["totals"]["macro_nutrients"]["energy_kcal"] == 238.05


async def test_decimals_add_up_as_decimals(acme: httpx.AsyncClient) -> None:
    granola = await new_food(acme, macro_nutrients={"energy_kcal": 0.1}, vitamins={"vitamin_c_in_mg": 1.333})
    found = await meal(acme, await new_meal(acme, [granola, (granola, 2), (granola, 163.5)]))
    assert found["totals"]["macro_nutrients"] == {"energy_kcal": 16.65}
    assert found["totals"]["vitamins"] == {"vitamin_c_in_mg": 221.9445}


async def test_unknown_says_how_many_items_did_not_know_what_others_knew(acme: httpx.AsyncClient) -> None:
    found = await meal(acme, await new_meal(acme, [BANANA.id, COLA_AGAIN.id, PLAIN.id, PLAIN.id]))
    assert "energy_kcal" not in found["unknown"]
    assert found["unknown"]["caffeine_in_mg"] == 3
    assert found["unknown"]["sugars_in_g"] == 2
    assert found["unknown"]["water_in_gm"] == 3
    # What no item knows is not mentioned at all.
    assert "calcium_in_mg" not in found["unknown"]
    assert "calcium_in_mg" not in found["totals"]["minerals"]


async def test_all_groups_are_there_and_water_only_where_it_is_known(acme: httpx.AsyncClient) -> None:
    found = await meal(acme, await new_meal(acme, [(PLAIN.id, 2)]))
    assert found["totals"] == {"macro_nutrients": {"energy_kcal": 600}, **{group: {} for group in GROUPS}}
    assert found["unknown"] == {}


async def test_totals_are_those_of_the_foods_as_they_are_now(acme: httpx.AsyncClient) -> None:
    granola = await new_food(acme, macro_nutrients={"energy_kcal": 100})
    meal_id = await new_meal(acme, [(granola, 2)])
    change = {"profile_reference_id": "alice", "food_name": "Crunch", "macro_nutrients": {"energy_kcal": 150}}
    await acme.patch(f"/v1/foods/custom/{granola}", json=change)
    found = await meal(acme, meal_id)
    assert found["totals"]["macro_nutrients"] == {"energy_kcal": 300}
    assert found["items"][0]["food_name"] == "Crunch"
    assert found["updated_at"] == found["created_at"]


async def test_totals_are_what_the_diary_sums_up_when_the_meal_is_logged(acme: httpx.AsyncClient) -> None:
    muesli = await new_food(acme, **MUESLI)
    meal_id = await new_meal(acme, [(BANANA.id, 1.3), (muesli, 0.77), COLA_AGAIN.id, PLAIN.id])
    await log_meal(acme, meal_id)
    found, logged = await meal(acme, meal_id), await summary(acme, "2026-03-10")
    assert logged == {"entries": 4, "unknown": found["unknown"], **found["totals"]}


async def test_a_deleted_food_stays_marked_with_its_name_and_counts_as_nothing(acme: httpx.AsyncClient) -> None:
    granola = await new_food(acme, macro_nutrients={"energy_kcal": 100, "total_fat_in_gm": 3})
    meal_id = await new_meal(acme, [(granola, 2), PLAIN.id])
    change = {"profile_reference_id": "alice", "food_name": "Crunch"}
    await acme.patch(f"/v1/foods/custom/{granola}", json=change)
    await delete_food(acme, granola)
    found = await meal(acme, meal_id)
    # The name is the one that it had when it was put there.
    assert found["items"] == [
        {"food_id": granola, "food_name": "Granola", "number_of_servings": 2, "missing": True},
        {"food_id": PLAIN.id, "food_name": PLAIN.name, "number_of_servings": 1, "missing": False},
    ]
    assert found["totals"]["macro_nutrients"] == {"energy_kcal": 300}
    assert found["unknown"] == {}


async def test_a_food_that_leaves_the_catalogue_is_missing_until_it_comes_back(
    acme: httpx.AsyncClient, service: Service
) -> None:
    meal_id = await new_meal(acme, [(BANANA.id, 0.5), PLAIN.id])
    before = await meal(acme, meal_id)
    service.use_catalogue([PLAIN])
    without = await meal(acme, meal_id)
    assert [(item["food_name"], item["missing"]) for item in without["items"]] == [
        (BANANA.name, True),
        (PLAIN.name, False),
    ]
    assert without["totals"]["macro_nutrients"] == {"energy_kcal": 300}
    service.use_catalogue(PANTRY)
    assert await meal(acme, meal_id) == before


async def test_a_meal_of_nothing_but_missing_foods_has_empty_totals(acme: httpx.AsyncClient) -> None:
    granola = await new_food(acme)
    meal_id = await new_meal(acme, [granola])
    await delete_food(acme, granola)
    found = await meal(acme, meal_id)
    assert found["totals"] == {"macro_nutrients": {}, **{group: {} for group in GROUPS}}
    assert found["unknown"] == {}


async def test_values_that_nobody_could_eat_are_still_answered(acme: httpx.AsyncClient) -> None:
    granola = await new_food(acme, macro_nutrients={"energy_kcal": 1e300})
    found = (await acme.get(f"/v1/saved-meals/{await new_meal(acme, [(granola, 100_000)] * 100)}")).json()
    assert repr(found["totals"]["macro_nutrients"]["energy_kcal"]) == "1e+307"


async def test_a_profile_that_is_named_must_be_the_owner(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    meal_id = await new_meal(acme, [BANANA.id])
    assert (await acme.get(f"/v1/saved-meals/{meal_id}?profile_reference_id=alice")).status_code == 200
    for owner in ("bob", "nobody"):
        response = await acme.get(f"/v1/saved-meals/{meal_id}?profile_reference_id={owner}")
        assert (response.status_code, response.json()["code"]) == (404, "meal_not_found")


@pytest.mark.parametrize("meal_id", ["0" * 16, "x", "%00", "n" * 300, "%F0%9F%8D%8C"])
async def test_what_is_no_meal_is_not_found(acme: httpx.AsyncClient, meal_id: str) -> None:
    response = await acme.get(f"/v1/saved-meals/{meal_id}")
    assert (response.status_code, response.json()["code"]) == (404, "meal_not_found")


async def test_a_food_or_a_log_is_no_meal(acme: httpx.AsyncClient) -> None:
    granola = await new_food(acme)
    [log] = (await log_meal(acme, await new_meal(acme, [granola]))).json()["data"]
    for id_ in (granola, BANANA.id, log["_id"]):
        assert (await acme.get(f"/v1/saved-meals/{id_}")).status_code == 404


async def test_unknown_parameters_are_refused(acme: httpx.AsyncClient) -> None:
    meal_id = await new_meal(acme, [BANANA.id])
    response = await acme.get(f"/v1/saved-meals/{meal_id}?include=vitamins")
    assert faults(response) == [("include", "unknown_parameter")]


async def test_a_read_key_may_read_meals(acme: httpx.AsyncClient, service: Service) -> None:
    meal_id = await new_meal(acme, [BANANA.id])
    assert await meal(await service.client("acme", Scope.READ), meal_id) == await meal(acme, meal_id)


async def test_meals_of_a_deleted_profile_are_gone_at_once(acme: httpx.AsyncClient) -> None:
    meal_id = await new_meal(acme, [BANANA.id])
    await acme.delete("/v1/profiles/alice")
    for response in (
        await acme.get(f"/v1/saved-meals/{meal_id}"),
        await acme.patch(f"/v1/saved-meals/{meal_id}", json={"name": "x"}),
        await acme.delete(f"/v1/saved-meals/{meal_id}"),
        await log_meal(acme, meal_id),
    ):
        assert (response.status_code, response.json()["code"]) == (404, "meal_not_found")
    await new_profile(acme)
    assert (await acme.get("/v1/saved-meals?profile_reference_id=alice")).json() == {"has_more": False, "data": []}
    assert (await acme.get(f"/v1/saved-meals/{meal_id}")).status_code == 404
