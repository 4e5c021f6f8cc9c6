"""Storage for servers: shared by the tests of one file where each needs a server, but not one of its own."""

import asyncio
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from provender.catalogue.folder import CatalogueFolder
from provender.model.access import Scope
from provender.model.times import utc_now
from provender.services import access
from provender.settings import Settings
from provender.storage.opening import open_engine
from tests.conftest import PostgresqlServer
from tests.torture.postgresql import OwnPostgresql, run_own_postgresql


def _with_catalogue(data_dir: Path, catalogue_folder: CatalogueFolder) -> Path:
    """Where there is a catalogue already, a server does not take the time to build one."""
    data_dir.mkdir(mode=0o700)
    (data_dir / "catalogue").symlink_to(catalogue_folder.path)
    return data_dir


@pytest.fixture
def data_dir(tmp_path: Path, catalogue_folder: CatalogueFolder) -> Path:
    """A data folder with a catalogue and nothing else."""
    return _with_catalogue(tmp_path / "data", catalogue_folder)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def shared_settings(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, catalogue_folder: CatalogueFolder
) -> Settings:
    folder = _with_catalogue(tmp_path_factory.mktemp("shared") / "data", catalogue_folder)
    if request.param == "sqlite":
        return Settings(data_dir=folder)
    server: PostgresqlServer = request.getfixturevalue("postgresql")
    return Settings(data_dir=folder, database_url=asyncio.run(server.new_database()))


@pytest.fixture(scope="session")
def own_postgresql() -> Iterator[OwnPostgresql]:
    """A PostgreSQL server that a test may kill. Whoever does starts it again."""
    with run_own_postgresql() as server:
        yield server


@pytest.fixture
def key(shared_settings: Settings) -> str:
    """A key of an application that nobody has used yet."""

    async def create() -> str:
        engine = await open_engine(shared_settings)
        try:
            await engine.migrate()
            return await access.create_key(engine, f"application-{secrets.token_hex(4)}", Scope.WRITE, utc_now())
        finally:
            await engine.close()

    return asyncio.run(create())
