"""Reads a version of the catalogue: foods by id and by barcode, as the bytes of an answer."""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import apsw
import msgspec

from provender.catalogue.folder import CatalogueFolder, Manifest
from provender.catalogue.fragments import INCLUDABLE, Record, close_core, core_name, list_computed
from provender.catalogue.origins import Origin
from provender.catalogue.search import Search
from provender.model.errors import CatalogueUnavailable
from provender.model.foods import FoodType
from provender.model.kept import Kept
from provender.model.paging import Page, PageRequest

# What each process keeps of the foods it has answered with, and again of the pages of searches: people eat and look for
# the same foods again and again, and a version never changes. A food has about one kilobyte, and up to ten with every
# group.
_KEPT_BYTES = 16 * 1024**2

# And of the foods that were logged, some three kilobytes each.
_KEPT_RECORD_BYTES = 8 * 1024**2

# The whole file may be mapped: pages that nobody asks for cost no memory, and all processes share the rest.
_MAPPED_BYTES = 64 * 1024**3


class Entry(msgspec.Struct, frozen=True):
    """A food as it is answered, and a short text that changes when the answer does."""

    body: bytes
    etag: bytes


def _size_of(entry: Entry) -> int:
    """With the objects around its text, and its place."""
    return len(entry.body) + 300


_Asked = tuple[str, PageRequest, frozenset[str], FoodType | None]


def _size_of_page(page: Page[bytes]) -> int:
    return sum(map(len, page.items)) + 50 * len(page.items) + 1000


class Catalogue:
    """One version, open for reading. Not to be shared between threads."""

    def __init__(self, folder: CatalogueFolder, version: str) -> None:
        self.manifest: Manifest = folder.manifest(version)
        self.version = version
        self._foods = _open(folder.foods_file(version))
        self._cursor = self._foods.cursor()
        self._entries: Kept[tuple[str | int, frozenset[str]], Entry] = Kept(_KEPT_BYTES, _size_of)
        self._records: Kept[str, Record] = Kept(_KEPT_RECORD_BYTES, lambda record: sum(map(len, record)) + 300)
        self._search = Search(self._foods)
        self._pages: Kept[_Asked, Page[bytes]] = Kept(_KEPT_BYTES, _size_of_page)

    def find(self, food_id: str, include: frozenset[str]) -> Entry | None:
        return self._entries.get((food_id, include)) or self._read_entry(_BY_ID, food_id, include)

    def find_bodies(self, food_ids: Iterable[str], include: frozenset[str]) -> list[bytes | None]:
        """The foods with these ids, as they are answered, and None for each that is not there."""
        get, found = self._entries.get, []
        for food_id in food_ids:
            entry = get((food_id, include)) or self._read_entry(_BY_ID, food_id, include)
            found.append(None if entry is None else entry.body)
        return found

    def find_by_barcode(self, gtin13: str, include: frozenset[str]) -> Entry | None:
        gtin = int(gtin13)
        found = self._entries.get((gtin, include))
        return found or self._read_entry(_BY_BARCODE, gtin, include)

    def search(
        self, query: str, request: PageRequest, include: frozenset[str], food_type: FoodType | None = None
    ) -> Page[bytes]:
        """A page of the foods that answer a query, the likeliest first."""
        key = (query, request, include, food_type)
        page = self._pages.get(key)
        if page is None:
            try:
                found = self._search.page(query, request, food_type, _columns(include))
            except apsw.Error as error:
                raise CatalogueUnavailable(f"The catalogue does not answer: {error}.") from error
            page = found.map(lambda row: _body(row[1:], include))
            self._pages.put(key, page)
        return page

    def read_terms(self, query: str) -> list[tuple[frozenset[str], str | None]]:
        """The words of a query for whoever searches elsewhere: for each its other forms; of the last its beginning."""
        try:
            return self._search.read_terms(query)
        except apsw.Error as error:
            raise CatalogueUnavailable(f"The catalogue does not answer: {error}.") from error

    def read(self, food_id: str) -> Record | None:
        """The food for whoever logs it."""
        kept = self._records.get(food_id)
        if kept is not None:
            return kept
        try:
            rows: list[Any] = self._foods.execute(_READ, (food_id,)).fetchall()
        except apsw.Error as error:
            raise CatalogueUnavailable(f"The catalogue does not answer: {error}.") from error
        if not rows:
            return None
        record = Record(*rows[0])
        self._records.put(food_id, record)
        return record

    def find_name(self, food_id: str) -> str | None:
        """The food's name alone, for lists that show no more of it."""
        try:
            rows: list[Any] = self._foods.execute(_READ_CORE, (food_id,)).fetchall()
        except apsw.Error as error:
            raise CatalogueUnavailable(f"The catalogue does not answer: {error}.") from error
        return core_name(rows[0][0]) if rows else None

    def find_origin(self, food_id: str) -> Origin | None:
        """Where the food is from."""
        try:
            rows: list[Any] = self._foods.execute(_READ_ORIGIN, (food_id,)).fetchall()
        except apsw.Error as error:
            raise CatalogueUnavailable(f"The catalogue does not answer: {error}.") from error
        if not rows:
            return None
        source, key, dataset, imported_at, created_at, listed, per_100 = rows[0]
        return Origin(source, key, dataset, imported_at, created_at, bool(listed), list_computed(per_100))

    def has(self, food_id: str) -> bool:
        return self.find(food_id, frozenset()) is not None

    def ping(self) -> None:
        """Raise if the files do not answer."""
        try:
            self._foods.execute("SELECT rank FROM foods LIMIT 1").fetchall()
        except apsw.Error as error:
            raise CatalogueUnavailable(f"The catalogue does not answer: {error}.") from error

    def close(self) -> None:
        self._foods.close()

    def _read_entry(self, condition: str, value: str | int, include: frozenset[str]) -> Entry | None:
        try:
            rows: list[Any] = self._cursor.execute(_statement(condition, include), (value,)).fetchall()
        except apsw.Error as error:
            raise CatalogueUnavailable(f"The catalogue does not answer: {error}.") from error
        if not rows:
            return None
        digest, updated_at = rows[0][:2]
        etag = b'"%b.%x.%b"' % (digest.hex().encode(), updated_at, _mark(include))
        entry = Entry(_body(rows[0], include), etag)
        self._entries.put((value, include), entry)
        return entry


