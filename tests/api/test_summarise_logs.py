"""GET /v1/diary-logs/summary"""

from datetime import date
from typing import Any

import httpx
import pytest

from provender.model.access import Scope
from tests.conftest import Service
from tests.diary import (
    GROUPS,
    change_log,
    copy_logs,
    day,
    delete_food,
    delete_log,
    diary,
    new_log,
    new_logs,
    set_timezone,
    summarised,
    summary,
)
from tests.kitchen import MUESLI, faults, new_food, new_profile
from tests.pantry import BANANA, COLA, PLAIN

SUMMARY = "/v1/diary-logs/summary"
NOTHING: dict[str, Any] = {"macro_nutrients": {}, **{group: {} for group in GROUPS}, "unknown": {}}


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def test_without_logs_there_is_nothing_but_a_total_of_nothing(acme: httpx.AsyncClient) -> None:
    assert await summary(acme, day(-5), day(5)) == {"data": [], "total": {"entries": 0} | NOTHING}


async def test_a_day_has_the_sum_of_every_nutrient_and_how_many_did_not_know_it(acme: httpx.AsyncClient) -> None:
    muesli = await new_food(acme, **MUESLI)
    await new_logs(
        acme,
        {"food_id": muesli, "number_of_servings": 2},
        {"food_id": COLA.id, "number_of_servings": 0.5},
        {"food_id": PLAIN.id},
    )
    sums = {
        "entries": 3,
        "macro_nutrients": {"energy_kcal": 696.3, "total_fat_in_gm": 4},
        "water_in_gm": 6.5,
        "vitamins": {"vitamin_c_in_mg": 0, "vitamin_b6_in_mg": 0.734},
        "minerals": {"iron_in_mg": 3.8},
        "carbohydrates": {"sugars_in_g": 37.69},
        "lipids": {"saturated_fat_g": 0.8},
        "proteins": {"leucine_in_g": 0.136},
        "unknown": {
            "total_fat_in_gm": 2,
            "water_in_gm": 2,
            "vitamin_c_in_mg": 2,
            "vitamin_b6_in_mg": 2,
            "iron_in_mg": 2,
            "sugars_in_g": 1,
            "saturated_fat_g": 2,
            "leucine_in_g": 2,
        },
    }
    assert await summary(acme, day(0), day(0)) == {"data": [{"date": day(0)} | sums], "total": sums}
    assert summarised(await diary(acme)) == {"data": [{"date": day(0)} | sums], "total": sums}


async def test_days_come_by_date_and_days_without_entries_are_absent(acme: httpx.AsyncClient) -> None:
    for after in (5, -3, 0, -3):
        await new_log(acme, BANANA.id, date=day(after))
    found = await summary(acme, day(-9), day(9))
    assert [(each["date"], each["entries"]) for each in found["data"]] == [(day(-3), 2), (day(0), 1), (day(5), 1)]
    assert found["total"]["entries"] == 4
    assert "date" not in found["total"]


async def test_only_the_days_from_and_to_and_between_count(acme: httpx.AsyncClient) -> None:
    for after in range(-3, 4):
        await new_log(acme, BANANA.id, date=day(after), number_of_servings=2 ** (after + 3))
    every = await diary(acme)
    for from_, to in [(-3, 3), (-1, 1), (0, 0), (-100, -3), (3, 300), (4, 9)]:
        wanted = [entry for entry in every if day(from_) <= entry["date"] <= day(to)]
        assert await summary(acme, day(from_), day(to)) == summarised(wanted)
    # Any day may be asked for, also as a number.
    assert await summary(acme, "20522", "20522") == await summary(acme, day(0), day(0))
    assert (await summary(acme, "0001-01-01", "0001-12-31"))["data"] == []
    assert (await summary(acme, "9998-12-31", "9999-12-31"))["data"] == []


async def test_each_day_and_the_total_say_what_their_own_entries_did_not_know(acme: httpx.AsyncClient) -> None:
    await new_log(acme, PLAIN.id, date=day(-1))
    await new_logs(acme, {"food_id": PLAIN.id}, {"food_id": COLA.id})
    found = await summary(acme, day(-1), day(0))
    first, second = found["data"]
    # Of sugars nobody knew anything on the first day, so they are not mentioned there.
    assert (first["unknown"], first["carbohydrates"]) == ({}, {})
    assert (second["unknown"], second["carbohydrates"]) == ({"sugars_in_g": 1}, {"sugars_in_g": 34.98})
    assert (found["total"]["unknown"], found["total"]["carbohydrates"]) == ({"sugars_in_g": 2}, {"sugars_in_g": 34.98})


async def test_zero_is_known(acme: httpx.AsyncClient) -> None:
    water = await new_food(acme, macro_nutrients={"energy_kcal": 0}, vitamins={"vitamin_c_in_mg": 0}, water_in_gm=0)
    await new_logs(acme, {"food_id": water}, {"food_id": water})
    [found] = (await summary(acme, day(0), day(0)))["data"]
    assert (found["macro_nutrients"], found["vitamins"]) == ({"energy_kcal": 0}, {"vitamin_c_in_mg": 0})
    assert (found["water_in_gm"], found["unknown"]) == (0, {})


