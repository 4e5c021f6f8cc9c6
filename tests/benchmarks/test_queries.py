"""The judged queries fit the catalogue that ships: every query can be answered, and none by nearly everything."""

from collections import Counter

import pytest

from benchmarks.relevance.judged import Judged, half, matches_any, read_judged
from provender.importers.sr28 import read_records

KINDS = {"plain", "form", "brand", "plural", "synonym", "order", "typo", "prefix", "accent"}

# A query to which more of the catalogue is right says nothing about search.
MOST_RIGHT = 0.15


@pytest.fixture(scope="module")
def judged() -> list[Judged]:
    return read_judged()


@pytest.fixture(scope="module")
def names() -> list[str]:
    return [record.description for record in read_records()]


def test_there_are_enough_queries_of_every_kind(judged: list[Judged]) -> None:
    kinds = Counter(each.kind for each in judged)
    assert set(kinds) == KINDS
    assert min(kinds.values()) >= 10
    assert len(judged) >= 250


def test_no_query_comes_twice(judged: list[Judged]) -> None:
    queries = Counter(each.query.casefold() for each in judged)
    assert [query for query, count in queries.items() if count > 1] == []


def test_a_query_is_written_as_it_would_be_typed(judged: list[Judged]) -> None:
    assert [each.query for each in judged if not each.query or each.query != " ".join(each.query.split())] == []


def test_every_pattern_matches_a_food_that_ships(judged: list[Judged], names: list[str]) -> None:
    patterns = {pattern for each in judged for pattern in (*each.wanted, *each.unwanted)}
    assert [pattern for pattern in sorted(patterns) if not any(matches_any((pattern,), name) for name in names)] == []


def test_every_query_has_a_right_food_and_few_of_all(judged: list[Judged], names: list[str]) -> None:
    right = {each.query: sum(map(each.is_right, names)) for each in judged}
    assert [query for query, count in right.items() if not 0 < count < MOST_RIGHT * len(names)] == []


def test_a_pattern_with_an_exclamation_mark_takes_foods_out_again() -> None:
    apple = Judged("plain", "apple", ("Apples, raw*", "!*cooked*"))
    assert apple.is_right("Apples, raw, with skin")
    assert apple.is_right("APPLES, RAW, GALA, WITH SKIN")
    assert not apple.is_right("Apples, raw, without skin, cooked, boiled")
    assert not apple.is_right("Babyfood, apples, raw")


def test_both_halves_have_queries_of_every_kind(judged: list[Judged]) -> None:
    sides = Counter((half(each.query), each.kind) for each in judged)
    assert set(sides) == {(side, kind) for side in ("tune", "report") for kind in KINDS}
    assert min(sides.values()) >= 5


@pytest.mark.parametrize(
    ("query", "side"), [("milk", "tune"), ("banana", "tune"), ("big mac", "report"), ("jalapeño", "report")]
)
def test_the_half_of_a_query_never_changes(query: str, side: str) -> None:
    assert half(query) == side
