"""One line a request, and nothing in it that should not be."""

import json
import os

import httpx
import pytest

from provender.api.logs import RequestLog
from tests.conftest import Service


async def test_each_request_is_one_line_with_its_fields(acme: httpx.AsyncClient, service: Service) -> None:
    await acme.post("/v1/profiles", data={"reference_id": "alice"}, headers={"X-Request-Id": "first"})
    await acme.get("/v1/profiles/alice", headers={"X-Request-Id": "second"})
    await acme.get("/nowhere", headers={"X-Request-Id": "third"})
    first, second, third = map(json.loads, service.log_lines())
    assert first.pop("ms") > 0
    assert first.pop("time").endswith("Z")
    assert first == {
        "level": "info",
        "event": "request",
        "method": "POST",
        "route": "/v1/profiles",
        "status": 201,
        "application": "acme",
        "request_id": "first",
    }
    assert second["route"] == "/v1/profiles/{reference_id}"
    assert second["status"] == 200
    assert third["route"] is None
    assert third["status"] == 404


async def test_no_key_no_body_and_no_id_of_a_user_is_logged(service: Service) -> None:
    key = await service.key("acme")
    client = await service.client_with(f"Bearer {key}")
    await client.post("/v1/profiles", data={"reference_id": "alice-secret"})
    await client.get("/v1/profiles/alice-secret")
    await client.get("/v1/profiles/alice-secret?token=alice-secret")
    await client.get(f"/{key}")
    log = "\n".join(service.log_lines())
    assert len(service.log_lines()) == 4
    assert key not in log
    assert key[3:] not in log
    assert "alice-secret" not in log


def test_lines_are_written_in_pieces_that_a_pipe_takes_whole() -> None:
    """Otherwise the lines of several workers would run into each other."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    log = RequestLog(writing)
    sizes: list[int] = []
    write = os.write

    def counted(descriptor: int, data: bytes) -> int:
        sizes.append(len(data))
        assert data.endswith(b"\n")
        return write(descriptor, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "write", counted)
        for number in range(100):
            log._lines.append(b'{"number": %d, "more": "%b"}\n' % (number, b"x" * 200))  # noqa: SLF001
        log.flush()
    lines = os.read(reading, 1_000_000).splitlines()
    os.close(reading)
    os.close(writing)
    assert [json.loads(line)["number"] for line in lines] == list(range(100))
    assert max(sizes) <= 4096
    assert len(sizes) < 20
