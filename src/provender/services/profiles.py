"""Profiles: create, find, list, change, delete."""

from collections.abc import Awaitable
from datetime import datetime
from typing import TypeVar

from provender.model.diary import today
from provender.model.errors import InvalidCursor, ProfileNotFound, ReferenceIdTaken
from provender.model.ids import new_id
from provender.model.paging import Page, PageRequest
from provender.model.profiles import Profile
from provender.model.times import to_day
from provender.services.settling import lock_settled
from provender.storage import eaten, profiles, removal
from provender.storage.engine import Statements
from provender.storage.store import Store

T = TypeVar("T")


async def create_profile(store: Store, reference_id: str, timezone: str | None, now: datetime) -> Profile:
    profile = Profile(new_id(now), reference_id, timezone, created_at=now, updated_at=now)

    async def create(statements: Statements) -> Profile:
        if not await profiles.insert_profile(statements, profile):
            raise ReferenceIdTaken
        return profile

    return await store.statement(create)


async def get_profile(store: Store, reference_id: str) -> Profile:
    profile = await profiles.find_profile(store, reference_id)
    if profile is None:
        raise ProfileNotFound
    return profile


async def read_page(store: Store, reference_id: str, page: Awaitable[Page[T]]) -> Page[T]:
    """A page of what a profile has, read by its reference_id. Where nothing is found, there may be no such profile."""
    try:
        found = await page
    except InvalidCursor:
        await get_profile(store, reference_id)
        raise
    if not found.items:
        await get_profile(store, reference_id)
    return found


async def list_profiles(store: Store, request: PageRequest) -> Page[Profile]:
    return await profiles.list_profiles(store, request)


async def change_timezone(store: Store, reference_id: str, timezone: str | None, now: datetime) -> Profile:
    """Move the profile to a time zone. Days that are written stay as they are; which of them is today may change."""

    async def change(statements: Statements) -> Profile:
        # Settled while its today is what it was: rows that are written then are counted anew below, if they must be.
        before = await lock_settled(statements, reference_id, now)
        profile = await profiles.set_timezone(statements, reference_id, timezone, now)
        if before is None or profile is None:
            raise ProfileNotFound
        own_today = to_day(today(profile.timezone, now))
        if own_today < to_day(today(before.timezone, now)):
            # Counts are kept as of the last write, and put right for days that have come since, not for days before.
            rows = await eaten.read_all(statements, profile.id)
            await eaten.save_rows(statements, profile.id, [row for row in rows if row.days], own_today)
        return profile

    return await store.transaction(change)


async def delete_profile(store: Store, reference_id: str, now: datetime) -> str:
    """Delete the profile with everything it has, and return the id it had."""

    async def delete(statements: Statements) -> str:
        profile_id = await profiles.delete_profile(statements, reference_id)
        if profile_id is None:
            raise ProfileNotFound
        await removal.note_deleted(statements, profile_id, now)
        return profile_id

    return await store.transaction(delete)
