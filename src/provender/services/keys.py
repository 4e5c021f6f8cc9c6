"""An application's own keys, as it manages them itself. What operators do with all keys is in `services/access.py`."""

from datetime import datetime

from provender.model.access import KEY_ID, PREFIX_LENGTH, ApiKey, Scope, hash_key, new_key
from provender.model.errors import KeyNotFound, OwnKey
from provender.model.paging import Page, PageRequest
from provender.services.access import Authenticator
from provender.storage import access
from provender.storage.engine import Statements
from provender.storage.store import Store


async def list_keys(store: Store, request: PageRequest) -> Page[ApiKey]:
    return await access.list_own_keys(store, request)


async def create_key(store: Store, scope: Scope, rate_limit: int | None, now: datetime) -> tuple[str, str]:
    """A new key of the application: its id, and the key itself, which is kept nowhere."""
    key = new_key()
    kept = ApiKey(
        hash=hash_key(key),
        prefix=key[:PREFIX_LENGTH],
        application_id=store.application_id,
        application_name="",
        scope=scope,
        created_at=now,
        last_used_on=None,
        revoked_at=None,
        rate_limit=rate_limit,
    )

    async def create(statements: Statements) -> str:
        await access.insert_key(statements, kept)
        return kept.prefix

    return await store.statement(create), key


async def revoke_key(store: Store, authenticator: Authenticator, key_id: str, own_id: str, now: datetime) -> None:
    """End a key of the application now, or leave it as it is where it has ended before."""
    if key_id == own_id:
        raise OwnKey
    if not KEY_ID.fullmatch(key_id) or not await access.revoke_own_key(store, key_id, now):
        raise KeyNotFound
    authenticator.forget(store.application_id, key_id)
