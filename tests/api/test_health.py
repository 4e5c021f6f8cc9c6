"""GET /healthz and GET /readyz"""

import httpx

from provender.storage.engine import Engine
from tests.conftest import Service


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
