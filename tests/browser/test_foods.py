"""Searching for foods while typing, and a food's page."""

import json
import re
import shlex
import subprocess
from collections.abc import Callable
from urllib.parse import quote

import pytest

from tests.browser.barriers import SCHEMES, barriers, sideways
from tests.browser.conftest import DESKTOP, PHONE, Tenant, Visitor

BANANA = "qH2cz3R44WDV4dIf"


def test_foods_are_found_while_typing_and_kept_in_the_address(signed_in: Visitor) -> None:
    page = signed_in.open("/")
    assert "Type the name of a food" in page.get_by_role("status").first.inner_text()
    page.get_by_label("Search the catalogue").press_sequentially("banan", delay=10)
    first = page.get_by_role("list", name="Foods that were found").get_by_role("link").first
    first.filter(has_text="Bananas, raw").wait_for()
    assert page.url.endswith("/?query=banan")
    page.get_by_label("Brands").check()
    page.wait_for_url("**/?query=banan&food_type=brand")
    page.reload()
    assert page.get_by_label("Brands").is_checked()
    page.get_by_label("All", exact=True).check()
    page.wait_for_url("**/?query=banan")
    page.get_by_label("Search the catalogue").press("ArrowDown")
    assert page.evaluate("document.activeElement.textContent") == "Bananas, raw"
    page.keyboard.press("Enter")
    page.wait_for_url("**/food?id=*")
    page.get_by_role("heading", name="Bananas, raw").wait_for()


def test_more_foods_come_on_asking_and_none_twice(signed_in: Visitor) -> None:
    page = signed_in.open("/?query=milk")
    links = page.get_by_role("list", name="Foods that were found").get_by_role("link")
    assert links.count() == 20
    page.get_by_role("button", name="Show more").click()
    links.nth(39).wait_for()
    addresses = [link.get_attribute("href") for link in links.all()]
    assert len(set(addresses)) == len(addresses) == 40


def test_what_nobody_calls_so_is_said_to_be_nothing(signed_in: Visitor) -> None:
    page = signed_in.open("/?query=" + quote("<qxqxqx>"))
    assert "Nothing is called “<qxqxqx>”" in page.get_by_role("status").first.inner_text()


def test_a_food_has_its_label_and_changes_with_its_serving(signed_in: Visitor) -> None:
    page = signed_in.open(f"/food?id={BANANA}")
    facts = page.get_by_role("region", name="Nutrition facts")
    # 200.25 kcal in a cup of 225 g; 89 kcal in 100 g.
    assert facts.get_by_text("Calories").locator("..").inner_text().split() == ["Calories", "200"]
    options = page.get_by_label("Serving").locator("option").all_text_contents()
    assert "100 g" in options
    page.get_by_label("Serving").select_option(label='1 medium (7" to 7-7/8" long) (118 g)')
    assert facts.get_by_text("Calories").locator("..").inner_text().split() == ["Calories", "105"]
    potassium = facts.get_by_role("row", name=re.compile("Potassium"))
    # 358 mg in 100 g, so 422.4 in 118 g; the daily value is 4,700 mg.
    assert potassium.inner_text().split() == ["Potassium", "422.4", "mg", "9%"]
    page.get_by_label("Amount in g").fill("100")
    assert facts.get_by_text("Calories").locator("..").inner_text().split() == ["Calories", "89"]
    assert (
        page.get_by_role("img", name=re.compile(r"Energy from Fat \d+%, Carbohydrates \d+%, Protein \d+%")).count() == 1
    )
    assert page.get_by_role("row", name=re.compile("Vitamin B6")).inner_text().endswith("22%")
    assert "21 CFR 101.9" in page.locator(".columns").inner_text()
    page.reload()
    assert facts.get_by_text("Calories").locator("..").inner_text().split() == ["Calories", "105"]


def test_the_curl_line_of_a_page_gives_what_the_page_shows(signed_in: Visitor, tenant: Tenant) -> None:
    page = signed_in.open(f"/food?id={BANANA}")
    page.get_by_text("This as an API call").click()
    line = page.locator(".code pre").first.inner_text().replace("$KEY", tenant.key())
    command = [part for part in shlex.split(line) if part.strip()]
    answer = json.loads(subprocess.run([*command, "-g", "-s"], capture_output=True, check=True).stdout)
    assert answer["food_name"] == "Bananas, raw"
    assert answer["servings"]
    assert "client.foods.retrieve(" in page.locator(".code pre").nth(1).inner_text()


def test_a_custom_food_shows_names_of_its_own_as_text(signed_in: Visitor, tenant: Tenant) -> None:
    with tenant.client() as client:
        client.post("/v1/profiles", data={"reference_id": "bob & <i>co</i>"})
        body = {
            "profile_reference_id": "bob & <i>co</i>",
            "food_name": "<script>alert(1)</script> 🍌",
            "serving_description": "1 jar",
            "metric_serving_amount": 30,
            "metric_serving_unit": "g",
            "vitamins": {"magic": 7, "vitamin_c_in_mg": 45},
        }
        made = client.post("/v1/foods/custom", json=body).json()
    page = signed_in.open(f"/food?id={made['_id']}")
    assert page.get_by_role("heading", level=1).inner_text() == "<script>alert(1)</script> 🍌"
    assert "custom food of bob & <i>co</i>" in page.locator("main").inner_text()
    assert page.get_by_role("row", name=re.compile("Vitamin C")).inner_text().endswith("50%")
    page.get_by_text("All 2 known nutrients").click()
    assert page.get_by_role("row", name="magic").inner_text().split() == ["magic", "7"]
    # Nobody has said how much energy it has: that is not zero.
    assert page.get_by_text("Calories").locator("..").inner_text().split() == ["Calories", "—"]


def test_a_food_that_is_not_there_is_said_so(signed_in: Visitor) -> None:
    signed_in.expected.append("404")
    page = signed_in.open("/food?id=0000000000000000")
    page.get_by_role("heading", name="No such food").wait_for()
    assert page.get_by_role("alert").inner_text().startswith("It may have been deleted")


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_pages_have_no_barriers(visitors: Callable[..., Visitor], tenant: Tenant, viewport: dict[str, int]) -> None:
    visitor = visitors(viewport)
    visitor.sign_in(tenant.key())
    for path in ("/", "/?query=milk", f"/food?id={BANANA}"):
        page = visitor.open(path)
        assert barriers(page, SCHEMES[viewport["width"]]) == []
        assert sideways(page) <= 0
