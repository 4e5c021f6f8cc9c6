"""Things as they look on the wire. Milliseconds and `_id` exist here and nowhere further in."""

from datetime import datetime

import msgspec

from provender.api.answers import Answer
from provender.model.paging import Page
from provender.model.profiles import Profile
from provender.model.times import to_ms

_encode = msgspec.json.Encoder().encode


class ProfileItem(msgspec.Struct):
    """A profile as the list shows it."""

    id: str = msgspec.field(name="_id")
    reference_id: str
    is_active: bool


class ProfileAnswer(msgspec.Struct):
    """A profile. Times are milliseconds since 1970."""

    id: str = msgspec.field(name="_id")
    reference_id: str
    is_active: bool
    created_at: int
    updated_at: int
    timezone: str | None


class ProfilePage(msgspec.Struct):
    """A page of the profile list."""

    has_more: bool
    data: list[ProfileItem]


class Deleted(msgspec.Struct):
    """What was deleted."""

    id: str = msgspec.field(name="_id")
    deleted: bool


def profile(item: Profile, now: datetime, status: int = 200) -> Answer:
    answer = ProfileAnswer(
        item.id,
        item.reference_id,
        item.is_active(now),
        to_ms(item.created_at),
        to_ms(item.updated_at),
        item.timezone,
    )
    return Answer(_encode(answer), status)


def profile_page(page: Page[Profile], now: datetime) -> Answer:
    data = [ProfileItem(item.id, item.reference_id, item.is_active(now)) for item in page.items]
    return Answer(_encode(ProfilePage(page.has_more, data)))


def deleted(id_: str) -> Answer:
    return Answer(_encode(Deleted(id_, deleted=True)))
