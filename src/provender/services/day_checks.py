"""The sums of a profile's days against its logs: each day is added up anew, one after the other."""

from collections.abc import AsyncGenerator, Sequence
from functools import partial

import msgspec

from provender.model.checking import Finding, Kind
from provender.model.portions import Quantity
from provender.model.sums import Sums, TooMuch
from provender.model.times import from_day
from provender.services.checked_profile import CheckedProfile
from provender.storage import checking, diary_days
from provender.storage.diary import StoredLog
from provender.storage.engine import Row, Statements
from provender.storage.logged_foods import StoredLoggedFood, find_logged_foods

# Some weeks of a usual diary; whoever has more logs in so many days is checked day by day.
_DAYS_AT_ONCE = 32
_LOGS_AT_ONCE = 2000
_BEFORE_ALL = -(10**9)

# Each of these has some 3 kB.
_KEPT_AT_HAND = 4000


class _Additions:
    """What logs add to their days; None where that cannot be known. People eat the same things again."""

    def __init__(self, profile_id: str) -> None:
        self._profile_id = profile_id
        self._known: dict[tuple[str, Quantity], Sums | None] = {}

    async def of(self, statements: Statements, logs: Sequence[StoredLog]) -> list[Sums | None]:
        wanted = [(log.logged_food_id, log.quantity) for log in logs]
        if len(self._known) > _KEPT_AT_HAND:
            self._known = {}
        missing = {each for each in wanted if each not in self._known}
        foods = await find_logged_foods(statements, self._profile_id, {id_ for id_, _ in missing})
        for id_, quantity in missing:
            self._known[id_, quantity] = _find_sums(foods.get(id_), quantity)
        return [self._known[each] for each in wanted]


def _find_sums(food: StoredLoggedFood | None, quantity: Quantity) -> Sums | None:
    """None for a food that is missing, or not what it was: that is found by itself, and the sums may be right still."""
    try:
        if food is None or food.content_id() != food.id:
            return None
        return food.sums(quantity)
    except (ValueError, ArithmeticError, TooMuch, msgspec.MsgspecError):
        return None


async def check_days(profile: CheckedProfile) -> AsyncGenerator[Finding]:
    additions = _Additions(profile.id)
    last = _BEFORE_ALL
    while (first := await checking.find_day_after(profile.store, profile.id, last)) is not None:
        last = first + _DAYS_AT_ONCE - 1
        for day in await _scan(profile, first, last, additions):
            look_again = partial(_look_again, profile=profile, day=day, additions=additions)
            for finding in await profile.alone(look_again, list[Finding]):
                yield finding


async def _scan(profile: CheckedProfile, first: int, last: int, additions: _Additions) -> list[int]:
    """Those of some days that do not look right."""
    state = await checking.find_settled_number(profile.store, profile.id)
    if state is None:
        return []
    _, settled_number = state
    kept = await checking.read_kept_days(profile.store, profile.id, first, last)
    logs = await checking.read_logs_of_days(profile.store, profile.id, first, last, _LOGS_AT_ONCE + 1)
    if len(logs) > _LOGS_AT_ONCE:
        return await _scan_each(profile, first, last, settled_number, additions)
    profile.tally.logs += len(logs)
    parts = await additions.of(profile.store, logs)
    fresh: dict[int, list[Sums | None]] = {day: [] for day in kept}
    for log, part in zip(logs, parts, strict=True):
        if log.number <= settled_number:
            fresh.setdefault(log.date, []).append(part)
    return [day for day in sorted(fresh) if _judge(kept.get(day), _add_up(fresh[day])) is not None]


async def _scan_each(
    profile: CheckedProfile, first: int, last: int, settled_number: int, additions: _Additions
) -> list[int]:
    """The same for days with very many logs, one after the other."""
    found = []
    day = await checking.find_day_after(profile.store, profile.id, first - 1)
    while day is not None and day <= last:
        kept, fresh, logs = await _look(profile.store, profile.id, day, settled_number, additions)
        profile.tally.logs += logs
        if _judge(kept, fresh) is not None:
            found.append(day)
        day = await checking.find_day_after(profile.store, profile.id, day)
    return found


async def _look_again(
    statements: Statements, profile: CheckedProfile, day: int, additions: _Additions
) -> list[Finding]:
    state = await checking.find_settled_number(statements, profile.id)
    if state is None:
        return []
    timezone, settled_number = state
    kept, fresh, _ = await _look(statements, profile.id, day, settled_number, additions)
    kind = _judge(kept, fresh)
    if kind is None or fresh is None:
        return []
    if profile.repair:
        is_over = day != profile.today(timezone)
        await diary_days.save_day(statements, profile.id, day, fresh, is_over=is_over)
    return [profile.finding(kind, f"{from_day(day)}", *_describe(kept, fresh))]


async def _look(
    statements: Statements, profile_id: str, day: int, settled_number: int, additions: _Additions
) -> tuple[Row | None, Sums | None, int]:
    """What is kept of a day, what its settled logs add up to if that can be known, and how many logs there are."""
    kept = await checking.find_kept_day(statements, profile_id, day)
    fresh: Sums | None = Sums.nothing()
    count, after = 0, ""
    while logs := await checking.read_logs(statements, profile_id, day, after, _LOGS_AT_ONCE):
        settled = [log for log in logs if log.number <= settled_number]
        fresh = _add_up([fresh, *await additions.of(statements, settled)])
        count += len(logs)
        after = logs[-1].id
        if len(logs) < _LOGS_AT_ONCE:
            break
    return kept, fresh, count


def _add_up(parts: Sequence[Sums | None]) -> Sums | None:
    known = [part for part in parts if part is not None]
    return Sums.total(known) if len(known) == len(parts) else None


def _judge(kept: Row | None, fresh: Sums | None) -> Kind | None:
    """What is wrong with a day, if anything. One whose logs cannot be added up is not judged."""
    if fresh is None:
        return None
    if kept is None:
        return Kind.DAY_SUMS if fresh.entries else None
    sums = diary_days.find_sums(kept)
    if sums != fresh or not fresh.entries:
        return Kind.DAY_SUMS
    shown = kept[-1]
    # Today's has none, and a day that nobody has come back to may have none.
    if shown is None or shown == diary_days.show(sums) or _same_json(shown, diary_days.show(sums)):
        return None
    return Kind.DAY_SHOWN


def _same_json(one: bytes, other: bytes) -> bool:
    """Other releases may have had another order of the members."""
    try:
        return bool(msgspec.json.decode(b"{%b}" % one) == msgspec.json.decode(b"{%b}" % other))
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False


def _describe(kept: Row | None, fresh: Sums) -> tuple[str, str]:
    """The difference in words: the entries, or the first nutrient that differs."""
    right = f"{fresh.entries} entries" if fresh.entries else "nothing"
    if kept is None:
        return "nothing", right
    sums = diary_days.find_sums(kept)
    if sums is None:
        return "what cannot be read", right
    if sums.entries != fresh.entries:
        return f"{sums.entries} entries", right
    if sums == fresh:
        return "other sums as they are shown", "its own"
    try:
        before, after = (_flat(each) for each in (sums, fresh))
    except OverflowError:
        return "what cannot be read", right
    name = next((name for name in before | after if before.get(name) != after.get(name)), None)
    if name is None:
        return "other numbers of entries that know a nutrient", right
    return f"{name} {before.get(name, 'unknown')}", f"{name} {after.get(name, 'unknown')}"


def _flat(sums: Sums) -> dict[str, float]:
    return {name: value for members in sums.groups().values() for name, value in members.items()}
