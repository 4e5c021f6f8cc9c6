"""POST /v1/saved-meals/{meal_id}/log"""

import asyncio
from typing import Any

import httpx
import pytest

from provender.model.access import Scope
from provender.services import meal_logs
from provender.services.portions import read_foods
from provender.services.saved_meals import get_stored
from tests.conftest import Service
from tests.kitchen import MUESLI, faults, new_food, new_profile
from tests.menu import change_meal, delete_food, eaten, listed, log_meal, logs, meal, new_meal, summary
from tests.pantry import BANANA, COLA_AGAIN, PANTRY, PLAIN

TODAY = "2026-03-10"


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def _is_active(client: httpx.AsyncClient) -> bool:
    active: bool = (await client.get("/v1/profiles/alice")).json()["is_active"]
    return active


async def test_every_item_becomes_a_log_in_its_order(acme: httpx.AsyncClient) -> None:
    muesli = await new_food(acme, **MUESLI)
    meal_id = await new_meal(acme, [(muesli, 0.3), (BANANA.id, 1.5), muesli], meal="breakfast")
    response = await log_meal(acme, meal_id)
    assert response.status_code == 201
    answer = response.json()
    assert answer == {"data": [{"_id": each["_id"], "created": True} for each in answer["data"]], "skipped": []}
    found = await logs(acme)
    assert [log["_id"] for log in found] == [each["_id"] for each in answer["data"]]
    assert [(log["food_id"], log["number_of_servings"]) for log in found] == [
        (muesli, 0.3),
        (BANANA.id, 1.5),
        (muesli, 1),
    ]
    assert {(log["meal"], log["date"], log["note"]) for log in found} == {("breakfast", TODAY, None)}


async def test_its_logs_are_like_those_that_are_made_one_by_one(acme: httpx.AsyncClient) -> None:
    muesli = await new_food(acme, **MUESLI)
    items = [(muesli, 0.3), (BANANA.id, 1.5), (COLA_AGAIN.id, 2)]
    await log_meal(acme, await new_meal(acme, items), date="2026-03-01")
    for food_id, number in items:
        body = {"profile_reference_id": "alice", "food_id": food_id, "number_of_servings": number, "date": "2026-03-02"}
        assert (await acme.post("/v1/diary-logs", json=body)).status_code == 201
    include = "vitamins,minerals,carbohydrates,lipids,proteins"
    of_meal, by_hand = [
        [
            {name: value for name, value in log.items() if name not in ("_id", "date")}
            for log in await logs(acme, include=include, **{"from": day, "to": day})
        ]
        for day in ("2026-03-01", "2026-03-02")
    ]
    assert of_meal == by_hand
    assert await summary(acme, "2026-03-01") == await summary(acme, "2026-03-02")


@pytest.mark.parametrize("kind", ["json", "data"])
async def test_day_meal_and_note_can_be_said(acme: httpx.AsyncClient, kind: str) -> None:
    meal_id = await new_meal(acme, [BANANA.id, PLAIN.id], meal="breakfast")
    body = {"profile_reference_id": "alice", "date": "2026-02-28", "meal": "dinner", "note": "late"}
    sent: dict[str, Any] = {kind: body}
    response = await acme.post(f"/v1/saved-meals/{meal_id}/log", **sent)
    assert response.status_code == 201
    found = await logs(acme)
    assert [(log["date"], log["meal"], log["note"]) for log in found] == [("2026-02-28", "dinner", "late")] * 2
    assert (await meal(acme, meal_id))["meal"] == "breakfast"


async def test_a_body_is_not_needed_and_a_note_may_be_null(acme: httpx.AsyncClient) -> None:
    meal_id = await new_meal(acme, [BANANA.id])
    assert (await acme.post(f"/v1/saved-meals/{meal_id}/log")).status_code == 201
    assert (await log_meal(acme, meal_id, note=None)).status_code == 201
    assert (await acme.post(f"/v1/saved-meals/{meal_id}/log", data={"note": ""})).status_code == 201
    assert [log["note"] for log in await logs(acme)] == [None] * 3


async def test_today_is_that_of_the_profiles_time_zone(acme: httpx.AsyncClient) -> None:
    await acme.patch("/v1/profiles/alice", json={"timezone": "Pacific/Kiritimati"})
    await log_meal(acme, await new_meal(acme, [BANANA.id]))
    assert [log["date"] for log in await logs(acme)] == ["2026-03-11"]


async def test_days_are_those_that_a_log_may_have(acme: httpx.AsyncClient) -> None:
    meal_id = await new_meal(acme, [BANANA.id, PLAIN.id])
    for date in ("1900-01-01", "2027-03-10"):
        assert (await log_meal(acme, meal_id, date=date)).status_code == 201
    for date in ("1899-12-31", "2027-03-11"):
        assert faults(await log_meal(acme, meal_id, date=date)) == [("date", "out_of_range")]
    assert len(await logs(acme)) == 4


