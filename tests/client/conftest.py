"""Clients for the application in this process, for one server on a socket, and for a network that misbehaves."""

import ssl
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from provender.catalogue.folder import CatalogueFolder
from provender.model.access import Scope
from provender.settings import Settings
from provender_client import AsyncClient, Client
from tests.client.installing import PACKAGE, run_python
from tests.client.network import Meet, Network
from tests.client.scenarios import Scenario, run, run_async
from tests.conftest import Service
from tests.contract import check_response
from tests.system.commands import call, printed
from tests.system.server import Server, serving

# Making one takes longer than a request, and nothing here is ever encrypted.
TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@pytest.fixture
async def client(service: Service) -> AsyncIterator[AsyncClient]:
    """The client of acme over ASGI, on both databases. Every answer is held against the OpenAPI document."""
    transport = httpx.ASGITransport(service.app)
    async with httpx.AsyncClient(transport=transport, event_hooks={"response": [check_response]}) as http:
        yield AsyncClient(await service.key("acme", Scope.ADMIN), "http://provender.test", http_client=http)


@pytest.fixture(scope="module")
def server_settings(tmp_path_factory: pytest.TempPathFactory, catalogue_folder: CatalogueFolder) -> Settings:
    data_dir = tmp_path_factory.mktemp("client") / "data"
    data_dir.mkdir(mode=0o700)
    (data_dir / "catalogue").symlink_to(catalogue_folder.path)
    return Settings(data_dir=data_dir)


@pytest.fixture(scope="module")
def server(server_settings: Settings) -> Iterator[Server]:
    """One for all tests of a module. Its applications and profiles are those of whoever came before."""
    with serving(server_settings) as running:
        yield running


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the client's wheel and its source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    run_python("-m", "hatchling", "build", "--directory", str(folder), cwd=PACKAGE)
    return folder


@pytest.fixture
def blocking(server: Server, server_settings: Settings) -> Iterator[Client]:
    """The client that blocks, over a socket."""
    admin_key = printed(call("keys", "create", "--application", "acme", "--scope", "admin", settings=server_settings))
    with httpx.Client(verify=TLS, trust_env=False) as http:
        yield Client(admin_key.strip(), server.url, http_client=http)


@pytest.fixture(params=["Client", "AsyncClient"])
def meet(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Meet:
    """Runs a scenario with either client against such a network. Waiting takes no time."""

    async def meet(network: Network, scenario: Scenario, **options: Any) -> None:
        async def sleep(seconds: float) -> None:
            network.waited.append(seconds)

        monkeypatch.setattr("provender_client.drivers.sleep_async", sleep)
        monkeypatch.setattr("provender_client.drivers.sleep", network.waited.append)
        if request.param == "Client":
            with httpx.Client(transport=httpx.MockTransport(network)) as http:
                run(Client("pv_key", http_client=http, **options), scenario)
            return
        async with httpx.AsyncClient(transport=httpx.MockTransport(network.awaited)) as http_async:
            await run_async(AsyncClient("pv_key", http_client=http_async, **options), scenario)

    return meet
