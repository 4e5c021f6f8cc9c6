"""What holds of both GET /v1/foods/recently-eaten and GET /v1/foods/most-eaten."""

from dataclasses import replace
from typing import Any

import httpx
import pytest

from provender.model.access import Scope
from provender.storage.engine import Engine
from tests.conftest import Service
from tests.diary import (
    ALL,
    GROUPS,
    MOST,
    RECENTLY,
    change_log,
    copy_logs,
    day,
    delete_food,
    delete_log,
    ids_on,
    new_log,
    new_logs,
    set_timezone,
    walk,
)
from tests.kitchen import MUESLI, faults, new_food, new_profile
from tests.pantry import BANANA, COLA, PANTRY, PLAIN

# Foods of the catalogue, enough for several pages.
SHELF = [replace(BANANA, source_key=f"1{number:04}", name=f"Banana {number}") for number in range(25)]

# All meals, and one.
EITHER: tuple[dict[str, Any], ...] = ({}, {"meal": "lunch"})

pytestmark = pytest.mark.parametrize("path", [RECENTLY, MOST], ids=["recently", "most"])


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def test_a_profile_without_logs_has_an_empty_page(acme: httpx.AsyncClient, path: str) -> None:
    response = await acme.get(path, params={"profile_reference_id": "alice"})
    assert response.json() == {"has_more": False, "data": []}


async def test_items_are_foods_as_they_are_retrieved(acme: httpx.AsyncClient, path: str) -> None:
    muesli = await new_food(acme, **MUESLI)
    for food_id in (BANANA.id, muesli, COLA.id):
        await new_log(acme, food_id, number_of_servings=0.25)
    for include in ("", "vitamins", "minerals,lipids", f"{ALL},servings"):
        listed = await acme.get(path, params={"profile_reference_id": "alice", "include": include})
        retrieved = [
            (await acme.get(f"/v1/foods/{food_id}?include={include}")).json()
            for food_id in (COLA.id, muesli, BANANA.id)
        ]
        assert listed.json() == {"has_more": False, "data": retrieved}
    # The food, not what it was when it was logged.
    await acme.patch(f"/v1/foods/custom/{muesli}", json={"profile_reference_id": "alice", "food_name": "Bircher"})
    listed = await acme.get(path, params={"profile_reference_id": "alice"})
    assert [each["food_name"] for each in listed.json()["data"]] == ["Cola", "Bircher", "Bananas, raw"]


async def test_without_include_vitamins_are_there_and_no_other_group(acme: httpx.AsyncClient, path: str) -> None:
    for food_id in (BANANA.id, PLAIN.id):
        await new_log(acme, food_id)
    data = (await acme.get(f"{path}?profile_reference_id=alice")).json()["data"]
    assert [each["vitamins"].keys() for each in data] == [set(), {"vitamin_c_in_mg", "vitamin_b6_in_mg"}]
    for each in data:
        assert each.keys().isdisjoint([*GROUPS[1:], "servings"])
    for each in (await acme.get(f"{path}?profile_reference_id=alice&include[]=")).json()["data"]:
        assert each.keys().isdisjoint(GROUPS)


async def test_each_food_is_there_once_ten_a_page(acme: httpx.AsyncClient, service: Service, path: str) -> None:
    service.use_catalogue(SHELF)
    await new_logs(acme, *({"food_id": each.id} for each in SHELF * 2))
    ids = [each.id for each in SHELF[::-1]]
    assert await ids_on(acme, path) == (ids[:10], True)
    assert await ids_on(acme, path, starting_after=ids[9]) == (ids[10:20], True)
    assert await ids_on(acme, path, starting_after=ids[19]) == (ids[20:], False)
    assert await ids_on(acme, path, starting_after=ids[-1]) == ([], False)
    assert await ids_on(acme, path, limit=25) == (ids, False)
    assert await ids_on(acme, path, limit=24) == (ids[:24], True)
    assert await ids_on(acme, path, ending_before=ids[6], limit=3) == (ids[3:6], True)
    assert await ids_on(acme, path, ending_before=ids[3], limit=3) == (ids[:3], False)
    assert await ids_on(acme, path, ending_before=ids[0]) == ([], False)


