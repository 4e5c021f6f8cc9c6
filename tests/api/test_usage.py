"""GET /v1/usage"""

import asyncio
from typing import Any

import httpx
import pytest

from provender.api.app import Application
from provender.model.access import Scope
from provender.model.errors import StorageUnavailable
from provender.model.times import to_ms
from provender.storage.engine import Engine
from tests.conftest import Service, running
from tests.kitchen import faults

NOTHING = {
    "requests": 0,
    "client_errors": 0,
    "server_errors": 0,
    "p50_ms": None,
    "p95_ms": None,
    "p99_ms": None,
}


async def _usage(client: httpx.AsyncClient, **parameters: str) -> dict[str, Any]:
    response = await client.get("/v1/usage", params=parameters)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def _requests(figures: list[dict[str, Any]], name: str) -> dict[Any, int]:
    return {each[name]: each["requests"] for each in figures if each["requests"]}


async def test_requests_are_counted_by_day_by_endpoint_and_in_all(acme: httpx.AsyncClient, service: Service) -> None:
    for reference_id in ("alice", "alice", ""):
        await acme.post("/v1/profiles", data={"reference_id": reference_id})
    for _ in range(4):
        await acme.get("/v1/profiles/alice")
    found = await _usage(acme)
    *before, today = found["data"]
    assert len(before) == 29
    assert before[0] == {"date": "2026-02-09", **NOTHING}
    assert {each["requests"] for each in before} == {0}
    assert [today[name] for name in ("date", "requests", "client_errors", "server_errors")] == ["2026-03-10", 7, 2, 0]
    assert 0 < today["p50_ms"] <= today["p95_ms"] <= today["p99_ms"] <= 10_000
    assert found["total"] == {name: value for name, value in today.items() if name != "date"}
    assert [(each["endpoint"], each["requests"], each["client_errors"]) for each in found["endpoints"]] == [
        ("GET /v1/profiles/{reference_id}", 4, 0),
        ("POST /v1/profiles", 3, 2),
    ]
    # What asked is counted with the next.
    assert (await _usage(acme))["endpoints"][-1]["endpoint"] == "GET /v1/usage"


async def test_counts_are_the_same_when_they_are_written(acme: httpx.AsyncClient, service: Service) -> None:
    recorder = service.app.services.usage
    await acme.get("/v1/profiles")
    assert (await _usage(acme))["total"]["requests"] == 1
    await recorder.write()
    await acme.get("/v1/profiles")
    assert (await _usage(acme))["total"]["requests"] == 3
    await recorder.write()
    await recorder.write()
    assert _requests((await _usage(acme))["endpoints"], "endpoint") == {"GET /v1/profiles": 2, "GET /v1/usage": 2}


async def test_a_stopped_server_has_written_everything_and_the_next_goes_on(service: Service, engine: Engine) -> None:
    headers = {"Authorization": f"Bearer {await service.key('acme')}"}
    for number in (1, 2):
        app = Application(service.settings, clock=service.clock)
        transport = httpx.ASGITransport(app)
        async with (
            running(app),
            httpx.AsyncClient(transport=transport, base_url="http://provender.test", headers=headers) as client,
        ):
            await client.get("/v1/profiles")
            assert (await _usage(client))["total"]["requests"] == 2 * number - 1
        app.flush_logs()
    rows = await engine.all("SELECT hours, route FROM usage ORDER BY hours, route")
    assert [tuple(row) for row in rows] == [
        (hours, route) for hours in (1, 24) for route in ("GET /v1/profiles", "GET /v1/usage")
    ]


async def test_days_and_hours_are_those_of_utc(acme: httpx.AsyncClient, service: Service) -> None:
    recorder = service.app.services.usage
    noon = to_ms(service.clock())
    for hours in (0, 1, 11, 24):
        # A process that is idle takes note of the hour as well.
        await recorder.write()
        service.clock.now = service.clock.now.fromtimestamp(noon / 1000 + 3600 * hours, tz=service.clock.now.tzinfo)
        await recorder.write()
        await acme.get("/v1/profiles")
    by_day = await _usage(acme)
    assert _requests(by_day["data"], "date") == {"2026-03-10": 3, "2026-03-11": 1}
    by_hour = await _usage(acme, by="hour")
    assert len(by_hour["data"]) == 7 * 24
    hour = 3_600_000
    # By now the request before is counted too.
    assert _requests(by_hour["data"], "hour") == {noon: 1, noon + hour: 1, noon + 11 * hour: 1, noon + 24 * hour: 2}
    assert [each["hour"] for each in by_hour["data"]] == sorted(each["hour"] for each in by_hour["data"])
    one_day = await _usage(acme, by="hour", **{"from": "2026-03-10", "to": "2026-03-10"})
    assert (len(one_day["data"]), one_day["total"]["requests"]) == (24, 3)
    assert (await _usage(acme, to="2026-03-10"))["total"]["requests"] == 3
    after = await _usage(acme, **{"from": "2026-03-12"})
    assert after == {"data": [{"date": "2026-03-12", **NOTHING}], "endpoints": [], "total": NOTHING}


