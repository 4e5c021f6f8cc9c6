"""The list of profiles: all that can be done there is done with a browser, and looked up through the API."""

from collections.abc import Callable
from urllib.parse import quote

import httpx

from provender.model.access import Scope
from tests.browser.barriers import barriers, sideways
from tests.browser.conftest import PHONE, Tenant, Visitor
from tests.browser.household import DAY, ODD, Household, expect, found_foods, press, rows, undo, visit


def test_a_profile_is_created_changed_and_shown_whatever_it_is_called(signed_in: Visitor, api: httpx.Client) -> None:
    signed_in.expected += ["400", "409"]
    page = visit(signed_in, "/profiles")
    expect(page.get_by_text("No profiles yet.")).to_be_visible()
    press(page, "New profile")
    assert "Europe/Berlin" in page.locator("datalist option").evaluate_all("all => all.map((each) => each.value)")
    page.get_by_label("reference_id").fill(ODD)
    page.get_by_label("Time zone").fill("Mars/Base")
    press(page, "Create")
    expect(page.get_by_label("Time zone")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("dialog").get_by_text("Must be the IANA name of a time zone")).to_be_visible()
    expect(page.get_by_label("Time zone")).to_be_focused()
    page.get_by_label("Time zone").fill("Asia/Tokyo")
    press(page, "Create")
    expect(rows(page)).to_have_count(1)
    at = f"/v1/profiles/{quote(ODD, safe='')}"
    profile = api.get(at).json()
    assert profile["timezone"] == "Asia/Tokyo"
    press(page, f"Change {ODD}")
    page.get_by_label("Time zone").fill("")
    press(page, "Save")
    expect(rows(page)).to_contain_text("UTC")
    assert api.get(at).json()["timezone"] is None
    undo(page, "changed")
    expect(rows(page)).to_contain_text("Asia/Tokyo")
    assert api.get(at).json()["timezone"] == "Asia/Tokyo"
    press(page, "New profile")
    page.get_by_label("reference_id").fill(ODD)
    press(page, "Create")
    expect(page.get_by_label("reference_id")).to_have_attribute("aria-invalid", "true")
    press(page, "Cancel")
    page.get_by_role("link", name=ODD, exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(ODD)
    page.get_by_role("link", name="Most eaten").click()
    expect(page.get_by_role("heading", name="Most eaten")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text(ODD)


def test_a_profile_is_deleted_when_its_name_is_typed_and_nobody_undoes_it(
    signed_in: Visitor, api: httpx.Client
) -> None:
    alice = Household(api, timezone="Europe/Berlin")
    page = visit(signed_in, "/profiles")
    press(page, "Delete alice")
    expect(page.get_by_role("dialog")).to_contain_text("food diary, custom foods, saved meals and favorites")
    expect(page.get_by_label("Type alice to go on")).to_be_focused()
    page.get_by_label("Type alice to go on").fill("Alice")
    press(page, "Delete")
    expect(page.get_by_text("letter for letter")).to_be_visible()
    page.get_by_label("Type alice to go on").fill("alice")
    press(page, "Delete")
    expect(rows(page)).to_have_count(0)
    undo(page, "alice deleted")
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_role("button", name="Delete alice")).to_be_focused()
    page.reload()
    assert alice.client.get("/v1/profiles/alice").json() == alice.created
    press(page, "Delete alice")
    page.get_by_label("Type alice to go on").fill("alice")
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(0)
    # Whoever makes it anew before the old one is gone gets the new one.
    press(page, "New profile")
    page.get_by_label("reference_id").fill("alice")
    press(page, "Create")
    expect(rows(page)).to_have_count(1)
    assert alice.client.get("/v1/profiles/alice").json()["_id"] != alice.created["_id"]
    press(page, "Delete alice")
    page.get_by_label("Type alice to go on").fill("alice")
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(0)
    page.get_by_role("link", name="Usage").click()
    page.wait_for_url("**/usage")
    assert alice.client.get("/v1/profiles/alice").status_code == 404


def test_profiles_are_paged_in_both_directions_and_found_by_name(signed_in: Visitor, api: httpx.Client) -> None:
    signed_in.expected.append("404")
    names = [Household(api, f"user-{number:02}").reference_id for number in range(12)][::-1]
    page = visit(signed_in, "/profiles")
    expect(page.locator(".entry .name")).to_have_text(names[:10])
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".entry .name")).to_have_text(names[10:])
    expect(page.get_by_role("link", name="Next")).to_have_count(0)
    page.get_by_role("link", name="Previous").click()
    expect(page.locator(".entry .name")).to_have_text(names[:10])
    expect(page.get_by_role("link", name="Previous")).to_have_count(0)
    page.go_back()
    expect(page.locator(".entry .name")).to_have_text(names[10:])
    page.get_by_label("Find a profile").fill("nobody")
    press(page, "Open")
    expect(page.get_by_role("alert")).to_have_text("There is no profile “nobody”.")
    page.get_by_label("Find a profile").fill("user-05")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("user-05")


