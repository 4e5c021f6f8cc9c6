"""The export of a profile: everything it has, read in pages, so that a long diary costs no more memory than a short.

It is what the profile has when it begins: logs and favorites that are added meanwhile are not in it. A food or a meal
that is changed meanwhile is in it as it was or as it is.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Any, TypeVar

from provender.model.errors import ProfileNotFound
from provender.model.profiles import Profile
from provender.model.saved_meals import SavedMeal
from provender.storage import custom_foods, diary, favorites, logged_foods, profiles, saved_meals
from provender.storage.diary import StoredLog
from provender.storage.favorites import StoredFavorite
from provender.storage.fragments import StoredFood
from provender.storage.logged_foods import StoredLoggedFood
from provender.storage.store import Store

T = TypeVar("T")

# A page of foods as they were logged has some 600 kB; reading it takes a few milliseconds.
PAGE = 200


class Export:
    """One profile, to be read list by list. Whoever has read the last one checks that it was there all the time."""

    def __init__(self, store: Store, profile: Profile, last_number: int) -> None:
        self.profile = profile
        self._store = store
        self._last_number = last_number

    async def check(self) -> None:
        """Raise if the profile was deleted meanwhile: its lists may have ended before their end."""
        if not await profiles.is_there(self._store, self.profile.id):
            raise ProfileNotFound

    def custom_foods(self) -> AsyncGenerator[Sequence[StoredFood]]:
        return self._pages(custom_foods.read_foods, "", lambda food: food.id)

    def favorites(self) -> AsyncGenerator[Sequence[StoredFavorite]]:
        return self._pages(favorites.read_added, 0, lambda favorite: favorite.place, self._last_number)

    def saved_meals(self) -> AsyncGenerator[Sequence[SavedMeal]]:
        return self._pages(saved_meals.read_meals, "", lambda meal: meal.id)

    def logged_foods(self) -> AsyncGenerator[Sequence[tuple[str, StoredLoggedFood]]]:
        return self._pages(logged_foods.read_logged_foods, ("", ""), lambda each: (each[1].id, each[0]))

    def logs(self) -> AsyncGenerator[Sequence[StoredLog]]:
        """The logs that were there when the export began; what they refer to was there then too, and is still."""
        return self._pages(diary.read_made, 0, lambda log: log.number, self._last_number)

    async def _pages(
        self,
        read: Callable[..., Awaitable[Sequence[T]]],
        after: Any,
        place: Callable[[T], Any],
        *limits: int,
    ) -> AsyncGenerator[Sequence[T]]:
        while page := await read(self._store, self.profile.id, after, *limits, PAGE):
            yield page
            after = place(page[-1])
            # SQLite is read within one turn of the event loop; others have theirs now.
            await asyncio.sleep(0)


async def begin_export(store: Store, reference_id: str) -> Export:
    found = await profiles.find_profile_and_number(store, reference_id)
    if found is None:
        raise ProfileNotFound
    return Export(store, *found)
