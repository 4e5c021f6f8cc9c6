"""GET /v1/foods/most-eaten"""

import httpx
import pytest

from tests.conftest import Service
from tests.diary import (
    MOST,
    at,
    change_log,
    copy_logs,
    day,
    delete_log,
    ids_on,
    most,
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


async def _log(client: httpx.AsyncClient, food_id: str, *days: int, meal: str = "snack") -> list[str]:
    """A log of the food on each of these days."""
    return await new_logs(client, *({"food_id": food_id, "date": day(after), "meal": meal} for after in days))


async def test_what_was_logged_most_often_is_first_and_then_what_was_last(acme: httpx.AsyncClient) -> None:
    for food_id in (COLA.id, BANANA.id, BANANA.id, PLAIN.id, COLA.id):
        await new_log(acme, food_id)
    assert await most(acme) == [COLA.id, BANANA.id, PLAIN.id]
    await new_log(acme, PLAIN.id)
    assert await most(acme) == [PLAIN.id, COLA.id, BANANA.id]


async def test_logs_are_counted_and_not_servings(acme: httpx.AsyncClient) -> None:
    await new_log(acme, COLA.id, number_of_servings=0.25)
    await new_log(acme, COLA.id, number_of_servings=0.25)
    await new_log(acme, BANANA.id, number_of_servings=100)
    assert await most(acme) == [COLA.id, BANANA.id]


async def test_today_and_the_29_days_before_it_count(acme: httpx.AsyncClient) -> None:
    await _log(acme, COLA.id, 0, -29)
    await _log(acme, BANANA.id, 0, -30, -31, 1, 2)
    await _log(acme, PLAIN.id, -30, 1, -365, 365)
    assert await most(acme) == [COLA.id, BANANA.id]
    assert await recently(acme) == [PLAIN.id, BANANA.id, COLA.id]


async def test_a_future_log_counts_when_its_day_comes(acme: httpx.AsyncClient, service: Service) -> None:
    await _log(acme, BANANA.id, 0)
    await _log(acme, COLA.id, 1, 1, 3)
    service.clock.now = at("2026-03-10T23:59:59.999")
    assert await most(acme) == [BANANA.id]
    service.clock.advance(milliseconds=1)
    assert await most(acme) == [COLA.id, BANANA.id]
    service.clock.advance(days=2)
    await _log(acme, BANANA.id, 3)
    assert await most(acme) == [COLA.id, BANANA.id]


async def test_what_leaves_the_30_days_leaves_at_midnight_with_the_clock_alone(
    acme: httpx.AsyncClient, service: Service
) -> None:
    granola = await new_food(acme)
    await _log(acme, BANANA.id, 0, -29, -29, -28)
    await _log(acme, COLA.id, -1, -2, -3)
    await _log(acme, PLAIN.id, -28, 29)
    await _log(acme, granola, -29)
    steps = [
        ("2026-03-10T23:59:59.999", [BANANA.id, COLA.id, granola, PLAIN.id]),
        # Both of 9 February's bananas leave, and the granola with them.
        ("2026-03-11T00:00", [COLA.id, BANANA.id, PLAIN.id]),
        ("2026-03-12T00:00", [COLA.id, BANANA.id]),
        # The cola leaves day by day.
        ("2026-04-05T23:59", [COLA.id, BANANA.id]),
        ("2026-04-06T00:00", [COLA.id, BANANA.id]),
        ("2026-04-07T00:00", [COLA.id, BANANA.id]),
        # And a future log's day has come.
        ("2026-04-08T00:00", [PLAIN.id, BANANA.id]),
        ("2026-04-09T00:00", [PLAIN.id]),
        ("2026-05-07T23:59", [PLAIN.id]),
        ("2026-05-08T00:00", []),
    ]
    for now, expected in steps:
        service.clock.now = at(now)
        for limit in (1, 2, 100):
            assert await most(acme, limit=limit) == expected, now
            if expected:
                assert await most(acme, limit=limit, backwards_from=expected[-1]) == expected[:-1]
    # It has left this list, and not the other.
    assert await recently(acme) == [granola, PLAIN.id, COLA.id, BANANA.id]


async def test_a_food_that_has_left_is_no_cursor_any_more(acme: httpx.AsyncClient, service: Service) -> None:
    await _log(acme, BANANA.id, -29)
    await _log(acme, COLA.id, 0)
    await _log(acme, PLAIN.id, 1)
    assert await ids_on(acme, MOST, starting_after=COLA.id) == ([BANANA.id], False)
    for now, gone in [("2026-03-10T12:00", PLAIN.id), ("2026-03-11T00:00", BANANA.id)]:
        service.clock.now = at(now)
        for name in ("starting_after", "ending_before"):
            response = await acme.get(MOST, params={"profile_reference_id": "alice", name: gone})
            assert (response.status_code, response.json()["code"]) == (400, "invalid_cursor")
    assert await ids_on(acme, MOST, starting_after=PLAIN.id) == ([COLA.id], False)


async def test_a_cursor_whose_count_has_passed_means_its_present_place(
    acme: httpx.AsyncClient, service: Service
) -> None:
    await _log(acme, BANANA.id, -29, -29, 0)
    await _log(acme, COLA.id, -1, 0)
    await _log(acme, PLAIN.id, 0)
    service.clock.advance(days=1)
    # The banana has one log left, before the plain's.
    assert await most(acme) == [COLA.id, PLAIN.id, BANANA.id]
    assert await ids_on(acme, MOST, starting_after=BANANA.id) == ([], False)
    assert await ids_on(acme, MOST, ending_before=BANANA.id) == ([COLA.id, PLAIN.id], False)
    assert await ids_on(acme, MOST, starting_after=COLA.id, limit=1) == ([PLAIN.id], True)


async def test_after_a_long_pause_all_is_counted_anew(acme: httpx.AsyncClient, service: Service) -> None:
    foods = [await new_food(acme, food_name=f"Granola {number}") for number in range(8)]
    for number, food_id in enumerate(foods):
        await _log(acme, food_id, *range(-number, 0), 300, 300 + number)
    service.clock.advance(days=31)
    assert await most(acme) == []
    service.clock.advance(days=269)
    # Today is day 300, on which the first has two.
    expected = [foods[0], *foods[:0:-1]]
    for limit in (1, 3, 100):
        assert await most(acme, limit=limit) == expected
    service.clock.advance(days=8)
    assert await most(acme, limit=3) == foods[::-1]
    await new_log(acme, foods[3], date=day(308), meal="lunch")
    assert await most(acme, limit=3) == [foods[3], *(each for each in foods[::-1] if each != foods[3])]
    assert await most(acme, meal="lunch") == [foods[3]]


async def test_deleting_and_changing_keep_the_counts(acme: httpx.AsyncClient) -> None:
    bananas = await _log(acme, BANANA.id, 0, -29, -30)
    colas = await _log(acme, COLA.id, 0, 0)
    assert await most(acme) == [COLA.id, BANANA.id]
    await delete_log(acme, colas[1])
    assert await most(acme) == [BANANA.id, COLA.id]
    await change_log(acme, bananas[1], date=day(-30))
    assert await most(acme) == [COLA.id, BANANA.id]
    await change_log(acme, bananas[2], date=day(-29))
    assert await most(acme) == [BANANA.id, COLA.id]
    await change_log(acme, bananas[0], date=day(1))
    await change_log(acme, bananas[2], date=day(5))
    assert await most(acme) == [COLA.id]
    await delete_log(acme, colas[0])
    assert await most(acme) == []
    await change_log(acme, bananas[0], date=day(0))
    assert await most(acme) == [BANANA.id]


async def test_among_equal_counts_a_deletion_takes_last_logged_back(acme: httpx.AsyncClient) -> None:
    await _log(acme, BANANA.id, 0, -1)
    colas = await _log(acme, COLA.id, 0)
    await _log(acme, PLAIN.id, 0, -1)
    late = await _log(acme, COLA.id, 0, -40)
    # A log that does not count is one nevertheless when it comes to which was last.
    assert await most(acme) == [COLA.id, PLAIN.id, BANANA.id]
    await delete_log(acme, late[1])
    assert await most(acme) == [COLA.id, PLAIN.id, BANANA.id]
    await delete_log(acme, late[0])
    await _log(acme, BANANA.id, 0)
    assert await most(acme) == [BANANA.id, PLAIN.id, COLA.id]
    await delete_log(acme, colas[0])
    assert await most(acme) == [BANANA.id, PLAIN.id]


async def test_each_meal_is_counted_by_itself(acme: httpx.AsyncClient) -> None:
    await _log(acme, BANANA.id, 0, 0, meal="lunch")
    await _log(acme, BANANA.id, 0, meal="dinner")
    colas = await _log(acme, COLA.id, 0, 0, meal="dinner")
    assert await most(acme) == [BANANA.id, COLA.id]
    assert await most(acme, meal="lunch") == [BANANA.id]
    assert await most(acme, meal="dinner") == [COLA.id, BANANA.id]
    for log_id in colas:
        await change_log(acme, log_id, meal="lunch")
    assert await most(acme, meal="lunch") == [COLA.id, BANANA.id]
    assert await most(acme, meal="dinner") == [BANANA.id]
    assert await most(acme) == [BANANA.id, COLA.id]
    # Meal and day at once.
    await change_log(acme, colas[0], meal="dinner", date=day(-30))
    assert await most(acme, meal="lunch") == [BANANA.id, COLA.id]
    assert await most(acme, meal="dinner") == [BANANA.id]


async def test_a_copy_counts_where_it_was_copied_to(acme: httpx.AsyncClient) -> None:
    await _log(acme, BANANA.id, -50, -50)
    await _log(acme, COLA.id, 0)
    assert await most(acme) == [COLA.id]
    await copy_logs(acme, day(-50), day(-29))
    assert await most(acme) == [BANANA.id, COLA.id]
    await copy_logs(acme, day(0), day(-30))
    await copy_logs(acme, day(0), day(1))
    assert await most(acme) == [BANANA.id, COLA.id]


async def test_today_is_the_profiles_own_day(acme: httpx.AsyncClient, service: Service) -> None:
    """Around midnight in time zones far apart, where the clock jumps, and where there is no midnight."""
    for number, (timezone, before, after) in enumerate(
        [
            ("Pacific/Kiritimati", "2026-03-10T09:59:59", "2026-03-10T10:00"),
            ("Pacific/Pago_Pago", "2026-03-10T10:59:59", "2026-03-10T11:00"),
            ("Europe/Berlin", "2026-03-28T22:59:59", "2026-03-28T23:00"),
            ("Europe/Berlin", "2026-03-29T21:59:59", "2026-03-29T22:00"),
            ("Africa/Cairo", "2026-04-23T21:59:59", "2026-04-23T22:00"),
            ("America/Santiago", "2026-04-05T03:30", "2026-04-05T04:00"),
            ("UTC", "2028-02-29T23:59:59", "2028-03-01T00:00"),
        ]
    ):
        name = f"traveller-{number}"
        await acme.post("/v1/profiles", json={"reference_id": name, "timezone": timezone})
        service.clock.now = at(before)
        today = at((await acme.get(f"/v1/diary-logs/{await new_log(acme, PLAIN.id, name)}")).json()["date"]).date()
        await new_log(acme, BANANA.id, name, date=day(-29, today))
        await new_log(acme, COLA.id, name, date=day(1, today))
        assert await most(acme, name) == [BANANA.id, PLAIN.id], timezone
        service.clock.now = at(after)
        assert await most(acme, name) == [COLA.id, PLAIN.id], timezone


async def test_a_change_of_the_time_zone_counts_anew_to_the_east_and_to_the_west(
    acme: httpx.AsyncClient, service: Service
) -> None:
    foods = {after: await new_food(acme, food_name=f"of {after}") for after in range(-32, 4)}
    await new_logs(acme, *({"food_id": food_id, "date": day(after)} for after, food_id in foods.items()))
    newest_first = sorted(foods, reverse=True)

    async def assert_today_is(number: int) -> None:
        expected = [foods[after] for after in newest_first if number - 29 <= after <= number]
        assert await most(acme) == await most(acme, meal="snack") == expected
        assert await most(acme, limit=7) == expected

    await assert_today_is(0)
    service.clock.now = at("2026-03-10T10:30")
    # From the first date on earth to the last, which is two days before it, and back.
    for timezone, today in [
        ("Pacific/Kiritimati", 1),
        ("Pacific/Pago_Pago", -1),
        ("Pacific/Kiritimati", 1),
        (None, 0),
        ("Pacific/Pago_Pago", -1),
        ("Europe/Berlin", 0),
    ]:
        await set_timezone(acme, timezone)
        await assert_today_is(today)
    # What has passed since does no harm.
    service.clock.advance(days=1)
    await assert_today_is(1)
    await set_timezone(acme, "Pacific/Pago_Pago")
    await assert_today_is(0)
    await set_timezone(acme, "Pacific/Kiritimati")
    await assert_today_is(2)
    await new_log(acme, foods[2], date=day(2))
    expected = [foods[after] for after in newest_first if -27 <= after <= 2]
    assert await most(acme) == expected
    await set_timezone(acme, "Pacific/Pago_Pago")
    await assert_today_is(0)


async def test_a_write_after_midnight_in_the_east_keeps_what_the_west_will_need(
    acme: httpx.AsyncClient, service: Service
) -> None:
    """Days that have left the window may come back, when the time zone takes today back."""
    service.clock.now = at("2026-03-10T10:30")
    await set_timezone(acme, "Pacific/Kiritimati")
    await _log(acme, BANANA.id, -30, -29)
    await _log(acme, COLA.id, -28)
    assert await most(acme) == [COLA.id]
    for _ in range(5):
        await delete_log(acme, (await _log(acme, PLAIN.id, 1))[0])
        await delete_log(acme, (await _log(acme, BANANA.id, 1))[0])
    await set_timezone(acme, "Pacific/Pago_Pago")
    assert await most(acme) == [BANANA.id, COLA.id]
