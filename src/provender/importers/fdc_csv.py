"""Reads the CSV bundle of FoodData Central: rows about a food stand in up to five files, in whatever order.

Each file is read once, as a stream, and what is needed of it is spilled to a temporary SQLite database, which SQLite
deletes itself; then the foods are merged from there in the order of their ids. Memory stays flat.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from itertools import chain
from operator import itemgetter
from typing import IO, Any

import apsw
import msgspec

from provender.importers.fdc_json import FdcFood, Portion
from provender.importers.fdc_nutrients import Scale, find_scales
from provender.importers.lines import Lines
from provender.importers.opening import UnreadableInput
from provender.importers.records import Rejected
from provender.model.judging import Reason

# The files of a bundle by their names in lower case, each with the way to open it.
Members = Mapping[str, Callable[[], IO[bytes]]]

_BRANDED_COLUMNS = (
    "brand_owner", "brand_name", "serving_size", "serving_size_unit", "household_serving_fulltext",
    "available_date", "modified_date",
)  # fmt: skip

# The files that say which rows of `food.csv` are foods: the others are samples. Each with the dataset, the column of
# the code, and further columns.
LISTS = {
    "foundation_food.csv": ("foundation", "ndb_number", ()),
    "sr_legacy_food.csv": ("sr_legacy", "ndb_number", ()),
    "survey_fndds_food.csv": ("fndds", "food_code", ()),
    "branded_food.csv": ("usda_branded", "gtin_upc", _BRANDED_COLUMNS),
}
NEEDED = ("food.csv", "food_nutrient.csv")
# Without them a bundle has FDC's own units, or no portions.
OPTIONAL = ("nutrient.csv", "food_portion.csv", "measure_unit.csv")

_PORTION_COLUMNS = (
    "fdc_id", "seq_num", "amount", "measure_unit_id", "portion_description", "modifier", "gram_weight",
)  # fmt: skip

_CACHE_KIB = 32 * 1024

_TABLES = """
    CREATE TABLE listed (fdc_id INTEGER PRIMARY KEY, food BLOB);
    CREATE TABLE described (fdc_id INTEGER PRIMARY KEY, description TEXT, publication_date TEXT);
    CREATE TABLE amounts (fdc_id INTEGER, run BLOB);
    CREATE TABLE portions (fdc_id INTEGER, portion BLOB);
"""
_IS_UNSORTED = """
    SELECT EXISTS (
        SELECT * FROM amounts AS one JOIN amounts AS other ON other.rowid = one.rowid + 1
        WHERE other.fdc_id < one.fdc_id
    )
