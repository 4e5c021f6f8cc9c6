"""Signing in and out, with a real browser."""

from collections.abc import Callable
from urllib.parse import quote

import pytest

from provender.model.access import Scope, new_key
from tests.api.test_sessions import PAGES
from tests.browser.barriers import SCHEMES, barriers, sideways
from tests.browser.conftest import DESKTOP, PHONE, Tenant, Visitor


def test_a_key_opens_the_page_that_was_wanted_and_signing_out_closes_it(visitor: Visitor, tenant: Tenant) -> None:
    page = visitor.open("/profiles")
    assert page.title() == "Sign in · Provender"
    page.get_by_label("API key").fill(tenant.key())
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/profiles")
    assert page.get_by_role("heading", level=1).inner_text() == "Profiles"
    assert page.evaluate("document.cookie") == ""
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")
    page.goto(f"{visitor.url}/profiles")
    assert "/sign-in" in page.url


def test_a_key_that_does_not_work_is_refused_with_what_to_do(visitor: Visitor) -> None:
    visitor.expected.append("401")
    page = visitor.open("/sign-in")
    page.get_by_label("API key").fill(new_key())
    page.keyboard.press("Enter")
    page.get_by_role("alert").filter(has_text="provender keys create").wait_for()
    assert "/sign-in" in page.url


@pytest.mark.parametrize(
    ("wanted", "reached"),
    [
        ("//example.com/steal", "/"),
        ("https://example.com/steal", "/"),
        ("/\\example.com/steal", "/"),
        ("javascript:steal()", "/"),
        ("http://[", "/"),
        ("/.//example.com/steal", "//example.com/steal"),
        ("/barcode/..//example.com/steal", "//example.com/steal"),
    ],
)
def test_nobody_is_sent_to_another_site_after_signing_in(
    visitor: Visitor, tenant: Tenant, wanted: str, reached: str
) -> None:
    visitor.expected.append("404")
    page = visitor.open(f"/sign-in?next={quote(wanted, safe='')}")
    page.get_by_label("API key").fill(tenant.key(Scope.READ))
    page.keyboard.press("Enter")
    page.wait_for_url(f"{visitor.url}{reached}")


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_page_has_no_barriers(visitors: Callable[..., Visitor], viewport: dict[str, int]) -> None:
    page = visitors(viewport).open("/sign-in")
    assert barriers(page, SCHEMES[viewport["width"]]) == []
    assert sideways(page) <= 0


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_without_a_key_every_page_asks_for_one(visitors: Callable[..., Visitor], viewport: dict[str, int]) -> None:
    visitor = visitors(viewport)
    for path in PAGES:
        page = visitor.open(path)
        assert page.title() == "Sign in · Provender"
        assert page.get_by_label("API key").is_visible()
