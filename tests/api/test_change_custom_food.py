"""PATCH /v1/foods/custom/{food_id}"""

import asyncio
from typing import Any

import httpx
import pytest

from provender.model.access import Scope
from tests.conftest import Service
from tests.kitchen import MUESLI, faults, new_food, new_profile
from tests.pantry import BANANA

GROUPS = ("vitamins", "minerals", "carbohydrates", "lipids", "proteins")
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
async def muesli(acme: httpx.AsyncClient) -> str:
    await new_profile(acme)
    return await new_food(acme, **MUESLI)


async def _change(client: httpx.AsyncClient, food_id: str, **parameters: Any) -> httpx.Response:
    return await client.patch(f"/v1/foods/custom/{food_id}", json={"profile_reference_id": "alice"} | parameters)


async def _food(client: httpx.AsyncClient, food_id: str) -> dict[str, Any]:
    food: dict[str, Any] = (await client.get(f"/v1/foods/{food_id}", params={"include": ",".join(GROUPS)})).json()
    return food


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("food_name", "Bircher"),
        ("brand_name", "Alnatura"),
        ("serving_description", "2 spoons"),
        ("metric_serving_amount", 30),
        ("metric_serving_unit", "oz"),
        ("barcode", "4006381333931"),
        ("water_in_gm", 1.5),
    ],
)
async def test_only_what_is_sent_is_changed(
    acme: httpx.AsyncClient, service: Service, muesli: str, name: str, value: object
) -> None:
    before = await _food(acme, muesli)
    service.clock.advance(seconds=1)
    response = await _change(acme, muesli, **{name: value})
    assert response.status_code == 200
    assert response.json() == before | {name: value, "updated_at": before["updated_at"] + 1000}
    assert await _food(acme, muesli) == response.json()


async def test_a_form_changes_as_json_does(acme: httpx.AsyncClient, muesli: str) -> None:
    form = "profile_reference_id=alice&food_name=Bircher&barcode=&minerals[iron_in_mg]=&minerals[zinc_in_mg]=2"
    response = await acme.patch(f"/v1/foods/custom/{muesli}", content=form, headers=FORM)
    food = response.json()
    assert (food["food_name"], food["minerals"], "barcode" in food) == ("Bircher", {"zinc_in_mg": 2}, False)


async def test_a_group_is_changed_member_by_member(acme: httpx.AsyncClient, muesli: str) -> None:
    before = await _food(acme, muesli)
    sent = {"vitamin_c_in_mg": 5, "vitamin_a_in_mcg": 7, "own": 1}
    response = await _change(acme, muesli, vitamins=sent)
    assert response.json()["vitamins"] == {"vitamin_b6_in_mg": 0.367, **sent}
    assert list(response.json()["vitamins"]) == ["vitamin_a_in_mcg", "vitamin_b6_in_mg", "vitamin_c_in_mg", "own"]
    assert {group: response.json()[group] for group in GROUPS[1:]} == {group: before[group] for group in GROUPS[1:]}
    assert response.json()["macro_nutrients"] == before["macro_nutrients"]


async def test_a_member_that_is_null_becomes_unknown(acme: httpx.AsyncClient, muesli: str) -> None:
    response = await _change(acme, muesli, macro_nutrients={"energy_kcal": None, "never_known": None}, water_in_gm=None)
    assert response.json()["macro_nutrients"] == {"total_fat_in_gm": 2}
    assert "water_in_gm" not in response.json()
    assert await _food(acme, muesli) == response.json()


async def test_a_group_that_is_null_becomes_empty_and_one_without_members_stays(
    acme: httpx.AsyncClient, muesli: str
) -> None:
    response = await _change(acme, muesli, vitamins=None, macro_nutrients=None, minerals={})
    food = response.json()
    assert (food["vitamins"], food["macro_nutrients"], food["minerals"]) == ({}, {}, MUESLI["minerals"])
    form = "profile_reference_id=alice&minerals="
    by_form = await acme.patch(f"/v1/foods/custom/{muesli}", content=form, headers=FORM)
    assert by_form.json()["minerals"] == {}


async def test_a_group_has_at_most_100_members_after_the_change(acme: httpx.AsyncClient, muesli: str) -> None:
    full = {f"own_{number}": number for number in range(98)}
    assert (await _change(acme, muesli, vitamins=full)).status_code == 200
    before = await _food(acme, muesli)
    more = await _change(acme, muesli, vitamins={"one_more": 1})
    assert faults(more) == [("vitamins", "too_many")]
    assert await _food(acme, muesli) == before
    swapped = await _change(acme, muesli, vitamins={"one_more": 1, "own_0": None})
    assert len(swapped.json()["vitamins"]) == 100


async def test_a_change_to_what_it_is_already_is_no_change(
    acme: httpx.AsyncClient, service: Service, muesli: str
) -> None:
    before = await _food(acme, muesli)
    service.clock.advance(seconds=1)
    sent: dict[str, Any]
    for sent in [{}, MUESLI, {"vitamins": {}}, {"macro_nutrients": {"total_fat_in_gm": 2.0, "never_known": None}}]:
        response = await _change(acme, muesli, **sent)
        assert response.json() == before


