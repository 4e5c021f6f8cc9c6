"""GET /v1/foods/custom"""

from typing import Any

import httpx
import pytest

from tests.conftest import Service
from tests.kitchen import MUESLI, faults, new_food, new_profile
from tests.pantry import BANANA

GROUPS = ("vitamins", "minerals", "carbohydrates", "lipids", "proteins")


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def _make(client: httpx.AsyncClient, count: int) -> list[str]:
    """That many foods of alice, and their ids, newest first."""
    return [await new_food(client, food_name=f"Granola {number}") for number in range(count)][::-1]


async def _page(client: httpx.AsyncClient, **parameters: Any) -> tuple[list[str], bool]:
    response = await client.get("/v1/foods/custom", params={"profile_reference_id": "alice"} | parameters)
    assert response.status_code == 200, response.text
    page = response.json()
    return [food["_id"] for food in page["data"]], page["has_more"]


async def test_a_profile_without_foods_has_an_empty_page(acme: httpx.AsyncClient) -> None:
    response = await acme.get("/v1/foods/custom?profile_reference_id=alice")
    assert response.json() == {"has_more": False, "data": []}


async def test_items_are_foods_as_they_are_retrieved(acme: httpx.AsyncClient) -> None:
    food_id = await new_food(acme, **MUESLI)
    for include in ("", "vitamins", "minerals,lipids", ",".join([*GROUPS, "servings"])):
        listed = await acme.get(f"/v1/foods/custom?profile_reference_id=alice&include={include}")
        assert listed.json()["data"] == [(await acme.get(f"/v1/foods/{food_id}?include={include}")).json()]


async def test_without_include_none_of_the_five_groups_is_there(acme: httpx.AsyncClient) -> None:
    await new_food(acme, **MUESLI)
    [food] = (await acme.get("/v1/foods/custom?profile_reference_id=alice")).json()["data"]
    assert food.keys().isdisjoint(GROUPS)
    [food] = (await acme.get("/v1/foods/custom?profile_reference_id=alice&include[]=vitamins")).json()["data"]
    assert food["vitamins"] == MUESLI["vitamins"]
    assert food.keys().isdisjoint(GROUPS[1:])


async def test_the_list_is_newest_first_ten_a_page(acme: httpx.AsyncClient) -> None:
    ids = await _make(acme, 12)
    assert await _page(acme) == (ids[:10], True)
    assert await _page(acme, starting_after=ids[9]) == (ids[10:], False)
    assert await _page(acme, limit=12) == (ids, False)
    assert await _page(acme, ending_before=ids[6], limit=3) == (ids[3:6], True)
    assert await _page(acme, ending_before=ids[0]) == ([], False)


async def test_a_change_leaves_a_food_in_its_place(acme: httpx.AsyncClient, service: Service) -> None:
    ids = await _make(acme, 3)
    service.clock.advance(days=1)
    await acme.patch(f"/v1/foods/custom/{ids[2]}", json={"profile_reference_id": "alice", "food_name": "Renamed"})
    assert await _page(acme) == (ids, False)


@pytest.mark.parametrize("limit", [1, 7, 100])
async def test_a_walk_sees_every_food_once_in_both_directions(acme: httpx.AsyncClient, limit: int) -> None:
    ids = await _make(acme, 50)
    seen, more = await _page(acme, limit=limit)
    while more:
        page, more = await _page(acme, limit=limit, starting_after=seen[-1])
        assert page
        seen += page
    assert seen == ids
    backwards, more = [seen[-1]], True
    while more:
        page, more = await _page(acme, limit=limit, ending_before=backwards[0])
        assert page
        backwards = page + backwards
    assert backwards == ids


async def test_what_comes_and_goes_meanwhile_makes_no_other_item_repeat_or_vanish(acme: httpx.AsyncClient) -> None:
    ids = await _make(acme, 9)
    first, _ = await _page(acme, limit=3)
    await new_food(acme, food_name="Newcomer")
    for gone in (ids[0], ids[4]):
        await acme.delete(f"/v1/foods/custom/{gone}?profile_reference_id=alice")
    second, _ = await _page(acme, limit=3, starting_after=first[-1])
    assert second == [ids[3], ids[5], ids[6]]


@pytest.mark.parametrize("name", ["starting_after", "ending_before"])
async def test_a_cursor_that_is_no_item_of_this_list_is_refused(acme: httpx.AsyncClient, name: str) -> None:
    ids = await _make(acme, 2)
    await new_profile(acme, "bob")
    bobs = await new_food(acme, "bob")
    await acme.delete(f"/v1/foods/custom/{ids[0]}?profile_reference_id=alice")
    for cursor in ("0" * 16, "short", "\x00" * 16, bobs, ids[0], BANANA.id):
        response = await acme.get("/v1/foods/custom", params={"profile_reference_id": "alice", name: cursor})
        assert response.status_code == 400
        assert response.json()["code"] == "invalid_cursor"


async def test_a_list_holds_one_profiles_foods_only(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    alices, bobs = await new_food(acme), await new_food(acme, "bob")
    assert await _page(acme) == ([alices], False)
    assert await _page(acme, profile_reference_id="bob") == ([bobs], False)


async def test_the_profile_is_required_and_must_exist(acme: httpx.AsyncClient) -> None:
    assert faults(await acme.get("/v1/foods/custom")) == [("profile_reference_id", "required")]
    response = await acme.get("/v1/foods/custom?profile_reference_id=nobody")
    assert (response.status_code, response.json()["code"]) == (404, "profile_not_found")


async def test_faults_of_the_parameters_come_together(acme: httpx.AsyncClient) -> None:
    response = await acme.get("/v1/foods/custom?limit=0&include=vitamin&starting_aftr=x&profile_reference_id=")
    assert faults(response) == [
        ("limit", "out_of_range"),
        ("include", "not_allowed"),
        ("starting_aftr", "unknown_parameter"),
        ("profile_reference_id", "too_short"),
    ]


async def test_custom_is_a_word_of_the_path_and_no_food(acme: httpx.AsyncClient) -> None:
    assert (await acme.head("/v1/foods/custom?profile_reference_id=alice")).status_code == 200
    assert (await acme.delete("/v1/foods/custom")).status_code == 405
