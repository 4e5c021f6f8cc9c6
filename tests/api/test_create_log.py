"""POST /v1/diary-logs"""

import asyncio
from datetime import date
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from provender.model.access import Scope
from provender.model.foods import serving_id
from provender.model.times import to_ms
from tests.conftest import Service
from tests.diary import (
    GROUPS,
    MEALS,
    TODAY,
    at,
    create_log,
    day,
    delete_food,
    diary,
    food,
    is_active,
    list_logs,
    log,
    new_log,
    nutrients,
    product,
    serving_ids,
    times,
)
from tests.kitchen import MUESLI, faults, new_food, new_profile
from tests.pantry import BANANA, COLA, PLAIN

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def test_a_created_log_is_confirmed_with_its_id(acme: httpx.AsyncClient) -> None:
    response = await create_log(acme, BANANA.id)
    assert response.status_code == 201
    confirmation = response.json()
    assert len(confirmation.pop("_id")) == 16
    assert confirmation == {"created": True}


async def test_a_log_is_the_food_as_eaten(acme: httpx.AsyncClient, service: Service) -> None:
    muesli = await new_food(acme, **MUESLI)
    service.clock.advance(hours=1)
    log_id = await new_log(
        acme, muesli, number_of_servings=2, meal="breakfast", date=day(-3), note="with milk, not water"
    )
    now = to_ms(service.clock())
    assert await log(acme, log_id) == {
        "_id": log_id,
        "food_id": muesli,
        "food_name": "Müesli",
        "food_type": "brand",
        "brand_name": "Kellogg's",
        "serving_description": "1 cup (45 g)",
        "metric_serving_amount": 45,
        "metric_serving_unit": "g",
        "number_of_servings": 2,
        "metric_amount": 90,
        "macro_nutrients": {"energy_kcal": 327, "total_fat_in_gm": 4},
        "water_in_gm": 6.5,
        "vitamins": {"vitamin_c_in_mg": 0, "vitamin_b6_in_mg": 0.734},
        "minerals": {"iron_in_mg": 3.8},
        "carbohydrates": {"sugars_in_g": 20.2},
        "lipids": {"saturated_fat_g": 0.8},
        "proteins": {"leucine_in_g": 0.136},
        "meal": "breakfast",
        "date": day(-3),
        "note": "with milk, not water",
        "profile_reference_id": "alice",
        "created_at": now,
        "updated_at": now,
    }


async def test_a_log_is_one_serving_as_a_snack_today_unless_it_says_more(acme: httpx.AsyncClient) -> None:
    found = await log(acme, await new_log(acme, BANANA.id))
    assert (found["number_of_servings"], found["metric_amount"]) == (1, 118)
    assert (found["meal"], found["date"], found["note"]) == ("snack", day(0), None)
    assert (found["food_type"], found["brand_name"]) == ("generic", None)
    banana = await food(acme, BANANA.id)
    assert nutrients(found) == nutrients(banana)
    assert found["macro_nutrients"]["energy_kcal"] == 105


async def test_what_nobody_knows_is_absent(acme: httpx.AsyncClient) -> None:
    found = await log(acme, await new_log(acme, PLAIN.id))
    assert nutrients(found) == {"macro_nutrients": {"energy_kcal": 300}} | {group: {} for group in GROUPS}


async def test_a_form_and_json_mean_the_same(acme: httpx.AsyncClient) -> None:
    both: list[dict[str, Any]] = [
        {"number_of_servings": 1.333, "meal": "lunch", "date": day(-1), "note": "Größe & \U0001f34c"},
        {"metric_amount": 62.5, "date": 20522},
        {"serving_id": serving_id(BANANA.id, "1 slice"), "number_of_servings": 3},
        {},
    ]
    for sent in both:
        form = {"profile_reference_id": "alice", "food_id": BANANA.id} | sent
        by_form = await acme.post("/v1/diary-logs", content=urlencode(form), headers=FORM)
        assert by_form.status_code == 201
        ours, theirs = await log(acme, by_form.json()["_id"]), await log(acme, await new_log(acme, BANANA.id, **sent))
        assert ours.pop("_id") < theirs.pop("_id")
        assert ours == theirs


