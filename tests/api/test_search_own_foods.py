"""GET /v1/foods/search with `profile_reference_id`: the profile's own custom foods first, on the shipped catalogue."""

from typing import Any

import httpx
import pytest

from provender.catalogue.folder import CatalogueFolder
from tests.kitchen import MUESLI, new_food, new_profile
from tests.searching import ids, names, search, walk, walk_back

EMPTY = {"has_more": False, "data": []}


@pytest.fixture(scope="session")
def catalogue_folder(shipped_folder: CatalogueFolder) -> CatalogueFolder:
    """The application of these tests serves the catalogue that ships."""
    return shipped_folder


@pytest.fixture(autouse=True)
async def alice(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)


async def _own(client: httpx.AsyncClient, query: str, owner: str = "alice", **parameters: Any) -> list[str]:
    """The names of the custom foods on the first page."""
    page = await search(client, query, profile_reference_id=owner, **parameters)
    return [food["food_name"] for food in page["data"] if food["profile_reference_id"] is not None]


async def _refusal(client: httpx.AsyncClient, query: str, **parameters: Any) -> tuple[int, str]:
    response = await client.get("/v1/foods/search", params={"query": query} | parameters)
    return response.status_code, response.json().get("code")


async def test_a_profiles_own_foods_come_first_the_newest_before_the_others(acme: httpx.AsyncClient) -> None:
    oat_milk = await new_food(acme, food_name="Oat milk")
    await new_food(acme, food_name="Granola")
    rice = await new_food(acme, food_name="Milk rice")
    among_all = await ids(acme, "milk", limit=98)
    assert await ids(acme, "milk", limit=100, profile_reference_id="alice") == [rice, oat_milk, *among_all]


async def test_own_foods_are_answered_as_they_are_retrieved(acme: httpx.AsyncClient) -> None:
    food_id = await new_food(acme, **MUESLI)
    for include in ("", "vitamins", "minerals,lipids,servings"):
        parameters = {"include": include} if include else {}
        page = await search(acme, "muesli", profile_reference_id="alice", **parameters)
        assert page["data"][0] == (await acme.get(f"/v1/foods/{food_id}", params=parameters)).json()
        assert page["data"][0]["profile_reference_id"] == "alice"
        assert ("vitamins" in page["data"][0]) == (include == "vitamins")


async def test_a_change_is_found_at_once_and_what_it_changed_no_longer(acme: httpx.AsyncClient) -> None:
    food_id = await new_food(acme, food_name="Oat milk")
    await acme.patch(f"/v1/foods/custom/{food_id}", json={"profile_reference_id": "alice", "food_name": "Porridge"})
    assert await _own(acme, "milk") == []
    assert await _own(acme, "porridge") == ["Porridge"]
    await acme.delete(f"/v1/foods/custom/{food_id}", params={"profile_reference_id": "alice"})
    assert await _own(acme, "porridge") == []


@pytest.mark.parametrize(
    ("food", "queries"),
    [
        ({"food_name": "Blueberry muffins"}, ["muffin", "muffins", "muffins blueberries", "blueberry", "BLUEBERRY"]),
        ({"food_name": "Muffin"}, ["muffin", "muffins", "muff", "muffi"]),
        (
            {"food_name": "Grandma's cherry pie"},
            ["cherries", "grandmas pie", "grandma's", "cherry p", "pie cherry", "2 pies", "slice of pie"],
        ),
        ({"food_name": "Aubergine bake"}, ["eggplant", "aubergine", "auberg", "eggplants", "bake aubergines"]),
        ({"food_name": "Eggplant parmigiana"}, ["aubergine", "brinjal", "aubergines parmigiana"]),
        ({"food_name": "Ketchup soup"}, ["catsup", "catsup soup", "ketchup"]),
        ({"food_name": "Prawn yoghurt"}, ["shrimp yogurt", "prawns", "yogurts"]),
        ({"food_name": "Crème brûlée"}, ["creme brulee", "CRÈME", "brule", "brûlée crème"]),
        ({"food_name": "Low-fat dip"}, ["low fat dip", "low-fat", "dip"]),
        ({"food_name": "Milk 1,5%"}, ["milk 1.5%", "1,5% milk"]),
        ({"food_name": "Rice and beans"}, ["rice with beans", "beans and rice", "bean rice"]),
        ({"food_name": "Tomato tart"}, ["tomatto", "tomatoe tart", "tart tomatoes"]),
        ({"food_name": "7up float"}, ["7up", "7up fl"]),
        (
            {"food_name": "Corn flakes", "food_type": "brand", "brand_name": "Kellogg's"},
            [
                "corn flakes",
                "kelloggs corn flakes",
                "kellogg's",
                "kellogg flakes",
                "flakes kell",
                "corn kellogg's flake",
            ],
        ),
        ({"food_name": "\u6843\u5b50"}, ["\u6843\u5b50", "\u6843"]),
        ({"food_name": "\u0411\u043e\u0440\u0449"}, ["\u0431\u043e\u0440\u0449", "\u0431\u043e\u0440"]),
    ],
    ids=lambda value: value["food_name"] if isinstance(value, dict) else "",
)
async def test_an_own_food_is_found_by_the_words_of_its_name_and_brand(
    acme: httpx.AsyncClient, food: dict[str, Any], queries: list[str]
) -> None:
    await new_food(acme, food_name="Something else")
    await new_food(acme, **food)
    for query in queries:
        assert await _own(acme, query) == [food["food_name"]], query