async def test_a_walk_sees_every_food_once_in_both_directions(
    acme: httpx.AsyncClient, service: Service, path: str
) -> None:
    service.use_catalogue(SHELF)
    # How often each is logged has nothing to do with when it was last.
    eaten = [(number, times) for times in range(3) for number in range(25) if number * 7 % 25 % 3 >= times]
    await new_logs(acme, *({"food_id": SHELF[number].id, "meal": "lunch"} for number, _ in eaten))
    await new_log(acme, SHELF[0].id, meal="dinner")
    for meal in EITHER:
        ids = await walk(acme, path, **meal)
        assert sorted(ids) == sorted(each.id for each in SHELF)
        for limit in (1, 4, 24, 100):
            assert await walk(acme, path, limit=limit, **meal) == ids
            assert await walk(acme, path, limit=limit, backwards_from=ids[-1], **meal) == ids[:-1]


async def test_a_cursor_means_its_foods_present_place(acme: httpx.AsyncClient, path: str) -> None:
    for food_id in (BANANA.id, COLA.id, PLAIN.id):
        await new_log(acme, food_id)
    assert await ids_on(acme, path, limit=1) == ([PLAIN.id], True)
    await new_log(acme, BANANA.id)
    assert await ids_on(acme, path, starting_after=PLAIN.id) == ([COLA.id], False)
    assert await ids_on(acme, path, ending_before=PLAIN.id) == ([BANANA.id], False)


@pytest.mark.parametrize("name", ["starting_after", "ending_before"])
async def test_a_food_without_a_place_in_the_list_is_no_cursor(acme: httpx.AsyncClient, path: str, name: str) -> None:
    await new_profile(acme, "bob")
    gone, never, own = await new_food(acme), await new_food(acme), await new_food(acme)
    bobs = await new_food(acme, "bob")
    await new_log(acme, bobs, "bob")
    await new_log(acme, COLA.id, "bob")
    for food_id in (gone, own):
        await new_log(acme, food_id, meal="lunch")
    await delete_food(acme, gone)
    log_id = await new_log(acme, PLAIN.id, meal="lunch")
    await delete_log(acme, await new_log(acme, BANANA.id))
    for cursor in ("0" * 16, "short", "\x00" * 16, bobs, COLA.id, never, gone, BANANA.id, log_id):
        for meal in EITHER:
            response = await acme.get(path, params={"profile_reference_id": "alice", name: cursor} | meal)
            assert (response.status_code, response.json()["code"]) == (400, "invalid_cursor"), cursor
    # Of another meal than the one that is asked for.
    response = await acme.get(path, params={"profile_reference_id": "alice", "meal": "dinner", name: own})
    assert (response.status_code, response.json()["code"]) == (400, "invalid_cursor")


async def test_one_meal_can_be_asked_for(acme: httpx.AsyncClient, path: str) -> None:
    for food_id, meal in [(BANANA.id, "breakfast"), (COLA.id, "lunch"), (PLAIN.id, "breakfast"), (BANANA.id, "lunch")]:
        await new_log(acme, food_id, meal=meal)
    assert await walk(acme, path, meal="breakfast") == [PLAIN.id, BANANA.id]
    assert await walk(acme, path, meal="lunch") == [BANANA.id, COLA.id]
    assert await walk(acme, path, meal="dinner") == await walk(acme, path, meal="snack") == []
    assert await walk(acme, path) == [BANANA.id, PLAIN.id, COLA.id]


async def test_deleting_a_custom_food_takes_it_out_for_ever(acme: httpx.AsyncClient, path: str) -> None:
    granola, muesli = await new_food(acme), await new_food(acme, **MUESLI)
    logs = [await new_log(acme, food_id, meal="lunch") for food_id in (granola, muesli, BANANA.id, granola)]
    await delete_food(acme, granola)
    assert await walk(acme, path) == await walk(acme, path, meal="lunch") == [BANANA.id, muesli]
    # Its logs are there, and nothing that is done with them brings it back.
    await change_log(acme, logs[0], meal="dinner", date=day(-1))
    await change_log(acme, logs[3], number_of_servings=5)
    await copy_logs(acme, day(0), day(0))
    await copy_logs(acme, day(-1), day(0))
    await set_timezone(acme, "Pacific/Kiritimati")
    await delete_log(acme, logs[0])
    for asked in (*EITHER, {"meal": "dinner"}):
        assert granola not in await walk(acme, path, **asked)
        as_cursor = await acme.get(path, params={"profile_reference_id": "alice", "starting_after": granola} | asked)
        assert (as_cursor.status_code, as_cursor.json()["code"]) == (400, "invalid_cursor")


