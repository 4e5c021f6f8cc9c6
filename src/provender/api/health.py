"""Whether the server lives, and whether it can do its work; both without a key."""

import msgspec

from provender.api.answers import Answer
from provender.api.routing import OpenRoute
from provender.model.errors import StorageUnavailable
from provender.storage.engine import Engine


class Health(msgspec.Struct):
    """How the server is."""

    status: str


async def alive(_engine: Engine) -> Answer:
    return Answer(msgspec.json.encode(Health("ok")))


async def ready(engine: Engine) -> Answer:
    await engine.one("SELECT 1")
    return Answer(msgspec.json.encode(Health("ok")))


ROUTES = (
    OpenRoute(
        path="/healthz",
        handler=alive,
        summary="Whether the process lives",
        tag="Health",
        answers={200: Health},
    ),
    OpenRoute(
        path="/readyz",
        handler=ready,
        summary="Whether the server can answer requests",
        description="It can when its database answers.",
        tag="Health",
        answers={200: Health},
        errors=(StorageUnavailable,),
    ),
)
