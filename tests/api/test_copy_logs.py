"""POST /v1/diary-logs/copy"""

import asyncio
from typing import Any

import httpx
import pytest

from provender.model.access import Scope
from provender.model.foods import serving_id
from provender.model.times import to_ms
from tests.conftest import Service
from tests.diary import (
    MEALS,
    at,
    change_log,
    copy_logs,
    day,
    delete_food,
    diary,
    is_active,
    list_logs,
    log,
    most,
    new_log,
    new_logs,
    recently,
    set_timezone,
    summarised,
    summary,
)
from tests.kitchen import MUESLI, faults, new_food, new_profile
from tests.pantry import BANANA, COLA, PLAIN

COPY = "/v1/diary-logs/copy"


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def _day_of_meals(client: httpx.AsyncClient) -> list[str]:
    """A day with logs of all kinds, and their ids."""
    muesli = await new_food(client, **MUESLI)
    return await new_logs(
        client,
        {"food_id": muesli, "meal": "breakfast", "number_of_servings": 1.333, "note": "with milk", "date": day(-1)},
        {"food_id": BANANA.id, "meal": "breakfast", "metric_amount": 33.3, "date": day(-1)},
        {"food_id": BANANA.id, "meal": "lunch", "serving_id": serving_id(BANANA.id, "1 slice"), "date": day(-1)},
        {"food_id": COLA.id, "date": day(-1), "number_of_servings": 0.25},
    )


async def test_a_day_is_copied_with_everything_it_has(acme: httpx.AsyncClient, service: Service) -> None:
    ids = await _day_of_meals(acme)
    before = await diary(acme)
    service.clock.advance(hours=1)
    response = await copy_logs(acme, day(-1), day(0))
    assert response.status_code == 201
    assert response.json().keys() == {"data"}
    assert [confirmation["created"] for confirmation in response.json()["data"]] == [True] * 4
    copies = [confirmation["_id"] for confirmation in response.json()["data"]]
    assert copies == sorted(set(copies) - set(ids))
    now = to_ms(service.clock())
    assert await diary(acme, **{"from": day(0)}) == [
        entry | {"_id": copy, "date": day(0), "created_at": now, "updated_at": now}
        for entry, copy in zip(before, copies, strict=True)
    ]
    # The day itself stays as it was.
    assert await diary(acme, to=day(-1)) == before


async def test_one_meal_can_be_copied(acme: httpx.AsyncClient) -> None:
    ids = await _day_of_meals(acme)
    for meal, places in [("breakfast", (0, 1)), ("lunch", (2,)), ("snack", (3,))]:
        copied = (await copy_logs(acme, day(-1), day(5), meal=meal)).json()["data"]
        assert [(await log(acme, each["_id"]))["food_id"] for each in copied] == [
            (await log(acme, ids[place]))["food_id"] for place in places
        ]
        assert await list_logs(acme, date=day(5), meal=meal) == ([each["_id"] for each in copied], False)


async def test_where_there_is_nothing_nothing_is_copied(acme: httpx.AsyncClient) -> None:
    await new_log(acme, BANANA.id, meal="lunch")
    for from_, more in [(day(-1), {}), (day(0), {"meal": "dinner"}), ("0001-01-01", {}), ("9999-12-31", {})]:
        response = await copy_logs(acme, from_, day(1), **more)
        assert (response.status_code, response.json()) == (200, {"data": []})
    assert await list_logs(acme, date=day(1)) == ([], False)


async def test_a_form_does_it_too(acme: httpx.AsyncClient) -> None:
    await new_log(acme, BANANA.id)
    form = {"profile_reference_id": "alice", "from": day(0), "to": "20523", "meal": "snack"}
    response = await acme.post(COPY, data=form)
    assert response.status_code == 201
    assert await list_logs(acme, date=day(1)) == ([response.json()["data"][0]["_id"]], False)


async def test_a_copy_is_a_log_of_its_own(acme: httpx.AsyncClient) -> None:
    original = await new_log(acme, BANANA.id, note="x")
    [copied] = (await copy_logs(acme, day(0), day(1))).json()["data"]
    before = await log(acme, original)
    await change_log(acme, copied["_id"], number_of_servings=5, note=None, meal="lunch")
    assert await log(acme, original) == before
    await acme.delete(f"/v1/diary-logs/{original}")
    assert (await log(acme, copied["_id"]))["number_of_servings"] == 5


async def test_a_day_may_be_copied_onto_itself_and_again_and_again(acme: httpx.AsyncClient) -> None:
    await new_logs(acme, {"food_id": BANANA.id}, {"food_id": COLA.id, "meal": "lunch"})
    for count in (4, 8, 16):
        assert (await copy_logs(acme, day(0), day(0))).status_code == 201
        assert len(await diary(acme)) == count
    assert await summary(acme, day(0), day(0)) == summarised(await diary(acme))


async def test_copies_are_new_logs_in_the_order_of_the_old_ones(acme: httpx.AsyncClient, service: Service) -> None:
    for food_id in (COLA.id, BANANA.id):
        await new_log(acme, food_id, date=day(-60))
    await new_log(acme, PLAIN.id)
    service.clock.now = at("2026-04-02T12:00")
    assert not await is_active(acme)
    assert await recently(acme) == [PLAIN.id, BANANA.id, COLA.id]
    await copy_logs(acme, day(-60), "2026-04-02")
    assert await is_active(acme)
    assert await recently(acme) == await most(acme) == [BANANA.id, COLA.id, PLAIN.id]


