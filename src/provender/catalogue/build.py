"""Builds a version of the catalogue: what the last one had, what an import brings, checked before it is used.

Foods are staged by their id in a file of their own, in whatever order they come, and then written once, in the order of
their rank. Memory stays flat, whatever the number of foods.
"""

import contextlib
import itertools
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw
import msgspec

from provender.catalogue.arranging import IN_BASE, arrange, make_tables, take_over
from provender.catalogue.checking import check
from provender.catalogue.folder import FORMAT, CatalogueFolder, Dataset, Manifest
from provender.catalogue.fragments import Fragments
from provender.catalogue.indexing import index, take_index
from provender.catalogue.language import mark_lists
from provender.catalogue.processes import end, explain_end, start
from provender.catalogue.reports import ImportReport, carry_on
from provender.catalogue.staging import CARRIED, Staging, open_for_writing
from provender.model.errors import CatalogueUnavailable
from provender.model.foods import Food
from provender.model.times import to_ms

_BATCH = 500

# From so many foods on, another process that writes the index is worth its start.
_MANY = 50_000

# What is sorted and written at the end is given so much memory.
_CACHE_KB = 65536

# A food's columns come from its place in the order, and from the file that it was staged in.
_ORDERED = (
    "rank", "id", "digest", "dataset", "documentation", "points", "barcode", "released_at", "created_at", "updated_at",
    "imported_at", "listed", "chosen",
)  # fmt: skip
_CARRIED = (*CARRIED, "brand")

_PIECES = ", ".join(Fragments._fields)

_FOODS = f"""
    CREATE TABLE foods (
        rank INTEGER PRIMARY KEY, id TEXT NOT NULL, {_PIECES}, digest BLOB NOT NULL,
        dataset TEXT NOT NULL, documentation INTEGER NOT NULL, source TEXT NOT NULL, source_key TEXT NOT NULL,
        name TEXT NOT NULL, brand TEXT, besides TEXT, points REAL NOT NULL, barcode INTEGER,
        released_at INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
        imported_at INTEGER NOT NULL, listed INTEGER NOT NULL, chosen INTEGER NOT NULL
    )
"""
_WRITTEN = f"""
    SELECT {", ".join(f"ranked.{column}" for column in _ORDERED)}, {", ".join(f"kept.{column}" for column in _CARRIED)}
    FROM arranged.ranked CROSS JOIN %s AS kept ON kept.%s = ranked.number WHERE ranked.file = %d
"""

_BARCODES = """
    INSERT INTO barcodes (gtin, food)
    SELECT barcode, rank FROM (
        SELECT barcode, rank, row_number() OVER (
            PARTITION BY barcode ORDER BY listed DESC, documentation DESC, released_at DESC, rank
        ) AS place FROM arranged.ranked WHERE barcode IS NOT NULL AND chosen
    ) WHERE place = 1 ORDER BY barcode
"""


