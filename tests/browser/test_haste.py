"""Whoever is hasty, and a network that is slow or gone: nothing is done twice, to another thing, or unseen."""

from typing import TYPE_CHECKING

from tests.browser.conftest import Visitor
from tests.browser.household import DAY, Household, choose_food, expect, press, rows, visit

if TYPE_CHECKING:
    from playwright.sync_api import Route

BARCODE = "4006381333931"
TOO_MANY = '{"status": 429, "code": "rate_limited", "detail": "Too many requests."}'


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
