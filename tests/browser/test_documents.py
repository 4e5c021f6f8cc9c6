"""The site of documents, in a real browser: one page of each kind, and its search."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.barriers import barriers, sideways
from tests.browser.conftest import DESKTOP, PHONE, Visitor
from tests.browser.household import expect

KINDS = ("", "tutorial.html", "how-to-use-the-console.html", "reference-keys.html", "decisions/0031-the-console.html")


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_page_of_each_kind_has_no_barriers_and_the_search_finds_a_word(
    visitors: Callable[..., Visitor], site: Path, viewport: dict[str, int]
) -> None:
    visitor = visitors(viewport)
    page = visitor.page
    for name in KINDS:
        page.goto(f"{visitor.url}/docs/{name}")
        assert sideways(page) <= 0, name
        # All that can be wrong where there is little room, which is the same elsewhere; the colours of the dark once.
        schemes = ["light"] if viewport is PHONE else ["dark"][: name == KINDS[-1]]
        assert barriers(page, schemes) == [], name
    if viewport is PHONE:
        page.locator("header.mobile-header .nav-overlay-icon").click()
    page.get_by_role("textbox", name="Search").fill("barcode")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=barcode*")
    found = page.locator("#search-results li a")
    expect(found.filter(has_text="Foods").first).to_be_visible()
    found.filter(has_text="Foods").first.click()
    expect(page.locator("article")).to_contain_text("barcode")


@pytest.mark.parametrize("query", ["429", "rate limit"])
def test_a_status_is_found_and_what_helps_comes_before_why_it_is_so(
    visitors: Callable[..., Visitor], site: Path, query: str
) -> None:
    visitor = visitors(DESKTOP)
    visitor.page.goto(f"{visitor.url}/docs/search.html?q={query}")
    found = visitor.page.locator("#search-results li > a")
    expect(found.first).to_be_visible()
    expect(visitor.page.locator("#search-results .search-summary")).to_contain_text("finished")
    titles = found.all_inner_texts()
    decisions = [place for place, title in enumerate(titles) if title.startswith("0")]
    assert all(titles.index("Limits") < place for place in decisions), titles
