"""What Prometheus reads of two workers: exact sums, that no death of a worker takes back, and nobody's secrets."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import psutil
import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse_text

from provender.settings import Settings
from tests.system.commands import refusal, run
from tests.system.server import Server, free_port, serving, until, worker_of

METRICS_PORT = free_port()
METRICS = f"http://127.0.0.1:{METRICS_PORT}/metrics"
COUNTED_WITHIN_S = 5
REPLACED_WITHIN_S = 20

LIST = {"method": "GET", "route": "/v1/profiles"}


@pytest.fixture(scope="module")
def server(shared_settings: Settings) -> Iterator[Server]:
    with serving(shared_settings, "--metrics-port", str(METRICS_PORT), workers=2) as running:
        yield running


class Figures:
    """What the metrics' port says at one moment."""

    def __init__(self) -> None:
        self.text = httpx.get(METRICS, trust_env=False).text
        self._samples = [sample for family in parse_text(self.text) for sample in family.samples]

    def __call__(self, name: str, **labels: str) -> float:
        return sum(one.value for one in self._samples if one.name == name and labels.items() <= one.labels.items())


def _wait_until(holds: Callable[[Figures], bool], what: str) -> None:
    """A request is counted when all of its answer was sent, so a caller may be a moment ahead of the figures."""
    until(lambda: holds(Figures()), COUNTED_WITHIN_S, what)


def test_the_first_lines_on_standard_output_say_where_the_metrics_are(server: Server) -> None:
    assert f"Metrics for Prometheus: {METRICS}\n" in server.stdout


async def test_requests_to_both_workers_are_summed_exactly(server: Server, key: str) -> None:
    before = Figures()
    async with server.fresh_client(key) as client:
        responses = await asyncio.gather(*(client.get("/v1/profiles?limit=1") for _ in range(60)))
        await asyncio.gather(*(client.get("/v1/profiles?limit=none") for _ in range(5)))
    assert len({worker_of(response) for response in responses}) == 2, "one worker was not asked at all"
    expected = before("provender_requests_total", **LIST) + 65
    _wait_until(lambda now: now("provender_requests_total", **LIST) == expected, "65 more")
    now = Figures()

    def increase(name: str, **labels: str) -> float:
        return now(name, **labels) - before(name, **labels)

    assert increase("provender_requests_total", status="200", **LIST) == 60
    assert increase("provender_requests_total", status="400", **LIST) == 5
    assert increase("provender_request_duration_seconds_count", **LIST) == 65
    assert increase("provender_request_duration_seconds_bucket", le="+Inf", **LIST) == 65
    assert 0 < increase("provender_request_duration_seconds_sum", **LIST) < 65
    assert increase("provender_key_cache_hits_total") + increase("provender_key_cache_misses_total") == 65
    assert increase("provender_key_cache_misses_total") >= 2
    assert now("provender_key_cache_size") >= 2
    assert now("provender_requests_in_progress") == 0
    assert now("provender_workers") == 2
    assert now("provender_process_resident_memory_bytes", process="worker-2") > 10_000_000


async def test_writes_are_counted_as_the_storage_makes_them(
    server: Server, shared_settings: Settings, key: str
) -> None:
    before = Figures()
    async with server.fresh_client(key) as client:
        sent = (client.post("/v1/profiles", data={"reference_id": f"user-{number}"}) for number in range(40))
        assert {response.status_code for response in await asyncio.gather(*sent)} == {201}
    now = Figures()
    if shared_settings.database_url is None:
        # Each worker may also have noted the day of the key's use.
        writes = now("provender_commit_writes_total") - before("provender_commit_writes_total")
        assert 40 <= writes <= 42
        assert 0 < now("provender_commits_total") - before("provender_commits_total") <= writes
        for histogram in ("provender_commit_batch_size", "provender_commit_duration_seconds"):
            assert now(f"{histogram}_count") == now("provender_commits_total")
        assert now("provender_commit_batch_size_sum") == now("provender_commit_writes_total")
        assert now("provender_commit_failures_total") == 0
        assert "provender_pool" not in now.text
    else:
        assert now("provender_pool_connections_max") == 2 * shared_settings.database_connections
        assert 2 <= now("provender_pool_connections") <= 2 * shared_settings.database_connections
        assert now("provender_pool_connections_in_use") == 0
        assert now("provender_pool_connections_idle") == now("provender_pool_connections")
        assert "provender_commit" not in now.text


