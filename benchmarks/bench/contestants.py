"""The servers that are measured, each as its users start it, on one core and with one worker."""

import contextlib
import functools
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx

from benchmarks.bench.filling import APPLICATION
from benchmarks.bench.machine import BENCH_PYTHON, Cores, environment, provender_command
from benchmarks.bench.processes import Program, free_port, running, wait_for_port

_KEY = re.compile(r"pv_\S+")


@dataclass(frozen=True, slots=True)
class Server:
    """A server that listens."""

    program: Program
    port: int
    metrics_port: int | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, key: str | None = None) -> httpx.Client:
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=60)


@functools.cache
def knows_metrics() -> bool:
    """Whether this Provender can be asked for its metrics."""
    command = [*provender_command(), "serve", "--help"]
    said = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=60, check=False)  # noqa: S603 - Ours.
    return "--metrics-port" in said.stdout


def make_data_dir(folder: Path, catalogue: Path, storage: Path | None = None) -> Path:
    """A data folder on a catalogue that is only read, with a storage of its own that may be written to."""
    folder.mkdir(mode=0o700)
    (folder / "catalogue").symlink_to(catalogue.resolve())
    if storage is not None:
        shutil.copyfile(storage, folder / "provender.db")
    return folder


def create_key(data_dir: Path, database: str | None = None) -> str:
    command = [*provender_command(), "keys", "create", "--application", APPLICATION, "--data-dir", str(data_dir)]
    variables = environment() | _database_variable(database)
    said = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=120, check=False)  # noqa: S603 - Ours.
    if (found := _KEY.search(said.stdout)) is None:
        raise RuntimeError(f"no key could be made: {said.stderr.strip()}")
    return found[0]


def _database_variable(database: str | None) -> dict[str, str]:
    return {} if database is None else {"PROVENDER_DATABASE_URL": database}


@contextlib.contextmanager
def run_provender(
    data_dir: Path, folder: Path, *, core: Cores = None, workers: int = 1, database: str | None = None
) -> Iterator[Server]:
    """`provender serve`. Its log, a line for each request, goes to a file; its metrics are on if it has any."""
    port, metrics = free_port(), free_port() if knows_metrics() else None
    options = ["--port", str(port), "--data-dir", str(data_dir), "--workers", str(workers)]
    if metrics is not None:
        options += ["--metrics-port", str(metrics)]
    command = [*provender_command(), "serve", *options]
    with running(command, folder, core=core, variables=_database_variable(database)) as program:
        wait_for_port(program, port)
        yield Server(program, port, metrics)


@contextlib.contextmanager
def run_bare(folder: Path, *, core: Cores) -> Iterator[Server]:
    port = free_port()
    with running([*provender_command()[:1], "-m", "benchmarks.bench.bare", str(port)], folder, core=core) as program:
        wait_for_port(program, port)
        yield Server(program, port)


@contextlib.contextmanager
def run_selfmade(database: Path, folder: Path, *, core: Cores) -> Iterator[Server]:
    """Without its access log, which is not what its users would be waiting for; Provender writes one."""
    port = free_port()
    options = ["--host", "127.0.0.1", "--port", str(port), "--loop", "uvloop", "--http", "httptools", "--no-access-log"]
    command = [str(BENCH_PYTHON), "-m", "uvicorn", "benchmarks.selfmade.app:app", *options]
    with running(command, folder, core=core, variables={"SELFMADE_DB": str(database)}) as program:
        wait_for_port(program, port)
        yield Server(program, port)


@contextlib.contextmanager
def run_datasette(catalogue: Path, folder: Path, *, core: Cores) -> Iterator[Server]:
    """On an immutable file, which is its fastest way. It has no key, and logs nothing."""
    port = free_port()
    command = [str(BENCH_PYTHON), "-m", "datasette", "serve", "--immutable", str(catalogue), "--port", str(port)]
    variables = {"PYTHONWARNINGS": "ignore", "HOME": os.environ.get("HOME", str(folder))}
    with running(command, folder, core=core, variables=variables) as program:
        wait_for_port(program, port)
        yield Server(program, port)
