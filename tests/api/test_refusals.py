"""What a browser shows in the place of a page that cannot be had; programs get the problem that they always got."""

import html
import re
from collections.abc import Callable
from typing import Any, NoReturn

import httpx
import pytest

from provender.console.sessions import new_session
from provender.model.access import new_key
from provender.model.errors import ProvenderError, StorageUnavailable
from provender.services.access import Authenticator
from provender.services.quotas import Quota
from tests.conftest import Service

# What browsers send when somebody opens an address.
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8"}


# What no storage is asked for is the same with each kind of it.
on_one_engine = pytest.mark.parametrize("settings", ["sqlite"], indirect=True)


@pytest.fixture
async def browser(service: Service) -> httpx.AsyncClient:
    client = await service.client_with(None)
    # A page is no problem of the OpenAPI document.
    client.event_hooks = {}
    return client


def _signed_in(key: str) -> dict[str, str]:
    return BROWSER | {"Cookie": new_session(key).cookie(secure=False).partition(";")[0]}


def _check(page: httpx.Response, status: int, title: str) -> None:
    assert page.status_code == status
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert f"<title>{title} · Provender</title>" in page.text
    assert f"<code>{page.headers['x-request-id']}</code>" in page.text
    assert page.headers["cache-control"] == "no-store"
    assert "accept" in page.headers["vary"]


def _raising(error: Callable[[], Exception]) -> Any:
    async def fail(*_: object) -> NoReturn:
        raise error()

    return fail


@on_one_engine
@pytest.mark.parametrize(
    "path", ["/nowhere", "/docs/nowhere", "/docs/assets/nothing.js", "/v1nowhere", "/console/0/api.js"]
)
async def test_an_address_without_a_page_says_so_and_where_to_go(browser: httpx.AsyncClient, path: str) -> None:
    page = await browser.get(path, headers=BROWSER)
    _check(page, 404, "There is nothing here")
    own = await browser.get("/sign-in", headers=BROWSER)
    for header in ("content-security-policy", "referrer-policy", "permissions-policy", "x-content-type-options"):
        assert page.headers[header] == own.headers[header]
    for address in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        assert (await browser.get(html.unescape(address), headers=BROWSER)).status_code in (200, 303)
    assert re.findall(r"<style| style=|<script(?![^>]* src=)", page.text) == []


@on_one_engine
@pytest.mark.parametrize(
    ("method", "path", "accept"),
    [
        ("GET", "/nowhere", None),
        ("GET", "/nowhere", "*/*"),
        ("GET", "/nowhere", "application/json"),
        ("GET", "/nowhere", "text/html;q=0, application/json"),
        ("GET", "/v1", BROWSER["Accept"]),
        ("GET", "/v1/nowhere", BROWSER["Accept"]),
        ("GET", "/v1/profiles", BROWSER["Accept"]),
        ("POST", "/profiles", BROWSER["Accept"]),
        ("POST", "/session", BROWSER["Accept"]),
    ],
)
async def test_a_program_gets_a_problem(browser: httpx.AsyncClient, method: str, path: str, accept: str | None) -> None:
    browser.headers.pop("accept")
    answer = await browser.request(method, path, headers={} if accept is None else {"Accept": accept})
    assert answer.status_code >= 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["request_id"] == answer.headers["x-request-id"]
    # A cache must not give it to a browser that asks for the same address.
    assert ("accept" in answer.headers.get("vary", "")) == (path == "/nowhere")


@pytest.mark.parametrize("path", ["/", "/profiles"])
async def test_a_storage_that_does_not_answer_is_a_page_that_tries_again(
    browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    error: ProvenderError = StorageUnavailable("disk full at <db-7>")
    monkeypatch.setattr(Authenticator, "authenticate", _raising(lambda: error))
    page = await browser.get(path, headers=_signed_in(new_key()))
    _check(page, 503, "The storage does not answer")
    seconds = page.headers["retry-after"]
    assert f'data-retry-after="{seconds}"' in page.text
    assert f"tries again by itself, in {seconds} seconds" in page.text
    assert "db-7" not in page.text
    [record] = [each for each in caplog.records if "db-7" in each.getMessage()]
    assert record.__dict__["request_id"] == page.headers["x-request-id"]


async def test_too_many_tries_are_a_page_that_says_how_long_to_wait(
    service: Service, browser: httpx.AsyncClient
) -> None:
    service.app.services.authenticator._unknown = Quota(3)  # noqa: SLF001 - Else it takes thousands of tries.
    for _ in range(4):
        page = await browser.get("/profiles", headers=_signed_in(new_key()))
    _check(page, 429, "Too many requests in a short time")
    seconds = page.headers["retry-after"]
    assert f'data-retry-after="{seconds}"' in page.text
    assert re.search(f"in {seconds} seconds?[.]", page.text)


async def test_a_fault_of_the_server_is_a_page_without_its_inside(
    browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Authenticator, "authenticate", _raising(lambda: ZeroDivisionError("a secret of the inside")))
    page = await browser.get("/profiles", headers=_signed_in(new_key()))
    _check(page, 500, "The server made a mistake")
    assert "secret" not in page.text
    assert "retry-after" not in page.headers
