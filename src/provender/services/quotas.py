"""Quotas: how many requests a key may send in a minute, counted in memory that all workers of a server share.

What is kept of a key is one moment, at which its quota is whole again. Every request moves it on by a minute's share,
and one that would move it further than a minute from now is refused (the generic cell rate algorithm). So nothing is
ever reset, and a key whose moment is past is as one that was never seen: its place is free for another.
"""

import mmap
import time
from array import array
from collections.abc import Callable
from typing import NamedTuple

from provender.model.access import NO_LIMIT
from provender.model.errors import Fault, InvalidParameters

Cells = memoryview

# Places for keys that were used in the last minute. Each has a cell for whose it is and one for the moment.
PLACES = 16_384
# How many places a key may be at: the first of them is given by its hash.
_TRIES = 16

_CELL_BYTES = 8
_MINUTE_NS = 60_000_000_000
_SECOND_NS = 1_000_000_000


class Taken(NamedTuple):
    """What is left of a quota after a request, or without it if there is a time to wait."""

    limit: int
    remaining: int
    reset_s: int
    wait_s: int


class Quota:
    """What one key may send.

    Two workers that count at the same instant may count one request instead of two. A worker that the system stops
    between reading and writing takes the others' counts back with what it writes; so each remembers its own moment,
    and puts it right with its next request.
    """

    __slots__ = ("_capacity", "_cells", "_interval", "_limit", "_own", "_place", "_tag", "_timer")

    def __init__(
        self,
        limit: int,
        key_hash: bytes = b"",
        cells: Cells | None = None,
        timer: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._limit = limit
        self._interval = _MINUTE_NS // limit
        self._capacity = limit * self._interval
        # Never 0, which is nobody's.
        self._tag = int.from_bytes(key_hash[:_CELL_BYTES], "big") | 1
        self._cells = _private_cells(1) if cells is None else cells
        # The clock of the whole machine, since it was started: the same in every process.
        self._timer = timer
        self._place = 0
        self._own = 0

    @property
    def limit(self) -> int:
        return self._limit

    def take(self) -> Taken:
        """Count one request, unless that is one too many."""
        now = self._timer()
        if self._cells[self._place] != self._tag:
            self._find_place(now)
        cells, place = self._cells, self._place + 1
        while True:
            seen = cells[place]
            whole_at = max(seen, self._own, now) + self._interval
            left = self._capacity - (whole_at - now)
            if left < 0:
                return Taken(self._limit, 0, _seconds(whole_at - self._interval - now), _seconds(-left))
            # Another worker may have counted meanwhile. What is left to chance is the time of a step or two.
            if cells[place] == seen:
                cells[place] = self._own = whole_at
                break
        return Taken(self._limit, left // self._interval, _seconds(whole_at - now), 0)

    def wait_s(self) -> int:
        """How long until one more request may be counted; none is counted now."""
        now = self._timer()
        if self._cells[self._place] != self._tag:
            self._find_place(now)
        left = self._capacity - (max(self._cells[self._place + 1], self._own, now) + self._interval - now)
        return 0 if left >= 0 else _seconds(-left)

    def _find_place(self, now: int) -> None:
        """The place that is this key's, or the first that is free. Where there is none it is counted here alone."""
        cells, places, free = self._cells, len(self._cells) // 2, None
        for step in range(min(_TRIES, places)):
            place = 2 * ((self._tag + step) % places)
            if cells[place] == self._tag:
                self._place = place
                return
            if free is None and cells[place + 1] <= now:
                free = place
        if free is None:
            self._cells, free = _private_cells(1), 0
        self._cells[free + 1] = 0
        self._cells[free] = self._tag
        self._place = free


class Quotas:
    """The quotas of all keys."""

    def __init__(
        self, usual_limit: int | None, cells: Cells | None = None, timer: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._usual_limit = usual_limit
        self._cells = _private_cells(PLACES) if cells is None else cells
        self._timer = timer

    def of(self, key_hash: bytes, own_limit: int | None) -> Quota | None:
        limit = self._usual_limit if own_limit is None else own_limit
        if limit is None or limit == NO_LIMIT:
            return None
        return Quota(limit, key_hash, self._cells, self._timer)

    def limit_below(self, own: Quota | None, asked: int | None) -> int | None:
        """The limit of a key that one with the quota `own` makes: what was asked for, or as its own is."""
        if own is None:
            return asked
        if asked is None:
            # As all others, where it is so itself: what the operator sets later then counts for the new one, too.
            return None if own.limit == self._usual_limit else own.limit
        if asked == NO_LIMIT or asked > own.limit:
            message = f"may be 1 to {own.limit} here, since the key that asks has that limit."
            raise InvalidParameters([Fault("rate_limit", "out_of_range", message)])
        return asked


def shared_cells() -> Cells:
    """Cells that this process and all that it forks have in common. They are in no file."""
    return memoryview(mmap.mmap(-1, 2 * PLACES * _CELL_BYTES)).cast("Q")


def _private_cells(places: int) -> Cells:
    return memoryview(array("Q", bytes(2 * places * _CELL_BYTES)))


def _seconds(nanoseconds: int) -> int:
    """Whole ones, rounded up."""
    return -(-nanoseconds // _SECOND_NS)
