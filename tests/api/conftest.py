"""The catalogue that ships, through the API."""

from collections.abc import AsyncIterator

import httpx
import pytest

from provender.catalogue.folder import CatalogueFolder
from provender.storage.engine import Engine
from tests.conftest import Service
from tests.searching import client_for
from tests.storage.recording import RecordingEngine


@pytest.fixture(scope="module")
async def shipped(
    shipped_folder: CatalogueFolder, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[httpx.AsyncClient]:
    """One application for all tests of a module that only read, on SQLite: the other database has no part in it."""
    async with client_for(shipped_folder, tmp_path_factory.mktemp("shipped") / "data") as client:
        yield client


@pytest.fixture
def recording(service: Service, engine: Engine) -> RecordingEngine:
    """What the service asks its storage from its first request on."""
    noting = RecordingEngine(engine)
    # A caller's store is made with this engine when its key is looked up.
    service.app.services.authenticator._engine = noting  # noqa: SLF001
    return noting
