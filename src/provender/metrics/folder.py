"""Where the sheets of a server are: a folder of its own for each server, gone when the server is.

metrics/
  server-k3v9x2ab/    one server, while it runs
    worker-1          a sheet for each of its processes
    worker-2
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from provender.metrics.sheet import Layout, make_sheets

_PREFIX = "server-"


@contextlib.contextmanager
def sheet_folder(parent: Path, layout: Layout, workers: int) -> Iterator[Path]:
    """A new folder with an empty sheet for each worker. Folders that servers left behind when they died are removed."""
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # One server at a time, so that none takes another's folder, made and not yet locked, for one left behind.
    turn = _lock(parent, fcntl.LOCK_EX)
    try:
        for found in parent.glob(f"{_PREFIX}*"):
            _remove_unless_locked(found)
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        lock = _lock(folder, fcntl.LOCK_EX)
    finally:
        os.close(turn)
    try:
        make_sheets(folder, layout, workers)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _remove_unless_locked(folder: Path) -> None:
    # A server that ends at this moment removes its folder itself.
    with contextlib.suppress(BlockingIOError, FileNotFoundError):
        lock = _lock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _lock(folder: Path, how: int) -> int:
    """Lock a folder until its descriptor is closed, or until this process and those that it has forked have ended."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, how)
    except BlockingIOError:
        os.close(descriptor)
        raise
    return descriptor
