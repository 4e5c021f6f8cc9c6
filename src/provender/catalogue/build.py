"""Builds a version of the catalogue: what the last one had, what an import brings, checked before it is used.

Foods are staged by their id in a file of their own, in whatever order they come, and then written once, in the order of
their rank. Memory stays flat, whatever the number of foods.
"""

import contextlib
import itertools
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw
import msgspec

from provender.catalogue.encoding import encode_food
from provender.catalogue.folder import FORMAT, CatalogueFolder, Dataset, Manifest
from provender.catalogue.fragments import Fragments, close_core
from provender.catalogue.language import mark_lists
from provender.catalogue.naming import points, tokens
from provender.catalogue.search import INDEX
from provender.catalogue.vocabulary import TABLES, collect_words
from provender.model.errors import CatalogueUnavailable
from provender.model.foods import Food
from provender.model.times import to_ms

# How well a dataset documents its foods; of two that claim one food, or one barcode, the better documented is taken,
# and of equals the newer. An operator's own table knows best.
DOCUMENTATION = {"foundation": 5, "sr_legacy": 4, "sr28": 3, "fndds": 2, "usda_branded": 1, "off": 0}
_OPERATORS_OWN = 9

_BATCH = 2000

_PIECES = ", ".join(Fragments._fields)

_STAGED_COLUMNS = (
    "id", *Fragments._fields, "digest", "dataset", "documentation", "source", "source_key", "name", "brand", "besides",
    "points", "barcode", "released_at", "created_at", "updated_at", "imported_at", "listed", "chosen", "seen",
)  # fmt: skip

_KEPT_FROM_BEFORE = ("id", "dataset", "created_at", "updated_at")

_STAGED = f"""
    CREATE TABLE staged ({", ".join(_STAGED_COLUMNS)}, PRIMARY KEY (id, dataset)) WITHOUT ROWID
"""

# Every dataset that has a food keeps a row of it, so that one can step in for another that drops it. A record replaces
# its dataset's own unless that is newer. Content that did not change keeps its time.
_STAGE = f"""
    INSERT INTO staged ({", ".join(_STAGED_COLUMNS)}) VALUES ({", ".join("?" * len(_STAGED_COLUMNS))})
    ON CONFLICT (id, dataset) DO UPDATE SET
        {", ".join(f"{c} = excluded.{c}" for c in _STAGED_COLUMNS if c not in _KEPT_FROM_BEFORE)},
        updated_at = CASE WHEN digest = excluded.digest THEN updated_at ELSE excluded.updated_at END
    WHERE excluded.released_at >= released_at OR listed = 0
"""

# A record that did not replace what is there, because that is newer, is in this release all the same.
_MARK = "UPDATE staged SET seen = 1, listed = 1 WHERE id = ? AND dataset = ? AND seen = 0"
_DATASET = _STAGED_COLUMNS.index("dataset")

_FOODS = f"""
    CREATE TABLE foods (
        rank INTEGER PRIMARY KEY, id TEXT NOT NULL, {_PIECES}, digest BLOB NOT NULL,
        dataset TEXT NOT NULL, documentation INTEGER NOT NULL, source TEXT NOT NULL, source_key TEXT NOT NULL,
        name TEXT NOT NULL, brand TEXT, besides TEXT, points REAL NOT NULL, barcode INTEGER,
        released_at INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
        imported_at INTEGER NOT NULL, listed INTEGER NOT NULL, chosen INTEGER NOT NULL
    )
"""
_KEPT = ", ".join(column for column in _STAGED_COLUMNS if column != "seen")

# Of a food that several datasets have, the best documented that is in search answers; the others wait.
_CHOOSE = """
    UPDATE staged SET
        chosen = dataset = (
            SELECT dataset FROM staged AS best WHERE best.id = staged.id
            ORDER BY listed DESC, documentation DESC, released_at DESC, dataset LIMIT 1
        ),
        created_at = (SELECT min(created_at) FROM staged AS first WHERE first.id = staged.id)
    WHERE id IN (SELECT id FROM staged GROUP BY id HAVING count(*) > 1)
"""

# Those in search first, and of those the likeliest to be meant.
_RANK = "chosen DESC, listed DESC, points, id, dataset"

_BARCODES = """
    INSERT INTO barcodes (gtin, food)
    SELECT barcode, rank FROM (
        SELECT barcode, rank, row_number() OVER (
            PARTITION BY barcode ORDER BY listed DESC, documentation DESC, released_at DESC, rank
        ) AS place FROM foods WHERE barcode IS NOT NULL AND chosen
    ) WHERE place = 1 ORDER BY barcode
"""


