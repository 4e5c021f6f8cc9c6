"""The endpoints that find a food, of the catalogue or custom, by its id or its barcode."""

from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from provender.api import render
from provender.api.answers import Answer
from provender.api.kinds import REFERENCE_ID, Barcode, Choices
from provender.api.parameters import NoParameters
from provender.api.render import FoodAnswer, NutrientList
from provender.api.routing import Call, Route
from provender.catalogue.fragments import INCLUDABLE
from provender.catalogue.store import Entry
from provender.model.access import Scope
from provender.model.errors import CatalogueUnavailable, FoodNotFound, InvalidBarcode, ProfileNotFound
from provender.model.nutrients import Group
from provender.services import foods

_INCLUDE = (
    "What to add to the food: nutrient groups, and `servings` for every household measure. By default none is there."
)

_INCLUDE_LISTED = (
    "What to add to each food: nutrient groups, and `servings` for every household measure. By default `vitamins`; an "
    "empty `include[]=` asks for none."
)


@dataclass(frozen=True, kw_only=True)
class FoodParameters:
    include: Annotated[frozenset[str], Choices(INCLUDABLE), _INCLUDE] = frozenset()


@dataclass(frozen=True, kw_only=True)
class ListedFoodParameters(FoodParameters):
    """Of the lists that the interface shows with vitamins."""

    include: Annotated[frozenset[str], Choices(INCLUDABLE), _INCLUDE_LISTED] = frozenset({Group.VITAMINS.value})


@dataclass(frozen=True, kw_only=True)
class BarcodeParameters(FoodParameters):
    barcode: Annotated[str, Barcode(), "A GTIN-13: 13 digits, the last of them the check digit."]
    profile_reference_id: Annotated[
        str | None, REFERENCE_ID, "The `reference_id` of a profile, whose own custom food with this barcode goes first."
    ] = None


async def retrieve_food(call: Call[FoodParameters]) -> Answer:
    catalogue = call.services.catalogue.get()
    return _answer(call, await foods.get_food(catalogue, call.store, call.path[0], call.parameters.include))


async def retrieve_food_by_barcode(call: Call[BarcodeParameters]) -> Answer:
    asked, current = call.parameters, call.services.catalogue
    if asked.profile_reference_id is None:
        return _answer(call, foods.get_food_by_barcode(current.get(), asked.barcode, asked.include))
    found = await foods.get_food_by_barcode_for(
        current, call.store, asked.profile_reference_id, asked.barcode, asked.include
    )
    return _answer(call, found)


async def list_nutrients(_call: Call[NoParameters]) -> Answer:
    return Answer(_NUTRIENTS)


def _answer(call: Call[Any], entry: Entry) -> Answer:
    headers = ((b"etag", entry.etag), (b"cache-control", b"private, no-cache"))
    if call.if_none_match is not None and _matches(call.if_none_match, entry.etag):
        return Answer(b"", 304, headers=headers)
    return Answer(entry.body, headers=headers)


def _matches(header: bytes, etag: bytes) -> bool:
    """Whether the caller has this very answer already. If-None-Match compares weakly (RFC 9110, 13.1.2)."""
    known = [tag.strip().removeprefix(b"W/") for tag in header.split(b",")]
    return etag in known or known == [b"*"]


_NUTRIENTS = msgspec.json.encode(render.nutrients())

ROUTES = (
    Route(
        method="GET",
        path="/v1/foods/barcode",
        handler=retrieve_food_by_barcode,
        summary="Retrieve a food by its barcode",
        description="With `profile_reference_id`, that profile's own custom food with this barcode goes first, and of "
        "several the newest; then the catalogue.",
        tag="Foods",
        scope=Scope.READ,
        parameters=BarcodeParameters,
        answers={200: FoodAnswer},
        errors=(InvalidBarcode, FoodNotFound, ProfileNotFound, CatalogueUnavailable),
        conditional=True,
    ),
    Route(
        method="GET",
        path="/v1/foods/{food_id}",
        handler=retrieve_food,
        summary="Retrieve a food",
        description="It may be a food of the catalogue, or a custom food of any profile of your application. Thirteen "
        "digits in the place of the id are looked up as a barcode of the catalogue.",
        tag="Foods",
        scope=Scope.READ,
        parameters=FoodParameters,
        answers={200: FoodAnswer},
        errors=(InvalidBarcode, FoodNotFound, CatalogueUnavailable),
        conditional=True,
    ),
    Route(
        method="GET",
        path="/v1/nutrients",
        handler=list_nutrients,
        summary="List all nutrients",
        description="Every nutrient that a catalogue food may have, with its group and unit.",
        tag="Foods",
        scope=Scope.READ,
        answers={200: NutrientList},
    ),
)
