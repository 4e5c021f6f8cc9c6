"""GET /v1/diary-logs"""

from typing import Any

import httpx
import pytest

from tests.conftest import Service
from tests.diary import (
    ALL,
    GROUPS,
    MEALS,
    change_log,
    day,
    delete_food,
    delete_log,
    list_logs,
    new_log,
    new_logs,
    set_timezone,
    walk,
)
from tests.kitchen import MUESLI, faults, new_food, new_profile
from tests.pantry import BANANA, COLA

LOGS = "/v1/diary-logs"
OF_ALICE = {"profile_reference_id": "alice"}


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def _fill(client: httpx.AsyncClient) -> dict[str, list[str]]:
    """A log of each meal on each of five days, made in another order than that of the days."""
    made: dict[str, list[str]] = {}
    for after in (0, -2, 1, -1, 2):
        made[day(after)] = await new_logs(
            client, *({"food_id": BANANA.id, "date": day(after), "meal": meal} for meal in MEALS)
        )
    return dict(sorted(made.items()))


async def test_a_day_without_logs_is_an_empty_page(acme: httpx.AsyncClient) -> None:
    response = await acme.get(f"{LOGS}?profile_reference_id=alice&date={day(0)}")
    assert response.json() == {"has_more": False, "data": []}


async def test_items_are_logs_as_they_are_retrieved(acme: httpx.AsyncClient) -> None:
    muesli = await new_food(acme, **MUESLI)
    ids = [await new_log(acme, muesli, number_of_servings=0.25, note="x"), await new_log(acme, COLA.id)]
    for include in ("", "vitamins", "minerals,lipids", ALL):
        listed = await acme.get(LOGS, params=OF_ALICE | {"date": day(0), "include": include})
        retrieved = [(await acme.get(f"{LOGS}/{log_id}?include={include}")).json() for log_id in ids]
        assert listed.json() == {"has_more": False, "data": retrieved}


async def test_none_of_the_five_groups_is_there_unless_it_is_asked_for(acme: httpx.AsyncClient) -> None:
    await new_log(acme, COLA.id)
    [entry] = (await acme.get(LOGS, params=OF_ALICE | {"date": day(0)})).json()["data"]
    assert entry.keys().isdisjoint(GROUPS)
    for spelling in ("include[]=vitamins&include[]=carbohydrates", "include=vitamins,carbohydrates"):
        [entry] = (await acme.get(f"{LOGS}?profile_reference_id=alice&date={day(0)}&{spelling}")).json()["data"]
        assert entry.keys() & set(GROUPS) == {"vitamins", "carbohydrates"}
        assert (entry["vitamins"], entry["carbohydrates"].keys()) == ({}, {"sugars_in_g"})


async def test_logs_of_a_day_and_of_a_range_come_by_date_and_then_by_id(acme: httpx.AsyncClient) -> None:
    made = await _fill(acme)
    assert await list_logs(acme, date=day(-1)) == (made[day(-1)], False)
    assert await list_logs(acme, date=20522) == (made[day(0)], False)
    for from_, to in [(-2, 2), (-2, -2), (-1, 1), (2, 2), (-100, 300), (3, 9)]:
        expected = [log_id for each, ids in made.items() if day(from_) <= each <= day(to) for log_id in ids]
        assert await list_logs(acme, **{"from": day(from_), "to": day(to)}, limit=100) == (expected, False)
    every = [log_id for ids in made.values() for log_id in ids]
    assert await list_logs(acme, **{"from": day(0)}, limit=100) == (every[8:], False)
    assert await list_logs(acme, to=day(0), limit=100) == (every[:12], False)
    # A range may begin and end on any day.
    assert await list_logs(acme, **{"from": "0001-01-01", "to": "9999-12-31"}, limit=100) == (every, False)
    assert await list_logs(acme, **{"from": -25_000, "to": 40_000}) == (every[:10], True)


async def test_a_log_for_a_future_day_is_listed_at_once(acme: httpx.AsyncClient) -> None:
    log_id = await new_log(acme, BANANA.id, date=day(365))
    assert await list_logs(acme, date=day(365)) == ([log_id], False)


