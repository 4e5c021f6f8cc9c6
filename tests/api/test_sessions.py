"""Sessions of the console: a key in a cookie, and the token that every change carries."""

import html
import re
from urllib.parse import unquote

import httpx
import pytest

from provender.console.assets import load_assets
from provender.console.sessions import COOKIE, find_session, new_session
from provender.model.access import Scope, new_key
from provender.services import access
from tests.conftest import Service

PAGES = ["/", "/food", "/barcode", "/profiles", "/profile", "/catalogue", "/keys", "/usage"]


@pytest.fixture
async def browser(service: Service) -> httpx.AsyncClient:
    """Somebody who has not signed in."""
    return await service.client_with(None)


async def _sign_in(browser: httpx.AsyncClient, key: str) -> httpx.Response:
    answer = await browser.post("/session", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 204
    return answer


async def _form_token(browser: httpx.AsyncClient) -> str:
    page = await browser.get("/profiles")
    assert page.status_code == 200
    [token] = re.findall(r'<meta name="form-token" content="([0-9a-f]{64})">', page.text)
    return str(token)


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_without_a_session_leads_to_signing_in_and_back(browser: httpx.AsyncClient, path: str) -> None:
    answer = await browser.get(f"{path}?id=a%26b")
    assert answer.status_code == 303
    assert unquote(answer.headers["location"].partition("next=")[2]) == f"{path}?id=a%26b"
    assert (await browser.get(answer.headers["location"])).status_code == 200


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_says_who_is_signed_in_and_loads_nothing_from_elsewhere(
    service: Service, browser: httpx.AsyncClient, path: str
) -> None:
    await _sign_in(browser, await service.key("acme", Scope.READ))
    page = await browser.get(path)
    assert page.status_code == 200
    assert 'data-scope="read"' in page.text
    assert ">acme <" in page.text
    assert page.headers["cache-control"] == "no-store"
    policy = page.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"} <= set(policy)
    assert "unsafe" not in page.headers["content-security-policy"]
    loaded = [html.unescape(found) for found in re.findall(r'(?:src|href)="([^"]+)"', page.text)]
    for address in loaded:
        assert address.startswith(("/", "#"))
        assert not address.startswith("//")
        if address.startswith("/console/"):
            asset = await browser.get(address)
            assert asset.status_code == 200
            assert "immutable" in asset.headers["cache-control"]
    assert "<style" not in page.text
    assert " style=" not in page.text
    assert re.findall(r"<script(?![^>]* src=)", page.text) == []


async def test_the_cookie_is_for_this_server_alone_and_for_no_script(
    service: Service, browser: httpx.AsyncClient
) -> None:
    key = await service.key("acme")
    plain = (await _sign_in(browser, key)).headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(plain.split("; "))
    assert "Secure" not in plain
    for forwarded in ("https", "https, http"):
        headers = {"Authorization": f"Bearer {key}", "X-Forwarded-Proto": forwarded}
        by_tls = (await browser.post("/session", headers=headers)).headers["set-cookie"]
        assert "Secure" in by_tls.split("; ")
        # Browsers take one of this name from this host alone, for all paths, and by TLS.
        assert by_tls.startswith("__Host-")


async def test_by_tls_no_subdomain_can_sign_somebody_in(service: Service, browser: httpx.AsyncClient) -> None:
    await (await service.client("acme")).post("/v1/profiles", data={"reference_id": "alice"})
    own, tossed = new_session(await service.key("acme")), new_session(await service.key("globex"))
    cookies = [session.cookie(secure=secure).partition(";")[0] for session, secure in ((tossed, False), (own, True))]
    headers = {"X-Forwarded-Proto": "https", "Cookie": "; ".join(cookies)}
    listed = (await browser.get("/v1/profiles", headers=headers)).json()["data"]
    assert [profile["reference_id"] for profile in listed] == ["alice"]
    assert ">acme <" in (await browser.get("/profiles", headers=headers)).text
    headers["Cookie"] = cookies[0]
    assert (await browser.get("/v1/profiles", headers=headers)).status_code == 401
    assert (await browser.get("/profiles", headers=headers)).status_code == 303


@pytest.mark.parametrize("header", [None, "Bearer nonsense", "Basic abc", "Bearer {unknown}"])
async def test_nobody_signs_in_without_a_key_that_works(browser: httpx.AsyncClient, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header.format(unknown=new_key())}
    answer = await browser.post("/session", headers=headers)
    assert answer.status_code == 401
    assert answer.json()["code"] == "unauthenticated"
    assert "set-cookie" not in answer.headers


async def test_a_session_reads_what_its_application_has(service: Service, browser: httpx.AsyncClient) -> None:
    acme, globex = await service.client("acme"), await service.client("globex")
    await acme.post("/v1/profiles", data={"reference_id": "alice"})
    await globex.post("/v1/profiles", data={"reference_id": "bob"})
    await _sign_in(browser, await service.key("acme"))
    listed = (await browser.get("/v1/profiles")).json()["data"]
    assert [profile["reference_id"] for profile in listed] == ["alice"]


async def test_a_change_by_a_session_needs_the_token_of_its_page(service: Service, browser: httpx.AsyncClient) -> None:
    await _sign_in(browser, await service.key("acme"))
    token = await _form_token(browser)
    other = new_session(await service.key("acme")).form_token
    for headers in ({}, {"X-Form-Token": ""}, {"X-Form-Token": other}, {"X-Form-Token": token[:-1]}):
        refused = await browser.post("/v1/profiles", data={"reference_id": "alice"}, headers=headers)
        assert refused.status_code == 403
        assert refused.json()["code"] == "invalid_form_token"
    assert (await browser.get("/v1/profiles")).json()["data"] == []
    taken = await browser.post("/v1/profiles", data={"reference_id": "alice"}, headers={"X-Form-Token": token})
    assert taken.status_code == 201
    assert (await browser.delete("/v1/profiles/alice")).status_code == 403
    assert (await browser.delete("/v1/profiles/alice", headers={"X-Form-Token": token})).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_a_request_of_another_site_has_no_session(
    service: Service, browser: httpx.AsyncClient, site: str
) -> None:
    await _sign_in(browser, await service.key("acme"))
    assert (await browser.get("/v1/profiles", headers={"Sec-Fetch-Site": "same-origin"})).status_code == 200
    assert (await browser.get("/v1/profiles", headers={"Sec-Fetch-Site": site})).status_code == 401


async def test_a_session_may_do_no_more_than_its_key(service: Service, browser: httpx.AsyncClient) -> None:
    await _sign_in(browser, await service.key("acme", Scope.READ))
    headers = {"X-Form-Token": await _form_token(browser)}
    refused = await browser.post("/v1/profiles", data={"reference_id": "alice"}, headers=headers)
    assert refused.json()["code"] == "insufficient_scope"


async def test_a_header_goes_before_a_cookie(service: Service, browser: httpx.AsyncClient) -> None:
    await _sign_in(browser, await service.key("acme"))
    refused = await browser.get("/v1/profiles", headers={"Authorization": f"Bearer {new_key()}"})
    assert refused.status_code == 401


async def test_a_session_ends_with_its_key(service: Service, browser: httpx.AsyncClient) -> None:
    key = await service.key("acme")
    await _sign_in(browser, key)
    await access.revoke_key(service.engine, key, service.clock())
    service.app.services.authenticator._known.clear()  # noqa: SLF001 - It would be remembered for two seconds.
    assert (await browser.get("/v1/profiles")).status_code == 401
    page = await browser.get("/profiles")
    assert page.status_code == 303
    assert page.headers["location"].endswith("&ended")


async def test_signing_out_needs_the_token_and_ends_the_session(service: Service, browser: httpx.AsyncClient) -> None:
    await _sign_in(browser, await service.key("acme"))
    assert (await browser.delete("/session")).status_code == 403
    token = await _form_token(browser)
    assert (await browser.delete("/session", headers={"X-Form-Token": token})).status_code == 204
    assert COOKIE not in browser.cookies
    assert (await browser.get("/v1/profiles")).status_code == 401


@pytest.mark.parametrize(
    "cookies",
    ["", "provender_session", "provender_session=", "provender_session=pv_x.0", "a=b; provender_session=\x00", ";;=;"],
)
def test_whatever_else_a_browser_sends_is_no_session(cookies: str) -> None:
    assert find_session(cookies, secure=False) is None


def test_odd_cookies_of_others_do_not_hide_the_session() -> None:
    session = new_session(new_key())
    value = session.cookie(secure=False).partition(";")[0]
    assert find_session(f'odd={{"a":"b, c"}}; @@; {value}; last=1', secure=False) == session


@pytest.mark.parametrize(
    "path", ["/console/0/api.js", "/console/..%2F..%2Fsettings.py/x", "/console/{mark}/pages.py", "/console/{mark}/"]
)
async def test_only_assets_are_served(browser: httpx.AsyncClient, path: str) -> None:
    answer = await browser.get(path.format(mark=load_assets().mark))
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize(
    ("method", "path", "allowed"), [("POST", "/profiles", "GET, HEAD"), ("GET", "/session", "DELETE, POST")]
)
async def test_a_method_that_a_page_does_not_take_is_refused(
    browser: httpx.AsyncClient, method: str, path: str, allowed: str
) -> None:
    answer = await browser.request(method, path)
    assert answer.status_code == 405
    assert answer.headers["allow"] == allowed
    assert f"It takes {allowed}." in answer.json()["detail"]
