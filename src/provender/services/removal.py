"""Clears away, in the background and in small steps, what deleted profiles have left behind and what has expired."""

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from functools import partial

from provender.model.errors import StorageUnavailable
from provender.model.times import Clock, utc_now
from provender.services.idempotency import clear_expired_answers
from provender.storage import removal
from provender.storage.engine import Engine

_log = logging.getLogger(__name__)

# How soon a worker finds what another worker, or a crash, has left to do.
_LOOK_AGAIN_S = 30.0


async def clear_deleted_profiles(
    engine: Engine, tables: Mapping[str, tuple[str, ...]] = removal.OWNED_TABLES, *, clock: Clock = utc_now
) -> None:
    """Clear away everything that is to be cleared away now."""
    while (profile_id := await removal.find_deleted(engine, now := clock())) is not None:
        step = partial(removal.clear_step, profile_id=profile_id, now=now, tables=tables)
        while not await engine.transaction(step):
            pass


class Cleaner:
    """A task beside the server. A deletion wakes it; it looks by itself at the start and now and then."""

    def __init__(self, engine: Engine, clock: Clock = utc_now) -> None:
        self._engine = engine
        self._clock = clock
        self._wanted = asyncio.Event()

    def wake(self) -> None:
        self._wanted.set()

    async def run(self) -> None:
        while True:
            self._wanted.clear()
            try:
                await clear_deleted_profiles(self._engine, clock=self._clock)
                await clear_expired_answers(self._engine, self._clock())
            except StorageUnavailable as error:
                _log.warning("clearing away will be tried again: %s", error.detail)
            except Exception:  # noqa: BLE001 - A fault here must not leave deleted profiles' rows for ever.
                _log.exception("clearing away failed, and will be tried again")
            # Not asyncio.wait_for: in Python 3.11 it forgets a cancellation that comes together with the wake-up.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_AGAIN_S):
                    await self._wanted.wait()
