"""GET /v1/foods/search, on the catalogue that ships: words that are unfinished, misspelt, or too many.

As in `test_search_answers.py`, where the first food is named no query is from the half of `benchmarks/relevance` that
is reported.
"""

import re

import httpx
import pytest

from provender.model.folding import fold_words
from tests.searching import ids, names, search, walk


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("strawb", "Strawberries, raw"),
        ("ban", "Bananas, raw"),
        ("chicken brea", "Chicken, broiler"),
        ("breast chick", "Chicken, broiler"),
        ("grapefruit ju", "Grapefruit juice"),
        ("ice cr", "Ice creams, vanilla"),
        ("budw", "Alcoholic beverage, beer, regular, BUDWEISER"),
        ("blueberri", "Blueberries, raw"),
        ("yogh", "Yogurt, plain"),
        ("auberg", "Eggplant, raw"),
        ("frosted flak", "Cereals ready-to-eat, KELLOGG, KELLOGG'S FROSTED FLAKES"),
        ("jalape", "Peppers, jalapeno, raw"),
        ("2% mil", "Milk, reduced fat, fluid, 2% milkfat"),
        ("watermel", "Watermelon, raw"),
    ],
)
async def test_the_last_word_may_be_unfinished(shipped: httpx.AsyncClient, typed: str, name: str) -> None:
    [found] = await names(shipped, typed, limit=1)
    assert found.startswith(name), found


@pytest.mark.parametrize(
    ("query", "letters"),
    [
        ("strawberries", 2),
        ("mozzarella", 2),
        ("watermelon", 2),
        ("cheerios", 2),
        ("chicken breast", 9),
        ("hazelnuts", 2),
        ("sesame seeds", 2),
        # A few letters may be anything, so that what means another word begins with more of them.
        ("courgette", 4),
        ("ketchup", 4),
        ("burger king", 3),
    ],
)
async def test_each_letter_that_is_typed_keeps_the_food_that_is_meant(
    shipped: httpx.AsyncClient, query: str, letters: int
) -> None:
    [meant] = await ids(shipped, query, limit=1)
    for length in range(letters, len(query)):
        assert meant in [food["_id"] for food in await walk(shipped, query[:length])], query[:length]


@pytest.mark.parametrize("query", ["haze", "sesa", "snick", "conce", "chine", "ferm", "straw", "mozz"])
async def test_what_a_word_begins_comes_before_what_it_is_near_to(shipped: httpx.AsyncClient, query: str) -> None:
    """While somebody types hazelnut, "haze" is no mistake for "have"."""
    for name in await names(shipped, query, limit=2):
        assert any(word.startswith(query) for word in fold_words(name)), name


@pytest.mark.parametrize("query", ["tomato ketchup", "fava beans", "caster sugar", "black eyed peas", "butter beans"])
async def test_a_name_of_two_words_is_found_while_its_last_word_is_typed(
    shipped: httpx.AsyncClient, query: str
) -> None:
    [meant] = await ids(shipped, query, limit=1)
    for length in range(query.rfind(" ") + 3, len(query)):
        assert meant in [food["_id"] for food in await walk(shipped, query[:length])], query[:length]


@pytest.mark.parametrize(("typed", "whole"), [("milksha", "milkshake"), ("mcnug", "mcnuggets"), ("leav", "leaves")])
async def test_a_word_that_means_others_is_found_by_its_beginning(
    shipped: httpx.AsyncClient, typed: str, whole: str
) -> None:
    [meant] = await ids(shipped, whole, limit=1)
    assert meant in [food["_id"] for food in await walk(shipped, typed)]


async def test_only_the_last_word_is_taken_for_a_beginning(shipped: httpx.AsyncClient) -> None:
    assert "Bananas, raw" in await names(shipped, "raw ban")
    assert "Bananas, raw" not in await names(shipped, "ban raw")


