"""Processes that a run starts: pinned to a core, looked at while they run, and always ended again, by their ids."""

import contextlib
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.bench.machine import ROOT, Cores, environment, pinning

_ENDED_WITHIN_S = 12
_READY_WITHIN_S = 60
_SETTLED_WITHIN_S = 30
_LOOK_S = 0.1
_IDLE_SHARE = 0.25


class NotReady(RuntimeError):
    """A process ended, or did not answer in time."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(frozen=True, slots=True)
class Program:
    """A process of ours and what it wrote."""

    process: subprocess.Popen[bytes]
    output: Path
    errors: Path

    @property
    def pid(self) -> int:
        return self.process.pid

    def tree(self) -> list[psutil.Process]:
        """The process and all that it has started."""
        try:
            main = psutil.Process(self.pid)
            return [main, *main.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def cpu_s(self) -> float:
        """The processor time that all of them have used so far."""
        total = 0.0
        for process in self.tree():
            with contextlib.suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                total += times.user + times.system
        return total

    def settle(self) -> None:
        """Wait until it has nothing to do any more."""
        deadline = time.monotonic() + _SETTLED_WITHIN_S
        before = self.cpu_s()
        while time.monotonic() < deadline:
            time.sleep(_LOOK_S)
            now = self.cpu_s()
            if now - before <= _IDLE_SHARE * _LOOK_S:
                return
            before = now

    def memory_mb(self) -> dict[int, float]:
        """What each of them holds, in MB, by its id. Shared pages are shared out (PSS), where the system tells."""
        held = {}
        for process in self.tree():
            with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied, FileNotFoundError):
                full = process.memory_full_info()
                held[process.pid] = getattr(full, "pss", full.rss) / 1e6
        return held

    def explain(self) -> str:
        """The last that it said, for when it failed."""
        said = self.errors.read_text(errors="replace").strip() or self.output.read_text(errors="replace").strip()
        return said.splitlines()[-1][:300] if said else "it said nothing"


@contextlib.contextmanager
def running(
    command: Sequence[str], folder: Path, *, core: Cores = None, variables: dict[str, str] | None = None
) -> Iterator[Program]:
    """A program for as long as it is wanted. What it writes, its log too, goes to files in a folder."""
    name = f"{time.monotonic_ns()}"
    output, errors = folder / f"{name}.out", folder / f"{name}.err"
    with output.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(  # noqa: S603 - The commands are our own.
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            cwd=ROOT,
            env=environment() | (variables or {}),
            # A Ctrl-C in the terminal is for us alone: we end what we have started.
            start_new_session=True,
            preexec_fn=pinning(core),  # noqa: PLW1509 - One thread.
        )
    program = Program(process, output, errors)
    try:
        yield program
    finally:
        end(program)


def end(program: Program) -> None:
    """Ask it to stop, and after a while make it."""
    started = program.tree()
    if program.process.poll() is None:
        program.process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        program.process.wait(_ENDED_WITHIN_S)
    for left in started:
        # psutil compares the time of the start too, so that no other process with a used id is met.
        with contextlib.suppress(psutil.NoSuchProcess):
            if left.is_running():
                left.kill()
    program.process.wait()


def wait_for_port(program: Program, port: int, within_s: float = _READY_WITHIN_S) -> None:
    deadline = time.monotonic() + within_s
    while True:
        if program.process.poll() is not None:
            raise NotReady(f"it ended with {program.process.returncode}: {program.explain()}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        if time.monotonic() > deadline:
            raise NotReady(f"it did not listen within {within_s:.0f} s: {program.explain()}")
        time.sleep(0.005)


@contextlib.contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """A SIGTERM ends a run as Ctrl-C does: everything is cleaned up."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
