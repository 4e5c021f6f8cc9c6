"""Workers that die are started again, as often as it takes.

Granian ends the whole server when a worker dies for the second time within seconds: two strokes of the kernel's memory
killer, or a worker that starts while the database is away, would end the workers that are well. Here such a worker is
given a pause that grows, and the others go on. Only a server none of whose workers has ever stood up is ended.
"""

import logging
import time
from typing import Any

from provender.cli.stopping import StoppableServer

_log = logging.getLogger(__name__)

# A worker that has lived so long has stood up; what it dies of then is not how it was started.
_STANDS_AFTER_S = 5.0
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 10.0
# So often a worker may die at once before any has stood up.
_FALLS_AT_START = 3


class LastingServer(StoppableServer):
    """A server that outlives its workers."""

    def _serve_loop(self, spawn_target: Any, target_loader: Any) -> None:
        """Granian's own, but for what is done about workers that died. Of its signals we use none but these two."""
        falls: dict[int, int] = {}
        due: dict[int, float] = {}
        stood = False
        while True:
            self.main_loop_interrupt.wait(max(0.0, min(due.values()) - time.monotonic()) if due else None)
            # Before anything is looked at: whatever comes now is seen the next time.
            self.main_loop_interrupt.clear()
            if self.interrupt_signal:
                return
            if self.reload_signal:
                due.clear()
                self._reload(spawn_target, target_loader)
            now = time.monotonic()
            stood = stood or any(now - worker.birth > _STANDS_AFTER_S and worker.is_alive() for worker in self.wrks)
            while self.interrupt_children:
                number = self.interrupt_children.pop()
                falls[number] = 0 if now - self.wrks[number].birth > _STANDS_AFTER_S else falls.get(number, 0) + 1
                stood = stood or falls[number] == 0
                alive = stood or any(worker.is_alive() for worker in self.wrks)
                if falls[number] >= _FALLS_AT_START and not alive:
                    _log.error("no worker can be started, so the server ends; the lines above say why")
                    self.interrupt_children.append(number)
                    return
                pause_s = _pause_s(falls[number])
                due[number] = now + pause_s
                if pause_s:
                    _log.error("a worker died soon after its start, and is started again in %.1f s", pause_s)
            ready = [number for number, at in due.items() if at <= now]
            for number in ready:
                del due[number]
            self._respawn_workers(ready, spawn_target, target_loader)


def _pause_s(falls: int) -> float:
    """None for a worker that dies once, whenever that is."""
    return 0.0 if falls <= 1 else min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2 ** (falls - 2))
