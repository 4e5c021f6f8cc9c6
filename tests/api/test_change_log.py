"""PATCH /v1/diary-logs/{log_id}"""

import asyncio
from typing import Any

import httpx
import pytest

from provender.model.access import Scope
from tests.conftest import Service
from tests.diary import (
    GROUPS,
    at,
    change_log,
    day,
    delete_food,
    food,
    is_active,
    list_logs,
    log,
    new_log,
    nutrients,
    serving_ids,
    set_timezone,
    summarised,
    summary,
    times,
)
from tests.kitchen import MUESLI, faults, new_food, new_profile
from tests.pantry import BANANA, COLA

LOGS = "/v1/diary-logs"


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def test_what_is_sent_is_changed_and_nothing_else(acme: httpx.AsyncClient, service: Service) -> None:
    muesli = await new_food(acme, **MUESLI)
    log_id = await new_log(acme, muesli, number_of_servings=2, meal="lunch", note="dry")
    expected = await log(acme, log_id)
    steps: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"meal": "dinner"}, {"meal": "dinner"}),
        ({"date": day(-40)}, {"date": day(-40)}),
        ({"date": 20522}, {"date": day(0)}),
        ({"note": "with milk"}, {"note": "with milk"}),
        ({"note": None}, {"note": None}),
        (
            {"number_of_servings": 1.333},
            {"number_of_servings": 1.333, "metric_amount": 59.985} | times(await food(acme, muesli), 1.333),
        ),
        ({"meal": "snack", "date": day(365), "note": "🥣"}, {"meal": "snack", "date": day(365), "note": "🥣"}),
    ]
    for sent, changed in steps:
        service.clock.advance(seconds=1)
        response = await change_log(acme, log_id, **sent)
        expected |= changed | {"updated_at": expected["updated_at"] + 1000}
        assert (response.status_code, response.json()) == (200, expected)
        assert await log(acme, log_id) == expected


async def test_the_answer_has_all_five_groups(acme: httpx.AsyncClient) -> None:
    changed = (await change_log(acme, await new_log(acme, COLA.id), meal="lunch")).json()
    expected: dict[str, Any] = {group: {} for group in GROUPS} | {"carbohydrates": {"sugars_in_g": 34.98}}
    assert {group: changed[group] for group in GROUPS} == expected


async def test_a_form_and_json_mean_the_same(acme: httpx.AsyncClient) -> None:
    log_id = await new_log(acme, BANANA.id, note="x")
    form = {"number_of_servings": "0.25", "meal": "lunch", "date": day(-1), "note": "", "profile_reference_id": "alice"}
    changed = (await acme.patch(f"{LOGS}/{log_id}", data=form)).json()
    assert (changed["number_of_servings"], changed["meal"]) == (0.25, "lunch")
    assert (changed["date"], changed["note"]) == (day(-1), None)
    by_json = await change_log(acme, log_id, **form | {"number_of_servings": 0.25, "note": None})
    assert by_json.json() == changed


async def test_a_change_to_what_it_is_already_is_none(acme: httpx.AsyncClient, service: Service) -> None:
    log_id = await new_log(acme, BANANA.id, number_of_servings=0.5, meal="lunch", note="x")
    before = await log(acme, log_id)
    service.clock.advance(hours=1)
    same: list[dict[str, Any]] = [
        {},
        {"profile_reference_id": "alice"},
        {"number_of_servings": 0.5},
        {"meal": "lunch", "date": day(0), "note": "x"},
        {"number_of_servings": 0.5, "meal": "lunch", "date": 20522, "note": "x"},
    ]
    for sent in same:
        assert (await change_log(acme, log_id, **sent)).json() == before
    assert (await acme.patch(f"{LOGS}/{log_id}")).json() == before
    assert await log(acme, log_id) == before


async def test_an_amount_gives_what_a_log_made_with_it_would_have(acme: httpx.AsyncClient) -> None:
    slices = (await serving_ids(acme, BANANA.id))["1 slice"]
    muesli = await new_food(acme, **MUESLI)
    changes: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        (BANANA.id, {"number_of_servings": 0.25}, {"number_of_servings": 1.333}),
        (BANANA.id, {"metric_amount": 62.5}, {"metric_amount": 100}),
        (BANANA.id, {"serving_id": slices}, {"number_of_servings": 4}),
        (muesli, {"number_of_servings": 3}, {"metric_amount": 90}),
        (muesli, {"metric_amount": 30}, {"number_of_servings": 1.333}),
    ]
    for food_id, first, amount in changes:
        log_id = await new_log(acme, food_id, **first)
        changed = (await change_log(acme, log_id, **amount)).json()
        kept = {name: value for name, value in first.items() if name == "serving_id"}
        assert changed == await log(acme, await new_log(acme, food_id, **kept, **amount)) | {"_id": log_id}