async def test_servings_are_exact_multiples_of_what_the_food_shows(acme: httpx.AsyncClient) -> None:
    for food_id in (BANANA.id, COLA.id, await new_food(acme, **MUESLI)):
        shown = await food(acme, food_id)
        for number in (0.25, 1.333, 0.1, 0.3, 3, 1e-3, 100_000):
            found = await log(acme, await new_log(acme, food_id, number_of_servings=number))
            assert found["number_of_servings"] == number
            assert nutrients(found) == times(shown, number)
            assert found["metric_amount"] == product(shown["metric_serving_amount"], number)
            for name in ("serving_description", "metric_serving_amount", "metric_serving_unit"):
                assert found[name] == shown[name]


async def test_decimals_are_exact_in_and_out(acme: httpx.AsyncClient) -> None:
    muesli = await new_food(acme, **MUESLI)
    found = await acme.get(f"/v1/diary-logs/{await new_log(acme, muesli, number_of_servings=1.333)}")
    assert '"number_of_servings":1.333,' in found.text
    assert '"energy_kcal":217.9455,' in found.text
    assert '"metric_amount":59.985,' in found.text
    own = await new_food(acme, macro_nutrients={"energy_kcal": 0.1}, water_in_gm=0.7)
    found = await acme.get(f"/v1/diary-logs/{await new_log(acme, own, number_of_servings=3)}")
    assert '"energy_kcal":0.3}' in found.text
    assert '"water_in_gm":2.1,' in found.text
    # Whole numbers are written as such.
    assert '"number_of_servings":3,' in found.text


async def test_a_metric_amount_is_worked_out_from_unrounded_values(acme: httpx.AsyncClient) -> None:
    found = await log(acme, await new_log(acme, BANANA.id, metric_amount=100))
    per_100 = {
        name: value for group in nutrients(found).values() if isinstance(group, dict) for name, value in group.items()
    }
    assert per_100 | {"water_in_gm": found["water_in_gm"]} == BANANA.nutrients
    assert found["metric_amount"] == 100
    # The serving stays the one that the food is shown with, of which this is a part.
    assert (found["serving_description"], found["metric_serving_amount"]) == ("1 medium", 118)
    assert found["number_of_servings"] == pytest.approx(100 / 118, abs=1e-9)
    for amount, energy in [(50, 44.5), (0.1, 0.089), (118, 105.02), (1_000_000, 890_000), (33.3, 29.637)]:
        found = await log(acme, await new_log(acme, BANANA.id, metric_amount=amount))
        assert (found["metric_amount"], found["macro_nutrients"]["energy_kcal"]) == (amount, energy)


async def test_a_metric_amount_is_in_the_foods_own_unit(acme: httpx.AsyncClient) -> None:
    found = await log(acme, await new_log(acme, COLA.id, metric_amount=165))
    assert (found["metric_serving_unit"], found["number_of_servings"], found["metric_amount"]) == ("ml", 0.5, 165)
    assert found["macro_nutrients"] == {"energy_kcal": 69.3}
    ounces = await new_food(acme, metric_serving_unit="oz", metric_serving_amount=2, macro_nutrients={"energy_kcal": 9})
    found = await log(acme, await new_log(acme, ounces, metric_amount=3))
    assert (found["metric_serving_unit"], found["number_of_servings"], found["metric_amount"]) == ("oz", 1.5, 3)
    assert found["macro_nutrients"] == {"energy_kcal": 13.5}


async def test_a_metric_amount_of_a_custom_food_is_a_part_of_its_serving(acme: httpx.AsyncClient) -> None:
    muesli = await new_food(acme, **MUESLI)
    found = await log(acme, await new_log(acme, muesli, metric_amount=90))
    assert (found["number_of_servings"], found["macro_nutrients"]["energy_kcal"]) == (2, 327)
    found = await log(acme, await new_log(acme, muesli, metric_amount=100))
    assert found["macro_nutrients"]["energy_kcal"] == pytest.approx(163.5 / 45 * 100, abs=1e-6)
    assert found["number_of_servings"] == pytest.approx(100 / 45, abs=1e-9)
    assert found["metric_amount"] == 100


