"""Whether the server lives, and whether it can do its work; both without a key."""

import msgspec

from provender.api.answers import Answer
from provender.api.routing import OpenRoute
from provender.model.errors import CatalogueUnavailable, StorageUnavailable
from provender.services.running import Services


class Health(msgspec.Struct):
    """How the server is."""

    status: str


async def check_liveness(_services: Services) -> Answer:
    return Answer(msgspec.json.encode(Health("ok")))


async def check_readiness(services: Services) -> Answer:
    await services.engine.ping()
    services.catalogue.get().ping()
    return Answer(msgspec.json.encode(Health("ok")))


ROUTES = (
    OpenRoute(
        path="/healthz",
        handler=check_liveness,
        summary="Whether the process lives",
        description="It asks nothing of the database and of the food catalogue.",
        tag="Health",
        answers={200: Health},
    ),
    OpenRoute(
        path="/readyz",
        handler=check_readiness,
        summary="Whether the server can answer requests",
        description="It can when its database and its food catalogue answer, and the last write did not fail.",
        tag="Health",
        answers={200: Health},
        errors=(StorageUnavailable, CatalogueUnavailable),
    ),
)
