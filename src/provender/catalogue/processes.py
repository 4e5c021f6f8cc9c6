"""Processes that work for this one: how they are started, and what is said of one that ended too early."""

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import threading
from typing import BinaryIO, Final, cast

from provender.model.errors import CatalogueUnavailable

# A pipe to a process holds so much where the system lets it, so that the next piece lies ready for it.
_PIPE_BYTES: Final = 1024 * 1024
# More would wait for the one process that gives them their work.
_MOST: Final = 8


def count_processes() -> int:
    """How many processes may work at once on this machine, as far as it is given to this one."""
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), _MOST)
    return min(os.cpu_count() or 1, _MOST)


def start(module: str, *arguments: str) -> "subprocess.Popen[bytes]":
    """Start a module of Provender in a process of its own, with pipes to its standard input and output."""
    # It must find what this process has found, also where that was told by other ways than the environment.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(  # noqa: S603 - Nothing in it comes from outside.
        [sys.executable, "-P", "-m", module, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    # Only Linux has this, and it refuses those who have many pipes; a smaller one does as well, a little slower.
    with contextlib.suppress(OSError, AttributeError):
        fcntl.fcntl(cast("BinaryIO", process.stdin), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return process


def explain_end(process: "subprocess.Popen[bytes]") -> CatalogueUnavailable:
    """What to say of a process that ended without having said anything itself."""
    code = process.wait()
    how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
    return CatalogueUnavailable(f"A process of the import {how}. The catalogue is as it was.")


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a process that may have ended already, and close the pipes to it."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        # What was still to be written to it is of no use to anybody.
        with contextlib.suppress(BrokenPipeError):
            cast("BinaryIO", pipe).close()


def leave_signals_to_the_starter() -> None:
    """A Ctrl-C is for the process that started this one, which then ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def end_with_the_starter() -> None:
    """End when standard input does: whoever started this process has then ended, however that was."""

    def watch() -> None:
        # Not by the buffered file, which the interpreter could not close at its end while a thread reads from it.
        while os.read(0, 1):
            pass
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
