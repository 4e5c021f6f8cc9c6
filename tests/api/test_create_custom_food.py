"""POST /v1/foods/custom"""

import asyncio
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from provender.model.access import Scope
from tests.conftest import Service
from tests.kitchen import GRANOLA, MUESLI, faults, new_food, new_profile

ALL = "vitamins,minerals,carbohydrates,lipids,proteins"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def _create(client: httpx.AsyncClient, **parameters: Any) -> httpx.Response:
    return await client.post("/v1/foods/custom", json=GRANOLA | {"profile_reference_id": "alice"} | parameters)


async def _food(client: httpx.AsyncClient, food_id: str) -> dict[str, Any]:
    food: dict[str, Any] = (await client.get(f"/v1/foods/{food_id}", params={"include": ALL})).json()
    return food


async def test_a_created_food_is_confirmed_with_its_id(acme: httpx.AsyncClient) -> None:
    response = await _create(acme)
    assert response.status_code == 201
    confirmation = response.json()
    assert len(confirmation.pop("_id")) == 16
    assert confirmation == {"created": True}


async def test_what_was_sent_is_what_is_retrieved(acme: httpx.AsyncClient, service: Service) -> None:
    food_id = await new_food(acme, **MUESLI)
    now = round(service.clock().timestamp() * 1000)
    expected = MUESLI | {
        "_id": food_id,
        "macro_nutrients": {"energy_kcal": 163.5, "total_fat_in_gm": 2},
        "profile_reference_id": "alice",
        "created_at": now,
        "updated_at": now,
    }
    assert await _food(acme, food_id) == expected


async def test_what_was_not_sent_is_absent_empty_or_its_default(acme: httpx.AsyncClient) -> None:
    food = await _food(acme, await new_food(acme))
    assert food["food_type"] == "generic"
    assert food["brand_name"] is None
    assert food["macro_nutrients"] == {}
    assert [food[group] for group in ALL.split(",")] == [{}] * 5
    assert food.keys().isdisjoint({"water_in_gm", "barcode", "servings"})


async def test_brackets_in_a_form_and_json_mean_the_same(acme: httpx.AsyncClient) -> None:
    pairs: list[tuple[str, str]] = [("profile_reference_id", "alice")]
    for name, value in MUESLI.items():
        if isinstance(value, dict):
            pairs += [(f"{name}[{member}]", "" if number is None else str(number)) for member, number in value.items()]
        else:
            pairs.append((name, str(value)))
    by_form = await acme.post("/v1/foods/custom", content=urlencode(pairs), headers=FORM)
    assert by_form.status_code == 201
    ours, theirs = await _food(acme, by_form.json()["_id"]), await _food(acme, await new_food(acme, **MUESLI))
    assert ours.pop("_id") != theirs.pop("_id")
    assert ours == theirs


