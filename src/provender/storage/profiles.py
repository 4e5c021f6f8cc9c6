"""How profiles are kept."""

from datetime import datetime
from typing import NamedTuple

from provender.model.paging import Page, PageRequest
from provender.model.profiles import Profile
from provender.model.times import from_ms, to_ms
from provender.storage.engine import Row, Statements
from provender.storage.listing import Listing

_COLUMNS = "id, reference_id, timezone, created_at, updated_at, last_logged_at"

# What of a profile's row belongs to nobody but the storage.
_DEBT = "unsettled, settled_number"

_FIND = f"SELECT {_COLUMNS} FROM profiles WHERE application_id = $1 AND reference_id = $2"

_FIND_WITH_DEBT = f"SELECT {_COLUMNS}, {_DEBT} FROM profiles WHERE application_id = $1 AND reference_id = $2"

# The profile's id, for a statement that reads what belongs to it: so its reading takes one statement. Where it has no
# rows, `find_profile` tells whether that is all, or there is no such profile.
ID = "(SELECT id FROM profiles WHERE application_id = $1 AND reference_id = $2)"

# The same for what follows from logs: of a profile that has more unsettled ones than that, there are no rows either.
SETTLED_ID = ID.removesuffix(")") + " AND unsettled <= {})"
ANY = 2**62

NEWEST_FIRST = Listing(
    columns=_COLUMNS,
    source="profiles WHERE application_id = $1",
    key=("id",),
    descending=True,
    id_column="id",
)


class Debt(NamedTuple):
    """What the sums and the eaten lists of a profile lack: so many logs, which are all logs after that number."""

    logs: int
    after: int


class Begun(NamedTuple):
    """A profile that is about to get logs, the number of the first of them, and the debt that it has with them."""

    profile: Profile
    number: int
    debt: Debt


async def insert_profile(statements: Statements, profile: Profile, last_number: int = 0) -> bool:
    """Add the profile, and say whether its reference_id was free. What follows from logs that it has is there too."""
    logged_at = profile.last_logged_at
    rows = await statements.change(
        """
        INSERT INTO profiles
            (application_id, id, reference_id, timezone, created_at, updated_at, last_logged_at, last_number,
            settled_number)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
        ON CONFLICT (application_id, reference_id) DO NOTHING RETURNING id
        """,
        profile.id,
        profile.reference_id,
        profile.timezone,
        to_ms(profile.created_at),
        to_ms(profile.updated_at),
        None if logged_at is None else to_ms(logged_at),
        last_number,
    )
    return bool(rows)


async def find_profile(statements: Statements, reference_id: str) -> Profile | None:
    row = await statements.one(_FIND, reference_id)
    return _profile(row) if row else None


async def find_profile_and_number(statements: Statements, reference_id: str) -> tuple[Profile, int] | None:
    """The profile, and the last number that it has given."""
    row = await statements.one(
        f"SELECT {_COLUMNS}, last_number FROM profiles WHERE application_id = $1 AND reference_id = $2", reference_id
    )
    return (_profile(row[:-1]), row[-1]) if row else None


async def is_there(statements: Statements, profile_id: str) -> bool:
    return await statements.one("SELECT 1 FROM profiles WHERE application_id = $1 AND id = $2", profile_id) is not None


async def lock_profile(statements: Statements, reference_id: str) -> Profile | None:
    """Find the profile and keep it from being deleted until the transaction ends.

    Whatever writes a row that belongs to a profile begins with this: a row written while its profile is being deleted
    would stay for ever, since nothing is left to find it by.
    """
    row = await statements.one(f"{_FIND} FOR KEY SHARE", reference_id)
    return _profile(row) if row else None


async def lock_profile_alone(statements: Statements, reference_id: str) -> Profile | None:
    """As `lock_profile`, and one after the other with everybody who locks it so, or takes a number of it."""
    row = await statements.one(f"{_FIND} FOR NO KEY UPDATE", reference_id)
    return _profile(row) if row else None


async def lock_with_debt(statements: Statements, reference_id: str) -> tuple[Profile, Debt] | None:
    """As `lock_profile_alone`, for whoever changes what follows from logs, and has to settle first."""
    row = await statements.one(f"{_FIND_WITH_DEBT} FOR NO KEY UPDATE", reference_id)
    return _with_debt(row) if row else None