_BY_ID = "id = ? AND chosen"
_BY_BARCODE = "rank = (SELECT food FROM barcodes WHERE gtin = ?)"

_READ = f"SELECT {', '.join(Record._fields)} FROM foods WHERE {_BY_ID}"

_READ_CORE = f"SELECT core FROM foods WHERE {_BY_ID}"

_READ_ORIGIN = f"SELECT source, source_key, dataset, imported_at, created_at, listed, per_100 FROM foods WHERE {_BY_ID}"

_NAMES = {name: f',"{name}":'.encode() for name in INCLUDABLE}


def _body(row: Sequence[Any], include: frozenset[str]) -> bytes:
    _, updated_at, created_at, core, *pieces = row
    parts = [close_core(core, created_at, updated_at)]
    for name, piece in zip(_included(include), pieces, strict=True):
        parts += (_NAMES[name], piece)
    parts.append(b"}")
    return b"".join(parts)


@cache
def _included(include: frozenset[str]) -> tuple[str, ...]:
    return tuple(name for name in INCLUDABLE if name in include)


@cache
def _mark(include: frozenset[str]) -> bytes:
    return b"%x" % sum(1 << place for place, name in enumerate(INCLUDABLE) if name in include)


@cache
def _statement(condition: str, include: frozenset[str]) -> str:
    return f"SELECT {_columns(include)} FROM foods WHERE {condition}"


@cache
def _columns(include: frozenset[str]) -> str:
    return ", ".join(["digest", "updated_at", "created_at", "core", *_included(include)])


def _open(path: Path) -> apsw.Connection:
    """A version never changes, so its files need no locks."""
    try:
        foods = apsw.Connection(
            f"{path.absolute().as_uri()}?mode=ro&immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        )
        # As in the storage: a statement is prepared once, whatever the values it is given.
        foods.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        foods.execute(f"PRAGMA mmap_size = {_MAPPED_BYTES}")
        foods.execute("SELECT rank FROM foods LIMIT 1").fetchall()
    except apsw.Error as error:
        raise CatalogueUnavailable(f"The catalogue file {path} cannot be read: {error}.") from error
    return foods
