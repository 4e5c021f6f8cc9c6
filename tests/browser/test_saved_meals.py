"""Saved meals and custom foods, with a browser."""

from typing import TYPE_CHECKING

from tests.browser.conftest import Visitor
from tests.browser.household import DAY, Household, choose_food, expect, press, rows, undo, visit

if TYPE_CHECKING:
    from playwright.sync_api import Locator

CUSTOM, SAVED = "/v1/foods/custom", "/v1/saved-meals"


def test_a_meal_is_saved_changed_logged_and_deleted(signed_in: Visitor, alice: Household) -> None:
    signed_in.expected.append("400")
    page = visit(signed_in, alice.address("saved-meals"))
    press(page, "New saved meal")
    press(page, "Create")
    expect(page.get_by_text("Add at least one item")).to_be_visible()
    choose_food(page, "banana raw", "Add an item")
    choose_food(page, "oats", "Add an item")
    page.locator(".edited input").first.fill("many")
    press(page, "Create")
    expect(page.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".edited li").first).to_contain_text("Must be a number.")
    page.get_by_label("Name").fill("<em>Porridge</em>")
    page.locator(".edited input").first.fill("0.5")
    press(page, "Create")
    card = page.get_by_role("region", name="<em>Porridge</em>")
    expect(card.get_by_role("heading")).to_have_text("<em>Porridge</em>")
    [listed] = alice.data(SAVED)
    meal = alice.get(f"{SAVED}/{listed['_id']}")
    assert [item["number_of_servings"] for item in meal["items"]] == [0.5, 1]
    expect(card).to_contain_text(f"{meal['totals']['macro_nutrients']['energy_kcal']:,.0f} kcal")

    press(page, "Change <em>Porridge</em>")
    page.locator(".edited").get_by_role("button", name="Remove").first.click()
    page.get_by_label("Name").fill("Oats")
    press(page, "Save")
    expect(page.get_by_role("region", name="Oats")).to_be_visible()
    assert len(alice.get(f"{SAVED}/{meal['_id']}")["items"]) == 1
    undo(page, "changed")
    expect(card).to_be_visible()
    assert alice.get(f"{SAVED}/{meal['_id']}") | {"updated_at": 0} == meal | {"updated_at": 0}

    press(page, "Log <em>Porridge</em>")
    page.get_by_label("Day", exact=True).fill(DAY)
    press(page, "Log")
    expect(page.get_by_text("logged on Mon 6 May")).to_be_visible()
    assert [log["meal"] for log in alice.logs()] == ["breakfast", "breakfast"]
    undo(page, "logged on")
    press(page, "Delete <em>Porridge</em>")
    expect(card).to_have_count(0)
    undo(page, "deleted")
    page.reload()
    expect(card).to_be_visible()
    assert alice.logs() == []
    assert [each["_id"] for each in alice.data(SAVED)] == [meal["_id"]]
    press(page, "Delete <em>Porridge</em>")
    page.get_by_role("link", name="Diary").click()
    expect(page.get_by_text("Nothing is logged on this day.")).to_be_visible()
    assert alice.data(SAVED) == []


def test_a_meal_with_a_food_that_is_gone_says_so_and_logs_the_others(signed_in: Visitor, alice: Household) -> None:
    soup, bread = alice.custom_food("Soup"), alice.custom_food("Bread", macro_nutrients={"energy_kcal": 100})
    alice.saved_meal("Supper", soup, bread)
    assert alice.client.delete(f"{CUSTOM}/{soup}", params=alice.whose).status_code == 200
    page = visit(signed_in, alice.address("saved-meals"))
    expect(page.locator(".items li").first).to_contain_text("Soup does not exist any more")
    press(page, "Log Supper")
    expect(page.get_by_role("dialog")).to_contain_text("1 of 2 items no longer exist")
    page.get_by_label("Day", exact=True).fill(DAY)
    press(page, "Log")
    expect(page.get_by_text("Supper logged")).to_be_visible()
    assert [log["food_name"] for log in alice.logs()] == ["Bread"]


def test_a_custom_food_is_made_changed_and_deleted(signed_in: Visitor, alice: Household) -> None:
    signed_in.expected.append("400")
    page = visit(signed_in, alice.address("custom-foods"))

    def control(name: str) -> "Locator":
        """In a form of 150 fields, finding one by its label takes long: a few of those are enough."""
        return page.locator(f'dialog [name="{name}"]')

    press(page, "New custom food")
    page.get_by_label("Name").fill("Granola <1> 🥣")
    control("food_type").select_option("brand")
    control("serving_description").fill("1 bowl")
    control("metric_serving_amount").fill("1.5")
    page.get_by_label("Energy (kcal)").fill("282,5")
    page.get_by_text("Vitamins", exact=True).click()
    control("vitamins[vitamin_c_in_mg]").fill("-3")
    page.get_by_text("Vitamins", exact=True).click()
    press(page, "Create")
    for name in ("metric_serving_amount", "brand_name", "vitamins[vitamin_c_in_mg]"):
        expect(control(name)).to_have_attribute("aria-invalid", "true")
        expect(control(name)).to_be_visible()
    expect(page.get_by_label("Vitamin C (mg)")).to_have_value("-3")
    control("metric_serving_amount").fill("60")
    control("brand_name").fill("Acme")
    control("vitamins[vitamin_c_in_mg]").fill("3")
    control("barcode").fill("123")
    press(page, "Create")
    expect(control("barcode")).to_have_attribute("aria-invalid", "true")
    # A UPC-E, as it is printed.
    control("barcode").fill("0 425261 4")
    press(page, "Create")
    expect(rows(page)).to_contain_text("283 kcal")
    [food] = alice.data(CUSTOM, include="vitamins,minerals")
    assert (food["food_name"], food["brand_name"], food["barcode"]) == ("Granola <1> 🥣", "Acme", "0042100005264")
    assert (food["macro_nutrients"], food["vitamins"]) == ({"energy_kcal": 282.5}, {"vitamin_c_in_mg": 3})

    # A name of the application's own is there to be changed as well.
    own = alice.whose | {"minerals": {"stardust_in_mg": 7}}
    assert alice.client.patch(f"{CUSTOM}/{food['_id']}", json=own).status_code == 200
    [food] = alice.data(CUSTOM, include="vitamins,minerals")
    page.reload()
    press(page, f"Change {food['food_name']}")
    control("food_type").select_option("generic")
    page.get_by_text("Vitamins 1 known").click()
    control("vitamins[vitamin_c_in_mg]").fill("")
    page.get_by_text("Minerals 1 known").click()
    control("minerals[stardust_in_mg]").fill("8")
    press(page, "Save")
    expect(rows(page)).not_to_contain_text("Acme")
    [changed] = alice.data(CUSTOM, include="vitamins,minerals")
    assert (changed["brand_name"], changed["vitamins"]) == (None, {})
    assert changed["minerals"] == {"stardust_in_mg": 8}
    undo(page, "changed")
    expect(rows(page)).to_contain_text("Acme")
    [back] = alice.data(CUSTOM, include="vitamins,minerals")
    assert back | {"updated_at": 0} == food | {"updated_at": 0}
    press(page, f"Delete {food['food_name']}")
    expect(rows(page)).to_have_count(0)
    undo(page, "deleted")
    page.reload()
    expect(rows(page)).to_have_count(1)
    assert alice.data(CUSTOM, include="vitamins,minerals") == [back]
    press(page, f"Delete {food['food_name']}")
    page.get_by_role("link", name="Diary").click()
    expect(page.get_by_text("Nothing is logged on this day.")).to_be_visible()
    assert alice.data(CUSTOM) == []
