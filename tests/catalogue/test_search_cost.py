"""What a search costs, as a shape: how many statements it sends, and that each of them reads along an index.

How long it takes is measured in `benchmarks/search_speed.py`; a machine that is busy cannot fail what is here.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from benchmarks.brands import generate_brand_foods
from provender.catalogue.search import Search
from provender.catalogue.store import Catalogue
from provender.importers import sr28
from provender.importers.records import Accepted
from provender.model.foods import Food, FoodType
from provender.model.kept import Kept
from provender.model.paging import PageRequest
from tests.searching import all_of, build_catalogue, opened

BRAND_FOODS = 4000

# What people type: common words, pairs, beginnings, rare words, mistakes, words that are joined or split.
TYPED = (
    *(
        "milk",
        "organic",
        "chocolate milk",
        "organic dark chocolate",
        "m",
        "mi",
        "mil",
        "choc",
        "choco",
        "chocol",
        "i",
        "2%",
    ),
    *(
        "strawberr",
        "brocoli",
        "mozarela",
        "bluebery mufin",
        "peanutbutter",
        "pop corn",
        "berri",
        "milk egg milk",
        "xqzt",
    ),
    *("milk xqzt", "unicorn steak", "cheese pizza sauce", "greviez", "motiette", "copper heron", "7up", "soy mil"),
)

# Measured: 26 at most, and 334 where six unknown words of 30 letters are each looked through for two words in one.
MOST_STATEMENTS = 40
MOST_STATEMENTS_OF_500_CHARACTERS = 400
# Measured: 1,022 characters, which are those of a word of 500 letters, given twice.
LONGEST_EXPRESSION = 10_000


class Traced:
    """A catalogue, and the statements that it sends."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        # The connection is nobody else's business; only here it is asked what it was sent.
        self.connection: apsw.Connection = catalogue._foods  # noqa: SLF001
        self.search: Search = catalogue._search  # noqa: SLF001 - For the same reason.
        self.words = [word for (word,) in self.connection.execute("SELECT word FROM words WHERE word GLOB '[a-z]*'")]

    def statements(
        self, query: str, request: PageRequest | None = None, food_type: FoodType | None = None
    ) -> list[tuple[str, Any]]:
        """What one search sends, with its values, for a page that was not asked for before."""
        self.catalogue._pages = Kept(1_000_000, lambda _: 1)  # noqa: SLF001 - As above.
        return self.statements_again(query, request, food_type)

    def statements_again(
        self, query: str, request: PageRequest | None = None, food_type: FoodType | None = None
    ) -> list[tuple[str, Any]]:
        sent: list[tuple[str, Any]] = []

        def note(_cursor: apsw.Cursor, sql: str, values: Any) -> bool:
            sent.append((sql, values))
            return True

        self.connection.exec_trace = note
        try:
            self.catalogue.search(query, request or PageRequest(), frozenset(), food_type)
        finally:
            self.connection.exec_trace = None
        return sent

    def tiers(self, query: str) -> int:
        return len(list(self.search._plan(query, None)))  # noqa: SLF001 - As above.

    def forget(self) -> None:
        """Forget what was planned for earlier queries, which would be planned no more."""
        self.search._plan.cache_clear()  # noqa: SLF001 - As above.


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Traced]:
    plain: Iterable[Food] = (
        outcome.food for outcome in itertools.islice(sr28.read_outcomes(), 3000) if isinstance(outcome, Accepted)
    )
    path: Path = tmp_path_factory.mktemp("cost") / "catalogue"
    with opened(build_catalogue(path, itertools.chain(plain, generate_brand_foods(BRAND_FOODS)))) as catalogue:
        yield Traced(catalogue)


def _nasty(words: list[str]) -> dict[str, str]:
    """Queries of 500 characters that were made to be dear."""
    long = [word for word in words if len(word) > 6]
    misspelt = [f"{word[:3]}{word[4:5]}{word[3]}{word[5:]}" for word in long]
    texts = {
        "hundreds of words": " ".join(word for word in words if len(word) <= 3),
        "one letter each": " ".join("abcdefghijklmnopqrstuvwxyz" * 10),
        "words that exist": " ".join(long),
        "one word of 500 letters": "x" * 500,
        "words without a blank": "".join(long),
        "all misspelt": " ".join(misspelt),
        "all misspelt twice": " ".join(f"{word[1:]}q" for word in long),
        "all joined": " ".join(f"{first}{second}" for first, second in itertools.pairwise(word for word in long)),
        "all joined and misspelt": " ".join(f"{a}{b}" for a, b in itertools.pairwise(misspelt)),
        "as long as a joined word may be": " ".join(letter * 30 for letter in "abcdefghijklmnop"),
        "joined of one word": " ".join(word * 4 for word in ("bar", "oat", "rice", "egg", "nut", "ham", "pie", "tea")),
        "all split": "pop corn butter milk straw berry blue berry water melon " * 10,
        "the same again": "milk " * 100,
        "common words": "organic chocolate milk cheese bread sauce bar cream chicken rice soup " * 10,
        "beginnings": "or cho mi ch br sa ba cr ri so " * 20,
        "no letter": "?!" * 250,
        "digits": "1234567890" * 50,
        "percent": "2% " * 170,
        "quotes": "\"milk\" OR 'milk' AND (milk) NOT milk* " * 13,
        "not Latin": "\u725b\u4e73 " * 166,
    }
    return {what: text[:500].strip() for what, text in texts.items()}


