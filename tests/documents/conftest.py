"""The server that stands in for `make serve`: a first start in an empty folder, on a port of its own."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from provender.settings import Settings
from tests.documents.running import Reader
from tests.documents.shell import Shell
from tests.system.commands import call, environment, printed
from tests.system.server import Server, serving


@pytest.fixture(scope="session")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Settings]]:
    """One server for all pages: it builds the catalogue that ships, as a reader's own does."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("documents") / "provender-data")
    with serving(settings) as server:
        yield server, settings


@pytest.fixture
def reader(first_start: tuple[Server, Settings], tmp_path: Path) -> Iterator[Callable[[str], Reader]]:
    """A reader with a key for an application that nobody else has, so that no page sees what another one makes."""
    if shutil.which("curl") is None:
        pytest.skip("There is no curl on this machine.")
    server, settings = first_start
    with Shell(tmp_path, environment(settings)) as shell:

        def arrive(page: str) -> Reader:
            key = printed(call("keys", "create", "--application", page, settings=settings)).strip()
            return Reader(shell, server, key)

        yield arrive