async def test_brand_and_type_are_judged_after_the_change(acme: httpx.AsyncClient, muesli: str) -> None:
    granola = await new_food(acme)
    refused: list[tuple[str, dict[str, Any], str]] = [
        (granola, {"brand_name": "Kellogg's"}, "not_combinable"),
        (granola, {"food_type": "brand"}, "required"),
        (muesli, {"food_type": "generic"}, "not_combinable"),
        (muesli, {"brand_name": None}, "required"),
    ]
    for food_id, sent, code in refused:
        before = await _food(acme, food_id)
        assert faults(await _change(acme, food_id, **sent)) == [("brand_name", code)]
        assert await _food(acme, food_id) == before
    branded = (await _change(acme, granola, food_type="brand", brand_name="Kellogg's")).json()
    assert (branded["food_type"], branded["brand_name"]) == ("brand", "Kellogg's")
    generic = (await _change(acme, muesli, food_type="generic", brand_name=None)).json()
    assert (generic["food_type"], generic["brand_name"]) == ("generic", None)


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("food_name", None, "null_not_allowed"),
        ("food_name", "", "too_short"),
        ("serving_description", "a\x00", "invalid_character"),
        ("metric_serving_amount", None, "null_not_allowed"),
        ("metric_serving_amount", 0, "out_of_range"),
        ("metric_serving_unit", "kg", "not_allowed"),
        ("food_type", None, "null_not_allowed"),
        ("macro_nutrients", 5, "wrong_type"),
        ("_id", "x", "unknown_parameter"),
        ("reference_id", "alice", "unknown_parameter"),
        ("created_at", 5, "unknown_parameter"),
    ],
)
async def test_a_value_that_does_not_fit_is_refused(
    acme: httpx.AsyncClient, muesli: str, name: str, value: object, code: str
) -> None:
    before = await _food(acme, muesli)
    assert faults(await _change(acme, muesli, **{name: value})) == [(name, code)]
    assert await _food(acme, muesli) == before


async def test_a_wrong_barcode_is_refused_and_null_takes_it_away(acme: httpx.AsyncClient, muesli: str) -> None:
    refused = await _change(acme, muesli, barcode="036000291452")
    assert refused.json()["code"] == "invalid_barcode"
    assert "0036000291452" in refused.json()["detail"]
    assert "barcode" not in (await _change(acme, muesli, barcode=None)).json()


async def test_the_owner_is_required(acme: httpx.AsyncClient, muesli: str) -> None:
    response = await acme.patch(f"/v1/foods/custom/{muesli}", json={"food_name": "Bircher"})
    assert faults(response) == [("profile_reference_id", "required")]
    in_query = await acme.patch(f"/v1/foods/custom/{muesli}?profile_reference_id=alice", json={"food_name": "Bircher"})
    assert faults(in_query) == [("profile_reference_id", "wrong_place")]


async def test_anothers_food_and_one_of_the_catalogue_are_not_found(acme: httpx.AsyncClient, muesli: str) -> None:
    await new_profile(acme, "bob")
    before = await _food(acme, muesli)
    by_bob = await _change(acme, muesli, profile_reference_id="bob", food_name="Bircher")
    answers = [by_bob] + [
        await _change(acme, food_id, food_name="Bircher") for food_id in (BANANA.id, "0" * 16, "short", "%00")
    ]
    for response in answers:
        assert response.status_code == 404
        assert response.json()["code"] == "food_not_found"
    assert await _food(acme, muesli) == before
    nobody = await _change(acme, muesli, profile_reference_id="nobody")
    assert (nobody.status_code, nobody.json()["code"]) == (404, "profile_not_found")


async def test_changes_at_once_to_different_members_are_all_kept(acme: httpx.AsyncClient, muesli: str) -> None:
    """Each reads the food and writes it back; none of them may write back what another has changed meanwhile."""
    responses = await asyncio.gather(
        *(_change(acme, muesli, vitamins={f"own_{number}": number}) for number in range(32))
    )
    assert {response.status_code for response in responses} == {200}
    expected = MUESLI["vitamins"] | {f"own_{number}": number for number in range(32)}
    assert (await _food(acme, muesli))["vitamins"] == expected


async def test_changing_and_deleting_at_once_leaves_no_word_behind(
    acme: httpx.AsyncClient, service: Service, muesli: str
) -> None:
    for number in range(10):
        food_id = await new_food(acme, food_name="Porridge")
        delete = acme.delete(f"/v1/foods/custom/{food_id}?profile_reference_id=alice")
        renames = [_change(acme, food_id, food_name=f"Bircher {number} {each}") for each in range(4)]
        statuses = [response.status_code for response in await asyncio.gather(*renames, delete)]
        assert statuses[-1] == 200
        assert set(statuses) <= {200, 404}
    left = await service.engine.all("SELECT DISTINCT food_id FROM custom_food_words")
    assert [row[0] for row in left] == [muesli]


async def test_changing_needs_a_key_that_may_write(service: Service, muesli: str) -> None:
    assert (await _change(await service.client("acme", Scope.READ), muesli)).status_code == 403
