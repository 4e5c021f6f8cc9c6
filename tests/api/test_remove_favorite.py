"""DELETE /v1/foods/favorites/{food_id}"""

import asyncio

import httpx
import pytest

from provender.model.access import Scope
from tests.conftest import Service
from tests.kitchen import (
    add_favorite,
    faults,
    list_favorites,
    new_favorites,
    new_food,
    new_profile,
    remove_favorite,
)
from tests.pantry import BANANA, COLA


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def test_a_removed_food_is_no_favorite_any_more(acme: httpx.AsyncClient) -> None:
    custom = await new_food(acme)
    for food_id in (BANANA.id, custom, COLA.id):
        await add_favorite(acme, food_id)
    for food_id, left in [(BANANA.id, [COLA.id, custom]), (custom, [COLA.id])]:
        response = await remove_favorite(acme, food_id)
        assert (response.status_code, response.json()) == (200, {"_id": food_id, "deleted": True})
        assert await list_favorites(acme) == (left, False)


async def test_the_food_itself_stays(acme: httpx.AsyncClient) -> None:
    [food_id] = await new_favorites(acme, 1)
    await remove_favorite(acme, food_id)
    assert (await acme.get(f"/v1/foods/{food_id}")).status_code == 200


async def test_a_food_that_is_no_favorite_is_confirmed_too(acme: httpx.AsyncClient) -> None:
    for food_id in (BANANA.id, await new_food(acme)):
        for _ in range(2):
            response = await remove_favorite(acme, food_id)
            assert (response.status_code, response.json()) == (200, {"_id": food_id, "deleted": True})


async def test_removing_twice_is_confirmed_twice(acme: httpx.AsyncClient, service: Service) -> None:
    [food_id] = await new_favorites(acme, 1)
    assert (await remove_favorite(acme, food_id)).status_code == 200
    assert (await remove_favorite(acme, food_id)).status_code == 200
    # The second time it was none, so it does not stay a cursor for longer.
    service.clock.advance(hours=23)
    await remove_favorite(acme, food_id)
    service.clock.advance(hours=1)
    params = {"profile_reference_id": "alice", "starting_after": food_id}
    assert (await acme.get("/v1/foods/favorites", params=params)).json()["code"] == "invalid_cursor"


@pytest.mark.parametrize("food_id", ["0" * 16, "short", "%00", "%F0%9F%8D%8C", "4006381333931", "custom"])
async def test_what_is_no_food_is_not_found(acme: httpx.AsyncClient, food_id: str) -> None:
    response = await remove_favorite(acme, food_id)
    assert (response.status_code, response.json()["code"]) == (404, "food_not_found")


async def test_another_profiles_custom_food_is_not_found(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    [bobs] = await new_favorites(acme, 1, "bob")
    response = await remove_favorite(acme, bobs)
    assert (response.status_code, response.json()["code"]) == (404, "food_not_found")
    assert await list_favorites(acme, "bob") == ([bobs], False)


async def test_a_favorite_whose_food_is_not_in_the_catalogue_now_can_be_removed(
    acme: httpx.AsyncClient, service: Service
) -> None:
    await add_favorite(acme, COLA.id)
    service.use_catalogue([BANANA])
    for _ in range(2):
        assert (await remove_favorite(acme, COLA.id)).status_code == 200
    service.use_catalogue([BANANA, COLA])
    assert await list_favorites(acme) == ([], False)


async def test_removing_a_favorite_whose_custom_food_was_deleted_is_confirmed_for_a_day(
    acme: httpx.AsyncClient, service: Service
) -> None:
    [food_id] = await new_favorites(acme, 1)
    await acme.delete(f"/v1/foods/custom/{food_id}?profile_reference_id=alice")
    assert (await remove_favorite(acme, food_id)).status_code == 200
    service.clock.advance(hours=24)
    assert (await remove_favorite(acme, food_id)).json()["code"] == "food_not_found"


async def test_later_writes_of_the_profile_sweep_what_is_no_cursor_any_more(
    acme: httpx.AsyncClient, service: Service
) -> None:
    async def rows() -> int:
        return len(await service.engine.all("SELECT food_id FROM favorites"))

    await new_profile(acme, "bob")
    ids = await new_favorites(acme, 6)
    for food_id in ids[:4]:
        await remove_favorite(acme, food_id)
    [bobs] = await new_favorites(acme, 1, "bob")
    await remove_favorite(acme, bobs, "bob")
    assert await rows() == 7
    service.clock.advance(hours=24)
    assert await list_favorites(acme) == (ids[4:], False)
    assert await rows() == 7
    # A removal and an addition sweep alike, each in its own profile.
    await remove_favorite(acme, ids[4])
    assert await rows() == 3
    service.clock.advance(hours=24)
    await add_favorite(acme, BANANA.id)
    assert await rows() == 3
    await add_favorite(acme, BANANA.id, "bob")
    assert await rows() == 3


async def test_the_profile_is_required_and_must_exist(acme: httpx.AsyncClient) -> None:
    await add_favorite(acme, BANANA.id)
    assert faults(await acme.delete(f"/v1/foods/favorites/{BANANA.id}")) == [("profile_reference_id", "required")]
    for food_id in (BANANA.id, "0" * 16, "short"):
        response = await remove_favorite(acme, food_id, "nobody")
        assert (response.status_code, response.json()["code"]) == (404, "profile_not_found")
    assert await list_favorites(acme) == ([BANANA.id], False)


async def test_removing_needs_a_key_that_may_write(service: Service) -> None:
    assert (await remove_favorite(await service.client("acme", Scope.READ), BANANA.id)).status_code == 403


async def test_a_path_with_a_favorite_takes_post_and_delete(acme: httpx.AsyncClient) -> None:
    response = await acme.get(f"/v1/foods/favorites/{BANANA.id}")
    assert (response.status_code, response.headers["allow"]) == (405, "DELETE, POST")


async def test_parallel_removals_are_all_confirmed(acme: httpx.AsyncClient) -> None:
    await add_favorite(acme, BANANA.id)
    responses = await asyncio.gather(*(remove_favorite(acme, BANANA.id) for _ in range(16)))
    assert {response.status_code for response in responses} == {200}
    assert await list_favorites(acme) == ([], False)
