"""The pages about the catalogue, keys and usage."""

import math
import re
import time
from collections.abc import Callable
from datetime import timedelta

import pytest

from provender.model.access import Scope
from provender.model.times import utc_now
from tests.browser.barriers import SCHEMES, barriers, sideways
from tests.browser.conftest import DESKTOP, PHONE, Tenant, Visitor


def test_the_catalogue_shows_what_is_in_it_and_what_became_of_its_records(signed_in: Visitor, tenant: Tenant) -> None:
    with tenant.client() as client:
        catalogue = client.get("/v1/catalogue").json()
    page = signed_in.open("/catalogue")
    words = page.locator("main").inner_text()
    assert f"{catalogue['foods']:,}" in words
    assert catalogue["version"] in words
    dataset = catalogue["datasets"][0]
    row = page.get_by_role("group", name="Datasets of the version in use").get_by_role("row", name=dataset["name"])
    assert f"{dataset['foods']:,}" in row.inner_text()
    for rejection in catalogue["last_import"]["rejections"]:
        assert rejection["reason"] in words


def test_a_key_is_made_shown_once_and_revoked_with_a_way_back(visitor: Visitor, tenant: Tenant) -> None:
    visitor.sign_in(tenant.key(Scope.ADMIN))
    page = visitor.open("/keys")
    own = page.get_by_role("row", name=tenant.key(Scope.ADMIN)[:11])
    assert "yours" in own.inner_text()
    assert own.get_by_role("button").count() == 0
    page.get_by_role("button", name="Create a key").click()
    page.get_by_label("It may").select_option("read")
    page.get_by_label("At most so many requests a minute (optional)").fill("600")
    page.get_by_role("button", name="Create", exact=True).click()
    page.locator("#the-key").filter(has_text="pv_").wait_for()
    key = page.locator("#the-key").inner_text()
    with tenant.server.client(key) as client:
        assert client.get("/v1/profiles").status_code == 200
        assert client.post("/v1/profiles", data={"reference_id": "bob"}).status_code == 403
    page.get_by_role("button", name="I have it").click()
    assert key not in page.content()
    row = page.get_by_role("row", name=key[:11])
    assert "600" in row.inner_text()
    row.get_by_role("button", name=f"Revoke {key[:11]}").click()
    assert row.count() == 0
    page.get_by_role("button", name="Undo").click()
    row.get_by_role("button", name=f"Revoke {key[:11]}").click()
    # Leaving the page does what was asked for.
    page.goto(f"{visitor.url}/catalogue", wait_until="networkidle")
    with tenant.server.client(key) as client:
        deadline = time.monotonic() + 5
        while client.get("/v1/profiles").status_code != 401:
            assert time.monotonic() < deadline
            time.sleep(0.2)
    page = visitor.open("/keys")
    assert "revoked" in page.get_by_role("row", name=key[:11]).inner_text()


@pytest.mark.parametrize("clipboard", ["undefined", "{ writeText: () => Promise.reject(new Error('denied')) }"])
def test_a_key_is_said_to_be_copied_only_when_it_is(visitor: Visitor, tenant: Tenant, clipboard: str) -> None:
    # As it is on plain HTTP from another machine, and where it is forbidden.
    visitor.page.add_init_script(f"Object.defineProperty(navigator, 'clipboard', {{ value: {clipboard} }})")
    visitor.sign_in(tenant.key(Scope.ADMIN))
    page = visitor.open("/keys")
    page.get_by_role("button", name="Create a key").click()
    page.get_by_role("button", name="Create", exact=True).click()
    page.locator("#the-key").filter(has_text="pv_").wait_for()
    key = page.locator("#the-key").inner_text()
    page.evaluate("document.addEventListener('copy', () => (globalThis.copied = getSelection().toString()))")
    page.locator("#copy").click()
    page.locator("#copy").filter(has_text="Copied" if clipboard == "undefined" else "Selected").wait_for()
    says, copied = page.locator("#copy").inner_text(), page.evaluate("globalThis.copied ?? null")
    assert (says, copied) == (("Copied", key) if clipboard == "undefined" else ("Selected: copy it", None))
    assert page.evaluate("getSelection().toString()") == key


def test_keys_are_for_a_key_that_may_manage_them(signed_in: Visitor) -> None:
    page = signed_in.open("/keys")
    assert "--scope admin" in page.locator("main").inner_text()
    assert page.get_by_role("button", name="Create a key").is_hidden()


def test_usage_shows_the_requests_of_the_own_application(signed_in: Visitor, tenant: Tenant) -> None:
    with tenant.client() as client:
        for _ in range(7):
            client.get("/v1/foods/search", params={"query": "milk"})
        client.get("/v1/profiles/nobody")
    page = signed_in.open("/usage")
    row = page.get_by_role("group", name="Requests by endpoint").get_by_role("row", name="GET /v1/foods/search")
    assert row.get_by_role("cell").first.inner_text() == "7"
    refused = page.get_by_role("row", name="GET /v1/profiles/{reference_id}")
    assert [cell.inner_text() for cell in refused.get_by_role("cell").all()[:3]] == ["1", "1", "0"]
    assert page.get_by_role("img", name=re.compile("Requests from")).count() == 1
    page.get_by_label("Of the last").select_option("2 days, by the hour")
    page.wait_for_url("**/usage?days=1")
    # The figures are of yesterday and today; so is the drawing.
    page.locator(".column-chart g").nth(24).wait_for(state="attached")
    midnight = utc_now().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    hours = math.ceil((utc_now() - midnight).total_seconds() / 3600)
    assert page.locator(".column-chart g").count() == hours


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_pages_have_no_barriers(visitors: Callable[..., Visitor], tenant: Tenant, viewport: dict[str, int]) -> None:
    visitor = visitors(viewport)
    visitor.sign_in(tenant.key(Scope.ADMIN))
    with tenant.client() as client:
        client.get("/v1/foods/search", params={"query": "milk"})
    for path in ("/catalogue", "/keys", "/usage"):
        page = visitor.open(path)
        assert barriers(page, SCHEMES[viewport["width"]]) == []
        assert sideways(page) <= 0
