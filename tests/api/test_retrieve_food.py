"""GET /v1/foods/{food_id}"""

from typing import Any

import httpx
import pytest

from provender.model.foods import serving_id
from provender.services.removal import Cleaner
from provender.storage import custom_foods
from tests.conftest import Service
from tests.kitchen import GRANOLA, MUESLI, new_food, new_profile
from tests.pantry import BANANA, COLA, COLA_AGAIN, PLAIN

GROUPS = {"vitamins", "minerals", "carbohydrates", "lipids", "proteins"}


async def test_a_food_has_the_interfaces_fields_for_one_serving(acme: httpx.AsyncClient) -> None:
    response = await acme.get(f"/v1/foods/{BANANA.id}")
    assert response.status_code == 200
    food = response.json()
    created_at = food.pop("created_at")
    assert food.pop("updated_at") == created_at == 1767225600000
    # 118 g of what the table says for 100 g: 89 * 1.18 = 105.02, in four significant digits.
    assert food == {
        "_id": BANANA.id,
        "food_name": "Bananas, raw",
        "food_type": "generic",
        "brand_name": None,
        "serving_description": "1 medium",
        "metric_serving_amount": 118,
        "metric_serving_unit": "g",
        "macro_nutrients": {
            "energy_kcal": 105,
            "total_fat_in_gm": 0.3894,
            "total_carbohydrates_in_gm": 26.95,
            "total_protein_in_gm": 1.286,
        },
        "water_in_gm": 88.39,
        "profile_reference_id": None,
    }


async def test_a_brand_food_names_its_brand(acme: httpx.AsyncClient) -> None:
    food = (await acme.get(f"/v1/foods/{COLA.id}")).json()
    assert (food["food_type"], food["brand_name"], food["metric_serving_unit"]) == ("brand", "Acme", "ml")
    assert food["macro_nutrients"] == {"energy_kcal": 138.6}


async def test_a_food_without_a_serving_is_shown_by_100_g(acme: httpx.AsyncClient) -> None:
    food = (await acme.get(f"/v1/foods/{PLAIN.id}")).json()
    assert (food["serving_description"], food["metric_serving_amount"]) == ("100 g", 100)
    assert food["food_name"] == PLAIN.name
    assert "water_in_gm" not in food


@pytest.mark.parametrize(
    "query",
    [
        "include[]=vitamins&include[]=minerals",
        "include=vitamins&include=minerals",
        "include[0]=vitamins&include[1]=minerals",
        "include=vitamins,minerals",
        "includes=vitamins,minerals",
    ],
)
async def test_each_included_group_is_added_and_no_other(acme: httpx.AsyncClient, query: str) -> None:
    food = (await acme.get(f"/v1/foods/{BANANA.id}?{query}")).json()
    assert food.keys() & GROUPS == {"vitamins", "minerals"}
    assert food["vitamins"] == {"vitamin_b6_in_mg": 0.4331, "vitamin_c_in_mg": 10.27}
    assert food["minerals"] == {"potassium_in_mg": 422.4}


async def test_an_included_group_of_which_nothing_is_known_is_empty(acme: httpx.AsyncClient) -> None:
    food = (await acme.get(f"/v1/foods/{PLAIN.id}", params={"include": ",".join(GROUPS)})).json()
    assert {group: food[group] for group in GROUPS} == {group: {} for group in GROUPS}


async def test_servings_can_be_included_each_with_an_id_of_its_own(acme: httpx.AsyncClient) -> None:
    servings: list[dict[str, Any]] = (await acme.get(f"/v1/foods/{BANANA.id}?include=servings")).json()["servings"]
    assert [(serving["serving_description"], serving["metric_serving_amount"]) for serving in servings] == [
        ("1 slice", 4.5),
        ("1 medium", 118),
        ("1 cup, mashed", 225),
        ("100 g", 100),
    ]
    ids = {serving["_id"] for serving in servings}
    assert len(ids) == 4
    assert all(len(id_) == 16 for id_ in ids)


async def test_an_unknown_include_is_refused_with_the_allowed_ones(acme: httpx.AsyncClient) -> None:
    response = await acme.get(f"/v1/foods/{BANANA.id}?include=vitamin")
    assert response.status_code == 400
    [fault] = response.json()["errors"]
    assert fault["param"] == "include"
    assert all(group in fault["message"] for group in GROUPS)


@pytest.mark.parametrize("food_id", ["0" * 16, "short", "%00", "a" * 300, "%F0%9F%8D%8C", "12345678901234"])
async def test_an_unknown_id_is_not_found(acme: httpx.AsyncClient, food_id: str) -> None:
    response = await acme.get(f"/v1/foods/{food_id}")
    assert response.status_code == 404
    assert response.json()["code"] == "food_not_found"


async def test_thirteen_digits_are_a_barcode(acme: httpx.AsyncClient) -> None:
    assert (await acme.get("/v1/foods/4006381333931")).json()["_id"] == COLA_AGAIN.id
    assert (await acme.get("/v1/foods/4006381333932")).json()["code"] == "invalid_barcode"
    assert (await acme.get("/v1/foods/0012345678905")).json()["code"] == "food_not_found"


async def test_a_caller_that_has_the_answer_already_gets_304(acme: httpx.AsyncClient) -> None:
    address = f"/v1/foods/{BANANA.id}"
    first = await acme.get(address)
    etag = first.headers["etag"]
    assert etag.startswith('"')
    for sent in (etag, f'"other", {etag}', f"W/{etag}", "*"):
        again = await acme.get(address, headers={"If-None-Match": sent})
        assert again.status_code == 304
        assert again.headers["etag"] == etag
        assert again.content == b""
    assert (await acme.get(address, headers={"If-None-Match": '"other"'})).status_code == 200