def test_a_row_that_nobody_sees_asks_for_nothing(visitors: Callable[..., Visitor], tenant: Tenant) -> None:
    visitor = visitors(PHONE)
    visitor.sign_in(tenant.key())
    with tenant.client() as client:
        alice = Household(client, "user-0", timezone="Asia/Tokyo")
        for number in range(1, 10):
            Household(client, f"user-{number}")
        for number in range(10):
            alice.saved_meal(f"Meal {number}", *[alice.food("banana")["_id"]] * 5)
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url.split("/v1/")[-1]))
    page = visitor.open("/profiles")
    expect(rows(page).first).to_contain_text("UTC")
    assert "profiles/user-9" in asked
    assert "profiles/user-0" not in asked
    rows(page).last.scroll_into_view_if_needed()
    expect(rows(page).last).to_contain_text("Asia/Tokyo")
    # What was asked for once is not asked for again, when the list is drawn anew.
    press(page, "Delete user-0")
    page.get_by_label("Type user-0 to go on").fill("user-0")
    press(page, "Delete")
    undo(page, "user-0 deleted")
    expect(rows(page).last).to_contain_text("Asia/Tokyo")
    assert asked.count("profiles/user-0") == 1

    page = visitor.open(alice.address("saved-meals"))
    cards = page.locator(".saved")
    expect(cards.first).to_contain_text("kcal")
    expect(cards.last).not_to_contain_text("kcal")
    assert sum(path.startswith("saved-meals/") for path in asked) < 5
    cards.last.scroll_into_view_if_needed()
    expect(cards.last).to_contain_text("kcal")


def test_an_export_is_imported_again_under_another_name(signed_in: Visitor, alice: Household) -> None:
    alice.log(alice.food("banana")["_id"], note="before the run")
    page = visit(signed_in, "/profiles")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export alice").click()
    assert download.value.suggested_filename == "alice.json"
    press(page, "Import")
    press(page.locator("dialog"), "Import")
    expect(page.get_by_text("Choose a file.")).to_be_visible()
    page.get_by_label("File", exact=True).set_input_files(download.value.path())
    page.get_by_label("reference_id", exact=True).fill("alice-2")
    press(page.locator("dialog"), "Import")
    expect(rows(page)).to_have_count(2)
    [log] = alice.data("/v1/diary-logs", profile_reference_id="alice-2", date=DAY)
    assert log["note"] == "before the run"
    undo(page, "alice-2 imported")
    expect(rows(page)).to_have_count(1)
    assert alice.client.get("/v1/profiles/alice-2").status_code == 404


TABS = ("favorites", "recently-eaten", "most-eaten", "saved-meals", "custom-foods")


def test_a_key_that_reads_sees_everything_and_is_offered_no_change(
    visitor: Visitor, tenant: Tenant, alice: Household
) -> None:
    fill(alice)
    visitor.sign_in(tenant.key(Scope.READ))
    page = visit(visitor, "/profiles")
    expect(rows(page)).to_have_count(1)
    expect(page.locator("main").get_by_role("button")).to_have_text(["Open"])
    page.get_by_role("link", name="Export").wait_for()
    for address in [alice.address(date=DAY), *(alice.address(tab) for tab in TABS)]:
        page = visit(visitor, address)
        expect(page.locator("main")).to_contain_text("Granola")
        assert page.locator("main button:visible").count() == 0
        assert page.locator("main input:not([type=date])").count() == 0


def test_no_view_has_barriers_or_is_wider_than_a_phone(
    visitors: Callable[..., Visitor], tenant: Tenant, alice: Household
) -> None:
    bob = Household(alice.client, "b" * 255)
    fill(alice)
    visitor = visitors(PHONE)
    visitor.sign_in(tenant.key())
    found = []
    filled = [alice.address(date=DAY), alice.address(date=DAY, view="week"), *map(alice.address, TABS)]
    for path in ("/profiles", *filled, bob.address(date=DAY), *map(bob.address, TABS)):
        page = visit(visitor, path)
        page.locator("details").evaluate_all("all => all.forEach((each) => (each.open = true))")
        # The other lists have no other colours.
        schemes = ("light", "dark") if path in (*filled[:2], alice.address("saved-meals")) else ("light",)
        # Empty lists are alike.
        if path not in map(bob.address, TABS[1:]):
            found += [f"{path}: {each}" for each in barriers(page, schemes)]
        if sideways(page) > 0:
            found.append(f"{path}: {sideways(page)} px wider than the screen")
    page = visit(visitor, alice.address(date=DAY))
    press(page, "Add a food")
    page.get_by_label("Food", exact=True).fill("banana")
    found_foods(page).first.wait_for()
    assert found + barriers(page) == []


def fill(alice: Household) -> None:
    """Something in every tab, and all of it today as well."""
    granola = alice.custom_food("Granola", macro_nutrients={"energy_kcal": 282})
    banana = alice.food("banana")["_id"]
    for food_id in (banana, granola):
        alice.favorite(food_id)
        alice.log(food_id)
        alice.log(food_id, date=None, meal="breakfast")
    alice.saved_meal("Granola with banana", granola, banana)