@pytest.mark.parametrize(
    "missing",
    ["food_name", "serving_description", "metric_serving_amount", "metric_serving_unit", "profile_reference_id"],
)
async def test_each_required_parameter_is_required(acme: httpx.AsyncClient, missing: str) -> None:
    body = {name: value for name, value in (GRANOLA | {"profile_reference_id": "alice"}).items() if name != missing}
    for response in [
        await acme.post("/v1/foods/custom", json=body),
        await acme.post("/v1/foods/custom", data=body),
        await acme.post("/v1/foods/custom", json=body | {missing: None}),
    ]:
        assert [param for param, _ in faults(response)] == [missing]


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("food_name", "", "too_short"),
        ("food_name", "x" * 256, "too_long"),
        ("food_name", "a\nb", "invalid_character"),
        ("food_name", 5, "wrong_type"),
        ("brand_name", "a\x00b", "invalid_character"),
        ("serving_description", "x" * 256, "too_long"),
        ("metric_serving_amount", 0, "out_of_range"),
        ("metric_serving_amount", -5, "out_of_range"),
        ("metric_serving_amount", 1.5, "wrong_type"),
        ("metric_serving_amount", "60", "wrong_type"),
        ("metric_serving_amount", True, "wrong_type"),
        ("metric_serving_amount", 10**9 + 1, "out_of_range"),
        ("metric_serving_unit", "kg", "not_allowed"),
        ("metric_serving_unit", "G", "not_allowed"),
        ("food_type", "branded", "not_allowed"),
        ("food_type", None, "null_not_allowed"),
        ("profile_reference_id", "", "too_short"),
        ("profile_reference_id", "..", "not_allowed"),
        ("water_in_gm", -1, "out_of_range"),
        ("water_in_gm", "1", "wrong_type"),
        ("barcode", 4006381333931, "wrong_type"),
        ("macro_nutrients", 5, "wrong_type"),
        ("macro_nutrients", [5], "wrong_type"),
        ("vitamins", {f"m{n}": 1 for n in range(101)}, "too_many"),
    ],
)
async def test_a_value_that_does_not_fit_is_refused(
    acme: httpx.AsyncClient, name: str, value: object, code: str
) -> None:
    assert faults(await _create(acme, **{name: value})) == [(name, code)]
    assert (await acme.get("/v1/foods/custom?profile_reference_id=alice")).json()["data"] == []


@pytest.mark.parametrize("unit", ["g", "ml", "oz"])
@pytest.mark.parametrize("amount", [1, 10**9])
async def test_every_unit_and_any_whole_amount_is_taken(acme: httpx.AsyncClient, unit: str, amount: int) -> None:
    food = await _food(acme, await new_food(acme, metric_serving_unit=unit, metric_serving_amount=amount))
    assert (food["metric_serving_amount"], food["metric_serving_unit"]) == (amount, unit)


@pytest.mark.parametrize("name", ["🍌" * 255, "ä" * 255, "a'b\"c", "<b>&amp;", "  spaces  ", "\u200d", "%2F+%"])
async def test_a_name_is_kept_exactly_as_sent(acme: httpx.AsyncClient, name: str) -> None:
    food_id = await new_food(acme, food_name=name, serving_description=name, food_type="brand", brand_name=name)
    food = await _food(acme, food_id)
    assert food["food_name"] == food["brand_name"] == food["serving_description"] == name


async def test_words_that_are_longer_than_an_index_takes_are_no_fault(acme: httpx.AsyncClient) -> None:
    """Each of these signs is five letters of three bytes once it is decomposed."""
    name = "\u3300" * 255
    assert (await _food(acme, await new_food(acme, food_name=name)))["food_name"] == name
    many = " ".join(f"{number:x}" for number in range(70))
    assert (await _food(acme, await new_food(acme, food_name=many)))["food_name"] == many


@pytest.mark.parametrize("brand", ["Kellogg's", None, ""])
@pytest.mark.parametrize("food_type", ["generic", None])
async def test_brand_name_on_a_generic_food_is_refused(
    acme: httpx.AsyncClient, brand: str | None, food_type: str | None
) -> None:
    sent = GRANOLA | {"profile_reference_id": "alice"} | ({} if food_type is None else {"food_type": food_type})
    as_form = await acme.post("/v1/foods/custom", data=sent | ({} if brand is None else {"brand_name": brand}))
    if brand:
        assert faults(as_form) == [("brand_name", "not_combinable")]
        assert faults(await acme.post("/v1/foods/custom", json=sent | {"brand_name": brand})) == faults(as_form)
    else:
        # An empty value of a form is null, and so there is none.
        assert as_form.status_code == 201


@pytest.mark.parametrize("sent", [{}, {"brand_name": None}])
async def test_a_brand_food_needs_the_name_of_its_brand(acme: httpx.AsyncClient, sent: dict[str, Any]) -> None:
    assert faults(await _create(acme, food_type="brand", **sent)) == [("brand_name", "required")]