@pytest.mark.parametrize(
    "query", ["milk", "oat granola", "gran milk", "nola", "granola xyz", "granol bar", "generic", "brand", "1 bowl"]
)
async def test_an_own_food_that_lacks_a_word_is_not_found(acme: httpx.AsyncClient, query: str) -> None:
    await new_food(acme, food_name="Granola")
    assert await _own(acme, query) == []


async def test_own_foods_are_found_where_the_catalogue_has_nothing(acme: httpx.AsyncClient) -> None:
    food_id = await new_food(acme, food_name="Zzyzx")
    page = await search(acme, "zzyzx", profile_reference_id="alice")
    assert ([food["_id"] for food in page["data"]], page["has_more"]) == ([food_id], False)
    assert await search(acme, "zzyzx") == EMPTY


async def test_nobody_elses_foods_are_found(acme: httpx.AsyncClient, globex: httpx.AsyncClient) -> None:
    await new_profile(acme, "bob")
    await new_profile(globex, "alice")
    await new_food(acme, "bob", food_name="Bob's milk")
    await new_food(globex, "alice", food_name="Globex milk")
    await new_food(acme, food_name="Alice's milk")
    assert await _own(acme, "milk") == ["Alice's milk"]
    assert await _own(acme, "milk", "bob") == ["Bob's milk"]
    assert await _own(globex, "milk") == ["Globex milk"]
    assert not {"Alice's milk", "Bob's milk", "Globex milk"} & set(await names(acme, "milk", limit=100))


@pytest.mark.parametrize("query", ["milk", "!?", "zzzz"])
async def test_an_unknown_profile_is_not_found(acme: httpx.AsyncClient, globex: httpx.AsyncClient, query: str) -> None:
    await new_profile(globex, "carol")
    for reference_id in ("nobody", "ALICE", "carol"):
        refusal = await _refusal(acme, query, profile_reference_id=reference_id)
        assert refusal == (404, "profile_not_found")
    await acme.delete("/v1/profiles/alice")
    assert await _refusal(acme, query, profile_reference_id="alice") == (404, "profile_not_found")


async def test_a_query_without_any_letter_or_digit_finds_no_own_food_either(acme: httpx.AsyncClient) -> None:
    await new_food(acme, food_name="\U0001f34c")
    assert await search(acme, "\U0001f34c", profile_reference_id="alice") == EMPTY


async def test_the_filter_of_types_goes_for_own_foods_too(acme: httpx.AsyncClient) -> None:
    plain = await new_food(acme, food_name="Oat milk")
    brand = await new_food(acme, food_name="Oat milk", food_type="brand", brand_name="Oatly")
    for food_type, own in (("generic", plain), ("brand", brand)):
        expected = [own, *await ids(acme, "milk", food_type=food_type)]
        found = await ids(acme, "milk", food_type=food_type, profile_reference_id="alice", limit=11)
        assert found == expected
    assert (await ids(acme, "milk", profile_reference_id="alice"))[:2] == [brand, plain]