class Build:
    """A version on its way. Use it as a context: leaving it without `finish` leaves nothing behind."""

    def __init__(self, folder: CatalogueFolder, now: datetime, *, replace: bool = False) -> None:
        self._folder = folder
        self._now = now
        self._replace = replace
        self._building = folder.building
        self._releases: dict[str, str | None] = {}
        self._whole: set[str] = set()
        self._staging: apsw.Connection
        # The version that this one begins with, if any; known once it is this build's turn.
        self.base: str | None = None

    def __enter__(self) -> "Build":
        try:
            with _translated_errors():
                self._begin()
        except BaseException:
            # Also a Ctrl-C, which may come at any moment of this.
            self.__exit__()
            raise
        return self

    def _begin(self) -> None:
        self._folder.begin()
        self._staging = _open_for_writing(self._building / "staged.db")
        self._staging.execute(_STAGED)
        self.base = None if self._replace else self._folder.current()
        if self.base is not None:
            self._take_over(self.base)
        self._staging.execute("BEGIN")

    def __exit__(self, *_: object) -> None:
        if hasattr(self, "_staging"):
            self._staging.close()
        shutil.rmtree(self._building, ignore_errors=True)
        self._folder.end()

    def add(self, foods: Iterable[Food], *, release: str | None = None, partial: bool = False) -> Counter[str]:
        """Stage the foods of an import, and return how many each dataset had.

        An import is a whole release of the datasets it has, unless it is `partial`: what a release no longer has
        leaves search, and stays retrievable.
        """
        counts: Counter[str] = Counter()
        for batch in _batches(self._rows(foods, counts), _BATCH):
            with _translated_errors():
                self._staging.executemany(_STAGE, batch)
            if self.base is not None:
                self._staging.executemany(_MARK, [(row[0], row[_DATASET]) for row in batch])
        self._releases |= dict.fromkeys(counts, release)
        if not partial:
            self._whole |= counts.keys()
        return counts

    def finish(self) -> Manifest:
        """Write the version, check it, and use it."""
        with _translated_errors():
            manifest = self._write()
        check(self._building / "foods.db", manifest)
        self._folder.finish(self._building, manifest)
        return manifest

    def _write(self) -> Manifest:
        for dataset in self._whole:
            self._staging.execute("UPDATE staged SET listed = 0 WHERE dataset = ? AND seen = 0", (dataset,))
        self._staging.execute(_CHOOSE)
        self._staging.execute("COMMIT")
        self._staging.close()
        path = self._building / "foods.db"
        foods = _open_for_writing(path)
        foods.execute(_FOODS)
        foods.execute("CREATE TABLE barcodes (gtin INTEGER PRIMARY KEY, food INTEGER NOT NULL)")
        foods.execute("ATTACH ? AS staging", (str(self._building / "staged.db"),))
        foods.execute("BEGIN")
        foods.execute(f"INSERT INTO foods ({_KEPT}) SELECT {_KEPT} FROM staging.staged ORDER BY {_RANK}")
        foods.execute("CREATE UNIQUE INDEX foods_by_id ON foods (id) WHERE chosen")
        foods.execute(_BARCODES)
        _index(foods)
        foods.execute("COMMIT")
        foods.execute("DETACH staging")
        manifest = self._describe(foods)
        foods.close()
        (self._building / "staged.db").unlink()
        return manifest

    def _take_over(self, base: str) -> None:
        """Begin with all that the version in use has, and what is known about its datasets."""
        for dataset in self._folder.manifest(base).datasets:
            self._releases[dataset.name] = dataset.release
        self._staging.execute(
            "ATTACH ? AS base", (f"{self._folder.foods_file(base).absolute().as_uri()}?mode=ro&immutable=1",)
        )
        self._staging.execute(f"INSERT INTO staged ({_KEPT}, seen) SELECT {_KEPT}, 0 FROM base.foods ORDER BY id")
        self._staging.execute("DETACH base")
        if self._folder.manifest(base).lists != mark_lists():
            # Its names were read with other lists.
            _register(self._staging, "points", points, 5)
            self._staging.execute(
                "UPDATE staged SET points = points(name, brand, besides, length(per_100), length(servings))"
            )

    def _rows(self, foods: Iterable[Food], counts: Counter[str]) -> Iterator[tuple[Any, ...]]:
        now = to_ms(self._now)
        for food in foods:
            counts[food.dataset] += 1
            food_id = food.id
            fragments = encode_food(food, food_id)
            # A record without a date is older than any that has one.
            released = 0 if food.released is None else to_ms(food.released)
            yield (
                food_id,
                *fragments,
                fragments.digest(),
                food.dataset,
                DOCUMENTATION.get(food.dataset, _OPERATORS_OWN),
                food.source,
                food.source_key,
                food.name,
                food.brand,
                food.besides,
                points(food.name, food.brand, food.besides, len(fragments.per_100), len(fragments.servings)),
                None if food.barcode is None else int(food.barcode),
                released,
                now,
                now,
                now,
                1,
                1,
                1,
            )

    def _describe(self, foods: apsw.Connection) -> Manifest:
        [(count, listed)] = _read(foods, "SELECT count(*), coalesce(sum(listed), 0) FROM foods WHERE chosen")
        [(barcodes,)] = _read(foods, "SELECT count(*) FROM barcodes")
        datasets = _read(
            foods, "SELECT dataset, count(*), max(imported_at) FROM foods WHERE chosen GROUP BY 1 ORDER BY 1"
        )
        return Manifest(
            format=FORMAT,
            version=self._folder.new_version(self._now),
            created_at=to_ms(self._now),
            foods=count,
            listed=listed,
            barcodes=barcodes,
            datasets=[Dataset(name, self._releases.get(name), imported, n) for name, n, imported in datasets],
            lists=mark_lists(),
        )


