"""A profile's own row against its logs, and rows that nothing is counted in: foods as logged, custom foods, meals."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple, TypeVar

import msgspec

from provender.model.checking import Finding, Kind
from provender.model.custom_foods import CustomFood
from provender.model.times import from_day, from_ms
from provender.services.checked_profile import CheckedProfile
from provender.services.settling import MOST_UNSETTLED
from provender.storage import checking, custom_foods, logged_foods
from provender.storage.checking import State
from provender.storage.engine import Statements
from provender.storage.fragments import StoredFood

T = TypeVar("T")

_FOODS_AT_ONCE = 200
_FINDINGS_AT_ONCE = 200

# Dates and ids before and after all that are given.
_BEFORE_ALL = -(10**9)
_AFTER_ALL = "\U0010ffff"


class _Right(NamedTuple):
    """What a profile's row should say."""

    last_number: int
    unsettled: int
    settled_number: int
    last_logged_at: int | None


async def check_row(profile: CheckedProfile) -> AsyncGenerator[Finding]:
    """What the profile's row says of its logs. It is read by one statement, so nobody's write can come in between."""
    for table, count in (await checking.count_of_others(profile.store, profile.id)).items():
        if profile.repair:
            await profile.alone(partial(checking.take_over, profile_id=profile.id, table=table), lambda: None)
        yield profile.finding(Kind.WRONG_APPLICATION, f"{count} rows of {table}")
    state = await checking.find_state(profile.store, profile.id)
    if state is not None and _judge(state) != _say(state):
        for finding in await profile.alone(partial(_look_again, profile=profile), list[Finding]):
            yield finding


async def _look_again(statements: Statements, profile: CheckedProfile) -> list[Finding]:
    state = await checking.find_state(statements, profile.id)
    if state is None:
        return []
    says, right = _say(state), _judge(state)
    if profile.repair and says != right:
        await checking.save_state(statements, profile.id, **right._asdict())
    found = []
    if says.last_number != right.last_number:
        found.append(profile.finding(Kind.LAST_NUMBER, "the profile", f"{says.last_number}", f"{right.last_number}"))
    if (says.unsettled, says.settled_number) != (right.unsettled, right.settled_number):
        kept, fresh = (f"{each.unsettled} logs after number {each.settled_number}" for each in (says, right))
        found.append(profile.finding(Kind.UNSETTLED, "the profile", kept, fresh))
    if says.last_logged_at != right.last_logged_at:
        kept, fresh = (_time(each.last_logged_at) for each in (says, right))
        found.append(profile.finding(Kind.LAST_LOGGED_AT, "the profile", kept, fresh))
    return found


def _say(state: State) -> _Right:
    return _Right(state.last_number, state.unsettled, state.settled_number, state.last_logged_at)


def _judge(state: State) -> _Right:
    """Where what is settled cannot be so, all of it counts as settled: days and foods are then held against that."""
    last_number = max(state.last_number, state.newest_number or 0, state.newest_place or 0)
    can_be = state.settled_number <= last_number and state.owed < MOST_UNSETTLED
    unsettled, settled_number = (state.owed, state.settled_number) if can_be else (0, last_number)
    return _Right(last_number, unsettled, settled_number, state.newest_at)


def _time(milliseconds: int | None) -> str:
    if milliseconds is None:
        return "never"
    try:
        time: datetime = from_ms(milliseconds)
    except OverflowError:
        return f"{milliseconds} ms"
    return time.isoformat(timespec="milliseconds")


async def check_logged_foods(profile: CheckedProfile) -> AsyncGenerator[Finding]:
    """Logs and foods as they were logged: each needs the other. An id is a hash, so it tells what it was made of."""
    async for date, log_id, food_id in _pages(profile, checking.LOGS_WITHOUT_FOOD, (_BEFORE_ALL, "")):
        yield profile.finding(Kind.LOG_WITHOUT_FOOD, f"log {log_id} of {from_day(date)}, food {food_id}")
    async for date, log_id, meal in _pages(profile, checking.ODD_LOGS, (_BEFORE_ALL, "")):
        yield profile.finding(Kind.ROW_UNREADABLE, f"log {log_id} of {from_day(date)}", f"the meal {meal!r}")
    async for id_, food_id in _pages(profile, checking.UNUSED_FOODS, ("", "")):
        if profile.clear_unused:
            delete = partial(logged_foods.delete_unused, profile_id=profile.id, id_=id_, food_id=food_id)
            await profile.alone(delete, lambda: None)
        what = f"{id_} of food {food_id}"
        yield profile.finding(Kind.LOGGED_FOOD_UNUSED, what, is_mended=profile.clear_unused)
    read: Callable[..., Awaitable[Sequence[Any]]] = logged_foods.read_logged_foods
    async for food_id, food in _all(profile, read, ("", ""), lambda each: (each[1].id, each[0])):
        fault = None
        try:
            if food.content_id() != food.id:
                fault = "another content"
        except UnicodeDecodeError:
            fault = "what cannot be read"
        if fault is not None:
            yield profile.finding(Kind.LOGGED_FOOD_CHANGED, f"{food.id} of food {food_id}", fault)


