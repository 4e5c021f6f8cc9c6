"""The endpoint that searches for foods."""

from dataclasses import dataclass
from typing import Annotated

from provender.api import render
from provender.api.answers import Answer
from provender.api.foods import FoodParameters
from provender.api.kinds import REFERENCE_ID, Choice, Query
from provender.api.lists import ListParameters
from provender.api.render import FoodPage
from provender.api.routing import Call, Route
from provender.model.access import Scope
from provender.model.errors import CatalogueUnavailable, InvalidCursor, ProfileNotFound
from provender.model.foods import FoodType
from provender.services import search


@dataclass(frozen=True, kw_only=True)
class SearchParameters(ListParameters, FoodParameters):
    query: Annotated[str, Query(), "What the user typed. The last word may be unfinished."]
    food_type: Annotated[str | None, Choice(tuple(FoodType)), "Only foods of this type."] = None
    profile_reference_id: Annotated[
        str | None, REFERENCE_ID, "The `reference_id` of a profile, whose own custom foods that match go first."
    ] = None


async def search_foods(call: Call[SearchParameters]) -> Answer:
    asked = call.parameters
    page = await search.search_foods(
        call.services.catalogue,
        call.store,
        asked.query,
        asked.page,
        include=asked.include,
        food_type=None if asked.food_type is None else FoodType(asked.food_type),
        reference_id=asked.profile_reference_id,
    )
    return render.food_page(page)


ROUTES = (
    Route(
        method="GET",
        path="/v1/foods/search",
        handler=search_foods,
        summary="Search foods",
        description="The likeliest food first: plain foods before brands', the common form before odd ones. Words may "
        "come in any order, in singular or plural, and with a mistake or two. A query without any letter or digit "
        "finds nothing.",
        tag="Foods",
        scope=Scope.READ,
        parameters=SearchParameters,
        answers={200: FoodPage},
        errors=(InvalidCursor, ProfileNotFound, CatalogueUnavailable),
    ),
)