def test_they_are_openmetrics_for_those_who_ask_for_it(server: Server) -> None:
    asking = {"Accept": "application/openmetrics-text; version=1.0.0"}
    response = httpx.get(METRICS, headers=asking, trust_env=False)
    assert response.headers["content-type"].startswith("application/openmetrics-text")
    parsed = parse_openmetrics(response.text)  # type: ignore[no-untyped-call]
    families = {family.name: family for family in parsed}
    assert families["provender_requests"].type == "counter"
    assert families["provender_request_duration_seconds"].type == "histogram"
    assert families["provender_catalogue"].samples[0].labels["version"]
    assert all(family.documentation for family in families.values())


def test_each_port_has_its_own_and_nothing_of_the_other(server: Server) -> None:
    with server.client() as client:
        answer = client.get("/metrics")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    for path in ("/", "/healthz", "/metrics/", "/v1/profiles"):
        assert httpx.get(f"http://127.0.0.1:{METRICS_PORT}{path}", trust_env=False).status_code == 404


def test_nothing_that_a_caller_sends_is_ever_in_them(server: Server, key: str) -> None:
    with server.client(key) as client:
        client.post("/v1/profiles", data={"reference_id": "alice-secret"}, headers={"X-Request-Id": "alice-secret"})
        client.get("/v1/profiles/alice-secret")
        client.get(f"/{key}/alice-secret?token=alice-secret")
        client.request("ALICE-SECRET", "/v1/profiles")
        client.request("ALICE-SECRET", "/alice-secret")
    _wait_until(lambda now: now("provender_requests_total", route="other", status="405") >= 1, "405")
    text = Figures().text
    assert "secret" not in text.lower()
    assert key[:11] not in text
    assert "application-" not in text


async def test_the_death_of_a_worker_takes_nothing_back(server: Server, key: str) -> None:
    async with server.fresh_client(key) as client:
        await asyncio.gather(*(client.get("/v1/profiles?limit=1") for _ in range(20)))
        _wait_until(lambda now: now("provender_requests_in_progress") == 0, "all are counted")
        before = Figures()
        ready = server.workers_that_are_ready()
        worker, _ = psutil.Process(server.process.pid).children()
        os.kill(worker.pid, signal.SIGKILL)

        def is_replaced() -> bool:
            assert Figures()("provender_requests_total", **LIST) >= before("provender_requests_total", **LIST)
            try:
                return len(server.workers_that_are_ready() - ready) == 1
            except httpx.TransportError:
                return False

        until(is_replaced, REPLACED_WITHIN_S, "the worker is replaced")
        answers = await asyncio.gather(*(client.get("/v1/profiles?limit=1") for _ in range(40)))
    assert len({worker_of(answer) for answer in answers}) == 2
    expected = before("provender_requests_total", **LIST) + 40
    _wait_until(lambda now: now("provender_requests_total", **LIST) == expected, "40 more")
    now = Figures()
    assert now("provender_workers") == 2
    assert now("provender_requests_in_progress") == 0
    assert now("provender_pool_connections_max") in (0, 20)


@pytest.mark.usefixtures("anyio_backend")
def test_nothing_is_left_behind_and_a_taken_port_is_refused(data_dir: Path) -> None:
    settings = Settings(data_dir=data_dir)
    port, metrics_port = free_port(), free_port()
    variables = {"PROVENDER_METRICS_PORT": str(metrics_port)}
    with serving(settings, port=port, variables=variables) as first:
        assert len(list((data_dir / "metrics").iterdir())) == 1
        ours = {"PROVENDER_PORT": str(free_port())}
        line = refusal(run("serve", settings=settings, variables=variables | ours))
        assert f"127.0.0.1:{metrics_port}" in line
        assert "--metrics-port" in line
        assert first.stop() == 0
    assert not list((data_dir / "metrics").iterdir())
    same = {"PROVENDER_PORT": str(port), "PROVENDER_METRICS_PORT": str(port)}
    assert "a port of their own" in refusal(run("serve", settings=settings, variables=same))
