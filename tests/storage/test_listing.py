"""Cursor paging in SQL, over random lists, page sizes and directions, on both engines."""

import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from provender.model.errors import InvalidCursor
from provender.model.paging import PageRequest
from provender.storage import profiles
from provender.storage.engine import Engine
from provender.storage.listing import Listing
from provender.storage.store import Store

_groups = itertools.count()


def _listing(*, descending: bool) -> Listing:
    return Listing(
        columns="id, place",
        source="things WHERE application_id = $1 AND grp = $2",
        key=("place", "id"),
        descending=descending,
        id_column="id",
    )


_LISTINGS = {descending: _listing(descending=descending) for descending in (True, False)}


@pytest.fixture
async def things(engine: Engine) -> Store:
    await engine.change(
        """
        CREATE TABLE things (
            application_id text NOT NULL, grp bigint NOT NULL, place bigint NOT NULL, id text NOT NULL,
            PRIMARY KEY (application_id, grp, place, id)
        )
        """
    )
    await engine.change("CREATE UNIQUE INDEX things_by_id ON things (application_id, grp, id)")
    return Store(engine, "acme")


# Few places, so that many items share one and the id decides between them.
_items = st.lists(st.tuples(st.integers(0, 3), st.text("abcXYZ019", min_size=1, max_size=4)), unique_by=lambda i: i[1])


@given(items=_items, limit=st.integers(1, 12), descending=st.booleans(), data=st.data())
@hypothesis_settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_walks_and_cursors_agree_with_the_sorted_list(
    things: Store, items: list[tuple[int, str]], limit: int, *, descending: bool, data: st.DataObject
) -> None:
    group = next(_groups)
    for place, id_ in items:
        await things.change(
            "INSERT INTO things (application_id, grp, place, id) VALUES ($1, $2, $3, $4)", group, place, id_
        )
    expected = [id_ for _, id_ in sorted(items, key=lambda item: (item[0], item[1].encode()), reverse=descending)]
    listing = _LISTINGS[descending]

    async def page(cursor: str | None = None, *, backwards: bool = False) -> tuple[list[Any], bool]:
        found = await listing.page(things, PageRequest(limit, cursor, backwards), group)
        return [row[0] for row in found.items], found.has_more

    seen, more = await page()
    while more:
        items_after, more = await page(seen[-1])
        assert items_after
        seen += items_after
    assert seen == expected

    if expected:
        place = data.draw(st.integers(0, len(expected) - 1))
        assert await page(expected[place]) == (expected[place + 1 :][:limit], len(expected) - place - 1 > limit)
        assert await page(expected[place], backwards=True) == (expected[:place][-limit:], place > limit)

    for backwards in (False, True):
        with pytest.raises(InvalidCursor):
            await page("not-there", backwards=backwards)
        with pytest.raises(InvalidCursor):
            # An item of another group is no item of this list.
            await listing.page(things, PageRequest(limit, (expected or ["x"])[0], backwards), group + 1_000_000)


@pytest.mark.parametrize("which", [0, 1, 2])
async def test_a_page_is_a_walk_along_an_index(engine: Engine, things: Store, which: int) -> None:
    """No sort and no scan in any query plan, so that a page costs the same in a list of any length."""
    on_postgresql = type(engine).__name__ == "PostgresqlEngine"
    for listing in (*_LISTINGS.values(), profiles.NEWEST_FIRST):
        sql = listing.statements[which]
        values: list[Any] = ["acme", 1, 10, "x"] if "things" in sql else ["acme", 10, "x"]
        values = values[: len(values) - (which == 0)]
        plan = await _plan(engine, sql, values, on_postgresql=on_postgresql)
        forbidden = ("Sort", "Seq Scan") if on_postgresql else ("TEMP B-TREE", "SCAN")
        assert not any(word in plan for word in forbidden), plan


async def _plan(engine: Engine, sql: str, values: list[Any], *, on_postgresql: bool) -> str:
    if not on_postgresql:
        return "\n".join(row[3] for row in await engine.all(f"EXPLAIN QUERY PLAN {sql}", *values))

    async def explain(statements: Any) -> str:
        # On a table this small PostgreSQL would read all of it; what counts is that it need not.
        await statements.change("SET LOCAL enable_seqscan = off")
        await statements.change("SET LOCAL enable_bitmapscan = off")
        return "\n".join(row[0] for row in await statements.all(f"EXPLAIN {sql}", *values))

    return await engine.transaction(explain)
