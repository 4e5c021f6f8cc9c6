"""The endpoints of custom foods."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, UnsetType

from provender.api import render
from provender.api.answers import Answer
from provender.api.foods import FoodParameters
from provender.api.kinds import REFERENCE_ID, Barcode, Choice, Group, Number, Text, Whole
from provender.api.lists import ListParameters
from provender.api.parameters import NULLABLE
from provender.api.render import Created, Deleted, FoodAnswer, FoodPage
from provender.api.routing import Call, Route
from provender.model import nutrients
from provender.model.access import Scope
from provender.model.custom_foods import Details, SentNutrients, brand_faults
from provender.model.errors import Fault, FoodNotFound, InvalidBarcode, InvalidCursor, ProfileNotFound
from provender.model.foods import FoodType, Unit
from provender.services import custom_foods

# A billion grams is more than anybody eats, and every database and client can count that far.
LARGEST_AMOUNT = 1_000_000_000

_OWNER = "The `reference_id` of the profile that owns the food."
_NAME = "The name of the food, without the brand name."
_BRAND = "The name of the brand; only where `food_type` is `brand`, and there it is required."
_TYPE = "Whether the food is a generic or a brand item."
_SERVING = "The full description of the serving that all values are for."
_AMOUNT = "What that serving weighs or holds: a whole number above 0."
_UNIT = "The unit of `metric_serving_amount`."
_BARCODE = "The GTIN-13 on the package, by which the profile finds this food."
_WATER = "Water in the serving, in grams."
_MACRO = "Energy and macro-nutrients of the serving; a member that is null is not known."
_GROUP = "Nutrients of this group in the serving; a member that is null is not known."

_Members = dict[str, float | None]


def brand_goes_with_its_type(sent: Mapping[str, Any]) -> Iterable[Fault]:
    if sent.keys() >= {"food_type", "brand_name"}:
        yield from brand_faults(FoodType(sent["food_type"]), sent["brand_name"])


@dataclass(frozen=True, kw_only=True)
class NewCustomFood:
    RULES: ClassVar = (brand_goes_with_its_type,)
    # The public client library of this interface sends it.
    READ_PAST: ClassVar = frozenset({"reference_id"})

    food_name: Annotated[str, Text(), _NAME]
    serving_description: Annotated[str, Text(), _SERVING]
    metric_serving_amount: Annotated[int, Whole(1, LARGEST_AMOUNT), _AMOUNT]
    metric_serving_unit: Annotated[str, Choice(tuple(Unit)), _UNIT]
    profile_reference_id: Annotated[str, REFERENCE_ID, _OWNER]
    food_type: Annotated[str, Choice(tuple(FoodType)), _TYPE] = FoodType.GENERIC.value
    brand_name: Annotated[str | None, Text(), _BRAND, NULLABLE] = None
    barcode: Annotated[str | None, Barcode(), _BARCODE, NULLABLE] = None
    macro_nutrients: Annotated[_Members | None, Group(), _MACRO, NULLABLE] = field(default_factory=dict)
    water_in_gm: Annotated[float | None, Number(), _WATER, NULLABLE] = None
    vitamins: Annotated[_Members | None, Group(), _GROUP, NULLABLE] = field(default_factory=dict)
    minerals: Annotated[_Members | None, Group(), _GROUP, NULLABLE] = field(default_factory=dict)
    carbohydrates: Annotated[_Members | None, Group(), _GROUP, NULLABLE] = field(default_factory=dict)
    lipids: Annotated[_Members | None, Group(), _GROUP, NULLABLE] = field(default_factory=dict)
    proteins: Annotated[_Members | None, Group(), _GROUP, NULLABLE] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class CustomFoodChange:
    """As NewCustomFood, but whatever is not sent stays as it is. Brand and type are judged after the change."""

    profile_reference_id: Annotated[str, REFERENCE_ID, _OWNER]
    food_name: Annotated[str | UnsetType, Text(), _NAME] = UNSET
    serving_description: Annotated[str | UnsetType, Text(), _SERVING] = UNSET
    metric_serving_amount: Annotated[int | UnsetType, Whole(1, LARGEST_AMOUNT), _AMOUNT] = UNSET
    metric_serving_unit: Annotated[str | UnsetType, Choice(tuple(Unit)), _UNIT] = UNSET
    food_type: Annotated[str | UnsetType, Choice(tuple(FoodType)), _TYPE] = UNSET
    brand_name: Annotated[str | UnsetType | None, Text(), _BRAND, NULLABLE] = UNSET
    barcode: Annotated[str | UnsetType | None, Barcode(), _BARCODE, NULLABLE] = UNSET
    macro_nutrients: Annotated[_Members | UnsetType | None, Group(), _MACRO, NULLABLE] = UNSET
    water_in_gm: Annotated[float | UnsetType | None, Number(), _WATER, NULLABLE] = UNSET
    vitamins: Annotated[_Members | UnsetType | None, Group(), _GROUP, NULLABLE] = UNSET
    minerals: Annotated[_Members | UnsetType | None, Group(), _GROUP, NULLABLE] = UNSET
    carbohydrates: Annotated[_Members | UnsetType | None, Group(), _GROUP, NULLABLE] = UNSET
    lipids: Annotated[_Members | UnsetType | None, Group(), _GROUP, NULLABLE] = UNSET
    proteins: Annotated[_Members | UnsetType | None, Group(), _GROUP, NULLABLE] = UNSET


@dataclass(frozen=True, kw_only=True)
class CustomFoodOwner:
    profile_reference_id: Annotated[str, REFERENCE_ID, _OWNER]


@dataclass(frozen=True, kw_only=True)
class CustomFoodList(ListParameters, FoodParameters):
    profile_reference_id: Annotated[str, REFERENCE_ID, "The `reference_id` of the profile whose foods to list."]


async def create_custom_food(call: Call[NewCustomFood]) -> Answer:
    new = call.parameters
    food_id = await custom_foods.create_custom_food(
        call.store_once([new.profile_reference_id], render.created),
        new.profile_reference_id,
        call.now,
        name=new.food_name,
        brand=new.brand_name,
        food_type=FoodType(new.food_type),
        serving_description=new.serving_description,
        serving_amount=new.metric_serving_amount,
        unit=Unit(new.metric_serving_unit),
        barcode=new.barcode,
        nutrients=_nutrients(new),
    )
    return render.created(food_id)


async def list_custom_foods(call: Call[CustomFoodList]) -> Answer:
    asked = call.parameters
    page = await custom_foods.list_custom_foods(call.store, asked.profile_reference_id, asked.include, asked.page)
    return render.food_page(page)


async def change_custom_food(call: Call[CustomFoodChange]) -> Answer:
    change = call.parameters
    entry = await custom_foods.change_custom_food(
        call.store, change.profile_reference_id, call.path[0], call.now, _nutrients(change), **_details(change)
    )
    return Answer(entry.body)


async def delete_custom_food(call: Call[CustomFoodOwner]) -> Answer:
    await custom_foods.delete_custom_food(call.store, call.parameters.profile_reference_id, call.path[0], call.now)
    return render.deleted(call.path[0])


def _nutrients(sent: NewCustomFood | CustomFoodChange) -> SentNutrients:
    """The groups that were sent, with water among them."""
    found: dict[nutrients.Group, Mapping[str, float | None] | None] = {}
    for group in nutrients.Group:
        value = getattr(sent, group.value)
        if value is not UNSET:
            found[group] = {group.value: value} if group is nutrients.Group.WATER else value
    return found


def _details(change: CustomFoodChange) -> Details:
    """What was sent besides nutrients."""
    details: Details = {}
    if change.food_name is not UNSET:
        details["name"] = change.food_name
    if change.brand_name is not UNSET:
        details["brand"] = change.brand_name
    if change.food_type is not UNSET:
        details["food_type"] = FoodType(change.food_type)
    if change.serving_description is not UNSET:
        details["serving_description"] = change.serving_description
    if change.metric_serving_amount is not UNSET:
        details["serving_amount"] = change.metric_serving_amount
    if change.metric_serving_unit is not UNSET:
        details["unit"] = Unit(change.metric_serving_unit)
    if change.barcode is not UNSET:
        details["barcode"] = change.barcode
    return details


ROUTES = (
    Route(
        method="POST",
        path="/v1/foods/custom",
        handler=create_custom_food,
        summary="Create a custom food",
        description="All values are for the one serving that is described. Nutrients may have names of your own.",
        tag="Custom foods",
        scope=Scope.WRITE,
        parameters=NewCustomFood,
        answers={201: Created},
        errors=(InvalidBarcode, ProfileNotFound),
    ),
    Route(
        method="GET",
        path="/v1/foods/custom",
        handler=list_custom_foods,
        summary="List a profile's custom foods",
        description="Newest first.",
        tag="Custom foods",
        scope=Scope.READ,
        parameters=CustomFoodList,
        answers={200: FoodPage},
        errors=(InvalidCursor, ProfileNotFound),
    ),
    Route(
        method="PATCH",
        path="/v1/foods/custom/{food_id}",
        handler=change_custom_food,
        summary="Change a custom food",
        description="Only what is sent is changed; in a group of nutrients, only the members that are sent. A member "
        "that is null becomes unknown, and a group that is null becomes empty. The answer has all groups.",
        tag="Custom foods",
        scope=Scope.WRITE,
        parameters=CustomFoodChange,
        answers={200: FoodAnswer},
        errors=(InvalidBarcode, FoodNotFound, ProfileNotFound),
    ),
    Route(
        method="DELETE",
        path="/v1/foods/custom/{food_id}",
        handler=delete_custom_food,
        summary="Delete a custom food",
        description="It leaves favorites and eaten lists too. Logs that used it stay, with the values that they have.",
        tag="Custom foods",
        scope=Scope.WRITE,
        parameters=CustomFoodOwner,
        answers={200: Deleted},
        errors=(FoodNotFound, ProfileNotFound),
    ),
)