async def test_a_finished_word_comes_before_what_begins_with_it(shipped: httpx.AsyncClient) -> None:
    found = [food["food_name"] for food in await walk(shipped, "corn")]
    begun = [bool(re.search(r"corn(salad|starch|meal)", name, re.IGNORECASE)) for name in found]
    assert any(begun)
    assert not any(begun[:20])


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        # One letter is wrong,
        ("tomito", "tomato"),
        ("spinech", "spinach"),
        ("rine", "rice"),
        ("mushroam soup", "mushroom soup"),
        # missing,
        ("brocoli", "broccoli"),
        ("chese", "cheese"),
        ("pumkin", "pumpkin"),
        ("budwiser", "budweiser"),
        # too many,
        ("bananna", "banana"),
        ("milkk", "milk"),
        ("lettuuce", "lettuce"),
        ("mangoo", "mango"),
        # or swapped with the next.
        ("appel", "apple"),
        ("mikl", "milk"),
        ("yogrut", "yogurt"),
        ("chciken breast", "chicken breast"),
        # The first is as good as any other.
        ("vroccoli", "broccoli"),
        ("anana", "banana"),
        # It may be the word of another name, and of a brand.
        ("ketchpu", "ketchup"),
        ("cherios", "cheerios"),
        # Two are wrong in a word of eight letters or more.
        ("mozarela", "mozzarella"),
        ("cauliflwoerr", "cauliflower"),
        ("stroberries", "strawberries"),
        ("buterscoch", "butterscotch"),
        ("pinaple juice", "pineapple juice"),
        ("asparaguss", "asparagus"),
    ],
)
async def test_mistakes_of_typing_are_forgiven(shipped: httpx.AsyncClient, typed: str, meant: str) -> None:
    found = await ids(shipped, meant, limit=3)
    assert found
    assert (await ids(shipped, typed, limit=3))[0] == found[0]


@pytest.mark.parametrize(("typed", "meant"), [("mios", "miso"), ("bsas", "bass"), ("cras", "crab"), ("hahs", "hash")])
async def test_a_misspelt_word_that_looks_like_a_plural_is_forgiven_too(
    shipped: httpx.AsyncClient, typed: str, meant: str
) -> None:
    assert (await ids(shipped, typed, limit=1)) == (await ids(shipped, meant, limit=1))


@pytest.mark.parametrize("query", ["egf", "hxm", "rye bxn", "tae"])
async def test_a_word_of_three_letters_is_not_corrected(shipped: httpx.AsyncClient, query: str) -> None:
    meant = {"egf": "egg", "hxm": "ham", "rye bxn": "rye bun", "tae": "tea"}[query]
    assert (await ids(shipped, query, limit=1)) != (await ids(shipped, meant, limit=1))


@pytest.mark.parametrize("query", ["mxxk", "brxxd", "mxzxxrella"])
async def test_more_mistakes_than_that_are_too_many(shipped: httpx.AsyncClient, query: str) -> None:
    assert await search(shipped, query) == {"has_more": False, "data": []}


# Each is a word of its own, and a letter away from one that more foods have.
@pytest.mark.parametrize("query", ["bass", "lamb", "trout", "bison", "curry", "beet", "grits", "quail"])
async def test_exact_words_come_before_corrections(shipped: httpx.AsyncClient, query: str) -> None:
    having = [query in food["food_name"].lower() for food in await walk(shipped, query)]
    assert having[0]
    assert having == sorted(having, reverse=True), "a correction stands before a food that has the word"


@pytest.mark.parametrize(
    ("query", "instead"),
    [
        ("xyzzy milk", "milk"),
        ("milk xyzzyq", "milk"),
        ("unicorn chicken breast", "chicken breast"),
        ("delicious banana please", "banana"),
    ],
)
async def test_a_word_that_no_food_has_is_dropped(shipped: httpx.AsyncClient, query: str, instead: str) -> None:
    assert (await names(shipped, query))[0] == (await names(shipped, instead))[0]


@pytest.mark.parametrize(
    ("query", "telling"),
    [
        # No food has both words. What names foods tells more than what does not, and what few have more than many.
        ("purple milk", "milk"),
        ("frozen octopus", "octopus"),
        ("boiled cheerios", "cheerios"),
    ],
)
async def test_when_all_words_find_nothing_the_least_telling_is_dropped(
    shipped: httpx.AsyncClient, query: str, telling: str
) -> None:
    assert (await ids(shipped, query, limit=1)) == (await ids(shipped, telling, limit=1))


async def test_words_are_dropped_only_when_all_together_find_nothing(shipped: httpx.AsyncClient) -> None:
    found = await walk(shipped, "goat milk")
    assert found
    assert all(re.search("goat", food["food_name"], re.IGNORECASE) for food in found)


async def test_little_words_say_nothing(shipped: httpx.AsyncClient) -> None:
    assert await ids(shipped, "cream of the celery soup") == await ids(shipped, "cream celery soup")


async def test_a_word_said_twice_says_no_more(shipped: httpx.AsyncClient) -> None:
    for query, once in (("milk egg milk", "egg milk"), ("pizza cheese pizza", "cheese pizza")):
        expected = {food["_id"] for food in await walk(shipped, once)}
        assert {food["_id"] for food in await walk(shipped, query)} <= expected
