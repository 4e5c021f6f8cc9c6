"""What the tests of profiles' pages prepare and look up through the API, beside the browser."""

from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from playwright.sync_api import Locator, LocatorAssertions, Page

    from tests.browser.conftest import Visitor

# A Monday; no test depends on what day it is.
DAY = "2024-05-06"
# Every character that an address, HTML or a path gives a meaning to.
ODD = "a/b c?d#e% <script>alert(1)</script> 🥕"


class Household:
    """A profile, as a client of the API sees it."""

    def __init__(self, client: httpx.Client, reference_id: str = "alice", **more: Any) -> None:
        self.client = client
        self.reference_id = reference_id
        self.whose = {"profile_reference_id": reference_id}
        self.created = self.post("/v1/profiles", reference_id=reference_id, **more)

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        answer = self.client.post(path, json=body)
        assert answer.status_code in (200, 201), answer.text
        return dict(answer.json())

    def get(self, path: str, **parameters: Any) -> dict[str, Any]:
        answer = self.client.get(path, params=self.whose | parameters)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def data(self, path: str, **parameters: Any) -> list[dict[str, Any]]:
        return list(self.get(path, limit=100, **parameters)["data"])

    def logs(self, date: str | None = DAY) -> list[dict[str, Any]]:
        """Those of a day, or of all days."""
        return self.data("/v1/diary-logs", **({"date": date} if date else {"from": "1900-01-01", "to": "9999-12-31"}))

    def food(self, query: str) -> dict[str, Any]:
        """What the page's search has as its first."""
        return self.data("/v1/foods/search", query=query)[0]

    def log(self, food_id: str, **more: Any) -> str:
        return str(self.post("/v1/diary-logs", **self.whose, food_id=food_id, **({"date": DAY} | more))["_id"])

    def custom_food(self, name: str, **more: Any) -> str:
        serving = {"serving_description": "1 bowl", "metric_serving_amount": 60, "metric_serving_unit": "g"}
        return str(self.post("/v1/foods/custom", **self.whose, food_name=name, **(serving | more))["_id"])

    def favorite(self, food_id: str) -> None:
        self.post(f"/v1/foods/favorites/{food_id}", **self.whose)

    def saved_meal(self, name: str, *food_ids: str) -> str:
        items = [{"food_id": food_id} for food_id in food_ids]
        return str(self.post("/v1/saved-meals", **self.whose, name=name, meal="lunch", items=items)["_id"])

    def address(self, tab: str = "diary", **more: str) -> str:
        parameters = {"reference_id": self.reference_id, "tab": tab} | more
        return f"/profile?{httpx.QueryParams(parameters)}"


def visit(visitor: "Visitor", path: str) -> "Page":
    """Open a page that is about profiles. The last that it draws is the call for what it shows."""
    visitor.page.goto(f"{visitor.url}{path}")
    visitor.page.locator(".calls").wait_for()
    return visitor.page


def expect(found: "Locator") -> "LocatorAssertions":
    """Playwright's own, which waits until it is so. It is not imported with this file, for it may not be installed."""
    from playwright.sync_api import expect as waiting  # noqa: PLC0415

    waiting.set_options(timeout=10_000)
    return waiting(found)


def press(page: "Page", name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def undo(page: "Page", words: str) -> None:
    toast = page.locator(".toast", has_text=words)
    toast.get_by_role("button", name="Undo").click()
    expect(toast).to_have_count(0)


def choose_food(page: "Page", words: str, label: str = "Food") -> None:
    """Type, and take the first that is found."""
    page.get_by_label(label, exact=True).fill(words)
    found_foods(page).first.click()


def typed(page: "Page", words: str, label: str = "Food") -> None:
    """Type, key by key, and wait until the list is that of all of it."""
    page.get_by_label(label, exact=True).focus()
    page.keyboard.type(words)
    expect(page.get_by_label(label, exact=True)).to_have_attribute("aria-busy", "false")


def found_foods(page: "Page") -> "Locator":
    """What the search in a form has found; a choice of a form has options, too."""
    return page.locator(".found [role=option]:visible")


def rows(page: "Page") -> "Locator":
    return page.locator(".entry")
