"""The food diary: find logs, list, change, delete and copy them, and sum them up. `new_logs.py` makes them."""

from collections.abc import Sequence
from datetime import date, datetime
from functools import partial
from typing import TypedDict, Unpack

from provender.model.diary import COPY_MAX, Meal, today
from provender.model.errors import Fault, InvalidParameters, LogNotFound, ProfileNotFound
from provender.model.ids import is_id
from provender.model.paging import Page, PageRequest
from provender.model.portions import Quantity
from provender.model.profiles import Profile
from provender.model.sums import TooMuch
from provender.model.times import to_day, to_ms
from provender.services import unsettled
from provender.services.ledger import Ledger
from provender.services.new_logs import write_logs
from provender.services.portions import amount_fault, day_fault
from provender.services.profiles import read_page
from provender.services.settling import find_existing, lock_settled, read_settled
from provender.storage import diary, diary_days, logged_foods, profiles
from provender.storage.diary import StoredEntry, StoredLog
from provender.storage.diary_days import Day
from provender.storage.engine import Statements
from provender.storage.store import Store

# The first and the last day that there are.
_FIRST_DAY, _LAST_DAY = to_day(date.min), to_day(date.max)


class LogChange(TypedDict, total=False):
    """What a change names; the rest stays."""

    number_of_servings: float
    metric_amount: float
    meal: Meal
    date: date
    note: str | None


async def get_entry(store: Store, log_id: str, reference_id: str | None) -> StoredEntry:
    """The log with this id; if a profile is named, it has to be one of its own."""
    return await _get_entry(store, log_id, reference_id)


async def list_entries(
    store: Store,
    reference_id: str,
    request: PageRequest,
    *,
    first: date | None,
    last: date | None,
    meal: Meal | None,
    include: frozenset[str],
) -> Page[StoredEntry]:
    """The entries of some days, or of one meal of them, by date and then in the order of their ids.

    Of the optional groups of nutrients they have those that are asked for.
    """
    page = diary.list_entries(
        store,
        reference_id,
        request,
        first=_FIRST_DAY if first is None else to_day(first),
        last=_LAST_DAY if last is None else to_day(last),
        meal=meal,
        include=include,
    )
    return await read_page(store, reference_id, page)


async def summarise(store: Store, reference_id: str, first: date, last: date, now: datetime) -> Sequence[Day]:
    """What each day that has entries adds up to."""
    read = partial(diary_days.read_settled, store, reference_id, to_day(first), to_day(last))
    work_out = partial(unsettled.sum_days, store, reference_id, to_day(first), to_day(last))
    return await read_settled(store, reference_id, now, read, work_out)


async def change_log(
    store: Store, log_id: str, reference_id: str | None, now: datetime, **change: Unpack[LogChange]
) -> StoredEntry:
    """Change the log, and return it as it is then. A change to what it is already is none."""

    async def apply(statements: Statements) -> StoredEntry:
        profile, entry = await _lock_entry(statements, log_id, reference_id, now)
        own_today = today(profile.timezone, now)
        before, after = entry.log, _changed(entry, change, own_today)
        if after == before:
            return entry
        after = after._replace(updated_at=to_ms(now))
        try:
            sums = entry.sums(after.quantity)
        except TooMuch:
            raise InvalidParameters([amount_fault(after.quantity)]) from None
        await diary.update_log(statements, profile.id, before, after)
        counts = bool(await find_existing(statements, profile.id, [before]))
        ledger = Ledger(profile.id, to_day(own_today))
        ledger.remove(before, entry.sums(before.quantity), counts=counts)
        ledger.add(after, sums, counts=counts)
        await ledger.settle(statements)
        return entry._replace(log=after)

    return await store.transaction(apply)


async def delete_log(store: Store, log_id: str, reference_id: str | None, now: datetime) -> None:
    async def delete(statements: Statements) -> None:
        profile, entry = await _lock_entry(statements, log_id, reference_id, now)
        log = entry.log
        await diary.delete_log(statements, profile.id, log)
        await logged_foods.delete_unused(statements, profile.id, log.logged_food_id, log.food_id)
        ledger = Ledger(profile.id, to_day(today(profile.timezone, now)))
        # A food that does not exist has no rows, so there is nothing to take it out of.
        ledger.remove(log, entry.sums(log.quantity), counts=True)
        await ledger.settle(statements)
        if profile.last_logged_at is not None and log.created_at == to_ms(profile.last_logged_at):
            newest = await diary.find_newest(statements, profile.id)
            await profiles.set_last_logged(statements, profile.id, newest)

    await store.transaction(delete)


async def copy_logs(
    store: Store, reference_id: str, source: date, target: date, meal: Meal | None, now: datetime
) -> list[str]:
    """Log once more on a day what is logged on another, or one meal of it. Returns the new logs' ids."""

    async def copy(statements: Statements) -> list[str]:
        profile = await profiles.lock_profile_alone(statements, reference_id)
        if profile is None:
            raise ProfileNotFound
        if (fault := day_fault("to", target, today(profile.timezone, now))) is not None:
            raise InvalidParameters([fault])
        entries = await diary.read_day(statements, profile.id, to_day(source), meal, COPY_MAX + 1)
        if len(entries) > COPY_MAX:
            advice = "Copy its meals one by one." if meal is None else "Log them in batches."
            message = f"has more than {COPY_MAX} entries to copy. {advice}"
            raise InvalidParameters([Fault("from", "too_many", message)])
        if not entries:
            return []
        begun = await profiles.begin_logs(statements, reference_id, len(entries), now)
        if begun is None:
            raise ProfileNotFound
        copies = [entry.log._replace(date=to_day(target)) for entry in entries]
        return await write_logs(statements, begun, copies, now)

    return await store.transaction(copy)


async def _get_entry(statements: Statements, log_id: str, reference_id: str | None) -> StoredEntry:
    entry = await diary.find_entry(statements, log_id) if is_id(log_id) else None
    if entry is None or reference_id not in (None, entry.reference_id):
        raise LogNotFound
    return entry


async def _lock_entry(
    statements: Statements, log_id: str, reference_id: str | None, now: datetime
) -> tuple[Profile, StoredEntry]:
    """The log, with its profile settled and locked alone.

    It is read again after that: it may have waited for another change.
    """
    entry = await _get_entry(statements, log_id, reference_id)
    profile = await lock_settled(statements, entry.reference_id, now)
    if profile is None or profile.id != entry.profile_id:
        raise LogNotFound
    return profile, await _get_entry(statements, log_id, reference_id)


def _changed(entry: StoredEntry, change: LogChange, own_today: date) -> StoredLog:
    log = entry.log
    if "date" in change:
        if (fault := day_fault("date", change["date"], own_today)) is not None:
            raise InvalidParameters([fault])
        log = log._replace(date=to_day(change["date"]))
    if "meal" in change:
        log = log._replace(meal=change["meal"].value)
    if "note" in change:
        log = log._replace(note=change["note"])
    if "number_of_servings" in change:
        log = log._replace(number_of_servings=change["number_of_servings"], metric_amount=None)
    elif "metric_amount" in change:
        quantity = Quantity.weighing(change["metric_amount"], entry.logged.metric_serving_amount)
        log = log._replace(number_of_servings=quantity.number_of_servings, metric_amount=quantity.metric_amount)
    return log