async def test_any_of_the_foods_servings_can_be_eaten(acme: httpx.AsyncClient) -> None:
    ids = await serving_ids(acme, BANANA.id)
    # Values of a serving are rounded for reading first, as those are that a food is shown with.
    for description, amount, energy in [("1 slice", 4.5, 4.005), ("1 cup, mashed", 225, 200.2), ("100 g", 100, 89)]:
        for number in (1, 2.5):
            found = await log(
                acme, await new_log(acme, BANANA.id, serving_id=ids[description], number_of_servings=number)
            )
            assert (found["serving_description"], found["metric_serving_amount"]) == (description, amount)
            assert (found["number_of_servings"], found["metric_amount"]) == (number, amount * number)
            assert found["macro_nutrients"]["energy_kcal"] == product(energy, number)
    shown = await log(acme, await new_log(acme, BANANA.id, serving_id=ids["1 medium"], number_of_servings=1.333))
    plain = await log(acme, await new_log(acme, BANANA.id, number_of_servings=1.333))
    assert shown | {"_id": ""} == plain | {"_id": ""}


async def test_the_servings_of_a_custom_food_can_be_eaten(acme: httpx.AsyncClient) -> None:
    muesli = await new_food(acme, **MUESLI)
    ids = await serving_ids(acme, muesli)
    own = await log(acme, await new_log(acme, muesli, serving_id=ids["1 cup (45 g)"], number_of_servings=2))
    assert (own["macro_nutrients"]["energy_kcal"], own["metric_amount"]) == (327, 90)
    hundred = await log(acme, await new_log(acme, muesli, serving_id=ids["100 g"]))
    assert (hundred["serving_description"], hundred["metric_serving_amount"]) == ("100 g", 100)
    assert (hundred["number_of_servings"], hundred["metric_amount"]) == (1, 100)
    assert hundred["macro_nutrients"]["energy_kcal"] == pytest.approx(163.5 / 45 * 100, rel=1e-3)


async def test_what_is_no_serving_of_the_food_is_refused(acme: httpx.AsyncClient) -> None:
    muesli = await new_food(acme, **MUESLI)
    others = [*(await serving_ids(acme, COLA.id)).values(), *(await serving_ids(acme, muesli)).values()]
    for unknown in [*others, "0" * 16, "short", "1 medium", BANANA.id]:
        response = await create_log(acme, BANANA.id, serving_id=unknown)
        assert faults(response) == [("serving_id", "unknown_serving")]
    assert await list_logs(acme, date=day(0)) == ([], False)


async def test_one_way_to_say_how_much_is_taken(acme: httpx.AsyncClient) -> None:
    serving = serving_id(BANANA.id, "1 slice")
    refused: list[dict[str, Any]] = [
        {"metric_amount": 5, "number_of_servings": 1},
        {"metric_amount": 5, "serving_id": serving},
        {"metric_amount": 5, "serving_id": serving, "number_of_servings": 1},
    ]
    for sent in refused:
        found = faults(await create_log(acme, BANANA.id, **sent))
        assert {code for _, code in found} == {"not_combinable"}
        assert {param for param, _ in found} <= sent.keys()
        form = urlencode({"profile_reference_id": "alice", "food_id": BANANA.id} | sent)
        assert faults(await acme.post("/v1/diary-logs", content=form, headers=FORM)) == found


