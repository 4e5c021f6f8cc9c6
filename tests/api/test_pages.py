"""The pages for people under /docs."""

import re

import httpx
import pytest

from tests.conftest import Service


@pytest.fixture
async def stranger(service: Service) -> httpx.AsyncClient:
    return await service.client_with(None)


@pytest.mark.parametrize("path", ["/docs/api", "/docs/errors"])
async def test_a_page_loads_nothing_from_another_host(stranger: httpx.AsyncClient, path: str) -> None:
    page = await stranger.get(path)
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"].split("; ")
    assert {"default-src 'self'", "base-uri 'none'", "frame-ancestors 'none'", "object-src 'none'"} <= set(policy)
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["referrer-policy"] == "no-referrer"
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert all(address.startswith(("/", "#", "data:")) and not address.startswith("//") for address in loaded)
    for address in loaded:
        if address.startswith("/"):
            asset = await stranger.get(address)
            assert asset.status_code == 200
            assert len(asset.content) > 100


@pytest.mark.parametrize("name", ["nothing.js", "..%2F..%2Fsecret", "templates.py", "swagger_bundle.js"])
async def test_only_named_assets_are_served(stranger: httpx.AsyncClient, name: str) -> None:
    response = await stranger.get(f"/docs/assets/{name}")
    assert response.status_code == 404
    assert response.json()["code"] == "not_found"


async def test_a_fault_in_a_page_is_a_problem(
    stranger: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> str:
        raise ZeroDivisionError("a secret of the inside")

    monkeypatch.setattr("provender.api.pages._errors_html", fail)
    response = await stranger.get("/docs/errors")
    assert response.status_code == 500
    assert response.json()["code"] == "internal_error"
    assert "secret" not in response.text
    assert any(record.exc_info for record in caplog.records)