async def test_another_amount_gives_what_a_log_made_with_it_would_have(acme: httpx.AsyncClient) -> None:
    shown = await new_log(acme, BANANA.id, number_of_servings=0.25)
    changed = (await change_log(acme, shown, metric_amount=100)).json()
    assert changed["number_of_servings"] == pytest.approx(100 / 118, abs=1e-9)
    assert (changed["metric_amount"], changed["macro_nutrients"]["energy_kcal"]) == (100, 89)
    slices = await new_log(acme, BANANA.id, serving_id=(await serving_ids(acme, BANANA.id))["1 slice"])
    changed = (await change_log(acme, slices, metric_amount=9)).json()
    assert (changed["number_of_servings"], changed["macro_nutrients"]["energy_kcal"]) == (2, 8.01)
    weighed = await new_log(acme, BANANA.id, metric_amount=62.5)
    changed = (await change_log(acme, weighed, number_of_servings=2)).json()
    assert (changed["metric_amount"], changed["macro_nutrients"]["energy_kcal"]) == (236, 210)


async def test_there_and_back_is_where_it_was(acme: httpx.AsyncClient) -> None:
    for sent in ({"number_of_servings": 1.333}, {"metric_amount": 33.3}):
        log_id = await new_log(acme, BANANA.id, meal="lunch", **sent)
        before = await log(acme, log_id)
        for change in ({"number_of_servings": 0.1}, {"metric_amount": 7.7}, {"meal": "dinner"}, {"date": day(-9)}):
            await change_log(acme, log_id, **change)
        await change_log(acme, log_id, meal="lunch", date=day(0), **sent)
        assert await log(acme, log_id) == before


async def test_a_value_that_does_not_fit_is_refused(acme: httpx.AsyncClient) -> None:
    log_id = await new_log(acme, BANANA.id, note="x")
    before = await log(acme, log_id)
    cases: list[tuple[str, object, str]] = [
        ("number_of_servings", 0, "out_of_range"),
        ("number_of_servings", 100_001, "out_of_range"),
        ("number_of_servings", "1", "wrong_type"),
        ("number_of_servings", None, "null_not_allowed"),
        ("metric_amount", 0, "out_of_range"),
        ("metric_amount", 1_000_001, "out_of_range"),
        ("metric_amount", None, "null_not_allowed"),
        ("meal", "brunch", "not_allowed"),
        ("meal", None, "null_not_allowed"),
        ("date", "1899-12-31", "out_of_range"),
        ("date", day(366), "out_of_range"),
        ("date", None, "null_not_allowed"),
        ("note", "", "too_short"),
        ("note", "x" * 1001, "too_long"),
        ("note", "\x00", "invalid_character"),
        ("food_id", BANANA.id, "unknown_parameter"),
        ("serving_id", "0" * 16, "unknown_parameter"),
        ("_id", log_id, "unknown_parameter"),
        ("created_at", 5, "unknown_parameter"),
    ]
    for name, value, code in cases:
        assert faults(await change_log(acme, log_id, **{name: value})) == [(name, code)], (name, value)
    both = faults(await change_log(acme, log_id, number_of_servings=1, metric_amount=5))
    assert [code for _, code in both] == ["not_combinable"]
    together = await change_log(acme, log_id, number_of_servings=0, meal="brunch", nte="x", note="fine")
    assert sorted(faults(together)) == [
        ("meal", "not_allowed"),
        ("nte", "unknown_parameter"),
        ("number_of_servings", "out_of_range"),
    ]
    misplaced = await acme.patch(f"{LOGS}/{log_id}?meal=lunch")
    assert faults(misplaced) == [("meal", "wrong_place")]
    assert await log(acme, log_id) == before


