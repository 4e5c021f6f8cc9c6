"""Logging foods: what is asked for becomes logs of the diary. What follows from them is settled later."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta

from provender.model.diary import latest, today
from provender.model.errors import Fault, ProfileNotFound
from provender.model.ids import new_id
from provender.model.portions import Loggable
from provender.model.times import to_day, to_ms
from provender.services import zones
from provender.services.catalogue import CurrentCatalogue
from provender.services.portions import NewLog, Portion, find_portion, lock_own_foods, prepare, read_foods
from provender.services.settling import MOST_UNSETTLED, settle
from provender.storage import diary, logged_foods, profiles
from provender.storage.diary import StoredLog
from provender.storage.engine import Statements
from provender.storage.new_logs import ANY_ZONE, log_at_once
from provender.storage.profiles import Begun
from provender.storage.store import Store

_WESTERNMOST = timedelta(hours=12)


async def create_logs(current: CurrentCatalogue, store: Store, new: Sequence[NewLog], now: datetime) -> list[str]:
    """Log foods, for one profile or several: all of them or none. Returns the ids of the logs in their order."""
    known = read_foods(current, {log.food_id for log in new})
    if len(new) == 1 and known and store.is_plain:
        log_id = await _log_at_once(store, new[0], known[new[0].food_id], now)
        if log_id is not None:
            return [log_id]
    return await _log_in_turn(store, new, known, now)


async def _log_in_turn(store: Store, new: Sequence[NewLog], known: Mapping[str, Loggable], now: datetime) -> list[str]:
    """Log foods in a transaction that looks at everything before it writes."""
    timezones: dict[str, str | None] = {}

    async def create(statements: Statements) -> list[str]:
        begun = await _begin(statements, new, now)
        own = {}
        for reference_id, (profile, *_) in begun.items():
            asked = {log.food_id for log in new if log.reference_id == reference_id}
            own[reference_id] = await lock_own_foods(statements, profile.id, asked - known.keys())
        foods = [known.get(log.food_id) or own[log.reference_id].get(log.food_id) for log in new]
        timezones.update((reference_id, each.profile.timezone) for reference_id, each in begun.items())
        portions = prepare(new, foods, timezones, now)
        ids: dict[int, str] = {}
        for reference_id, each in begun.items():
            places = [place for place, log in enumerate(new) if log.reference_id == reference_id]
            written = await write_portions(statements, each, [portions[place] for place in places], now)
            ids |= dict(zip(places, written, strict=True))
        return [ids[place] for place in range(len(new))]

    ids = await store.transaction(create)
    # Not inside the transaction, which may run in a thread of its own.
    for reference_id, timezone in timezones.items():
        zones.note(store, reference_id, timezone)
    return ids


async def _log_at_once(store: Store, new: NewLog, food: Loggable, now: datetime) -> str | None:
    """Log a food of the catalogue without having looked at the profile before, and return the log's id.

    Which day is today depends on the profile's time zone, which is guessed. Where the guess is wrong, or anything else
    is not as usual, nothing is written and the answer is None: the usual way then tells what there is to tell.
    """
    timezone = zones.guess(store, new.reference_id) or ""
    faults: list[Fault] = []
    portion = find_portion(new, food, today(timezone or None, now), faults)
    if portion is None or faults:
        return None
    log = _log(portion, new_id(now), to_ms(now))
    written = await log_at_once(
        store,
        new.reference_id,
        log,
        portion.logged,
        timezone=ANY_ZONE if new.day is not None and _is_allowed_everywhere(new.day, now) else timezone,
        # The one that would reach the limit goes the usual way, and settles.
        most_unsettled=MOST_UNSETTLED - 1,
    )
    return log.id if written else None


def _is_allowed_everywhere(day: date, now: datetime) -> bool:
    """Whether the day is not too far ahead in any time zone: it is earliest 12 hours west of UTC."""
    return day <= latest((now - _WESTERNMOST).date())


async def write_portions(statements: Statements, begun: Begun, portions: Sequence[Portion], now: datetime) -> list[str]:
    """Write logs of a profile, and return their ids."""
    foods = {(portion.food_id, portion.logged.id): portion for portion in portions}
    rows = [(food_id, portion.logged) for (food_id, _), portion in foods.items()]
    await logged_foods.insert_logged_foods(statements, begun.profile.id, rows)
    return await write_logs(statements, begun, [_log(portion) for portion in portions], now)


async def write_logs(statements: Statements, begun: Begun, logs: Sequence[StoredLog], now: datetime) -> list[str]:
    """Write logs whose foods as they are logged are there already. They get new ids, numbers and times."""
    made_at = to_ms(now)
    made = [
        log._replace(id=new_id(now), number=number, created_at=made_at, updated_at=made_at)
        for number, log in enumerate(logs, begun.number)
    ]
    await diary.insert_logs(statements, begun.profile.id, made)
    if begun.debt.logs >= MOST_UNSETTLED:
        await settle(statements, begun.profile, begun.debt, now)
    return [log.id for log in made]


def _log(portion: Portion, id_: str = "", made_at: int = 0) -> StoredLog:
    """Without its number."""
    return StoredLog(
        date=to_day(portion.day),
        id=id_,
        number=0,
        meal=portion.meal.value,
        food_id=portion.food_id,
        is_custom=int(portion.is_custom),
        logged_food_id=portion.logged.id,
        number_of_servings=portion.quantity.number_of_servings,
        metric_amount=portion.quantity.metric_amount,
        note=portion.note,
        created_at=made_at,
        updated_at=made_at,
    )


async def _begin(statements: Statements, new: Sequence[NewLog], now: datetime) -> dict[str, Begun]:
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