async def test_a_value_that_does_not_fit_is_refused(acme: httpx.AsyncClient) -> None:
    cases: list[tuple[str, object, str]] = [
        ("profile_reference_id", "", "too_short"),
        ("profile_reference_id", "..", "not_allowed"),
        ("profile_reference_id", 5, "wrong_type"),
        ("profile_reference_id", None, "null_not_allowed"),
        ("food_id", 5, "wrong_type"),
        ("food_id", None, "null_not_allowed"),
        ("number_of_servings", 0, "out_of_range"),
        ("number_of_servings", -0.5, "out_of_range"),
        ("number_of_servings", 100_000.5, "out_of_range"),
        ("number_of_servings", 10**400, "out_of_range"),
        ("number_of_servings", "1", "wrong_type"),
        ("number_of_servings", True, "wrong_type"),
        ("number_of_servings", [1], "wrong_type"),
        ("number_of_servings", None, "null_not_allowed"),
        ("metric_amount", 0, "out_of_range"),
        ("metric_amount", -1, "out_of_range"),
        ("metric_amount", 1_000_000.5, "out_of_range"),
        ("metric_amount", "1", "wrong_type"),
        ("metric_amount", None, "null_not_allowed"),
        ("meal", "brunch", "not_allowed"),
        ("meal", "Lunch", "not_allowed"),
        ("meal", "", "not_allowed"),
        ("meal", 5, "wrong_type"),
        ("meal", None, "null_not_allowed"),
        ("date", None, "null_not_allowed"),
        ("note", "", "too_short"),
        ("note", "x" * 1001, "too_long"),
        ("note", "a\nb", "invalid_character"),
        ("note", "a\x00b", "invalid_character"),
        ("note", 5, "wrong_type"),
        ("serving_id", 5, "wrong_type"),
        ("nte", "x", "unknown_parameter"),
        ("_id", "0" * 16, "unknown_parameter"),
    ]
    for name, value, code in cases:
        response = await create_log(acme, BANANA.id, **{name: value})
        assert faults(response) == [(name, code)], (name, value)
    assert await diary(acme) == []


async def test_a_text_of_a_form_that_is_no_number_is_refused(acme: httpx.AsyncClient) -> None:
    for name, text, code in [
        ("number_of_servings", "one", "wrong_type"),
        ("number_of_servings", "1,5", "wrong_type"),
        ("number_of_servings", "nan", "wrong_type"),
        ("number_of_servings", "", "wrong_type"),
        ("number_of_servings", "0.0", "out_of_range"),
        ("metric_amount", "inf", "wrong_type"),
        ("metric_amount", "1e7", "out_of_range"),
    ]:
        form = urlencode({"profile_reference_id": "alice", "food_id": BANANA.id, name: text})
        assert faults(await acme.post("/v1/diary-logs", content=form, headers=FORM)) == [(name, code)], text


async def test_what_is_required_is_required(acme: httpx.AsyncClient) -> None:
    expected = [("profile_reference_id", "required"), ("food_id", "required")]
    assert faults(await acme.post("/v1/diary-logs")) == expected
    assert faults(await acme.post("/v1/diary-logs", json={"meal": "lunch"})) == expected
    misplaced = await acme.post(f"/v1/diary-logs?food_id={BANANA.id}", json={"profile_reference_id": "alice"})
    assert faults(misplaced) == [("food_id", "wrong_place")]


async def test_all_faults_come_at_once(acme: httpx.AsyncClient) -> None:
    response = await acme.post(
        "/v1/diary-logs",
        json={
            "profile_reference_id": "nobody",
            "number_of_servings": 0,
            "meal": "brunch",
            "date": "1899-12-31",
            "note": "",
            "fod_id": BANANA.id,
        },
    )
    assert sorted(faults(response)) == [
        ("date", "out_of_range"),
        ("fod_id", "unknown_parameter"),
        ("food_id", "required"),
        ("meal", "not_allowed"),
        ("note", "too_short"),
        ("number_of_servings", "out_of_range"),
    ]


async def test_every_meal_is_taken(acme: httpx.AsyncClient) -> None:
    for meal in MEALS:
        assert (await log(acme, await new_log(acme, BANANA.id, meal=meal)))["meal"] == meal


