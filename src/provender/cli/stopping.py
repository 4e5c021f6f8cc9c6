"""Granian, with three faults in its stopping mended. They are in its 2.8 releases; look again when that changes.

A worker that hears a second signal while it handles the first one hangs, and with it the requests under way. Ctrl-C in
a terminal and most service managers signal every process of a group, and the main process then signals its workers
again. Workers that end by such a signal, before the main process has told them to, pass for workers that died.

A worker that is signalled between its start and its first request may not hear it at all, since the event loop listens
only while it runs.
"""

import asyncio
import signal
import threading
from typing import Any

from granian import _signals
from granian.server import Server

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_REPEAT_AFTER_S = 0.25

_set_loop_signals = _signals.set_loop_signals


class StoppableServer(Server):  # type: ignore[misc, valid-type]  # Granian picks the class at run time.
    """A server that tells its workers to stop until they have, and that takes no stop it was told of for a failure."""

    def worker_ids(self) -> set[int]:
        """The ids of the processes that are its workers now."""
        return {worker.inner.pid for worker in list(self.wrks)}

    def signal_handler_interrupt(self, *arguments: Any) -> None:
        for worker in self.wrks:
            worker.interrupt_by_parent = True
        super().signal_handler_interrupt(*arguments)

    def _stop_workers(self) -> None:
        stopped = threading.Event()
        workers = list(self.wrks)

        def insist() -> None:
            while not stopped.wait(_REPEAT_AFTER_S):
                for worker in workers:
                    if worker.is_alive():
                        worker.terminate()

        insisting = threading.Thread(target=insist, daemon=True)
        insisting.start()
        super()._stop_workers()
        stopped.set()
        insisting.join()
        if self.interrupt_signal:
            self.interrupt_children.clear()


def hear_signals_once() -> None:
    """Let this process, a worker that is about to start, take the first signal to stop and pass over all others."""
    _signals.set_loop_signals = _set_loop_signals_once


def _set_loop_signals_once(loop: asyncio.AbstractEventLoop) -> Any:
    event = _set_loop_signals(loop)  # type: ignore[no-untyped-call]
    heard = False

    def hear() -> None:
        nonlocal heard
        if not heard:
            heard = True
            event.set()

    for number in _SIGNALS:
        loop.add_signal_handler(number, hear)
    return event
