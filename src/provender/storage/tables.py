"""The tables of the schema as it was with some migration, read from the schema itself: nobody has to list them."""

from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from typing import Any

import apsw

from provender.storage.migrations import pending
from provender.storage.sqlite import WORDS


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    columns: tuple[str, ...]
    # The columns of its primary key.
    key: tuple[str, ...]

    @property
    def select(self) -> str:
        """All rows in the order of the key. Columns are named: each engine has its own order of them."""
        return f"SELECT {', '.join(self.columns)} FROM {self.name} ORDER BY {', '.join(self.key)}"


@cache
def read_tables(schema: int) -> tuple[Table, ...]:
    """Every table that profile data or keys are in, those first that others refer to. Both engines have the same."""
    storage = apsw.Connection(":memory:")
    apply_migrations(storage, schema)
    names = [name for (name,) in _read(storage, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    tables = {name: _read_table(storage, name) for name in names}
    references = {
        name: {other for (other,) in _read(storage, 'SELECT "table" FROM pragma_foreign_key_list(?)', name)}
        for name in names
    }
    storage.close()
    return tuple(tables[name] for name in TopologicalSorter(references).static_order())


def apply_migrations(storage: apsw.Connection, schema: int) -> None:
    """Bring a new file to this schema."""
    for migration in pending(0, schema):
        _read(storage, migration.sql(WORDS))
    _read(storage, f"PRAGMA user_version = {schema}")


def _read_table(storage: apsw.Connection, name: str) -> Table:
    columns = _read(storage, "SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", name)
    key = sorted((place, column) for column, place in columns if place)
    return Table(name, tuple(column for column, _ in columns), tuple(column for _, column in key))


def _read(storage: apsw.Connection, sql: str, *values: str) -> list[Any]:
    # Reading every row is what runs every statement of a text to its end.
    return storage.execute(sql, values).fetchall()
