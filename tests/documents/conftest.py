"""The server that stands in for `make serve`: a first start in an empty folder, on a port of its own."""

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from provender.settings import Settings
from tests.documents.running import Reader
from tests.documents.shell import Shell
from tests.system.commands import call, environment, printed
from tests.system.server import Server, serving, starting, until

# What is imported for these pages would change the answers of others.
IMPORTING = {"reference-foods.md"}


@pytest.fixture(scope="session")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Settings]]:
    """One server for nearly all pages: it builds the catalogue that ships, as a reader's own does."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("documents") / "provender-data")
    with starting(settings) as server:
        # To build the catalogue takes seconds, and many of them where others are at work.
        until(server.accepts_connections, 90, "the first start is done")
        server.wait_until_ready(workers=1)
        yield server, settings


@pytest.fixture
def arrive(first_start: tuple[Server, Settings], tmp_path: Path) -> Iterator[Callable[[str], Reader]]:
    """Makes a reader for a page, with an application of its own, so that no page sees what another one makes."""
    if shutil.which("curl") is None:
        pytest.skip("There is no curl on this machine.")
    server, settings = first_start
    with contextlib.ExitStack() as exits:

        def make_reader(page: str) -> Reader:
            used = exits.enter_context(_serving_a_copy(settings, tmp_path)) if page in IMPORTING else (server, settings)
            shell = exits.enter_context(Shell(tmp_path, environment(used[1])))
            key = printed(call("keys", "create", "--application", page, settings=used[1])).strip()
            if page.startswith("reference-"):
                # Whoever looks something up has a key already.
                shell.run(f"export KEY={key}")
            return Reader(shell, used[0], key)

        yield make_reader


@contextlib.contextmanager
def _serving_a_copy(settings: Settings, folder: Path) -> Iterator[tuple[Server, Settings]]:
    copy = Settings(data_dir=folder / "provender-data")
    copy.data_dir.mkdir(mode=0o700)
    shutil.copytree(settings.data_dir / "catalogue", copy.data_dir / "catalogue", symlinks=True)
    with serving(copy) as server:
        yield server, copy
