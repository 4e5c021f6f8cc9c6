"""The diary's pages: what is done with a browser is looked up through the API, and the reverse."""

from datetime import datetime
from zoneinfo import ZoneInfo

import httpx
import pytest

from tests.browser.conftest import Visitor
from tests.browser.household import DAY, Household, choose_food, expect, found_foods, press, rows, typed, undo, visit
from tests.system.server import until


def test_a_food_is_added_by_keyboard_alone(signed_in: Visitor, alice: Household) -> None:
    banana = alice.food("banana raw")
    page = visit(signed_in, alice.address(date=DAY))
    expect(page.get_by_text("Nothing is logged on this day.")).to_be_visible()
    page.get_by_role("button", name="Add to lunch").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Food", exact=True)).to_be_focused()
    typed(page, "banana raw")
    expect(found_foods(page).first).to_contain_text(banana["food_name"])
    page.keyboard.press("ArrowDown")
    expect(found_foods(page).first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    expect(found_foods(page)).to_have_count(0)
    typed(page, " ")
    expect(found_foods(page).first).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Amount")).to_be_focused()
    page.keyboard.type("1,5")
    energy = f"{banana['macro_nutrients']['energy_kcal'] * 1.5:,.0f} kcal"
    expect(page.locator(".preview strong")).to_have_text(energy)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(rows(page)).to_contain_text(energy)
    expect(page.get_by_role("button", name="Add to lunch")).to_be_focused()
    [log] = alice.logs()
    assert (log["food_id"], log["number_of_servings"], log["meal"]) == (banana["_id"], 1.5, "lunch")
    undo(page, "added")
    expect(rows(page)).to_have_count(0)
    assert alice.logs() == []


def test_what_is_typed_in_haste_is_what_is_taken(signed_in: Visitor, alice: Household) -> None:
    chocolate = alice.food("milk chocolate")
    assert chocolate["_id"] != alice.food("milk")["_id"]
    page = visit(signed_in, alice.address(date=DAY))
    press(page, "Add a food")
    typed(page, "milk")
    expect(found_foods(page).first).to_be_visible()
    # Before the list has followed.
    page.keyboard.type(" chocolate")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Food", exact=True)).to_have_value(chocolate["food_name"])
    expect(page.get_by_label("Amount")).to_be_focused()


def test_a_list_that_was_closed_stays_closed(signed_in: Visitor, alice: Household) -> None:
    page = visit(signed_in, alice.address(date=DAY))
    press(page, "Add a food")
    typed(page, "milk")
    expect(found_foods(page).first).to_be_visible()
    page.keyboard.type(" c")
    page.keyboard.press("Escape")
    page.wait_for_timeout(400)
    expect(found_foods(page)).to_have_count(0)
    expect(page.get_by_role("dialog")).to_be_visible()


def test_an_entry_is_logged_by_serving_and_by_weight_changed_and_deleted(signed_in: Visitor, alice: Household) -> None:
    signed_in.expected.append("400")
    banana = alice.data("/v1/foods/search", query="banana raw", include="servings")[0]
    serving = next(each for each in banana["servings"] if "medium" in each["serving_description"])
    page = visit(signed_in, alice.address(date=DAY))
    press(page, "Add a food")
    press(page, "Add")
    expect(page.get_by_text("choose a food from the list")).to_be_visible()
    choose_food(page, "banana raw")
    page.get_by_label("Of", exact=True).select_option(serving["_id"])
    page.get_by_label("Note").fill("<b>ripe</b>")
    page.get_by_label("Meal").select_option("dinner")
    press(page, "Add")
    expect(rows(page)).to_contain_text("“<b>ripe</b>”")
    [log] = alice.logs()
    assert log["serving_description"] == serving["serving_description"]
    press(page, "Add to dinner")
    choose_food(page, "banana raw")
    page.get_by_label("Of", exact=True).select_option("Weight in g")
    page.get_by_label("Amount").fill("0")
    press(page, "Add")
    expect(page.get_by_label("Amount")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Amount").fill("177")
    press(page, "Add")
    expect(rows(page)).to_have_count(2)
    weighed = alice.logs()[1]
    assert weighed["metric_amount"] == 177

    page.get_by_role("button", name="Change").nth(1).click()
    expect(page.get_by_label("Amount")).to_have_value("177")
    # What is typed stands in the place of what was there.
    page.keyboard.type("100")
    page.get_by_label("Day", exact=True).last.fill("2024-05-07")
    page.get_by_label("Meal").select_option("snack")
    press(page, "Save")
    expect(rows(page)).to_have_count(1)
    [moved] = alice.logs("2024-05-07")
    assert (moved["_id"], moved["metric_amount"], moved["meal"]) == (weighed["_id"], 100, "snack")
    undo(page, "changed")
    expect(rows(page)).to_have_count(2)
    again = alice.logs()[1]
    assert again | {"updated_at": 0} == weighed | {"updated_at": 0}

    page.get_by_role("button", name="Delete").first.click()
    expect(rows(page)).to_have_count(1)
    expect(page.locator(".totals .big")).to_have_text(f"{weighed['macro_nutrients']['energy_kcal']:,.0f} kcal")
    undo(page, "deleted")
    expect(rows(page)).to_have_count(2)
    page.reload()
    expect(rows(page)).to_have_count(2)
    assert alice.logs() == [log, again]
    page.get_by_role("button", name="Delete").first.click()
    expect(rows(page)).to_have_count(1)
    page.get_by_role("link", name="Next day").click()
    expect(page.get_by_role("heading", level=2)).to_have_text("Tuesday, 7 May 2024")
    assert alice.logs() == [again]


def test_a_deletion_is_done_also_when_the_page_is_just_left(signed_in: Visitor, alice: Household) -> None:
    alice.log(alice.food("banana")["_id"])
    page = visit(signed_in, alice.address(date=DAY))
    page.get_by_role("button", name="Delete").click()
    expect(rows(page)).to_have_count(0)
    assert len(alice.logs()) == 1
    page.goto("about:blank")
    until(lambda: alice.logs() == [], 10, "the browser sends it while it leaves the page")


def test_a_day_and_a_meal_are_copied_and_the_copies_undone(signed_in: Visitor, alice: Household) -> None:
    banana = alice.food("banana")["_id"]
    alice.log(banana, meal="breakfast")
    alice.log(banana, meal="lunch")
    gone = alice.log(banana, meal="dinner")
    page = visit(signed_in, alice.address(date=DAY))
    page.locator("#meal-dinner").locator("xpath=../..").get_by_role("button", name="Delete").click()
    press(page, "Copy the day")
    press(page, "Copy")
    expect(page.get_by_text("2 entries copied")).to_be_visible()
    assert [log["meal"] for log in alice.logs("2024-05-07")] == ["breakfast", "lunch"]
    assert alice.client.get(f"/v1/diary-logs/{gone}").status_code == 404
    undo(page, "copied")
    press(page, "Copy lunch")
    page.get_by_label("To the day").fill("2024-05-08")
    press(page, "Copy")
    expect(page.get_by_text("1 entry copied")).to_be_visible()
    assert [log["meal"] for log in alice.logs("2024-05-08")] == ["lunch"]
    assert alice.logs("2024-05-07") == []


def test_an_empty_day_takes_the_day_before_with_one_press(signed_in: Visitor, alice: Household) -> None:
    banana = alice.food("banana")["_id"]
    alice.log(banana, meal="breakfast")
    alice.log(banana, meal="lunch", number_of_servings=2)
    page = visit(signed_in, alice.address(date="2024-05-07"))
    press(page, "Copy the day before")
    expect(rows(page)).to_have_count(2)
    expect(page.get_by_role("button", name="Copy the day", exact=True)).to_be_focused()
    assert [(log["meal"], log["number_of_servings"]) for log in alice.logs("2024-05-07")] == [
        ("breakfast", 1),
        ("lunch", 2),
    ]
    undo(page, "2 entries copied")
    expect(rows(page)).to_have_count(0)
    assert alice.logs("2024-05-07") == []
    page = visit(signed_in, alice.address(date=DAY))
    expect(page.get_by_role("button", name="Copy the day before")).to_have_count(0)
    page = visit(signed_in, alice.address(date="2024-05-09"))
    press(page, "Copy the day before")
    expect(page.get_by_text("There is nothing to copy on")).to_be_visible()


def test_a_food_that_is_found_elsewhere_is_added_to_the_diary_that_was_looked_at_last(
    signed_in: Visitor, alice: Household
) -> None:
    banana = alice.food("banana raw")
    page = signed_in.open(f"/food?id={banana['_id']}")
    expect(page.get_by_role("link", name="Add to the diary")).to_have_count(0)
    visit(signed_in, alice.address(date=DAY))
    page = signed_in.open(f"/food?id={banana['_id']}")
    page.get_by_role("link", name="Add to the diary of alice").click()
    expect(page.get_by_label("Food", exact=True)).to_have_value(banana["food_name"])
    expect(page.get_by_label("Amount")).to_be_focused()
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    expect(rows(page)).to_contain_text(banana["food_name"])
    [log] = alice.logs(None)
    assert (log["food_id"], log["number_of_servings"]) == (banana["_id"], 2)
    # It is added once: whoever loads the page anew is not asked again.
    page.reload()
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_brand_from_right_to_left_leaves_the_amount_in_its_order(signed_in: Visitor, alice: Household) -> None:
    bread = alice.custom_food("خبز", food_type="brand", brand_name="مخبز")
    alice.log(bread, number_of_servings=1000)
    alice.favorite(bread)
    alice.saved_meal("فطور", bread)
    for tab, isolated in (("diary", "مخبز"), ("favorites", "مخبز"), ("saved-meals", "خبز")):
        page = visit(signed_in, alice.address(tab, date=DAY))
        expect(page.locator("bdi", has_text=isolated)).to_be_visible()


def test_what_entries_do_not_say_is_told_and_not_counted_as_nothing(signed_in: Visitor, alice: Household) -> None:
    alice.log(alice.custom_food("Broth", macro_nutrients={"energy_kcal": 90, "total_fat_in_gm": 5}))
    alice.log(alice.custom_food("Bread <i>", macro_nutrients={"total_fat_in_gm": 1}))
    page = visit(signed_in, alice.address(date=DAY))
    expect(rows(page).filter(has_text="Bread <i>")).to_contain_text("unknown")
    expect(page.locator(".totals .big")).to_have_text("90 kcal 1 of 2 entries does not say")
    figures = page.locator(".figures dd")
    expect(figures).to_contain_text(["unknown2 of 2 entries do not say", "6 g", "unknown2 of 2 entries do not say"])
    expect(page.locator(".share")).to_have_attribute("aria-label", "Energy from: Fat 60%, not explained by them 40%")


def test_a_week_is_drawn_and_told_in_figures_and_leads_to_its_days(signed_in: Visitor, alice: Household) -> None:
    full = {"energy_kcal": 400, "total_carbohydrates_in_gm": 40, "total_fat_in_gm": 20, "total_protein_in_gm": 10}
    food = alice.custom_food("Bar", macro_nutrients=full)
    alice.log(food)
    alice.log(food, date="2024-05-09", number_of_servings=2)
    page = visit(signed_in, alice.address(date="2024-05-08", view="week"))
    expect(page.get_by_role("heading", level=2)).to_have_text("6 May to 12 May 2024")
    chart = page.get_by_role("img", name="Energy of 7 days by macros, from Mon 6 May")
    expect(chart).to_be_visible()
    parts = "each => [...each.children].map((part) => [part.getAttribute('class'), +part.getAttribute('height')])"
    monday, thursday = [bar.evaluate(parts) for bar in chart.locator(".bar").all()]
    assert [kind for kind, _ in monday] == ["carbohydrates", "fat", "protein", "rest"]
    # 160, 180, 40 and 20 kcal: as high as they are many, and twice as high for twice as much.
    scale = monday[0][1] / 160
    assert [height / scale for _, height in monday] == pytest.approx([160, 180, 40, 20])
    assert [height / scale for _, height in thursday] == pytest.approx([320, 360, 80, 40])
    page.get_by_text("The figures of the chart").click()
    cells = page.locator("tbody tr").nth(3).locator("th, td").all_inner_texts()
    assert [cell.strip() for cell in cells] == ["Thu 9 May", "1", "800 kcal", "80 g", "40 g", "20 g"]
    expect(page.locator("tfoot td").nth(1)).to_have_text("1,200 kcal")
    expect(page.locator(".averages dd").first).to_have_text("600 kcal")
    page.get_by_text("This as an API call").click()
    expect(page.locator(".calls")).to_contain_text('client.diary.summary("alice", from_="2024-05-06", to="2024-05-12")')
    chart.locator(".hit").nth(3).click()
    expect(page.get_by_role("heading", level=2)).to_have_text("Thursday, 9 May 2024")
    page.go_back()
    expect(page.get_by_role("heading", level=2)).to_have_text("6 May to 12 May 2024")
    page.get_by_role("link", name="4 weeks", exact=True).click()
    expect(page.get_by_role("heading", level=2)).to_have_text("15 April to 12 May 2024")
    expect(page.locator(".chart .hit")).to_have_count(28)
    page.get_by_label("Day", exact=True).first.fill("2023-01-01")
    expect(page.get_by_text("Nothing is logged in these days.")).to_be_visible()


def test_today_is_that_of_the_profile(signed_in: Visitor, api: httpx.Client) -> None:
    # Whatever the time is, one of them has another day than the server.
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        alice = Household(api, zone, timezone=zone)
        days = {datetime.now(ZoneInfo(zone)).date().isoformat()}
        page = visit(signed_in, alice.address(date="2024-13-45"))
        days.add(datetime.now(ZoneInfo(zone)).date().isoformat())
        assert page.get_by_label("Day", exact=True).input_value() in days
    page.get_by_role("link", name="Previous day").click()
    expect(page.get_by_role("link", name="Today")).to_be_visible()


def test_a_day_that_the_calendar_does_not_have_is_today(signed_in: Visitor, alice: Household) -> None:
    for view in ("day", "week"):
        page = visit(signed_in, alice.address(view=view, date="2024-02-31"))
        assert page.get_by_label("Day", exact=True).input_value() == datetime.now(ZoneInfo("UTC")).date().isoformat()


def test_a_note_from_right_to_left_stays_between_its_quotes(signed_in: Visitor, alice: Household) -> None:
    note = "\u0645\u0644\u0627\u062d\u0638\u0629"
    alice.log(alice.custom_food("Soup"), note=note)
    page = visit(signed_in, alice.address(date=DAY))
    expect(rows(page)).to_contain_text(f"“{note}”")
    expect(rows(page).locator("bdi")).to_have_text(note)
