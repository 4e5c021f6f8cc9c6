"""PATCH /v1/saved-meals/{meal_id}"""

import asyncio
from typing import Any

import httpx
import pytest

from provender.model.access import Scope
from tests.conftest import Service
from tests.kitchen import faults, new_food, new_profile
from tests.menu import change_meal, delete_food, listed, meal, new_meal
from tests.pantry import BANANA, COLA_AGAIN, PLAIN


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def test_only_what_is_sent_changes(acme: httpx.AsyncClient, service: Service) -> None:
    meal_id = await new_meal(acme, [BANANA.id, (PLAIN.id, 2)])
    steps: list[dict[str, Any]] = [
        {"name": "Renamed"},
        {"meal": "dinner"},
        {"items": listed((COLA_AGAIN.id, 0.5))},
        {"name": "All", "meal": "lunch", "items": listed(PLAIN.id, BANANA.id), "profile_reference_id": "alice"},
    ]
    for step in steps:
        before = await meal(acme, meal_id)
        service.clock.advance(seconds=1)
        response = await change_meal(acme, meal_id, **step)
        assert response.status_code == 200
        after = response.json()
        assert after == await meal(acme, meal_id)
        assert after["updated_at"] == before["updated_at"] + 1000
        same = before.keys() - step.keys() - {"updated_at"} - ({"totals", "unknown"} if "items" in step else set())
        assert {name: after[name] for name in same} == {name: before[name] for name in same}
        assert {name: after[name] for name in step if name != "items"} == {
            name: value for name, value in step.items() if name != "items"
        }
    assert [item["food_id"] for item in after["items"]] == [PLAIN.id, BANANA.id]
    assert after["totals"]["macro_nutrients"]["energy_kcal"] == 405


async def test_a_change_to_what_it_is_already_is_none(acme: httpx.AsyncClient, service: Service) -> None:
    granola = await new_food(acme)
    meal_id = await new_meal(acme, [BANANA.id, (granola, 2)])
    before = await meal(acme, meal_id)
    service.clock.advance(days=1)
    same = {"name": "Usual", "meal": "snack", "items": listed((BANANA.id, 1), (granola, 2))}
    for body in ({}, {"profile_reference_id": "alice"}, same):
        assert (await change_meal(acme, meal_id, **body)).json() == before
    # A new name of a food is no change of the meal either, even if the same items are sent.
    await acme.patch(f"/v1/foods/custom/{granola}", json={"profile_reference_id": "alice", "food_name": "Crunch"})
    after = (await change_meal(acme, meal_id, **same)).json()
    assert after["items"][1]["food_name"] == "Crunch"
    assert after["updated_at"] == before["updated_at"]


async def test_a_body_is_not_needed(acme: httpx.AsyncClient) -> None:
    meal_id = await new_meal(acme, [BANANA.id])
    response = await acme.patch(f"/v1/saved-meals/{meal_id}")
    assert response.json() == await meal(acme, meal_id)


async def test_a_missing_food_may_stay_with_any_number_of_servings(acme: httpx.AsyncClient, service: Service) -> None:
    granola = await new_food(acme)
    meal_id = await new_meal(acme, [granola, BANANA.id])
    await delete_food(acme, granola)
    service.use_catalogue([PLAIN])
    response = await change_meal(acme, meal_id, items=listed(PLAIN.id, (BANANA.id, 3), granola, (granola, 2)))
    assert response.status_code == 200
    assert [tuple(item.values()) for item in response.json()["items"]] == [
        (PLAIN.id, PLAIN.name, 1, False),
        (BANANA.id, BANANA.name, 3, True),
        (granola, "Granola", 1, True),
        (granola, "Granola", 2, True),
    ]


async def test_a_missing_food_that_was_taken_out_cannot_come_back(acme: httpx.AsyncClient) -> None:
    granola = await new_food(acme)
    meal_id = await new_meal(acme, [granola, BANANA.id])
    await delete_food(acme, granola)
    assert (await change_meal(acme, meal_id, items=listed(BANANA.id))).status_code == 200
    assert (await change_meal(acme, meal_id, items=listed(BANANA.id, granola))).status_code == 404


async def test_new_foods_must_exist_and_nothing_changes_where_one_does_not(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    theirs = await new_food(acme, "bob")
    meal_id = await new_meal(acme, [BANANA.id])
    before = await meal(acme, meal_id)
    response = await change_meal(acme, meal_id, name="Renamed", items=listed("0" * 16, BANANA.id, theirs, "x"))
    assert (response.status_code, response.json()["code"]) == (404, "food_not_found")
    named = [fault["param"] for fault in response.json()["errors"]]
    assert named == ["items[0].food_id", "items[2].food_id", "items[3].food_id"]
    assert await meal(acme, meal_id) == before


async def test_all_faults_come_at_once(acme: httpx.AsyncClient) -> None:
    meal_id = await new_meal(acme, [BANANA.id])
    response = await change_meal(acme, meal_id, name="", meal=None, items=[{"food_id": ""}, {}], totals={})
    assert sorted(faults(response)) == [
        ("items[0].food_id", "too_short"),
        ("items[1].food_id", "required"),
        ("meal", "null_not_allowed"),
        ("name", "too_short"),
        ("totals", "unknown_parameter"),
    ]
    assert faults(await change_meal(acme, meal_id, items=[])) == [("items", "too_few")]
    assert faults(await change_meal(acme, meal_id, items=listed(*[BANANA.id] * 101))) == [("items", "too_many")]


async def test_a_form_is_told_to_be_json(acme: httpx.AsyncClient) -> None:
    meal_id = await new_meal(acme, [BANANA.id])
    response = await acme.patch(f"/v1/saved-meals/{meal_id}", data={"name": "Renamed"})
    assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")


async def test_another_profiles_meal_is_not_found(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    meal_id = await new_meal(acme, [BANANA.id])
    before = await meal(acme, meal_id)
    for id_, owner in ((meal_id, "bob"), (meal_id, "nobody"), ("0" * 16, "alice"), ("x", "alice")):
        response = await change_meal(acme, id_, profile_reference_id=owner, name="Renamed")
        assert (response.status_code, response.json()["code"]) == (404, "meal_not_found")
    assert await meal(acme, meal_id) == before


async def test_a_read_key_may_not_change_a_meal(acme: httpx.AsyncClient, service: Service) -> None:
    meal_id = await new_meal(acme, [BANANA.id])
    assert (await change_meal(await service.client("acme", Scope.READ), meal_id, name="x")).status_code == 403


async def test_changes_at_once_of_different_things_lose_nothing(acme: httpx.AsyncClient) -> None:
    """Each is put upon what the others have left, and not upon what the meal was when it arrived."""
    meal_id = await new_meal(acme, [BANANA.id])
    for round_ in range(4):
        name, number = f"Name {round_}", 2 + round_
        changes: list[dict[str, Any]] = [{"name": name}, {"meal": "lunch"}, {"items": listed((PLAIN.id, number))}]
        answers = await asyncio.gather(*(change_meal(acme, meal_id, **change) for change in changes * 4))
        assert {answer.status_code for answer in answers} == {200}
        found = await meal(acme, meal_id)
        assert (found["name"], found["meal"]) == (name, "lunch")
        assert [(item["food_id"], item["number_of_servings"]) for item in found["items"]] == [(PLAIN.id, number)]
