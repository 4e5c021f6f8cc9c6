"""What holds for every query and every catalogue: that it is answered, and that its pages are one list in one order."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from provender.catalogue.folder import CatalogueFolder
from provender.catalogue.language import STOP_WORDS, singular, understand
from provender.catalogue.store import Catalogue
from provender.model.errors import InvalidCursor, ProvenderError
from provender.model.folding import fold_words
from provender.model.foods import Food, FoodType
from provender.model.paging import PageRequest
from tests.searching import all_of, brand_food, build_catalogue, opened, page_of, plain_food

ROOT = Path(__file__).parents[2]

# Few words, so that they meet often: some begin others, some are near others, some mean others; plurals, forms,
# headings, numbers, and scripts without case. No two of them mean something else together.
WORDS = (
    *(
        "milk",
        "Milk",
        "butter",
        "buttermilk",
        "bread",
        "breads",
        "straw",
        "Strawberries",
        "berry",
        "cherries",
        "cherry",
    ),
    *("tomato", "Tomatoes", "peach", "oat", "oats", "rice", "ricer", "MILKO", "Crème", "creme", "yoghurt", "Yogurt"),
    *("aubergine", "courgette", "raw", "cooked", "whole", "dehydrated", "plain", "Fish", "Beverages", "Soup", "bacon"),
    *("2%", "1.5", "3", "7up", "100", "ab", "abc", "o", "молоко", "牛乳", "牛", "Kellogg's", "KELLOGG'S"),
)
# Words that say nothing, or what comes with a food.
LINKS = ("and", "of", "the", "with", "in", "for")
SEPARATORS = (" ", ", ", "; ", " - ", "-", "/", " (", ") ")

_names = st.lists(
    st.tuples(st.sampled_from((*WORDS, *WORDS, *LINKS)), st.sampled_from(SEPARATORS)), min_size=1, max_size=6
).map(lambda parts: "".join(word + separator for word, separator in parts).strip())
_brands = st.none() | st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(" ".join)
_besides = st.none() | st.sampled_from(WORDS)


@contextlib.contextmanager
def _catalogue(*imports: list[Food]) -> Iterator[Catalogue]:
    """A catalogue of these imports, for as long as it is asked."""
    with tempfile.TemporaryDirectory() as folder, opened(build_catalogue(Path(folder) / "catalogue", *imports)) as made:
        yield made


@st.composite
def _foods(draw: st.DrawFn, most: int = 24) -> list[Food]:
    drawn = draw(st.lists(st.tuples(_names, _brands, _besides), min_size=1, max_size=most))
    return [
        plain_food(name, key=f"{number}", besides=besides)
        if brand is None
        else brand_food(name, brand, key=f"{number}")
        for number, (name, brand, besides) in enumerate(drawn)
    ]


@st.composite
def _queries(draw: st.DrawFn) -> str:
    """Words of the catalogues, whole, unfinished and misspelt, one to four of them."""
    return " ".join(draw(st.lists(st.sampled_from(WORDS).flatmap(_written), min_size=1, max_size=4)))


def _written(word: str) -> st.SearchStrategy[str]:
    places = st.integers(0, len(word) - 1)
    return st.one_of(
        st.just(word),
        places.map(lambda place: word[: place + 1]),
        places.map(lambda place: word[:place] + word[place + 1 :] or word),
        places.map(lambda place: f"{word[:place]}e{word[place:]}"),
        places.map(
            lambda place: word[:place] + word[place + 1 : place + 2] + word[place : place + 1] + word[place + 2 :]
        ),
    )


@pytest.fixture(scope="module")
def shipped(shipped_folder: CatalogueFolder) -> Iterator[Catalogue]:
    with opened(shipped_folder) as catalogue:
        yield catalogue


# All of Unicode, lone surrogates too: what the API refuses, nobody else has to.
_any_text = st.text(st.characters(), max_size=500)
# What means something to FTS5, to SQL, or to the index.
_SYNTAX = (
    """ " AND OR NOT NEAR( NEAR/2 ) ( * ^ : tokens: { } + - -- ; ' \\ % _ . , milk a milk* "milk" amilk 2% rowid """
)
_syntax = st.lists(st.sampled_from([*_SYNTAX.split(), "\0"]), max_size=40).flatmap(
    lambda parts: st.sampled_from([" ".join(parts), "".join(parts)])
)


@given(query=_any_text | _syntax, food_type=st.none() | st.sampled_from(FoodType))
@hypothesis_settings(max_examples=400)
def test_any_text_is_answered(shipped: Catalogue, query: str, food_type: FoodType | None) -> None:
    shipped.search(query[:500], PageRequest(), frozenset(), food_type)
    shipped.read_terms(query[:500])


