"""A write is answered when it is on the disk. A kill cannot show that, since the system keeps what it was given."""

import shutil
import signal
import subprocess
import time
from pathlib import Path

import asyncpg
import psutil
import pytest

from provender.settings import Settings
from provender.storage.opening import open_engine
from tests.conftest import PostgresqlServer
from tests.system.server import serving, until

WRITES = 10


def test_sqlite_flushes_every_write_before_its_answer(data_dir: Path, tmp_path: Path) -> None:
    if (program := shutil.which("strace")) is None:
        pytest.skip("There is no strace on this machine.")
    trace = tmp_path / "trace"
    with serving(Settings(data_dir=data_dir)) as server, server.client(server.key) as client:
        assert client.get("/v1/profiles").status_code == 200
        [worker] = psutil.Process(server.process.pid).children()
        command = [program, "-f", "-q", "-e", "trace=fsync,fdatasync", "-o", str(trace), "-p", str(worker.pid)]
        tracing = subprocess.Popen(command, stderr=subprocess.PIPE)
        try:
            _wait_until_traced(tracing, worker.pid)
            before = _flushes(trace)
            for number in range(WRITES):
                assert client.post("/v1/profiles", data={"reference_id": f"user-{number}"}).status_code == 201
                # Each before its answer, so none can stand for two of them.
                until(lambda n=number: _flushes(trace) - before > n, 5, "it was flushed")  # type: ignore[misc]
        finally:
            tracing.send_signal(signal.SIGINT)
            tracing.communicate(timeout=10)


def _flushes(trace: Path) -> int:
    return sum("sync(" in line for line in trace.read_text().splitlines()) if trace.exists() else 0


def _wait_until_traced(tracing: subprocess.Popen[bytes], traced: int) -> None:
    deadline = time.monotonic() + 10
    status = Path(f"/proc/{traced}/status")
    while "TracerPid:\t0\n" in status.read_text():
        if tracing.poll() is not None or time.monotonic() > deadline:
            pytest.skip("This machine does not let us trace a process.")
        time.sleep(0.01)


async def test_postgresql_waits_for_the_flush_whatever_the_default_of_the_database_is(
    postgresql: PostgresqlServer, data_dir: Path
) -> None:
    url = await postgresql.new_database()
    connection = await asyncpg.connect(url)
    name = await connection.fetchval("SELECT current_database()")
    await connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    await connection.close()
    engine = await open_engine(Settings(data_dir=data_dir, database_url=url))
    try:
        assert await engine.one("SHOW synchronous_commit") == ("on",)
        assert await engine.transaction(lambda statements: statements.one("SHOW synchronous_commit")) == ("on",)
    finally:
        await engine.close()
