"""GET /v1/saved-meals"""

import httpx
import pytest

from tests.conftest import Service
from tests.kitchen import faults, new_food, new_profile
from tests.menu import change_meal, delete_food, meal, new_meal, page_of
from tests.pantry import BANANA, PANTRY, PLAIN

PATH = "/v1/saved-meals"


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def _make(client: httpx.AsyncClient, count: int) -> list[str]:
    """That many meals of alice, and their ids, newest first."""
    return [await new_meal(client, [BANANA.id], name=f"Meal {number}") for number in range(count)][::-1]


async def _ids(client: httpx.AsyncClient, owner: str = "alice", /, **parameters: str | int) -> tuple[list[str], bool]:
    found, more = await page_of(client, PATH, owner, **parameters)
    return [item["_id"] for item in found], more


async def test_a_profile_without_meals_has_an_empty_page(acme: httpx.AsyncClient) -> None:
    assert await page_of(acme, PATH) == ([], False)


async def test_items_are_meals_without_totals(acme: httpx.AsyncClient) -> None:
    meal_id = await new_meal(acme, [BANANA.id, (await new_food(acme), 2.5)], meal="lunch")
    whole = await meal(acme, meal_id)
    [listed], _ = await page_of(acme, PATH)
    assert listed == {name: value for name, value in whole.items() if name not in ("totals", "unknown")}


async def test_the_list_is_newest_first_ten_a_page(acme: httpx.AsyncClient) -> None:
    ids = await _make(acme, 12)
    assert await _ids(acme) == (ids[:10], True)
    assert await _ids(acme, starting_after=ids[9]) == (ids[10:], False)
    assert await _ids(acme, limit=12) == (ids, False)
    assert await _ids(acme, ending_before=ids[6], limit=3) == (ids[3:6], True)
    assert await _ids(acme, ending_before=ids[0]) == ([], False)


@pytest.mark.parametrize("limit", [1, 7, 100])
async def test_a_walk_sees_every_meal_once_in_both_directions(acme: httpx.AsyncClient, limit: int) -> None:
    ids = await _make(acme, 20)
    seen, more = await _ids(acme, limit=limit)
    while more:
        page, more = await _ids(acme, limit=limit, starting_after=seen[-1])
        seen += page
    assert seen == ids
    backwards, more = [seen[-1]], True
    while more:
        page, more = await _ids(acme, limit=limit, ending_before=backwards[0])
        backwards = page + backwards
    assert backwards == ids


async def test_a_meal_that_is_added_or_deleted_moves_no_other(acme: httpx.AsyncClient) -> None:
    ids = await _make(acme, 6)
    first, _ = await _ids(acme, limit=2)
    await _make(acme, 2)
    await acme.delete(f"{PATH}/{ids[3]}")
    assert await _ids(acme, limit=2, starting_after=first[-1]) == ([ids[2], ids[4]], True)


async def test_a_change_leaves_a_meal_in_its_place(acme: httpx.AsyncClient, service: Service) -> None:
    ids = await _make(acme, 3)
    service.clock.advance(days=1)
    assert (await change_meal(acme, ids[2], name="Renamed")).status_code == 200
    assert await _ids(acme) == (ids, False)


async def test_missing_items_are_marked_and_keep_their_names(acme: httpx.AsyncClient, service: Service) -> None:
    granola, muesli = await new_food(acme), await new_food(acme, food_name="Müesli")
    await new_meal(acme, [granola, BANANA.id, muesli])
    await new_meal(acme, [muesli, PLAIN.id])
    await delete_food(acme, granola)
    service.use_catalogue([PLAIN])
    page, _ = await page_of(acme, PATH)
    assert [[(item["food_name"], item["missing"]) for item in each["items"]] for each in page] == [
        [("Müesli", False), (PLAIN.name, False)],
        [("Granola", True), ("Bananas, raw", True), ("Müesli", False)],
    ]
    service.use_catalogue(PANTRY)
    page, _ = await page_of(acme, PATH)
    assert [item["missing"] for item in page[1]["items"]] == [True, False, False]


async def test_names_are_those_that_foods_have_now(acme: httpx.AsyncClient) -> None:
    granola = await new_food(acme)
    await new_meal(acme, [granola])
    await acme.patch(f"/v1/foods/custom/{granola}", json={"profile_reference_id": "alice", "food_name": "Crunch"})
    [listed], _ = await page_of(acme, PATH)
    assert listed["items"][0]["food_name"] == "Crunch"


async def test_a_page_of_many_foods_shows_all_their_names(acme: httpx.AsyncClient) -> None:
    foods = {await new_food(acme, food_name=f"Granola {number}"): f"Granola {number}" for number in range(110)}
    ids = list(foods)
    for start in (0, 55):
        await new_meal(acme, [BANANA.id, *ids[start : start + 55]])
    page, _ = await page_of(acme, PATH)
    shown = {item["food_id"]: item["food_name"] for each in page for item in each["items"]}
    assert shown == foods | {BANANA.id: BANANA.name}


async def test_profiles_see_their_own_meals_only(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    ours, theirs = await new_meal(acme, [BANANA.id]), await new_meal(acme, [BANANA.id], "bob")
    assert await _ids(acme) == ([ours], False)
    assert await _ids(acme, "bob") == ([theirs], False)
    for name in ("starting_after", "ending_before"):
        response = await acme.get(PATH, params={"profile_reference_id": "alice", name: theirs})
        assert (response.status_code, response.json()["code"]) == (400, "invalid_cursor")


async def test_what_does_not_fit_is_refused(acme: httpx.AsyncClient) -> None:
    response = await acme.get(PATH, params={"limit": 0, "starting_aftr": "x"})
    assert sorted(faults(response)) == [
        ("limit", "out_of_range"),
        ("profile_reference_id", "required"),
        ("starting_aftr", "unknown_parameter"),
    ]
    response = await acme.get(PATH, params={"profile_reference_id": "nobody"})
    assert (response.status_code, response.json()["code"]) == (404, "profile_not_found")
