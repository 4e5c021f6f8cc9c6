"""The document of an import, judged as strictly as if all of it had come through the API, and then given away in parts.

It is read three times: once to find where its lists are, since they may come in any order; once to find its faults; and
once more to be written. What is kept in memory of it are the ids of foods, and of each log twenty bytes.
"""

import asyncio
import math
import time
from array import array
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from provender.api.documents import Document
from provender.api.faults import Faults
from provender.api.forms import read_json_object, shown
from provender.api.reader import Reader
from provender.api.sent_logs import Ids, QuickLog, day_of, decode_log, ratio_of, read_quickly
from provender.api.sent_profile import SentCustomFood, SentFavorite, SentLog, SentLoggedFood, SentMeal
from provender.api.sent_profile import SentProfile as Declaration
from provender.api.sent_things import custom_food, logged_food, nutrients, quantity_of, saved_meal
from provender.api.spool import Spool
from provender.model.custom_foods import CustomFood
from provender.model.decimals import times, to_billionths
from provender.model.diary import latest, today
from provender.model.errors import InvalidBody, InvalidRequest
from provender.model.export_format import ITEMS_MAX
from provender.model.foods import for_reading
from provender.model.portions import for_weighing
from provender.model.profiles import Profile
from provender.model.saved_meals import SavedMeal
from provender.model.sums import LARGEST
from provender.model.times import from_ms, to_day, to_ms
from provender.services import profile_imports
from provender.services.portions import day_fault
from provender.storage.diary import StoredLog

T = TypeVar("T")

READER = Reader(Declaration, "the document")

# So long the event loop is kept at most before others have their turn.
_TURN_S = 0.001

_AHEAD = timedelta(days=1)

# So many of each are written in one step. Other writers wait for it, on SQLite some 5 ms.
_FOODS_AT_ONCE = 20
_ROWS_AT_ONCE = 200


async def in_turns(items: Iterable[T]) -> AsyncGenerator[T]:
    """The items, with turns for others in between; what is done with them counts as well."""
    began = time.perf_counter()
    for item in items:
        yield item
        if time.perf_counter() - began > _TURN_S:
            await asyncio.sleep(0)
            began = time.perf_counter()


