"""Applications and keys: make, rotate and revoke them, and find out who is asking."""

import asyncio
import hashlib
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from provender.metrics.counts import KeyCounts
from provender.metrics.usage import ApplicationUsage, Usages
from provender.model.access import (
    APPLICATION_NAME,
    KEY_LENGTH,
    KEY_PREFIX,
    LARGEST_LIMIT,
    NO_LIMIT,
    PREFIX_LENGTH,
    ApiKey,
    Application,
    Scope,
    hash_key,
    is_key,
    new_key,
)
from provender.model.errors import InvalidRequest, NotFound, StorageUnavailable, TooManyRequests, Unauthenticated
from provender.model.ids import new_id
from provender.model.times import Clock
from provender.services.quotas import Quota, Quotas
from provender.storage import access
from provender.storage.engine import Engine, Statements
from provender.storage.store import Bound, Store

_log = logging.getLogger(__name__)

FIRST_APPLICATION = "default"

# A revoked key works no longer than this; the promise is 5 seconds.
_CACHE_S = 2.0
_CACHE_SIZE = 10_000

# How many look-ups of keys that do not exist a worker does in a minute, at most so many at once.
UNKNOWN_KEYS_A_MINUTE = 6000


async def create_first_key(engine: Engine, now: datetime) -> str | None:
    """On storage without any application: make the first, and a key for it. Otherwise None."""
    application = Application(new_id(now), FIRST_APPLICATION, now)

    async def create(statements: Statements) -> str | None:
        if not await access.insert_first_application(statements, application):
            return None
        return await _insert_new_key(statements, application, Scope.WRITE, now)

    return await engine.transaction(create)


def check_application_name(application_name: str) -> None:
    if not APPLICATION_NAME.fullmatch(application_name):
        raise InvalidRequest(
            f"{application_name!r} cannot be an application's name: use 1 to 64 letters, digits, dots, hyphens or "
            "underscores, a letter or digit first."
        )


async def create_key(
    engine: Engine, application_name: str, scope: Scope, now: datetime, rate_limit: int | None = None
) -> str:
    """A new key for the application, which is made if it is missing. It is shown now, and never again."""
    check_application_name(application_name)
    check_rate_limit(rate_limit)

    async def create(statements: Statements) -> str:
        await access.insert_application(statements, Application(new_id(now), application_name, now))
        application = await access.find_application(statements, application_name)
        if application is None:
            raise StorageUnavailable("The application was removed while its key was being made.")
        return await _insert_new_key(statements, application, scope, now, rate_limit)

    return await engine.transaction(create)


def check_rate_limit(rate_limit: int | None) -> None:
    if rate_limit is not None and not NO_LIMIT <= rate_limit <= LARGEST_LIMIT:
        raise InvalidRequest(f"{rate_limit} cannot be a limit: use 1 to {LARGEST_LIMIT} requests a minute, or none.")


async def _insert_new_key(
    statements: Statements, application: Application, scope: Scope, now: datetime, rate_limit: int | None = None
) -> str:
    key = new_key()
    kept = ApiKey(
        hash=hash_key(key),
        prefix=key[:PREFIX_LENGTH],
        application_id=application.id,
        application_name=application.name,
        scope=scope,
        created_at=now,
        last_used_on=None,
        revoked_at=None,
        rate_limit=rate_limit,
    )
    await access.insert_key(Bound(statements, application.id), kept)
    return key


async def rotate_key(engine: Engine, prefix: str, overlap: timedelta, now: datetime) -> tuple[str, ApiKey]:
    """A new key that is like the one that begins so, and that one, which works until the overlap is over."""
    old = await _get_key(engine, prefix, now)
    key = new_key()
    new = replace(
        old, hash=hash_key(key), prefix=key[:PREFIX_LENGTH], created_at=now, last_used_on=None, revoked_at=None
    )
    ending = replace(old, revoked_at=now + overlap)

    async def rotate(statements: Statements) -> None:
        if not await access.let_key_run_out(statements, old.hash, now + overlap):
            raise InvalidRequest(
                f"{old.prefix}… is revoked, or was rotated already. `provender keys list` shows the application's "
                "other keys; `provender keys create` makes a new one."
            )
        await access.insert_key(Bound(statements, old.application_id), new)

    await engine.transaction(rotate)
    return key, ending


async def revoke_key(engine: Engine, prefix: str, now: datetime) -> ApiKey:
    """Revoke the one key that begins so."""
    found = await _get_key(engine, prefix, now)
    await access.revoke_key(engine, found.hash, now)
    return found


async def limit_key(engine: Engine, prefix: str, rate_limit: int | None, now: datetime) -> ApiKey:
    check_rate_limit(rate_limit)
    found = await _get_key(engine, prefix, now)
    await access.limit_key(engine, found.hash, rate_limit)
    return found


