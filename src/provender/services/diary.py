"""The food diary: log foods, find logs, list, change, delete and copy them, and sum them up."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import NamedTuple, TypedDict, Unpack

from provender.model.diary import COPY_MAX, Meal, today
from provender.model.errors import Fault, InvalidParameters, LogNotFound, ProfileNotFound
from provender.model.ids import is_id, new_id
from provender.model.paging import Page, PageRequest
from provender.model.portions import Quantity
from provender.model.profiles import Profile
from provender.model.sums import Sums, TooMuch
from provender.model.times import to_day, to_ms
from provender.services.catalogue import CurrentCatalogue
from provender.services.ledger import Ledger
from provender.services.portions import (
    NewLog,
    Portion,
    amount_fault,
    day_fault,
    lock_own_foods,
    prepare,
    read_foods,
)
from provender.services.profiles import get_profile, read_page
from provender.storage import custom_foods, diary, diary_days, logged_foods, profiles
from provender.storage.diary import StoredEntry, StoredLog
from provender.storage.diary_days import Day
from provender.storage.engine import Statements
from provender.storage.logged_foods import StoredLoggedFood
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


class _Draft(NamedTuple):
    """A log that is to be written: it lacks its id, its number and its times."""

    log: StoredLog
    logged: StoredLoggedFood
    sums: Sums
    # Whether its food exists, so that it counts as eaten.
    counts: bool


async def create_logs(current: CurrentCatalogue, store: Store, new: Sequence[NewLog], now: datetime) -> list[str]:
    """Log foods, for one profile or several: all of them or none. Returns the ids of the logs in their order."""
    known = read_foods(current, {log.food_id for log in new})

    async def create(statements: Statements) -> list[str]:
        begun = await _begin(statements, new, now)
        owners = {reference_id: profile for reference_id, (profile, _) in begun.items()}
        own = {}
        for reference_id, profile in owners.items():
            asked = {log.food_id for log in new if log.reference_id == reference_id}
            own[reference_id] = await lock_own_foods(statements, profile.id, asked - known.keys())
        foods = [known.get(log.food_id) or own[log.reference_id].get(log.food_id) for log in new]
        portions = prepare(new, foods, owners, now)
        ids: dict[int, str] = {}
        for reference_id, (profile, number) in begun.items():
            places = [place for place, log in enumerate(new) if log.reference_id == reference_id]
            written = await write_logs(statements, profile, number, [portions[place] for place in places], now)
            ids |= dict(zip(places, written, strict=True))
        return [ids[place] for place in range(len(new))]

    return await store.transaction(create)


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


async def summarise(store: Store, reference_id: str, first: date, last: date) -> Sequence[Day]:
    """What each day that has entries adds up to."""
    profile = await get_profile(store, reference_id)
    return await diary_days.read_days(store, profile.id, to_day(first), to_day(last))


async def change_log(
    store: Store, log_id: str, reference_id: str | None, now: datetime, **change: Unpack[LogChange]
) -> StoredEntry:
    """Change the log, and return it as it is then. A change to what it is already is none."""

    async def apply(statements: Statements) -> StoredEntry:
        profile, entry = await _lock_entry(statements, log_id, reference_id)
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
        counts = bool(await _existing(statements, profile.id, [before]))
        ledger = Ledger(profile.id, to_day(own_today))
        ledger.remove(before, entry.sums(before.quantity), counts=counts)
        ledger.add(after, sums, counts=counts)
        await ledger.settle(statements)
        return entry._replace(log=after)

    return await store.transaction(apply)


async def delete_log(store: Store, log_id: str, reference_id: str | None, now: datetime) -> None:
    async def delete(statements: Statements) -> None:
        profile, entry = await _lock_entry(statements, log_id, reference_id)
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
        existing = await _existing(statements, profile.id, [entry.log for entry in entries])
        drafts = [
            _Draft(
                entry.log._replace(date=to_day(target)),
                entry.logged,
                entry.sums(entry.log.quantity),
                counts=entry.log.food_id in existing,
            )
            for entry in entries
        ]
        begun = await profiles.begin_logs(statements, reference_id, len(drafts), now) if drafts else None
        return [] if begun is None else await _insert(statements, profile, begun[1], drafts, now)

    return await store.transaction(copy)


async def write_logs(
    statements: Statements, profile: Profile, number: int, portions: Sequence[Portion], now: datetime
) -> list[str]:
    """Write logs of a profile that is locked alone, with the numbers from `number` on, and return their ids."""
    drafts = []
    for portion in portions:
        log = StoredLog(
            date=to_day(portion.day),
            id="",
            number=0,
            meal=portion.meal.value,
            food_id=portion.food_id,
            is_custom=int(portion.is_custom),
            logged_food_id=portion.logged.id,
            number_of_servings=portion.quantity.number_of_servings,
            metric_amount=portion.quantity.metric_amount,
            note=portion.note,
            created_at=0,
            updated_at=0,
        )
        drafts.append(_Draft(log, portion.logged, portion.sums, counts=True))
    return await _insert(statements, profile, number, drafts, now)


async def _insert(
    statements: Statements, profile: Profile, number: int, drafts: Sequence[_Draft], now: datetime
) -> list[str]:
    ledger = Ledger(profile.id, to_day(today(profile.timezone, now)))
    ids: list[str] = []
    kept: set[tuple[str, str]] = set()
    made_at = to_ms(now)
    for draft in drafts:
        log = draft.log._replace(id=new_id(now), number=number + len(ids), created_at=made_at, updated_at=made_at)
        if (log.food_id, log.logged_food_id) not in kept:
            await logged_foods.insert_logged_food(statements, profile.id, log.food_id, draft.logged)
            kept.add((log.food_id, log.logged_food_id))
        await diary.insert_log(statements, profile.id, log)
        ledger.add(log, draft.sums, counts=draft.counts)
        ids.append(log.id)
    await ledger.settle(statements)
    return ids


async def _begin(statements: Statements, new: Sequence[NewLog], now: datetime) -> dict[str, tuple[Profile, int]]:
    """Lock the profiles, and take numbers from them: always in one order, so that no two wait for each other."""
    begun = {}
    missing = set()
    for reference_id in sorted({log.reference_id for log in new}):
        count = sum(log.reference_id == reference_id for log in new)
        found = await profiles.begin_logs(statements, reference_id, count, now)
        if found is None:
            missing.add(reference_id)
        else:
            begun[reference_id] = found
    if missing:
        message = "is no profile of this application."
        raise ProfileNotFound(
            faults=[
                Fault(f"{log.name}profile_reference_id", ProfileNotFound.code, message)
                for log in new
                if log.name and log.reference_id in missing
            ]
        )
    return begun


async def _get_entry(statements: Statements, log_id: str, reference_id: str | None) -> StoredEntry:
    entry = await diary.find_entry(statements, log_id) if is_id(log_id) else None
    if entry is None or reference_id not in (None, entry.reference_id):
        raise LogNotFound
    return entry


async def _lock_entry(statements: Statements, log_id: str, reference_id: str | None) -> tuple[Profile, StoredEntry]:
    """The log, with its profile locked alone. It is read again after that: it may have waited for another change."""
    entry = await _get_entry(statements, log_id, reference_id)
    profile = await profiles.lock_profile_alone(statements, entry.reference_id)
    if profile is None or profile.id != entry.profile_id:
        raise LogNotFound
    return profile, await _get_entry(statements, log_id, reference_id)


async def _existing(statements: Statements, profile_id: str, logs: Collection[StoredLog]) -> set[str]:
    """The foods of these logs that count as eaten: those of the catalogue, and custom foods that are there still."""
    own = {log.food_id for log in logs if log.is_custom}
    found = await custom_foods.find_foods(statements, profile_id, own)
    return {log.food_id for log in logs if not log.is_custom} | found.keys()


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