async def test_one_meal_can_be_asked_for(acme: httpx.AsyncClient) -> None:
    made = await _fill(acme)
    for number, meal in enumerate(MEALS):
        assert await list_logs(acme, date=day(0), meal=meal) == ([made[day(0)][number]], False)
        expected = [ids[number] for ids in made.values()]
        assert await list_logs(acme, **{"from": day(-9)}, meal=meal) == (expected, False)
        assert await list_logs(acme, **{"from": day(-9)}, meal=meal, limit=2) == (expected[:2], True)


async def test_a_walk_sees_every_log_once_in_both_directions(acme: httpx.AsyncClient) -> None:
    made = await _fill(acme)
    every = [log_id for ids in made.values() for log_id in ids]
    wanted: list[tuple[dict[str, Any], list[str]]] = [
        ({"from": day(-9)}, every),
        ({"from": day(-1), "to": day(1)}, every[4:16]),
        ({"from": day(-9), "meal": "dinner"}, every[2::4]),
        ({"date": day(1)}, made[day(1)]),
    ]
    for asked, expected in wanted:
        for limit in (1, 3, 7, 100):
            assert await walk(acme, LOGS, limit=limit, **asked) == expected
            assert await walk(acme, LOGS, limit=limit, backwards_from=expected[-1], **asked) == expected[:-1]
    assert await list_logs(acme, to=day(9)) == (every[:10], True)
    assert await list_logs(acme, to=day(9), starting_after=every[9]) == (every[10:], False)
    assert await list_logs(acme, to=day(9), ending_before=every[6], limit=3) == (every[3:6], True)
    assert await list_logs(acme, to=day(9), ending_before=every[3], limit=3) == (every[:3], False)
    assert await list_logs(acme, to=day(9), ending_before=every[0]) == ([], False)


async def test_what_comes_and_goes_meanwhile_makes_no_other_item_repeat_or_vanish(acme: httpx.AsyncClient) -> None:
    made = await _fill(acme)
    every = [log_id for ids in made.values() for log_id in ids]
    first, _ = await list_logs(acme, to=day(9), limit=6)
    new = [await new_log(acme, BANANA.id, date=day(after)) for after in (-2, -1, 0)]
    for gone in (every[0], every[7]):
        await delete_log(acme, gone)
    second, _ = await list_logs(acme, to=day(9), limit=8, starting_after=first[-1])
    # The new one of a day stands after the others of that day.
    assert second == [every[6], new[1], *every[8:12], new[2], every[12]]


async def test_a_log_that_is_moved_stands_at_its_new_place(acme: httpx.AsyncClient) -> None:
    made = await _fill(acme)
    moved = made[day(0)][1]
    await change_log(acme, moved, date=day(2))
    # By its _id it is older than the others of that day.
    assert await list_logs(acme, date=day(2)) == ([moved, *made[day(2)]], False)
    assert await list_logs(acme, date=day(0), limit=3) == ([made[day(0)][0], *made[day(0)][2:]], False)


@pytest.mark.parametrize("name", ["starting_after", "ending_before"])
async def test_a_cursor_that_is_no_item_of_this_list_is_refused(acme: httpx.AsyncClient, name: str) -> None:
    made = await _fill(acme)
    await new_profile(acme, "bob")
    bobs = await new_log(acme, BANANA.id, "bob", date=day(0), meal="lunch")
    gone = await new_log(acme, BANANA.id, date=day(0), meal="lunch")
    await delete_log(acme, gone)
    another_day, another_meal = made[day(1)][1], made[day(0)][0]
    everywhere = ("0" * 16, "short", "\x00" * 16, bobs, gone, BANANA.id)
    asked: list[tuple[dict[str, Any], tuple[str, ...]]] = [
        ({"date": day(0)}, (*everywhere, another_day)),
        ({"date": day(0), "meal": "lunch"}, (*everywhere, another_day, another_meal)),
        ({"from": day(-1), "to": day(0), "meal": "lunch"}, (*everywhere, another_day, another_meal)),
        ({"to": day(0)}, (*everywhere, another_day)),
        ({"from": day(2)}, (*everywhere, another_day)),
    ]
    for parameters, cursors in asked:
        for cursor in cursors:
            response = await acme.get(LOGS, params=OF_ALICE | parameters | {name: cursor})
            assert (response.status_code, response.json()["code"]) == (400, "invalid_cursor"), (parameters, cursor)


