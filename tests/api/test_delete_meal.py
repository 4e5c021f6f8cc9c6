"""DELETE /v1/saved-meals/{meal_id}"""

import asyncio

import httpx
import pytest

from provender.model.access import Scope
from tests.conftest import Service
from tests.kitchen import faults, new_profile
from tests.menu import log_meal, logs, meal, new_meal, page_of
from tests.pantry import BANANA


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


@pytest.mark.parametrize("owner", [{}, {"profile_reference_id": "alice"}])
async def test_a_deleted_meal_is_gone(acme: httpx.AsyncClient, owner: dict[str, str]) -> None:
    meal_id, other = await new_meal(acme, [BANANA.id]), await new_meal(acme, [BANANA.id])
    response = await acme.delete(f"/v1/saved-meals/{meal_id}", params=owner)
    assert (response.status_code, response.json()) == (200, {"_id": meal_id, "deleted": True})
    for again in (
        await acme.get(f"/v1/saved-meals/{meal_id}"),
        await acme.delete(f"/v1/saved-meals/{meal_id}"),
        await log_meal(acme, meal_id),
    ):
        assert (again.status_code, again.json()["code"]) == (404, "meal_not_found")
    page, _ = await page_of(acme, "/v1/saved-meals")
    assert [each["_id"] for each in page] == [other]


async def test_a_deleted_meal_is_no_cursor(acme: httpx.AsyncClient) -> None:
    meal_id = await new_meal(acme, [BANANA.id])
    await acme.delete(f"/v1/saved-meals/{meal_id}")
    response = await acme.get(f"/v1/saved-meals?profile_reference_id=alice&starting_after={meal_id}")
    assert (response.status_code, response.json()["code"]) == (400, "invalid_cursor")


async def test_what_was_logged_of_it_stays(acme: httpx.AsyncClient) -> None:
    meal_id = await new_meal(acme, [BANANA.id])
    await log_meal(acme, meal_id)
    before = await logs(acme)
    await acme.delete(f"/v1/saved-meals/{meal_id}")
    assert len(before) == 1
    assert await logs(acme) == before


async def test_another_profiles_meal_is_not_found(acme: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    meal_id = await new_meal(acme, [BANANA.id])
    for id_, owner in ((meal_id, "bob"), (meal_id, "nobody"), ("0" * 16, "alice"), ("x", "alice")):
        response = await acme.delete(f"/v1/saved-meals/{id_}", params={"profile_reference_id": owner})
        assert (response.status_code, response.json()["code"]) == (404, "meal_not_found")
    assert await meal(acme, meal_id)


async def test_of_deletions_at_once_one_finds_it(acme: httpx.AsyncClient) -> None:
    meal_id = await new_meal(acme, [BANANA.id])
    answers = await asyncio.gather(*(acme.delete(f"/v1/saved-meals/{meal_id}") for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [404] * 7


async def test_a_read_key_and_unknown_parameters_delete_nothing(acme: httpx.AsyncClient, service: Service) -> None:
    meal_id = await new_meal(acme, [BANANA.id])
    reader = await service.client("acme", Scope.READ)
    assert (await reader.delete(f"/v1/saved-meals/{meal_id}")).status_code == 403
    response = await acme.delete(f"/v1/saved-meals/{meal_id}?reference_id=alice")
    assert faults(response) == [("reference_id", "unknown_parameter")]
    assert await meal(acme, meal_id)
