"""The catalogue that ships, through the API."""

from collections.abc import AsyncIterator

import httpx
import pytest

from provender.catalogue.folder import CatalogueFolder
from tests.searching import client_for


@pytest.fixture(scope="module")
async def shipped(
    shipped_folder: CatalogueFolder, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[httpx.AsyncClient]:
    """One application for all tests of a module that only read, on SQLite: the other database has no part in it."""
    async with client_for(shipped_folder, tmp_path_factory.mktemp("shipped") / "data") as client:
        yield client