@given(query=_any_text | _syntax, cursor=st.text(max_size=20), backwards=st.booleans())
@hypothesis_settings(max_examples=200)
def test_any_text_for_a_cursor_is_refused_with_an_error_that_can_be_told(
    shipped: Catalogue,
    query: str,
    cursor: str,
    backwards: bool,
) -> None:
    with pytest.raises(ProvenderError):
        shipped.search(query[:500], PageRequest(10, cursor, backwards), frozenset())


@given(foods=_foods(), query=_queries(), limit=st.integers(1, 9), food_type=st.none() | st.sampled_from(FoodType))
@hypothesis_settings(max_examples=300)
def test_pages_of_any_size_in_either_direction_are_one_long_list(
    foods: list[Food], query: str, limit: int, food_type: FoodType | None
) -> None:
    with _catalogue(foods) as catalogue:
        expected, more = page_of(catalogue, query, PageRequest(100), food_type)
        assert not more
        assert len(set(expected)) == len(expected)
        assert all_of(catalogue, query, food_type, limit=limit) == expected
        for place, cursor in enumerate(expected):
            after = page_of(catalogue, query, PageRequest(limit, cursor), food_type)
            assert after == (expected[place + 1 :][:limit], len(expected) - place - 1 > limit)
            before = page_of(catalogue, query, PageRequest(limit, cursor, backwards=True), food_type)
            assert before == (expected[:place][-limit:], place > limit)


@given(foods=_foods(), query=_queries(), food_type=st.none() | st.sampled_from(FoodType), backwards=st.booleans())
@hypothesis_settings(max_examples=150)
def test_a_food_that_is_not_in_the_list_is_no_cursor(
    foods: list[Food],
    query: str,
    food_type: FoodType | None,
    backwards: bool,
) -> None:
    with _catalogue(foods) as catalogue:
        found = all_of(catalogue, query, food_type)
        for cursor in {food.id for food in foods}.difference(found) | {"0" * 16}:
            with pytest.raises(InvalidCursor):
                page_of(catalogue, query, PageRequest(5, cursor, backwards), food_type)


@given(foods=_foods(), query=_queries())
@hypothesis_settings(max_examples=150)
def test_the_two_types_are_the_whole_list_in_its_order(foods: list[Food], query: str) -> None:
    types = {food.id: food.food_type for food in foods}
    with _catalogue(foods) as catalogue:
        whole = all_of(catalogue, query)
        for food_type in FoodType:
            found = all_of(catalogue, query, food_type)
            assert {types[id_] for id_ in found} <= {food_type}
            expected = [id_ for id_ in whole if types[id_] is food_type]
            # Where a type has no food with all the words, its answer has others rather than none.
            assert found == expected or not expected


@given(foods=_foods(most=12))
@hypothesis_settings(max_examples=120)
def test_every_food_is_found_by_its_name_by_each_of_its_words_and_by_their_beginnings(foods: list[Food]) -> None:
    with _catalogue(foods) as catalogue:
        for food in foods:
            words = [word for word in fold_words(food.name) if len(word) >= 2 and word not in STOP_WORDS]
            queries = {food.name} if words else set()
            for word in words:
                # A few letters may be anything, so that what means another word begins with more of them.
                least = 2 if understand([word]) == [singular(word)] else 4
                queries.update(word[:length] for length in range(min(least, len(word)), len(word) + 1))
            for query in queries:
                assert food.id in all_of(catalogue, query), (food.name, food.brand, query)


@given(foods=_foods(most=12), other=_queries())
@hypothesis_settings(max_examples=80)
def test_a_brand_is_found_by_the_words_of_its_brand(foods: list[Food], other: str) -> None:
    with _catalogue(foods) as catalogue:
        for food in foods:
            for word in fold_words(food.brand or ""):
                assume(len(word) >= 2)
                assert food.id in all_of(catalogue, word), (food.name, food.brand, word)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Tomato Ketchup", ["tomato", "ketchup", "tomato ket"]),
        ("Soy Milk", ["soy", "milk", "soy mi"]),
        ("Spring Onion Crisps", ["onion", "spring on", "onion crisps"]),
        ("Fava Beans", ["fava", "beans", "fava be"]),
        ("Fat Free Cookies", ["cookies", "fat fr", "fat free coo"]),
        ("Hot Dog Rolls", ["rolls", "hot do"]),
        ("Half and Half", ["half", "half and h"]),
        ("Milkshake", ["milk", "milksh", "shake"]),
    ],
)
def test_words_that_mean_another_together_are_found_each_for_itself(
    tmp_path: Path, name: str, words: list[str]
) -> None:
    """A package says "Tomato Ketchup"; whoever looks for tomato is shown it, however far back."""
    food = brand_food(name, "Acme")
    with opened(build_catalogue(tmp_path / "catalogue", [food, plain_food("Water")])) as catalogue:
        missing = [word for word in [name, *words] if food.id not in all_of(catalogue, word)]
    assert missing == []


