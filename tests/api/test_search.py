"""GET /v1/foods/search: its parameters and its pages. What a good answer is, `test_search_answers.py` says."""

import unicodedata
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from provender.catalogue.build import Build
from provender.model.foods import food_id
from tests.kitchen import faults
from tests.pantry import BANANA, PLAIN
from tests.searching import NOW, build_catalogue, client_for, ids, names, search, walk, walk_back

GROUPS = ("vitamins", "minerals", "carbohydrates", "lipids", "proteins")

# One of them finds a handful of foods and one hundreds; some are brands', some misspelt, some are unfinished words.
WALKED = ("milk", "catsup", "cheese", "kellogg", "corn flakes", "brocoli", "straw", "fast food", "snack bars")

EMPTY = {"has_more": False, "data": []}


async def _refused(client: httpx.AsyncClient, **parameters: Any) -> list[tuple[str, str]]:
    return faults(await client.get("/v1/foods/search", params=parameters))


async def test_an_answer_has_foods_as_they_are_retrieved_and_says_whether_there_are_more(
    shipped: httpx.AsyncClient,
) -> None:
    page = await search(shipped, "banana", limit=2)
    assert page.keys() == {"has_more", "data"}
    assert page["has_more"] is True
    assert len(page["data"]) == 2
    for food in page["data"]:
        assert food == (await shipped.get(f"/v1/foods/{food['_id']}")).json()
        assert food["profile_reference_id"] is None


async def test_the_same_query_gives_the_same_answer_again(shipped: httpx.AsyncClient) -> None:
    assert await search(shipped, "chicken", limit=100) == await search(shipped, "chicken", limit=100)


async def test_without_include_none_of_the_five_groups_is_there(shipped: httpx.AsyncClient) -> None:
    [food] = (await search(shipped, "banana", limit=1))["data"]
    assert food.keys().isdisjoint([*GROUPS, "servings"])
    assert "macro_nutrients" in food


@pytest.mark.parametrize("include", ["vitamins", "minerals,lipids", ",".join([*GROUPS, "servings"])])
async def test_include_adds_what_it_adds_to_a_food_that_is_retrieved(shipped: httpx.AsyncClient, include: str) -> None:
    for food in (await search(shipped, "banana", include=include))["data"]:
        assert food == (await shipped.get(f"/v1/foods/{food['_id']}", params={"include": include})).json()
        assert {*GROUPS, "servings"} & food.keys() == set(include.split(","))


async def test_include_takes_every_form_that_it_takes_elsewhere(shipped: httpx.AsyncClient) -> None:
    forms = ["include=vitamins,lipids", "includes=vitamins,lipids", "include[]=vitamins&include[]=lipids"]
    answers = [(await shipped.get(f"/v1/foods/search?query=banana&{form}")).json() for form in forms]
    assert answers[0]["data"][0].keys() > {"vitamins", "lipids"}
    assert answers[0] == answers[1] == answers[2]
    assert await _refused(shipped, query="banana", include="vitamin") == [("include", "not_allowed")]


async def test_a_page_has_ten_foods_unless_it_is_said(shipped: httpx.AsyncClient) -> None:
    found = await ids(shipped, "milk", limit=100)
    assert await ids(shipped, "milk") == found[:10]
    for limit in (1, 2, 99):
        assert await ids(shipped, "milk", limit=limit) == found[:limit]


@pytest.mark.parametrize("limit", ["0", "101", "-1", "ten", "1.5", ""])
async def test_a_limit_outside_1_to_100_is_refused(shipped: httpx.AsyncClient, limit: str) -> None:
    [(param, _)] = await _refused(shipped, query="milk", limit=limit)
    assert param == "limit"


@pytest.mark.parametrize("query", WALKED)
async def test_a_walk_sees_every_food_once_in_both_directions_at_any_page_size(
    shipped: httpx.AsyncClient, query: str
) -> None:
    found = [food["_id"] for food in await walk(shipped, query)]
    assert len(set(found)) == len(found) > 1
    for limit in (3, 10, 37):
        assert [food["_id"] for food in await walk(shipped, query, limit=limit)] == found
        assert await walk_back(shipped, query, found[-1], limit=limit) == found


async def test_ending_before_gives_the_page_just_before_in_the_lists_own_order(shipped: httpx.AsyncClient) -> None:
    found = await ids(shipped, "milk", limit=20)
    page = await search(shipped, "milk", limit=3, ending_before=found[6])
    assert ([food["_id"] for food in page["data"]], page["has_more"]) == (found[3:6], True)
    page = await search(shipped, "milk", limit=3, ending_before=found[3])
    assert ([food["_id"] for food in page["data"]], page["has_more"]) == (found[:3], False)
    assert await search(shipped, "milk", ending_before=found[0]) == EMPTY


