"""What the processes of a server hold while it is loaded, and whether that grows."""

import asyncio
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

_EVERY_S = 1.0
# The heap, and all of what is mapped into the process: pages of the catalogue's file are in the second alone.
_FIELDS = re.compile(r"^(RssAnon|VmRSS):\s+(\d+) kB$", re.MULTILINE)


@dataclass(slots=True)
class Held:
    """Samples of one process: when, its own memory, and everything that is mapped, both in MB."""

    at_s: list[float] = field(default_factory=list)
    own_mb: list[float] = field(default_factory=list)
    resident_mb: list[float] = field(default_factory=list)

    def growth(self, after_s: float) -> float | None:
        """How its own memory grows after the first moments, in MB a minute."""
        return slope([(at / 60, mb) for at, mb in zip(self.at_s, self.own_mb, strict=True) if at >= after_s])


class Watch:
    """Looks at a server's workers once a second. It reads two lines of /proc, which holds nobody up."""

    def __init__(self, main_process: int) -> None:
        self._main = psutil.Process(main_process)
        self.held: dict[int, Held] = {}

    async def run(self) -> None:
        began = time.monotonic()
        while True:
            self.look(time.monotonic() - began)
            await asyncio.sleep(_EVERY_S)

    def look(self, at_s: float) -> None:
        for child in self._main.children(recursive=True):
            try:
                found = dict(_FIELDS.findall(Path(f"/proc/{child.pid}/status").read_text()))
            except OSError:
                continue
            # multiprocessing has a process of its own, which holds next to nothing and answers nothing.
            if len(found) == 2:
                held = self.held.setdefault(child.pid, Held())
                held.at_s.append(at_s)
                held.own_mb.append(int(found["RssAnon"]) / 1000)
                held.resident_mb.append(int(found["VmRSS"]) / 1000)


def slope(points: Sequence[tuple[float, float]]) -> float | None:
    """Of the line with the least squares through them; none through fewer than three."""
    if len(points) < 3:
        return None
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else None