async def test_a_note_is_kept_exactly_as_sent(acme: httpx.AsyncClient) -> None:
    for note in ["x", "🍌" * 1000, "ä" * 1000, "a'b\"c", "<b>&amp;", "  spaces  ", "%2F+%"]:
        assert (await log(acme, await new_log(acme, BANANA.id, note=note)))["note"] == note
    assert (await log(acme, await new_log(acme, BANANA.id, note=None)))["note"] is None
    form = urlencode({"profile_reference_id": "alice", "food_id": BANANA.id, "note": ""})
    empty = await acme.post("/v1/diary-logs", content=form, headers=FORM)
    assert (await log(acme, empty.json()["_id"]))["note"] is None


async def test_a_date_is_written_as_one_or_as_days_since_1970(acme: httpx.AsyncClient) -> None:
    for sent, kept in [
        ("2026-03-10", "2026-03-10"),
        ((TODAY - date(1970, 1, 1)).days, "2026-03-10"),
        (0, "1970-01-01"),
        (-1, "1969-12-31"),
        (-25_567, "1900-01-01"),
        ("1900-01-01", "1900-01-01"),
        ("2024-02-29", "2024-02-29"),
        ("2027-03-10", "2027-03-10"),
    ]:
        by_json = await new_log(acme, BANANA.id, date=sent)
        assert (await log(acme, by_json))["date"] == kept
        form = urlencode({"profile_reference_id": "alice", "food_id": BANANA.id, "date": sent})
        by_form = await acme.post("/v1/diary-logs", content=form, headers=FORM)
        assert (await log(acme, by_form.json()["_id"]))["date"] == kept


async def test_a_date_before_1900_or_over_a_year_ahead_is_out_of_range(acme: httpx.AsyncClient) -> None:
    for sent in ("1899-12-31", "0001-01-01", "2027-03-11", "9999-12-31", -25_568, 20_889):
        assert faults(await create_log(acme, BANANA.id, date=sent)) == [("date", "out_of_range")], sent


async def test_what_is_no_date_is_refused(acme: httpx.AsyncClient) -> None:
    for sent in [
        "2026-02-29",
        "2026-3-10",
        "10.03.2026",
        "20260310",
        "2026-03-10T12:00:00Z",
        "2026-W11-2",
        " 2026-03-10",
        "today",
        "",
        "\u0662\u0660\u0662\u0666-\u0660\u0663-\u0661\u0660",
        1.5,
        True,
        10**30,
        -(10**30),
        99_999_999,
        ["2026-03-10"],
    ]:
        [(param, _)] = faults(await create_log(acme, BANANA.id, date=sent))
        assert param == "date", sent
    assert await diary(acme) == []


async def test_29_february_is_a_day_and_a_year_after_it_is_28_february(
    acme: httpx.AsyncClient, service: Service
) -> None:
    for now, latest, beyond in [
        ("2027-02-28T12:00", "2028-02-28", "2028-02-29"),
        ("2027-03-01T12:00", "2028-02-29", "2028-03-02"),
        ("2028-02-28T12:00", "2029-02-28", "2029-03-01"),
        ("2028-02-29T12:00", "2029-02-28", "2029-03-01"),
        ("2028-03-01T12:00", "2029-03-01", "2029-03-02"),
    ]:
        service.clock.now = at(now)
        assert (await log(acme, await new_log(acme, BANANA.id, date=latest)))["date"] == latest
        assert faults(await create_log(acme, BANANA.id, date=beyond)) == [("date", "out_of_range")]
    service.clock.now = at("2028-02-29T23:59:59")
    assert (await log(acme, await new_log(acme, BANANA.id)))["date"] == "2028-02-29"
    service.clock.advance(seconds=1)
    assert (await log(acme, await new_log(acme, BANANA.id)))["date"] == "2028-03-01"