async def test_all_faults_come_at_once(acme: httpx.AsyncClient) -> None:
    meal_id = await new_meal(acme, [BANANA.id])
    response = await log_meal(acme, meal_id, date="tomorrow", meal="brunch", note=1, skip_missing="yes", items=[])
    assert sorted(faults(response)) == [
        ("date", "invalid_date"),
        ("items", "unknown_parameter"),
        ("meal", "not_allowed"),
        ("note", "wrong_type"),
        ("skip_missing", "wrong_type"),
    ]
    assert await logs(acme) == []


async def test_it_counts_in_both_eaten_lists_and_makes_the_profile_active(acme: httpx.AsyncClient) -> None:
    granola = await new_food(acme)
    meal_id = await new_meal(acme, [granola, BANANA.id, PLAIN.id, granola], meal="lunch")
    assert not await _is_active(acme)
    await log_meal(acme, meal_id)
    assert await _is_active(acme)
    assert await eaten(acme, "recently") == [granola, PLAIN.id, BANANA.id]
    assert await eaten(acme, "most", meal="lunch") == [granola, PLAIN.id, BANANA.id]
    assert await eaten(acme, "most", meal="snack") == []
    # As any log does, it goes out again when it is deleted.
    for log in await logs(acme):
        await acme.delete(f"/v1/diary-logs/{log['_id']}")
    assert await eaten(acme, "recently") == []
    assert not await _is_active(acme)


async def test_a_meal_with_missing_items_says_which_and_writes_nothing(
    acme: httpx.AsyncClient, service: Service
) -> None:
    granola = await new_food(acme)
    meal_id = await new_meal(acme, [PLAIN.id, granola, BANANA.id, granola])
    await delete_food(acme, granola)
    service.use_catalogue([PLAIN])
    for parameters in ({}, {"skip_missing": False}):
        response = await log_meal(acme, meal_id, **parameters)
        assert (response.status_code, response.json()["code"]) == (409, "meal_items_missing")
        named = [(fault["param"], fault["code"]) for fault in response.json()["errors"]]
        assert named == [(f"items[{place}].food_id", "food_not_found") for place in (1, 2, 3)]
        assert "Granola" in response.json()["errors"][0]["message"]
    assert await logs(acme) == []
    assert await eaten(acme, "recently") == []
    assert not await _is_active(acme)


@pytest.mark.parametrize("kind", ["json", "data"])
async def test_missing_items_can_be_skipped(acme: httpx.AsyncClient, service: Service, kind: str) -> None:
    granola = await new_food(acme)
    meal_id = await new_meal(acme, [granola, PLAIN.id, BANANA.id, (PLAIN.id, 2)])
    await delete_food(acme, granola)
    service.use_catalogue([PLAIN])
    sent: dict[str, Any] = {kind: {"skip_missing": True}}
    response = await acme.post(f"/v1/saved-meals/{meal_id}/log", **sent)
    assert response.status_code == 201
    assert response.json()["skipped"] == [
        {"food_id": granola, "food_name": "Granola"},
        {"food_id": BANANA.id, "food_name": BANANA.name},
    ]
    found = await logs(acme)
    assert [log["_id"] for log in found] == [each["_id"] for each in response.json()["data"]]
    assert [(log["food_id"], log["number_of_servings"]) for log in found] == [(PLAIN.id, 1), (PLAIN.id, 2)]
    # A food that comes back is logged again.
    service.use_catalogue(PANTRY)
    again = (await log_meal(acme, meal_id, skip_missing=True)).json()
    assert (len(again["data"]), len(again["skipped"])) == (3, 1)


async def test_where_nothing_is_left_to_log_nothing_is_written(acme: httpx.AsyncClient) -> None:
    granola = await new_food(acme)
    meal_id = await new_meal(acme, [granola])
    await delete_food(acme, granola)
    response = await log_meal(acme, meal_id, skip_missing=True)
    assert response.status_code == 200
    assert response.json() == {"data": [], "skipped": [{"food_id": granola, "food_name": "Granola"}]}
    assert await logs(acme) == []
    assert not await _is_active(acme)


async def test_foods_are_logged_as_they_are_now_and_stay_so(acme: httpx.AsyncClient) -> None:
    granola = await new_food(acme, macro_nutrients={"energy_kcal": 100})
    meal_id = await new_meal(acme, [granola])

    async def change(energy: int, name: str) -> None:
        body = {"profile_reference_id": "alice", "food_name": name, "macro_nutrients": {"energy_kcal": energy}}
        assert (await acme.patch(f"/v1/foods/custom/{granola}", json=body)).status_code == 200

    await change(200, "Crunch")
    await log_meal(acme, meal_id)
    await change(300, "Munch")
    [log] = await logs(acme)
    assert (log["food_name"], log["macro_nutrients"]) == ("Crunch", {"energy_kcal": 200})


async def test_too_much_of_a_food_is_refused_with_its_place(acme: httpx.AsyncClient) -> None:
    heavy = await new_food(acme, macro_nutrients={"energy_kcal": 1e12})
    meal_id = await new_meal(acme, [BANANA.id, (heavy, 2), heavy, (heavy, 3)])
    assert faults(await log_meal(acme, meal_id)) == [
        ("items[1].number_of_servings", "out_of_range"),
        ("items[3].number_of_servings", "out_of_range"),
    ]
    assert await logs(acme) == []
    assert not await _is_active(acme)


