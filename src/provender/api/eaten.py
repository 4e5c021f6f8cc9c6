"""The endpoints of what a profile has eaten recently, and eats most."""

from dataclasses import dataclass
from typing import Annotated

from provender.api import render
from provender.api.answers import Answer
from provender.api.diary import MEAL
from provender.api.foods import ListedFoodParameters
from provender.api.kinds import REFERENCE_ID
from provender.api.lists import ListParameters
from provender.api.render import FoodPage
from provender.api.routing import Call, Route
from provender.model.access import Scope
from provender.model.diary import Meal
from provender.model.errors import CatalogueUnavailable, InvalidCursor, ProfileNotFound
from provender.services import eaten


@dataclass(frozen=True, kw_only=True)
class EatenList(ListParameters, ListedFoodParameters):
    profile_reference_id: Annotated[str, REFERENCE_ID, "The `reference_id` of the profile whose foods to list."]
    meal: Annotated[str | None, MEAL, "The only meal whose logs count."] = None

    @property
    def of_meal(self) -> Meal | None:
        return None if self.meal is None else Meal(self.meal)


async def list_recently_eaten(call: Call[EatenList]) -> Answer:
    asked = call.parameters
    page = await eaten.list_recently_eaten(
        call.services.catalogue,
        call.store,
        asked.profile_reference_id,
        asked.page,
        call.now,
        meal=asked.of_meal,
        include=asked.include,
    )
    return render.food_page(page)


async def list_most_eaten(call: Call[EatenList]) -> Answer:
    asked = call.parameters
    page = await eaten.list_most_eaten(
        call.services.catalogue,
        call.store,
        asked.profile_reference_id,
        asked.page,
        call.now,
        meal=asked.of_meal,
        include=asked.include,
    )
    return render.food_page(page)


_NOW = "A food that is not in the catalogue now is left out. A cursor means its food's present place."

ROUTES = (
    Route(
        method="GET",
        path="/v1/foods/recently-eaten",
        handler=list_recently_eaten,
        summary="List recently eaten foods",
        description=f"The foods that the profile has logged, last logged first. {_NOW}",
        tag="Eaten foods",
        scope=Scope.READ,
        parameters=EatenList,
        answers={200: FoodPage},
        errors=(InvalidCursor, ProfileNotFound, CatalogueUnavailable),
    ),
    Route(
        method="GET",
        path="/v1/foods/most-eaten",
        handler=list_most_eaten,
        summary="List most eaten foods",
        description="By the number of logs of the past 30 days, by the profile's own calendar, then last logged first. "
        f"{_NOW}",
        tag="Eaten foods",
        scope=Scope.READ,
        parameters=EatenList,
        answers={200: FoodPage},
        errors=(InvalidCursor, ProfileNotFound, CatalogueUnavailable),
    ),
)
