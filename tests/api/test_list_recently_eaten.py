"""GET /v1/foods/recently-eaten"""

import httpx
import pytest

from tests.conftest import Service
from tests.diary import (
    MEALS,
    change_log,
    copy_logs,
    day,
    delete_log,
    new_log,
    new_logs,
    recently,
    set_timezone,
)
from tests.kitchen import new_food, new_profile
from tests.pantry import BANANA, COLA, PLAIN


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def test_what_was_logged_last_is_first(acme: httpx.AsyncClient) -> None:
    """All of it within one millisecond: the clock of the tests stands."""
    for food_id in (BANANA.id, COLA.id, PLAIN.id, BANANA.id):
        await new_log(acme, food_id)
    assert await recently(acme) == [BANANA.id, PLAIN.id, COLA.id]


async def test_last_logged_is_when_a_log_was_made_and_not_its_day(acme: httpx.AsyncClient, service: Service) -> None:
    for food_id, date in [(PLAIN.id, day(365)), (BANANA.id, day(0)), (COLA.id, "1900-01-01")]:
        await new_log(acme, food_id, date=date)
    assert await recently(acme) == [COLA.id, BANANA.id, PLAIN.id]
    # It is the order of making them, also where the clock goes back.
    service.clock.advance(hours=-30)
    await new_log(acme, BANANA.id)
    assert await recently(acme) == [BANANA.id, COLA.id, PLAIN.id]


async def test_the_list_has_no_end_of_days(acme: httpx.AsyncClient, service: Service) -> None:
    for food_id in (BANANA.id, COLA.id):
        await new_log(acme, food_id)
    service.clock.advance(days=1000)
    assert await recently(acme) == [COLA.id, BANANA.id]
    await new_log(acme, BANANA.id, meal="lunch")
    assert await recently(acme) == [BANANA.id, COLA.id]
    assert await recently(acme, meal="snack") == [COLA.id, BANANA.id]


async def test_deleting_a_log_makes_the_one_before_it_the_last(acme: httpx.AsyncClient) -> None:
    logs = [await new_log(acme, food_id) for food_id in (BANANA.id, COLA.id, BANANA.id, PLAIN.id, BANANA.id)]
    expected = [
        (4, [PLAIN.id, BANANA.id, COLA.id]),
        (1, [PLAIN.id, BANANA.id]),
        (2, [PLAIN.id, BANANA.id]),
        (0, [PLAIN.id]),
        (3, []),
    ]
    for number, left in expected:
        await delete_log(acme, logs[number])
        assert await recently(acme) == left


async def test_a_log_that_is_not_the_last_may_go_without_a_trace(acme: httpx.AsyncClient) -> None:
    logs = [await new_log(acme, food_id) for food_id in (BANANA.id, BANANA.id, COLA.id, BANANA.id)]
    for log_id in logs[:2]:
        await delete_log(acme, log_id)
    assert await recently(acme) == [BANANA.id, COLA.id]


async def test_a_change_moves_nothing_up(acme: httpx.AsyncClient) -> None:
    logs = [await new_log(acme, food_id, meal="lunch") for food_id in (BANANA.id, COLA.id, PLAIN.id)]
    await change_log(acme, logs[0], number_of_servings=2, note="x", date=day(1))
    assert await recently(acme) == await recently(acme, meal="lunch") == [PLAIN.id, COLA.id, BANANA.id]


async def test_a_log_that_changes_its_meal_keeps_its_time_there(acme: httpx.AsyncClient) -> None:
    logs = [
        await new_log(acme, food_id, meal=meal)
        for food_id, meal in [
            (BANANA.id, "lunch"),
            (COLA.id, "dinner"),
            (BANANA.id, "lunch"),
            (PLAIN.id, "dinner"),
            (COLA.id, "lunch"),
        ]
    ]
    # Between the cola and the other that were logged for dinner.
    await change_log(acme, logs[2], meal="dinner")
    assert await recently(acme, meal="dinner") == [PLAIN.id, BANANA.id, COLA.id]
    assert await recently(acme, meal="lunch") == [COLA.id, BANANA.id]
    await change_log(acme, logs[0], meal="dinner")
    assert await recently(acme, meal="dinner") == [PLAIN.id, BANANA.id, COLA.id]
    assert await recently(acme, meal="lunch") == [COLA.id]
    await change_log(acme, logs[4], meal="dinner")
    assert await recently(acme, meal="dinner") == [COLA.id, PLAIN.id, BANANA.id]
    assert await recently(acme, meal="lunch") == []
    assert await recently(acme) == [COLA.id, PLAIN.id, BANANA.id]


async def test_a_batch_and_a_copy_are_logged_in_their_order(acme: httpx.AsyncClient) -> None:
    granola = await new_food(acme)
    await new_logs(acme, *({"food_id": each} for each in (granola, COLA.id, BANANA.id, PLAIN.id, COLA.id)))
    assert await recently(acme) == [COLA.id, PLAIN.id, BANANA.id, granola]
    await copy_logs(acme, day(0), day(-50))
    assert await recently(acme) == [COLA.id, PLAIN.id, BANANA.id, granola]
    await new_logs(acme, {"food_id": granola, "meal": "lunch"}, {"food_id": BANANA.id})
    await copy_logs(acme, day(0), day(0), meal="lunch")
    assert await recently(acme) == [granola, BANANA.id, COLA.id, PLAIN.id]


async def test_every_meal_has_a_list_of_its_own(acme: httpx.AsyncClient) -> None:
    foods = [await new_food(acme, food_name=meal) for meal in MEALS]
    for food_id, meal in zip(foods, MEALS, strict=True):
        await new_log(acme, food_id, meal=meal)
    for food_id, meal in zip(foods, MEALS, strict=True):
        assert await recently(acme, meal=meal) == [food_id]
    assert await recently(acme) == foods[::-1]


async def test_a_change_of_the_time_zone_changes_nothing(acme: httpx.AsyncClient) -> None:
    for food_id, after in [(BANANA.id, 0), (COLA.id, -29), (PLAIN.id, 1)]:
        await new_log(acme, food_id, date=day(after))
    for timezone in ("Pacific/Kiritimati", "Pacific/Pago_Pago", None):
        await set_timezone(acme, timezone)
        assert await recently(acme) == [PLAIN.id, COLA.id, BANANA.id]
