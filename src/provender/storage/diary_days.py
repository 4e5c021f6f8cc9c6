"""How the sums of diary days are kept. Whatever writes here has locked the profile alone first."""

from collections.abc import Sequence

import msgspec

from provender.model.diary import Sums
from provender.storage.engine import Row, Statements

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, dict[str, int]]).decode

READ_DAYS = """
    SELECT d.date, d.entries, d.sums, d.unknown FROM diary_days d
    WHERE d.application_id = $1 AND d.profile_id = $2 AND d.date >= $3 AND d.date <= $4
    AND EXISTS (SELECT 1 FROM profiles WHERE application_id = $1 AND id = $2)
    ORDER BY d.date
"""

_FIND = (
    "SELECT date, entries, sums, unknown FROM diary_days WHERE application_id = $1 AND profile_id = $2 AND date = $3"
)

_SAVE = """
    INSERT INTO diary_days (application_id, profile_id, date, entries, sums, unknown) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (profile_id, date) DO UPDATE
    SET entries = excluded.entries, sums = excluded.sums, unknown = excluded.unknown
"""


async def find_day(statements: Statements, profile_id: str, day: int) -> Sums:
    row = await statements.one(_FIND, profile_id, day)
    return Sums.nothing() if row is None else _sums(row)


async def save_day(statements: Statements, profile_id: str, day: int, sums: Sums) -> None:
    """Keep the sums; of a day without entries nothing is kept."""
    if sums.is_nothing:
        await statements.change(
            "DELETE FROM diary_days WHERE application_id = $1 AND profile_id = $2 AND date = $3", profile_id, day
        )
    else:
        await statements.change(_SAVE, profile_id, day, sums.entries, _encode(sums.values), _encode(sums.unknown))


async def read_days(statements: Statements, profile_id: str, first: int, last: int) -> Sequence[tuple[int, Sums]]:
    """The days that have entries, in their order."""
    return [(row[0], _sums(row)) for row in await statements.all(READ_DAYS, profile_id, first, last)]


def _sums(row: Row) -> Sums:
    _, entries, sums, unknown = row
    return Sums(entries, _decode(sums), _decode(unknown))
