"""Favorites, and the foods that were eaten recently or most often, with a browser."""

from tests.browser.conftest import Visitor
from tests.browser.household import Household, choose_food, expect, press, rows, undo, visit

FAVORITES, RECENTLY = "/v1/foods/favorites", "/v1/foods/recently-eaten"


def _ids(foods: list[dict[str, object]]) -> list[object]:
    return [food["_id"] for food in foods]


def test_favorites_are_added_removed_and_brought_back(signed_in: Visitor, alice: Household) -> None:
    banana, oats = alice.food("banana raw")["_id"], alice.food("oats")["_id"]
    page = visit(signed_in, alice.address("favorites"))
    expect(page.get_by_text("No favorites yet.")).to_be_visible()
    choose_food(page, "banana raw", "Add a favorite")
    expect(rows(page)).to_have_count(1)
    choose_food(page, "oats", "Add a favorite")
    expect(rows(page)).to_have_count(2)
    assert _ids(alice.data(FAVORITES)) == [oats, banana]
    page.get_by_role("button", name="Remove").first.click()
    expect(rows(page)).to_have_count(1)
    undo(page, "is no favorite any more")
    page.reload()
    expect(rows(page)).to_have_count(2)
    assert _ids(alice.data(FAVORITES)) == [oats, banana]
    page.get_by_role("button", name="Remove").first.click()
    expect(rows(page)).to_have_count(1)
    # What is added again while its removal waits stays, and goes to the top as the API has it.
    choose_food(page, "oats", "Add a favorite")
    expect(rows(page)).to_have_count(2)
    assert _ids(alice.data(FAVORITES)) == [oats, banana]
    page.get_by_role("button", name="Remove").nth(1).click()
    page.get_by_role("link", name="Custom foods").click()
    expect(page.get_by_role("heading", name="Custom foods")).to_be_visible()
    assert _ids(alice.data(FAVORITES)) == [oats]


def test_a_list_is_paged_also_when_the_last_of_a_page_was_deleted(signed_in: Visitor, alice: Household) -> None:
    for number in range(13):
        alice.custom_food(f"Soup {number}")
    names = [f"Soup {number}" for number in range(13)][::-1]
    page = visit(signed_in, alice.address("custom-foods"))
    expect(page.locator(".entry .name")).to_have_text(names[:10])
    press(page, f"Delete {names[9]}")
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".entry .name")).to_have_text(names[10:])
    # The call that the page tells is the one that it has made.
    curl, python = page.locator(".calls code").all_text_contents()
    shown = alice.client.get(curl.split("'")[1]).json()
    assert [food["food_name"] for food in shown["data"]] == names[10:]
    last = alice.data("/v1/foods/custom")[8]["_id"]
    assert python.endswith(f'client.custom_foods.list("alice", starting_after="{last}")')
    page.get_by_role("link", name="Previous").click()
    expect(page.locator(".entry .name")).to_have_text(names[:9])


def test_eaten_foods_are_listed_by_meal_and_logged_again(signed_in: Visitor, alice: Household) -> None:
    banana, oats = alice.food("banana raw"), alice.food("oats")
    alice.log(oats["_id"], date=None, meal="breakfast")
    alice.log(oats["_id"], date=None, meal="breakfast")
    alice.log(banana["_id"], date=None, meal="dinner")
    page = visit(signed_in, alice.address("most-eaten"))
    expect(page.locator(".entry .name")).to_have_text([oats["food_name"], banana["food_name"]])
    page.get_by_role("link", name="Recently eaten").click()
    expect(page.locator(".entry .name")).to_have_text([banana["food_name"], oats["food_name"]])
    page.get_by_role("link", name="Lunch").click()
    expect(page.get_by_text("Nothing of this meal.")).to_be_visible()
    page.get_by_role("link", name="Breakfast").click()
    expect(page.locator(".entry .name")).to_have_text([oats["food_name"]])
    before = _ids(alice.logs(None))
    page.get_by_role("button", name="Log again").click()
    expect(page.get_by_text("logged today as breakfast")).to_be_visible()
    [new] = [log for log in alice.logs(None) if log["_id"] not in before]
    assert (new["food_id"], new["meal"], new["number_of_servings"]) == (oats["_id"], "breakfast", 1)
    undo(page, "logged today")
    page.get_by_role("button", name="Favorite").click()
    expect(page.get_by_text("is a favorite now")).to_be_visible()
    assert _ids(alice.logs(None)) == before
    assert _ids(alice.data(FAVORITES)) == [oats["_id"]]
    undo(page, "is a favorite now")
    page.go_back()
    expect(page.get_by_text("Nothing of this meal.")).to_be_visible()
    assert alice.data(FAVORITES) == []