"""

_encode = msgspec.msgpack.Encoder().encode
_decode_food = msgspec.msgpack.Decoder(FdcFood).decode
_decode_run = msgspec.msgpack.Decoder(dict[int, float]).decode
_decode_portion = msgspec.msgpack.Decoder(Portion).decode


def open_spill() -> apsw.Connection:
    """A database without a name: on disk where its cache is too small for it, and gone when it is closed.

    The driver is used here as a sorter of what does not fit into memory; no data of the product goes through it.
    """
    connection = apsw.Connection("")
    # Nothing of it outlives the import, so nothing needs to survive a crash.
    connection.pragma("journal_mode", "OFF")
    connection.pragma("synchronous", "OFF")
    connection.pragma("temp_store", "FILE")
    connection.pragma("cache_size", -_CACHE_KIB)
    return connection


def read_bundle(members: Members) -> Iterator[FdcFood | Rejected]:
    """The foods of a bundle. Rows of the lists that cannot be read are rejected; any other such row says nothing."""
    lists = [name for name in LISTS if name in members]
    missing = [name for name in NEEDED if name not in members] if lists else [" or ".join(LISTS)]
    if missing:
        raise UnreadableInput(f"This is no CSV bundle of FoodData Central: it lacks {' and '.join(missing)}.")
    with closing(open_spill()) as spill:
        spill.execute(_TABLES)
        spill.execute("BEGIN")
        for name in lists:
            for food in read_list(members[name](), name):
                if isinstance(food, Rejected):
                    yield food
                else:
                    # A food has a row for each of its footnotes; any of them will do.
                    spill.execute("INSERT OR IGNORE INTO listed VALUES (?, ?)", (food.fdc_id, _encode(food)))
        spill.executemany("INSERT OR IGNORE INTO described VALUES (?, ?, ?)", _read_descriptions(members))
        spill.executemany("INSERT INTO amounts VALUES (?, ?)", _read_amounts(members))
        spill.executemany("INSERT INTO portions VALUES (?, ?)", _read_portions(members))
        yield from _merge(spill)


def read_list(file: IO[bytes], name: str) -> Iterator[FdcFood | Rejected]:
    """The foods of one of the lists, with what it knows about them."""
    dataset, code, columns = LISTS[name]
    for fdc_id_text, code_text, *values in read_rows(file, name, ("fdc_id", code, *columns)):
        fields: dict[str, Any] = dict(zip(columns, values, strict=True))
        fdc_id = parse_id(fdc_id_text)
        if fdc_id is None:
            yield Rejected(Reason.UNREADABLE, None, {"file": name, "fdc_id": fdc_id_text, code: code_text, **fields})
            continue
        if "serving_size" in fields:
            fields["serving_size"] = parse_number(fields["serving_size"])
        yield FdcFood(dataset, fdc_id, code_text, **fields)


def read_rows(file: IO[bytes], name: str, columns: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """The named columns of a CSV file, whatever their order and case. What a row or the file lacks is empty."""
    with io.TextIOWrapper(file, "utf-8-sig", errors="replace", newline="") as text:
        reader = csv.reader(Lines(text))
        try:
            head = [column.strip().casefold() for column in next(reader, [])]
            places = [head.index(column) if column in head else len(head) for column in columns]
            if places[0] == len(head):
                raise UnreadableInput(f"{name} has no column `{next(iter(columns))}`.")
            pick: Callable[[list[str]], tuple[str, ...]] = itemgetter(*places)
            for row in reader:
                try:
                    yield pick(row)
                except IndexError:
                    if row:
                        yield tuple(row[place] if place < len(row) else "" for place in places)
        except csv.Error as error:
            raise UnreadableInput(f"{name} cannot be read beyond line {reader.line_num}: {error}.") from error


def parse_id(text: str) -> int | None:
    text = text.strip()
    # SQLite's integers end at 19 digits; FDC's ids have 7.
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def parse_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _read_descriptions(members: Members) -> Iterator[tuple[int, str, str]]:
    columns = ("fdc_id", "description", "publication_date")
    for text, description, published in read_rows(members["food.csv"](), "food.csv", columns):
        fdc_id = parse_id(text)
        if fdc_id is not None:
            yield fdc_id, description, published


def _read_amounts(members: Members) -> Iterator[tuple[int, bytes]]:
    units = dict(_read_optional(members, "nutrient.csv", ("id", "unit_name")))
    rows = read_rows(members["food_nutrient.csv"](), "food_nutrient.csv", ("fdc_id", "nutrient_id", "amount"))
    return _group_amounts(rows, find_scales(units))


def _group_amounts(rows: Iterable[tuple[str, ...]], scales: Mapping[str, Scale]) -> Iterator[tuple[int, bytes]]:
    """The rows of a food that follow each other as one run. This loop runs 27 million times for the branded foods."""
    current = ""
    run: dict[int, float] = {}
    for fdc_id, code, amount in chain(rows, [("", "", "")]):
        if fdc_id != current:
            if run and (number := parse_id(current)) is not None:
                yield number, _encode(run)
            current, run = fdc_id, {}
        scale = scales.get(code)
        if scale is not None and amount and (value := parse_number(amount)) is not None:
            nutrient_id, multiplier, divisor = scale
            run.setdefault(nutrient_id, value * multiplier / divisor)


def _read_portions(members: Members) -> Iterator[tuple[int, bytes]]:
    measures = dict(_read_optional(members, "measure_unit.csv", ("id", "name")))
    rows = _read_optional(members, "food_portion.csv", _PORTION_COLUMNS)
    for text, seq_num, amount, measure, description, modifier, weight in rows:
        fdc_id, gram_weight = parse_id(text), parse_number(weight)
        if fdc_id is None or gram_weight is None:
            continue
        portion = Portion(
            gram_weight, parse_number(amount), measures.get(measure, ""), modifier, description, parse_id(seq_num) or 0
        )
        yield fdc_id, _encode(portion)


def _read_optional(members: Members, name: str, columns: tuple[str, ...]) -> Iterator[Any]:
    return read_rows(members[name](), name, columns) if name in members else iter(())


def _merge(spill: apsw.Connection) -> Iterator[FdcFood]:
    # Sorting takes time and disk, and most bundles are sorted.
    order = "fdc_id, rowid" if spill.execute(_IS_UNSORTED).get else "rowid"
    amounts = _Follower(spill.execute(f"SELECT fdc_id, run FROM amounts ORDER BY {order}"))
    portions = _Follower(spill.execute("SELECT fdc_id, portion FROM portions ORDER BY fdc_id, rowid"))
    listed = spill.execute("SELECT * FROM listed LEFT JOIN described USING (fdc_id) ORDER BY fdc_id")
    for fdc_id, packed, description, publication_date in listed:
        food = _decode_food(packed)
        food.description, food.publication_date = description or "", publication_date or ""
        for run in amounts.take(fdc_id):
            food.food_nutrient = _decode_run(run) | food.food_nutrient
        food.food_portion = [_decode_portion(portion) for portion in portions.take(fdc_id)]
        yield food


class _Follower:
    """Rows in the order of an id, taken by those who ask for ids in that order too."""

    def __init__(self, rows: Iterable[tuple[int, bytes]]) -> None:
        self._rows = iter(rows)
        self._next = next(self._rows, None)

    def take(self, fdc_id: int) -> Iterator[bytes]:
        while self._next is not None and self._next[0] <= fdc_id:
            if self._next[0] == fdc_id:
                yield self._next[1]
            self._next = next(self._rows, None)
