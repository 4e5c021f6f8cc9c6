"""Custom foods in storage: found by their words, and every read along an index."""

import itertools
import re
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from provender.model.custom_foods import CustomFood
from provender.model.errors import InvalidCursor, ProfileNotFound
from provender.model.foods import FoodType, Unit
from provender.model.ids import new_id
from provender.model.nutrients import Group
from provender.model.paging import PageRequest
from provender.model.profiles import Profile
from provender.storage import custom_foods, profiles
from provender.storage.custom_foods import list_matching
from provender.storage.engine import Engine, Statements
from provender.storage.matching import Term, matching
from provender.storage.store import Store

NOW = datetime(2026, 3, 10, tzinfo=UTC)

_numbers = itertools.count()


def food(name: str, brand: str | None = None) -> CustomFood:
    return CustomFood(
        id=new_id(NOW),
        name=name,
        brand=brand,
        food_type=FoodType.GENERIC if brand is None else FoodType.BRAND,
        serving_description="1 bowl",
        serving_amount=60,
        unit=Unit.GRAM,
        nutrients={Group.MACRO_NUTRIENTS: {"energy_kcal": 100.0}},
        barcode=None,
        created_at=NOW,
        updated_at=NOW,
    )


@pytest.fixture
async def store(engine: Engine) -> Store:
    await engine.change("INSERT INTO applications (id, name, created_at) VALUES ('acme', 'acme', 0)")
    return Store(engine, "acme")


async def new_profile(store: Store, foods: Sequence[CustomFood]) -> str:
    """A profile with these foods, and its id."""
    name = f"profile-{next(_numbers)}"
    await profiles.insert_profile(store, Profile(name, name, None, NOW, NOW))

    async def insert(statements: Statements) -> None:
        for each in foods:
            await custom_foods.insert_food(statements, name, each)

    await store.transaction(insert)
    return name


def exactly(*words: str) -> Term:
    return Term(frozenset(words))


def beginning(prefix: str, *words: str) -> Term:
    return Term(frozenset(words), prefix)


async def found(store: Store, profile_id: str, *terms: Term, **request: Any) -> list[str]:
    page = await list_matching(store, profile_id, terms, PageRequest(**request))
    return [each.food_name for each in page.items]


async def test_a_food_has_every_term_by_an_alternative_or_a_prefix(store: Store) -> None:
    foods = [food("Corn flakes", "Kellogg's"), food("Corn bread"), food("Crème fraîche 30%"), food("🍌")]
    alice = await new_profile(store, foods)
    assert await found(store, alice, exactly("corn")) == ["Corn bread", "Corn flakes"]
    assert await found(store, alice, exactly("corn"), exactly("kelloggs")) == ["Corn flakes"]
    assert await found(store, alice, exactly("maize", "corn"), exactly("loaf", "bread")) == ["Corn bread"]
    assert await found(store, alice, exactly("cor")) == []
    assert await found(store, alice, beginning("cor")) == ["Corn bread", "Corn flakes"]
    assert await found(store, alice, exactly("corn"), beginning("fl")) == ["Corn flakes"]
    assert await found(store, alice, beginning("x", "creme")) == ["Crème fraîche 30%"]
    assert await found(store, alice, beginning("fraiche", "corn")) == ["Crème fraîche 30%", "Corn bread", "Corn flakes"]
    assert await found(store, alice, exactly("30%")) == ["Crème fraîche 30%"]
    assert await found(store, alice, exactly("corn"), exactly()) == []


async def test_what_is_found_is_the_food_as_it_is_answered(store: Store) -> None:
    alice = await new_profile(store, [food("Corn flakes", "Kellogg's")])
    [matched] = (await list_matching(store, alice, [exactly("corn")], PageRequest())).items
    [listed] = (await custom_foods.list_foods(store, alice, PageRequest())).items
    assert matched == listed
    assert matched.body(frozenset()).startswith(b'{"_id":"%b","food_name":"Corn flakes"' % matched.id.encode())