async def test_a_day_or_a_range_is_required(acme: httpx.AsyncClient) -> None:
    assert faults(await acme.get(LOGS, params=OF_ALICE)) == [("date", "required")]
    assert faults(await acme.get(LOGS, params=OF_ALICE | {"meal": "lunch"})) == [("date", "required")]


async def test_a_day_and_a_range_are_not_combinable(acme: httpx.AsyncClient) -> None:
    for others in ({"from": day(0)}, {"to": day(0)}, {"from": day(0), "to": day(0)}):
        found = faults(await acme.get(LOGS, params=OF_ALICE | {"date": day(0)} | others))
        assert {code for _, code in found} == {"not_combinable"}
        assert {param for param, _ in found} <= {"date", *others}


async def test_a_range_does_not_end_before_it_begins(acme: httpx.AsyncClient) -> None:
    backwards = OF_ALICE | {"from": day(0), "to": day(-1)}
    assert faults(await acme.get(LOGS, params=backwards)) == [("to", "out_of_range")]


async def test_faults_of_the_parameters_come_together(acme: httpx.AsyncClient) -> None:
    response = await acme.get(
        f"{LOGS}?profile_reference_id=&date=2026-02-30&meal=brunch&include=vitamin&limit=0&starting_aftr=x"
    )
    found = faults(response)
    assert [fault for fault in found if fault[0] != "date"] == [
        ("profile_reference_id", "too_short"),
        ("meal", "not_allowed"),
        ("include", "not_allowed"),
        ("limit", "out_of_range"),
        ("starting_aftr", "unknown_parameter"),
    ]
    assert [param for param, _ in found].count("date") == 1
    for name in ("date", "from", "to"):
        for wrong in ("2026-02-30", "today", "", "2026-3-1", "1e3", "9" * 30):
            [(param, _)] = faults(await acme.get(LOGS, params=OF_ALICE | {name: wrong}))
            assert param == name
    twice = await acme.get(f"{LOGS}?profile_reference_id=alice&date={day(0)}&date={day(0)}")
    assert faults(twice) == [("date", "duplicate")]
    both = await acme.get(LOGS, params=OF_ALICE | {"date": day(0), "starting_after": "a", "ending_before": "b"})
    assert faults(both) == [("ending_before", "not_combinable")]


async def test_the_profile_is_required_and_must_exist(acme: httpx.AsyncClient) -> None:
    assert faults(await acme.get(f"{LOGS}?date={day(0)}")) == [("profile_reference_id", "required")]
    response = await acme.get(f"{LOGS}?profile_reference_id=nobody&date={day(0)}")
    assert (response.status_code, response.json()["code"]) == (404, "profile_not_found")


async def test_a_list_holds_one_profiles_logs_only(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    ours, bobs = await new_log(acme, BANANA.id), await new_log(acme, BANANA.id, "bob")
    assert await list_logs(acme, date=day(0)) == ([ours], False)
    assert await list_logs(acme, "bob", date=day(0)) == ([bobs], False)


async def test_logs_of_foods_that_are_gone_are_listed(acme: httpx.AsyncClient, service: Service) -> None:
    granola = await new_food(acme)
    ids = [await new_log(acme, food_id) for food_id in (granola, BANANA.id, COLA.id)]
    await delete_food(acme, granola)
    service.use_catalogue([COLA])
    assert await list_logs(acme, date=day(0)) == (ids, False)


async def test_a_change_of_the_time_zone_moves_no_log(acme: httpx.AsyncClient) -> None:
    log_id = await new_log(acme, BANANA.id)
    for timezone in ("Pacific/Kiritimati", "Pacific/Pago_Pago", None):
        await set_timezone(acme, timezone)
        assert await list_logs(acme, date=day(0)) == ([log_id], False)


async def test_head_is_answered_and_logs_are_made_by_post(acme: httpx.AsyncClient) -> None:
    assert (await acme.head(LOGS, params=OF_ALICE | {"date": day(0)})).status_code == 200
    response = await acme.delete(LOGS)
    assert (response.status_code, response.headers["allow"]) == (405, "GET, POST, HEAD")