async def test_sums_are_exact(acme: httpx.AsyncClient) -> None:
    tenth = await new_food(acme, macro_nutrients={"energy_kcal": 0.1}, minerals={"iron_in_mg": 1e-9}, water_in_gm=0.7)
    await new_logs(acme, *[{"food_id": tenth}] * 3)
    response = await acme.get(SUMMARY, params={"profile_reference_id": "alice", "from": day(0), "to": day(0)})
    assert response.text.count('"energy_kcal":0.3}') == 2
    assert response.text.count('"water_in_gm":2.1,') == 2
    [found] = response.json()["data"]
    assert found["minerals"] == {"iron_in_mg": 3e-9}
    # 0.1 + 0.2
    await new_logs(
        acme,
        {"food_id": tenth, "date": day(1)},
        {"food_id": tenth, "date": day(1), "number_of_servings": 2},
        {"food_id": tenth, "date": day(2), "number_of_servings": 1.333},
        {"food_id": tenth, "date": day(2), "number_of_servings": 0.25},
    )
    [first, second] = (await summary(acme, day(1), day(2)))["data"]
    assert (first["macro_nutrients"], second["macro_nutrients"]) == ({"energy_kcal": 0.3}, {"energy_kcal": 0.1583})


async def test_nutrients_of_own_names_are_summed_each_in_its_group(acme: httpx.AsyncClient) -> None:
    one = await new_food(acme, vitamins={"own": 1.5, "energy_kcal": 7}, minerals={"own": 2}, proteins={"z": 0.1})
    two = await new_food(acme, vitamins={"own": 1}, minerals={"own": 0.25}, macro_nutrients={"own_too": 3})
    await new_logs(acme, {"food_id": one}, {"food_id": two, "number_of_servings": 3})
    [found] = (await summary(acme, day(0), day(0)))["data"]
    assert found["vitamins"] == {"own": 4.5, "energy_kcal": 7}
    assert found["minerals"] == {"own": 2.75}
    assert (found["macro_nutrients"], found["proteins"]) == ({"own_too": 9}, {"z": 0.1})
    assert found["unknown"] == {"energy_kcal": 1, "z": 1, "own_too": 1}


async def test_nutrients_come_in_the_registrys_order_and_others_after_them(acme: httpx.AsyncClient) -> None:
    foods = [await new_food(acme, minerals=sent) for sent in ({"zinc_in_mg": 1, "own": 2}, {"sodium_in_mg": 3})]
    await new_logs(acme, *({"food_id": food_id} for food_id in foods))
    [found] = (await summary(acme, day(0), day(0)))["data"]
    assert list(found["minerals"]) == ["sodium_in_mg", "zinc_in_mg", "own"]


async def test_a_food_with_as_many_nutrients_as_there_may_be_is_summed(acme: httpx.AsyncClient) -> None:
    groups = {group: {f"{group}_{number}": round(0.001 * number, 3) for number in range(100)} for group in GROUPS}
    full = await new_food(acme, **groups)
    await new_logs(acme, {"food_id": full}, {"food_id": BANANA.id}, {"food_id": full, "number_of_servings": 0.25})
    assert await summary(acme, day(0), day(0)) == summarised(await diary(acme))


async def test_large_values_are_summed_as_exactly_as_small_ones(acme: httpx.AsyncClient) -> None:
    huge = await new_food(acme, macro_nutrients={"energy_kcal": 1e12})
    ids = [await new_log(acme, huge) for _ in range(3)]
    await new_log(acme, COLA.id)
    found = (await summary(acme, day(0), day(0)))["total"]
    assert found["macro_nutrients"] == {"energy_kcal": 3_000_000_000_138.6}
    for log_id in ids:
        await delete_log(acme, log_id)
    # What was added and taken away leaves nothing behind.
    assert (await summary(acme, day(0), day(0)))["total"]["macro_nutrients"] == {"energy_kcal": 138.6}


