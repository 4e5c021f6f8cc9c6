"""Traces: what a collector receives of a real server, and what nobody ever does."""

import asyncio
import contextlib
import json
import subprocess
import sys
import time
from pathlib import Path

import apsw
import asyncpg
import httpx
import pytest

from provender.settings import Settings
from provender.storage.opening import DATABASE_FILE
from provender.tracing.asking import are_traces_asked_for, exporter_names, find_obstacle
from tests.kitchen import GRANOLA
from tests.pantry import PANTRY
from tests.system.collector import Collector, Received, collecting
from tests.system.commands import environment
from tests.system.server import STOPPED_WITHIN_S, Server, serving

SERVER, CLIENT = 2, 3
# Nothing is sent before the end, unless a batch is full: so what arrives was sent when the server stopped.
ONLY_AT_THE_END = {"OTEL_BSP_SCHEDULE_DELAY": "60000"}


def _traced(collector: Collector) -> dict[str, str]:
    return {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, **ONLY_AT_THE_END}


def _parent(number: int) -> tuple[str, str, dict[str, str]]:
    trace_id, span_id = f"{number:032x}", f"{number:016x}"
    return trace_id, span_id, {"traceparent": f"00-{trace_id}-{span_id}-01"}


async def _drop_favorites(settings: Settings) -> None:
    """A fault of the storage, of the kind that nobody expects."""
    if settings.database_url is None:
        with contextlib.closing(apsw.Connection(str(settings.data_dir / DATABASE_FILE))) as file:
            file.execute("DROP TABLE favorites")
        return
    connection = await asyncpg.connect(settings.database_url)
    try:
        await connection.execute("DROP TABLE favorites CASCADE")
    finally:
        await connection.close()


async def _search_at_once(server: Server, numbers: range) -> None:
    """Requests that wait for the storage all at the same time, each of a trace of its own."""
    async with server.fresh_client(server.key) as client:
        asked = {"query": "oats", "profile_reference_id": "alice-private"}
        answers = [client.get("/v1/foods/search", params=asked, headers=_parent(number)[2]) for number in numbers]
        assert {answer.status_code for answer in await asyncio.gather(*answers)} == {200}


async def _use(server: Server, settings: Settings) -> None:
    food = PANTRY[0]
    with server.client(server.key) as client:
        said = {"reference_id": "alice-private"}
        client.post("/v1/profiles", data=said, headers=_parent(1)[2] | {"X-Request-Id": "first"}).raise_for_status()
        found = client.get("/v1/foods/search", params={"query": food.name}, headers=_parent(2)[2]).json()
        log = {"profile_reference_id": "alice-private", "food_id": found["data"][0]["_id"], "meal": "lunch"}
        client.post("/v1/diary-logs", data=log, headers=_parent(3)[2]).raise_for_status()
        assert client.get("/v1/profiles/bob-private", headers=_parent(4)[2]).status_code == 404
        assert client.get("/a-private-path", headers=_parent(5)[2]).status_code == 404
        stew = GRANOLA | {"profile_reference_id": "alice-private", "food_name": "my private stew"}
        client.post("/v1/foods/custom", json=stew, headers=_parent(7)[2]).raise_for_status()
        await _search_at_once(server, range(100, 120))
        client.get("/v1/foods/favorites", params={"profile_reference_id": "alice-private"})
        await _drop_favorites(settings)
        asked = {"profile_reference_id": "alice-private"}
        assert client.get("/v1/foods/favorites", params=asked, headers=_parent(6)[2]).status_code >= 500


def _find(collector: Collector, number: int) -> Received:
    trace_id, span_id, _ = _parent(number)
    [found] = [span for span in collector.spans if span.trace_id == trace_id and span.kind == SERVER]
    assert found.parent_id == span_id
    return found


async def test_every_request_is_a_trace_that_says_nothing_of_anybody(settings: Settings) -> None:
    with collecting() as collector, serving(settings, workers=2, variables=_traced(collector)) as server:
        await _use(server, settings)
        assert collector.bodies == []
        assert server.stop() == 0
        system = "sqlite" if settings.database_url is None else "postgresql"
        _check_server_spans(collector, server)
        _check_statements(collector, system)
        _check_faults(collector)
        _check_each_keeps_its_own(collector)
        private = [server.key, server.key[3:], "private", PANTRY[0].name]
        for body in collector.bodies:
            assert [text for text in private if text.encode() in body] == []
        [line] = [json.loads(line) for line in server.stderr.splitlines() if '"request_id":"first"' in line]
        assert line["trace_id"] == _parent(1)[0]


def _check_server_spans(collector: Collector, server: Server) -> None:
    created = _find(collector, 1)
    assert created.name == "POST /v1/profiles"
    assert created.attributes == {
        "http.request.method": "POST",
        "http.route": "/v1/profiles",
        "http.response.status_code": 201,
        "url.scheme": "http",
        "url.path": "/v1/profiles",
        "server.address": "127.0.0.1",
        "server.port": server.port,
        "network.protocol.version": "1.1",
        "provender.application": "default",
        "provender.request_id": "first",
    }
    assert created.resource["service.name"] == "provender"
    assert {"service.version", "service.instance.id"} <= created.resource.keys()
    missing = _find(collector, 4)
    assert missing.name == "GET /v1/profiles/{reference_id}"
    assert missing.attributes["url.path"] == "/v1/profiles/REDACTED"
    assert missing.attributes["http.response.status_code"] == 404
    assert not missing.failed
    nowhere = _find(collector, 5)
    assert nowhere.name == "GET"
    assert "url.path" not in nowhere.attributes
    # Cleaning up and settling go on all the time, and are no traces.
    assert [span.name for span in collector.spans if not span.parent_id and span.kind != SERVER] == []


