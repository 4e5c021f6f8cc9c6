"""GET /v1/foods/barcode"""

import httpx
import pytest

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