async def test_edits_and_deletions_leave_no_residue(acme: httpx.AsyncClient) -> None:
    muesli = await new_food(acme, **MUESLI)
    ids = await new_logs(
        acme,
        *({"food_id": food_id, "number_of_servings": 0.1} for food_id in (muesli, BANANA.id, COLA.id, PLAIN.id) * 3),
    )
    await copy_logs(acme, day(0), day(1))
    for number, log_id in enumerate(ids):
        await change_log(acme, log_id, number_of_servings=1.333 * (number + 1))
        await change_log(acme, log_id, metric_amount=33.3)
        await change_log(acme, log_id, date=day(2))
    assert await summary(acme, day(-9), day(9)) == summarised(await diary(acme))
    assert [each["date"] for each in (await summary(acme, day(-9), day(9)))["data"]] == [day(1), day(2)]
    left = [entry["_id"] for entry in await diary(acme)]
    # Of all that knew anything but their energy none is left, then of all.
    for entry in await diary(acme):
        if entry["food_id"] != PLAIN.id:
            await delete_log(acme, entry["_id"])
            left.remove(entry["_id"])
    total = (await summary(acme, day(-9), day(9)))["total"]
    assert total["unknown"] == {}
    assert {name: total[name] for name in GROUPS} == {group: {} for group in GROUPS}
    for log_id in left:
        await delete_log(acme, log_id)
    assert await summary(acme, day(-9), day(9)) == {"data": [], "total": {"entries": 0} | NOTHING}


async def test_foods_that_are_gone_count(acme: httpx.AsyncClient, service: Service) -> None:
    muesli = await new_food(acme, **MUESLI)
    await new_logs(acme, {"food_id": muesli}, {"food_id": BANANA.id})
    before = await summary(acme, day(0), day(0))
    await delete_food(acme, muesli)
    service.use_catalogue([])
    assert await summary(acme, day(0), day(0)) == before


async def test_a_change_of_the_time_zone_moves_no_sum(acme: httpx.AsyncClient) -> None:
    await new_log(acme, BANANA.id)
    before = await summary(acme, day(-1), day(1))
    for timezone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        await set_timezone(acme, timezone)
        assert await summary(acme, day(-1), day(1)) == before


async def test_a_single_day_can_be_asked_for_by_its_date(acme: httpx.AsyncClient) -> None:
    for offset in (-1, 0):
        await new_log(acme, BANANA.id, date=day(offset))
    by_date = await acme.get(SUMMARY, params={"profile_reference_id": "alice", "date": day(0)})
    assert by_date.json() == await summary(acme, day(0), day(0))
    for end in ("from", "to"):
        both = await acme.get(SUMMARY, params={"profile_reference_id": "alice", "date": day(0), end: day(0)})
        assert faults(both) == [(end, "not_combinable")]
        alone = await acme.get(SUMMARY, params={"profile_reference_id": "alice", end: day(0)})
        assert faults(alone) == [({"from": "to", "to": "from"}[end], "required")]


async def test_400_days_are_summarised_at_most(acme: httpx.AsyncClient) -> None:
    await new_logs(acme, *({"food_id": BANANA.id, "date": day(-after)} for after in range(100)))
    found = await summary(acme, day(-399), day(0))
    assert (len(found["data"]), found["total"]["entries"]) == (100, 100)
    asked = {"profile_reference_id": "alice", "from": day(-400), "to": day(0)}
    assert faults(await acme.get(SUMMARY, params=asked)) == [("to", "out_of_range")]
    asked |= {"from": "0001-01-01", "to": "9999-12-31"}
    assert faults(await acme.get(SUMMARY, params=asked)) == [("to", "out_of_range")]
    # A leap year makes them no longer.
    assert (date(2028, 12, 31) - date(2027, 11, 28)).days + 1 == 400
    assert (await summary(acme, "2027-11-28", "2028-12-31"))["data"] == []
    asked |= {"from": "2027-11-27", "to": "2028-12-31"}
    assert faults(await acme.get(SUMMARY, params=asked)) == [("to", "out_of_range")]


async def test_faults_come_all_at_once(acme: httpx.AsyncClient) -> None:
    assert sorted(faults(await acme.get(SUMMARY))) == [
        ("from", "required"),
        ("profile_reference_id", "required"),
        ("to", "required"),
    ]
    asked = {"profile_reference_id": "alice", "from": day(0), "to": day(0)}
    for name in ("from", "to"):
        only = {key: value for key, value in asked.items() if key != name}
        assert faults(await acme.get(SUMMARY, params=only)) == [(name, "required")]
        [(param, _)] = faults(await acme.get(SUMMARY, params=asked | {name: "2026-02-30"}))
        assert param == name
    assert faults(await acme.get(SUMMARY, params=asked | {"to": day(-1)})) == [("to", "out_of_range")]
    assert faults(await acme.get(SUMMARY, params=asked | {"limit": 5})) == [("limit", "unknown_parameter")]


async def test_the_profile_must_exist_and_its_own_logs_are_summed(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    await new_log(acme, BANANA.id)
    asked = {"profile_reference_id": "nobody", "from": day(0), "to": day(0)}
    response = await acme.get(SUMMARY, params=asked)
    assert (response.status_code, response.json()["code"]) == (404, "profile_not_found")
    assert (await summary(acme, day(0), day(0), "bob"))["data"] == []


async def test_a_key_that_may_read_is_enough(acme: httpx.AsyncClient, service: Service) -> None:
    await new_log(acme, BANANA.id)
    reader = await service.client("acme", Scope.READ)
    assert (await summary(reader, day(0), day(0)))["total"]["entries"] == 1
