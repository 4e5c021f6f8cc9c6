"""The real server as an operator starts it, `python -m provender serve`, which is always ended again."""

import contextlib
import os
import random
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from provender.settings import Settings
from tests.system.commands import KEY, PROGRAM, end_group, environment

READY_WITHIN_S = 30
STOPPED_WITHIN_S = 10

# Making one takes longer than a request, and nothing here is ever encrypted.
_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def until(holds: Callable[[], bool], within_s: float, what: str) -> None:
    """Look again and again until it holds, and fail when that takes too long."""
    deadline = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < deadline, f"not within {within_s} s: {what}"
        time.sleep(0.01)


def free_port() -> int:
    """One below those that the system gives to whoever wants just any: such a one would be another's in a moment."""
    while True:
        port = random.randrange(12_000, 32_000)  # noqa: S311 - Other tests run beside this one; nobody has to guess.
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def worker_of(response: httpx.Response) -> str:
    """Who answered: the ids that the server makes for requests begin with the mark of their process."""
    return response.headers["x-request-id"][:12]


@dataclass
class Server:
    """A server that runs, or has run."""

    process: subprocess.Popen[bytes]
    port: int
    stdout_path: Path
    stderr_path: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def stdout(self) -> str:
        return self.stdout_path.read_text()

    @property
    def stderr(self) -> str:
        return self.stderr_path.read_text()

    @property
    def printed_keys(self) -> list[str]:
        """The keys that stand on a line of their own."""
        return [line.strip() for line in self.stdout.splitlines() if KEY.fullmatch(line.strip())]

    @property
    def key(self) -> str:
        """The one key that a first start prints."""
        [key] = self.printed_keys
        return key

    def client(self, key: str | None = None, *, kept_connections: int = 1) -> httpx.Client:
        """A client that keeps its connection, as most do."""
        return httpx.Client(**self._client_options(key, kept_connections))

    def fresh_client(self, key: str | None = None) -> httpx.AsyncClient:
        """A client whose every request opens a new connection, so that any worker may take it."""
        return httpx.AsyncClient(**self._client_options(key, kept_connections=0))

    def _client_options(self, key: str | None, kept_connections: int) -> dict[str, Any]:
        return {
            "base_url": self.url,
            "headers": {} if key is None else {"Authorization": f"Bearer {key}"},
            "limits": httpx.Limits(max_connections=16, max_keepalive_connections=kept_connections),
            "timeout": 20,
            "trust_env": False,
            "verify": _TLS,
        }

    def workers_that_are_ready(self) -> set[str]:
        with self.client(kept_connections=0) as client:
            answers = [client.get("/readyz") for _ in range(16)]
        return {worker_of(answer) for answer in answers if answer.status_code == 200}

    def wait_until_ready(self, workers: int) -> None:
        def is_ready() -> bool:
            assert self.process.poll() is None, f"the server ended with exit code {self.process.returncode}"
            return self.accepts_connections() and len(self.workers_that_are_ready()) == workers

        until(is_ready, READY_WITHIN_S, "every worker is ready")

    def accepts_connections(self) -> bool:
        with socket.socket() as caller:
            return caller.connect_ex(("127.0.0.1", self.port)) == 0

    def signal_all(self, number: signal.Signals) -> None:
        """Signal the server with its workers, as a terminal does on Ctrl-C."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def stop(self) -> int:
        """Ask it to stop, as a service manager does, and return its exit code."""
        self.process.terminate()
        return self.process.wait(STOPPED_WITHIN_S)


@contextlib.contextmanager
def serving(settings: Settings, *options: str, workers: int = 1, **more: Any) -> Iterator[Server]:
    """A server on this storage, from when all of it is ready until the end of the block."""
    with starting(settings, *options, workers=workers, **more) as server:
        server.wait_until_ready(workers)
        yield server


@contextlib.contextmanager
def starting(
    settings: Settings,
    *options: str,
    workers: int = 1,
    port: int | None = None,
    variables: dict[str, str] | None = None,
    log_folder: Path | None = None,
    through: Sequence[str] = (),
    cwd: Path | None = None,
) -> Iterator[Server]:
    """The same without waiting: it may not be ready yet, and may never be. `through` is a command that runs it."""
    port = port or free_port()
    folder = log_folder or settings.data_dir.parent
    stdout_path, stderr_path = folder / f"server-{port}.stdout", folder / f"server-{port}.stderr"
    ours = {"PROVENDER_PORT": str(port), "PROVENDER_WORKERS": str(workers)}
    with stdout_path.open("wb") as stdout, stderr_path.open("wb") as stderr:
        process = subprocess.Popen(
            [*through, *PROGRAM, "serve", *options],
            env=environment(settings) | ours | (variables or {}),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            # A group of its own, so that a signal can reach its workers with it, but not the tests.
            start_new_session=True,
        )
    server = Server(process, port, stdout_path, stderr_path)
    try:
        yield server
    except BaseException as error:
        error.add_note(f"The last words of the server:\n{server.stderr[-2000:]}")
        raise
    finally:
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.stop()
        # Whatever happened, nothing of it may outlive the test, workers included.
        end_group(process)
