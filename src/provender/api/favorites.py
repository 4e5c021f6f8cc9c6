"""The endpoints of favorite foods."""

from dataclasses import dataclass
from typing import Annotated

from provender.api import render
from provender.api.answers import Answer
from provender.api.foods import ListedFoodParameters
from provender.api.kinds import REFERENCE_ID, Text
from provender.api.lists import ListParameters
from provender.api.render import Created, Deleted, FoodPage
from provender.api.routing import Call, Route
from provender.model.access import Scope
from provender.model.errors import (
    CatalogueUnavailable,
    Fault,
    FoodNotFound,
    InvalidCursor,
    InvalidParameters,
    ProfileNotFound,
)
from provender.services import favorites

_OWNER = "The `reference_id` of the profile whose favorites are meant."


@dataclass(frozen=True, kw_only=True)
class FavoriteList(ListParameters, ListedFoodParameters):
    profile_reference_id: Annotated[str, REFERENCE_ID, _OWNER]


@dataclass(frozen=True, kw_only=True)
class NewFavorite:
    profile_reference_id: Annotated[str, REFERENCE_ID, _OWNER]
    # The public client library of this interface sends it.
    _id: Annotated[str | None, Text(), "The food's `_id` once more. It need not be sent."] = None

    def check(self, food_id: str) -> None:
        if self._id not in (None, food_id):
            raise InvalidParameters(
                [Fault("_id", "not_allowed", "must be the food's _id of the path, or not be sent.")]
            )


@dataclass(frozen=True, kw_only=True)
class FavoriteOwner:
    profile_reference_id: Annotated[str, REFERENCE_ID, _OWNER]


async def list_favorites(call: Call[FavoriteList]) -> Answer:
    asked = call.parameters
    page = await favorites.list_favorites(
        call.services.catalogue,
        call.store,
        asked.profile_reference_id,
        asked.page,
        call.now,
        include=asked.include,
    )
    return render.food_page(page)


async def add_favorite(call: Call[NewFavorite]) -> Answer:
    [food_id] = call.path
    call.parameters.check(food_id)
    owner = call.parameters.profile_reference_id

    def answer(is_new: bool) -> Answer:
        return render.created(food_id, status=201 if is_new else 200)

    store = call.store_once([owner], answer)
    return answer(await favorites.add_favorite(call.services.catalogue, store, owner, food_id, call.now))


async def remove_favorite(call: Call[FavoriteOwner]) -> Answer:
    [food_id] = call.path
    await favorites.remove_favorite(
        call.services.catalogue, call.store, call.parameters.profile_reference_id, food_id, call.now
    )
    return render.deleted(food_id)


ROUTES = (
    Route(
        method="GET",
        path="/v1/foods/favorites",
        handler=list_favorites,
        summary="List a profile's favorite foods",
        description="Last added first. A favorite whose food is not in the catalogue now is left out, and comes back "
        "with the food. One that was removed works as a cursor for 24 hours more.",
        tag="Favorites",
        scope=Scope.READ,
        parameters=FavoriteList,
        answers={200: FoodPage},
        errors=(InvalidCursor, ProfileNotFound, CatalogueUnavailable),
    ),
    Route(
        method="POST",
        path="/v1/foods/favorites/{food_id}",
        handler=add_favorite,
        summary="Add a favorite food",
        description="A food of the catalogue, or a custom food of this profile. One that is a favorite already keeps "
        "its place; the answer is then 200.",
        tag="Favorites",
        scope=Scope.WRITE,
        parameters=NewFavorite,
        answers={200: Created, 201: Created},
        errors=(FoodNotFound, ProfileNotFound, CatalogueUnavailable),
    ),
    Route(
        method="DELETE",
        path="/v1/foods/favorites/{food_id}",
        handler=remove_favorite,
        summary="Remove a favorite food",
        description="The answer is the same for a food that is no favorite.",
        tag="Favorites",
        scope=Scope.WRITE,
        parameters=FavoriteOwner,
        answers={200: Deleted},
        errors=(FoodNotFound, ProfileNotFound, CatalogueUnavailable),
    ),
)
