"""The servers that stand in for `make serve`, each on a port of its own."""

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from provender.settings import Settings
from tests.documents.running import ADDRESS, KEY, Reader
from tests.documents.shell import Shell
from tests.system.commands import call, environment, printed, run
from tests.system.server import Server, serving, starting, until

# Products of our own making, written as Open Food Facts does, for the pages that need some; the catalogue that ships
# has none. Real ones are changed by its contributors every day.
PRODUCTS = Path(__file__).parent / "before" / "products.jsonl"
WITH_PRODUCTS = {"reference-foods.md", "reference-catalogue.md"}

Stage = tuple[Server, Settings]


@pytest.fixture(scope="session")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A first start in an empty folder: it builds the catalogue that ships, as a reader's own does."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("documents") / "provender-data")
    with starting(settings) as server:
        # To build the catalogue takes seconds, and many of them where others are at work.
        until(server.accepts_connections, 90, "the first start is done")
        server.wait_until_ready(workers=1)
        yield server, settings


@pytest.fixture(scope="session")
def with_products(first_start: Stage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Another with the same catalogue, into which some products were imported."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("documents") / "provender-data")
    settings.data_dir.mkdir(mode=0o700)
    shutil.copytree(first_start[1].data_dir / "catalogue", settings.data_dir / "catalogue", symlinks=True)
    printed(run("import", "off", str(PRODUCTS), settings=settings))
    with serving(settings) as server:
        yield server, settings


@pytest.fixture
def arrive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], Reader]]:
    """Makes a reader for a page, with an application of its own, so that no page sees what another one makes."""
    if shutil.which("curl") is None:
        pytest.skip("There is no curl on this machine.")
    with contextlib.ExitStack() as exits:

        def make_reader(page: str) -> Reader:
            stage: Stage = request.getfixturevalue("with_products" if page in WITH_PRODUCTS else "first_start")
            server, settings = stage
            shell = exits.enter_context(Shell(tmp_path, environment(settings)))
            key = printed(call("keys", "create", "--application", page, settings=settings)).strip()
            if page.startswith("reference-"):
                # Whoever looks something up has a key already.
                shell.run(f"export KEY={key}")
            return Reader(shell, {ADDRESS: server.url, KEY: key}, lambda _: server.stdout)

        yield make_reader
