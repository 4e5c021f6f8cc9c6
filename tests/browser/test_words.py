"""Words with an undo, while a dialog keeps everything else out of reach."""

from typing import TYPE_CHECKING

from provender.model.access import Scope
from tests.browser.barriers import barriers
from tests.browser.conftest import Tenant, Visitor
from tests.browser.household import DAY, Household, expect, press, rows, undo, visit
from tests.system.server import until

if TYPE_CHECKING:
    from playwright.sync_api import Page


def _deleted_and_a_dialog(visitor: Visitor, alice: Household) -> "Page":
    alice.log(alice.custom_food("Soup"))
    page = visit(visitor, alice.address(date=DAY))
    rows(page).get_by_role("button", name="Delete").click()
    press(page, "Add a food")
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


def test_undo_is_in_reach_of_mouse_and_keyboard_while_a_dialog_is_open(signed_in: Visitor, alice: Household) -> None:
    page = _deleted_and_a_dialog(signed_in, alice)
    # What a screen reader finds in a dialog that is open is what is in it.
    expect(page.get_by_role("dialog").get_by_role("status").get_by_text("deleted")).to_be_visible()
    assert barriers(page, ["light"]) == []
    page.get_by_role("dialog").get_by_role("button", name="Cancel").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Undo")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".entry")).to_have_count(1)
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    # The next one, by mouse: from the page into a dialog, out of it and into the next.
    rows(page).get_by_role("button", name="Delete").click()
    press(page, "Add a food")
    press(page, "Cancel")
    press(page, "Add a food")
    undo(page, "deleted")
    expect(page.locator(".entry")).to_have_count(1)
    assert len(alice.logs()) == 1


def test_what_was_deleted_is_deleted_in_time_also_under_a_dialog(signed_in: Visitor, alice: Household) -> None:
    signed_in.page.clock.install()
    page = _deleted_and_a_dialog(signed_in, alice)
    page.clock.run_for(9_000)
    expect(page.locator(".toast")).to_have_count(0)
    until(lambda: alice.logs() == [], 10, "it is deleted")


def test_a_word_that_moves_away_from_under_the_pointer_goes_on(signed_in: Visitor, alice: Household) -> None:
    signed_in.page.clock.install()
    page = _deleted_and_a_dialog(signed_in, alice)
    page.get_by_role("button", name="Undo").hover()
    page.clock.run_for(9_000)
    expect(page.locator(".toast")).to_have_count(1)
    # It moves with the pointer and the focus on it, and both are noticed when they leave it.
    page.get_by_role("button", name="Undo").focus()
    page.keyboard.press("Escape")
    expect(page.locator("body > #toasts .toast")).to_have_count(1)
    page.mouse.move(0, 0)
    page.clock.run_for(9_000)
    until(lambda: alice.logs() == [], 10, "it is deleted")


def test_a_dialog_that_comes_after_another_has_the_words_and_the_page_has_them_at_last(
    visitor: Visitor, tenant: Tenant
) -> None:
    visitor.sign_in(tenant.key(Scope.ADMIN))
    tenant.key(Scope.READ)
    page = visitor.open("/keys")
    page.get_by_role("button", name="Revoke").first.click()
    press(page, "Create a key")
    press(page, "Create")
    undo(page, "revoked")
    press(page, "I have it")
    expect(page.locator("body > #toasts")).to_have_count(1)


def test_many_words_in_a_row_leave_the_page_in_sight_and_each_can_be_undone(
    signed_in: Visitor, alice: Household
) -> None:
    soup = alice.custom_food("Soup")
    for _ in range(8):
        alice.log(soup)
    page = visit(signed_in, alice.address(date=DAY))
    for left in range(7, -1, -1):
        rows(page).first.get_by_role("button", name="Delete").click()
        expect(rows(page)).to_have_count(left)
    words = page.locator("#toasts")
    box = words.bounding_box()
    assert box is not None
    assert box["height"] < 200
    # A screen reader is told the new one, and not all of them again.
    expect(words).to_have_attribute("aria-atomic", "false")
    # The newest is seen; the oldest comes into sight when somebody goes to it.
    expect(words.get_by_role("button", name="Undo").first).to_be_in_viewport()
    oldest = words.get_by_role("button", name="Undo").last
    assert not _is_seen_in(page)
    oldest.focus()
    assert _is_seen_in(page)
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(1)


def _is_seen_in(page: "Page") -> bool:
    """Whether the last of the words is where a press would meet it."""
    return bool(
        page.evaluate("""() => {
            const last = [...document.querySelectorAll("#toasts button")].at(-1);
            const { x, y, width, height } = last.getBoundingClientRect();
            return document.elementFromPoint(x + width / 2, y + height / 2) === last;
        }""")
    )
