"""What others would do in a day: full-text search as SQLite and PostgreSQL come with it, over the same foods.

Both want all words of the query, and any of them where no food has all.
"""

import asyncio
import contextlib
from collections.abc import Iterable
from typing import Any, Protocol, Self

import apsw
import asyncpg

from benchmarks.servers import run_postgresql

# An id, a name, and a brand if there is one.
Row = tuple[str, str, str | None]

_FOUND = 10


class Baseline(Protocol):
    """A search to be compared with. Use it as a context."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def load(self, foods: Iterable[Row]) -> None: ...

    def search(self, query: str) -> list[str]:
        """The ids of the first 10 foods."""


class Bm25:
    """SQLite's FTS5, by bm25 with no weights."""

    def __enter__(self) -> Self:
        self._connection = apsw.Connection(":memory:")
        self._connection.execute(
            "CREATE VIRTUAL TABLE foods USING fts5 "
            "(id UNINDEXED, name, brand, tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def load(self, foods: Iterable[Row]) -> None:
        with self._connection:
            self._connection.executemany("INSERT INTO foods (id, name, brand) VALUES (?, ?, ?)", foods)

    def search(self, query: str) -> list[str]:
        words = [f'"{word.replace(chr(34), "")}"' for word in query.split()]
        return self._match(" AND ".join(words)) or self._match(" OR ".join(words))

    def _match(self, expression: str) -> list[str]:
        rows: list[Any] = self._connection.execute(
            f"SELECT id FROM foods WHERE foods MATCH ? ORDER BY bm25(foods), rowid LIMIT {_FOUND}", (expression,)
        ).fetchall()
        return [food_id for (food_id,) in rows]


class TsRank:
    """PostgreSQL's text search in English, by ts_rank."""

    def __enter__(self) -> Self:
        self._exits = contextlib.ExitStack()
        address = self._exits.enter_context(run_postgresql())
        self._runner = self._exits.enter_context(asyncio.Runner())
        self._connection = self._runner.run(asyncpg.connect(address))
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.run(self._connection.close())
        self._exits.close()

    def load(self, foods: Iterable[Row]) -> None:
        self._runner.run(self._load(foods))

    def search(self, query: str) -> list[str]:
        # An `or` between the words is made as everybody makes it, by rewriting the query's text.
        every = "plainto_tsquery('english', $1)"
        some = f"replace({every}::text, '&', '|')::tsquery"
        return self._match(every, query) or self._match(some, query)

    def _match(self, expression: str, query: str) -> list[str]:
        statement = (
            f"SELECT id FROM foods, (SELECT {expression} AS query) AS asked WHERE words @@ query "
            f"ORDER BY ts_rank(words, query) DESC, id LIMIT {_FOUND}"
        )
        rows = self._runner.run(self._connection.fetch(statement, query))
        return [row["id"] for row in rows]

    async def _load(self, foods: Iterable[Row]) -> None:
        await self._connection.execute("""
            CREATE TABLE foods (
                id text PRIMARY KEY, name text NOT NULL, brand text,
                words tsvector GENERATED ALWAYS AS
                    (to_tsvector('english', name || ' ' || coalesce(brand, ''))) STORED
            )
        """)
        await self._connection.copy_records_to_table("foods", records=foods, columns=["id", "name", "brand"])
        await self._connection.execute("CREATE INDEX foods_by_words ON foods USING gin (words)")
        await self._connection.execute("ANALYZE foods")
