"""How one log is written that needs nothing but its profile's row: most logs are such.

Where the database lets one statement write into several tables, it is one statement, and one round trip. Elsewhere it
is three, in one transaction. Either way nothing is written where the profile is not as it was thought to be.
"""

from functools import partial

from provender.storage.diary import StoredLog
from provender.storage.engine import Statements, Value
from provender.storage.logged_foods import StoredLoggedFood
from provender.storage.rooms import places
from provender.storage.store import Store

# In the place of a time zone: whichever it is.
ANY_ZONE = "*"

# Whoever waits here for another writer of the profile finds the row as that one has left it: PostgreSQL looks at the
# conditions again.
_BEGIN = """
    UPDATE profiles SET last_number = last_number + 1, last_logged_at = $3, unsettled = unsettled + 1
    WHERE application_id = $1 AND reference_id = $2 AND unsettled < $4
    AND CAST($5 AS text) IN (COALESCE(timezone, ''), '*') RETURNING id, last_number
"""

_FOOD = ("food_id", *StoredLoggedFood._fields)

INSERT_FOOD = f"""
    INSERT INTO logged_foods (application_id, profile_id, {", ".join(_FOOD)}) VALUES ($1, $2, {places(3, len(_FOOD))})
    ON CONFLICT (profile_id, id, food_id) DO NOTHING
"""

# Without its number, which only the profile's row has.
_LOG = tuple(name for name in StoredLog._fields if name != "number")
_NUMBER = StoredLog._fields.index("number")

INSERT_LOG = f"""
    INSERT INTO diary_logs (application_id, profile_id, number, {", ".join(_LOG)})
    VALUES ($1, $2, $3, {places(4, len(_LOG))})
"""

ALL_AT_ONCE = f"""
    WITH begun AS ({_BEGIN}),
    food AS (
        INSERT INTO logged_foods (application_id, profile_id, {", ".join(_FOOD)})
        SELECT $1, begun.id, {places(6, len(_FOOD))} FROM begun ON CONFLICT (profile_id, id, food_id) DO NOTHING
    )
    INSERT INTO diary_logs (application_id, profile_id, number, {", ".join(_LOG)})
    SELECT $1, begun.id, begun.last_number, {places(6 + len(_FOOD), len(_LOG))} FROM begun RETURNING number
"""


async def log_at_once(
    store: Store, reference_id: str, log: StoredLog, food: StoredLoggedFood, *, timezone: str, most_unsettled: int
) -> bool:
    """Write the log with a new number, and say so.

    Nothing is written if there is no such profile, or if it has another time zone ('' for none), or if it would have
    more unsettled logs than that.
    """
    begin = (reference_id, log.created_at, most_unsettled, timezone)
    foods = (log.food_id, *food)
    logs = (*log[:_NUMBER], *log[_NUMBER + 1 :])
    if store.chains_writes:
        return bool(await store.change(ALL_AT_ONCE, *begin, *foods, *logs))
    return await store.transaction(partial(_log_in_turn, begin=begin, foods=foods, logs=logs))


async def _log_in_turn(
    statements: Statements, begin: tuple[Value, ...], foods: tuple[Value, ...], logs: tuple[Value, ...]
) -> bool:
    rows = await statements.change(_BEGIN, *begin)
    if not rows:
        return False
    profile_id, number = rows[0]
    await statements.change(INSERT_FOOD, profile_id, *foods)
    await statements.change(INSERT_LOG, profile_id, number, *logs)
    return True
