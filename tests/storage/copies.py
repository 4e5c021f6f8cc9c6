"""Rows for every table of the schema, as odd as each column can hold, and all rows of a storage to compare."""

from pathlib import Path
from typing import Any

import apsw

from provender.settings import Settings
from provender.storage.copying import BATCH
from provender.storage.migrations import migrations
from provender.storage.opening import open_source
from provender.storage.tables import Table, apply_migrations, read_tables

SCHEMA = migrations()[-1].number

_VALUES: dict[str, list[Any]] = {
    "TEXT": ["", "a", "Ä é e\u0301", "\U0001f951\uffee\u202e", "line\nline\ttab\\N'\"", "\x01\x7f"],
    "INTEGER": [0, 1, -1, 2**63 - 1, -(2**63), 1_700_000_000_000],
    "REAL": [0.0, 0.1, 1 / 3, 5e-324, 1.7976931348623157e308, 123456789012345680.0],
    "BLOB": [b"", b"\x00", bytes(range(256)), b"\\x00", b"\xff" * 300, "{é}".encode()],
}


def odd_rows(table: Table, count: int) -> list[list[Any]]:
    """So many rows with every value of each column's type; what must be unique is, and what may be empty often is."""
    file = apsw.Connection(":memory:")
    apply_migrations(file, SCHEMA)
    columns: Any = file.execute('SELECT name, type, "notnull" FROM pragma_table_info(?)', (table.name,)).fetchall()
    rows = []
    for number in range(count):
        row = []
        for place, (name, kind, is_required) in enumerate(columns):
            value = _VALUES[kind][(number + place) % 6]
            if name in table.key or (table.name, name) in _UNIQUE:
                value = _unique(value, number)
            if name == "application_id" and table.name in ("api_keys", "profiles"):
                value = _unique(_VALUES["TEXT"][number % 6], number)
            row.append(None if not is_required and (number + place) % 3 == 0 else value)
        rows.append(row)
    file.close()
    return rows


# Columns of unique indexes beside the primary key.
_UNIQUE = {
    ("applications", "name"), ("profiles", "reference_id"), ("custom_foods", "id"), ("diary_logs", "number"),
    ("favorites", "place"),
}  # fmt: skip


def _unique(value: Any, number: int) -> Any:
    if isinstance(value, str):
        return f"{value}{number}"
    return value + b"%d" % number if isinstance(value, bytes) else number - 3


def make_storage(folder: Path, count: int) -> None:
    """A data folder whose storage has so many rows in every table."""
    folder.mkdir(mode=0o700)
    file = apsw.Connection(str(folder / "provender.db"))
    file.execute("PRAGMA journal_mode = WAL").fetchall()
    apply_migrations(file, SCHEMA)
    file.execute("PRAGMA foreign_keys = ON; BEGIN").fetchall()
    for table in read_tables(SCHEMA):
        sql = f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({', '.join('?' * len(table.columns))})"
        file.executemany(sql, odd_rows(table, count))
    file.execute("COMMIT").fetchall()
    file.close()


async def all_rows(settings: Settings) -> dict[str, list[str]]:
    """Every row of every table, each as a text that tells 1 from 1.0 and 0.0 from -0.0."""
    found: dict[str, list[str]] = {}
    async with open_source(settings) as source:
        for table in read_tables(source.schema):
            reader = await source.open(table)
            found[table.name] = []
            while rows := await reader.read():
                # However many there are, no more than these are in memory.
                assert len(rows) <= BATCH
                found[table.name] += [repr(tuple(row)) for row in rows]
    return found
