"""The figures of a server in the form that Prometheus reads: all of its workers' sheets summed, and the catalogue's."""

import itertools
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from provender import __version__
from provender.api.app import LAYOUT, TABLE
from provender.api.routing import NO_ROUTE
from provender.catalogue.folder import CatalogueFolder, Manifest
from provender.metrics.counts import BATCH_SIZES, DURATIONS_S, CommitCounts, KeyCounts, PoolCounts, RequestCounts
from provender.metrics.sheet import read_sheets, sum_sheets
from provender.model.errors import CatalogueUnavailable
from provender.services.catalogue import FOLDER
from provender.settings import Settings

# The labels of each number that requests are counted under. None of them ever has a value that a caller chose.
_LABELS = {NO_ROUTE: ("any", "other")} | {number: (route.method, route.path) for number, route in enumerate(TABLE, 1)}
_FAULTS = (500, 503)
# These are there from the start, so that the first of them is seen as an increase from 0.
_ALWAYS = {NO_ROUTE: {404, *_FAULTS}} | {number: {*route.answers, *_FAULTS} for number, route in enumerate(TABLE, 1)}

_PROC = Path("/proc")
_NS = 1_000_000_000


class Figures(Collector):
    """Everything there is to say about a server at this moment."""

    def __init__(self, settings: Settings, sheets: Path, workers: Callable[[], set[int]]) -> None:
        """`sheets` is the folder of the workers' sheets, and `workers` tells the ids of those that live."""
        self._settings = settings
        self._catalogue = CatalogueFolder(settings.data_dir / FOLDER)
        self._sheets = sheets
        self._workers = workers

    def collect(self) -> Iterator[Metric]:
        living = self._workers()
        sheets = read_sheets(self._sheets, LAYOUT, living)
        total = sum_sheets(LAYOUT, sheets)
        is_sqlite = self._settings.database_url is None
        yield _build_info("SQLite" if is_sqlite else "PostgreSQL")
        processes = {"main": os.getpid()}
        for number, sheet in enumerate(sheets, 1):
            if sheet.process_id in living:
                processes[f"worker-{number}"] = sheet.process_id
        yield GaugeMetricFamily("provender_workers", "Server processes that run.", len(processes) - 1)
        yield from _of_processes(processes)
        yield from _of_requests(total.requests)
        yield from _of_keys(total.keys)
        yield from _of_commits(total.commits) if is_sqlite else _of_pool(total.pool)
        yield from self._of_catalogue()

    def _of_catalogue(self) -> Iterator[Metric]:
        try:
            version = self._catalogue.current()
            manifest = None if version is None else self._catalogue.manifest(version)
        except CatalogueUnavailable:
            # The servers' log says why; here its figures are missing, which an alert can be made of.
            return
        if manifest is not None:
            yield from _of_manifest(manifest)


def _build_info(storage: str) -> Metric:
    value = {"version": __version__, "python": platform.python_version(), "storage": storage}
    return InfoMetricFamily("provender_build", "What runs: always 1, with what it is in its labels.", value)


def _of_requests(counts: RequestCounts) -> Iterator[Metric]:
    requests = CounterMetricFamily(
        "provender_requests", "Requests that were answered.", labels=("method", "route", "status")
    )
    durations = HistogramMetricFamily(
        "provender_request_duration_seconds",
        "How long requests took, from their arrival to the end of their answer.",
        labels=("method", "route"),
    )
    for number, labels in _LABELS.items():
        for status, answered in counts.by_status(number).items():
            if answered or status in _ALWAYS[number]:
                requests.add_metric((*labels, "other" if status is None else str(status)), answered)
        buckets, nanoseconds = counts.durations(number)
        if any(buckets):
            durations.add_metric(labels, _cumulative(DURATIONS_S, buckets), nanoseconds / _NS)
    yield requests
    yield durations
    yield GaugeMetricFamily(
        "provender_requests_in_progress", "Requests that have arrived and are not answered.", counts.in_progress
    )


