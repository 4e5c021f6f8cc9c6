"""How many logs share one fsync: by Provender's own metrics where it has them, and by strace where it is installed."""

import contextlib
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx

from benchmarks.bench.calls import Call
from benchmarks.bench.contestants import Server
from benchmarks.bench.context import CONNECTIONS, Context
from benchmarks.bench.load import Script
from benchmarks.bench.results import SQLITE, Figure, Row, at_least
from benchmarks.bench.stages import Stage

SECTION = "Share of a bare application's throughput"
_COUNTED = re.compile(
    r"^(provender_commits_total|provender_commit_writes_(?:total|sum|count))(?:\{[^}]*\})? (\S+)", re.MULTILINE
)
_ATTACHED_S = 0.5


def plan_commits() -> Row:
    return Row(SECTION, "logs for each fsync, 64 connections", at_least(8))


def measure_commits(context: Context, stage: Stage, call: Call, row: Row) -> None:
    script = context.write_script("commits", Script(call.provender, stage.headers))
    by_metrics = _measure_by_metrics(context, stage.server, script)
    by_strace = _measure_by_strace(context, stage.server, script)
    if by_metrics:
        row.notes.append(f"by provender_commits_total, {Figure.of(by_metrics).value:.1f} writes a commit")
    if by_strace is not None:
        row.notes.append(f"by strace, which slows the server down, {by_strace:.1f} logs for each fsync or fdatasync")
    elif shutil.which("strace") is None:
        row.notes.append("strace is not installed")
    if by_metrics or by_strace is not None:
        row.figures[SQLITE] = Figure.of(by_metrics or [by_strace or 0.0])
    else:
        row.figures[SQLITE] = Figure.failed("it could be counted neither by metrics nor by strace")


def _measure_by_metrics(context: Context, server: Server, script: Path) -> list[float]:
    """Writes for each commit, a sample a round; none without the metrics."""
    if read_commits(server) is None:
        return []
    samples = []
    for _ in range(context.sizes.rounds):
        before = read_commits(server)
        _load(context, server, script)
        after = read_commits(server)
        if before is not None and after is not None and after[0] > before[0]:
            samples.append((after[1] - before[1]) / (after[0] - before[0]))
    return samples


def read_commits(server: Server) -> tuple[float, float] | None:
    """Commits, and the writes in them, since the start."""
    if server.metrics_port is None:
        return None
    with contextlib.suppress(httpx.HTTPError):
        return parse_commits(httpx.get(f"http://127.0.0.1:{server.metrics_port}/metrics", timeout=5).text)
    return None


def parse_commits(text: str) -> tuple[float, float] | None:
    """Of Prometheus' text, over all labels; a counter of writes and a histogram of them are both understood."""
    found = _COUNTED.findall(text)
    sums = {name: sum(float(value) for other, value in found if other == name) for name, _ in found}
    commits = sums.get("provender_commits_total", sums.get("provender_commit_writes_count"))
    writes = sums.get("provender_commit_writes_total", sums.get("provender_commit_writes_sum"))
    return None if commits is None or writes is None else (commits, writes)


def _measure_by_strace(context: Context, server: Server, script: Path) -> float | None:
    """Answered logs for each fsync; None where processes cannot be traced."""
    program = shutil.which("strace")
    if program is None:
        return None
    report = context.folder / "strace.txt"
    with _tracing(program, server, report) as attached:
        if not attached:
            return None
        answered = _load(context, server, script)
    synced = count_syncs(report.read_text()) if report.exists() else 0
    return answered / synced if synced else None


@contextlib.contextmanager
def _tracing(program: str, server: Server, report: Path) -> Iterator[bool]:
    pids = [option for process in server.program.tree() for option in ("-p", str(process.pid))]
    command = [program, "-f", "-c", "-q", "-e", "trace=fsync,fdatasync", "-o", str(report), *pids]
    tracer = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603 - strace.
    try:
        time.sleep(_ATTACHED_S)
        yield tracer.poll() is None
    finally:
        if tracer.poll() is None:
            tracer.terminate()
        try:
            tracer.wait(10)
        except subprocess.TimeoutExpired:
            tracer.kill()
            tracer.wait()


def count_syncs(report: str) -> int:
    """The calls of a summary of `strace -c`: time, seconds, µs a call, calls, perhaps errors, name."""
    rows = re.findall(r"^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(?:fsync|fdatasync)$", report, re.MULTILINE)
    return sum(map(int, rows))


def _load(context: Context, server: Server, script: Path) -> int:
    load = context.generator.run(script, server.port, connections=CONNECTIONS, seconds=context.sizes.seconds)
    return load.check().requests