async def test_a_wrong_food_type_is_not_blamed_on_the_brand(acme: httpx.AsyncClient) -> None:
    response = await _create(acme, food_type="Brand", brand_name="Kellogg's")
    assert faults(response) == [("food_type", "not_allowed")]


@pytest.mark.parametrize(
    ("value", "kept"),
    [(0, 0), (-0.0, 0), (0.1, 0.1), (89, 89), (89.0, 89), (1e-7, 1e-7), (1e300, 1e300), (123456.789, 123456.789)],
)
async def test_a_nutrient_is_any_number_that_is_not_below_zero(
    acme: httpx.AsyncClient, value: float, kept: float
) -> None:
    food_id = await new_food(acme, macro_nutrients={"energy_kcal": value}, water_in_gm=value)
    food = await _food(acme, food_id)
    assert food["macro_nutrients"] == {"energy_kcal": kept}
    assert food["water_in_gm"] == kept
    if kept < 1e300:
        assert isinstance(food["water_in_gm"], int) == isinstance(food["macro_nutrients"]["energy_kcal"], int)
        assert isinstance(food["water_in_gm"], type(kept))


@pytest.mark.parametrize("group", ["macro_nutrients", *ALL.split(",")])
async def test_a_group_may_have_members_of_other_names(acme: httpx.AsyncClient, group: str) -> None:
    members = {"z": 1.5, "a_2": 2, "x" * 64: 3} | {f"own_{number}": number for number in range(97)}
    assert len(members) == 100
    assert (await _food(acme, await new_food(acme, **{group: members})))[group] == members
    for name in ("Z", "2a", "_a", "a-b", "x" * 65, "", "ä"):
        response = await _create(acme, **{group: {name: 1}})
        [(param, code)] = faults(response)
        assert (param[: len(group)], code) == (group, "invalid_name")


async def test_known_members_come_in_the_registrys_order_and_others_after_them(acme: httpx.AsyncClient) -> None:
    sent = {"zinc_in_mg": 1, "own": 2, "sodium_in_mg": 3, "another": 4}
    food = await _food(acme, await new_food(acme, minerals=sent))
    assert list(food["minerals"]) == ["sodium_in_mg", "zinc_in_mg", "own", "another"]


async def test_null_is_what_nobody_knows(acme: httpx.AsyncClient) -> None:
    unknown = {"macro_nutrients": {"energy_kcal": None}, "vitamins": None, "water_in_gm": None, "barcode": None}
    food = await _food(acme, await new_food(acme, **unknown))
    assert food["macro_nutrients"] == food["vitamins"] == {}
    assert food.keys().isdisjoint({"water_in_gm", "barcode"})
    form = urlencode(GRANOLA | {"profile_reference_id": "alice", "vitamins": "", "water_in_gm": "", "barcode": ""})
    assert (await acme.post("/v1/foods/custom", content=form, headers=FORM)).status_code == 201


@pytest.mark.parametrize("pairs", ["vitamins=&vitamins[a]=1", "vitamins[a]=1&vitamins=", "vitamins=&vitamins="])
async def test_a_group_cannot_be_null_and_have_members(acme: httpx.AsyncClient, pairs: str) -> None:
    form = f"{urlencode(GRANOLA | {'profile_reference_id': 'alice'})}&{pairs}"
    assert faults(await acme.post("/v1/foods/custom", content=form, headers=FORM)) == [("vitamins", "duplicate")]


@pytest.mark.parametrize(
    ("sent", "advised"),
    [
        ("036000291452", "0036000291452"),
        ("96385074", "0000096385074"),
        ("4006381333932", "right check digit"),
        ("banana", "13 digits"),
        ("1" * 100, "13 digits"),
        ("\x00", "13 digits"),
    ],
)
async def test_a_barcode_that_is_no_gtin_13_is_refused_with_what_to_send(
    acme: httpx.AsyncClient, sent: str, advised: str
) -> None:
    looked_up = await acme.get("/v1/foods/barcode", params={"barcode": sent})
    for response in [
        await _create(acme, barcode=sent),
        await acme.post("/v1/foods/custom", data=GRANOLA | {"profile_reference_id": "alice", "barcode": sent}),
    ]:
        assert response.status_code == 400
        assert response.json()["code"] == "invalid_barcode"
        assert response.json()["detail"] == looked_up.json()["detail"]
        assert advised in response.json()["detail"]


