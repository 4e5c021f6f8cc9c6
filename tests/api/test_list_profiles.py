"""GET /v1/profiles"""

from typing import Any

import httpx
import pytest

from tests.conftest import Service


async def _create(client: httpx.AsyncClient, count: int) -> list[str]:
    """That many profiles, and their ids, newest first."""
    ids = [
        (await client.post("/v1/profiles", data={"reference_id": f"user-{number}"})).json()["_id"]
        for number in range(count)
    ]
    return ids[::-1]


async def _page(client: httpx.AsyncClient, **parameters: Any) -> tuple[list[str], bool]:
    response = await client.get("/v1/profiles", params=parameters)
    assert response.status_code == 200, response.text
    page = response.json()
    return [profile["_id"] for profile in page["data"]], page["has_more"]


async def test_an_empty_list_is_an_empty_page(acme: httpx.AsyncClient) -> None:
    assert (await acme.get("/v1/profiles")).json() == {"has_more": False, "data": []}


async def test_items_show_exactly_three_fields(acme: httpx.AsyncClient) -> None:
    created = await acme.post("/v1/profiles", data={"reference_id": "alice"})
    assert (await acme.get("/v1/profiles")).json()["data"] == [
        {"_id": created.json()["_id"], "reference_id": "alice", "is_active": False}
    ]


async def test_the_list_is_newest_first_ten_a_page(acme: httpx.AsyncClient) -> None:
    ids = await _create(acme, 12)
    assert await _page(acme) == (ids[:10], True)
    assert await _page(acme, starting_after=ids[9]) == (ids[10:], False)
    assert await _page(acme, limit=12) == (ids, False)
    assert await _page(acme, limit=11) == (ids[:11], True)


async def test_ending_before_gives_the_page_just_before_in_the_lists_own_order(acme: httpx.AsyncClient) -> None:
    ids = await _create(acme, 8)
    assert await _page(acme, ending_before=ids[6], limit=3) == (ids[3:6], True)
    assert await _page(acme, ending_before=ids[3], limit=3) == (ids[0:3], False)
    assert await _page(acme, ending_before=ids[0], limit=3) == ([], False)


async def test_a_walk_over_1000_profiles_sees_each_once_in_both_directions(
    acme: httpx.AsyncClient, service: Service
) -> None:
    ids = await _create(acme, 1000)
    for limit in (1, 7, 100):
        seen, more = await _page(acme, limit=limit)
        while more:
            page, more = await _page(acme, limit=limit, starting_after=seen[-1])
            assert page
            seen += page
        assert seen == ids

        last = seen[-1]
        backwards: list[str] = [last]
        more = True
        while more:
            page, more = await _page(acme, limit=limit, ending_before=backwards[0])
            assert page
            backwards = page + backwards
        assert backwards == ids


async def test_what_comes_and_goes_meanwhile_makes_no_other_item_repeat_or_vanish(acme: httpx.AsyncClient) -> None:
    ids = await _create(acme, 9)
    first, _ = await _page(acme, limit=3)
    await acme.post("/v1/profiles", data={"reference_id": "newcomer"})
    await acme.delete("/v1/profiles/user-4")
    await acme.delete("/v1/profiles/user-8")
    second, _ = await _page(acme, limit=3, starting_after=first[-1])
    assert second == [ids[3], ids[5], ids[6]]


@pytest.mark.parametrize("name", ["starting_after", "ending_before"])
@pytest.mark.parametrize("cursor", ["0" * 16, "z" * 16, "short", "", "x" * 900, "\x00" * 16, "ä" * 16, "' OR 1=1 --"])
async def test_a_cursor_that_is_no_item_is_refused(acme: httpx.AsyncClient, name: str, cursor: str) -> None:
    await _create(acme, 2)
    response = await acme.get("/v1/profiles", params={name: cursor})
    assert response.status_code == 400
    assert response.json()["code"] == "invalid_cursor"


async def test_a_deleted_profile_is_no_cursor_any_more(acme: httpx.AsyncClient) -> None:
    ids = await _create(acme, 2)
    await acme.delete("/v1/profiles/user-1")
    response = await acme.get("/v1/profiles", params={"starting_after": ids[0]})
    assert response.json()["code"] == "invalid_cursor"


async def test_both_cursors_at_once_are_refused(acme: httpx.AsyncClient) -> None:
    ids = await _create(acme, 2)
    response = await acme.get("/v1/profiles", params={"starting_after": ids[0], "ending_before": ids[1]})
    assert response.status_code == 400
    assert response.json()["errors"][0]["code"] == "not_combinable"
    together = await acme.get("/v1/profiles", params={"starting_after": ids[0], "ending_before": ids[1], "limit": 0})
    assert [fault["param"] for fault in together.json()["errors"]] == ["limit", "ending_before"]


@pytest.mark.parametrize("limit", ["0", "101", "-1", "ten", "1.5", "", "1e1", "٣", "1_0", " 5", "9" * 30])
async def test_a_limit_outside_1_to_100_is_refused(acme: httpx.AsyncClient, limit: str) -> None:
    response = await acme.get("/v1/profiles", params={"limit": limit})
    assert response.status_code == 400
    assert response.json()["errors"][0]["param"] == "limit"


async def test_a_misspelt_cursor_does_not_silently_give_page_one(acme: httpx.AsyncClient) -> None:
    response = await acme.get("/v1/profiles", params={"starting_aftr": "x"})
    assert response.status_code == 400
    [fault] = response.json()["errors"]
    assert fault["param"] == "starting_aftr"
    assert "starting_after" in fault["message"]
