"""How the sums of diary days are kept. Whatever writes here has locked the profile alone first.

Beside its sums a day has them as an answer shows them, in JSON: numbers are worked with in the one form and read in the
other, and turning a year from one into the other takes longer than anybody wants to wait. Making that with every log
would cost more than the log. So the day that is being written, today, has none; it is made when the next day begins.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from provender.model.nutrients import Group
from provender.model.sums import Others, Sums
from provender.storage.engine import Row, Statements
from provender.storage.profiles import SETTLED_ID

_encode = msgspec.json.Encoder().encode
_decode_others = msgspec.json.Decoder(dict[str, dict[str, tuple[int, int]]]).decode

_COLUMNS = "date, entries, sums, known, others, shown"

READ_SETTLED = f"""
    SELECT {_COLUMNS} FROM diary_days
    WHERE profile_id = {SETTLED_ID.format("$5")} AND date >= $3 AND date <= $4
    ORDER BY date
"""

_FIND = f"SELECT {_COLUMNS} FROM diary_days WHERE application_id = $1 AND profile_id = $2 AND date = $3"

DAY_BEFORE = f"""
    SELECT {_COLUMNS} FROM diary_days
    WHERE application_id = $1 AND profile_id = $2 AND date < $3 ORDER BY date DESC LIMIT 1
"""

_SAVE = f"""
    INSERT INTO diary_days (application_id, profile_id, {_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (profile_id, date) DO UPDATE
    SET entries = excluded.entries, sums = excluded.sums, known = excluded.known, others = excluded.others,
        shown = excluded.shown
"""

_DELETE = "DELETE FROM diary_days WHERE application_id = $1 AND profile_id = $2 AND date = $3"


class Day(NamedTuple):
    date: int
    sums: Sums
    # The members of an answer, without the braces around them.
    shown: bytes


async def find_day(statements: Statements, profile_id: str, day: int) -> Sums:
    row = await statements.one(_FIND, profile_id, day)
    return Sums.nothing() if row is None else _sums(row)


async def save_day(statements: Statements, profile_id: str, day: int, sums: Sums, *, is_over: bool) -> None:
    """Keep the sums; of a day without entries nothing is kept."""
    if not sums.entries:
        await statements.change(_DELETE, profile_id, day)
        return
    others = _encode(sums.others) if sums.others else None
    shown = show(sums) if is_over else None
    await statements.change(_SAVE, profile_id, day, sums.entries, *sums.to_bytes(), others, shown)


async def show_day_before(statements: Statements, profile_id: str, day: int) -> None:
    """Make the last day before this one ready to be shown: it is over."""
    row = await statements.one(DAY_BEFORE, profile_id, day)
    if row is not None and row[-1] is None:
        await save_day(statements, profile_id, row[0], _sums(row), is_over=True)


async def read_settled(
    statements: Statements, reference_id: str, first: int, last: int, most_unsettled: int
) -> Sequence[Day]:
    """The days of a profile that have entries, in their order; none where it has more unsettled logs than that."""
    days = []
    for row in await statements.all(READ_SETTLED, reference_id, first, last, most_unsettled):
        sums = _sums(row)
        days.append(Day(row[0], sums, show(sums) if row[-1] is None else row[-1]))
    return days


def show(sums: Sums) -> bytes:
    """Sums as members of an answer: how many entries, all groups, and water only where it is known."""
    groups: dict[str, dict[str, float]] = sums.groups()
    water = groups.pop(Group.WATER.value)
    macro_nutrients = groups.pop(Group.MACRO_NUTRIENTS.value)
    members = {"entries": sums.entries, "macro_nutrients": macro_nutrients, **water, **groups}
    encoded = _encode({**members, "unknown": sums.unknown()})[1:-1]
    # A whole number is written as one. Here that is done to all of them at once: no text in this has a point.
    return encoded.replace(b".0,", b",").replace(b".0}", b"}")


def find_sums(row: Row) -> Sums | None:
    """The sums of a row, if they can be read: for whoever does not know that the row is sound."""
    try:
        return _sums(row)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _sums(row: Row) -> Sums:
    _, entries, sums, known, others, _ = row
    found: Others = {} if others is None else _decode_others(others)
    return Sums.stored(entries, sums, known, found)
