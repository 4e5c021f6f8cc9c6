"""GET /v1/foods/favorites"""

import asyncio
from dataclasses import replace
from typing import Any

import httpx
import pytest

from provender.model.foods import Food
from provender.services import food_lists
from provender.storage import favorites as storage
from tests.conftest import Service
from tests.kitchen import (
    MUESLI,
    add_favorite,
    faults,
    list_favorites,
    new_favorites,
    new_food,
    new_profile,
    remove_favorite,
)
from tests.pantry import BANANA, COLA, PANTRY, PLAIN

GROUPS = ("vitamins", "minerals", "carbohydrates", "lipids", "proteins")

# Foods of the catalogue, enough for several pages.
SHELF = [replace(BANANA, source_key=f"1{number:04}", name=f"Banana {number}") for number in range(30)]


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def _mark_all(client: httpx.AsyncClient, foods: list[Food]) -> list[str]:
    """The foods as favorites of alice, and their ids in the list's order."""
    for food in foods:
        assert (await add_favorite(client, food.id)).status_code == 201
    return [food.id for food in foods][::-1]


async def _walk(client: httpx.AsyncClient, *, backwards_from: str | None = None, limit: int = 7) -> list[str]:
    """All favorites of alice, page by page."""
    seen: list[str] = []
    parameters: dict[str, Any] = {} if backwards_from is None else {"ending_before": backwards_from}
    more = True
    while more:
        page, more = await list_favorites(client, limit=limit, **parameters)
        assert page or not more
        seen = seen + page if backwards_from is None else page + seen
        if page:
            parameters = {"starting_after": page[-1]} if backwards_from is None else {"ending_before": page[0]}
    return seen


async def test_a_profile_without_favorites_has_an_empty_page(acme: httpx.AsyncClient) -> None:
    response = await acme.get("/v1/foods/favorites?profile_reference_id=alice")
    assert response.json() == {"has_more": False, "data": []}


async def test_items_are_foods_as_they_are_retrieved(acme: httpx.AsyncClient) -> None:
    muesli = await new_food(acme, **MUESLI)
    for food_id in (BANANA.id, muesli, COLA.id):
        await add_favorite(acme, food_id)
    for include in ("", "vitamins", "minerals,lipids", ",".join([*GROUPS, "servings"])):
        listed = await acme.get(f"/v1/foods/favorites?profile_reference_id=alice&include={include}")
        retrieved = [
            (await acme.get(f"/v1/foods/{food_id}?include={include}")).json()
            for food_id in (COLA.id, muesli, BANANA.id)
        ]
        assert listed.json() == {"has_more": False, "data": retrieved}


async def test_without_include_vitamins_are_there_and_no_other_group(acme: httpx.AsyncClient) -> None:
    for food_id in (BANANA.id, await new_food(acme)):
        await add_favorite(acme, food_id)
    data = (await acme.get("/v1/foods/favorites?profile_reference_id=alice")).json()["data"]
    assert [food["vitamins"].keys() for food in data] == [set(), {"vitamin_c_in_mg", "vitamin_b6_in_mg"}]
    for food in data:
        assert food.keys().isdisjoint([*GROUPS[1:], "servings"])


@pytest.mark.parametrize("empty", ["include[]=", "include=", "includes="])
async def test_an_empty_include_asks_for_no_group(acme: httpx.AsyncClient, empty: str) -> None:
    await add_favorite(acme, BANANA.id)
    [food] = (await acme.get(f"/v1/foods/favorites?profile_reference_id=alice&{empty}")).json()["data"]
    assert food.keys().isdisjoint(GROUPS)


async def test_include_says_all_that_is_wanted(acme: httpx.AsyncClient) -> None:
    await add_favorite(acme, BANANA.id)
    [food] = (await acme.get("/v1/foods/favorites?profile_reference_id=alice&include[]=minerals")).json()["data"]
    assert food["minerals"]
    assert "vitamins" not in food


async def test_the_list_is_last_added_first_ten_a_page(acme: httpx.AsyncClient) -> None:
    """All are added within one millisecond: the clock of the tests stands."""
    ids = await new_favorites(acme, 12)
    assert await list_favorites(acme) == (ids[:10], True)
    assert await list_favorites(acme, starting_after=ids[9]) == (ids[10:], False)
    assert await list_favorites(acme, starting_after=ids[-1]) == ([], False)
    assert await list_favorites(acme, limit=12) == (ids, False)
    assert await list_favorites(acme, limit=11) == (ids[:11], True)
    assert await list_favorites(acme, ending_before=ids[6], limit=3) == (ids[3:6], True)
    assert await list_favorites(acme, ending_before=ids[3], limit=3) == (ids[:3], False)
    assert await list_favorites(acme, ending_before=ids[0]) == ([], False)