class Build:
    """A version on its way. Use it as a context: leaving it without `finish` leaves nothing behind."""

    def __init__(self, folder: CatalogueFolder, now: datetime, *, replace: bool = False, processes: int = 1) -> None:
        self._folder = folder
        self._now = now
        self._replace = replace
        self._processes = processes
        self._building = folder.building
        self._releases: dict[str, str | None] = {}
        self._reports: list[ImportReport] = []
        self._imported: set[tuple[str, int]] = set()
        self._whole: set[str] = set()
        self._arranged: apsw.Connection
        self._staging: Staging | None = None
        self._files: list[Path] = []
        self._numbered = 0
        self._ranked = 0
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
        # Not before: to wait for another build is no part of this one.
        self._began_s = time.monotonic()
        self._arranged = open_for_writing(self._arranged_file, _CACHE_KB)
        make_tables(self._arranged)
        self.base = None if self._replace else self._folder.current()
        if self.base is not None:
            self._take_over(self.base)

    def __exit__(self, *_: object) -> None:
        if self._staging is not None:
            self._staging.abandon()
        if hasattr(self, "_arranged"):
            self._arranged.close()
        shutil.rmtree(self._building, ignore_errors=True)
        self._folder.end()

    def add(self, foods: Iterable[Food], *, release: str | None = None, partial: bool = False) -> Counter[str]:
        """Stage the foods of an import, and return how many each dataset had.

        An import is a whole release of the datasets it has, unless it is `partial`: what a release no longer has
        leaves search, and stays retrievable.
        """
        counts: Counter[str] = Counter()
        for batch in _batches(iter(foods), _BATCH):
            with _translated_errors():
                if self._staging is None:
                    self._staging = Staging(self.new_file())
                counts += self._staging.add(batch, self._numbered)
            self._numbered += len(batch)
        self.note(counts, release=release, partial=partial)
        return counts

    def finish(self, report: ImportReport | None = None) -> Manifest:
        """Write the version, check it, and use it. It keeps the report, with the seconds that all of this took."""
        with _translated_errors():
            self._arrange()
            if self._processes > 1 and self._ranked >= _MANY:
                manifest = self._write_beside_index()
            else:
                manifest = self._write(has_index=True)
                check(self._foods_file, manifest)
        for path in (*self._files, self._arranged_file):
            path.unlink()
        if report is not None:
            took_s = round(time.monotonic() - self._began_s, 3)
            self._reports.append(msgspec.structs.replace(report, took_s=took_s))
        manifest.reports = carry_on(self._reports, self._imported)
        self._folder.finish(self._building, manifest)
        return manifest

    def new_file(self) -> Path:
        """The path of one more staging file."""
        path = self._building / f"staged-{len(self._files)}.db"
        self._files.append(path)
        return path

    def reserve_numbers(self) -> int:
        """The first of a million numbers for foods that are staged elsewhere."""
        first = self._numbered
        self._numbered += 1_000_000
        return first

    def note(self, counts: Counter[str], *, release: str | None, partial: bool) -> None:
        """Note what was staged: how many foods of each dataset."""
        self._releases |= dict.fromkeys(counts, release)
        if not partial:
            self._whole |= counts.keys()

    def _write_beside_index(self) -> Manifest:
        """Write the foods and check them, while another process writes the index, and then put it in."""
        built = self._building / "search.db"
        base = [] if self.base is None else [self._base_uri(self.base)]
        indexer = start("provender.catalogue.indexer", str(self._arranged_file), str(built), *base)
        try:
            manifest = self._write(has_index=False)
            check(self._foods_file, manifest)
            # Standard input ends as late as here: the process ends with it.
            said = indexer.stdout.read().decode() if indexer.stdout else ""
            if said:
                raise CatalogueUnavailable(f"The catalogue cannot be written: {said}.")
            if indexer.wait():
                raise explain_end(indexer)
        finally:
            end(indexer)
        foods = open_for_writing(self._foods_file, _CACHE_KB)
        foods.execute("ATTACH ? AS built", (str(built),))
        foods.execute("BEGIN")
        take_index(foods)
        foods.execute("COMMIT")
        foods.close()
        built.unlink()
        return manifest

    def _write(self, *, has_index: bool) -> Manifest:
        foods = open_for_writing(self._foods_file, _CACHE_KB)
        foods.execute(_FOODS)
        foods.execute("CREATE TABLE barcodes (gtin INTEGER PRIMARY KEY, food INTEGER NOT NULL)")
        foods.execute("ATTACH ? AS arranged", (str(self._arranged_file),))
        sources = self._attach(foods)
        foods.execute("BEGIN")
        if sources:
            columns = ", ".join((*_ORDERED, *_CARRIED))
            foods.execute(f"INSERT INTO foods ({columns}) {' UNION ALL '.join(sources)} ORDER BY 1")
        foods.execute("CREATE UNIQUE INDEX foods_by_id ON foods (id) WHERE chosen")
        foods.execute(_BARCODES)
        if has_index:
            index(foods, has_base=self.base is not None)
        foods.execute("COMMIT")
        manifest = self._describe(foods)
        foods.close()
        return manifest

    @property
    def _foods_file(self) -> Path:
        return self._building / "foods.db"

    @property
    def _arranged_file(self) -> Path:
        return self._building / "arranged.db"

    def _arrange(self) -> None:
        if self._staging is not None:
            self._staging.close()
            self._staging = None
        for file, path in enumerate(self._files):
            self._arranged.execute(f"ATTACH ? AS staged_{file}", (str(path),))
        self._arranged.execute("BEGIN")
        arrange(self._arranged, range(len(self._files)), self._whole, to_ms(self._now))
        self._arranged.execute("COMMIT")
        [(self._ranked,)] = _read(self._arranged, "SELECT count(*) FROM ranked")
        self._arranged.close()

    def _attach(self, foods: apsw.Connection) -> list[str]:
        """Attach what has the foods, and list what reads them from it, each in the order of rank."""
        sources = []
        for file, path in enumerate(self._files):
            foods.execute(f"ATTACH ? AS staged_{file}", (str(path),))
            sources.append(_WRITTEN % (f"staged_{file}.staged", "number", file))
        if self.base is not None:
            foods.execute("ATTACH ? AS base", (self._base_uri(self.base),))
            sources.append(_WRITTEN % ("base.foods", "rank", IN_BASE))
        return sources

    def _take_over(self, base: str) -> None:
        """Begin with all that the version in use has, and what is known about its datasets."""
        manifest = self._folder.manifest(base)
        for dataset in manifest.datasets:
            self._releases[dataset.name] = dataset.release
        self._reports = manifest.reports
        self._arranged.execute("ATTACH ? AS base", (self._base_uri(base),))
        # Its names may have been read with other lists.
        take_over(self._arranged, read_anew=manifest.lists != mark_lists())
        self._arranged.execute("DETACH base")

    def _base_uri(self, base: str) -> str:
        return f"{self._folder.foods_file(base).absolute().as_uri()}?mode=ro&immutable=1"

    def _describe(self, foods: apsw.Connection) -> Manifest:
        [(count, listed)] = _read(foods, "SELECT count(*), coalesce(sum(listed), 0) FROM arranged.ranked WHERE chosen")
        [(barcodes,)] = _read(foods, "SELECT count(*) FROM barcodes")
        imported = _read(
            foods, "SELECT dataset, imported_at, sum(chosen) FROM arranged.ranked GROUP BY 1, 2 ORDER BY 1, 2"
        )
        self._imported = {(name, imported_at) for name, imported_at, _ in imported}
        datasets: dict[str, Dataset] = {}
        for name, imported_at, n in imported:
            if n:
                before = datasets[name].foods if name in datasets else 0
                datasets[name] = Dataset(name, self._releases.get(name), imported_at, before + n)
        return Manifest(
            format=FORMAT,
            version=self._folder.new_version(self._now),
            created_at=to_ms(self._now),
            foods=count,
            listed=listed,
            barcodes=barcodes,
            datasets=list(datasets.values()),
            lists=mark_lists(),
        )


@contextlib.contextmanager
def _translated_errors() -> Iterator[None]:
    """Raise what the files complain about, such as a full disk, as something that can be told in one line."""
    try:
        yield
    except apsw.Error as error:
        raise CatalogueUnavailable(f"The catalogue cannot be written: {error}.") from error


def _read(foods: apsw.Connection, sql: str) -> list[Any]:
    return foods.execute(sql).fetchall()


def _batches(foods: Iterator[Food], size: int) -> Iterator[list[Food]]:
    while batch := list(itertools.islice(foods, size)):
        yield batch