def check(path: Path, manifest: Manifest) -> None:
    """Refuse a version that is not whole: wrong counts, a barcode that leads nowhere, a fragment that is no JSON."""
    foods = apsw.Connection(
        f"{path.absolute().as_uri()}?mode=ro", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    )
    try:
        [(count,)] = _read(foods, "SELECT count(*) FROM foods WHERE chosen")
        [(lost,)] = _read(
            foods, "SELECT count(*) FROM barcodes b WHERE NOT EXISTS (SELECT 1 FROM foods f WHERE f.rank = b.food)"
        )
        if count != manifest.foods or lost:
            raise CatalogueUnavailable(f"The new catalogue is not whole: {count} foods, {lost} barcodes lead nowhere.")
        decode = msgspec.json.Decoder().decode
        # Groups have numbers only, so that nothing need be made of them to know that they are whole.
        read_past = msgspec.json.Decoder(msgspec.Raw).decode
        rows: Any = foods.execute(f"SELECT created_at, updated_at, {_PIECES} FROM foods")
        for created_at, updated_at, core, *groups, servings, per_100 in rows:
            decode(close_core(core, created_at, updated_at) + b"}")
            decode(servings)
            for group in (*groups, per_100):
                read_past(group)
    except (apsw.Error, msgspec.MsgspecError) as error:
        raise CatalogueUnavailable(f"The new catalogue is not whole: {error}.") from error
    finally:
        foods.close()


@contextlib.contextmanager
def _translated_errors() -> Iterator[None]:
    """Raise what the files complain about, such as a full disk, as something that can be told in one line."""
    try:
        yield
    except apsw.Error as error:
        raise CatalogueUnavailable(f"The catalogue cannot be written: {error}.") from error


def _open_for_writing(path: Path) -> apsw.Connection:
    """A connection without journal and flushes: a file that is not whole in the end is thrown away."""
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(str(path), flags=flags)
    for pragma in ("journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE", "cache_size = -65536"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _index(foods: apsw.Connection) -> None:
    """Write what search reads: the words of every food that is in search, by its rank."""
    foods.execute(INDEX)
    _register(foods, "tokens", tokens, 3)
    foods.execute(
        """
        INSERT INTO search (rowid, tokens)
        SELECT rank, tokens(name, brand, besides) FROM foods WHERE chosen AND listed ORDER BY rank
        """
    )
    foods.execute("INSERT INTO search (search) VALUES ('optimize')")
    foods.execute(TABLES)
    collect_words(foods)


def _register(connection: apsw.Connection, name: str, function: Any, arguments: int) -> None:
    connection.create_scalar_function(name, function, arguments, deterministic=True)


def _read(foods: apsw.Connection, sql: str) -> list[Any]:
    return foods.execute(sql).fetchall()


def _batches(rows: Iterator[tuple[Any, ...]], size: int) -> Iterator[list[tuple[Any, ...]]]:
    while batch := list(itertools.islice(rows, size)):
        yield batch
