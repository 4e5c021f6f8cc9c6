"""Whoever is hasty, and a network that is slow or gone: nothing is done twice, to another thing, or unseen."""

import re
from typing import TYPE_CHECKING

import pytest

from provender.model.access import Scope
from tests.browser.conftest import Tenant, Visitor
from tests.browser.household import DAY, Household, choose_food, expect, found_foods, press, rows, visit
from tests.system.server import until

if TYPE_CHECKING:
    from playwright.sync_api import Route

BARCODE = "4006381333931"
TOO_MANY = '{"status": 429, "code": "rate_limited", "detail": "Too many requests."}'


def test_a_double_click_creates_one_key_and_leaves_it_on_the_screen(visitor: Visitor, tenant: Tenant) -> None:
    visitor.sign_in(tenant.key(Scope.ADMIN))
    page = visitor.open("/keys")
    before = page.get_by_role("row").count()
    press(page, "Create a key")
    page.get_by_role("button", name="Create", exact=True).dblclick()
    expect(page.locator("#the-key")).to_contain_text("pv_")
    expect(page.get_by_role("row", include_hidden=True)).to_have_count(before + 1)
    assert page.locator("#created").is_visible()


def test_a_double_click_deletes_one_entry_and_not_the_one_that_moves_up(signed_in: Visitor, alice: Household) -> None:
    for name in ("Apple", "Bread", "Cheese"):
        alice.log(alice.custom_food(name))
    page = visit(signed_in, alice.address(date=DAY))
    rows(page).get_by_role("button", name="Delete").first.dblclick()
    expect(page.locator(".toast")).to_have_count(1)
    expect(rows(page)).to_have_count(2)


def test_a_double_click_on_log_again_logs_once(signed_in: Visitor, alice: Household) -> None:
    alice.log(alice.custom_food("Soup"))
    page = visit(signed_in, alice.address("recently-eaten"))
    page.get_by_role("button", name="Log again Soup").dblclick()
    expect(page.locator(".toast")).to_have_count(1)
    assert len(alice.logs(None)) == 2


def test_a_double_click_shows_more_foods_but_none_twice(signed_in: Visitor) -> None:
    page = signed_in.open("/?query=milk")
    page.evaluate("() => { const more = document.querySelector('#more'); more.click(); more.click(); }")
    links = page.get_by_role("list", name="Foods that were found").get_by_role("link")
    expect(links.nth(39)).to_be_visible()
    until(lambda: bool(page.evaluate("asking.now === 0")), 10, "all is there that was asked for")
    addresses = [link.get_attribute("href") for link in links.all()]
    assert len(set(addresses)) == len(addresses)


def test_a_double_click_finds_the_food_of_a_barcode_once(signed_in: Visitor, alice: Household) -> None:
    alice.custom_food("Soup", barcode=BARCODE)
    page = signed_in.open("/barcode?profile=alice")
    page.get_by_label("Barcode, in any form").fill(BARCODE)
    page.evaluate("() => { const form = document.querySelector('form'); form.requestSubmit(); form.requestSubmit(); }")
    asked = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/v1/foods/barcode')).length"
    until(lambda: bool(page.evaluate(f"{asked} === 2")), 10, "both have been asked for")
    expect(page.get_by_role("link", name="Soup").first).to_be_visible()
    assert page.get_by_role("link", name="Soup").count() == 1


def test_another_name_is_not_logged_as_the_food_chosen_before(signed_in: Visitor, alice: Household) -> None:
    alice.custom_food("Soup")
    page = visit(signed_in, alice.address(date=DAY))
    press(page, "Add a food")
    choose_food(page, "Soup")
    expect(page.get_by_label("Amount")).to_be_visible()
    page.get_by_label("Food", exact=True).fill("qxqxqx")
    expect(page.get_by_label("Amount")).to_have_count(0)
    press(page, "Add")
    expect(page.get_by_text("choose a food from the list")).to_be_visible()
    assert alice.logs() == []


def test_what_was_sent_before_cancelling_is_shown_and_can_be_undone(signed_in: Visitor, alice: Household) -> None:
    alice.custom_food("Soup")
    page = visit(signed_in, alice.address(date=DAY))
    press(page, "Add a food")
    choose_food(page, "Soup")
    expect(page.get_by_label("Amount")).to_be_visible()
    held: list[Route] = []
    # Playwright wants a function that it can mark, which a list's own is not.
    page.route("**/v1/diary-logs", lambda route: held.append(route))  # noqa: PLW0108
    press(page, "Add")
    press(page, "Cancel")
    expect(page.get_by_role("dialog")).to_have_count(0)
    held[0].continue_()
    expect(page.locator(".toast", has_text="Soup added.")).to_be_visible()
    expect(rows(page)).to_have_count(1)