async def test_a_food_that_is_not_in_the_catalogue_now_is_skipped_and_comes_back_to_its_place(
    acme: httpx.AsyncClient, service: Service, path: str
) -> None:
    granola = await new_food(acme)
    logs = [await new_log(acme, food_id) for food_id in (BANANA.id, granola, PLAIN.id, COLA.id)]
    service.use_catalogue([COLA, BANANA])
    assert await walk(acme, path) == [COLA.id, granola, BANANA.id]
    service.use_catalogue([])
    assert await ids_on(acme, path) == ([granola], False)
    # What happens to its logs meanwhile counts.
    await delete_log(acme, logs[3])
    await copy_logs(acme, day(0), day(0))
    await change_log(acme, logs[0], meal="lunch")
    service.use_catalogue(PANTRY)
    assert await walk(acme, path) == [PLAIN.id, granola, BANANA.id]
    assert await walk(acme, path, meal="lunch") == [BANANA.id]


async def test_pages_and_has_more_are_right_where_foods_are_skipped(
    acme: httpx.AsyncClient, service: Service, path: str
) -> None:
    service.use_catalogue(SHELF)
    await new_logs(acme, *({"food_id": each.id} for each in SHELF))
    for left in ([0], [24], [11, 12], [0, 24], [*range(0, 25, 3)], []):
        service.use_catalogue([SHELF[number] for number in left])
        expected = [SHELF[number].id for number in left][::-1]
        for limit in (1, 3, 10, 100):
            assert await ids_on(acme, path, limit=limit) == (expected[:limit], len(expected) > limit)
            assert await walk(acme, path, limit=limit) == expected
            if expected:
                assert await walk(acme, path, limit=limit, backwards_from=expected[-1]) == expected[:-1]


async def test_a_list_holds_one_profiles_foods_only(acme: httpx.AsyncClient, path: str) -> None:
    await new_profile(acme, "bob")
    await new_log(acme, BANANA.id)
    await new_log(acme, COLA.id, "bob")
    assert await walk(acme, path) == [BANANA.id]
    assert await walk(acme, path, "bob") == [COLA.id]


async def test_the_profile_is_required_and_must_exist(acme: httpx.AsyncClient, path: str) -> None:
    assert faults(await acme.get(path)) == [("profile_reference_id", "required")]
    response = await acme.get(path, params={"profile_reference_id": "nobody"})
    assert (response.status_code, response.json()["code"]) == (404, "profile_not_found")


async def test_faults_of_the_parameters_come_together(acme: httpx.AsyncClient, path: str) -> None:
    response = await acme.get(f"{path}?limit=101&include=vitamin&meal=brunch&starting_aftr=x&profile_reference_id=")
    assert faults(response) == [
        ("limit", "out_of_range"),
        ("include", "not_allowed"),
        ("meal", "not_allowed"),
        ("starting_aftr", "unknown_parameter"),
        ("profile_reference_id", "too_short"),
    ]
    both = {"profile_reference_id": "alice", "starting_after": BANANA.id, "ending_before": BANANA.id}
    assert faults(await acme.get(path, params=both)) == [("ending_before", "not_combinable")]


async def test_reading_what_is_settled_writes_nothing(acme: httpx.AsyncClient, service: Service, path: str) -> None:
    for after in (0, -29, 1):
        await new_log(acme, BANANA.id, date=day(after))
    await new_log(acme, COLA.id, date=day(-29), meal="lunch")

    async def stored() -> list[object]:
        return [await _rows(service.engine, table) for table in await _tables(service.engine)]

    reader = await service.client("acme", Scope.READ)
    await walk(reader, path)
    before = await stored()
    assert any(before)
    for _ in range(3):
        service.clock.advance(days=1)
        for meal in EITHER:
            await walk(reader, path, limit=1, **meal)
    assert await stored() == before


async def test_the_words_of_the_path_are_no_foods(acme: httpx.AsyncClient, path: str) -> None:
    assert (await acme.head(f"{path}?profile_reference_id=alice")).status_code == 200
    response = await acme.post(path)
    assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD")


async def _tables(engine: Engine) -> list[str]:
    """All tables but that of keys, which notes the day on which each was last used."""
    if type(engine).__name__ == "PostgresqlEngine":
        rows = await engine.all("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
    else:
        rows = await engine.all("SELECT name FROM sqlite_schema WHERE type = 'table'")
    return sorted({row[0] for row in rows} - {"api_keys"})


async def _rows(engine: Engine, table: str) -> list[str]:
    return sorted(str(tuple(row)) for row in await engine.all(f"SELECT * FROM {table}"))
