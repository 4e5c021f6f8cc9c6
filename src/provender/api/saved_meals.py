"""The endpoints of saved meals."""

from dataclasses import dataclass
from datetime import date as Day  # noqa: N812 - The parameter is called date.
from typing import Annotated

from msgspec import UNSET, UnsetType

from provender.api import render, render_meals
from provender.api.answers import Answer
from provender.api.diary import MEAL, SERVINGS, WRITTEN_DATE
from provender.api.kinds import REFERENCE_ID, Flag, Items, Text
from provender.api.lists import ListParameters
from provender.api.parameters import NULLABLE
from provender.api.render import Created, Deleted
from provender.api.render_meals import LoggedMealAnswer, MealAnswer, MealPage
from provender.api.routing import Call, Route
from provender.model.access import Scope
from provender.model.diary import NOTE_MAX_LENGTH, Meal
from provender.model.errors import (
    CatalogueUnavailable,
    FoodNotFound,
    InvalidCursor,
    MealItemsMissing,
    MealNotFound,
    ProfileNotFound,
)
from provender.model.saved_meals import ITEMS_MAX
from provender.services import meal_logs, saved_meals
from provender.services.meal_logs import MealToLog
from provender.services.saved_meals import MealChange, NewItem

_OWNER = "The `reference_id` of the profile whose saved meals they are."
_OWN_MEAL = "If it is sent, the saved meal must be one of this profile."
_FOOD = "The `_id` of a food of the catalogue, or of a custom food of this profile."
_NUMBER = "How many servings of the food, in the serving that it is shown with. 1 if not sent."
_NAME = "The name of the saved meal."
_MEAL = "The meal that it is logged at unless another is said."
_ITEMS = "The foods of the saved meal in their order. A food may be there more than once."
_DATE = "The day it was eaten: `YYYY-MM-DD`, or days since 1970-01-01. Today in the profile's time zone if not sent."


@dataclass(frozen=True, kw_only=True)
class NewMealItem:
    food_id: Annotated[str, Text(), _FOOD]
    number_of_servings: Annotated[float, SERVINGS, _NUMBER] = 1


MEAL_ITEMS = Items(NewMealItem, ITEMS_MAX)


@dataclass(frozen=True, kw_only=True)
class NewMeal:
    profile_reference_id: Annotated[str, REFERENCE_ID, "The `reference_id` of the profile that saves the meal."]
    name: Annotated[str, Text(), _NAME]
    meal: Annotated[str, MEAL, _MEAL] = Meal.SNACK.value
    items: Annotated[tuple[NewMealItem, ...], MEAL_ITEMS, _ITEMS]


@dataclass(frozen=True, kw_only=True)
class MealList(ListParameters):
    profile_reference_id: Annotated[str, REFERENCE_ID, _OWNER]


@dataclass(frozen=True, kw_only=True)
class MealOwner:
    profile_reference_id: Annotated[str | None, REFERENCE_ID, _OWN_MEAL] = None


@dataclass(frozen=True, kw_only=True)
class MealChangeParameters(MealOwner):
    name: Annotated[str | UnsetType, Text(), _NAME] = UNSET
    meal: Annotated[str | UnsetType, MEAL, _MEAL] = UNSET
    items: Annotated[
        tuple[NewMealItem, ...] | UnsetType,
        MEAL_ITEMS,
        "All foods of the saved meal, in the place of those that it has. One that is missing may stay.",
    ] = UNSET

    def change(self) -> MealChange:
        """What was sent."""
        change: MealChange = {}
        if self.name is not UNSET:
            change["name"] = self.name
        if self.meal is not UNSET:
            change["meal"] = Meal(self.meal)
        if self.items is not UNSET:
            change["items"] = _items(self.items)
        return change


@dataclass(frozen=True, kw_only=True)
class MealLogging(MealOwner):
    date: Annotated[Day | None, WRITTEN_DATE, _DATE] = None
    meal: Annotated[str | None, MEAL, "The meal that it was eaten at. The saved meal's own if not sent."] = None
    note: Annotated[str | None, Text(longest=NOTE_MAX_LENGTH), "What there is to remark, in every log.", NULLABLE] = (
        None
    )
    skip_missing: Annotated[bool, Flag(), "Whether to log the other items where the food of one is missing."] = False


def _items(sent: tuple[NewMealItem, ...]) -> list[NewItem]:
    return [NewItem(item.food_id, item.number_of_servings) for item in sent]