async def test_has_more_says_whether_more_lies_in_the_direction_that_was_asked(shipped: httpx.AsyncClient) -> None:
    first, last = await ids(shipped, "catsup")
    assert (await search(shipped, "catsup", limit=1))["has_more"] is True
    assert (await search(shipped, "catsup", limit=2))["has_more"] is False
    assert await search(shipped, "catsup", starting_after=last) == EMPTY
    assert (await search(shipped, "catsup", starting_after=first, limit=1))["has_more"] is False
    assert (await search(shipped, "catsup", ending_before=last, limit=1))["has_more"] is False


@pytest.mark.parametrize("name", ["starting_after", "ending_before"])
@pytest.mark.parametrize("query", ["milk", "catsup", "zzzz", "!?", "kellogg"])
@pytest.mark.parametrize(
    "cursor", [food_id("usda", "09040"), "0" * 16, "z" * 16, "short", "", "\x00" * 16, "' OR 1=1 -- "]
)
async def test_a_cursor_that_is_no_item_of_this_list_is_refused(
    shipped: httpx.AsyncClient, name: str, query: str, cursor: str
) -> None:
    """The first of them is a banana."""
    response = await shipped.get("/v1/foods/search", params={"query": query, name: cursor})
    assert (response.status_code, response.json().get("code")) == (400, "invalid_cursor")


@pytest.mark.parametrize("name", ["starting_after", "ending_before"])
async def test_a_food_that_the_filter_leaves_out_is_no_cursor(shipped: httpx.AsyncClient, name: str) -> None:
    plain, *_ = await ids(shipped, "chocolate", food_type="generic")
    brand, *_ = await ids(shipped, "chocolate", food_type="brand")
    for food_type, cursor in (("brand", plain), ("generic", brand)):
        parameters = {"query": "chocolate", "food_type": food_type, name: cursor}
        response = await shipped.get("/v1/foods/search", params=parameters)
        assert (response.status_code, response.json().get("code")) == (400, "invalid_cursor")


async def test_both_cursors_at_once_are_refused(shipped: httpx.AsyncClient) -> None:
    first, second, *_ = await ids(shipped, "milk")
    refused = await _refused(shipped, query="milk", starting_after=first, ending_before=second)
    assert refused == [("ending_before", "not_combinable")]


@pytest.mark.parametrize("query", [*WALKED, "chocolate", "ralston", "kraft", "mars", "restaurant", "with cheese"])
async def test_the_two_food_types_are_the_whole_list_and_nothing_is_lost_or_twice(
    shipped: httpx.AsyncClient, query: str
) -> None:
    whole = await walk(shipped, query)
    for food_type in ("generic", "brand"):
        expected = [food["_id"] for food in whole if food["food_type"] == food_type]
        # Where the type has no food with all the words, the answer has others rather than none.
        if expected:
            found = await walk(shipped, query, food_type=food_type)
            assert {food["food_type"] for food in found} == {food_type}
            assert [food["_id"] for food in found] == expected
            for limit in (7, 40):
                assert [
                    food["_id"] for food in await walk(shipped, query, food_type=food_type, limit=limit)
                ] == expected


@pytest.mark.parametrize("query", ["big mac", "cheerios", "kellogg", "pizza hut", "eggplant"])
@pytest.mark.parametrize("food_type", ["generic", "brand"])
async def test_whatever_a_type_lacks_every_food_is_of_the_type_that_was_asked_for(
    shipped: httpx.AsyncClient, query: str, food_type: str
) -> None:
    assert {food["food_type"] for food in await walk(shipped, query, food_type=food_type)} <= {food_type}


async def test_a_food_type_that_does_not_exist_is_refused(shipped: httpx.AsyncClient) -> None:
    assert await _refused(shipped, query="milk", food_type="brands") == [("food_type", "not_allowed")]
    assert await _refused(shipped, query="milk", food_type="") == [("food_type", "not_allowed")]


@pytest.mark.parametrize("query", ["  milk  ", "milk\n", "\tmilk", "\u2003milk\u00a0"])
async def test_blanks_around_a_query_mean_nothing(shipped: httpx.AsyncClient, query: str) -> None:
    assert await search(shipped, query) == await search(shipped, "milk")


@pytest.mark.parametrize(
    "query", ["m" * 500, "milk " * 99 + "milk", "\U0001f95b" * 500, " " * 100 + "m" * 500 + " " * 100]
)
async def test_a_query_has_at_most_500_characters_after_trimming(shipped: httpx.AsyncClient, query: str) -> None:
    assert len(query.strip()) >= 499
    await search(shipped, query)
    longer = f"{query.strip()}mm"
    assert await _refused(shipped, query=longer) == [("query", "too_long")]


@pytest.mark.parametrize("query", ["", " ", "\t\n ", "\u2003"])
async def test_a_blank_query_is_refused(shipped: httpx.AsyncClient, query: str) -> None:
    assert await _refused(shipped, query=query) == [("query", "too_short")]


