"""Reads an operator's own table: a CSV file, with a map in TOML that says what its columns are.

The import never ends because of a row: one that cannot be read is rejected. A map that is not right is refused at once.
"""

import codecs
import csv
import io
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, BinaryIO, cast

from provender.importers.amounts import ENERGY_KJ, SALT
from provender.importers.judge import judge
from provender.importers.lines import Lines
from provender.importers.records import Accepted, Candidate, Outcome, Rejected
from provender.importers.table_map import InvalidMap, TableMap
from provender.model.foods import Serving, Unit
from provender.model.judging import Mend, Reason

# What a wrong encoding leaves behind.
_REPLACEMENT = "\ufffd"

# Separators of thousands are refused, because "1.234" would be read as something else with them than without.
_NUMBERS = {mark: re.compile(rf"[+-]?\d+(?:{re.escape(mark)}\d*)?(?:[eE][+-]?\d{{1,3}})?") for mark in ".,"}

_UNITS = {"g": Unit.GRAM, "gram": Unit.GRAM, "grams": Unit.GRAM, "ml": Unit.MILLILITRE}


class _UnreadableRow(Exception):
    """Raised where a cell does not hold what the map says."""


def read_table(file: BinaryIO | io.BufferedIOBase, table: TableMap) -> Iterator[Outcome]:
    """One outcome for every row below the header. Empty rows are no records."""
    # A byte order mark is no part of the first column's name.
    encoding = "utf-8-sig" if codecs.lookup(table.encoding).name == "utf-8" else table.encoding
    text = io.TextIOWrapper(cast("BinaryIO", file), encoding, errors="replace", newline="")
    rows = csv.reader(Lines(text), delimiter=table.delimiter, strict=True)
    try:
        header = _read_header(rows, table)
        table.check_header(header)
        yield from _read_rows(rows, header, table)
    finally:
        # The file belongs to whoever opened it; a wrapper that goes away would close it.
        text.detach()


def _read_header(rows: Iterator[list[str]], table: TableMap) -> list[str]:
    try:
        return [name.strip() for name in next(rows, [])]
    except csv.Error as error:
        raise InvalidMap(f"The first row cannot be read with the delimiter {table.delimiter!r}: {error}.") from error


def _read_rows(rows: Any, header: list[str], table: TableMap) -> Iterator[Outcome]:
    amounts = table.list_amounts()
    while True:
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield Rejected(Reason.UNREADABLE, None, {"line": rows.line_num, "error": str(error)})
            continue
        if not any(map(str.strip, cells)):
            continue
        if len(cells) != len(header) or any(_REPLACEMENT in cell for cell in cells):
            yield Rejected(Reason.UNREADABLE, None, {"line": rows.line_num, "cells": cells})
            continue
        yield _judge_row(dict(zip(header, map(str.strip, cells), strict=True)), table, amounts)


def _judge_row(row: dict[str, str], table: TableMap, amounts: list[tuple[str, str, float]]) -> Outcome:
    columns = table.columns
    key = row[columns.key]
    if not key:
        return Rejected(Reason.NO_KEY, None, row)
    try:
        unit = _read_unit(row, table)
        serving = _read_number(row[columns.serving_amount], table) if columns.serving_amount else None
        found = {name: _read_number(row[column], table) for name, column, _ in amounts}
    except _UnreadableRow as error:
        return Rejected(Reason.UNREADABLE, key, row | {"error": str(error)})
    if serving is not None and not 0 < serving < math.inf:
        serving = None
    if table.basis == "serving" and serving is None:
        return Rejected(Reason.NO_BASIS, key, row)
    scale = 100 / serving if table.basis == "serving" and serving else 1.0
    nutrients = {name: value * factor * scale for name, _, factor in amounts if (value := found[name]) is not None}
    candidate = Candidate(
        source=table.source,
        key=key,
        name=row[columns.name],
        unit=unit,
        brand=(row[columns.brand] or None) if columns.brand else None,
        barcode=(row[columns.barcode] or None) if columns.barcode else None,
        energy_kj=nutrients.pop(ENERGY_KJ, None),
        salt_in_g=nutrients.pop(SALT, None),
        nutrients=nutrients,
        servings=_list_servings(row, serving, unit, table),
    )
    outcome = judge(candidate, row)
    if table.basis == "serving" and isinstance(outcome, Accepted):
        return replace(outcome, mends=(*outcome.mends, Mend.PER_SERVING))
    return outcome


def _read_unit(row: dict[str, str], table: TableMap) -> Unit:
    word = row[table.columns.unit].lower() if table.columns.unit else ""
    if not word:
        return Unit.MILLILITRE if table.basis == "100ml" else Unit.GRAM
    if word not in _UNITS:
        raise _UnreadableRow(f"{word!r} is not g or ml.")
    return _UNITS[word]


def _read_number(cell: str, table: TableMap) -> float | None:
    """The number in a cell, None where nobody knows it. What else stands there must not get lost without a word."""
    if not cell or cell in table.unknown:
        return None
    if not _NUMBERS[table.decimal].fullmatch(cell):
        raise _UnreadableRow(f"{cell!r} is not a number.")
    return float(cell.replace(",", "."))


def _list_servings(row: dict[str, str], amount: float | None, unit: Unit, table: TableMap) -> list[Serving]:
    if amount is None:
        return []
    description = row[table.columns.serving] if table.columns.serving else ""
    return [Serving(description or f"{amount:g} {unit}", amount)]
