"""POST /v1/saved-meals"""

from typing import Any

import httpx
import pytest

from provender.model.access import Scope
from tests.conftest import Service
from tests.kitchen import faults, new_food, new_profile
from tests.menu import delete_food, listed, meal, new_meal, page_of, save_meal
from tests.pantry import BANANA, COLA_AGAIN, PLAIN


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


def _not_found(response: httpx.Response) -> list[str]:
    """Which parameters name no food."""
    assert response.status_code == 404, response.text
    assert response.json()["code"] == "food_not_found"
    assert {fault["code"] for fault in response.json()["errors"]} == {"food_not_found"}
    return [fault["param"] for fault in response.json()["errors"]]


async def test_a_meal_has_what_was_sent(acme: httpx.AsyncClient, service: Service) -> None:
    granola = await new_food(acme)
    response = await save_meal(acme, [(BANANA.id, 1.5), granola], name="Usual breakfast", meal="breakfast")
    assert response.status_code == 201
    assert response.json() == {"_id": response.json()["_id"], "created": True}
    found = await meal(acme, response.json()["_id"])
    now = int(service.clock().timestamp() * 1000)
    assert found.pop("totals")
    assert "unknown" in found
    del found["unknown"]
    assert found == {
        "_id": response.json()["_id"],
        "name": "Usual breakfast",
        "meal": "breakfast",
        "profile_reference_id": "alice",
        "items": [
            {"food_id": BANANA.id, "food_name": "Bananas, raw", "number_of_servings": 1.5, "missing": False},
            {"food_id": granola, "food_name": "Granola", "number_of_servings": 1, "missing": False},
        ],
        "created_at": now,
        "updated_at": now,
    }


async def test_a_meal_is_a_snack_unless_it_says_otherwise(acme: httpx.AsyncClient) -> None:
    assert (await meal(acme, await new_meal(acme, [BANANA.id])))["meal"] == "snack"


async def test_a_food_may_be_there_twice_and_items_keep_their_order(acme: httpx.AsyncClient) -> None:
    sent = [(PLAIN.id, 0.1), (BANANA.id, 2), (PLAIN.id, 100_000)]
    items = (await meal(acme, await new_meal(acme, sent)))["items"]
    assert [(item["food_id"], item["number_of_servings"]) for item in items] == sent


async def test_a_hundred_items_are_taken_and_no_more(acme: httpx.AsyncClient) -> None:
    assert len((await meal(acme, await new_meal(acme, [BANANA.id] * 100)))["items"]) == 100
    assert faults(await save_meal(acme, [BANANA.id] * 101)) == [("items", "too_many")]
    assert faults(await save_meal(acme, [])) == [("items", "too_few")]


@pytest.mark.parametrize("name", ["x", "n" * 255, "Crêpes “Suzette” \U0001f95e", " blanks stay "])
async def test_a_name_comes_back_as_it_was_sent(acme: httpx.AsyncClient, name: str) -> None:
    assert (await meal(acme, await new_meal(acme, [BANANA.id], name=name)))["name"] == name


@pytest.mark.parametrize(
    ("parameters", "fault"),
    [
        ({"name": ""}, ("name", "too_short")),
        ({"name": "n" * 256}, ("name", "too_long")),
        ({"name": "a\nb"}, ("name", "invalid_character")),
        ({"name": None}, ("name", "null_not_allowed")),
        ({"meal": "brunch"}, ("meal", "not_allowed")),
        ({"items": None}, ("items", "null_not_allowed")),
        ({"items": {}}, ("items", "wrong_type")),
        ({"items": ["x"]}, ("items[0]", "wrong_type")),
        ({"items": [{}]}, ("items[0].food_id", "required")),
        ({"items": [{"food_id": 7}]}, ("items[0].food_id", "wrong_type")),
        ({"items": [{"food_id": "x", "amount": 1}]}, ("items[0].amount", "unknown_parameter")),
        ({"items": listed(("x", 0))}, ("items[0].number_of_servings", "out_of_range")),
        ({"items": listed(("x", -1))}, ("items[0].number_of_servings", "out_of_range")),
        ({"items": listed(("x", 100_000.1))}, ("items[0].number_of_servings", "out_of_range")),
        ({"items": [{"food_id": "x", "number_of_servings": "1"}]}, ("items[0].number_of_servings", "wrong_type")),
        ({"food_id": "x"}, ("food_id", "unknown_parameter")),
    ],
)
async def test_what_does_not_fit_is_refused(
    acme: httpx.AsyncClient, parameters: dict[str, Any], fault: tuple[str, str]
) -> None:
    assert faults(await save_meal(acme, [BANANA.id], **parameters)) == [fault]


async def test_all_faults_come_at_once(acme: httpx.AsyncClient) -> None:
    body = {"meal": "brunch", "items": [{"food_id": BANANA.id}, {"number_of_servings": 0}, 3], "nmae": "Usual"}
    assert sorted(faults(await acme.post("/v1/saved-meals", json=body))) == [
        ("items[1].food_id", "required"),
        ("items[1].number_of_servings", "out_of_range"),
        ("items[2]", "wrong_type"),
        ("meal", "not_allowed"),
        ("name", "required"),
        ("nmae", "unknown_parameter"),
        ("profile_reference_id", "required"),
    ]


async def test_every_food_that_does_not_exist_is_named(acme: httpx.AsyncClient) -> None:
    deleted = await new_food(acme)
    await delete_food(acme, deleted)
    response = await save_meal(acme, ["0" * 16, BANANA.id, deleted, "not an id", COLA_AGAIN.id, "Ünï"])
    assert _not_found(response) == [f"items[{place}].food_id" for place in (0, 2, 3, 5)]
    assert await page_of(acme, "/v1/saved-meals") == ([], False)


async def test_another_profiles_food_does_not_exist_and_neither_does_another_applications(
    acme: httpx.AsyncClient, globex: httpx.AsyncClient
) -> None:
    await new_profile(acme, "bob")
    await new_profile(globex, "alice")
    foods = [await new_food(acme, "bob"), await new_food(globex, "alice")]
    assert _not_found(await save_meal(acme, [BANANA.id, *foods])) == ["items[1].food_id", "items[2].food_id"]


async def test_an_unknown_profile_is_not_found(acme: httpx.AsyncClient) -> None:
    response = await save_meal(acme, [BANANA.id], "nobody")
    assert (response.status_code, response.json()["code"]) == (404, "profile_not_found")


async def test_a_form_is_told_to_be_json(acme: httpx.AsyncClient) -> None:
    response = await acme.post("/v1/saved-meals", data={"profile_reference_id": "alice", "name": "Usual"})
    assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")
    assert "application/json" in response.json()["detail"]


async def test_a_read_key_may_not_save_a_meal(service: Service, acme: httpx.AsyncClient) -> None:
    reader = await service.client("acme", Scope.READ)
    assert (await save_meal(reader, [BANANA.id])).status_code == 403
    assert await page_of(acme, "/v1/saved-meals") == ([], False)
