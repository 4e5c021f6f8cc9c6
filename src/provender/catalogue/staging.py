"""Foods on their way into a version: each is encoded, and its name read, as it comes, and kept in the order of coming.

A staging file is only ever appended to. Several processes may each write one of their own; which food came before which
is then told by the numbers that foods are given, not by the files.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw

from provender.catalogue.encoding import encode_food
from provender.catalogue.fragments import Fragments
from provender.catalogue.naming import read_for_search
from provender.model.foods import Food
from provender.model.times import to_ms

# What decides which record a food has, and which rank; the rest is not read before it is written for good.
DECIDING = ("id", "dataset", "released_at", "digest", "points", "barcode", "tokens", "brand")
CARRIED = ("source", "source_key", "name", "besides", *Fragments._fields)
_COLUMNS = ("number", *DECIDING, *CARRIED)

_STAGED = f"CREATE TABLE staged (number INTEGER PRIMARY KEY, {', '.join((*DECIDING, *CARRIED))})"
_STAGE = f"INSERT INTO staged ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"

# A file that is appended to needs no more of it at hand than its end.
_CACHE_KB = 4096


class Staging:
    """A staging file that is written to. It is whole when it is closed."""

    def __init__(self, path: Path) -> None:
        self._file = open_for_writing(path, _CACHE_KB)
        self._file.execute(_STAGED)
        self._file.execute("BEGIN")

    def add(self, foods: Sequence[Food], first: int) -> Counter[str]:
        """Stage foods, numbered from `first` on, and return how many each dataset has of them."""
        self._file.executemany(_STAGE, _make_rows(foods, first))
        return Counter([food.dataset for food in foods])

    def close(self) -> None:
        self._file.execute("COMMIT")
        self._file.close()

    def abandon(self) -> None:
        self._file.close()


def open_for_writing(path: Path, cache_kb: int) -> apsw.Connection:
    """A connection without journal and flushes: a file that is not whole in the end is thrown away."""
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(str(path), flags=flags)
    for pragma in ("journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE", f"cache_size = -{cache_kb}"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def register(connection: apsw.Connection, name: str, function: Any, arguments: int) -> None:
    """Make a function known to SQL."""
    connection.create_scalar_function(name, function, arguments, deterministic=True)


def _make_rows(foods: Sequence[Food], first: int) -> Iterator[tuple[Any, ...]]:
    # One thing after the other for all foods, and not everything for one: a processor is quicker at what it just did.
    ids = [food.id for food in foods]
    encoded = [encode_food(food, food_id) for food, food_id in zip(foods, ids, strict=True)]
    digests = [fragments.digest() for fragments in encoded]
    namings = [
        read_for_search(food.name, food.brand, food.besides, len(fragments.per_100), len(fragments.servings))
        for food, fragments in zip(foods, encoded, strict=True)
    ]
    for number, (food, food_id, fragments, digest, (points, tokens)) in enumerate(
        zip(foods, ids, encoded, digests, namings, strict=True), first
    ):
        yield (
            number,
            food_id,
            food.dataset,
            # A record without a date is older than any that has one.
            0 if food.released is None else to_ms(food.released),
            digest,
            points,
            None if food.barcode is None else int(food.barcode),
            tokens,
            food.brand,
            food.source,
            food.source_key,
            food.name,
            food.besides,
            *fragments,
        )
