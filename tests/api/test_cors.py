"""Which web pages may read answers: none, unless some are named."""

from dataclasses import replace

import httpx
import pytest

from provender.settings import Settings
from tests.conftest import Service

PAGE = "https://app.example"
OTHER = "https://evil.example"
ASKS = {"Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": "authorization"}


@pytest.fixture(params=[None, (PAGE, "http://localhost:3000"), ("*",)], ids=["off", "named", "any"])
def origins(request: pytest.FixtureRequest) -> tuple[str, ...] | None:
    named: tuple[str, ...] | None = request.param
    return named


@pytest.fixture
def settings(settings: Settings, origins: tuple[str, ...] | None) -> Settings:
    return replace(settings, cors_origins=origins)


def _cors(response: httpx.Response) -> dict[str, str]:
    return {
        name: value for name, value in response.headers.items() if name.startswith("access-control") or name == "vary"
    }


def _expected(origins: tuple[str, ...] | None, origin: str | None) -> str | None:
    if origins is None or origin is None:
        return None
    return "*" if origins == ("*",) else origin if origin in origins else None


@pytest.mark.parametrize("origin", [None, PAGE, OTHER, "null", "https://app.example.evil.example"])
async def test_only_a_page_that_was_named_may_read_an_answer(
    acme: httpx.AsyncClient, origins: tuple[str, ...] | None, origin: str | None
) -> None:
    headers = {} if origin is None else {"Origin": origin}
    for path, status in [("/v1/profiles", 200), ("/v1/profiles/nobody", 404), ("/docs/errors", 200), ("/nowhere", 404)]:
        response = await acme.get(path, headers=headers)
        assert response.status_code == status
        found = _cors(response)
        # Where people get a page in the place of a problem, that depends on what they accept, too.
        varies = set(found.pop("vary", "").split(", ")) - {"", "accept"}
        allowed = _expected(origins, origin)
        assert found.get("access-control-allow-origin") == allowed
        assert "access-control-allow-credentials" not in found
        assert varies == ({"Origin"} if origins and origins != ("*",) else set())
        shown = found.get("access-control-expose-headers", "").split(", ")
        assert allowed is None or {"RateLimit-Remaining", "Retry-After", "X-Request-Id", "ETag"} <= set(shown)
        if origins is None:
            assert found == {}


async def test_a_browser_is_told_what_a_page_may_send(
    service: Service, acme: httpx.AsyncClient, origins: tuple[str, ...] | None
) -> None:
    for path in ("/v1/profiles", "/v1/profiles/alice", "/v1/nowhere"):
        response = await acme.options(path, headers={"Origin": PAGE, **ASKS})
        if origins is None:
            assert response.status_code in (404, 405)
            assert _cors(response) == {}
            continue
        assert response.status_code == 204
        assert response.content == b""
        assert "content-length" not in response.headers
        found = _cors(response)
        assert found["access-control-allow-origin"] == ("*" if origins == ("*",) else PAGE)
        assert {"GET", "POST", "PATCH", "DELETE"} <= set(found["access-control-allow-methods"].split(", "))
        assert {"Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "X-Request-Id"} == set(
            found["access-control-allow-headers"].split(", ")
        )
        assert int(found["access-control-max-age"]) > 0
        assert '"status":204' in service.log_lines()[-1]


async def test_another_page_and_another_kind_of_options_get_what_they_always_got(
    acme: httpx.AsyncClient, origins: tuple[str, ...] | None
) -> None:
    plain = [await acme.options("/v1/profiles"), await acme.options("/v1/profiles", headers={"Origin": PAGE})]
    if origins != ("*",):
        plain.append(await acme.options("/v1/profiles", headers={"Origin": OTHER, **ASKS}))
    for response in plain:
        assert response.status_code == 405
        assert "access-control-allow-methods" not in response.headers