async def create_meal(call: Call[NewMeal]) -> Answer:
    asked = call.parameters
    meal_id = await saved_meals.create_meal(
        call.services.catalogue,
        call.store_once([asked.profile_reference_id], render.created),
        asked.profile_reference_id,
        call.now,
        name=asked.name,
        meal=Meal(asked.meal),
        items=_items(asked.items),
    )
    return render.created(meal_id)


async def list_meals(call: Call[MealList]) -> Answer:
    asked = call.parameters
    page = await saved_meals.list_meals(call.services.catalogue, call.store, asked.profile_reference_id, asked.page)
    return render_meals.meal_page(page)


async def retrieve_meal(call: Call[MealOwner]) -> Answer:
    owner = call.parameters.profile_reference_id
    return render_meals.meal(await saved_meals.get_meal(call.services.catalogue, call.store, call.path[0], owner))


async def change_meal(call: Call[MealChangeParameters]) -> Answer:
    asked = call.parameters
    changed = await saved_meals.change_meal(
        call.services.catalogue, call.store, call.path[0], asked.profile_reference_id, call.now, **asked.change()
    )
    return render_meals.meal(changed)


async def delete_meal(call: Call[MealOwner]) -> Answer:
    await saved_meals.delete_meal(call.store, call.path[0], call.parameters.profile_reference_id)
    return render.deleted(call.path[0])


async def log_meal(call: Call[MealLogging]) -> Answer:
    asked = call.parameters
    to_log = MealToLog(
        meal_id=call.path[0],
        reference_id=asked.profile_reference_id,
        day=asked.date,
        meal=None if asked.meal is None else Meal(asked.meal),
        note=asked.note,
        skip_missing=asked.skip_missing,
    )
    owner = await saved_meals.get_owner(call.store, to_log.meal_id, to_log.reference_id)
    store = call.store_once([owner], render_meals.logged_meal)
    logged = await meal_logs.log_meal(call.services.catalogue, store, to_log, call.now)
    call.services.settler.note(store.application_id, [owner])
    return render_meals.logged_meal(logged)


ROUTES = (
    Route(
        method="POST",
        path="/v1/saved-meals",
        handler=create_meal,
        summary="Save a meal",
        description="It refers to its foods: its totals are those of the foods as they are when it is read.",
        tag="Saved meals",
        scope=Scope.WRITE,
        parameters=NewMeal,
        answers={201: Created},
        errors=(FoodNotFound, ProfileNotFound, CatalogueUnavailable),
    ),
    Route(
        method="GET",
        path="/v1/saved-meals",
        handler=list_meals,
        summary="List a profile's saved meals",
        description="Newest first, without totals.",
        tag="Saved meals",
        scope=Scope.READ,
        parameters=MealList,
        answers={200: MealPage},
        errors=(InvalidCursor, ProfileNotFound, CatalogueUnavailable),
    ),
    Route(
        method="GET",
        path="/v1/saved-meals/{meal_id}",
        handler=retrieve_meal,
        summary="Retrieve a saved meal",
        description="With the sums of its foods as they are now. Items whose food is missing count as nothing.",
        tag="Saved meals",
        scope=Scope.READ,
        parameters=MealOwner,
        answers={200: MealAnswer},
        errors=(MealNotFound, CatalogueUnavailable),
    ),
    Route(
        method="PATCH",
        path="/v1/saved-meals/{meal_id}",
        handler=change_meal,
        summary="Change a saved meal",
        description="Only what is sent is changed; `items` replaces all of them.",
        tag="Saved meals",
        scope=Scope.WRITE,
        parameters=MealChangeParameters,
        answers={200: MealAnswer},
        errors=(FoodNotFound, MealNotFound, CatalogueUnavailable),
    ),
    Route(
        method="DELETE",
        path="/v1/saved-meals/{meal_id}",
        handler=delete_meal,
        summary="Delete a saved meal",
        description="What was logged of it stays in the diary.",
        tag="Saved meals",
        scope=Scope.WRITE,
        parameters=MealOwner,
        answers={200: Deleted},
        errors=(MealNotFound,),
    ),
    Route(
        method="POST",
        path="/v1/saved-meals/{meal_id}/log",
        handler=log_meal,
        summary="Log a saved meal",
        description="A log for each item, all of them or none, with the foods as they are now. Where the food of an "
        "item is missing nothing is logged, unless `skip_missing` is true. Where nothing is left to log, the answer "
        "is 200.",
        tag="Saved meals",
        scope=Scope.WRITE,
        parameters=MealLogging,
        answers={200: LoggedMealAnswer, 201: LoggedMealAnswer},
        errors=(MealItemsMissing, MealNotFound, CatalogueUnavailable),
    ),
)
