"""The import of a profile that was exported: written in small steps, and there all at once or not at all.

Its rows are written under a new id before its own row in `profiles` is, so nobody can reach them. Meanwhile the id is
noted as a deleted profile's, at a time that lies ahead and is put off with every step. The last step adds the profile's
row and takes the note back. Whatever ends an import before that leaves a note whose time comes, and the cleaner does
the rest.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple, Protocol, TypeVar

from provender.model.custom_foods import CustomFood
from provender.model.errors import ReferenceIdTaken, StorageUnavailable
from provender.model.ids import new_id
from provender.model.portions import LoggedFood
from provender.model.profiles import Profile
from provender.model.saved_meals import SavedMeal
from provender.model.times import Clock, from_ms
from provender.services.recounting import count_eaten, sum_days
from provender.storage import custom_foods, diary, favorites, logged_foods, profiles, removal, saved_meals
from provender.storage.diary import StoredLog
from provender.storage.engine import Operation, Statements
from provender.storage.favorites import StoredFavorite
from provender.storage.logged_foods import StoredLoggedFood
from provender.storage.store import Store

T = TypeVar("T")

# So long after its last step an import counts as dead. A step takes milliseconds, and never more than the storage's own
# limits allow.
GIVEN_UP_AFTER = timedelta(minutes=10)


class SentFavorite(NamedTuple):
    food_id: str
    added_at: int


class SentLoggedFood(NamedTuple):
    """A food as it was logged, under the id that the logs of the same document refer to."""

    id: str
    food_id: str
    food: LoggedFood


class Source(Protocol):
    """What is to be imported, judged already: in parts that are small enough for one step each.

    All ids are those of the document. Logs come in the order in which they were made, favorites as they were added.
    """

    reference_id: str

    def profile(self, id_: str) -> Profile: ...
    def custom_foods(self) -> AsyncIterator[Sequence[CustomFood]]: ...
    def favorites(self) -> AsyncIterator[Sequence[SentFavorite]]: ...
    def saved_meals(self) -> AsyncIterator[Sequence[SavedMeal]]: ...
    def logged_foods(self) -> AsyncIterator[Sequence[SentLoggedFood]]: ...
    def logs(self) -> AsyncIterator[Sequence[StoredLog]]: ...


async def import_profile(store: Store, last_store: Store, source: Source, clock: Clock) -> Profile:
    """Write the profile with everything it has. The last of its transactions goes through a store of its own.

    The caller wakes the cleaner if this raises.
    """
    if await profiles.find_profile(store, source.reference_id) is not None:
        # Through that store: whoever has sent the same before, under the same key, gets its answer and no refusal.
        await last_store.transaction(_refuse)
    return await _Import(store, last_store, source, clock).run()


class _Import:
    def __init__(self, store: Store, last_store: Store, source: Source, clock: Clock) -> None:
        self._store = store
        self._last_store = last_store
        self._source = source
        self._clock = clock
        self._profile = source.profile(new_id(clock()))
        self._number = 0
        # From the ids of the document to new ones. Other ids stay: those of the catalogue, and of foods long gone.
        self._own: dict[str, str] = {}
        # The id of a food as it was logged is a hash of its content, so nearly always it is the document's own.
        self._rehashed: dict[tuple[str, str], str] = {}

    async def run(self) -> Profile:
        try:
            await removal.note_deleted(self._store, self._profile.id, self._clock() + GIVEN_UP_AFTER)
            await self._write_foods()
            await self._write_diary()
            return await self._finish()
        except BaseException:
            # Also when the request is cancelled. Where not even this can be written, the note's time comes by itself.
            with contextlib.suppress(StorageUnavailable):
                await removal.put_off(self._store, self._profile.id, self._clock())
            raise

    async def _write_foods(self) -> None:
        async for foods in self._source.custom_foods():
            renewed = [replace(food, id=new_id(self._clock())) for food in foods]
            self._own |= {food.id: new.id for food, new in zip(foods, renewed, strict=True)}
            await self._write(custom_foods.insert_foods, renewed)
        async for sent in self._source.favorites():
            added = [StoredFavorite(self._new(each.food_id), self._next(), each.added_at) for each in sent]
            await self._write(favorites.insert_favorites, added)
        async for meals in self._source.saved_meals():
            saved = [self._new_meal(meal) for meal in meals]
            await self._write(saved_meals.insert_meals, saved)

    async def _write_diary(self) -> None:
        async for foods in self._source.logged_foods():
            kept = [self._new_logged(food) for food in foods]
            await self._write(logged_foods.insert_logged_foods, kept)
        last: StoredLog | None = None
        async for sent in self._source.logs():
            logs = [self._new_log(log) for log in sent]
            await self._write(diary.insert_logs, logs)
            last = logs[-1]
        if last is None:
            return
        self._profile = replace(self._profile, last_logged_at=from_ms(last.created_at))
        async for write in sum_days(self._store, self._profile, self._clock()):
            await self._step(write)
        own = frozenset(self._own.values())
        async for write in count_eaten(self._store, self._profile, own, self._clock()):
            await self._step(write)

    async def _write(
        self, insert: Callable[[Statements, str, Sequence[T]], Awaitable[None]], rows: Sequence[T]
    ) -> None:
        await self._step(lambda statements: insert(statements, self._profile.id, rows))

    async def _step(self, write: Operation[None]) -> None:
        """Write some rows, if the import has not been given up meanwhile."""
        until = self._clock() + GIVEN_UP_AFTER

        async def step(statements: Statements) -> None:
            if not await removal.put_off(statements, self._profile.id, until):
                raise _given_up()
            await write(statements)

        await self._store.transaction(step)
        await asyncio.sleep(0)

    async def _finish(self) -> Profile:
        """The one transaction from which on there is a profile."""

        async def finish(statements: Statements) -> Profile:
            if not await removal.take_back(statements, self._profile.id):
                raise _given_up()
            if not await profiles.insert_profile(statements, self._profile, self._number):
                raise ReferenceIdTaken
            return self._profile

        return await self._last_store.transaction(finish)

    def _new(self, food_id: str) -> str:
        return self._own.get(food_id, food_id)

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _new_meal(self, meal: SavedMeal) -> SavedMeal:
        items = tuple(replace(item, food_id=self._new(item.food_id)) for item in meal.items)
        return replace(meal, id=new_id(self._clock()), items=items)

    def _new_logged(self, sent: SentLoggedFood) -> tuple[str, StoredLoggedFood]:
        stored = StoredLoggedFood.of(sent.food)
        if stored.id != sent.id:
            self._rehashed[sent.id, sent.food_id] = stored.id
        return self._new(sent.food_id), stored

    def _new_log(self, log: StoredLog) -> StoredLog:
        logged_food_id = self._rehashed.get((log.logged_food_id, log.food_id), log.logged_food_id)
        # Not _replace, which takes longer than all the rest.
        return StoredLog(
            log.date,
            new_id(self._clock()),
            self._next(),
            log.meal,
            self._new(log.food_id),
            log.is_custom,
            logged_food_id,
            *log[7:],
        )


async def _refuse(_statements: Statements) -> None:
    raise ReferenceIdTaken


def _given_up() -> StorageUnavailable:
    return StorageUnavailable("The import took so long between two steps that it was given up and cleared away.")
