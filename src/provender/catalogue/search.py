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
        self._foods = foods
        self._reader = Reader(Vocabulary(foods))
        self._plan = lru_cache(_PLANS_KEPT)(self._make_plan)
        self._is_empty = lru_cache(_PLANS_KEPT)(self._finds_nothing)

    def page(self, query: str, request: PageRequest, food_type: FoodType | None, columns: str) -> Page[Sequence[Any]]:
        """A page of the foods that answer a query, each with the columns that are asked for."""
        tiers: Iterable[Tier] = self._plan(query, food_type)
        bound = _LAST if request.backwards else _FIRST
        if request.cursor is not None:
            bound = self._rank(request.cursor)
            place = self._place(tiers, bound)
            if place is None:
                return Page.cut([], request)
            tiers = islice(tiers, place + 1) if request.backwards else islice(tiers, place, None)
        reached: list[Sequence[Any]] = []
        for tier in reversed(list(tiers)) if request.backwards else tiers:
            if tier.among is not None and self._is_empty(tier.among):
                continue
            most = request.reach - len(reached)
            reached += self._walk(tier.expression, bound, most, columns, backwards=request.backwards)
            if len(reached) == request.reach:
                break
            bound = _LAST if request.backwards else _FIRST
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
        rows: Any = self._foods.execute("SELECT rank FROM foods WHERE id = ? AND chosen", (food_id,)).fetchall()
        return rows[0][0] if rows else -1

    def _finds_nothing(self, expression: str) -> bool:
        return not self._foods.execute("SELECT 1 FROM search WHERE search MATCH ? LIMIT 1", (expression,)).fetchall()

    def _place(self, tiers: Iterable[Tier], rank: int) -> int | None:
        """The place of the tier that a food is in; None for one that is in none."""
        sql = "SELECT 1 FROM search WHERE search MATCH ? AND rowid = ?"
        for place, tier in enumerate(tiers):
            if self._foods.execute(sql, (tier.expression, rank)).fetchall():
                return place
        return None

    def _walk(self, expression: str, bound: int, most: int, columns: str, *, backwards: bool) -> list[Sequence[Any]]:
        beyond, direction = ("<=", "DESC") if backwards else (">=", "ASC")
        sql = f"""
            SELECT {columns} FROM search JOIN foods ON foods.rank = search.rowid
            WHERE search MATCH ? AND search.rowid {beyond} ? ORDER BY search.rowid {direction} LIMIT ?
        """
        rows: Any = self._foods.execute(sql, (expression, bound, most)).fetchall()
        return list(rows)


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