async def test_the_order_is_that_of_adding_and_not_that_of_the_clock(acme: httpx.AsyncClient, service: Service) -> None:
    await add_favorite(acme, BANANA.id)
    service.clock.advance(hours=-3)
    await add_favorite(acme, COLA.id)
    assert await list_favorites(acme) == ([COLA.id, BANANA.id], False)


@pytest.mark.parametrize("limit", [1, 7, 100])
async def test_a_walk_sees_every_favorite_once_in_both_directions(acme: httpx.AsyncClient, limit: int) -> None:
    ids = await new_favorites(acme, 50)
    assert await _walk(acme, limit=limit) == ids
    assert await _walk(acme, limit=limit, backwards_from=ids[-1]) == ids[:-1]


async def test_a_page_of_a_hundred_custom_foods_is_a_page(acme: httpx.AsyncClient) -> None:
    ids = await new_favorites(acme, 101)
    assert await list_favorites(acme, limit=100) == (ids[:100], True)


async def test_what_comes_and_goes_meanwhile_makes_no_other_item_repeat_or_vanish(acme: httpx.AsyncClient) -> None:
    ids = await new_favorites(acme, 9)
    first, _ = await list_favorites(acme, limit=3)
    await add_favorite(acme, BANANA.id)
    for gone in (ids[0], ids[4]):
        await remove_favorite(acme, gone)
    second, _ = await list_favorites(acme, limit=3, starting_after=first[-1])
    assert second == [ids[3], ids[5], ids[6]]


async def test_a_removed_favorite_keeps_its_place_as_a_cursor_for_24_hours(
    acme: httpx.AsyncClient, service: Service
) -> None:
    ids = await new_favorites(acme, 5)
    for gone in (ids[0], ids[2], ids[4]):
        await remove_favorite(acme, gone)
    service.clock.advance(hours=24, milliseconds=-1)
    # What is added and removed later clears away nothing that is a cursor still.
    await add_favorite(acme, BANANA.id)
    await remove_favorite(acme, BANANA.id)
    assert await list_favorites(acme, starting_after=ids[2]) == ([ids[3]], False)
    assert await list_favorites(acme, ending_before=ids[2]) == ([ids[1]], False)
    assert await list_favorites(acme, starting_after=ids[4]) == ([], False)
    assert await list_favorites(acme, ending_before=ids[0]) == ([], False)
    assert await list_favorites(acme, starting_after=ids[0]) == ([ids[1], ids[3]], False)
    service.clock.advance(milliseconds=1)
    for cursor in (ids[0], ids[2], ids[4]):
        for name in ("starting_after", "ending_before"):
            response = await acme.get("/v1/foods/favorites", params={"profile_reference_id": "alice", name: cursor})
            assert (response.status_code, response.json()["code"]) == (400, "invalid_cursor")


async def test_what_is_added_after_a_removal_comes_before_the_removed_cursor(acme: httpx.AsyncClient) -> None:
    ids = await new_favorites(acme, 2)
    await remove_favorite(acme, ids[0])
    await add_favorite(acme, BANANA.id)
    assert await list_favorites(acme, ending_before=ids[0]) == ([BANANA.id], False)
    assert await list_favorites(acme, starting_after=ids[0]) == ([ids[1]], False)


async def test_a_favorite_that_is_added_again_is_a_cursor_at_its_new_place(acme: httpx.AsyncClient) -> None:
    ids = await new_favorites(acme, 3)
    await remove_favorite(acme, ids[2])
    await add_favorite(acme, ids[2])
    assert await list_favorites(acme, starting_after=ids[2]) == (ids[:2], False)


@pytest.mark.parametrize("name", ["starting_after", "ending_before"])
async def test_a_cursor_that_is_no_item_of_this_list_is_refused(acme: httpx.AsyncClient, name: str) -> None:
    await add_favorite(acme, COLA.id)
    await new_profile(acme, "bob")
    [bobs] = await new_favorites(acme, 1, "bob")
    for cursor in ("0" * 16, "short", "\x00" * 16, bobs, BANANA.id, await new_food(acme)):
        response = await acme.get("/v1/foods/favorites", params={"profile_reference_id": "alice", name: cursor})
        assert (response.status_code, response.json()["code"]) == (400, "invalid_cursor")


