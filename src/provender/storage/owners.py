"""Which profiles rows say that they are of, in all tables: for checks, which look for rows of none.

These statements are about all applications. Each goes along a table's index from one profile to the next, so it reads
a row for each profile and not all of them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from provender.storage.engine import Statements
from provender.storage.removal import OWNED_TABLES, STEP

# What only ever follows from other rows, or is kept for a day at most. The rest is somebody's own.
DERIVED_TABLES = frozenset({"answered_requests", "custom_food_words", "diary_days", "eaten_foods"})

_EACH = """
    WITH RECURSIVE owners (id) AS (
        SELECT min(profile_id) FROM {table}
        UNION ALL
        SELECT (SELECT min(profile_id) FROM {table} WHERE profile_id > owners.id) FROM owners
        WHERE owners.id IS NOT NULL
    )
"""

# Answers to requests that were about no profile say so by an empty id.
_LOST = f"""
    {_EACH} SELECT owners.id FROM owners
    LEFT JOIN profiles p ON p.id = owners.id LEFT JOIN deleted_profiles d ON d.profile_id = owners.id
    WHERE owners.id <> '' AND p.id IS NULL AND d.profile_id IS NULL
"""

_BOTH = """
    SELECT p.application_id, p.reference_id, p.id FROM deleted_profiles d JOIN profiles p ON p.id = d.profile_id
    ORDER BY p.id
"""

PROFILES = """
    SELECT application_id, id, reference_id FROM profiles
    WHERE (application_id, id) > ($1, $2) ORDER BY application_id, id LIMIT $3
"""


class Owned(NamedTuple):
    application_id: str
    id: str
    reference_id: str


async def read_profiles(statements: Statements, after: tuple[str, str], count: int) -> Sequence[Owned]:
    """So many profiles of all applications."""
    return [Owned(*row) for row in await statements.all(PROFILES, *after, count)]


async def find_owned(statements: Statements, application_id: str, reference_id: str) -> Owned | None:
    row = await statements.one(
        "SELECT application_id, id, reference_id FROM profiles WHERE application_id = $1 AND reference_id = $2",
        application_id,
        reference_id,
    )
    return None if row is None else Owned(*row)


async def read_lost(statements: Statements, table: str) -> Sequence[str]:
    """The ids that rows of the table are of, and that neither a profile has nor a note of one that is deleted."""
    return [row[0] for row in await statements.all(_LOST.format(table=table))]


async def clear_lost(statements: Statements, table: str, profile_id: str) -> bool:
    """Remove some of a table's rows of a profile that is not there; whether there may be more."""
    columns = ", ".join(OWNED_TABLES[table])
    rows = await statements.change(
        f"""
        DELETE FROM {table} WHERE ({columns}) IN (
            SELECT {columns} FROM {table} WHERE profile_id = $1
            AND NOT EXISTS (SELECT 1 FROM profiles WHERE id = $1)
            AND NOT EXISTS (SELECT 1 FROM deleted_profiles WHERE profile_id = $1)
            LIMIT $2
        ) RETURNING 1
        """,
        profile_id,
        STEP,
    )
    return len(rows) == STEP


async def read_noted(statements: Statements) -> Sequence[Owned]:
    """Profiles that are there, and noted as deleted."""
    return [Owned(application_id, id_, name) for application_id, name, id_ in await statements.all(_BOTH)]
