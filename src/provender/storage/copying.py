"""All rows of a storage, from one snapshot of it into another storage that is empty: copied, then compared.

Each side may be either database. Which tables there are is read from the schema, see `storage/tables.py`. Rows pass in
batches, in the order of their primary key, which both databases agree about: text and bytes compare by bytes.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec

from provender.model.errors import NotMoved
from provender.storage.engine import Row, Value
from provender.storage.tables import Table, read_tables

# Rows have some kilobytes at most, so that this is a few megabytes.
BATCH = 500

# Two values are the same if this makes the same bytes of them: 1 and 1.0 are not, nor are text and bytes, 0.0 and -0.0.
_encode = msgspec.msgpack.Encoder().encode


class Reader(Protocol):
    """The rows of one table, in the order of its key."""

    async def read(self) -> Sequence[Row]:
        """The next `BATCH` of them, fewer at the end, and none after it."""


class Source(Protocol):
    """A storage as it was at one moment, whatever is written to it meanwhile."""

    schema: int

    async def open(self, table: Table, /) -> Reader: ...


class Target(Source, Protocol):
    """A storage without any rows, of which nobody sees anything until all is written and compared."""

    # SQLite keeps 0.0 for -0.0.
    keeps_sign_of_zero: bool

    async def insert(self, table: Table, rows: Sequence[Row], /) -> None: ...

    async def prepare_reading(self, table: Table, /) -> None:
        """The table has got all its rows."""


async def copy_rows(
    source: Source, target: Target, watch: Callable[[int, int], None] = lambda _copied, _compared: None
) -> Mapping[str, int]:
    """Copy every row, then read all of them again from both sides and compare them; how many each table has."""
    tables = read_tables(source.schema)
    copied = 0
    for table in tables:
        reader = await source.open(table)
        while rows := await reader.read():
            await target.insert(table, rows)
            copied += len(rows)
            watch(copied, 0)
        await target.prepare_reading(table)
    counts: dict[str, int] = {}

    def hear(compared: int) -> None:
        watch(copied, sum(counts.values()) + compared)

    for table in tables:
        counts[table.name] = await _compare(table, source, target, hear)
    return counts


async def _compare(table: Table, source: Source, target: Target, watch: Callable[[int], None]) -> int:
    """How many rows the table has, if they are the same on both sides."""
    reader, copies = await source.open(table), await target.open(table)
    count = 0
    while True:
        rows, found = await reader.read(), await copies.read()
        _compare_batch(table, rows, found, count, keeps_sign_of_zero=target.keeps_sign_of_zero)
        if not rows:
            return count
        count += len(rows)
        watch(count)


def _compare_batch(
    table: Table, rows: Sequence[Row], found: Sequence[Row], before: int, *, keeps_sign_of_zero: bool
) -> None:
    if _encode([tuple(row) for row in rows]) == _encode([tuple(row) for row in found]):
        return
    for place, (row, copy) in enumerate(zip(rows, found, strict=False), before + 1):
        wanted = row if keeps_sign_of_zero else [_without_sign_of_zero(value) for value in row]
        pairs = zip(table.columns, wanted, copy, strict=True)
        # What is in them is not shown: it is what people ate.
        differing = [column for column, value, other in pairs if _encode(value) != _encode(other)]
        if differing:
            raise NotMoved(
                f"The copy of {table.name} differs in row {place}: {', '.join(differing)}. Nothing was kept of it."
            )
    if len(rows) != len(found):
        missing = "more" if len(found) > len(rows) else "fewer"
        raise NotMoved(f"The copy of {table.name} has {missing} rows than there are. Nothing was kept of it.")


def _without_sign_of_zero(value: Value) -> Value:
    return 0.0 if isinstance(value, float) and value == 0 else value