async def find_with_debt(statements: Statements, reference_id: str) -> tuple[Profile, Debt] | None:
    row = await statements.one(_FIND_WITH_DEBT, reference_id)
    return _with_debt(row) if row else None


async def find_debt(statements: Statements, reference_id: str) -> int | None:
    """How many logs of the profile are not settled yet; None where there is no such profile."""
    row = await statements.one(
        "SELECT unsettled FROM profiles WHERE application_id = $1 AND reference_id = $2", reference_id
    )
    return None if row is None else int(row[0])


async def mark_settled(statements: Statements, profile_id: str) -> None:
    """To be called by whoever has locked the profile alone, and settled all of its logs."""
    await statements.change(
        "UPDATE profiles SET unsettled = 0, settled_number = last_number WHERE application_id = $1 AND id = $2",
        profile_id,
    )


async def take_number(statements: Statements, reference_id: str) -> tuple[str, int] | None:
    """Lock the profile alone, and take its next number: its id, and the number.

    Whoever takes a later number commits later, so the order of the numbers is the order in which others see the writes.
    """
    rows = await statements.change(
        """
        UPDATE profiles SET last_number = last_number + 1
        WHERE application_id = $1 AND reference_id = $2 RETURNING id, last_number
        """,
        reference_id,
    )
    return (rows[0][0], rows[0][1]) if rows else None


async def begin_logs(statements: Statements, reference_id: str, count: int, now: datetime) -> Begun | None:
    """Lock the profile alone, and take so many numbers for logs that are made now, and are not settled yet."""
    rows = await statements.change(
        f"""
        UPDATE profiles SET last_number = last_number + $3, last_logged_at = $4, unsettled = unsettled + $3
        WHERE application_id = $1 AND reference_id = $2 RETURNING {_COLUMNS}, {_DEBT}, last_number
        """,
        reference_id,
        count,
        to_ms(now),
    )
    if not rows:
        return None
    *columns, unsettled, settled_number, last_number = rows[0]
    return Begun(_profile(columns), last_number - count + 1, Debt(unsettled, settled_number))


async def set_last_logged(statements: Statements, profile_id: str, last_logged_at: int | None) -> None:
    await statements.change(
        "UPDATE profiles SET last_logged_at = $3 WHERE application_id = $1 AND id = $2", profile_id, last_logged_at
    )


async def list_profiles(statements: Statements, request: PageRequest) -> Page[Profile]:
    return (await NEWEST_FIRST.page(statements, request)).map(_profile)


async def set_timezone(
    statements: Statements, reference_id: str, timezone: str | None, now: datetime
) -> Profile | None:
    """Change the time zone; setting the one it has already is no change and leaves `updated_at` alone."""
    rows = await statements.change(
        f"""
        UPDATE profiles SET
            timezone = CAST($3 AS text),
            updated_at = CASE WHEN timezone IS NOT DISTINCT FROM CAST($3 AS text) THEN updated_at ELSE $4 END
        WHERE application_id = $1 AND reference_id = $2 RETURNING {_COLUMNS}
        """,
        reference_id,
        timezone,
        to_ms(now),
    )
    return _profile(rows[0]) if rows else None


async def delete_profile(statements: Statements, reference_id: str) -> str | None:
    """Remove the profile's own row, and return the id that its other rows are still kept under."""
    rows = await statements.change(
        "DELETE FROM profiles WHERE application_id = $1 AND reference_id = $2 RETURNING id", reference_id
    )
    return rows[0][0] if rows else None


def _with_debt(row: Row) -> tuple[Profile, Debt]:
    return _profile(row[:-2]), Debt(row[-2], row[-1])


def _profile(row: Row) -> Profile:
    id_, reference_id, timezone, created_at, updated_at, last_logged_at = row
    return Profile(
        id=id_,
        reference_id=reference_id,
        timezone=timezone,
        created_at=from_ms(created_at),
        updated_at=from_ms(updated_at),
        last_logged_at=None if last_logged_at is None else from_ms(last_logged_at),
    )
