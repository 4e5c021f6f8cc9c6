"""Every request is counted once, under the route that answered it."""

import httpx

from provender.api.app import LAYOUT, TABLE, Application
from provender.api.errors import public_errors, status_of
from provender.metrics.sheet import Sheet
from tests.conftest import Service, running


async def test_requests_are_counted_by_the_route_that_answers_and_by_status(service: Service) -> None:
    sheet = Sheet(LAYOUT)
    app = Application(service.settings, clock=service.clock, metrics=sheet)
    headers = {"Authorization": f"Bearer {await service.key('acme')}"}
    transport = httpx.ASGITransport(app)
    async with (
        running(app),
        httpx.AsyncClient(transport=transport, base_url="http://provender.test", headers=headers) as client,
    ):
        created = await client.post("/v1/profiles", data={"reference_id": "alice"})
        await client.post("/v1/profiles", data={"reference_id": "alice"})
        await client.get("/v1/profiles/alice")
        await client.head("/v1/profiles/alice")
        await client.get("/v1/profiles/bob")
        await client.put("/v1/profiles/alice")
        await client.get("/nowhere")
        await client.get("/docs")
        await client.get("/openapi.json")
    app.flush_logs()
    assert created.status_code == 201
    names = ["other", *(f"{route.method} {route.path}" for route in TABLE)]
    counted = {
        (name, status): number
        for place, name in enumerate(names)
        for status, number in sheet.requests.by_status(place).items()
        if number
    }
    assert counted == {
        ("POST /v1/profiles", 201): 1,
        ("POST /v1/profiles", 409): 1,
        ("GET /v1/profiles/{reference_id}", 200): 2,
        ("GET /v1/profiles/{reference_id}", 404): 1,
        ("GET /openapi.json", 200): 1,
        ("other", 405): 1,
        ("other", 404): 1,
        ("other", 307): 1,
    }
    assert sheet.requests.in_progress == 0
    assert (sheet.keys.hits, sheet.keys.misses, sheet.keys.remembered) == (4, 1, 1)


def test_every_status_that_is_answered_is_counted_by_itself() -> None:
    declared = {status for route in TABLE for status in route.answers}
    assert declared | {status_of(error) for error in public_errors()} | {204, 303, 304, 307, 499} == set(
        LAYOUT.statuses
    )
    assert [route.number for route in TABLE] == list(range(1, LAYOUT.routes + 1))
