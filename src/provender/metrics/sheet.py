"""A sheet: all the cells of one server process, in memory of its own or in a file that others can read."""

import fcntl
import itertools
import mmap
import os
from array import array
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from operator import add
from pathlib import Path

from provender.metrics.counts import (
    CELL_BYTES,
    Cells,
    CommitCounts,
    KeyCounts,
    PoolCounts,
    RequestCounts,
    private_cells,
)


@dataclass(frozen=True, slots=True)
class Layout:
    """What a sheet depends on: how many routes there are, and which statuses are counted by themselves."""

    routes: int
    statuses: tuple[int, ...]

    @property
    def cells(self) -> int:
        return 1 + KeyCounts.SIZE + CommitCounts.SIZE + PoolCounts.SIZE + RequestCounts.size(self.routes, self.statuses)

    @property
    def bytes(self) -> int:
        return self.cells * CELL_BYTES


class Sheet:
    """The cells of one process, cut into what is counted."""

    __slots__ = ("_process", "cells", "commits", "keys", "pool", "requests")

    def __init__(self, layout: Layout, cells: Cells | None = None) -> None:
        self.cells = private_cells(layout.cells) if cells is None else cells
        begin = 0

        def cut(size: int) -> Cells:
            nonlocal begin
            begin += size
            return self.cells[begin - size : begin]

        self._process = cut(1)
        self.keys = KeyCounts(cut(KeyCounts.SIZE))
        self.commits = CommitCounts(cut(CommitCounts.SIZE))
        self.pool = PoolCounts(cut(PoolCounts.SIZE))
        self.requests = RequestCounts(self.cells[begin:], layout.routes, layout.statuses)

    @property
    def process_id(self) -> int:
        """Whose it is, or was last."""
        return self._process[0]

    def take(self) -> None:
        """Make it this process's own: what was counted before goes on, what was so at the moment is so no more."""
        self._process[0] = os.getpid()
        self.reset()

    def reset(self) -> None:
        self.keys.reset()
        self.pool.reset()
        self.requests.reset()


def make_sheets(folder: Path, layout: Layout, number: int) -> None:
    """Make empty sheets, so that a disk without room for them is found out before anybody counts on them."""
    for path in itertools.islice(_paths(folder), number):
        path.write_bytes(bytes(layout.bytes))
        path.chmod(0o600)


def take_sheet(folder: Path, layout: Layout) -> Sheet:
    """The first sheet that no living process has, for this one to go on with.

    So the successor of a process that died continues its numbers, and no sum over all sheets ever goes down.
    """
    for path in _paths(folder):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            # The system takes the lock back when the process ends, however it ends. Until then nothing closes this.
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            continue
        if os.fstat(descriptor).st_size != layout.bytes:
            # Written, not just made longer: a page that the disk has no room for would end the process later.
            os.pwrite(descriptor, bytes(layout.bytes), 0)
        sheet = Sheet(layout, memoryview(mmap.mmap(descriptor, layout.bytes)).cast("Q"))
        sheet.take()
        return sheet
    raise AssertionError("There is always a next number.")


def read_sheets(folder: Path, layout: Layout, living: Container[int]) -> list[Sheet]:
    """Copies of all sheets. One whose process is not among the living has only what was counted."""
    sheets = []
    for path in _paths(folder):
        try:
            with path.open("rb") as file, mmap.mmap(file.fileno(), layout.bytes, access=mmap.ACCESS_READ) as memory:
                # Cell by cell, so that each of them is read with one instruction too.
                sheet = Sheet(layout, memoryview(array("Q", memoryview(memory).cast("Q").tolist())))
        except (FileNotFoundError, ValueError):
            # A sheet that is shorter than it must be is just being made.
            break
        if sheet.process_id not in living:
            sheet.reset()
        sheets.append(sheet)
    return sheets


def sum_sheets(layout: Layout, sheets: Iterable[Sheet]) -> Sheet:
    """A sheet with the sum of each cell."""
    totals = [0] * layout.cells
    for sheet in sheets:
        totals = list(map(add, totals, sheet.cells))
    return Sheet(layout, memoryview(array("Q", totals)))


def _paths(folder: Path) -> Iterator[Path]:
    return (folder / f"worker-{number}" for number in itertools.count(1))
