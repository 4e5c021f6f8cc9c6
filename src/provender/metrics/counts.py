"""What is counted: each kind in cells of its own, written where it happens and read where it is shown.

A cell is an unsigned number of 64 bits in a `memoryview`. Adding to it reads, adds and writes, which two writers would
spoil for each other; so each cell has one writer, and needs no lock. A process has a sheet of cells for itself. Within
it the event loop's thread writes all but the commits, which SQLite's writer thread writes. Whoever reads sees every
cell whole: an aligned number of 64 bits is stored with one instruction.
"""

from bisect import bisect_left
from collections.abc import Sequence

Cells = memoryview

CELL_BYTES = 8

# In seconds. A request that looks something up takes a fraction of a millisecond; one that writes waits for a disk.
DURATIONS_S = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
BATCH_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)

_DURATIONS_NS = tuple(round(bound * 1_000_000_000) for bound in DURATIONS_S)
_SHORT_NS = _DURATIONS_NS[0]
# The last bucket is for everything above the last bound.
_DURATION_BUCKETS = len(_DURATIONS_NS) + 1


def private_cells(number: int) -> Cells:
    """Cells that no other process sees."""
    return memoryview(bytearray(number * CELL_BYTES)).cast("Q")


class Histogram:
    """How many observations fell into each bucket, and their sum. A bound belongs to the bucket below it."""

    __slots__ = ("_bounds", "_cells")

    def __init__(self, cells: Cells, bounds: Sequence[int]) -> None:
        self._cells = cells
        self._bounds = bounds

    @staticmethod
    def size(bounds: Sequence[int]) -> int:
        return len(bounds) + 2

    def observe(self, value: int) -> None:
        self._cells[bisect_left(self._bounds, value)] += 1
        self._cells[-1] += value

    @property
    def buckets(self) -> list[int]:
        """How many are in each bucket alone."""
        return self._cells[:-1].tolist()

    @property
    def sum(self) -> int:
        return self._cells[-1]


class RequestCounts:
    """Requests by route, status and duration.

    Each route has a row: for each status its buckets of durations, and at the end the sum of all durations. One cell
    thus counts both the status and the duration. The row 0 is for what has no route.
    """

    __slots__ = ("_places", "_rows", "_started", "_statuses")

    def __init__(self, cells: Cells, routes: int, statuses: Sequence[int]) -> None:
        width = self._width(statuses)
        self._statuses = statuses
        self._rows = [cells[row * width : (row + 1) * width] for row in range(routes + 1)]
        # Where the buckets of each status begin; a status has three digits. All that are not named share the last.
        self._places = [len(statuses) * _DURATION_BUCKETS] * 1000
        for number, status in enumerate(statuses):
            self._places[status] = number * _DURATION_BUCKETS
        # The last cell, so that whoever reads in order reads it after all that were finished.
        self._started = cells[-1:]

    @classmethod
    def size(cls, routes: int, statuses: Sequence[int]) -> int:
        return (routes + 1) * cls._width(statuses) + 1

    @staticmethod
    def _width(statuses: Sequence[int]) -> int:
        return (len(statuses) + 1) * _DURATION_BUCKETS + 1

    def begin(self) -> None:
        """A request has arrived. `observe` ends it."""
        self._started[0] += 1

    def observe(self, route_number: int, status: int, nanoseconds: int) -> int:
        """Count a request, and return its bucket. This is called for each of them, so it is as short as it can be."""
        row = self._rows[route_number]
        bucket = bisect_left(_DURATIONS_NS, nanoseconds) if nanoseconds > _SHORT_NS else 0
        row[self._places[status] + bucket] += 1
        row[-1] += nanoseconds
        return bucket

    def by_status(self, route_number: int) -> dict[int | None, int]:
        """How many requests had each status; None is for all statuses that are not named."""
        row = self._rows[route_number]
        numbers: dict[int | None, int] = {}
        for place, status in enumerate((*self._statuses, None)):
            begin = place * _DURATION_BUCKETS
            numbers[status] = sum(row[begin : begin + _DURATION_BUCKETS])
        return numbers

    def durations(self, route_number: int) -> tuple[list[int], int]:
        """How many requests are in each bucket of durations, and the nanoseconds of all of them."""
        row = self._rows[route_number]
        return [sum(row[bucket:-1:_DURATION_BUCKETS]) for bucket in range(_DURATION_BUCKETS)], row[-1]

    @property
    def in_progress(self) -> int:
        return max(0, self._started[0] - self._finished())

    def _finished(self) -> int:
        return sum(sum(row[:-1]) for row in self._rows)

    def reset(self) -> None:
        """Nothing is in progress any more."""
        self._started[0] = self._finished()


class KeyCounts:
    """What the memory for keys that were looked up saves."""

    SIZE = 3
    __slots__ = ("_cells",)

    def __init__(self, cells: Cells | None = None) -> None:
        self._cells = private_cells(self.SIZE) if cells is None else cells

    def hit(self) -> None:
        self._cells[0] += 1

    def miss(self) -> None:
        self._cells[1] += 1

    def remember(self, keys: int) -> None:
        self._cells[2] = keys

    @property
    def hits(self) -> int:
        return self._cells[0]

    @property
    def misses(self) -> int:
        return self._cells[1]

    @property
    def remembered(self) -> int:
        return self._cells[2]

    def reset(self) -> None:
        self._cells[2] = 0


class CommitCounts:
    """The commits of SQLite's writer. Only its thread writes here."""

    _BATCHES = Histogram.size(BATCH_SIZES)
    _DURATIONS = Histogram.size(_DURATIONS_NS)
    SIZE = _BATCHES + _DURATIONS + 1
    __slots__ = ("_cells", "batches", "durations")

    def __init__(self, cells: Cells | None = None) -> None:
        self._cells = private_cells(self.SIZE) if cells is None else cells
        # How many writes were committed together, and how many nanoseconds that took.
        self.batches = Histogram(self._cells[: self._BATCHES], BATCH_SIZES)
        self.durations = Histogram(self._cells[self._BATCHES : -1], _DURATIONS_NS)

    def commit(self, writes: int, nanoseconds: int) -> None:
        self.batches.observe(writes)
        self.durations.observe(nanoseconds)

    def fail(self) -> None:
        self._cells[-1] += 1

    @property
    def failures(self) -> int:
        return self._cells[-1]


class PoolCounts:
    """The connections to PostgreSQL, and the transactions on them."""

    SIZE = 6
    __slots__ = ("_cells",)

    def __init__(self, cells: Cells | None = None) -> None:
        self._cells = private_cells(self.SIZE) if cells is None else cells

    def limit(self, connections: int) -> None:
        self._cells[0] = connections

    def open(self, connections: int) -> None:
        self._cells[1] = connections

    def take(self) -> None:
        self._cells[2] += 1

    def give_back(self) -> None:
        self._cells[2] -= 1

    def time_out(self) -> None:
        self._cells[3] += 1

    def commit(self) -> None:
        self._cells[4] += 1

    def run_again(self) -> None:
        self._cells[5] += 1

    @property
    def max_connections(self) -> int:
        return self._cells[0]

    @property
    def connections(self) -> int:
        return self._cells[1]

    @property
    def in_use(self) -> int:
        return self._cells[2]

    @property
    def timeouts(self) -> int:
        return self._cells[3]

    @property
    def transactions(self) -> int:
        return self._cells[4]

    @property
    def reruns(self) -> int:
        return self._cells[5]

    def reset(self) -> None:
        for cell in range(3):
            self._cells[cell] = 0
