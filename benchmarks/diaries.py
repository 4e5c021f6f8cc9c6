"""Diaries of any length, written straight into the storage: through the API a million logs would take too long."""

from provender.storage.engine import Engine

# A day's place and a log's id come from its number, so that they are the same every time.
_LOGS = """
    INSERT INTO diary_logs (
        application_id, profile_id, date, id, number, meal, food_id, is_custom, logged_food_id, number_of_servings,
        created_at, updated_at
    )
    WITH RECURSIVE numbers (n) AS (SELECT CAST($4 AS bigint) UNION ALL SELECT n + 1 FROM numbers WHERE n < $5)
    SELECT
        p.application_id, p.id, CAST($2 AS bigint) - n % $3,
        $6 || substr('000000000000', 1, 12 - length(CAST(n AS text))) || CAST(n AS text), n,
        CASE n % 4 WHEN 0 THEN 'breakfast' WHEN 1 THEN 'lunch' WHEN 2 THEN 'dinner' ELSE 'snack' END,
        'food' || substr('000000000000', 1, 12 - length(CAST(n % 500 AS text))) || CAST(n % 500 AS text), 0,
        'logged0000000000', 1, 0, 0
    FROM numbers CROSS JOIN profiles p WHERE p.id = $1
"""

_AT_ONCE = 50_000


async def fill_diary(engine: Engine, profile_id: str, count: int, *, today: int, days: int) -> None:
    """So many logs of 500 foods over so many days up to today. Nothing is added up: they are there to be in the way."""
    for first in range(1, count + 1, _AT_ONCE):
        last = min(first + _AT_ONCE - 1, count)
        await engine.change(_LOGS, profile_id, today, days, first, last, profile_id[-4:])