async def test_today_is_the_profiles_own_day(acme: httpx.AsyncClient, service: Service) -> None:
    """Each pair of times lies around a midnight; some clocks jump there, and some days have no midnight."""
    for number, (timezone, now, today) in enumerate(
        [
            (None, "2026-03-09T23:59:59.999", "2026-03-09"),
            (None, "2026-03-10T00:00", "2026-03-10"),
            # 14 hours ahead, and 11 behind: for an hour a day there are three dates on earth.
            ("Pacific/Kiritimati", "2026-03-10T09:59:59.999", "2026-03-10"),
            ("Pacific/Kiritimati", "2026-03-10T10:00", "2026-03-11"),
            ("Pacific/Pago_Pago", "2026-03-10T10:59:59.999", "2026-03-09"),
            ("Pacific/Pago_Pago", "2026-03-10T11:00", "2026-03-10"),
            # Samoa went over the date line and had no 30 December 2011.
            ("Pacific/Apia", "2011-12-30T09:59:59", "2011-12-29"),
            ("Pacific/Apia", "2011-12-30T10:00", "2011-12-31"),
            # The day on which summer time begins in Berlin has 23 hours.
            ("Europe/Berlin", "2026-03-28T22:59:59", "2026-03-28"),
            ("Europe/Berlin", "2026-03-28T23:00", "2026-03-29"),
            ("Europe/Berlin", "2026-03-29T21:59:59", "2026-03-29"),
            ("Europe/Berlin", "2026-03-29T22:00", "2026-03-30"),
            # In Cairo and Santiago it begins at midnight, which is one o'clock then.
            ("Africa/Cairo", "2026-04-23T21:59:59", "2026-04-23"),
            ("Africa/Cairo", "2026-04-23T22:00", "2026-04-24"),
            ("America/Santiago", "2026-09-06T03:59:59", "2026-09-05"),
            ("America/Santiago", "2026-09-06T04:00", "2026-09-06"),
            # And there the last hour of a day comes twice in autumn.
            ("America/Santiago", "2026-04-05T02:59:59", "2026-04-04"),
            ("America/Santiago", "2026-04-05T03:00", "2026-04-04"),
            ("America/Santiago", "2026-04-05T04:00", "2026-04-05"),
        ]
    ):
        name = f"traveller-{number}"
        await acme.post("/v1/profiles", json={"reference_id": name, "timezone": timezone})
        service.clock.now = at(now)
        assert (await log(acme, await new_log(acme, BANANA.id, name)))["date"] == today, (timezone, now)
        # The year ahead is counted from that day, too.
        a_year_on = date.fromisoformat(today).replace(year=int(today[:4]) + 1)
        await new_log(acme, BANANA.id, name, date=a_year_on.isoformat())
        beyond = await create_log(acme, BANANA.id, name, date=day(1, a_year_on))
        assert faults(beyond) == [("date", "out_of_range")]


async def test_an_unknown_profile_is_not_found(acme: httpx.AsyncClient) -> None:
    response = await create_log(acme, BANANA.id, "nobody")
    assert (response.status_code, response.json()["code"]) == (404, "profile_not_found")


async def test_a_food_that_the_profile_cannot_have_is_not_found(acme: httpx.AsyncClient, service: Service) -> None:
    await new_profile(acme, "bob")
    bobs, gone = await new_food(acme, "bob"), await new_food(acme)
    await delete_food(acme, gone)
    for food_id in (bobs, gone, "0" * 16, "short", "4006381333931", "Bananas, raw"):
        response = await create_log(acme, food_id)
        assert (response.status_code, response.json()["code"]) == (404, "food_not_found"), food_id
    for food_id in ("", "x" * 1000, "\x00" * 16):
        assert (await create_log(acme, food_id)).status_code in (400, 404)
    service.use_catalogue([COLA])
    response = await create_log(acme, BANANA.id)
    assert (response.status_code, response.json()["code"]) == (404, "food_not_found")
    assert await diary(acme) == await diary(acme, "bob") == []
    assert not await is_active(acme)


async def test_a_food_may_have_as_many_nutrients_as_there_may_be(acme: httpx.AsyncClient) -> None:
    groups = {
        group: {f"own_{number}": round(number / 1000, 3) for number in range(100)}
        for group in ("macro_nutrients", *GROUPS)
    }
    full = await new_food(acme, **groups)
    found = await log(acme, await new_log(acme, full, number_of_servings=0.3))
    assert nutrients(found) == times(groups, 0.3)


