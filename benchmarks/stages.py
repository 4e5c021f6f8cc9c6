"""The production application in this process, on storage of its own, and a client that calls it without a network."""

import asyncio
import contextlib
import os
from collections.abc import AsyncGenerator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

import httpx

from provender.api.app import Application
from provender.catalogue.folder import CatalogueFolder
from provender.importers.run import build_shipped
from provender.model.access import Scope
from provender.services.access import create_key
from provender.services.catalogue import FOLDER
from provender.settings import Settings
from provender.storage.access import find_application
from provender.storage.engine import Engine
from provender.storage.opening import open_engine
from provender.storage.store import Store

_APPLICATION = "benchmark"

# By then a new application has opened its catalogue, which it does beside the first requests.
_UNTIL_OPEN_S = 0.05


def build_shipped_once(folder: Path) -> CatalogueFolder:
    """The catalogue that ships, in this folder, unless it is there."""
    catalogue = CatalogueFolder(folder)
    if catalogue.current() is None:
        build_shipped(catalogue, datetime.now(UTC))
    return catalogue


def make_settings(data_dir: Path, catalogue: CatalogueFolder, database_url: str | None = None) -> Settings:
    data_dir.mkdir(mode=0o700)
    (data_dir / FOLDER).symlink_to(catalogue.path.resolve())
    return Settings(data_dir=data_dir, database_url=database_url)


@contextlib.contextmanager
def _nowhere() -> Iterator[int]:
    descriptor = os.open(os.devnull, os.O_WRONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


class Stage:
    """Storage, and the time at which everything on it happens: it stands still, so that no midnight comes between."""

    def __init__(self, settings: Settings, key: str, now: datetime) -> None:
        self._settings = settings
        self._key = key
        self.now = now

    @classmethod
    async def set_up(cls, settings: Settings, now: datetime) -> Self:
        engine = await open_engine(settings)
        try:
            await engine.migrate()
            return cls(settings, await create_key(engine, _APPLICATION, Scope.WRITE, now), now)
        finally:
            await engine.close()

    @contextlib.asynccontextmanager
    async def open(self, *, days_later: int = 0) -> AsyncGenerator[httpx.AsyncClient]:
        """A client of a new application on this storage, which has read nothing yet but the catalogue's manifest."""
        now = self.now + timedelta(days=days_later)
        with _nowhere() as descriptor:
            app = Application(self._settings, clock=lambda: now, log_descriptor=descriptor)
            async with (
                app.lifespan(),
                httpx.AsyncClient(
                    transport=httpx.ASGITransport(app),
                    base_url="http://provender.benchmark",
                    headers={"Authorization": f"Bearer {self._key}"},
                    timeout=None,  # noqa: S113 - What takes long is measured, not given up.
                ) as client,
            ):
                await asyncio.sleep(_UNTIL_OPEN_S)
                yield client

    @contextlib.asynccontextmanager
    async def engine(self) -> AsyncGenerator[Engine]:
        """The storage, beside the application."""
        engine = await open_engine(self._settings)
        try:
            yield engine
        finally:
            await engine.close()

    @contextlib.asynccontextmanager
    async def store(self) -> AsyncGenerator[Store]:
        """What the clients' application has stored."""
        async with self.engine() as engine:
            application = await find_application(engine, _APPLICATION)
            if application is None:
                raise LookupError(f"There is no application {_APPLICATION}.")
            yield Store(engine, application.id)
