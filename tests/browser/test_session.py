"""A session that ends in the middle of work: nothing that was typed is lost, and nothing gets to anybody else."""

from typing import TYPE_CHECKING

import httpx
import pytest

from provender.console.sessions import new_session
from provender.model.access import Scope, new_key
from tests.browser.barriers import barriers
from tests.browser.conftest import Tenant, Visitor
from tests.browser.household import Household, expect, press, undo

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route


@pytest.fixture
def stranger(tenant: Tenant) -> Tenant:
    """Another application on the same server."""
    return Tenant(tenant.server, tenant.settings, f"{tenant.name}-other")


def _typed_and_signed_out(visitor: Visitor) -> "Page":
    """Somebody who has typed something when the twelve hours are over: the browser then has no cookie any more."""
    visitor.expected += ["401", "403"]
    page = visitor.open("/profiles")
    press(page, "New profile")
    page.get_by_label("reference_id", exact=True).last.fill("bob")
    visitor.context.clear_cookies()
    press(page, "Create")
    return page


def _names(client: httpx.Client) -> list[str]:
    return [profile["reference_id"] for profile in client.get("/v1/profiles").json()["data"]]


def test_what_was_typed_is_sent_when_somebody_has_signed_in_again(
    signed_in: Visitor, tenant: Tenant, api: httpx.Client
) -> None:
    page = _typed_and_signed_out(signed_in)
    dialog = page.get_by_role("dialog", name="Sign in again")
    expect(dialog.get_by_label("API key")).to_be_focused()
    assert barriers(page, ["light"]) == []
    page.keyboard.type(new_key())
    page.keyboard.press("Enter")
    expect(dialog.get_by_label("API key")).to_have_attribute("aria-invalid", "true")
    assert _names(api) == []
    # A key that may do more is as good, and the page says so.
    dialog.get_by_label("API key").fill(tenant.key(Scope.ADMIN))
    page.keyboard.press("Enter")
    expect(page.locator(".toast", has_text="bob created.")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".who .badge")).to_have_text("admin")
    assert _names(api) == ["bob"]
    # What comes after carries the token of the new session.
    undo(page, "bob created.")
    expect(page.get_by_text("No profiles yet.")).to_be_visible()
    assert _names(api) == []
    press(page, "Sign out")
    page.wait_for_url("**/sign-in")
    assert signed_in.context.cookies() == []


def test_what_was_typed_stays_for_whoever_does_not_sign_in(
    signed_in: Visitor, tenant: Tenant, api: httpx.Client
) -> None:
    page = _typed_and_signed_out(signed_in)
    expect(page.get_by_role("dialog", name="Sign in again").locator("#toasts")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="New profile").locator("#toasts")).to_have_count(1)
    expect(page.get_by_role("alert").filter(has_text="You are signed out.")).to_be_visible()
    expect(page.get_by_label("reference_id", exact=True).last).to_have_value("bob")
    press(page, "Create")
    page.get_by_label("API key").fill(tenant.key())
    press(page, "Sign in")
    expect(page.locator(".toast", has_text="bob created.")).to_be_visible()
    assert _names(api) == ["bob"]


def test_a_key_of_another_application_gets_nothing_of_it(
    signed_in: Visitor, stranger: Tenant, api: httpx.Client, alice: Household
) -> None:
    with stranger.client() as others:
        Household(others)
        page = _typed_and_signed_out(signed_in)
        page.get_by_label("API key").fill(stranger.key())
        press(page, "Sign in")
        page.wait_for_url(f"{signed_in.url}/")
        expect(page.locator(".who")).to_contain_text(stranger.name)
        assert _names(others) == ["alice"]
    assert _names(api) == ["alice"]


