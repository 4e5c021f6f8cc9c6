"""Settling: bringing what follows from logs, the sums of days and the eaten lists, up to date with them.

A log is written at once, and counted in its profile's row as unsettled. Many logs are settled together, some time
later. Until then the sums and lists are exactly what they were before these logs. So whoever reads them settles first,
and whoever changes or takes away something that they count does so too, in the same transaction.
"""

import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime
from typing import TypeVar

from provender.model.diary import today
from provender.model.errors import ProfileNotFound, StorageUnavailable
from provender.model.kept import Kept
from provender.model.profiles import Profile
from provender.model.times import to_day
from provender.services.ledger import Ledger
from provender.storage import custom_foods, diary, logged_foods, profiles
from provender.storage.diary import StoredLog
from provender.storage.engine import Statements
from provender.storage.logged_foods import StoredLoggedFood
from provender.storage.profiles import Debt
from provender.storage.store import Store

T = TypeVar("T")

_log = logging.getLogger(__name__)

# Whoever makes so many logs unsettled settles them: what a read may have to wait for stays a few milliseconds.
MOST_UNSETTLED = 64

# Foods as they were logged, of all profiles. Only the thread that runs transactions uses them.
_KEPT_FOODS = 4096
_foods: Kept[str, StoredLoggedFood] = Kept(_KEPT_FOODS, lambda _: 1)


async def settle_profile(store: Store, reference_id: str, now: datetime) -> None:
    """Settle the profile's logs; where there is nothing to settle, or no such profile, it is one look."""
    if await profiles.find_debt(store, reference_id):
        await store.transaction(lambda statements: lock_settled(statements, reference_id, now))


async def try_to_settle(store: Store, reference_id: str, now: datetime) -> bool:
    """As `settle_profile`; where that cannot be written, it is no."""
    if await profiles.find_debt(store, reference_id):
        try:
            await store.transaction(lambda statements: lock_settled(statements, reference_id, now))
        except StorageUnavailable as error:
            _log.warning("what follows from logs is worked out without settling them: %s", error.detail)
            return False
    return True


async def read_settled(
    store: Store,
    reference_id: str,
    now: datetime,
    read: Callable[[int], Awaitable[Sequence[T]]],
    work_out: Callable[[], Awaitable[Sequence[T]]],
) -> Sequence[T]:
    """Read what follows from the profile's logs, settled before where it has to be.

    `read` finds nothing where more logs than it is told are unsettled, and where there is no such profile. `work_out`
    does without settling, where nothing can be written; see `unsettled.py`.
    """
    found = await read(0)
    if found:
        return found
    debt = await profiles.find_debt(store, reference_id)
    if debt is None:
        raise ProfileNotFound
    if debt and not await try_to_settle(store, reference_id, now):
        return await work_out()
    # Also where there is no debt now, since another may have settled it in between. And whatever debt there is again:
    # those logs have come after this request, so they may be missing.
    return await read(profiles.ANY)


async def lock_settled(statements: Statements, reference_id: str, now: datetime) -> Profile | None:
    """Find the profile, lock it alone, and settle its logs."""
    found = await profiles.lock_with_debt(statements, reference_id)
    if found is None:
        return None
    profile, debt = found
    if debt.logs:
        await settle(statements, profile, debt, now)
    return profile


async def settle(statements: Statements, profile: Profile, debt: Debt, now: datetime) -> None:
    """Settle the logs of a profile that is locked alone."""
    logs = await diary.read_after(statements, profile.id, debt.after)
    foods = await _find_foods(statements, profile.id, {log.logged_food_id for log in logs})
    existing = await find_existing(statements, profile.id, logs)
    ledger = Ledger(profile.id, to_day(today(profile.timezone, now)))
    for log in logs:
        sums = foods[log.logged_food_id].sums(log.quantity)
        ledger.add(log, sums, counts=log.food_id in existing)
    await ledger.settle(statements)
    await profiles.mark_settled(statements, profile.id)


async def _find_foods(statements: Statements, profile_id: str, ids: set[str]) -> dict[str, StoredLoggedFood]:
    """Foods as they were logged. Their ids are hashes of what they are, so whoever has one at hand need not read it."""
    known = {id_: food for id_ in ids if (food := _foods.get(id_)) is not None}
    read = await logged_foods.find_logged_foods(statements, profile_id, ids - known.keys())
    for id_, food in read.items():
        _foods.put(id_, food)
    return known | read


async def find_existing(statements: Statements, profile_id: str, logs: Collection[StoredLog]) -> set[str]:
    """The foods of these logs that count as eaten: those of the catalogue, and custom foods that are there still."""
    own = {log.food_id for log in logs if log.is_custom}
    found = await custom_foods.find_foods(statements, profile_id, own)
    return {log.food_id for log in logs if not log.is_custom} | found.keys()
