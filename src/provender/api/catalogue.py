"""The endpoints that tell about the catalogue: what it holds, what the last import did, where a food is from."""

from provender.api import render_catalogue as render
from provender.api.answers import Answer
from provender.api.parameters import NoParameters
from provender.api.render_catalogue import CatalogueAnswer, ProvenanceAnswer
from provender.api.routing import Call, Route
from provender.model.access import Scope
from provender.model.errors import CatalogueUnavailable, FoodNotFound
from provender.services.provenance import get_provenance


async def describe_catalogue(call: Call[NoParameters]) -> Answer:
    current = call.services.catalogue
    return render.catalogue(current.get().manifest, current.versions)


async def retrieve_provenance(call: Call[NoParameters]) -> Answer:
    food_id = call.path[0]
    return render.provenance(food_id, await get_provenance(call.services.catalogue.get(), call.store, food_id))


ROUTES = (
    Route(
        method="GET",
        path="/v1/catalogue",
        handler=describe_catalogue,
        summary="Describe the food catalogue",
        description="The version in use with its datasets, the versions that are kept, newest first, and the report "
        "of the last import. It is the same for every application.",
        tag="Catalogue",
        scope=Scope.READ,
        answers={200: CatalogueAnswer},
        errors=(CatalogueUnavailable,),
    ),
    Route(
        method="GET",
        path="/v1/foods/{food_id}/provenance",
        handler=retrieve_provenance,
        summary="Retrieve where a food is from",
        description="It may be a food of the catalogue, or a custom food of any profile of your application. Only an "
        "id is taken here, no barcode.",
        tag="Catalogue",
        scope=Scope.READ,
        answers={200: ProvenanceAnswer},
        errors=(FoodNotFound, CatalogueUnavailable),
    ),
)