async def check_custom_foods(profile: CheckedProfile) -> AsyncGenerator[Finding]:
    """Whether custom foods can be read, and whether their words are those of their names."""
    after, last = "", ""
    while last != _AFTER_ALL:
        foods = await custom_foods.read_foods(profile.store, profile.id, after, _FOODS_AT_ONCE)
        last = foods[-1].id if len(foods) == _FOODS_AT_ONCE else _AFTER_ALL
        words = await checking.read_words(profile.store, profile.id, after, last)
        profile.tally.custom_foods += len(foods)
        for stored in foods:
            food, fault = _read(stored)
            if food is None:
                words.pop(stored.id, None)
                yield profile.finding(Kind.ROW_UNREADABLE, f"custom food {stored.id}", fault)
            elif words.pop(food.id, set()) != custom_foods.words_of(food):
                for finding in await _look_at_words(profile, food.id):
                    yield finding
        for food_id in words:
            for finding in await _look_at_words(profile, food_id):
                yield finding
        after = last


async def _look_at_words(profile: CheckedProfile, food_id: str) -> list[Finding]:
    async def look_again(statements: Statements) -> list[Finding]:
        # Whoever changes a food has locked it, and not its profile alone.
        stored = await custom_foods.lock_food(statements, profile.id, food_id)
        if stored is None:
            kept = await checking.find_words_of_none(statements, profile.id, food_id)
            if kept and profile.repair:
                await custom_foods.delete_words(statements, profile.id, food_id)
            return [_words(profile, food_id, kept, set())] if kept else []
        food, _ = _read(stored)
        kept = await checking.find_words(statements, profile.id, food_id)
        if food is None or kept == custom_foods.words_of(food):
            return []
        if profile.repair:
            await custom_foods.write_words(statements, profile.id, food)
        return [_words(profile, food_id, kept, custom_foods.words_of(food))]

    return await profile.alone(look_again, list[Finding])


def _words(profile: CheckedProfile, food_id: str, kept: set[str], right: set[str]) -> Finding:
    listed = (" ".join(sorted(words)) or "nothing" for words in (kept, right))
    return profile.finding(Kind.CUSTOM_FOOD_WORDS, f"custom food {food_id}", *listed)


def _read(stored: StoredFood) -> tuple[CustomFood | None, str | None]:
    """The food, or what of it cannot be read."""
    try:
        return stored.food(), None
    except (ValueError, OverflowError, msgspec.MsgspecError) as error:
        return None, str(error)


async def check_meals(profile: CheckedProfile) -> AsyncGenerator[Finding]:
    async for meal_id, fault in _all(profile, checking.read_meal_faults, "", lambda each: each[0]):
        if fault is not None:
            yield profile.finding(Kind.ROW_UNREADABLE, f"saved meal {meal_id}", fault)


async def _pages(profile: CheckedProfile, sql: str, after: tuple[Any, ...]) -> AsyncGenerator[Sequence[Any]]:
    """The rows that a statement finds, whose first columns are their order."""
    while rows := await profile.store.all(sql, profile.id, *after, _FINDINGS_AT_ONCE):
        for row in rows:
            yield row
        after = tuple(rows[-1][: len(after)])


async def _all(
    profile: CheckedProfile,
    read: Callable[..., Awaitable[Sequence[T]]],
    after: Any,
    place: Callable[[T], Any],
) -> AsyncGenerator[T]:
    while page := await read(profile.store, profile.id, after, _FOODS_AT_ONCE):
        for each in page:
            yield each
        after = place(page[-1])