def test_nor_does_it_get_a_deletion_that_waits(signed_in: Visitor, stranger: Tenant, alice: Household) -> None:
    signed_in.expected += ["401", "403"]
    with stranger.client() as others:
        Household(others)
        page = signed_in.open("/profiles")
        press(page, "Delete alice")
        page.get_by_label("Type alice to go on").fill("alice")
        press(page, "Delete")
        expect(page.locator(".toast", has_text="alice deleted.")).to_be_visible()
        signed_in.sign_in(stranger.key())
        # What waits is deleted when the page is left, by whoever is signed in then.
        page.get_by_role("link", name="Catalogue").click()
        page.wait_for_url(f"{signed_in.url}/")
        expect(page.locator(".who")).to_contain_text(stranger.name)
        assert _names(others) == ["alice"]


def test_whoever_signed_in_again_in_another_tab_just_goes_on(
    signed_in: Visitor, tenant: Tenant, api: httpx.Client
) -> None:
    signed_in.expected.append("403")
    page = signed_in.open("/profiles")
    press(page, "New profile")
    page.get_by_label("reference_id", exact=True).last.fill("bob")
    signed_in.sign_in(tenant.key())
    press(page, "Create")
    expect(page.locator(".toast", has_text="bob created.")).to_be_visible()
    assert _names(api) == ["bob"]


def test_a_page_whose_session_has_ended_before_it_is_drawn_asks_for_a_key(signed_in: Visitor, tenant: Tenant) -> None:
    signed_in.expected.append("401")

    def end_it(route: "Route") -> None:
        answer = route.fetch()
        signed_in.context.clear_cookies()
        route.fulfill(response=answer)

    signed_in.page.route(f"{signed_in.url}/profiles", end_it, times=1)
    signed_in.page.goto(f"{signed_in.url}/profiles")
    signed_in.page.wait_for_url("**/sign-in?ended&next=*")
    signed_in.page.get_by_label("API key").fill(tenant.key())
    signed_in.page.keyboard.press("Enter")
    signed_in.page.wait_for_url(f"{signed_in.url}/profiles")


def test_whoever_signs_out_is_signed_out_also_with_a_session_of_another_tab(signed_in: Visitor, tenant: Tenant) -> None:
    signed_in.expected.append("403")
    page = signed_in.open("/profiles")
    signed_in.sign_in(tenant.key())
    press(page, "Sign out")
    page.wait_for_url("**/sign-in")
    assert signed_in.context.cookies() == []


def test_what_waits_to_be_deleted_is_deleted_before_somebody_signs_out(
    signed_in: Visitor, api: httpx.Client, alice: Household
) -> None:
    page = signed_in.open("/profiles")
    press(page, "Delete alice")
    page.get_by_label("Type alice to go on").fill("alice")
    press(page, "Delete")
    expect(page.locator(".toast", has_text="alice deleted.")).to_be_visible()
    press(page, "Sign out")
    page.wait_for_url("**/sign-in")
    assert _names(api) == []


def test_nobody_is_told_to_be_signed_out_who_is_not(signed_in: Visitor) -> None:
    signed_in.expected.append("ERR_FAILED")
    page = signed_in.open("/profiles")
    page.route("**/session", lambda route: route.abort())
    press(page, "Sign out")
    expect(page.locator(".toast", has_text="The server cannot be reached.")).to_be_visible()
    assert page.url == f"{signed_in.url}/profiles"


def test_what_was_typed_is_kept_where_the_session_of_another_tab_has_ended_too(
    signed_in: Visitor, tenant: Tenant, api: httpx.Client
) -> None:
    signed_in.expected += ["401", "403"]
    page = signed_in.open("/profiles")
    press(page, "New profile")
    page.get_by_label("reference_id", exact=True).last.fill("bob")
    # What somebody has who signed in anew in another tab, with a key that was revoked since.
    name, _, value = new_session(new_key()).cookie(secure=False).partition(";")[0].partition("=")
    signed_in.context.add_cookies([{"name": name, "value": value, "url": signed_in.url}])
    press(page, "Create")
    page.get_by_label("API key").fill(tenant.key())
    press(page, "Sign in")
    expect(page.locator(".toast", has_text="bob created.")).to_be_visible()
    assert _names(api) == ["bob"]
