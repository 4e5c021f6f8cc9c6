"""POST /v1/foods/favorites/{food_id}"""

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
from tests.pantry import BANANA, COLA, PLAIN

ALICE = {"profile_reference_id": "alice"}


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def test_a_food_of_the_catalogue_becomes_a_favorite(acme: httpx.AsyncClient) -> None:
    response = await add_favorite(acme, BANANA.id)
    assert response.status_code == 201
    assert response.json() == {"_id": BANANA.id, "created": True}
    assert await list_favorites(acme) == ([BANANA.id], False)


async def test_the_profiles_own_custom_food_becomes_a_favorite(acme: httpx.AsyncClient) -> None:
    food_id = await new_food(acme)
    response = await add_favorite(acme, food_id)
    assert (response.status_code, response.json()) == (201, {"_id": food_id, "created": True})
    assert await list_favorites(acme) == ([food_id], False)


async def test_one_that_is_a_favorite_already_is_confirmed_and_keeps_its_place(acme: httpx.AsyncClient) -> None:
    for food_id in (BANANA.id, COLA.id):
        await add_favorite(acme, food_id)
    again = await add_favorite(acme, BANANA.id)
    assert (again.status_code, again.json()) == (200, {"_id": BANANA.id, "created": True})
    assert await list_favorites(acme) == ([COLA.id, BANANA.id], False)


async def test_one_that_was_removed_and_is_added_again_goes_to_the_top(
    acme: httpx.AsyncClient, service: Service
) -> None:
    ids = await new_favorites(acme, 3)
    for hours in (0, 30):
        await remove_favorite(acme, ids[2])
        service.clock.advance(hours=hours)
        assert (await add_favorite(acme, ids[2])).status_code == 201
        assert await list_favorites(acme) == ([ids[2], ids[0], ids[1]], False)
        await add_favorite(acme, ids[2])
        assert await list_favorites(acme) == ([ids[2], ids[0], ids[1]], False)
        for each in (ids[1], ids[0]):
            await remove_favorite(acme, each)
            await add_favorite(acme, each)


async def test_favorites_outlive_a_change_of_the_food(acme: httpx.AsyncClient) -> None:
    food_id = await new_food(acme)
    await add_favorite(acme, food_id)
    await acme.patch(f"/v1/foods/custom/{food_id}", json=ALICE | {"food_name": "Renamed"})
    [food] = (await acme.get("/v1/foods/favorites", params=ALICE)).json()["data"]
    assert food["food_name"] == "Renamed"


