"""The endpoints of an application's own keys."""

from dataclasses import dataclass
from typing import Annotated

from provender.api import render, render_keys
from provender.api.answers import Answer
from provender.api.kinds import Choice, Cursor, Whole
from provender.api.lists import ListParameters
from provender.api.parameters import NULLABLE, NoParameters
from provender.api.render import Deleted
from provender.api.render_keys import CreatedKey, KeyPage
from provender.api.routing import Call, Route
from provender.model.access import KEY_ID, LARGEST_LIMIT, NO_LIMIT, Scope
from provender.model.errors import InvalidCursor, KeyNotFound, OwnKey
from provender.services import keys

_CURSOR = Cursor(KEY_ID.pattern)

_LIMIT = (
    f"How many requests a minute it may send; {NO_LIMIT} for any number. If it is not sent, as many as the operator "
    "has set for all keys."
)


@dataclass(frozen=True, kw_only=True)
class KeyList(ListParameters):
    starting_after: Annotated[str | None, _CURSOR, "The last `_id` of the current page: gives the page after it."] = (
        None
    )
    ending_before: Annotated[str | None, _CURSOR, "The first `_id` of the current page: gives the page before it."] = (
        None
    )

    def check_cursor(self, cursor: str) -> None:
        if not KEY_ID.fullmatch(cursor):
            raise InvalidCursor("A cursor is the _id of an item of this list: pv_ and 8 letters and digits.")


@dataclass(frozen=True, kw_only=True)
class NewKey:
    scope: Annotated[
        str, Choice(tuple(Scope)), "What it may do: read, also write, or also manage the keys of its application."
    ] = Scope.WRITE.value
    rate_limit: Annotated[int | None, Whole(NO_LIMIT, LARGEST_LIMIT), _LIMIT, NULLABLE] = None


async def list_keys(call: Call[KeyList]) -> Answer:
    page = await keys.list_keys(call.store, call.parameters.page)
    return render_keys.key_page(page, call.key_id, call.now)


async def create_key(call: Call[NewKey]) -> Answer:
    new = call.parameters
    # What is kept for a request that is sent again has no key in it: keys are kept as hashes only.
    store = call.store_once([], lambda key_id: render_keys.created_key(key_id, None))
    key_id, key = await keys.create_key(store, Scope(new.scope), new.rate_limit, call.now)
    return render_keys.created_key(key_id, key)


async def revoke_key(call: Call[NoParameters]) -> Answer:
    [key_id] = call.path
    await keys.revoke_key(call.store, call.services.authenticator, key_id, call.key_id, call.now)
    return render.deleted(key_id)


ROUTES = (
    Route(
        method="GET",
        path="/v1/keys",
        handler=list_keys,
        summary="List the keys of the application",
        description="Newest first, those that are revoked too. A key is known by its prefix; the key itself is kept "
        "nowhere. `revoked_at` is when it ends or ended, `works` whether it works now, and `is_own` marks the key that "
        "asks. A `rate_limit` of 0 is any number of requests, and null what the operator has set for all keys.",
        tag="Keys and usage",
        scope=Scope.ADMIN,
        parameters=KeyList,
        answers={200: KeyPage},
        errors=(InvalidCursor,),
    ),
    Route(
        method="POST",
        path="/v1/keys",
        handler=create_key,
        summary="Create a key",
        description="For the application whose key asks. The answer has the key, this once. If the request is sent "
        "again with its `Idempotency-Key`, no other key is made, and `key` is null, since the key itself is kept "
        "nowhere: if the first answer was lost, revoke the key with this `_id` and create another.",
        tag="Keys and usage",
        scope=Scope.ADMIN,
        parameters=NewKey,
        answers={201: CreatedKey},
    ),
    Route(
        method="DELETE",
        path="/v1/keys/{key_id}",
        handler=revoke_key,
        summary="Revoke a key",
        description="At once, and for good; other processes of the service refuse it within 5 seconds. It stays in the "
        "list. One that is revoked already stays as it is. The key that asks cannot revoke itself.",
        tag="Keys and usage",
        scope=Scope.ADMIN,
        answers={200: Deleted},
        errors=(KeyNotFound, OwnKey),
    ),
)
