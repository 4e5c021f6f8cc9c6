"""What a browser that has nothing yet loads for a page: all at once, and nothing twice."""

import re
from typing import TYPE_CHECKING

from provender.model.access import Scope
from tests.api.test_sessions import PAGES
from tests.browser.conftest import Tenant, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Request, Route

_MODULE = r"/console/[0-9a-f]+/([^\"]+\.js)"
_PRELOAD = re.compile(rf'<link rel="modulepreload" href="{_MODULE}">')
_SCRIPT = re.compile(rf'<script type="module" src="{_MODULE}">')


def test_a_page_preloads_what_it_needs_no_less_no_more_and_once(visitor: Visitor, tenant: Tenant) -> None:
    visitor.sign_in(tenant.key(Scope.ADMIN))
    visitor.expected.append("404")
    asked: list[str] = []
    sent: list[str] = []

    def note(request: "Request") -> None:
        asked.extend(re.findall(f"{_MODULE}$", request.url))

    def as_it_is(route: "Route") -> None:
        answer = route.fetch()
        sent.append(answer.text())
        route.fulfill(response=answer)

    def without_preloads(route: "Route") -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=_PRELOAD.sub("", answer.text()))

    def loaded(path: str, how: object) -> list[str]:
        # Where a page is routed, the browser keeps nothing: every visit is a first one.
        visitor.page.route(f"{visitor.url}{path}", how)
        asked.clear()
        # Modules and all that they import are there before a page has loaded.
        visitor.page.goto(f"{visitor.url}{path}")
        return sorted(asked)

    visitor.page.on("request", note)
    for path in (*PAGES, "/sign-in"):
        got = loaded(path, as_it_is)
        assert len(_PRELOAD.findall(sent[-1])) > (0 if path == "/sign-in" else 2)
        assert got == sorted(_PRELOAD.findall(sent[-1]) + _SCRIPT.findall(sent[-1])), path
        # What the browser finds by itself is what is needed.
        assert got == loaded(path, without_preloads), path