async def test_a_food_may_be_a_favorite_of_many_profiles(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    for owner in ("alice", "bob"):
        assert (await add_favorite(acme, BANANA.id, owner)).status_code == 201
    await remove_favorite(acme, BANANA.id)
    assert await list_favorites(acme, "bob") == ([BANANA.id], False)


async def test_a_profile_is_not_changed_by_its_favorites(acme: httpx.AsyncClient, service: Service) -> None:
    before = (await acme.get("/v1/profiles/alice")).json()
    service.clock.advance(minutes=1)
    await add_favorite(acme, BANANA.id)
    assert (await acme.get("/v1/profiles/alice")).json() == before


async def test_json_and_the_ids_of_the_public_client_are_taken(acme: httpx.AsyncClient) -> None:
    path = f"/v1/foods/favorites/{BANANA.id}"
    assert (await acme.post(path, json=ALICE | {"_id": BANANA.id})).status_code == 201
    assert (await acme.post(path, data=ALICE | {"_id": BANANA.id})).status_code == 200


@pytest.mark.parametrize("other", [COLA.id, "x", BANANA.id + " "])
async def test_an_id_in_the_body_that_is_not_the_paths_is_refused(acme: httpx.AsyncClient, other: str) -> None:
    response = await acme.post(f"/v1/foods/favorites/{BANANA.id}", json=ALICE | {"_id": other})
    assert faults(response) == [("_id", "not_allowed")]
    assert await list_favorites(acme) == ([], False)


@pytest.mark.parametrize("food_id", ["0" * 16, "short", "%00", "%F0%9F%8D%8C", "4006381333931", "custom"])
async def test_what_is_no_food_is_not_found(acme: httpx.AsyncClient, food_id: str) -> None:
    response = await add_favorite(acme, food_id)
    assert (response.status_code, response.json()["code"]) == (404, "food_not_found")


async def test_another_profiles_custom_food_is_not_found(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    response = await add_favorite(acme, await new_food(acme, "bob"))
    assert (response.status_code, response.json()["code"]) == (404, "food_not_found")
    assert await list_favorites(acme) == ([], False)


async def test_a_food_that_is_not_in_the_catalogue_now_is_not_found_and_stays_a_favorite(
    acme: httpx.AsyncClient, service: Service
) -> None:
    await add_favorite(acme, PLAIN.id)
    service.use_catalogue([BANANA])
    response = await add_favorite(acme, PLAIN.id)
    assert (response.status_code, response.json()["code"]) == (404, "food_not_found")
    service.use_catalogue([BANANA, PLAIN])
    assert await list_favorites(acme) == ([PLAIN.id], False)


async def test_a_deleted_custom_food_is_no_favorite_and_cannot_become_one(acme: httpx.AsyncClient) -> None:
    ids = await new_favorites(acme, 3)
    await acme.delete(f"/v1/foods/custom/{ids[1]}", params=ALICE)
    assert await list_favorites(acme) == ([ids[0], ids[2]], False)
    assert (await add_favorite(acme, ids[1])).json()["code"] == "food_not_found"
    # Its place is a cursor for a day, like that of any other that is removed.
    assert await list_favorites(acme, starting_after=ids[1]) == ([ids[2]], False)


async def test_the_profile_is_required_and_must_exist(acme: httpx.AsyncClient) -> None:
    assert faults(await acme.post(f"/v1/foods/favorites/{BANANA.id}")) == [("profile_reference_id", "required")]
    for food_id in (BANANA.id, "0" * 16, "short"):
        response = await add_favorite(acme, food_id, "nobody")
        assert (response.status_code, response.json()["code"]) == (404, "profile_not_found")


async def test_unknown_parameters_and_a_query_are_refused(acme: httpx.AsyncClient) -> None:
    path = f"/v1/foods/favorites/{BANANA.id}"
    response = await acme.post(path, json={"profile_reference": "alice"})
    assert ("profile_reference", "unknown_parameter") in faults(response)
    response = await acme.post(path, params=ALICE)
    assert faults(response) == [("profile_reference_id", "wrong_place")]


async def test_adding_needs_a_key_that_may_write(service: Service) -> None:
    assert (await add_favorite(await service.client("acme", Scope.READ), BANANA.id)).status_code == 403


async def test_the_same_food_added_by_many_clients_at_once_is_one_entry(acme: httpx.AsyncClient) -> None:
    custom = await new_food(acme)
    for food_id in (BANANA.id, custom):
        responses = await asyncio.gather(*(add_favorite(acme, food_id) for _ in range(32)))
        assert sorted(response.status_code for response in responses) == [200] * 31 + [201]
    assert await list_favorites(acme) == ([custom, BANANA.id], False)


async def test_foods_added_by_many_clients_at_once_have_a_place_each(acme: httpx.AsyncClient) -> None:
    ids = [await new_food(acme, food_name=f"Granola {number}") for number in range(32)]
    responses = await asyncio.gather(*(add_favorite(acme, id_) for id_ in ids))
    assert {response.status_code for response in responses} == {201}
    listed, _ = await list_favorites(acme, limit=100)
    assert sorted(listed) == sorted(ids)
    after, _ = await list_favorites(acme, limit=100, starting_after=listed[15])
    assert after == listed[16:]


async def test_adding_and_removing_at_once_ends_with_an_entry_or_none(acme: httpx.AsyncClient) -> None:
    for _ in range(5):
        racing = [call(acme, BANANA.id) for _ in range(12) for call in (add_favorite, remove_favorite)]
        responses = await asyncio.gather(*racing)
        assert {response.status_code for response in responses} <= {200, 201}
        listed = await list_favorites(acme)
        assert listed in (([BANANA.id], False), ([], False))
        # The next request agrees with the list about what there is.
        assert (await add_favorite(acme, BANANA.id)).status_code == (200 if listed[0] else 201)
        await remove_favorite(acme, BANANA.id)


async def test_a_custom_food_deleted_while_it_is_added_is_no_favorite(
    acme: httpx.AsyncClient, service: Service
) -> None:
    for _ in range(10):
        food_id = await new_food(acme)
        deleting = acme.delete(f"/v1/foods/custom/{food_id}", params=ALICE)
        added, deleted, _ = await asyncio.gather(add_favorite(acme, food_id), deleting, add_favorite(acme, food_id))
        assert (added.status_code in (200, 201, 404), deleted.status_code) == (True, 200)
    assert await list_favorites(acme) == ([], False)
    assert not await service.engine.all("SELECT food_id FROM favorites WHERE removed_at IS NULL")


async def test_foods_added_while_the_profile_is_deleted_are_nobodys(acme: httpx.AsyncClient) -> None:
    for _ in range(5):
        deleting = acme.delete("/v1/profiles/alice")
        added, *_ = await asyncio.gather(
            add_favorite(acme, BANANA.id), deleting, *(add_favorite(acme, COLA.id) for _ in range(8))
        )
        assert added.status_code in (201, 404)
        await new_profile(acme)
        assert await list_favorites(acme) == ([], False)