async def test_another_profiles_meal_is_not_found(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    meal_id = await new_meal(acme, [BANANA.id])
    for id_, owner in ((meal_id, "bob"), (meal_id, "nobody"), ("0" * 16, "alice"), ("x", "alice")):
        response = await log_meal(acme, id_, profile_reference_id=owner)
        assert (response.status_code, response.json()["code"]) == (404, "meal_not_found")
    assert await logs(acme) == []


async def test_a_read_key_may_not_log_a_meal(acme: httpx.AsyncClient, service: Service) -> None:
    meal_id = await new_meal(acme, [BANANA.id])
    assert (await log_meal(await service.client("acme", Scope.READ), meal_id)).status_code == 403
    assert await logs(acme) == []


async def test_64_logs_of_one_meal_at_once_lose_nothing(acme: httpx.AsyncClient) -> None:
    granola = await new_food(acme, macro_nutrients={"energy_kcal": 0.1})
    meal_id = await new_meal(acme, [granola, (BANANA.id, 0.1)], meal="lunch")
    answers = await asyncio.gather(*(log_meal(acme, meal_id) for _ in range(64)))
    assert {answer.status_code for answer in answers} == {201}
    ids = {each["_id"] for answer in answers for each in answer.json()["data"]}
    assert len(ids) == 128
    total = await summary(acme, TODAY)
    assert total["entries"] == 128
    assert total["macro_nutrients"]["energy_kcal"] == round(64 * (0.1 + 10.5), 9)
    assert await eaten(acme, "most", meal="lunch") == [BANANA.id, granola]
    page = (await acme.get(f"/v1/diary-logs?profile_reference_id=alice&date={TODAY}&limit=100")).json()
    assert page["has_more"]
    assert {log["_id"] for log in page["data"]} < ids


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "lunch"}])
async def test_a_meal_that_gets_other_foods_while_it_is_logged_is_logged_as_it_is_then(
    acme: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
) -> None:
    """Its foods are looked for before its transaction; one that came meanwhile must not be taken for missing."""
    meal_id = await new_meal(acme, [BANANA.id])
    changes = [listed(PLAIN.id, BANANA.id), listed((COLA_AGAIN.id, 2))]

    async def get_and_change(*arguments: Any) -> Any:
        stored = await get_stored(*arguments)
        if changes:
            assert (await change_meal(acme, meal_id, items=changes.pop(0))).status_code == 200
        return stored

    looks: list[set[str]] = []

    def look(current: Any, food_ids: set[str]) -> Any:
        looks.append(food_ids)
        return read_foods(current, food_ids)

    monkeypatch.setattr(meal_logs, "get_stored", get_and_change)
    monkeypatch.setattr(meal_logs, "read_foods", look)
    response = await acme.post(f"/v1/saved-meals/{meal_id}/log", headers=headers)
    assert response.status_code == 201
    assert looks == [{BANANA.id}, {PLAIN.id, BANANA.id}, {COLA_AGAIN.id}]
    assert [(log["food_id"], log["number_of_servings"]) for log in await logs(acme)] == [(COLA_AGAIN.id, 2)]
    assert (await summary(acme, TODAY))["entries"] == 1


async def test_a_meal_that_is_changed_while_it_is_logged_is_logged_before_or_after(acme: httpx.AsyncClient) -> None:
    granola, muesli = await new_food(acme), await new_food(acme, **MUESLI)
    states = [[(BANANA.id, 1.0), (granola, 2.0)], [(PLAIN.id, 3.0)], [(muesli, 4.0), (BANANA.id, 5.0)]]
    meal_id = await new_meal(acme, states[0])
    answers = await asyncio.gather(
        *(
            change_meal(acme, meal_id, items=listed(*states[number % 3])) if number % 2 else log_meal(acme, meal_id)
            for number in range(30)
        )
    )
    assert {answer.status_code for answer in answers} == {200, 201}
    entries = {log["_id"]: (log["food_id"], log["number_of_servings"]) for log in await logs(acme)}
    written = [
        [entries.pop(each["_id"]) for each in answer.json()["data"]] for answer in answers if answer.status_code == 201
    ]
    assert all(items in states for items in written)
    assert entries == {}


async def test_a_food_that_is_deleted_while_its_meal_is_logged_is_in_no_eaten_list(acme: httpx.AsyncClient) -> None:
    """Either the meal is logged, and the food then taken out of what was eaten, or the food is missing."""
    for _ in range(5):
        granola = await new_food(acme)
        meal_id = await new_meal(acme, [granola])
        logging = asyncio.gather(*(log_meal(acme, meal_id) for _ in range(4)))
        await delete_food(acme, granola)
        assert {answer.status_code for answer in await logging} <= {201, 409}
        assert await eaten(acme, "recently") == []
