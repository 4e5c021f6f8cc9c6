"""GET /v1/foods/{food_id}/provenance"""

from dataclasses import replace
from typing import Any

import httpx
import pytest

from provender.catalogue.arranging import DOCUMENTATION
from provender.catalogue.origins import PUBLICATIONS
from provender.model.access import Scope
from tests.conftest import Service
from tests.kitchen import new_food, new_profile
from tests.pantry import BANANA, COLA, COLA_AGAIN
from tests.storage.recording import RecordingEngine

BUILT_AT = 1767225600000


async def _get(client: httpx.AsyncClient, food_id: str) -> dict[str, Any]:
    response = await client.get(f"/v1/foods/{food_id}/provenance")
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


async def test_a_food_of_usda(acme: httpx.AsyncClient) -> None:
    assert await _get(acme, BANANA.id) == {
        "_id": BANANA.id,
        "source": "usda",
        "source_key": "09040",
        "source_name": "USDA National Nutrient Database for Standard Reference, Release 28",
        "dataset": "sr28",
        "release": "1",
        "imported_at": BUILT_AT,
        "url": None,
        "license": "CC0-1.0",
        "is_listed": True,
        "calculated": [],
        "profile_reference_id": None,
        "created_at": BUILT_AT,
    }


async def test_a_product_of_open_food_facts_has_its_page(acme: httpx.AsyncClient) -> None:
    found = await _get(acme, COLA.id)
    assert (found["source"], found["source_key"]) == ("off", "4006381333931")
    assert found["url"] == "https://world.openfoodfacts.org/product/4006381333931"
    assert (found["source_name"], found["license"]) == ("Open Food Facts", "ODbL-1.0")
    # Another source has the same barcode, and no page of it whose address lasts.
    assert (await _get(acme, COLA_AGAIN.id))["url"] is None


async def test_a_food_of_an_operators_own_table(service: Service, acme: httpx.AsyncClient) -> None:
    own = replace(BANANA, source="canteen", dataset="canteen", source_key="7/a b", computed=frozenset({"energy_kcal"}))
    service.use_catalogue([own])
    found = await _get(acme, own.id)
    assert (found["source"], found["source_key"], found["source_name"]) == ("canteen", "7/a b", "canteen")
    assert (found["url"], found["license"]) == (None, None)
    assert found["calculated"] == ["energy_kcal"]


async def test_the_record_that_answers_is_the_one_that_is_told(service: Service, acme: httpx.AsyncClient) -> None:
    service.use_catalogue([BANANA, replace(BANANA, dataset="foundation", computed=frozenset({"net_carbs_in_g"}))])
    found = await _get(acme, BANANA.id)
    assert (found["source"], found["dataset"], found["calculated"]) == ("usda", "foundation", ["net_carbs_in_g"])


async def test_a_custom_food_is_its_profiles(service: Service, acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    food_id = await new_food(acme)
    created_at = (await acme.get(f"/v1/foods/{food_id}")).json()["created_at"]
    assert await _get(await service.client("acme", Scope.READ), food_id) == {
        "_id": food_id,
        "source": "custom",
        "source_key": None,
        "source_name": "Custom food",
        "dataset": None,
        "release": None,
        "imported_at": None,
        "url": None,
        "license": None,
        "is_listed": True,
        "calculated": [],
        "profile_reference_id": "alice",
        "created_at": created_at,
    }


async def test_a_custom_food_takes_one_statement(
    recording: RecordingEngine, service: Service, acme: httpx.AsyncClient
) -> None:
    await new_profile(acme)
    food_id = await new_food(acme)
    # That the key was used today is noted beside its first request.
    await service.app.services.authenticator.finish()
    recording.take()
    await _get(acme, food_id)
    assert len(recording.take()) == 1


@pytest.mark.parametrize("food_id", ["0" * 16, COLA.barcode, "4006381333930", "a%2Fb", "%F0%9F%8D%8C"])
async def test_what_is_no_id_of_a_food_is_not_found(acme: httpx.AsyncClient, food_id: str) -> None:
    response = await acme.get(f"/v1/foods/{food_id}/provenance")
    assert response.status_code == 404
    assert response.json()["code"] == "food_not_found"


async def test_a_custom_food_of_another_application_is_not_found(
    acme: httpx.AsyncClient, globex: httpx.AsyncClient
) -> None:
    await new_profile(acme)
    response = await globex.get(f"/v1/foods/{await new_food(acme)}/provenance")
    assert (response.status_code, response.json()["code"]) == (404, "food_not_found")


@pytest.mark.parametrize("word", ["search", "barcode"])
async def test_a_word_of_another_path_is_no_food(acme: httpx.AsyncClient, word: str) -> None:
    response = await acme.get(f"/v1/foods/{word}/provenance")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_every_dataset_that_is_known_has_a_name_and_a_licence() -> None:
    assert PUBLICATIONS.keys() == DOCUMENTATION.keys()