def test_a_comma_that_can_be_read_in_two_ways_is_refused(signed_in: Visitor, alice: Household) -> None:
    alice.custom_food("Soup")
    page = visit(signed_in, alice.address(date=DAY))
    press(page, "Add a food")
    choose_food(page, "Soup")
    page.get_by_label("Amount").fill("1,500")
    signed_in.expected.append("400")
    press(page, "Add")
    expect(page.get_by_label("Amount")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Amount").fill("1,5")
    press(page, "Add")
    expect(rows(page)).to_have_count(1)
    assert alice.logs()[0]["number_of_servings"] == 1.5


@pytest.mark.parametrize("path", ["/catalogue", "/keys", "/usage", "/profiles", "/food?id=qH2cz3R44WDV4dIf"])
def test_a_page_that_is_refused_what_it_shows_says_so(visitor: Visitor, tenant: Tenant, path: str) -> None:
    visitor.sign_in(tenant.key(Scope.ADMIN))
    visitor.expected.append("429")
    visitor.page.route("**/v1/**", lambda route: route.fulfill(status=429, body=TOO_MANY))
    page = visitor.open(path)
    expect(page.locator("main").get_by_role("alert").filter(has_text="Too many requests.")).to_be_visible()
    assert not re.search("Loading|No such food", page.locator("main").inner_text())


def test_a_profile_that_cannot_be_read_says_so_and_is_in_the_list(signed_in: Visitor, alice: Household) -> None:
    signed_in.expected.append("429")
    signed_in.page.route("**/v1/profiles/*", lambda route: route.fulfill(status=429, body=TOO_MANY))
    page = signed_in.open("/profiles")
    expect(rows(page).filter(has_text="alice")).to_contain_text("Too many requests.")


def test_a_search_in_a_form_that_fails_says_so_in_the_form(signed_in: Visitor, alice: Household) -> None:
    signed_in.expected.append("429")
    page = visit(signed_in, alice.address(date=DAY))
    press(page, "Add a food")
    page.route("**/v1/foods/search?*", lambda route: route.fulfill(status=429, body=TOO_MANY))
    page.get_by_label("Food", exact=True).fill("soup")
    expect(page.get_by_role("dialog").get_by_text("Too many requests.")).to_be_visible()
    assert found_foods(page).count() == 0
    assert page.locator(".toast").count() == 0


def test_a_word_with_an_undo_waits_for_whoever_points_at_it(signed_in: Visitor, alice: Household) -> None:
    alice.log(alice.custom_food("Soup"))
    signed_in.page.clock.install()
    page = visit(signed_in, alice.address(date=DAY))
    rows(page).get_by_role("button", name="Delete").first.click()
    undo = page.get_by_role("button", name="Undo")
    undo.hover()
    page.clock.run_for(20_000)
    assert undo.is_visible()
    page.mouse.move(0, 0)
    page.clock.run_for(9_000)
    undo.wait_for(state="detached")
    until(lambda: alice.logs() == [], 10, "it is deleted")


@pytest.mark.parametrize("half", [False, True], ids=["all of it", "half of it"])
def test_where_only_the_answer_is_lost_it_is_written_once(signed_in: Visitor, alice: Household, half: bool) -> None:
    alice.log(alice.custom_food("Soup"))
    signed_in.expected.append("ERR_FAILED")
    page = visit(signed_in, alice.address("recently-eaten"))
    lost: list[str] = []

    def lose(route: "Route") -> None:
        if lost:
            route.continue_()
            return
        # The server has it, and the browser never hears of that.
        answer = route.fetch()
        lost.append(route.request.url)
        if half:
            route.fulfill(status=answer.status, headers={"content-type": "application/json"}, body=answer.text()[:9])
        else:
            route.abort("failed")

    page.route("**/v1/diary-logs", lose)
    page.get_by_role("button", name="Log again Soup").click()
    expect(page.locator(".toast")).to_have_count(1)
    assert len(lost) == 1
    assert len(alice.logs(None)) == 2
    # The answer has come in the end: it is known which one it was.
    press(page, "Undo")
    until(lambda: len(alice.logs(None)) == 1, 10, "it is undone")
