"""A client for the application in this process, and one server on a socket."""

import ssl
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from provender.catalogue.folder import CatalogueFolder
from provender.settings import Settings
from provender_client import AsyncClient, Client
from tests.conftest import Service
from tests.contract import check_response
from tests.system.server import Server, serving

# Making one takes longer than a request, and nothing here is ever encrypted.
TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@pytest.fixture
async def client(service: Service) -> AsyncIterator[AsyncClient]:
    """The client of acme over ASGI, on both databases. Every answer is held against the OpenAPI document."""
    transport = httpx.ASGITransport(service.app)
    async with httpx.AsyncClient(transport=transport, event_hooks={"response": [check_response]}) as http:
        yield AsyncClient(await service.key("acme"), "http://provender.test", http_client=http)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, catalogue_folder: CatalogueFolder) -> Iterator[Server]:
    """One for all tests of a module. Its applications and profiles are those of whoever came before."""
    data_dir = tmp_path_factory.mktemp("client") / "data"
    data_dir.mkdir(mode=0o700)
    (data_dir / "catalogue").symlink_to(catalogue_folder.path)
    with serving(Settings(data_dir=data_dir)) as running:
        yield running


@pytest.fixture
def blocking(server: Server) -> Iterator[Client]:
    """The client that blocks, over a socket."""
    with httpx.Client(verify=TLS, trust_env=False) as http:
        yield Client(server.key, server.url, http_client=http)