def test_what_people_type_costs_few_statements(traced: Traced) -> None:
    traced.forget()
    costs = {query: len(traced.statements(query)) for query in TYPED}
    assert max(costs.values()) <= MOST_STATEMENTS, costs


def test_no_query_of_500_characters_costs_more_than_some_hundred_statements(traced: Traced) -> None:
    traced.forget()
    costs = {what: len(traced.statements(query)) for what, query in _nasty(traced.words).items()}
    assert max(costs.values()) <= MOST_STATEMENTS_OF_500_CHARACTERS, costs


def test_the_statements_of_a_query_are_not_longer_the_longer_it_is(traced: Traced) -> None:
    """An expression that grew with every word would cost more than many statements."""
    traced.forget()
    lengths = {
        what: max((len(str(values)) for _, values in traced.statements(query)), default=0)
        for what, query in (*_nasty(traced.words).items(), *zip(TYPED, TYPED, strict=True))
    }
    assert max(lengths.values()) <= LONGEST_EXPRESSION, lengths


def test_a_query_that_was_planned_is_not_planned_again(traced: Traced) -> None:
    traced.forget()
    for query in TYPED:
        first, again = traced.statements(query), traced.statements(query)
        assert len(again) < len(first)
        assert len(again) <= traced.tiers(query)
        assert {sql.split(" FROM ")[1].split()[0] for sql, _ in again} <= {"search"}


def test_a_page_that_was_found_is_not_looked_for_again(traced: Traced) -> None:
    for query in TYPED:
        traced.statements(query)
        assert traced.statements_again(query) == []
    assert traced.statements_again("milk", PageRequest(7))


@pytest.mark.parametrize("food_type", [None, *FoodType])
def test_every_statement_reads_along_an_index(traced: Traced, food_type: FoodType | None) -> None:
    """None looks at all foods, and none that reads foods sorts them: the index has them in their order already."""
    traced.forget()
    sent = [
        statement
        for query in (*TYPED, *_nasty(traced.words).values())
        for statement in traced.statements(query, food_type=food_type)
    ]
    found = all_of(traced.catalogue, "milk", food_type)
    for backwards in (False, True):
        sent += traced.statements("milk", PageRequest(10, found[len(found) // 2], backwards), food_type)
    # One of each is enough: a plan does not depend on the values.
    for sql, values in dict(sent).items():
        plan = [str(row[3]) for row in traced.connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
        reads_foods = any("foods" in step or step.startswith("SCAN search VIRTUAL") for step in plan)
        for step in plan:
            assert not step.startswith(("SCAN foods", "SCAN words", "SCAN spellings", "SCAN beginnings")), (sql, plan)
            # A few words may be sorted, those that one was misspelt for.
            assert not (reads_foods and "TEMP B-TREE" in step), (sql, plan)


@pytest.mark.parametrize("query", ["milk", "chocolate", "organic", "chocolate mi", "o", "milk choclate"])
def test_page_20_costs_what_page_1_costs_but_for_finding_its_tier(traced: Traced, query: str) -> None:
    found = all_of(traced.catalogue, query)
    pages = [found[start : start + 5] for start in range(0, len(found), 5)]
    assert len(pages) >= 20
    for number in (2, 19, len(pages) - 1):
        after = traced.statements(query, PageRequest(5, pages[number - 1][-1]))
        before = traced.statements(query, PageRequest(5, pages[number][0], backwards=True))
        # One finds the rank of the cursor. A tier is asked whether the cursor is in it and read from there at once; on
        # the way back those before the cursor's were asked already when they are read.
        for sent, times in ((after, 1), (before, 2)):
            assert sum("FROM foods WHERE id" in sql for sql, _ in sent) == 1
            read = Counter(values[0] for sql, values in sent if "JOIN foods" in sql)
            assert len(read) <= traced.tiers(query)
            assert max(read.values()) <= times


def test_a_page_reads_no_more_foods_than_it_shows(traced: Traced) -> None:
    for limit in (1, 10, 100):
        for sql, values in traced.statements("milk", PageRequest(limit)):
            if "JOIN foods" in sql:
                assert sql.rstrip().endswith("LIMIT ?")
                assert values[-1] <= limit + 1
