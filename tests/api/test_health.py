"""GET /healthz and GET /readyz"""

import os
from pathlib import Path

import httpx

from provender.api.app import Application
from provender.settings import Settings
from provender.storage.engine import Engine
from tests.conftest import Service, SettableClock, running


async def test_both_answer_without_a_key(service: Service) -> None:
    stranger = await service.client_with(None)
    for path in ("/healthz", "/readyz"):
        response = await stranger.get(path)
        assert response.status_code == 200
        assert response.json() == {"status": "ok"}


async def test_ready_only_when_the_database_answers(acme: httpx.AsyncClient, service: Service) -> None:
    broken: Engine = service.app.services.engine
    await broken.close()
    response = await acme.get("/readyz")
    assert response.status_code == 503
    assert response.json()["code"] == "storage_unavailable"
    assert (await acme.get("/healthz")).status_code == 200


async def test_ready_only_when_the_catalogue_answers(
    settings: Settings, engine: Engine, clock: SettableClock, tmp_path: Path
) -> None:
    (settings.data_dir / "catalogue").unlink()
    app = Application(settings, clock=clock, log_descriptor=os.open(os.devnull, os.O_WRONLY))
    async with (
        running(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://provender.test") as client,
    ):
        response = await client.get("/readyz")
        assert response.status_code == 503
        assert response.json()["code"] == "catalogue_unavailable"
        assert (await client.get("/healthz")).status_code == 200