@pytest.mark.parametrize(
    "query", ["!", "...", '"', "'", "%", "-- ;", "()", "*", "\U0001f34c", "\N{COMBINING TILDE}", "\ufffd"]
)
async def test_a_query_without_any_letter_or_digit_finds_nothing(shipped: httpx.AsyncClient, query: str) -> None:
    assert await search(shipped, query) == EMPTY


@pytest.mark.parametrize("query", ["zzzzzzzz", "qqq", "\u725b\u4e73", "\u043c\u043e\u043b\u043e\u043a\u043e"])
async def test_words_that_no_food_has_find_nothing(shipped: httpx.AsyncClient, query: str) -> None:
    assert await search(shipped, query) == EMPTY


@pytest.mark.parametrize("query", ["mi\x00lk", "mi\nlk", "mi\x7flk", "mi\x85lk", "mi\x1blk"])
async def test_control_characters_in_a_query_are_refused(shipped: httpx.AsyncClient, query: str) -> None:
    assert await _refused(shipped, query=query) == [("query", "invalid_character")]


@pytest.mark.parametrize("encoded", ["%ED%A0%80milk", "milk%FF", "%C0%AFmilk", "milk%ED%BF%BF"])
async def test_what_is_no_unicode_is_refused(shipped: httpx.AsyncClient, encoded: str) -> None:
    assert (await shipped.get(f"/v1/foods/search?query={encoded}")).status_code == 400


# All of Unicode, lone surrogates too, and what means something to FTS5 and SQL.
_texts = st.text(st.characters(), max_size=510) | st.lists(
    st.sampled_from(
        ["milk", '"', "AND", "NOT", "OR", "NEAR(", ")", "*", "^", ":", "tokens:", "--", ";", "%", "\0", " "]
    ),
    max_size=60,
).map("".join)


@given(text=_texts, food_type=st.sampled_from(["", "&food_type=brand", "&food_type=generic"]))
@hypothesis_settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_any_text_is_answered_or_refused(shipped: httpx.AsyncClient, text: str, food_type: str) -> None:
    encoded = quote(text.encode("utf-8", "surrogatepass"), safe="")
    response = await shipped.get(f"/v1/foods/search?query={encoded}{food_type}")
    trimmed = text.strip()
    fits = 1 <= len(trimmed) <= 500 and not any(unicodedata.category(letter) in ("Cc", "Cs") for letter in trimmed)
    assert response.status_code == (200 if fits else 400)


async def test_a_query_is_required_once(shipped: httpx.AsyncClient) -> None:
    assert faults(await shipped.get("/v1/foods/search")) == [("query", "required")]
    assert faults(await shipped.get("/v1/foods/search?query=milk&query=milk")) == [("query", "duplicate")]
    assert faults(await shipped.get("/v1/foods/search?query[]=milk")) == [("query", "wrong_shape")]


async def test_an_unknown_parameter_is_refused_with_the_name_that_was_probably_meant(
    shipped: httpx.AsyncClient,
) -> None:
    response = await shipped.get("/v1/foods/search", params={"query": "milk", "starting_aftr": "x"})
    assert faults(response) == [("starting_aftr", "unknown_parameter")]
    assert "starting_after" in response.json()["errors"][0]["message"]


async def test_faults_of_the_parameters_come_together(shipped: httpx.AsyncClient) -> None:
    refused = await _refused(shipped, query=" ", limit=0, food_type="x", include="y", profile_reference_id="..")
    assert sorted(refused) == [
        ("food_type", "not_allowed"),
        ("include", "not_allowed"),
        ("limit", "out_of_range"),
        ("profile_reference_id", "not_allowed"),
        ("query", "too_short"),
    ]


async def test_search_is_a_word_of_the_path_and_no_food(shipped: httpx.AsyncClient) -> None:
    assert (await shipped.head("/v1/foods/search?query=milk")).status_code == 200
    response = await shipped.post("/v1/foods/search", json={"query": "milk"})
    assert response.status_code == 405


async def test_what_a_release_no_longer_has_is_found_by_its_id_and_not_by_search(tmp_path: Path) -> None:
    folder = build_catalogue(tmp_path / "catalogue", [BANANA, PLAIN])
    async with client_for(folder, tmp_path / "before") as client:
        assert await names(client, "creme") == [PLAIN.name]
    with Build(folder, NOW) as build:
        build.add([BANANA])
        build.finish()
    async with client_for(folder, tmp_path / "after") as client:
        assert await search(client, "creme") == EMPTY
        assert await names(client, "banana") == [BANANA.name]
        assert (await client.get(f"/v1/foods/{PLAIN.id}")).json()["food_name"] == PLAIN.name
        for name in ("starting_after", "ending_before"):
            response = await client.get("/v1/foods/search", params={"query": "banana", name: PLAIN.id})
            assert response.json().get("code") == "invalid_cursor"