def _check_statements(collector: Collector, system: str) -> None:
    searched = [span.name for span in collector.below(_find(collector, 2))]
    assert "catalogue.search" in searched
    logged = collector.below(_find(collector, 3))
    written = [span for span in logged if span.attributes.get("db.operation.name") == "INSERT"]
    assert written
    for span in written:
        assert span.kind == CLIENT
        assert span.attributes["db.system.name"] == system
        assert span.attributes["db.query.text"].lstrip().startswith(("INSERT", "WITH"))
        assert "$1" in span.attributes["db.query.text"]
        assert span.name == span.attributes["db.query.summary"]
    assert "catalogue.read" in [span.name for span in logged]
    made = [span.name for span in collector.below(_find(collector, 7))]
    assert {"transaction", "COMMIT"} <= set(made), made
    assert all(span.nanoseconds >= 0 for span in collector.spans)


def _check_faults(collector: Collector) -> None:
    failed = _find(collector, 6)
    assert failed.failed
    assert failed.attributes["error.type"] == str(failed.attributes["http.response.status_code"])
    [statement] = [span for span in collector.below(failed) if span.failed]
    assert statement.attributes["db.query.summary"] == "SELECT favorites"
    assert statement.attributes["error.type"]


def _check_each_keeps_its_own(collector: Collector) -> None:
    for number in range(100, 120):
        searched = _find(collector, number)
        below = collector.below(searched)
        assert {span.trace_id for span in below} == {_parent(number)[0]}
        assert "catalogue.search" in [span.name for span in below]
        assert "SELECT profiles" in [span.name for span in below]
    assert len({span.resource["service.instance.id"] for span in collector.spans}) == 2


def test_a_collector_that_never_answers_holds_up_neither_requests_nor_the_stop(data_dir: Path) -> None:
    # Each span is a batch, so the exporter hangs from the first on, and the queue is full soon after.
    variables = {"OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "1", "OTEL_BSP_MAX_QUEUE_SIZE": "8"}
    with collecting(answers=False) as collector:
        traced = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url} | variables
        with serving(Settings(data_dir=data_dir), variables=traced) as server:
            with server.client(server.key) as client:
                began = time.monotonic()
                for _ in range(100):
                    assert client.get("/v1/profiles").status_code == 200
                assert time.monotonic() - began < 10
            assert collector.bodies
            assert server.process.poll() is None
            began = time.monotonic()
            assert server.stop() == 0
            assert time.monotonic() - began < STOPPED_WITHIN_S
            # By itself, before it would have been made to.
            assert "refused to gracefully stop" not in server.stderr


def _asked(server: Server) -> httpx.Response:
    with server.client() as client:
        return client.get("/healthz")


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"OTEL_TRACES_EXPORTER": "otlp"}, "its extra `otel`"),
        ({"OTEL_TRACES_EXPORTER": "otlp", "OTEL_BSP_MAX_QUEUE_SIZE": "1"}, "OpenTelemetry did not start"),
    ],
)
def test_where_there_can_be_no_traces_one_line_says_so_and_the_service_runs(
    data_dir: Path, tmp_path: Path, variables: dict[str, str], said: str
) -> None:
    if "extra" in said:
        # A package of this name without anything in it, in front of the one that is installed.
        (tmp_path / "shadow" / "opentelemetry").mkdir(parents=True)
        (tmp_path / "shadow" / "opentelemetry" / "__init__.py").touch()
        path = environment().get("PYTHONPATH")
        variables = variables | {"PYTHONPATH": f"{tmp_path / 'shadow'}:{path}" if path else str(tmp_path / "shadow")}
    with serving(Settings(data_dir=data_dir), variables=variables) as server:
        assert _asked(server).status_code == 200
        lines = [line for line in server.stderr.splitlines() if said in line]
        assert len(lines) == 1
        assert server.stop() == 0


ENDPOINT = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}


@pytest.mark.parametrize(
    ("variables", "asked"),
    [
        ({}, False),
        (ENDPOINT, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": ""}, False),
        ({"OTEL_TRACES_EXPORTER": "console"}, True),
        (ENDPOINT | {"OTEL_TRACES_EXPORTER": "none"}, False),
        (ENDPOINT | {"OTEL_SDK_DISABLED": "True"}, False),
        ({"OTEL_SERVICE_NAME": "kitchen"}, False),
    ],
)
def test_traces_are_made_when_it_is_said_where_they_go(variables: dict[str, str], asked: bool) -> None:
    assert are_traces_asked_for(variables) is asked


def test_what_cannot_be_sent_is_told_before() -> None:
    assert find_obstacle(ENDPOINT) is None
    assert find_obstacle(ENDPOINT | {"OTEL_TRACES_EXPORTER": "otlp, console"}) is None
    assert exporter_names({"OTEL_TRACES_EXPORTER": "otlp, console"}) == ["otlp", "console"]
    assert "'zipkin'" in str(find_obstacle({"OTEL_TRACES_EXPORTER": "zipkin"}))
    assert "http/protobuf" in str(find_obstacle(ENDPOINT | {"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}))


_LOADED = """
import json, sys
from pathlib import Path
from provender.cli.serve import _load
from provender.settings import Settings
application = _load(Settings(data_dir=Path(sys.argv[1])), None, None)
names = [name for name in sys.modules if name.startswith(("opentelemetry", "provender.tracing"))]
print(json.dumps([type(application).__name__, sorted(names)]))
"""


def test_without_their_variables_nothing_of_traces_is_loaded(tmp_path: Path) -> None:
    """The application is the one that it is without them, so that they cost it nothing."""
    told = subprocess.run(
        [sys.executable, "-c", _LOADED, str(tmp_path)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert json.loads(told.stdout) == ["Application", ["provender.tracing", "provender.tracing.asking"]]