async def test_foods_of_one_type_can_be_asked_for(store: Store) -> None:
    alice = await new_profile(store, [food("Corn flakes", "Kellogg's"), food("Corn bread"), food("Rye bread")])

    async def names(food_type: FoodType | None, *terms: Term) -> list[str]:
        page = await list_matching(store, alice, terms, PageRequest(), food_type=food_type)
        return [each.food_name for each in page.items]

    assert await names(FoodType.BRAND, exactly("corn")) == ["Corn flakes"]
    assert await names(FoodType.GENERIC, exactly("corn")) == ["Corn bread"]
    assert await names(None, exactly("corn")) == ["Corn bread", "Corn flakes"]
    assert await names(FoodType.GENERIC) == ["Rye bread", "Corn bread"]
    # What says the type is no word that anybody can look for.
    assert await found(store, alice, beginning("brand")) == []


async def test_words_follow_a_change(store: Store) -> None:
    before = food("Corn flakes", "Kellogg's")
    alice = await new_profile(store, [before])
    after = before.changed({}, NOW, name="Porridge", brand=None, food_type=FoodType.GENERIC)
    await store.transaction(lambda statements: custom_foods.update_food(statements, alice, before, after))
    assert await found(store, alice, exactly("corn")) == []
    assert await found(store, alice, exactly("kelloggs")) == []
    assert await found(store, alice, exactly("porridge")) == ["Porridge"]


async def test_another_profiles_foods_are_not_found(store: Store, engine: Engine) -> None:
    alice = await new_profile(store, [food("Corn flakes")])
    bob = await new_profile(store, [food("Corn bread")])
    assert await found(store, alice, exactly("corn")) == ["Corn flakes"]
    with pytest.raises(ProfileNotFound):
        await found(Store(engine, "globex"), alice, exactly("corn"))
    await profiles.delete_profile(store, alice)
    with pytest.raises(ProfileNotFound):
        await found(store, alice, exactly("corn"))
    assert await found(store, bob, exactly("corn")) == ["Corn bread"]


async def test_very_long_words_are_found_by_their_beginning(store: Store) -> None:
    name = "\u3300" * 200
    alice = await new_profile(store, [food(name)])
    [word] = food(name).words
    assert len(word) > 64
    assert await found(store, alice, exactly(word)) == [name]
    assert await found(store, alice, beginning(word[:5])) == [name]
    assert await found(store, alice, beginning(word)) == [name]


_names = st.lists(st.sampled_from(["a", "ab", "abc", "b", "bc", "c", "é", "1", "2%"]), min_size=1, max_size=4)
_terms = st.lists(
    st.builds(
        Term,
        st.frozensets(st.sampled_from(["a", "ab", "abc", "b", "bc", "c", "e", "1", "2%", "x"]), max_size=5),
        st.none() | st.sampled_from(["a", "ab", "b", "2", "e", "x", ""]),
    ),
    min_size=1,
    max_size=4,
)


def _has(each: CustomFood, term: Term) -> bool:
    words = each.words
    return bool(words & term.alternatives) or (
        term.prefix is not None and any(word.startswith(term.prefix) for word in words)
    )


@given(names=st.lists(_names, max_size=20), terms=_terms, limit=st.integers(1, 8), where=st.integers(0, 19))
@hypothesis_settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_pages_agree_with_what_a_reader_would_find(
    store: Store, names: list[list[str]], terms: list[Term], limit: int, where: int
) -> None:
    foods = [food(" ".join(words)) for words in names]
    alice = await new_profile(store, foods)
    expected = [each.id for each in reversed(foods) if all(_has(each, term) for term in terms)]

    async def page(cursor: str | None = None, *, backwards: bool = False) -> tuple[list[str], bool]:
        got = await list_matching(store, alice, terms, PageRequest(limit, cursor, backwards))
        return [each.id for each in got.items], got.has_more

    seen, more = await page()
    while more:
        after, more = await page(seen[-1])
        assert after
        seen += after
    assert seen == expected

    if expected:
        place = where % len(expected)
        assert await page(expected[place]) == (expected[place + 1 :][:limit], len(expected) - place - 1 > limit)
        assert await page(expected[place], backwards=True) == (expected[:place][-limit:], place > limit)
    for each in foods:
        if each.id not in expected:
            for backwards in (False, True):
                with pytest.raises(InvalidCursor):
                    await page(each.id, backwards=backwards)