async def test_only_ones_own_requests_are_counted(
    acme: httpx.AsyncClient, globex: httpx.AsyncClient, service: Service
) -> None:
    reader = await service.client("acme", Scope.READ)
    nobody = await service.client_with(None)
    await acme.get("/v1/profiles")
    await reader.post("/v1/profiles", data={"reference_id": "alice"})
    await nobody.get("/v1/profiles")
    await globex.get("/v1/foods/search", params={"query": "banana"})
    for client in (acme, reader):
        found = await _usage(client)
        own = [(each["endpoint"], each["requests"]) for each in found["endpoints"] if "usage" not in each["endpoint"]]
        assert own == [("GET /v1/profiles", 1), ("POST /v1/profiles", 1)]
        # The key that may only read was refused.
        assert found["total"]["client_errors"] == 1
    assert _requests((await _usage(globex))["endpoints"], "endpoint") == {"GET /v1/foods/search": 1}
    await service.app.services.usage.write()
    assert _requests((await _usage(globex))["endpoints"], "endpoint") == {"GET /v1/foods/search": 1, "GET /v1/usage": 1}


async def test_usage_can_be_read_while_it_cannot_be_written(
    acme: httpx.AsyncClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder, kind = service.app.services.usage, type(service.app.services.engine)
    is_writing, may_write, write = asyncio.Event(), asyncio.Event(), kind.transaction

    async def wait(*arguments: Any) -> object:
        is_writing.set()
        await may_write.wait()
        return await write(*arguments)

    monkeypatch.setattr(kind, "transaction", wait)
    await acme.get("/v1/profiles")
    writing = asyncio.create_task(recorder.write())
    await is_writing.wait()
    await acme.get("/v1/profiles")
    async with asyncio.timeout(5):
        assert (await _usage(acme))["total"]["requests"] == 1
    may_write.set()
    await writing
    assert (await _usage(acme))["total"]["requests"] == 3


async def test_a_fault_of_the_server_is_one(
    acme: httpx.AsyncClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    await acme.get("/v1/profiles")

    async def fail(*_: object) -> None:
        raise StorageUnavailable("The disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(type(service.app.services.engine), "all", fail)
        assert (await acme.get("/v1/profiles")).status_code == 503
    found = await _usage(acme)
    assert (found["total"]["requests"], found["total"]["server_errors"]) == (2, 1)


@pytest.mark.parametrize(
    ("parameters", "fault"),
    [
        ({"from": "2026-03-02", "to": "2026-03-01"}, ("to", "out_of_range")),
        ({"from": "2025-01-01", "to": "2026-02-05"}, ("to", "out_of_range")),
        ({"from": "2025-01-01"}, ("to", "out_of_range")),
        ({"from": "2026-03-01", "to": "2026-03-08", "by": "hour"}, ("to", "out_of_range")),
        ({"from": "yesterday"}, ("from", "invalid_date")),
        ({"by": "week"}, ("by", "not_allowed")),
    ],
)
async def test_days_that_cannot_be_asked_for_are_refused(
    acme: httpx.AsyncClient, parameters: dict[str, str], fault: tuple[str, str]
) -> None:
    assert faults(await acme.get("/v1/usage", params=parameters)) == [fault]


@pytest.mark.parametrize(
    ("parameters", "items"),
    [
        ({"from": "2025-01-01", "to": "2026-02-04"}, 400),
        ({"from": "2026-03-01", "to": "2026-03-07", "by": "hour"}, 7 * 24),
        ({"to": "1970-01-03"}, 30),
        ({"to": "0001-01-03"}, 3),
        ({"to": "9999-12-31", "from": "9999-12-31", "by": "hour"}, 24),
    ],
)
async def test_every_day_and_hour_that_is_asked_for_is_there(
    acme: httpx.AsyncClient, parameters: dict[str, str], items: int
) -> None:
    assert len((await _usage(acme, **parameters))["data"]) == items
