"""GET /v1/profiles/{reference_id}"""

from datetime import UTC, datetime

import httpx
import pytest

from provender.model.times import to_ms
from tests.conftest import Service


async def test_a_profile_is_found_by_its_reference_id(acme: httpx.AsyncClient) -> None:
    created = await acme.post("/v1/profiles", data={"reference_id": "alice"})
    found = await acme.get("/v1/profiles/alice")
    assert found.status_code == 200
    assert found.json() == created.json()


@pytest.mark.parametrize("path", ["nobody", "%00", "%0A", "a" * 300, "%2E", "%F0%9F%8D%8C", "%ED%A0%80"])
async def test_an_unknown_profile_is_not_found(acme: httpx.AsyncClient, path: str) -> None:
    response = await acme.get(f"/v1/profiles/{path}")
    assert response.status_code == 404
    assert response.json()["code"] in ("profile_not_found", "not_found")


async def test_a_profile_is_not_found_by_its_id(acme: httpx.AsyncClient) -> None:
    created = await acme.post("/v1/profiles", data={"reference_id": "alice"})
    assert (await acme.get(f"/v1/profiles/{created.json()['_id']}")).status_code == 404


async def test_retrieve_takes_no_parameters(acme: httpx.AsyncClient) -> None:
    await acme.post("/v1/profiles", data={"reference_id": "alice"})
    response = await acme.get("/v1/profiles/alice?limit=3")
    assert response.status_code == 400
    assert response.json()["errors"][0]["code"] == "unknown_parameter"


async def _logged(service: Service, reference_id: str, at: datetime) -> None:
    """What the diary writes when a log is made."""
    await service.engine.change(
        "UPDATE profiles SET last_logged_at = $1 WHERE reference_id = $2", to_ms(at), reference_id
    )


async def test_is_active_lasts_to_the_end_of_the_month_in_utc(acme: httpx.AsyncClient, service: Service) -> None:
    await acme.post("/v1/profiles", data={"reference_id": "alice"})
    assert (await acme.get("/v1/profiles/alice")).json()["is_active"] is False
    await _logged(service, "alice", datetime(2026, 3, 1, tzinfo=UTC))
    service.clock.now = datetime(2026, 3, 31, 23, 59, 59, tzinfo=UTC)
    assert (await acme.get("/v1/profiles/alice")).json()["is_active"] is True
    assert (await acme.get("/v1/profiles")).json()["data"][0]["is_active"] is True
    service.clock.now = datetime(2026, 4, 1, tzinfo=UTC)
    assert (await acme.get("/v1/profiles/alice")).json()["is_active"] is False
    # The same month of another year is another month.
    service.clock.now = datetime(2027, 3, 10, tzinfo=UTC)
    assert (await acme.get("/v1/profiles/alice")).json()["is_active"] is False


async def test_is_active_goes_by_the_profiles_own_calendar(acme: httpx.AsyncClient, service: Service) -> None:
    await acme.post("/v1/profiles", data={"reference_id": "alice", "timezone": "Pacific/Auckland"})
    # In Auckland, 13 hours ahead, this is the first of March.
    await _logged(service, "alice", datetime(2026, 2, 28, 12, 0, tzinfo=UTC))
    service.clock.now = datetime(2026, 3, 31, 10, 59, tzinfo=UTC)
    assert (await acme.get("/v1/profiles/alice")).json()["is_active"] is True
    service.clock.now = datetime(2026, 3, 31, 11, 0, tzinfo=UTC)
    assert (await acme.get("/v1/profiles/alice")).json()["is_active"] is False