async def test_another_representation_has_another_etag(acme: httpx.AsyncClient) -> None:
    etags = {
        (await acme.get(f"/v1/foods/{BANANA.id}", params={"include": include})).headers["etag"]
        for include in ("", "vitamins", "minerals", "vitamins,minerals", "servings")
    }
    assert len(etags) == 5


async def test_a_key_is_needed(service: Service) -> None:
    stranger = await service.client_with(None)
    assert (await stranger.get(f"/v1/foods/{BANANA.id}")).status_code == 401


async def test_a_custom_food_is_found_by_its_id_whichever_profile_has_it(acme: httpx.AsyncClient) -> None:
    for name in ("alice", "bob"):
        await new_profile(acme, name)
        food_id = await new_food(acme, name)
        food = (await acme.get(f"/v1/foods/{food_id}")).json()
        assert food.items() >= (GRANOLA | {"_id": food_id, "profile_reference_id": name}).items()


async def test_a_custom_food_has_the_groups_that_are_asked_for_and_no_other(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    food_id = await new_food(acme, **MUESLI)
    assert (await acme.get(f"/v1/foods/{food_id}")).json().keys().isdisjoint(GROUPS)
    food = (await acme.get(f"/v1/foods/{food_id}?include[]=vitamins&include[]=lipids")).json()
    assert {group: food[group] for group in food.keys() & GROUPS} == {
        "vitamins": MUESLI["vitamins"],
        "lipids": MUESLI["lipids"],
    }


async def test_a_custom_food_has_its_members_in_the_order_of_the_catalogues(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    food_id = await new_food(acme, water_in_gm=1, vitamins={"own": 1})
    include = f"include={','.join(GROUPS)},servings"
    ours = (await acme.get(f"/v1/foods/{food_id}?{include}")).json()
    theirs = (await acme.get(f"/v1/foods/{BANANA.id}?{include}")).json()
    assert list(ours) == list(theirs)


@pytest.mark.parametrize(
    ("unit", "description", "expected"),
    [
        ("g", "1 bowl", [("1 bowl", 60), ("100 g", 100)]),
        ("ml", "1 glass", [("1 glass", 60), ("100 ml", 100)]),
        ("oz", "1 bag", [("1 bag", 60)]),
        ("g", "100 g", [("100 g", 60)]),
        ("ml", "100 g", [("100 g", 60), ("100 ml", 100)]),
    ],
)
async def test_the_servings_of_a_custom_food_are_its_own_and_100_g_or_ml(
    acme: httpx.AsyncClient, unit: str, description: str, expected: list[tuple[str, int]]
) -> None:
    await new_profile(acme)
    food_id = await new_food(acme, metric_serving_unit=unit, serving_description=description)
    servings = (await acme.get(f"/v1/foods/{food_id}?include=servings")).json()["servings"]
    assert [(each["serving_description"], each["metric_serving_amount"]) for each in servings] == expected
    assert {each["metric_serving_unit"] for each in servings} == {unit}
    assert [each["_id"] for each in servings] == [serving_id(food_id, each) for each, _ in expected]


async def test_a_custom_foods_etag_changes_with_its_answer(acme: httpx.AsyncClient, service: Service) -> None:
    await new_profile(acme)
    food_id = await new_food(acme, **MUESLI)
    address = f"/v1/foods/{food_id}"
    first = await acme.get(address)
    known = {"If-None-Match": first.headers["etag"]}
    again = await acme.get(address, headers=known)
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert (await acme.get(f"{address}?include=vitamins", headers=known)).status_code == 200
    await acme.patch(f"/v1/foods/custom/{food_id}", json={"profile_reference_id": "alice", "food_name": "Bircher"})
    changed = await acme.get(address, headers=known)
    assert (changed.status_code, changed.json()["food_name"]) == (200, "Bircher")


async def test_a_food_of_the_catalogue_is_answered_without_the_storage(
    acme: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def find_food(*_: object) -> None:
        raise AssertionError("The storage was asked.")

    monkeypatch.setattr(custom_foods, "find_food", find_food)
    assert (await acme.get(f"/v1/foods/{BANANA.id}")).status_code == 200


async def test_a_deleted_profiles_foods_are_gone_from_the_answer_on(
    acme: httpx.AsyncClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before their rows are: the cleaner is kept from its work."""
    monkeypatch.setattr(Cleaner, "wake", lambda _: None)
    await new_profile(acme)
    food_id = await new_food(acme, **MUESLI)
    await acme.delete("/v1/profiles/alice")
    assert await service.engine.all("SELECT id FROM custom_foods")
    assert (await acme.get(f"/v1/foods/{food_id}")).json()["code"] == "food_not_found"
    # Nor does a new profile of that name have them.
    await new_profile(acme)
    assert (await acme.get("/v1/foods/custom?profile_reference_id=alice")).json()["data"] == []
    assert (await acme.get(f"/v1/foods/{food_id}")).json()["code"] == "food_not_found"
    by_barcode = await acme.get(f"/v1/foods/barcode?profile_reference_id=alice&barcode={MUESLI['barcode']}")
    assert by_barcode.json()["code"] == "food_not_found"
    deleted = await acme.delete(f"/v1/foods/custom/{food_id}?profile_reference_id=alice")
    assert deleted.json()["code"] == "food_not_found"


@pytest.mark.parametrize("nothing", ["include=", "include[]=", "include[]=&include[]="])
async def test_no_group_is_included_by_an_empty_name(acme: httpx.AsyncClient, nothing: str) -> None:
    path = f"/v1/foods/{BANANA.id}"
    assert (await acme.get(f"{path}?{nothing}")).json() == (await acme.get(path)).json()