async def _get_key(engine: Engine, prefix: str, now: datetime) -> ApiKey:
    """The one key that begins so. A whole key is taken too: whoever holds one may want to be rid of it."""
    found: list[ApiKey] = []
    if is_key(prefix):
        whole = await access.find_key(engine, hash_key(prefix))
        if whole is None:
            raise NotFound("This key is not one of this service's. `provender keys list` shows all of them.")
        found = [whole]
    elif KEY_PREFIX.fullmatch(prefix):
        found = await access.list_keys_by_prefix(engine, prefix)
    elif len(prefix) > PREFIX_LENGTH:
        # It is not repeated: it may be most of a key, and what is printed may be kept.
        raise InvalidRequest(
            f"Give the first {PREFIX_LENGTH} characters of the key, as `provender keys list` shows them, or all of it."
        )
    if not found:
        raise NotFound(f"No key begins with {prefix!r}. `provender keys list` shows all of them.")
    found = [key for key in found if key.works(now)] or found[:1]
    if len(found) > 1:
        raise InvalidRequest(
            f"{len(found)} keys begin with {prefix!r}. Give more of the key; `provender keys list` shows them."
        )
    return found[0]


@dataclass(slots=True)
class Caller:
    """Who is asking: an application, by a key of some scope."""

    application_name: str
    # What people know the key by.
    key_id: str
    scope: Scope
    store: Store
    # What this process has counted of the application's requests.
    usage: ApplicationUsage
    # Only where its key has a limit.
    quota: Quota | None = None


def _remembered_as(key: bytes) -> bytes:
    """Not the hash of the storage: this one is made for every request, in half the time."""
    return hashlib.blake2s(key).digest()


class Authenticator:
    """Finds the caller by the key it sends.

    Keys that work are remembered for a moment, so a busy key costs one look-up every two seconds. Keys that do not
    work are never remembered, so a new key works at once in every worker. But looking for such keys is limited, so
    that nobody keeps the database busy with keys that were made up: beyond the limit, only keys that have worked in
    this process are looked for. What is compared, here and in the storage, are hashes and never keys, so how long that
    takes says nothing of any key.
    """

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        timer: Callable[[], float] = time.monotonic,
        counts: KeyCounts | None = None,
        quotas: Quotas | None = None,
        usages: Usages | None = None,
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._timer = timer
        self._counts = counts or KeyCounts()
        self._quotas = quotas or Quotas(None)
        self._usages = usages or Usages()
        self._known: dict[bytes, tuple[float, Caller]] = {}
        self._have_worked: set[bytes] = set()
        self._unknown = Quota(UNKNOWN_KEYS_A_MINUTE)
        self._recording: set[asyncio.Task[None]] = set()

    def recall(self, key: bytes) -> Caller | None:
        """Whose key this is, if it was used a moment ago."""
        known = self._known.get(_remembered_as(key)) if len(key) == KEY_LENGTH else None
        if known is None or self._timer() >= known[0]:
            return None
        self._counts.hit()
        return known[1]

    async def authenticate(self, key: str) -> Caller:
        return self.recall(key.encode("latin-1", "replace")) or await self._look_up(key)

    async def _look_up(self, key: str) -> Caller:
        if not is_key(key):
            raise Unauthenticated(
                "The API key is not whole: keys begin with pv_ and end in a checksum. "
                "Compare it with the one you were given."
            )
        self._counts.miss()
        name = _remembered_as(key.encode())
        self._known.pop(name, None)
        key_hash = hash_key(key)
        self._limit_guessing(key_hash)
        found = await access.find_key(self._engine, key_hash)
        now = self._clock()
        if found is None or not found.works(now):
            self._have_worked.discard(key_hash)
            self._unknown.take()
            raise Unauthenticated(
                "This API key is unknown or was revoked. Make one with: provender keys create --application NAME"
            )
        store = Store(self._engine, found.application_id)
        usage, quota = self._usages.of(found.application_id), self._quotas.of(key_hash, found.rate_limit)
        caller = Caller(found.application_name, found.prefix, found.scope, store, usage, quota)
        if len(self._known) >= _CACHE_SIZE:
            self._known.clear()
        if len(self._have_worked) >= _CACHE_SIZE:
            self._have_worked.clear()
        self._have_worked.add(key_hash)
        remembered_s = _CACHE_S if found.revoked_at is None else min(_CACHE_S, (found.revoked_at - now).total_seconds())
        self._known[name] = (self._timer() + remembered_s, caller)
        self._counts.remember(len(self._known))
        self._record_use(found)
        return caller

    def forget(self, application_id: str, key_id: str) -> None:
        """Look for this key anew when it is next sent: it was just revoked."""
        for name, (_, caller) in list(self._known.items()):
            if caller.key_id == key_id and caller.store.application_id == application_id:
                del self._known[name]

    def _limit_guessing(self, key_hash: bytes) -> None:
        wait_s = self._unknown.wait_s()
        if wait_s and key_hash not in self._have_worked:
            raise TooManyRequests("Too many keys that do not exist were tried. Wait, then send the key again.", wait_s)

    def _record_use(self, key: ApiKey) -> None:
        """Note the day, once a day, without making the caller wait for it."""
        today = self._clock().date()
        if key.last_used_on is not None and key.last_used_on >= today:
            return

        async def record() -> None:
            try:
                await access.record_use(self._engine, key.hash, today)
            except StorageUnavailable as error:
                _log.warning("the day of a key's use could not be noted: %s", error.detail)

        task = asyncio.create_task(record())
        # The event loop holds tasks weakly; without this one could vanish before it has run.
        self._recording.add(task)
        task.add_done_callback(self._recording.discard)

    async def finish(self) -> None:
        """Wait for the days that are still being noted."""
        await asyncio.gather(*self._recording, return_exceptions=True)
