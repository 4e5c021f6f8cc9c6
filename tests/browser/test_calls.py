"""The calls that the pages show are run as they stand there, with the key in its place."""

import contextlib
import io
import subprocess

import httpx
import pytest

from provender.model.access import Scope
from provender.model.times import utc_now
from tests.browser.conftest import Tenant, Visitor
from tests.browser.household import DAY, ODD, Household

TABS = ("diary", "favorites", "recently-eaten", "most-eaten", "saved-meals", "custom-foods")
BARCODE = "4006381333931"


@pytest.fixture
def filled(api: httpx.Client) -> Household:
    """A profile that has one of everything, with a name that every shell and language has to quote."""
    own = Household(api, f'{ODD} "it\'s" \\')
    banana = own.food("banana")["_id"]
    soup = own.custom_food("Soup", barcode=BARCODE)
    for food in (banana, soup):
        own.log(food)
        own.log(food, date=utc_now().date().isoformat(), meal="snack")
    own.favorite(banana)
    own.saved_meal("Lunch's “best”", banana, soup)
    return own


def _addresses(own: Household) -> list[str]:
    banana = own.food("banana")["_id"]
    whose = own.address().split("?")[1].split("&")[0].removeprefix("reference_id=")
    views = [own.address(view=view, date=DAY) for view in ("day", "week", "weeks")]
    meals = [own.address(tab, meal="snack") for tab in ("recently-eaten", "most-eaten")]
    return [
        "/?query=crème+'brûlée'+100%25",
        "/?query=milk&food_type=generic",
        f"/food?id={banana}",
        f"/barcode?code={BARCODE}&profile={whose}",
        "/profiles",
        *map(own.address, TABS),
        *views,
        *meals,
        "/catalogue",
        "/keys",
        "/usage",
        "/usage?days=1",
    ]


def test_every_page_shows_calls_that_work(visitor: Visitor, tenant: Tenant, filled: Household) -> None:
    key = tenant.key(Scope.ADMIN)
    visitor.sign_in(key)
    for address in _addresses(filled):
        visitor.page.goto(f"{visitor.url}{address}")
        shown = visitor.page.locator(".calls pre")
        shown.nth(1).wait_for(state="attached")
        curl, python = shown.all_text_contents()
        _run_curl(curl, key, address)
        _run_python(python, key, address)


def _run_curl(line: str, key: str, address: str) -> None:
    # With options of our own at the front: it fails where the API refuses, and says nothing else.
    asked = f'curl() {{ command curl -sS --fail-with-body "$@"; }}\n{line}'
    ran = subprocess.run(
        ["/bin/sh", "-c", asked], env={"KEY": key}, capture_output=True, text=True, timeout=30, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, ""), (address, line, ran.stdout)
    assert ran.stdout.startswith("{"), (address, line)


def _run_python(code: str, key: str, address: str) -> None:
    assert code.count('"pv_…"') == 1
    said = io.StringIO()
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(said):
        exec(compile(code.replace("pv_…", key), address, "exec"), names)  # noqa: S102 - What the page shows is tested.
    names["client"].close()  # type: ignore[attr-defined]
