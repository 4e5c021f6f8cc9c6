"""Settles logs in the background, a moment after they were made, so that readers seldom have to."""

import asyncio
import logging
import time
from collections.abc import Iterable

from provender.model.errors import StorageUnavailable
from provender.model.times import Clock, utc_now
from provender.services.settling import settle_profile
from provender.storage.engine import Engine
from provender.storage.store import Store

_log = logging.getLogger(__name__)

# People log several foods one after the other; most of a meal is settled together.
AFTER_S = 1.0

# So many profiles are settled at once: few enough that requests have connections of PostgreSQL left.
_AT_ONCE = 2

# After each time it rests for so many times as long as that took. Whatever is logged and read meanwhile goes first:
# what has to wait here is settled by whoever needs it, and never piles up beyond the limit of each profile.
_REST = 4

# Beyond so many, profiles are not noted. Nothing is lost by that.
_MOST_NOTED = 20_000


class Settler:
    """A task beside the server. It knows the profiles that this process has logged for since it was last here.

    What it has not come to when the server stops stays unsettled, as after a crash: the profile's row says so, and
    whoever reads or changes what follows from logs settles first.
    """

    def __init__(self, engine: Engine, clock: Clock = utc_now, after_s: float = AFTER_S) -> None:
        self._engine = engine
        self._clock = clock
        self._after_s = after_s
        self._noted: dict[tuple[str, str], None] = {}
        self._wanted = asyncio.Event()

    def note(self, application_id: str, reference_ids: Iterable[str]) -> None:
        """These profiles have got logs."""
        for reference_id in reference_ids:
            if len(self._noted) < _MOST_NOTED:
                self._noted[application_id, reference_id] = None
        self._wanted.set()

    async def run(self) -> None:
        while True:
            await self._wanted.wait()
            await asyncio.sleep(self._after_s)
            self._wanted.clear()
            noted, self._noted = list(self._noted), {}
            for first in range(0, len(noted), _AT_ONCE):
                started = time.monotonic()
                await asyncio.gather(*(self._settle(*each) for each in noted[first : first + _AT_ONCE]))
                await asyncio.sleep(_REST * (time.monotonic() - started))

    async def _settle(self, application_id: str, reference_id: str) -> None:
        try:
            await settle_profile(Store(self._engine, application_id), reference_id, self._clock())
        except StorageUnavailable as error:
            _log.warning("logs are left to be settled by whoever reads them: %s", error.detail)
        except Exception:  # noqa: BLE001 - A fault with one profile must not keep the others from being settled.
            _log.exception("settling failed, and is left to whoever reads")