def _of_keys(counts: KeyCounts) -> Iterator[Metric]:
    yield CounterMetricFamily("provender_key_cache_hits", "API keys that were remembered.", counts.hits)
    yield CounterMetricFamily("provender_key_cache_misses", "API keys that were looked up in storage.", counts.misses)
    yield GaugeMetricFamily("provender_key_cache_size", "API keys that are remembered.", counts.remembered)


def _of_commits(counts: CommitCounts) -> Iterator[Metric]:
    sizes, durations = counts.batches, counts.durations
    yield CounterMetricFamily("provender_commits", "Commits to SQLite.", sum(sizes.buckets))
    yield CounterMetricFamily("provender_commit_writes", "Writes that were committed.", sizes.sum)
    yield CounterMetricFamily(
        "provender_commit_failures", "Commits that failed, with all their writes.", counts.failures
    )
    yield HistogramMetricFamily(
        "provender_commit_batch_size",
        "How many writes were committed together.",
        _cumulative(BATCH_SIZES, sizes.buckets),
        sizes.sum,
    )
    yield HistogramMetricFamily(
        "provender_commit_duration_seconds",
        "How long a commit took, with its writes and with the wait for another process's.",
        _cumulative(DURATIONS_S, durations.buckets),
        durations.sum / _NS,
    )


def _of_pool(counts: PoolCounts) -> Iterator[Metric]:
    in_use = min(counts.in_use, counts.connections)
    yield GaugeMetricFamily(
        "provender_pool_connections", "Connections to PostgreSQL that are open.", counts.connections
    )
    yield GaugeMetricFamily("provender_pool_connections_in_use", "Connections that a statement is using.", in_use)
    yield GaugeMetricFamily(
        "provender_pool_connections_idle", "Connections that wait for a statement.", counts.connections - in_use
    )
    yield GaugeMetricFamily(
        "provender_pool_connections_max", "Connections that may be open at most.", counts.max_connections
    )
    yield CounterMetricFamily(
        "provender_pool_acquire_timeouts", "Waits for a connection that took too long.", counts.timeouts
    )
    yield CounterMetricFamily("provender_transactions", "Transactions that were committed.", counts.transactions)
    yield CounterMetricFamily(
        "provender_transaction_reruns", "Runs of transactions that gave way to another and ran again.", counts.reruns
    )


def _of_manifest(manifest: Manifest) -> Iterator[Metric]:
    yield InfoMetricFamily(
        "provender_catalogue",
        "The version of the food catalogue in use: always 1, with the version in its label.",
        {"version": manifest.version},
    )
    yield GaugeMetricFamily(
        "provender_catalogue_created_timestamp_seconds", "When that version was built.", manifest.created_at / 1000
    )
    foods = GaugeMetricFamily("provender_catalogue_foods", "Foods of each source in that version.", labels=("source",))
    for dataset in manifest.datasets:
        foods.add_metric((dataset.name,), dataset.foods)
    yield foods
    yield GaugeMetricFamily("provender_catalogue_listed_foods", "Foods that search can find.", manifest.listed)
    yield GaugeMetricFamily("provender_catalogue_barcodes", "Barcodes in that version.", manifest.barcodes)


def _of_processes(processes: dict[str, int]) -> Iterator[Metric]:
    """Where the system has /proc: what proc_pid_stat(5) says of each process."""
    if not (_PROC / "self/stat").exists():
        return
    memory = GaugeMetricFamily(
        "provender_process_resident_memory_bytes", "Memory of a process, with what it shares.", labels=("process",)
    )
    cpu = CounterMetricFamily("provender_process_cpu_seconds", "Time on a processor.", labels=("process",))
    ticks, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    for name, process_id in processes.items():
        try:
            # The name of the program comes second, in brackets, and may contain anything; what follows begins with 3.
            fields = (_PROC / str(process_id) / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        memory.add_metric((name,), int(fields[24 - 3]) * page)
        cpu.add_metric((name,), (int(fields[14 - 3]) + int(fields[15 - 3])) / ticks)
    yield memory
    yield cpu


def _cumulative(bounds: Sequence[float], buckets: Sequence[int]) -> list[tuple[str, float]]:
    """Buckets as Prometheus has them: each with all that are below it."""
    names = [*map(floatToGoString, bounds), "+Inf"]
    return list(zip(names, itertools.accumulate(buckets), strict=True))
