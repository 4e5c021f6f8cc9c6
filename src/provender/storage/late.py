"""An engine for a server process that starts while the storage is away, in the place of one that died.

It answers that the storage is unavailable, looks for it with the requests that come, and has it when it is back.
"""

import asyncio
import logging
import time
from collections.abc import Sequence
from typing import TypeVar

from provender.metrics.sheet import Sheet
from provender.model.errors import StorageUnavailable
from provender.settings import Settings
from provender.storage.engine import Damage, Engine, Operation, Row, Value
from provender.storage.opening import open_engine

T = TypeVar("T")

_log = logging.getLogger(__name__)

_LOOK_AGAIN_S = 1.0


async def open_engine_sooner_or_later(settings: Settings, metrics: Sheet) -> Engine:
    """The storage as it is, which a command has made before; one to be opened later where it is away."""
    late = LateEngine(settings, metrics)
    try:
        return await late.find()
    except StorageUnavailable as error:
        _log.error("%s", error.detail)
        return late


class LateEngine:
    """An Engine that is opened when it can be."""

    def __init__(self, settings: Settings, metrics: Sheet) -> None:
        self.chains_writes = settings.database_url is not None
        self._settings = settings
        self._metrics = metrics
        self._looking: asyncio.Task[Engine] | None = None
        self._looked_at = 0.0

    async def find(self) -> Engine:
        """All who wait share one look, and for a moment its failure."""
        if self._looking is None or (self._has_failed() and time.monotonic() - self._looked_at > _LOOK_AGAIN_S):
            # It exists, so a data folder that lacks it is not the one that was meant.
            self._looking = asyncio.create_task(open_engine(self._settings, create=False, metrics=self._metrics))
            self._looked_at = time.monotonic()
        return await asyncio.shield(self._looking)

    def _has_failed(self) -> bool:
        looking = self._looking
        return looking is not None and looking.done() and (looking.cancelled() or looking.exception() is not None)

    async def all(self, sql: str, *values: Value) -> Sequence[Row]:
        return await (await self.find()).all(sql, *values)

    async def one(self, sql: str, *values: Value) -> Row | None:
        return await (await self.find()).one(sql, *values)

    async def change(self, sql: str, *values: Value) -> Sequence[Row]:
        return await (await self.find()).change(sql, *values)

    async def transaction(self, operation: Operation[T]) -> T:
        return await (await self.find()).transaction(operation)

    async def ping(self) -> None:
        await (await self.find()).ping()

    async def migrate(self) -> None:
        await (await self.find()).migrate()

    async def find_damage(self) -> Damage:
        return await (await self.find()).find_damage()

    async def close(self) -> None:
        if self._looking is None:
            return
        self._looking.cancel()
        for found in await asyncio.gather(self._looking, return_exceptions=True):
            if not isinstance(found, BaseException):
                await found.close()
