"""The console over an application that `provender demo` has filled, and the pictures of it in the documents."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from provender.settings import Settings
from tests.browser.conftest import PHONE, Visitor
from tests.system.commands import printed, run
from tests.system.server import Server

BANANA = "qH2cz3R44WDV4dIf"


@pytest.fixture(scope="module")
def key(server: Server, server_settings: Settings) -> str:
    """As a process of its own: in this one the browser's event loop is running."""
    made = json.loads(printed(run("demo", "--json", settings=server_settings)))
    return str(made["key"])


def test_every_list_of_a_profile_has_something_to_show(visitor: Visitor, key: str) -> None:
    visitor.sign_in(key)
    for tab in ("favorites", "recently-eaten", "most-eaten", "saved-meals", "custom-foods"):
        page = visitor.open(f"/profile?reference_id=carol&tab={tab}")
        page.locator("main").get_by_role("button", name=re.compile("Remove|Delete|Log")).first.wait_for()
    page = visitor.open("/profile?reference_id=carol&tab=diary&view=week")
    page.get_by_role("img").first.wait_for()


def test_the_pictures_of_the_documents(visitors: Callable[..., Visitor], key: str, screenshots: Path | None) -> None:
    """Taken where a folder is named for them; the pages are opened in any case."""
    for name, path, viewport in (
        ("console-food", f"/food?id={BANANA}", None),
        ("console-diary", "/profile?reference_id=alice&tab=diary&view=week", None),
        ("console-phone", "/profile?reference_id=alice&tab=diary", PHONE),
    ):
        visitor = visitors(viewport)
        visitor.sign_in(key)
        page = visitor.open(path)
        if screenshots is not None:
            page.screenshot(path=screenshots / f"{name}.png")
