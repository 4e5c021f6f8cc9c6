"""Many rows with few statements: for a profile that is being imported, whose own row is not there yet.

What stands for it meanwhile is its note in `deleted_profiles`; see `storage/removal.py`.
"""

from collections.abc import Sequence
from functools import cache
from itertools import chain

from provender.storage.engine import Statements, Value
from provender.storage.rooms import in_sizes

Row = Sequence[Value]

# So many rows one statement has. They are few numbers, so that a database has few statements to prepare.
_SIZES = (100, 10, 1)


async def insert_rows(
    statements: Statements,
    profile_id: str,
    table: str,
    columns: tuple[str, ...],
    rows: Sequence[Row],
    *,
    unless_there: bool = False,
) -> None:
    """Insert rows into a table that has an `application_id`."""
    for part in in_sizes(rows, _SIZES):
        sql = _insert(table, columns, len(part), unless_there=unless_there)
        await statements.change(sql, profile_id, *chain.from_iterable(part))


async def insert_noted_rows(
    statements: Statements, profile_id: str, table: str, columns: tuple[tuple[str, str], ...], rows: Sequence[Row]
) -> None:
    """Insert rows into a table that has none: whose they are, the profile's note says. Columns come with a type."""
    for part in in_sizes(rows, _SIZES):
        await statements.change(_insert_noted(table, columns, len(part)), profile_id, *chain.from_iterable(part))


@cache
def _insert(table: str, columns: tuple[str, ...], count: int, *, unless_there: bool) -> str:
    width = len(columns)
    rows = ", ".join(
        f"($1, $2, {', '.join(f'${3 + row * width + place}' for place in range(width))})" for row in range(count)
    )
    conflict = " ON CONFLICT DO NOTHING" if unless_there else ""
    return f"INSERT INTO {table} (application_id, profile_id, {', '.join(columns)}) VALUES {rows}{conflict}"


@cache
def _insert_noted(table: str, columns: tuple[tuple[str, str], ...], count: int) -> str:
    width = len(columns)
    rows = ", ".join(
        f"({', '.join(f'CAST(${3 + row * width + place} AS {columns[place][1]})' for place in range(width))})"
        for row in range(count)
    )
    return f"""
        INSERT INTO {table} (profile_id, {", ".join(name for name, _ in columns)})
        SELECT d.profile_id, {", ".join(f"v.column{place + 1}" for place in range(width))}
        FROM deleted_profiles d CROSS JOIN (VALUES {rows}) AS v WHERE d.application_id = $1 AND d.profile_id = $2
    """
