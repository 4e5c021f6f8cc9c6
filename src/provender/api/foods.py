"""The endpoints of catalogue foods."""

from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from provender.api import render
from provender.api.answers import Answer
from provender.api.kinds import Choices, Code
from provender.api.parameters import NoParameters
from provender.api.render import FoodAnswer, NutrientList
from provender.api.routing import Call, Route
from provender.catalogue.fragments import INCLUDABLE
from provender.catalogue.store import Entry
from provender.model.access import Scope
from provender.model.errors import CatalogueUnavailable, FoodNotFound, InvalidBarcode
from provender.services import foods

_INCLUDE = (
    "What to add to the food: nutrient groups, and `servings` for every household measure. By default none is there."
)


@dataclass(frozen=True, kw_only=True)
class FoodParameters:
    include: Annotated[frozenset[str], Choices(INCLUDABLE), _INCLUDE] = frozenset()


@dataclass(frozen=True, kw_only=True)
class BarcodeParameters(FoodParameters):
    barcode: Annotated[str, Code(), "A GTIN-13: 13 digits, the last of them the check digit."]


async def retrieve_food(call: Call[FoodParameters]) -> Answer:
    return _answer(call, foods.get_food(call.services.catalogue.get(), call.path[0], call.parameters.include))


async def retrieve_food_by_barcode(call: Call[BarcodeParameters]) -> Answer:
    asked = call.parameters
    return _answer(call, foods.get_food_by_barcode(call.services.catalogue.get(), asked.barcode, asked.include))


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
        tag="Foods",
        scope=Scope.READ,
        parameters=BarcodeParameters,
        answers={200: FoodAnswer},
        errors=(InvalidBarcode, FoodNotFound, CatalogueUnavailable),
        conditional=True,
    ),
    Route(
        method="GET",
        path="/v1/foods/{food_id}",
        handler=retrieve_food,
        summary="Retrieve a food",
        description="Thirteen digits in the place of the id are looked up as a barcode.",
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