@pytest.fixture
async def full(store: Store) -> str:
    """A profile with 5,000 foods among others, and its id."""
    vocabulary = [f"word{number}" for number in range(997)]
    for _ in range(2):
        full = await new_profile(
            store,
            [
                food(f"Bread {vocabulary[number % 997]} {vocabulary[number * 7 % 997]} {'rye' if number % 2 else ''}")
                for number in range(5000)
            ],
        )
    return full


SEARCHES: dict[str, list[Term]] = {
    "a word that all have": [exactly("bread")],
    "a word that few have": [exactly("word77")],
    "two words": [exactly("bread"), exactly("rye")],
    "alternatives": [exactly("bread", "breads"), exactly("word77", "word78", "word79")],
    "a prefix": [beginning("word7")],
    "words and a prefix": [exactly("bread", "loaf"), exactly("rye"), beginning("word7", "word7")],
    "nothing": [exactly("bread"), exactly("cheese")],
    "as many as there may be": [
        *(exactly("bread", *(f"word{n}" for n in range(each, each + 15))) for each in range(11)),
        beginning("word7", *(f"word{n}" for n in range(16))),
    ],
}


async def test_a_profile_with_5000_foods_is_searched_fast_along_the_index(
    engine: Engine, store: Store, full: str
) -> None:
    cursor = (await list_matching(store, full, [exactly("bread")], PageRequest(100))).items[-1].id
    # For a hundred foods PostgreSQL would rather read all of a table that is as small as this.
    requests = [PageRequest(10), PageRequest(10, cursor), PageRequest(10, cursor, backwards=True)]
    for name, terms in SEARCHES.items():
        for request in requests:
            sql, values = matching("f.id, p.reference_id", terms, request)
            plan = await _plan(engine, sql, ["acme", full, *values])
            _assert_no_table_is_read_through(plan)
            # One word alone is in the order of the index.
            if len(terms) == len(terms[0].alternatives) == 1 and terms[0].prefix is None:
                assert "Sort" not in plan, plan
                assert "TEMP B-TREE" not in plan, plan
            costs = []
            for _ in range(3):
                started = time.perf_counter()
                rows = await store.all(sql, full, *values)
                costs.append(time.perf_counter() - started)
            assert bool(rows[0][0]) == (name != "nothing")
            assert min(costs) < (0.5 if name.startswith("as many") else 0.1), (name, request, min(costs))


async def test_every_read_of_a_food_is_along_an_index(engine: Engine, store: Store, full: str) -> None:
    cursor = (await custom_foods.list_foods(store, full, PageRequest())).items[-1].id
    first, onwards, backwards = custom_foods.NEWEST_FIRST.statements
    reads: list[tuple[str, list[Any]]] = [
        (first, [full, 10]),
        (onwards, [full, 10, cursor]),
        (backwards, [full, 10, cursor]),
        (custom_foods.FIND, [cursor]),
        (custom_foods.FIND_BY_BARCODE, [full, "4006381333931"]),
    ]
    for sql, values in reads:
        plan = await _plan(engine, sql, ["acme", *values])
        _assert_no_table_is_read_through(plan)
        assert "Sort" not in plan, plan
        assert "TEMP B-TREE" not in plan, plan


def _assert_no_table_is_read_through(plan: str) -> None:
    for line in plan.splitlines():
        # SQLite names a scan of a table, but also that of what a part of the statement has found.
        assert not re.match(r"\s*SCAN (custom_|f\b|p\b|profiles)", line), plan
        assert "Seq Scan on custom_" not in line, plan
        # Whatever is read is a stretch of one profile's, or one food of the application's.
        if "custom_food_words" in line and "SEARCH" in line:
            assert "profile_id=? AND word" in line, plan


async def _plan(engine: Engine, sql: str, values: list[Any]) -> str:
    if type(engine).__name__ == "PostgresqlEngine":
        # The tables are large enough here for PostgreSQL to choose by itself, once it has looked at them.
        await engine.change("ANALYZE")
        return "\n".join(row[0] for row in await engine.all(f"EXPLAIN {sql}", *values))
    return "\n".join(row[3] for row in await engine.all(f"EXPLAIN QUERY PLAN {sql}", *values))
