"""Pages that cannot be shown, in a real browser."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from provender.console.refusals import refusal_page
from provender.model.errors import StorageUnavailable
from tests.browser.barriers import SCHEMES, barriers, sideways
from tests.browser.conftest import DESKTOP, PHONE, Visitor
from tests.browser.household import expect

if TYPE_CHECKING:
    from playwright.sync_api import Route

# What the server sends for it; tests of the API see that it does.
_REFUSAL = refusal_page(StorageUnavailable("…"), 503, "request-7", {"retry-after": "1"})


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_page_has_no_barriers_and_leads_on(visitors: Callable[..., Visitor], viewport: dict[str, int]) -> None:
    visitor = visitors(viewport)
    visitor.expected.append("404")
    page = visitor.open("/nowhere/<b>")
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    assert barriers(page, SCHEMES[viewport["width"]]) == []
    assert sideways(page) <= 0
    page.get_by_role("link", name="Profiles").click()
    expect(page.get_by_label("API key")).to_be_visible()


def test_a_page_that_could_not_be_shown_is_shown_when_it_can_be(visitor: Visitor) -> None:
    visitor.expected.append("503")
    tries: list[float] = []

    def refuse_twice(route: "Route") -> None:
        tries.append(time.monotonic())
        if len(tries) > 2:
            route.continue_()
            return
        headers = {name.decode(): value.decode() for name, value in _REFUSAL.raw_headers}
        route.fulfill(status=503, headers=headers, body=bytes(_REFUSAL.body))

    visitor.page.route("**/sign-in", refuse_twice)
    visitor.page.goto(f"{visitor.url}/sign-in")
    expect(visitor.page.get_by_text("tries again by itself, in 1 second.")).to_be_visible()
    expect(visitor.page.get_by_label("API key")).to_be_visible()
    # The first, one in vain, one that sees that it works, and the page itself.
    assert len(tries) == 4
    # Whoever asks in vain waits for longer.
    assert tries[2] - tries[1] > 1.9