async def test_the_year_ahead_is_counted_from_the_profiles_own_day(acme: httpx.AsyncClient, service: Service) -> None:
    log_id = await new_log(acme, BANANA.id)
    service.clock.now = at("2026-03-10T10:30")
    for timezone, latest in [("Pacific/Kiritimati", "2027-03-11"), ("Pacific/Pago_Pago", "2027-03-09")]:
        await set_timezone(acme, timezone)
        assert (await change_log(acme, log_id, date=latest)).status_code == 200
        beyond = f"{latest[:-2]}{int(latest[-2:]) + 1:02}"
        assert faults(await change_log(acme, log_id, date=beyond)) == [("date", "out_of_range")]
    service.clock.now = at("2028-02-29T12:00")
    assert (await change_log(acme, log_id, date="2029-02-28")).status_code == 200
    assert faults(await change_log(acme, log_id, date="2029-03-01")) == [("date", "out_of_range")]


async def test_a_date_that_lies_too_far_ahead_by_now_may_stay(acme: httpx.AsyncClient, service: Service) -> None:
    """The clock may have been wrong, or the time zone another; what is not sent is not judged."""
    log_id = await new_log(acme, BANANA.id, date=day(365))
    service.clock.advance(days=-10)
    assert (await change_log(acme, log_id, meal="lunch")).json()["date"] == day(365)


async def test_an_unknown_log_and_anothers_are_not_found(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    log_id = await new_log(acme, BANANA.id)
    before = await log(acme, log_id)
    for owner in ("bob", "nobody"):
        response = await change_log(acme, log_id, profile_reference_id=owner, meal="lunch")
        assert (response.status_code, response.json()["code"]) == (404, "log_not_found")
    for unknown in ("0" * 16, "short", "%00", BANANA.id):
        response = await change_log(acme, unknown, meal="lunch")
        assert (response.status_code, response.json()["code"]) == (404, "log_not_found")
    assert await log(acme, log_id) == before


async def test_a_log_whose_food_is_gone_can_be_changed(acme: httpx.AsyncClient, service: Service) -> None:
    muesli = await new_food(acme, **MUESLI)
    logs = [await new_log(acme, food_id) for food_id in (muesli, BANANA.id)]
    weighed = await new_log(acme, BANANA.id, metric_amount=50)
    shown = [await food(acme, food_id) for food_id in (muesli, BANANA.id)]
    await delete_food(acme, muesli)
    service.use_catalogue([])
    for log_id, before in zip(logs, shown, strict=True):
        changed = (await change_log(acme, log_id, number_of_servings=0.25, meal="lunch", date=day(-1))).json()
        assert (changed["food_name"], nutrients(changed)) == (before["food_name"], times(before, 0.25))
    banana = (await change_log(acme, weighed, metric_amount=100)).json()
    assert banana["macro_nutrients"]["energy_kcal"] == 89
    assert await list_logs(acme, date=day(-1)) == (logs, False)


async def test_a_change_moves_what_the_sums_say(acme: httpx.AsyncClient) -> None:
    ids = [await new_log(acme, BANANA.id, number_of_servings=0.1), await new_log(acme, COLA.id)]
    for sent in ({"number_of_servings": 0.3}, {"metric_amount": 33.3}, {"date": day(-1)}, {"meal": "lunch"}):
        await change_log(acme, ids[0], **sent)
        assert await summary(acme, day(-5), day(5)) == summarised([await log(acme, log_id) for log_id in ids])


async def test_a_change_is_no_new_log(acme: httpx.AsyncClient, service: Service) -> None:
    log_id = await new_log(acme, BANANA.id)
    service.clock.now = at("2026-04-02T12:00")
    await change_log(acme, log_id, number_of_servings=2, date="2026-04-02")
    assert not await is_active(acme)


async def test_changes_at_once_to_different_members_are_all_kept(acme: httpx.AsyncClient) -> None:
    log_id = await new_log(acme, BANANA.id)
    sent: list[dict[str, Any]] = [{"number_of_servings": 0.25}, {"meal": "lunch"}, {"date": day(-1)}, {"note": "x"}]
    responses = await asyncio.gather(*(change_log(acme, log_id, **each) for each in sent * 4))
    assert {response.status_code for response in responses} == {200}
    found = await log(acme, log_id)
    assert {name: found[name] for each in sent for name in each} == {
        name: value for each in sent for name, value in each.items()
    }
    assert await summary(acme, day(-5), day(5)) == summarised([found])


async def test_changing_needs_a_key_that_may_write(acme: httpx.AsyncClient, service: Service) -> None:
    log_id = await new_log(acme, BANANA.id)
    assert (await change_log(await service.client("acme", Scope.READ), log_id, meal="lunch")).status_code == 403
