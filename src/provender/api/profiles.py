"""The endpoints of profiles."""

from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from provender.api import render
from provender.api.answers import Answer
from provender.api.kinds import REFERENCE_ID, Timezone, Unfit
from provender.api.lists import ListParameters
from provender.api.parameters import NULLABLE, NoParameters
from provender.api.render import Deleted, ProfileAnswer, ProfilePage
from provender.api.routing import Call, Route
from provender.model.access import Scope
from provender.model.errors import InvalidCursor, ProfileNotFound, ReferenceIdTaken
from provender.model.profiles import Profile
from provender.services import profiles

_TIMEZONE = "The IANA name of the user's time zone; it decides when a day and a month begin. UTC if it is not set."


@dataclass(frozen=True, kw_only=True)
class NewProfile:
    reference_id: Annotated[str, REFERENCE_ID, "Your own id of this user, unique within your application."]
    timezone: Annotated[str | None, Timezone(), _TIMEZONE, NULLABLE] = None


@dataclass(frozen=True, kw_only=True)
class ProfileChange:
    timezone: Annotated[str | UnsetType | None, Timezone(), _TIMEZONE, NULLABLE] = UNSET


def named(call: Call[Any]) -> str:
    """The reference_id of the path. What cannot be one names no profile, and some of it no database would take."""
    try:
        return REFERENCE_ID.from_text(call.path[0])
    except Unfit:
        raise ProfileNotFound from None


async def list_profiles(call: Call[ListParameters]) -> Answer:
    page = await profiles.list_profiles(call.store, call.parameters.page)
    return render.profile_page(page, call.now)


async def create_profile(call: Call[NewProfile]) -> Answer:
    new = call.parameters

    def answer(profile: Profile) -> Answer:
        return render.profile(profile, call.now, status=201)

    store = call.store_once([new.reference_id], answer)
    return answer(await profiles.create_profile(store, new.reference_id, new.timezone, call.now))


async def retrieve_profile(call: Call[NoParameters]) -> Answer:
    return render.profile(await profiles.get_profile(call.store, named(call)), call.now)


async def change_profile(call: Call[ProfileChange]) -> Answer:
    timezone = call.parameters.timezone
    if timezone is UNSET:
        profile = await profiles.get_profile(call.store, named(call))
    else:
        profile = await profiles.change_timezone(call.store, named(call), timezone, call.now)
    return render.profile(profile, call.now)


async def delete_profile(call: Call[NoParameters]) -> Answer:
    profile_id = await profiles.delete_profile(call.store, named(call), call.now)
    call.services.cleaner.wake()
    return render.deleted(profile_id)


ROUTES = (
    Route(
        method="GET",
        path="/v1/profiles",
        handler=list_profiles,
        summary="List all profiles",
        description="Newest first.",
        tag="Profiles",
        scope=Scope.READ,
        parameters=ListParameters,
        answers={200: ProfilePage},
        errors=(InvalidCursor,),
    ),
    Route(
        method="POST",
        path="/v1/profiles",
        handler=create_profile,
        summary="Create a profile",
        description="One for each of your users. Everything else that a user has belongs to a profile.",
        tag="Profiles",
        scope=Scope.WRITE,
        parameters=NewProfile,
        answers={201: ProfileAnswer},
        errors=(ReferenceIdTaken,),
    ),
    Route(
        method="GET",
        path="/v1/profiles/{reference_id}",
        handler=retrieve_profile,
        summary="Retrieve a profile",
        description="`is_active` says whether it has logged something in the current month of its time zone.",
        tag="Profiles",
        scope=Scope.READ,
        answers={200: ProfileAnswer},
        errors=(ProfileNotFound,),
    ),
    Route(
        method="PATCH",
        path="/v1/profiles/{reference_id}",
        handler=change_profile,
        summary="Change a profile",
        description="Only what is sent is changed. Diary days that are written already stay as they are.",
        tag="Profiles",
        scope=Scope.WRITE,
        parameters=ProfileChange,
        answers={200: ProfileAnswer},
        errors=(ProfileNotFound,),
    ),
    Route(
        method="DELETE",
        path="/v1/profiles/{reference_id}",
        handler=delete_profile,
        summary="Delete a profile",
        description="With it go its food diary logs, custom foods, saved meals and favorites, at once and for good.",
        tag="Profiles",
        scope=Scope.WRITE,
        answers={200: Deleted},
        errors=(ProfileNotFound,),
    ),
)