async def test_a_food_that_is_not_in_the_catalogue_now_is_skipped_and_comes_back_to_its_place(
    acme: httpx.AsyncClient, service: Service
) -> None:
    granola = await new_food(acme)
    for food_id in (BANANA.id, granola, PLAIN.id, COLA.id):
        await add_favorite(acme, food_id)
    service.use_catalogue([COLA, BANANA])
    assert await list_favorites(acme) == ([COLA.id, granola, BANANA.id], False)
    service.use_catalogue([])
    assert await list_favorites(acme) == ([granola], False)
    service.use_catalogue(PANTRY)
    assert await list_favorites(acme) == ([COLA.id, PLAIN.id, granola, BANANA.id], False)


@pytest.mark.parametrize("limit", [1, 3, 10, 100])
@pytest.mark.parametrize("left", [[0], [29], [14, 15], [0, 29], [*range(0, 30, 3)], []])
async def test_pages_and_has_more_are_right_where_foods_are_skipped(
    acme: httpx.AsyncClient, service: Service, limit: int, left: list[int]
) -> None:
    service.use_catalogue(SHELF)
    ids = await _mark_all(acme, SHELF)
    kept = [SHELF[29 - number] for number in left]
    service.use_catalogue(kept)
    expected = [id_ for id_ in ids if id_ in {food.id for food in kept}]
    assert await list_favorites(acme, limit=limit) == (expected[:limit], len(expected) > limit)
    assert await _walk(acme, limit=limit) == expected
    # One that is skipped was an item when it was seen, and is a cursor still.
    for place in (0, 12, 29):
        after = [id_ for id_ in ids[place + 1 :] if id_ in expected]
        before = [id_ for id_ in ids[:place] if id_ in expected]
        assert await list_favorites(acme, limit=limit, starting_after=ids[place]) == (
            after[:limit],
            len(after) > limit,
        )
        assert await list_favorites(acme, limit=limit, ending_before=ids[place]) == (
            before[-limit:],
            len(before) > limit,
        )
    assert await _walk(acme, limit=limit, backwards_from=ids[-1]) == [id_ for id_ in expected if id_ != ids[-1]]


async def test_reading_past_foods_that_are_skipped_lets_others_have_their_turn(
    acme: httpx.AsyncClient, service: Service
) -> None:
    service.use_catalogue(SHELF)
    await _mark_all(acme, SHELF)
    service.use_catalogue(SHELF[:1])
    with pytest.MonkeyPatch.context() as smaller:
        smaller.setattr(food_lists, "MAX_LIMIT", 2)
        turns = 0
        listing = asyncio.create_task(list_favorites(acme, limit=1))
        while not listing.done():
            await asyncio.sleep(0)
            turns += 1
        assert listing.result() == ([SHELF[0].id], False)
        assert turns > 14


async def test_the_catalogue_may_be_replaced_while_the_storage_is_awaited(
    acme: httpx.AsyncClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _mark_all(acme, [BANANA, COLA])
    read = storage.read_favorites

    async def read_slowly(*values: Any, **named: Any) -> Any:
        found = await read(*values, **named)
        service.use_catalogue([BANANA])
        return found

    monkeypatch.setattr(storage, "read_favorites", read_slowly)
    assert await list_favorites(acme) == ([BANANA.id], False)


async def test_a_list_holds_one_profiles_favorites_only(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    await add_favorite(acme, BANANA.id)
    await add_favorite(acme, COLA.id, "bob")
    assert await list_favorites(acme) == ([BANANA.id], False)
    assert await list_favorites(acme, "bob") == ([COLA.id], False)


async def test_the_profile_is_required_and_must_exist(acme: httpx.AsyncClient) -> None:
    assert faults(await acme.get("/v1/foods/favorites")) == [("profile_reference_id", "required")]
    response = await acme.get("/v1/foods/favorites?profile_reference_id=nobody")
    assert (response.status_code, response.json()["code"]) == (404, "profile_not_found")


async def test_faults_of_the_parameters_come_together(acme: httpx.AsyncClient) -> None:
    response = await acme.get("/v1/foods/favorites?limit=101&include=vitamin&starting_aftr=x&profile_reference_id=")
    assert faults(response) == [
        ("limit", "out_of_range"),
        ("include", "not_allowed"),
        ("starting_aftr", "unknown_parameter"),
        ("profile_reference_id", "too_short"),
    ]
    response = await acme.get(
        f"/v1/foods/favorites?profile_reference_id=alice&starting_after={BANANA.id}&ending_before={BANANA.id}"
    )
    assert faults(response) == [("ending_before", "not_combinable")]


async def test_favorites_is_a_word_of_the_path_and_no_food(acme: httpx.AsyncClient) -> None:
    assert (await acme.head("/v1/foods/favorites?profile_reference_id=alice")).status_code == 200
    response = await acme.post("/v1/foods/favorites")
    assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD")
