"""A real Chromium in front of a real server. What it complains about in its console fails the test that it happened in.

The browser lives as long as a file of tests: while it does, its own event loop runs in this thread, and no other can.
"""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from provender.catalogue.folder import CatalogueFolder
from provender.model.access import Scope
from provender.model.times import utc_now
from provender.services import access
from provender.settings import Settings
from provender.storage.opening import open_engine
from tests.browser.household import Household
from tests.requirement import require_or_skip
from tests.system.server import Server, serving, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Response

_PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
# Everything that would call home; and root, as CI often is, has no sandbox.
_OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A camera that everybody has: it shows a pattern that moves.
    "--use-fake-device-for-media-stream",
)

# Playwright's own "networkidle" waits for half a second each time. This is told by what the page itself has asked for.
_COUNT_REQUESTS = """
    globalThis.asking = { now: 0, last: 0 };
    const counted = (ask) => async function (...what) {
        asking.now += 1;
        try { return await ask.apply(this, what); } finally { asking.now -= 1; asking.last = performance.now(); }
    };
    globalThis.fetch = counted(globalThis.fetch);
    Response.prototype.json = counted(Response.prototype.json);
"""
_IS_QUIET = "document.readyState === 'complete' && asking.now === 0 && performance.now() - asking.last > 80"

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}

_numbers = count(1)


@pytest.fixture(scope="session")
def server_settings(tmp_path_factory: pytest.TempPathFactory, shipped_folder: CatalogueFolder) -> Settings:
    data_dir = tmp_path_factory.mktemp("console") / "data"
    data_dir.mkdir(mode=0o700)
    (data_dir / "catalogue").symlink_to(shipped_folder.path)
    return Settings(data_dir=data_dir)


@pytest.fixture(scope="session")
def server(server_settings: Settings) -> Iterator[Server]:
    """One server with the shipped foods for all tests; each has an application of its own."""
    with serving(server_settings) as running:
        yield running


@dataclass
class Tenant:
    """An application, with a key of each scope that was asked for."""

    server: Server
    settings: Settings
    name: str
    keys: dict[Scope, str] = field(default_factory=dict)

    def key(self, scope: Scope = Scope.WRITE) -> str:
        if scope not in self.keys:

            async def create() -> str:
                engine = await open_engine(self.settings)
                try:
                    return await access.create_key(engine, self.name, scope, utc_now())
                finally:
                    await engine.close()

            # In a thread of its own: in this one the browser's loop is running.
            with ThreadPoolExecutor(1) as thread:
                self.keys[scope] = thread.submit(lambda: asyncio.run(create())).result()
        return self.keys[scope]

    def client(self) -> httpx.Client:
        return self.server.client(self.key())


@pytest.fixture
def tenant(server: Server, server_settings: Settings) -> Tenant:
    """An application that nobody has used yet."""
    return Tenant(server, server_settings, f"acme-{next(_numbers)}")


@pytest.fixture
def api(tenant: Tenant) -> Iterator[httpx.Client]:
    """The application's own client, to prepare what a page shows, and to look up what it has done."""
    with tenant.client() as client:
        yield client


@pytest.fixture
def alice(api: httpx.Client) -> Household:
    return Household(api)


@pytest.fixture(scope="module")
def chromium() -> "Iterator[Browser]":
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if program is None:
        require_or_skip("browser", "there is no Chromium; apt install chromium")
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - It may not be installed.
    except ModuleNotFoundError:
        require_or_skip("browser", "Playwright is not installed; make browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(_OPTIONS))
        yield browser
        browser.close()


@dataclass
class Visitor:
    """Somebody with a browser: signs in with a key, and opens pages."""

    context: "BrowserContext"
    page: "Page"
    url: str
    complaints: list[str] = field(default_factory=list)
    # Parts of complaints that a test provokes, such as the status of an answer that it wants refused.
    expected: list[str] = field(default_factory=list)

    def sign_in(self, key: str) -> None:
        """As the form does it, without the form, which has tests of its own."""
        answer = self.context.request.post(f"{self.url}/session", headers={"Authorization": f"Bearer {key}"})
        assert answer.status == 204

    def open(self, path: str) -> "Page":
        self.page.goto(f"{self.url}{path}")
        until(lambda: bool(self.page.evaluate(_IS_QUIET)), 10, f"{path} has what it asked for")
        return self.page

    def unexpected(self) -> list[str]:
        return [said for said in self.complaints if not any(part in said for part in self.expected)]


@pytest.fixture
def visitors(chromium: "Browser", server: Server) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors; after the test, none of them may have seen a complaint in the browser's console."""
    made: list[Visitor] = []

    def visitor(viewport: dict[str, int] | None = None, **options: Any) -> Visitor:
        context = chromium.new_context(viewport=viewport or DESKTOP, locale="en-GB", **options)
        context.set_default_timeout(10_000)
        context.add_init_script(_COUNT_REQUESTS)
        new = Visitor(context, context.new_page(), server.url)
        new.page.on("console", lambda message: _note_message(new, message))
        new.page.on("pageerror", lambda error: new.complaints.append(f"{error.name}: {error.message}"))
        new.page.on("response", lambda response: _note_response(new, response))
        made.append(new)
        return new

    yield visitor
    for each in made:
        each.context.close()
    assert [each.unexpected() for each in made if each.unexpected()] == []


def _note_message(visitor: Visitor, message: "ConsoleMessage") -> None:
    if message.type in ("error", "warning"):
        visitor.complaints.append(f"{message.type}: {message.text}")


def _note_response(visitor: Visitor, response: "Response") -> None:
    if not response.url.startswith((visitor.url, "blob:", "data:")):
        visitor.complaints.append(f"another host was asked: {response.url}")


@pytest.fixture
def visitor(visitors: Callable[..., Visitor]) -> Visitor:
    """Somebody at a desk, not signed in."""
    return visitors()


@pytest.fixture
def signed_in(visitor: Visitor, tenant: Tenant) -> Visitor:
    """Somebody at a desk who has signed in with a key that may write."""
    visitor.sign_in(tenant.key())
    return visitor


@pytest.fixture
def screenshots(request: pytest.FixtureRequest) -> Path | None:
    """Where screenshots for the documents go, if somebody asked for them with --screenshots."""
    folder = request.config.getoption("--screenshots")
    return Path(folder) if folder else None
