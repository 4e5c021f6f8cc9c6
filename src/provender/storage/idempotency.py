"""How answers are kept for requests that may be sent again.

A request with an Idempotency-Key claims the key first, in the transaction of what it writes, by inserting a row that
nobody else can insert. Whoever comes second waits there and holds nothing meanwhile; then it finds the first one's
answer, or a free key if that one has failed. At the end of the transaction the row gets the answer.

A record counts while it is young and all of its profiles are there. Otherwise it is as if there were none, though its
rows may still be waiting to be cleared away.
"""

from collections.abc import Sequence
from datetime import datetime

from provender.model.idempotency import KEPT_FOR, KeptAnswer, KeyedRequest
from provender.model.times import to_ms
from provender.storage.engine import Row, Statements

# As in `storage/removal.py`: quick, and no other writer waits for long.
STEP = 500

FIND = """
    SELECT a.place, a.owners, p.id IS NOT NULL, a.answered_at, a.fingerprint, a.status, a.body
    FROM answered_requests a LEFT JOIN profiles p ON p.application_id = a.application_id AND p.id = a.profile_id
    WHERE a.application_id = $1 AND a.scope = $2 ORDER BY a.place
"""

# It belongs to no profile yet: that may be one that the request itself is about to create.
CLAIM = """
    INSERT INTO answered_requests (application_id, scope, place, profile_id, answered_at, fingerprint)
    VALUES ($1, $2, 0, '', $3, $4) ON CONFLICT DO NOTHING RETURNING place
"""

FREE = "DELETE FROM answered_requests WHERE application_id = $1 AND scope = $2 AND place >= $3"

KEEP = """
    UPDATE answered_requests SET
        profile_id = (SELECT id FROM profiles WHERE application_id = $1 AND reference_id = $3),
        owners = $4, status = $5, body = $6
    WHERE application_id = $1 AND scope = $2 AND place = 0
"""

# What belongs to the application as a whole goes with no profile.
KEEP_WITHOUT_OWNER = """
    UPDATE answered_requests SET owners = 0, status = $3, body = $4
    WHERE application_id = $1 AND scope = $2 AND place = 0
"""

# The oldest: any would do, but where PostgreSQL takes many to have expired it would look for one among all of them.
FIND_EXPIRED = "SELECT answered_at FROM answered_requests WHERE answered_at <= $1 ORDER BY answered_at LIMIT 1"

CLEAR_EXPIRED = """
    DELETE FROM answered_requests WHERE (application_id, scope, place) IN (
        SELECT application_id, scope, place FROM answered_requests WHERE answered_at <= $1
        ORDER BY answered_at LIMIT $2
    ) RETURNING place
"""


async def find_answer(statements: Statements, request: KeyedRequest, now: datetime) -> KeptAnswer | None:
    """What is kept under the request's key, whatever body it was given to."""
    return _live(await statements.all(FIND, request.scope), now)


async def claim(statements: Statements, request: KeyedRequest, now: datetime) -> KeptAnswer | None:
    """Make the key this transaction's own, or return what is kept under it already."""
    while not await statements.change(CLAIM, request.scope, to_ms(now), request.fingerprint):
        # Locked, because what is found dead here must not be something new by the time it is cleared away.
        rows = await statements.all(f"{FIND} FOR UPDATE OF a", request.scope)
        if (kept := _live(rows, now)) is not None:
            return kept
        # Without row 0 the lock holds nothing; somebody has cleared it away since, so the key may be free.
        if rows and rows[0][0] == 0:
            await statements.change(FREE, request.scope, 0)
    return None


async def keep(
    statements: Statements, request: KeyedRequest, owners: Sequence[str], *, status: int, body: bytes
) -> None:
    """Keep the answer under the claimed key for as long as the profiles of these reference_ids are there."""
    if not owners:
        await statements.change(KEEP_WITHOUT_OWNER, request.scope, status, body)
        return
    first, *others = sorted(set(owners))
    await statements.change(KEEP, request.scope, first, 1 + len(others), status, body)
    if others:
        await _insert_others(statements, request, others)


async def _insert_others(statements: Statements, request: KeyedRequest, owners: Sequence[str]) -> None:
    # They may be there from an older record, whose row 0 has gone with its profile.
    await statements.change(FREE, request.scope, 1)
    places = ", ".join(f"${number}" for number in range(3, 3 + len(owners)))
    rows = await statements.change(
        f"""
        INSERT INTO answered_requests (application_id, scope, place, profile_id, answered_at)
        SELECT a.application_id, a.scope, row_number() OVER (ORDER BY p.id), p.id, a.answered_at
        FROM answered_requests a JOIN profiles p ON p.application_id = a.application_id
        WHERE a.application_id = $1 AND a.scope = $2 AND a.place = 0 AND p.reference_id IN ({places})
        RETURNING place
        """,
        request.scope,
        *owners,
    )
    if len(rows) != len(owners):
        raise LookupError("An answer can belong only to profiles that are there.")


def _live(rows: Sequence[Row], now: datetime) -> KeptAnswer | None:
    if not rows or rows[0][0] != 0:
        return None
    _, owners, _, answered_at, *answer = rows[0]
    # Rows beyond these are left from an older record.
    owned = rows[:owners]
    if answered_at <= _cutoff(now) or len(owned) < owners or not all(has_profile for _, _, has_profile, *_ in owned):
        return None
    return KeptAnswer(*answer)


async def has_expired(statements: Statements, now: datetime) -> bool:
    """Whether there is an answer that was kept for long enough."""
    return await statements.one(FIND_EXPIRED, _cutoff(now)) is not None


async def clear_expired(statements: Statements, now: datetime) -> bool:
    """Clear some such answers away; whether there may be more."""
    return len(await statements.change(CLEAR_EXPIRED, _cutoff(now), STEP)) == STEP


def _cutoff(now: datetime) -> int:
    return to_ms(now - KEPT_FOR)
