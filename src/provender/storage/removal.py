"""What a deleted profile leaves behind, and how it is cleared away: the one place that knows every table it owns.

Deleting a profile removes its row and notes its id, in one transaction. From then on nothing of it can be reached,
because whatever reads a profile's rows finds the profile first, through its row. The rows themselves go afterwards in
small steps, each a transaction, which a crash only interrupts: the note stays until the last row is gone.
"""

from collections.abc import Mapping
from datetime import datetime

from provender.model.times import to_ms
from provender.storage.engine import Statements

# Every table with a `profile_id`, and its primary key. A test compares this with the schema.
OWNED_TABLES: Mapping[str, tuple[str, ...]] = {
    "answered_requests": ("application_id", "scope", "place"),
    "custom_food_words": ("profile_id", "word", "food_id"),
    "custom_foods": ("profile_id", "id"),
    "favorites": ("profile_id", "food_id"),
    "diary_logs": ("profile_id", "date", "id"),
    "logged_foods": ("profile_id", "id", "food_id"),
    "diary_days": ("profile_id", "date"),
    "eaten_foods": ("profile_id", "food_id", "meal"),
    "saved_meals": ("profile_id", "id"),
}

# Large enough to be quick, small enough that other writers wait a few milliseconds at most.
STEP = 500


async def note_deleted(statements: Statements, profile_id: str, now: datetime) -> None:
    await statements.change(
        "INSERT INTO deleted_profiles (application_id, profile_id, deleted_at) VALUES ($1, $2, $3)",
        profile_id,
        to_ms(now),
    )


async def find_deleted(statements: Statements) -> str | None:
    """A profile that still has something to clear away."""
    row = await statements.one("SELECT profile_id FROM deleted_profiles ORDER BY profile_id LIMIT 1")
    return row[0] if row else None


async def clear_step(
    statements: Statements, profile_id: str, tables: Mapping[str, tuple[str, ...]] = OWNED_TABLES
) -> bool:
    """Remove some of the profile's rows, or its note when none are left; whether it is done."""
    for table, key in tables.items():
        columns = ", ".join(key)
        rows = await statements.change(
            f"""
            DELETE FROM {table} WHERE ({columns}) IN
                (SELECT {columns} FROM {table} WHERE profile_id = $1 LIMIT $2)
            RETURNING 1
            """,
            profile_id,
            STEP,
        )
        if rows:
            return False
    await statements.change("DELETE FROM deleted_profiles WHERE profile_id = $1", profile_id)
    return True
