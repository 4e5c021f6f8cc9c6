"""What axe finds on a page that would keep somebody from using it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tests.browser.conftest import DESKTOP, PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Page

_SERIOUS = ("serious", "critical")
# Nothing else can be another in the dark.
_OF_COLOURS = {"runOnly": ["color-contrast"]}

# By the width of the screen: everything is looked at where there is little room, and the colours of the dark once.
SCHEMES = {PHONE["width"]: ("light",), DESKTOP["width"]: ("dark",)}


def barriers(page: "Page", schemes: Sequence[str] = ("light", "dark")) -> list[str]:
    """What is serious or worse, in light and in dark."""
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415 - Only where Playwright is installed, too.

    found = []
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        options = {"resultTypes": ["violations"]} | ({} if scheme == "light" else _OF_COLOURS)
        for violation in Axe().run(page, options=options).response["violations"]:
            if violation["impact"] in _SERIOUS:
                where = ", ".join(str(node["target"]) for node in violation["nodes"][:3])
                found.append(f"{scheme}: {violation['id']}: {violation['help']} at {where}")
    page.emulate_media(color_scheme="light")
    return found


def sideways(page: "Page") -> int:
    """By how many pixels the page is wider than the screen: on a phone nobody wants to push it to and fro."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
