"""Looking up a barcode in any form, typed or scanned."""

import random
from collections.abc import Callable

import pytest

from provender.console.assets import load_assets
from provender.model import gtin
from tests.browser.barriers import SCHEMES, barriers, sideways
from tests.browser.conftest import DESKTOP, PHONE, Tenant, Visitor

# Linux has no BarcodeDetector; this one sees a code in the third picture of the camera, which is Chromium's own.
_DETECTOR = """
    globalThis.BarcodeDetector = class {
        static async getSupportedFormats() { return ["ean_13", "qr_code"]; }
        constructor({ formats }) { globalThis.formats = formats; this.looks = 0; }
        async detect(video) { return ++this.looks > 2 && video.videoWidth ? [{ rawValue: "4006381333931" }] : []; }
    };
"""


def _make_food(tenant: Tenant, barcode: str) -> None:
    with tenant.client() as client:
        client.post("/v1/profiles", data={"reference_id": "bob"})
        body = {
            "profile_reference_id": "bob",
            "food_name": "Soup",
            "serving_description": "1 can",
            "metric_serving_amount": 300,
            "metric_serving_unit": "g",
            "macro_nutrients": {"energy_kcal": 100},
            "barcode": barcode,
        }
        assert client.post("/v1/foods/custom", json=body).status_code == 201


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("0425 2614", ["UPC-E", "04252614 → 042100005264 → 0042100005264"]),
        ("42100005264", ["UPC-A", "042100005264 → 0042100005264"]),
        ("0-042100-005264", ["EAN-13", "0042100005264"]),
        ("00042100005264", ["GTIN-14", "00042100005264 → 0042100005264"]),
    ],
)
def test_any_form_is_taken_and_its_conversion_is_shown(
    signed_in: Visitor, tenant: Tenant, typed: str, shown: list[str]
) -> None:
    _make_food(tenant, "0042100005264")
    page = signed_in.open("/barcode")
    page.get_by_label("Barcode, in any form").fill(typed)
    row = page.get_by_role("row", name=shown[0])
    assert shown[1] in row.inner_text()
    page.get_by_label("Profile whose own foods go first (optional)").fill("bob")
    page.get_by_role("button", name="Look it up").click()
    page.get_by_role("link", name="Soup").wait_for()


def test_what_is_wrong_with_a_code_is_said(signed_in: Visitor) -> None:
    signed_in.expected.append("404")
    page = signed_in.open("/barcode")
    for typed, said in (
        ("", "Type a barcode first"),
        ("12a", "digits only"),
        ("12345", "6 to 14 digits; this has 5"),
        ("4006381333932", "check digit is wrong"),
        ("10042100005261", "a case of several pieces"),
        ("4006381333931", "No food has the barcode 4006381333931"),
    ):
        page.get_by_label("Barcode, in any form").fill(typed)
        page.keyboard.press("Enter")
        page.get_by_role("alert").filter(has_text=said).wait_for()


def test_the_browser_reads_codes_as_the_server_does(signed_in: Visitor) -> None:
    page = signed_in.open("/barcode")
    drawn = random.Random(1)  # noqa: S311 - no secrets are drawn
    codes = ["".join(drawn.choices("0123456789", k=drawn.randint(5, 15))) for _ in range(2000)]
    # Few of those have a right check digit: these do.
    codes += [code[:-1] + gtin.check_digit(code[:-1]) for code in codes]
    script = """async ([mark, codes]) => {
        const { readAll } = await import(`/console/${mark}/gtin.js`);
        return codes.map((code) => readAll(code).map((each) =>
            [each.kind, each.digits, each.check, each.right, each.upcA, each.gtin13]));
    }"""
    ours = [
        [[r.kind, r.digits, r.check, r.check_digit, r.upc_a, r.gtin13] for r in gtin.read_all(code)] for code in codes
    ]
    assert page.evaluate(script, [load_assets().mark, codes]) == ours


def test_a_barcode_is_scanned_where_the_browser_can(visitors: Callable[..., Visitor], tenant: Tenant) -> None:
    visitor = visitors(permissions=["camera"])
    visitor.expected.append("404")
    visitor.context.add_init_script(_DETECTOR)
    visitor.sign_in(tenant.key())
    page = visitor.open("/barcode")
    page.get_by_role("button", name="Scan with the camera").click()
    page.get_by_role("alert").filter(has_text="No food has the barcode 4006381333931").wait_for()
    assert page.evaluate("globalThis.formats") == ["ean_13"]
    assert page.get_by_label("What the camera sees").is_hidden()


def test_scanning_is_not_offered_where_the_browser_cannot(signed_in: Visitor) -> None:
    page = signed_in.open("/barcode")
    assert page.get_by_role("button", name="Scan with the camera").is_hidden()


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_page_has_no_barriers(visitors: Callable[..., Visitor], tenant: Tenant, viewport: dict[str, int]) -> None:
    visitor = visitors(viewport)
    visitor.expected.append("404")
    visitor.sign_in(tenant.key())
    page = visitor.open("/barcode?code=04252614")
    assert barriers(page, SCHEMES[viewport["width"]]) == []
    assert sideways(page) <= 0