async def test_entries_of_foods_that_are_gone_are_copied_and_do_not_bring_them_back(
    acme: httpx.AsyncClient, service: Service
) -> None:
    await _day_of_meals(acme)
    before = await diary(acme)
    await delete_food(acme, before[0]["food_id"])
    service.use_catalogue([COLA])
    copied = (await copy_logs(acme, day(-1), day(0))).json()["data"]
    found = [await log(acme, each["_id"]) for each in copied]
    for ours, theirs in zip(found, before, strict=True):
        assert ours | {"_id": "", "date": ""} == theirs | {"_id": "", "date": ""}
    assert await recently(acme) == await most(acme) == [COLA.id]
    service.use_catalogue([COLA, BANANA])
    assert await recently(acme) == [COLA.id, BANANA.id]
    assert await most(acme) == [BANANA.id, COLA.id]
    assert await most(acme, meal="breakfast") == [BANANA.id]


async def test_days_are_judged_as_in_a_new_log(acme: httpx.AsyncClient, service: Service) -> None:
    await new_log(acme, BANANA.id)
    for beyond in ("1899-12-31", "0001-01-01", day(366), "9999-12-31"):
        assert faults(await copy_logs(acme, day(0), beyond)) == [("to", "out_of_range")]
    for to in ("1900-01-01", day(365)):
        assert (await copy_logs(acme, day(0), to)).status_code == 201
    service.clock.now = at("2028-02-29T10:30")
    for timezone, latest, beyond in [
        (None, "2029-02-28", "2029-03-01"),
        ("Pacific/Kiritimati", "2029-03-01", "2029-03-02"),
        ("Pacific/Pago_Pago", "2029-02-28", "2029-03-01"),
    ]:
        await set_timezone(acme, timezone)
        assert (await copy_logs(acme, day(0), latest)).status_code == 201
        assert faults(await copy_logs(acme, day(0), beyond)) == [("to", "out_of_range")]


async def test_faults_come_all_at_once(acme: httpx.AsyncClient) -> None:
    required = [("profile_reference_id", "required"), ("from", "required"), ("to", "required")]
    assert faults(await acme.post(COPY, json={})) == required
    sent: dict[str, Any] = {"profile_reference_id": "", "from": "1899-12-31", "to": "1899-12-31", "meal": "brunch"}
    assert sorted(faults(await acme.post(COPY, json=sent | {"date": day(0)}))) == [
        ("date", "unknown_parameter"),
        ("meal", "not_allowed"),
        ("profile_reference_id", "too_short"),
        ("to", "out_of_range"),
    ]
    sent = {"profile_reference_id": "alice", "from": day(0), "to": day(1)}
    for name in ("from", "to"):
        for wrong in ("2026-02-30", "today", "", True, 1.5):
            [(param, _)] = faults(await acme.post(COPY, json=sent | {name: wrong}))
            assert param == name
        assert faults(await acme.post(COPY, json=sent | {name: None})) == [(name, "null_not_allowed")]
    assert faults(await acme.post(COPY, json=sent | {"meal": None})) == [("meal", "null_not_allowed")]


async def test_the_profile_must_exist_and_its_own_logs_are_copied(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    await new_log(acme, BANANA.id)
    response = await copy_logs(acme, day(0), day(1), "nobody")
    assert (response.status_code, response.json()["code"]) == (404, "profile_not_found")
    response = await copy_logs(acme, day(0), day(1), "bob")
    assert (response.status_code, response.json()) == (200, {"data": []})


async def test_a_thousand_entries_are_copied_at_most(acme: httpx.AsyncClient) -> None:
    """By one request, so that nobody else waits long for it."""
    batch = [{"food_id": food_id, "meal": meal} for food_id in (BANANA.id, COLA.id) for meal in MEALS] * 12
    for _ in range(10):
        await new_logs(acme, *batch)
    await new_logs(acme, *[{"food_id": PLAIN.id}] * 40)
    response = await copy_logs(acme, day(0), day(1))
    assert response.status_code == 201
    assert len(response.json()["data"]) == 1000
    assert (await summary(acme, day(1), day(1)))["total"]["entries"] == 1000
    await new_log(acme, PLAIN.id)
    refused = await copy_logs(acme, day(0), day(2))
    assert refused.status_code == 400
    assert await list_logs(acme, date=day(2)) == ([], False)
    # One meal of it is few enough.
    assert (await copy_logs(acme, day(0), day(2), meal="lunch")).status_code == 201


async def test_copies_at_once_are_all_there(acme: httpx.AsyncClient) -> None:
    await _day_of_meals(acme)
    answers = await asyncio.gather(*(copy_logs(acme, day(-1), day(after)) for after in range(8) for _ in range(2)))
    made = [each["_id"] for answer in answers for each in answer.json()["data"]]
    assert len(set(made)) == 64
    found = await diary(acme)
    assert {entry["_id"] for entry in found} >= set(made)
    assert await summary(acme, day(-9), day(9)) == summarised(found)


async def test_copying_needs_a_key_that_may_write(service: Service) -> None:
    assert (await copy_logs(await service.client("acme", Scope.READ), day(0), day(1))).status_code == 403