@pytest.mark.parametrize(
    ("query", "own"),
    [
        # Fewer of them than the least page has, as many as a page has, more than that, and none.
        ("catsup", 1),
        ("catsup", 5),
        ("eggplant", 7),
        ("7up", 3),
        ("zzyzx", 4),
        ("aubergine", 0),
    ],
)
async def test_a_walk_crosses_from_own_foods_to_the_catalogues_and_back_at_any_page_size(
    acme: httpx.AsyncClient, query: str, own: int
) -> None:
    made = [await new_food(acme, food_name=f"{query} {number}") for number in range(own)]
    expected = made[::-1] + [food["_id"] for food in await walk(acme, query)]
    for limit in (1, 2, 3, 5, 7, 100):
        found = [food["_id"] for food in await walk(acme, query, limit=limit, profile_reference_id="alice")]
        assert found == expected
        assert await walk_back(acme, query, expected[-1], limit=limit, profile_reference_id="alice") == expected


async def test_has_more_is_right_on_both_sides_of_the_border(acme: httpx.AsyncClient) -> None:
    made = [await new_food(acme, food_name=f"Catsup {number}") for number in range(3)][::-1]
    foods = made + await ids(acme, "catsup")
    assert len(foods) == 5
    for place in range(5):
        for limit in range(1, 6):
            after = await search(acme, "catsup", limit=limit, profile_reference_id="alice", starting_after=foods[place])
            assert [food["_id"] for food in after["data"]] == foods[place + 1 :][:limit]
            assert after["has_more"] == (4 - place > limit)
            before = await search(acme, "catsup", limit=limit, profile_reference_id="alice", ending_before=foods[place])
            assert [food["_id"] for food in before["data"]] == foods[:place][-limit:]
            assert before["has_more"] == (place > limit)
    for limit in range(1, 7):
        page = await search(acme, "catsup", limit=limit, profile_reference_id="alice")
        assert [food["_id"] for food in page["data"]] == foods[:limit]
        assert page["has_more"] == (limit < 5)


@pytest.mark.parametrize("name", ["starting_after", "ending_before"])
async def test_a_food_that_is_not_in_the_answer_is_no_cursor(acme: httpx.AsyncClient, name: str) -> None:
    await new_profile(acme, "bob")
    await new_food(acme, food_name="Oat milk")
    strangers = {
        "deleted": await new_food(acme, food_name="Spoilt milk"),
        "of another profile": await new_food(acme, "bob", food_name="Bob's milk"),
        "without the word": await new_food(acme, food_name="Granola"),
        "of the catalogue, without the word": (await ids(acme, "banana", limit=1))[0],
        "unknown": "0" * 16,
    }
    await acme.delete(f"/v1/foods/custom/{strangers['deleted']}", params={"profile_reference_id": "alice"})
    for what, cursor in strangers.items():
        refusal = await _refusal(acme, "milk", profile_reference_id="alice", **{name: cursor})
        assert refusal == (400, "invalid_cursor"), what


@pytest.mark.parametrize("name", ["starting_after", "ending_before"])
async def test_an_own_food_is_no_cursor_without_its_profile(acme: httpx.AsyncClient, name: str) -> None:
    await new_profile(acme, "bob")
    cursor = await new_food(acme, food_name="Oat milk")
    assert await _refusal(acme, "milk", **{name: cursor}) == (400, "invalid_cursor")
    assert await _refusal(acme, "milk", profile_reference_id="bob", **{name: cursor}) == (400, "invalid_cursor")


async def test_what_comes_and_goes_meanwhile_makes_no_other_food_repeat_or_vanish(acme: httpx.AsyncClient) -> None:
    made = [await new_food(acme, food_name=f"Catsup {number}") for number in range(6)][::-1]
    among_all = await ids(acme, "catsup")
    first = await ids(acme, "catsup", limit=3, profile_reference_id="alice")
    assert first == made[:3]
    await new_food(acme, food_name="Catsup, the newest")
    for gone in (made[0], made[4]):
        await acme.delete(f"/v1/foods/custom/{gone}", params={"profile_reference_id": "alice"})
    rest = await ids(acme, "catsup", limit=10, profile_reference_id="alice", starting_after=first[-1])
    assert rest == [made[3], made[5], *among_all]