async def test_what_is_too_much_to_be_counted_is_refused(acme: httpx.AsyncClient) -> None:
    """A custom food may have any values, and there may be 100,000 servings; together that may be absurd."""
    huge = await new_food(acme, macro_nutrients={"energy_kcal": 1e12, "own": 0.1})
    found = await log(acme, await new_log(acme, huge))
    assert found["macro_nutrients"] == {"energy_kcal": 10**12, "own": 0.1}
    absurd = await new_food(acme, macro_nutrients={"energy_kcal": 1e300})
    for food_id, sent in [(absurd, {}), (huge, {"number_of_servings": 2}), (absurd, {"number_of_servings": 100_000})]:
        assert faults(await create_log(acme, food_id, **sent)) == [("number_of_servings", "out_of_range")]
    assert faults(await create_log(acme, huge, metric_amount=1_000_000)) == [("metric_amount", "out_of_range")]
    assert len(await diary(acme)) == 1


async def test_logging_makes_the_profile_active_to_the_end_of_its_month(
    acme: httpx.AsyncClient, service: Service
) -> None:
    assert not await is_active(acme)
    await new_log(acme, BANANA.id, date=day(-400))
    assert await is_active(acme)
    listed = (await acme.get("/v1/profiles")).json()["data"]
    assert [profile["is_active"] for profile in listed] == [True]
    service.clock.now = at("2026-03-31T23:59:59.999")
    assert await is_active(acme)
    service.clock.advance(milliseconds=1)
    assert not await is_active(acme)
    # A day of this month is no log of this month.
    service.clock.now = at("2026-02-28T12:00")
    await new_profile(acme, "bob")
    await new_log(acme, BANANA.id, "bob", date="2026-03-05")
    service.clock.now = at("2026-03-05T12:00")
    assert not await is_active(acme, "bob")


async def test_the_month_is_that_of_the_profiles_time_zone(acme: httpx.AsyncClient, service: Service) -> None:
    for name, timezone in [("east", "Pacific/Kiritimati"), ("west", "Pacific/Pago_Pago")]:
        await acme.post("/v1/profiles", json={"reference_id": name, "timezone": timezone})
    service.clock.now = at("2026-03-31T10:30")
    for name in ("east", "west"):
        # In the east it is April already.
        await new_log(acme, BANANA.id, name)
    service.clock.now = at("2026-04-01T10:59")
    assert (await is_active(acme, "east"), await is_active(acme, "west")) == (True, True)
    service.clock.now = at("2026-04-01T11:00")
    assert (await is_active(acme, "east"), await is_active(acme, "west")) == (True, False)
    service.clock.now = at("2026-04-30T10:00")
    assert (await is_active(acme, "east"), await is_active(acme, "west")) == (False, False)


async def test_logging_changes_nothing_else_of_the_profile(acme: httpx.AsyncClient, service: Service) -> None:
    before = (await acme.get("/v1/profiles/alice")).json()
    service.clock.advance(minutes=1)
    await new_log(acme, BANANA.id)
    assert (await acme.get("/v1/profiles/alice")).json() == before | {"is_active": True}


async def test_the_same_food_may_be_logged_again_and_again(acme: httpx.AsyncClient) -> None:
    ids = [await new_log(acme, BANANA.id) for _ in range(3)]
    assert ids == sorted(set(ids))
    assert await list_logs(acme, date=day(0)) == (ids, False)


async def test_64_logs_made_at_once_are_64_logs(acme: httpx.AsyncClient) -> None:
    made = await asyncio.gather(*(new_log(acme, BANANA.id, note=f"{number}") for number in range(64)))
    found = await diary(acme)
    assert {entry["_id"] for entry in found} == set(made)
    assert {entry["note"] for entry in found} == {f"{number}" for number in range(64)}


async def test_creating_needs_a_key_that_may_write(service: Service) -> None:
    assert (await create_log(await service.client_with(None), BANANA.id)).status_code == 401
    assert (await create_log(await service.client("acme", Scope.READ), BANANA.id)).status_code == 403