def test_words_of_different_parts_of_a_name_mean_nothing_together(tmp_path: Path) -> None:
    """Green, then onion: no scallion. By its whole name it is found all the same."""
    soup = plain_food("Soup, green, onion, thick")
    foods = [soup, plain_food("Scallions, raw"), plain_food("Soup, scallion")]
    with opened(build_catalogue(tmp_path / "catalogue", foods)) as catalogue:
        assert soup.id in all_of(catalogue, soup.name)


def test_an_empty_catalogue_answers_with_nothing(tmp_path: Path) -> None:
    with opened(build_catalogue(tmp_path / "catalogue", [])) as catalogue:
        for query in ("milk", "m", "milkk", "peanutbutter", "2%", ""):
            assert page_of(catalogue, query, PageRequest()) == ([], False)


@given(foods=_foods(most=40), queries=st.lists(_queries(), min_size=1, max_size=5), data=st.data())
@hypothesis_settings(max_examples=60)
def test_the_order_does_not_depend_on_how_the_foods_were_imported(
    foods: list[Food], queries: list[str], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(foods))
    middle = data.draw(st.integers(0, len(foods)))
    # A food may come again with a later import, and be the same.
    again = data.draw(st.lists(st.sampled_from(foods), max_size=5))
    with (
        _catalogue(foods) as once,
        _catalogue(shuffled) as in_another_order,
        _catalogue(shuffled[:middle], [*again, *shuffled[middle:]]) as in_two_imports,
    ):
        for query in queries:
            expected = all_of(once, query)
            assert all_of(in_another_order, query) == expected
            assert all_of(in_two_imports, query) == expected


QUERIES = (
    *("milk", "chicken breast", "butter", "2% milk", "7up", "brocoli", "mozarela", "straw", "m", "ch", "white bread"),
    *(
        "peanutbutter",
        "pop corn",
        "kellogg corn flakes",
        "unicorn steak",
        "cheese pizza sauce",
        "berri",
        "appel",
        "ice cr",
    ),
    *("organic chocolate", "choclate cookie", "milk egg bread rice soup beef pork", "xqzt", "stra", "bluebery mufin"),
)

_ASK = """
import json, sys
from pathlib import Path
from benchmarks.brands import generate_brand_foods
from provender.catalogue.folder import CatalogueFolder
from provender.model.foods import FoodType
from tests.searching import all_of, build_catalogue, opened
shipped, made, *queries = sys.argv[1:]
answers = []
for folder in (CatalogueFolder(Path(shipped)), build_catalogue(Path(made), generate_brand_foods(400))):
    with opened(folder) as catalogue:
        answers += [all_of(catalogue, query, food_type) for query in queries for food_type in (None, *FoodType)]
print(json.dumps(answers))
"""


def test_the_order_is_the_same_in_every_process(shipped_folder: CatalogueFolder, tmp_path: Path) -> None:
    """Whatever the process: sets and dictionaries are in another order for each of these seeds."""
    answers = []
    for seed in ("0", "1", "4711"):
        asked = subprocess.run(
            [sys.executable, "-c", _ASK, str(shipped_folder.path), str(tmp_path / seed), *QUERIES],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=100,
            check=True,
        )
        answers.append(json.loads(asked.stdout))
    assert sum(map(bool, answers[0])) > 100
    assert answers[0] == answers[1] == answers[2]


def test_tea_is_found_by_its_french_name(tmp_path: Path) -> None:
    """Without its accent it would be a word that says nothing."""
    tea, green, beans = (brand_food(name, "Acme") for name in ("Thé", "Thé vert à la menthe", "Haricots verts"))
    with opened(build_catalogue(tmp_path, [tea, green, beans])) as catalogue:
        assert all_of(catalogue, "thé") == all_of(catalogue, "the") == [tea.id, green.id]
        assert all_of(catalogue, "thé vert") == [green.id]
        assert set(all_of(catalogue, "vert")) == {green.id, beans.id}


def test_a_misspelt_word_is_what_plain_foods_have_though_a_brand_has_one_that_is_nearer(tmp_path: Path) -> None:
    foreign, own = brand_food("Brocoli surgelé", "Acme"), brand_food("Broccoli florets", "Acme")
    with opened(build_catalogue(tmp_path, [foreign, own, plain_food("Broccoli, raw")])) as catalogue:
        assert all_of(catalogue, "brocolli")[0] == plain_food("Broccoli, raw").id
        assert set(all_of(catalogue, "brocolli")) == {foreign.id, own.id, plain_food("Broccoli, raw").id}
    # A name of a brand that is common is what it looks like, and no way to write something else.
    nestle, nettle = [brand_food(f"Chocolate {number}", "Nestle") for number in range(3)], plain_food("Nettles, raw")
    with opened(build_catalogue(tmp_path / "nestle", [*nestle, nettle])) as catalogue:
        assert set(all_of(catalogue, "nestel")) == {food.id for food in nestle}
