"""Searches a version of the catalogue: pages of foods, in an order that every process finds alike."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, count, islice
from typing import Any

import apsw

from provender.catalogue.query import Reader, leave_out
from provender.catalogue.tiers import Tier, make_tiers
from provender.catalogue.vocabulary import Vocabulary
from provender.model.foods import FoodType
from provender.model.paging import Page, PageRequest

# Plans are small, and people who page on, or type the same, need them again.
_PLANS_KEPT = 512

# Contentless and without positions: the rank is all that is read from it. Beginnings of one to five letters, behind
# the letter of the class, are indexed too.
INDEX = """
    CREATE VIRTUAL TABLE search USING fts5(
        tokens, content = '', detail = none, columnsize = 0, prefix = '2 3 4 5 6', tokenize = "ascii tokenchars '%.'"
    )
"""

_FIRST, _LAST = 0, 2**62


class Search:
    def __init__(self, foods: apsw.Connection) -> None:
        # One for all: it is read before anything else is asked, and making one takes a part of what a question does.
        self._cursor = foods.cursor()
        self._reader = Reader(Vocabulary(foods))
        self._plan = lru_cache(_PLANS_KEPT)(self._make_plan)
        self._is_empty = lru_cache(_PLANS_KEPT)(self._finds_nothing)

    def page(self, query: str, request: PageRequest, food_type: FoodType | None, columns: str) -> Page[Sequence[Any]]:
        """A page of the foods that answer a query, each with its rank and then the columns that are asked for."""
        tiers: Iterable[Tier] = self._plan(query, food_type)
        reached: list[Sequence[Any]] = []
        place = None
        if request.cursor is not None:
            rank = self._rank(request.cursor)
            for place, tier in enumerate(tiers):  # noqa: B007 - Where it ends is the place of the cursor's tier.
                if reached := self._walk(tier, rank, request.reach, columns, request, begins=rank):
                    break
            else:
                return Page.cut([], request)
        for tier in _beyond(tiers, place, backwards=request.backwards):
            if len(reached) == request.reach:
                break
            bound = _LAST if request.backwards else _FIRST
            reached += self._walk(tier, bound, request.reach - len(reached), columns, request)
        return Page.cut(reached, request)

    def read_terms(self, query: str) -> list[tuple[frozenset[str], str | None]]:
        return self._reader.read_terms(query)

    def _make_plan(self, query: str, food_type: FoodType | None) -> "_Plan":
        """The tiers of a query, from the first on that has a food. Words are left out until there is one."""
        readings = self._reader.read(query)
        while readings:
            tiers = make_tiers(readings, food_type)
            for tier in tiers:
                if tier.among is not None and self._is_empty(tier.among):
                    continue
                if not self._finds_nothing(tier.expression):
                    return _Plan(chain([tier], tiers))
            readings = [leave_out(reading) for reading in readings if len(reading) > 1]
        return _Plan(iter(()))

    def _rank(self, food_id: str) -> int:
        rows: Any = self._cursor.execute("SELECT rank FROM foods WHERE id = ? AND chosen", (food_id,)).fetchall()
        return rows[0][0] if rows else -1

    def _finds_nothing(self, expression: str) -> bool:
        return not self._cursor.execute("SELECT 1 FROM search WHERE search MATCH ? LIMIT 1", (expression,)).fetchall()

    def _walk(
        self, tier: Tier, bound: int, most: int, columns: str, request: PageRequest, *, begins: int | None = None
    ) -> list[Sequence[Any]]:
        """So many foods of a tier, from a rank on. If they have to begin with one and do not, there are none."""
        if tier.among is not None and self._is_empty(tier.among):
            return []
        beyond, direction = ("<=", "DESC") if request.backwards else (">=", "ASC")
        sql = f"""
            SELECT search.rowid, {columns} FROM search JOIN foods ON foods.rank = search.rowid
            WHERE search MATCH ? AND search.rowid {beyond} ? ORDER BY search.rowid {direction} LIMIT ?
        """
        rows: Any = self._cursor.execute(sql, (tier.expression, bound, most))
        if begins is not None:
            # No more than the first is read where it is another's: most tiers are not the one that a cursor is in.
            first = next(rows, None)
            return [first, *rows] if first is not None and first[0] == begins else []
        return list(rows)


def _beyond(tiers: Iterable[Tier], place: int | None, *, backwards: bool) -> Iterable[Tier]:
    """The tiers on that side of one of them, from the nearest on; without one, all of them."""
    if backwards:
        return reversed(list(islice(tiers, place)))
    return tiers if place is None else islice(tiers, place + 1, None)


class _Plan:
    """The tiers that answer a query, as far as somebody has asked for them; most people see the first page only."""

    def __init__(self, tiers: Iterator[Tier]) -> None:
        self._tiers = tiers
        self._made: list[Tier] = []

    def __iter__(self) -> Iterator[Tier]:
        for place in count():
            if place == len(self._made):
                if (tier := next(self._tiers, None)) is None:
                    return
                self._made.append(tier)
            yield self._made[place]