async def test_a_wrong_barcode_among_other_faults_is_one_of_them(acme: httpx.AsyncClient) -> None:
    response = await _create(acme, barcode="036000291452", metric_serving_unit="kg")
    assert faults(response) == [("metric_serving_unit", "not_allowed"), ("barcode", "invalid_barcode")]
    assert "0036000291452" in response.json()["errors"][1]["message"]
    misplaced = await acme.post(
        "/v1/foods/custom?barcode=1", json=GRANOLA | {"profile_reference_id": "alice", "barcode": "1"}
    )
    assert faults(misplaced) == [("barcode", "wrong_place"), ("barcode", "invalid_barcode")]


async def test_all_faults_come_at_once(acme: httpx.AsyncClient) -> None:
    response = await acme.post(
        "/v1/foods/custom",
        json={
            "food_name": "",
            "metric_serving_amount": 0,
            "metric_serving_unit": "kg",
            "profile_reference_id": "nobody",
            "brand_name": "Kellogg's",
            "barcode": "1",
            "macro_nutrient": {"energy_kcal": 1},
            "vitamins": {"Vitamin C": 1, "vitamin_c_in_mg": -1},
        },
    )
    assert faults(response) == [
        ("food_name", "too_short"),
        ("metric_serving_amount", "out_of_range"),
        ("metric_serving_unit", "not_allowed"),
        ("barcode", "invalid_barcode"),
        ("macro_nutrient", "unknown_parameter"),
        ("vitamins[Vitamin C]", "invalid_name"),
        ("vitamins[vitamin_c_in_mg]", "out_of_range"),
        ("serving_description", "required"),
        ("brand_name", "not_combinable"),
    ]
    assert "macro_nutrients" in response.json()["errors"][4]["message"]


async def test_reference_id_in_the_body_is_read_past(acme: httpx.AsyncClient) -> None:
    """The public client library of this interface sends it."""
    for value in ("someone", None, 5, ["x"]):
        food_id = await new_food(acme, reference_id=value)
        assert (await _food(acme, food_id))["profile_reference_id"] == "alice"
    form = GRANOLA | {"profile_reference_id": "alice", "reference_id": "someone"}
    assert (await acme.post("/v1/foods/custom", data=form)).status_code == 201
    # It is no other parameter's name, though.
    alone = await acme.post("/v1/foods/custom", json=GRANOLA | {"reference_id": "alice"})
    assert faults(alone) == [("profile_reference_id", "required")]


async def test_an_unknown_profile_is_not_found(acme: httpx.AsyncClient) -> None:
    response = await _create(acme, profile_reference_id="nobody")
    assert response.status_code == 404
    assert response.json()["code"] == "profile_not_found"


async def test_the_same_food_may_be_made_twice(acme: httpx.AsyncClient) -> None:
    assert await new_food(acme, **MUESLI) != await new_food(acme, **MUESLI)


async def test_64_foods_made_at_once_are_64_foods(acme: httpx.AsyncClient) -> None:
    made = await asyncio.gather(*(new_food(acme, food_name=f"Granola {number}") for number in range(64)))
    page = (await acme.get("/v1/foods/custom?profile_reference_id=alice&limit=100")).json()["data"]
    assert {food["_id"] for food in page} == set(made)
    assert len(set(made)) == 64


async def test_creating_needs_a_key_that_may_write(acme: httpx.AsyncClient, service: Service) -> None:
    assert (await _create(await service.client_with(None))).status_code == 401

    assert (await _create(await service.client("acme", Scope.READ))).status_code == 403
