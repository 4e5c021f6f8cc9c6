"""What a deleted profile leaves behind, and how it is cleared away: the one place that knows every table it owns.

Deleting a profile removes its row and notes its id, in one transaction. From then on nothing of it can be reached,
because whatever reads a profile's rows finds the profile first, through its row. The rows themselves go afterwards in
small steps, each a transaction, which a crash only interrupts: the note stays until the last row is gone.

A profile that is being imported is noted too, with a time that lies ahead and is put off again and again. Its rows are
written before its own row is, so that an import that ends halfway is a profile that was deleted: when that time has
come, what is there of it is cleared away.
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

# Large enough to be quick, small enough that other writers wait some 20 ms: measured while a million logs went.
STEP = 500


async def note_deleted(statements: Statements, profile_id: str, now: datetime) -> None:
    await statements.change(
        "INSERT INTO deleted_profiles (application_id, profile_id, deleted_at) VALUES ($1, $2, $3)",
        profile_id,
        to_ms(now),
    )


async def put_off(statements: Statements, profile_id: str, until: datetime) -> bool:
    """Lock the note, and let nothing be cleared away until then; whether the note was there still."""
    rows = await statements.change(
        "UPDATE deleted_profiles SET deleted_at = $3 WHERE application_id = $1 AND profile_id = $2 RETURNING 1",
        profile_id,
        to_ms(until),
    )
    return bool(rows)


async def take_back(statements: Statements, profile_id: str) -> bool:
    """Remove the note of a profile that is there from now on; whether it was there still."""
    rows = await statements.change(
        "DELETE FROM deleted_profiles WHERE application_id = $1 AND profile_id = $2 RETURNING 1", profile_id
    )
    return bool(rows)


async def find_deleted(statements: Statements, now: datetime) -> str | None:
    """A profile that has something to clear away now."""
    row = await statements.one(
        "SELECT profile_id FROM deleted_profiles WHERE deleted_at <= $1 ORDER BY profile_id LIMIT 1", to_ms(now)
    )
    return row[0] if row else None


async def clear_step(
    statements: Statements, profile_id: str, now: datetime, tables: Mapping[str, tuple[str, ...]] = OWNED_TABLES
) -> bool:
    """Remove some of the profile's rows, or its note when none are left; whether there is nothing left to do now."""
    # Locked, because an import that was given up for dead may come back meanwhile: it goes on only if it has the note.
    noted = await statements.one(
        """
        SELECT d.profile_id FROM deleted_profiles d WHERE d.profile_id = $1 AND d.deleted_at <= $2 FOR UPDATE OF d
        """.strip(),
        profile_id,
        to_ms(now),
    )
    if noted is None:
        return True
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