class SentProfile:
    """A document on its way into the storage. `judge` comes first."""

    def __init__(self, spool: Spool, reference_id: str | None, now: datetime) -> None:
        self._document = Document(spool.read)
        self.reference_id = reference_id or ""
        self._now = now
        self._latest_time = to_ms(now + _AHEAD)
        self._faults = Faults()
        self._starts: dict[str, int] = {}
        self._own: set[str] = set()
        # Of the foods as they were logged: their places by both ids, and at these places what logs need of them.
        self._logged: dict[str, int] = {}
        self._serving_amounts = array("d")
        self._largest_values: list[int] = []
        self._used = bytearray()

    async def judge(self) -> None:
        """Raise with everything that is wrong with it."""
        self._head = await self._read_head()
        self._own_today = today(None if self._head is None else self._head.timezone, self._now)
        self._last_day = latest(self._own_today)
        await self._judge("custom_foods", self._judge_food)
        await self._judge("favorites", self._judge_favorite(set()))
        await self._judge("saved_meals", self._judge_meal(set()))
        await self._judge("logged_foods", self._judge_logged_food)
        ids = Ids()
        await self._judge("diary_logs", self._judge_log(ids), read_quickly)
        async for place in in_turns(ids.repeated()):
            if place is not None:
                self._faults.within(f"diary_logs[{place}]").add("_id", *_DUPLICATE)
        self._faults.raise_any()

    async def _read_head(self) -> Declaration | None:
        """The members that are no lists, and where the lists begin."""
        members: dict[str, Any] = {}
        async for member in in_turns(self._document.members()):
            if member is None:
                continue
            if member.name in members:
                raise InvalidBody(f"The body has the name {shown(member.name)} more than once. Send each name once.")
            members[member.name] = None
            if member.name not in READER.parameters:
                continue
            if member.value is not None:
                members[member.name] = _decode(member.name, member.value)
            else:
                # To the reader it is an empty list: its items are read one by one.
                members[member.name] = []
                if member.name in READER.items:
                    self._starts[member.name] = member.start
        head = READER.read_item(members, self._faults)
        if "format" in self._faults.faulty():
            # What the members of another form mean is not known.
            self._faults.raise_any()
        if head is not None:
            self._check_times(self._faults, head, "created_at", "updated_at")
            self.reference_id = self.reference_id or head.reference_id
        return head

    async def _judge(
        self,
        name: str,
        judge: Callable[[Any, int, Faults], None],
        read_quickly: Callable[[bytes], object | None] = lambda _: None,
    ) -> None:
        reader = READER.items[name]
        async for place, raw in in_turns(enumerate(self._items(name))):
            if place >= ITEMS_MAX:
                self._faults.add(name, "too_many", f"must have at most {ITEMS_MAX} items.")
                self._faults.raise_any()
            faults = self._faults.within(f"{name}[{place}]")
            if not raw.startswith(b"{"):
                self._faults.add(f"{name}[{place}]", "wrong_type", "must be an object.")
                continue
            item = read_quickly(raw) or reader.read_item(_members(name, place, raw), faults)
            if item is not None:
                judge(item, place, faults)

    def _judge_food(self, food: SentCustomFood, _place: int, faults: Faults) -> None:
        if food.id in self._own:
            faults.add("_id", *_DUPLICATE)
        self._own.add(food.id)
        self._check_times(faults, food, "created_at", "updated_at")

    def _judge_favorite(self, seen: set[str]) -> Callable[[SentFavorite, int, Faults], None]:
        def judge(favorite: SentFavorite, _place: int, faults: Faults) -> None:
            if favorite.food_id in seen:
                faults.add("food_id", *_DUPLICATE)
            seen.add(favorite.food_id)
            self._check_times(faults, favorite, "added_at")

        return judge

    def _judge_meal(self, seen: set[str]) -> Callable[[SentMeal, int, Faults], None]:
        def judge(meal: SentMeal, _place: int, faults: Faults) -> None:
            if meal.id in seen:
                faults.add("_id", *_DUPLICATE)
            seen.add(meal.id)
            for number, item in enumerate(meal.items):
                self._check_custom(faults.within(f"items[{number}]"), item.food_id, is_custom=item.is_custom)
            self._check_times(faults, meal, "created_at", "updated_at")

        return judge

    def _judge_logged_food(self, food: SentLoggedFood, _place: int, faults: Faults) -> None:
        key = food.id + food.food_id
        if key in self._logged:
            faults.add("_id", *_DUPLICATE)
        self._logged[key] = len(self._used)
        self._serving_amounts.append(food.metric_serving_amount)
        largest = max((value for members in nutrients(food).values() for value in members.values()), default=0.0)
        if food.is_rounded:
            # Rounding may add to it, and keeps it the largest.
            largest = max(largest, for_reading(largest), for_weighing(largest))
        self._largest_values.append(to_billionths(largest))
        self._used.append(False)

    def _judge_log(self, ids: Ids) -> Callable[[SentLog | QuickLog, int, Faults], None]:
        def judge(log: SentLog | QuickLog, place: int, faults: Faults) -> None:
            ids.add(log.id, place)
            self._check_custom(faults, log.food_id, is_custom=log.is_custom)
            self._check_times(faults, log, "created_at", "updated_at")
            day = log.date if isinstance(log, SentLog) else day_of(log.date)
            if day > self._last_day and (fault := day_fault("date", day, self._own_today)) is not None:
                faults.add(fault.param, fault.code, fault.message)
            found = self._logged.get(log.logged_food_id + log.food_id)
            if found is None:
                faults.add("logged_food_id", "not_found", "is none of logged_foods, or of another food_id.")
                return
            self._used[found] = True
            self._check_amount(faults, log, found)

        return judge

    def _check_amount(self, faults: Faults, log: SentLog | QuickLog, place: int) -> None:
        amount = self._serving_amounts[place]
        quantity = quantity_of(log.number_of_servings, log.metric_amount, amount)
        if (
            not math.isfinite(quantity.number_of_servings)
            or self._largest_values[place] > LARGEST
            or times(self._largest_values[place], ratio_of(quantity, amount)) > LARGEST
        ):
            name = "number_of_servings" if quantity.metric_amount is None else "metric_amount"
            faults.add(name, "out_of_range", "is so much that the food's values cannot be counted any more.")

    def _check_custom(self, faults: Faults, food_id: str, *, is_custom: bool) -> None:
        if not is_custom and food_id in self._own:
            faults.add("is_custom", "not_combinable", "must be true, because the food is one of custom_foods.")

    def _check_times(self, faults: Faults, item: object, *names: str) -> None:
        for name in names:
            if getattr(item, name) > self._latest_time:
                faults.add(name, "out_of_range", "must not lie more than a day ahead.")

    def profile(self, id_: str) -> Profile:
        head = self._judged
        return Profile(
            id_,
            self.reference_id,
            head.timezone,
            created_at=from_ms(head.created_at),
            updated_at=from_ms(head.updated_at),
        )

    async def custom_foods(self) -> AsyncGenerator[Sequence[CustomFood]]:
        async for part in _parts(map(custom_food, self._again("custom_foods")), _FOODS_AT_ONCE):
            yield part

    async def favorites(self) -> AsyncGenerator[Sequence[profile_imports.SentFavorite]]:
        sent = (profile_imports.SentFavorite(each.food_id, each.added_at) for each in self._again("favorites"))
        async for part in _parts(sent, _ROWS_AT_ONCE):
            yield part

    async def saved_meals(self) -> AsyncGenerator[Sequence[SavedMeal]]:
        async for part in _parts(map(saved_meal, self._again("saved_meals")), _FOODS_AT_ONCE):
            yield part

    async def logged_foods(self) -> AsyncGenerator[Sequence[profile_imports.SentLoggedFood]]:
        """Those that some log uses. Of an export that was made while logs were deleted, others may be left."""
        used = (food for food in self._again("logged_foods") if self._used[self._logged[food.id + food.food_id]])
        async for part in _parts(map(logged_food, used), _FOODS_AT_ONCE):
            yield part

    async def logs(self) -> AsyncGenerator[Sequence[StoredLog]]:
        async for part in _parts(map(self._log, self._items("diary_logs")), _ROWS_AT_ONCE):
            yield part

    def _log(self, raw: bytes) -> StoredLog:
        log = decode_log(raw)
        amount = self._serving_amounts[self._logged[log.logged_food_id + log.food_id]]
        quantity = quantity_of(log.number_of_servings, log.metric_amount, amount)
        return StoredLog(
            date=to_day(day_of(log.date)),
            id="",
            number=0,
            meal=log.meal,
            food_id=log.food_id,
            is_custom=int(log.is_custom),
            logged_food_id=log.logged_food_id,
            number_of_servings=quantity.number_of_servings,
            metric_amount=quantity.metric_amount,
            note=None if log.note is UNSET else log.note,
            created_at=log.created_at,
            updated_at=log.updated_at,
        )

    @property
    def _judged(self) -> Declaration:
        if self._head is None:
            raise RuntimeError("A document that has faults is not imported.")
        return self._head

    def _items(self, name: str) -> Iterator[bytes]:
        start = self._starts.get(name)
        return iter(()) if start is None else self._document.items(start)

    def _again(self, name: str) -> Iterator[Any]:
        """The items of a list that was judged already."""
        reader = READER.items[name]
        return (reader.read_item(msgspec.json.decode(raw), Faults()) for raw in self._items(name))


_DUPLICATE = ("duplicate", "is there more than once.")


async def _parts(items: Iterator[T], count: int) -> AsyncGenerator[Sequence[T]]:
    part: list[T] = []
    async for item in in_turns(items):
        part.append(item)
        if len(part) == count:
            yield part
            part = []
    if part:
        yield part


def _decode(name: str, raw: bytes) -> object:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InvalidBody(f"The body is not JSON: the value of {shown(name)} cannot be read.") from None


def _members(name: str, place: int, raw: bytes) -> dict[str, Any]:
    try:
        return read_json_object(raw)
    except InvalidRequest as error:
        raise type(error)(f"{name}[{place}]: {error.detail}") from None
