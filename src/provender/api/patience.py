"""How long a caller may let the server wait: for the rest of its body, or for taking an answer.

A task looks around for those who take too long. A timer for each body would cost more than reading most of them does.
"""

import asyncio
import time
from typing import Self

# Bytes a second, on the average, below which a caller is given up when its first seconds are over. A telephone at the
# edge of its network has more.
SLOWEST = 8 * 1024

_LOOKS = 10
_LONGEST_LOOK_S = 1.0


class GaveUp(Exception):
    """The caller took too long."""


class Wait:
    """One wait for a caller, as long as its block. What takes too long in it is cancelled, and raises GaveUp."""

    __slots__ = ("_deadline", "_is_over", "_task", "_waits")

    def __init__(self, waits: set["Wait"], deadline: float) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("Requests are answered in tasks.")
        self._task = task
        self._waits = waits
        self._deadline = deadline
        self._is_over = False

    def __enter__(self) -> Self:
        self._waits.add(self)
        return self

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> None:
        self._waits.discard(self)
        # Unless somebody else has cancelled the task as well.
        if self._is_over and isinstance(error, asyncio.CancelledError) and self._task.uncancel() == 0:
            raise GaveUp from None

    def extend(self, size: int) -> None:
        """So many bytes have come."""
        self._deadline += size / SLOWEST

    def end_if_over(self, now: float) -> None:
        if now >= self._deadline and not self._is_over:
            self._is_over = True
            self._task.cancel()


class Patience:
    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._waits: set[Wait] = set()

    def waiting(self, size: int = 0) -> Wait:
        """A wait for the caller of this task, which has so many bytes to take."""
        return Wait(self._waits, time.monotonic() + self._seconds + size / SLOWEST)

    async def run(self) -> None:
        while True:
            await asyncio.sleep(min(_LONGEST_LOOK_S, self._seconds / _LOOKS))
            now = time.monotonic()
            for wait in list(self._waits):
                wait.end_if_over(now)
