"""GET /v1/foods/barcode"""

import httpx
import pytest

from tests.kitchen import faults, new_food, new_profile
from tests.pantry import COLA, COLA_AGAIN


async def test_a_food_is_found_by_its_barcode(acme: httpx.AsyncClient) -> None:
    response = await acme.get("/v1/foods/barcode", params={"barcode": "4006381333931"})
    assert response.status_code == 200
    assert response.json() == (await acme.get(f"/v1/foods/{COLA_AGAIN.id}")).json()


async def test_of_two_foods_with_one_barcode_the_better_documented_answers(acme: httpx.AsyncClient) -> None:
    """Though the other is newer. It stays retrievable by its id."""
    response = await acme.get("/v1/foods/barcode?barcode=4006381333931")
    assert response.json()["_id"] == COLA_AGAIN.id
    assert (await acme.get(f"/v1/foods/{COLA.id}")).status_code == 200


async def test_include_works_here_too(acme: httpx.AsyncClient) -> None:
    response = await acme.get("/v1/foods/barcode?barcode=4006381333931&include[]=carbohydrates")
    assert response.json()["carbohydrates"] == {"sugars_in_g": 10.6}


async def test_an_unknown_barcode_is_not_found(acme: httpx.AsyncClient) -> None:
    response = await acme.get("/v1/foods/barcode?barcode=0012345678905")
    assert response.status_code == 404
    assert response.json()["code"] == "food_not_found"


@pytest.mark.parametrize(
    ("sent", "advised"),
    [
        ("036000291452", ["0036000291452"]),
        ("96385074", ["0000096385074"]),
        ("04252614", ["0042100005264"]),
        ("10036000291459", []),
        ("4006381333932", []),
        ("4006381333 931", ["4006381333931"]),
        ("banana", []),
        ("", []),
        ("1" * 60, []),
        ("\x00", []),
        ("٤٠٠٦٣٨١٣٣٣٩٣١", []),
    ],
)
async def test_anything_but_a_gtin_13_is_refused_with_what_to_send(
    acme: httpx.AsyncClient, sent: str, advised: list[str]
) -> None:
    response = await acme.get("/v1/foods/barcode", params={"barcode": sent})
    assert response.status_code == 400
    assert response.json()["code"] == "invalid_barcode"
    for gtin13 in advised:
        assert gtin13 in response.json()["detail"]


async def test_a_code_that_can_be_read_two_ways_is_answered_with_both(acme: httpx.AsyncClient) -> None:
    detail = (await acme.get("/v1/foods/barcode?barcode=00000758")).json()["detail"]
    assert "0000000000758" in detail
    assert "0000007000058" in detail


async def test_a_barcode_is_required(acme: httpx.AsyncClient) -> None:
    response = await acme.get("/v1/foods/barcode")
    assert response.status_code == 400
    assert response.json()["errors"] == [{"param": "barcode", "code": "required", "message": "is required."}]


async def test_the_same_answer_need_not_be_sent_twice(acme: httpx.AsyncClient) -> None:
    first = await acme.get("/v1/foods/barcode?barcode=4006381333931")
    again = await acme.get("/v1/foods/barcode?barcode=4006381333931", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304


COLAS = "4006381333931"
UNKNOWN = "0012345678905"


async def _look_up(client: httpx.AsyncClient, barcode: str, owner: str | None = None) -> httpx.Response:
    named = {} if owner is None else {"profile_reference_id": owner}
    return await client.get("/v1/foods/barcode", params={"barcode": barcode} | named)


async def test_a_profiles_own_food_with_the_barcode_goes_first(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    own = await new_food(acme, barcode=COLAS)
    found = (await _look_up(acme, COLAS, "alice")).json()
    assert (found["_id"], found["profile_reference_id"]) == (own, "alice")
    assert found == (await acme.get(f"/v1/foods/{own}")).json()
    # Everybody else finds the catalogue's.
    await new_profile(acme, "bob")
    for response in [await _look_up(acme, COLAS), await _look_up(acme, COLAS, "bob")]:
        assert response.json()["_id"] == COLA_AGAIN.id
    assert (await acme.get(f"/v1/foods/{COLAS}")).json()["_id"] == COLA_AGAIN.id


async def test_where_the_profile_has_none_the_catalogue_answers(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    assert (await _look_up(acme, COLAS, "alice")).json()["_id"] == COLA_AGAIN.id
    assert (await _look_up(acme, UNKNOWN, "alice")).json()["code"] == "food_not_found"


async def test_a_custom_food_is_found_by_its_barcode_for_its_own_profile_only(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    await new_profile(acme, "bob")
    own = await new_food(acme, barcode=UNKNOWN)
    assert (await _look_up(acme, UNKNOWN, "alice")).json()["_id"] == own
    for response in [await _look_up(acme, UNKNOWN), await _look_up(acme, UNKNOWN, "bob")]:
        assert (response.status_code, response.json()["code"]) == (404, "food_not_found")


async def test_of_several_with_one_barcode_the_newest_answers(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    older, newer = await new_food(acme, barcode=UNKNOWN), await new_food(acme, barcode=UNKNOWN)
    assert (await _look_up(acme, UNKNOWN, "alice")).json()["_id"] == newer
    await acme.delete(f"/v1/foods/custom/{newer}?profile_reference_id=alice")
    assert (await _look_up(acme, UNKNOWN, "alice")).json()["_id"] == older


async def test_a_changed_barcode_is_found_and_the_old_one_is_not(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    own = await new_food(acme, barcode=UNKNOWN)
    await acme.patch(f"/v1/foods/custom/{own}", json={"profile_reference_id": "alice", "barcode": COLAS})
    assert (await _look_up(acme, COLAS, "alice")).json()["_id"] == own
    assert (await _look_up(acme, UNKNOWN, "alice")).status_code == 404


async def test_include_and_etag_work_for_a_profiles_own_food(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    await new_food(acme, barcode=COLAS, vitamins={"vitamin_c_in_mg": 1})
    address = f"/v1/foods/barcode?barcode={COLAS}&profile_reference_id=alice&include=vitamins"
    first = await acme.get(address)
    assert first.json()["vitamins"] == {"vitamin_c_in_mg": 1}
    again = await acme.get(address, headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304


async def test_an_unknown_profile_is_not_found_whatever_the_barcode(acme: httpx.AsyncClient) -> None:
    for barcode in (COLAS, UNKNOWN):
        response = await _look_up(acme, barcode, "nobody")
        assert (response.status_code, response.json()["code"]) == (404, "profile_not_found")
    assert (await _look_up(acme, "banana", "nobody")).json()["code"] == "invalid_barcode"
    assert faults(await _look_up(acme, COLAS, "")) == [("profile_reference_id", "too_short")]


async def test_a_wrong_barcode_comes_together_with_other_faults(acme: httpx.AsyncClient) -> None:
    response = await acme.get("/v1/foods/barcode?barcode=036000291452&include=vitamin")
    assert faults(response) == [("barcode", "invalid_barcode"), ("include", "not_allowed")]
    assert "0036000291452" in response.json()["errors"][0]["message"]
