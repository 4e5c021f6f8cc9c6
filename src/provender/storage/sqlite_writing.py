"""The writer: the thread that commits waiting writes together.

It takes all that are waiting, runs one after the other, and commits them with one fsync. Where one fails halfway, all
are run again, each in a savepoint of its own.
"""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import apsw

from provender.metrics.counts import CommitCounts
from provender.model.errors import StorageUnavailable
from provender.storage.engine import Operation, Statements
from provender.storage.sqlite_connecting import Connection, connect, translated_errors

T = TypeVar("T")

# Enough for every waiting connection, and few enough that the first of them is not kept waiting.
_BATCH = 256


@dataclass(slots=True)
class _Waiting:
    """A write that waits for the writer, and how its caller learns what became of it."""

    operation: Operation[Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None

    def run(self, statements: Statements) -> None:
        """Step the operation's coroutine here, in the writer's thread: its statements never suspend."""
        coroutine = cast("Coroutine[Any, Any, Any]", self.operation(statements))
        try:
            coroutine.send(None)
        except StopIteration as finished:
            self.result = finished.value
        else:
            coroutine.close()
            raise RuntimeError("An operation awaited something other than its statements.")

    def resolve(self) -> None:
        if self.future.done():
            return
        if self.error is None:
            self.future.set_result(self.result)
        else:
            self.future.set_exception(self.error)


class Writer:
    """The only thread of this process that writes."""

    def __init__(self, path: Path, counts: CommitCounts) -> None:
        self._path = path
        # Which file it is that has this name.
        self._file = _identity(path)
        # Whether the last write failed, and none has been made since.
        self.has_failed = False
        self._counts = counts
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="provender-writer", daemon=True)
        self._opened: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._closed = False
        self._thread.start()
        if (error := self._opened.get()) is not None:
            raise error

    async def submit(self, operation: Operation[T]) -> T:
        if self._closed:
            raise StorageUnavailable("The storage is closed.")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._queue.put(_Waiting(operation, loop, future))
        return await future

    def check_file(self) -> None:
        """Raise if the file is not the one that was opened. SQLite would go on writing to a file without a name."""
        if _identity(self._path) != self._file:
            raise StorageUnavailable(
                f"The file {self._path} was removed or replaced while the server used it. Put it back; or stop the "
                "server, restore the file, and start again."
            )

    def close(self) -> None:
        self._closed = True
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        try:
            with translated_errors:
                connection = connect(self._path)
        except BaseException as error:  # noqa: BLE001 - Whatever it is, the thread that waits for us raises it.
            self._opened.put(error)
            return
        self._opened.put(None)
        statements = Connection(connection)
        closing = False
        while not closing:
            batch, closing = self._take()
            if batch:
                self._commit(connection, statements, batch)
                self._deliver(batch)
        connection.close()

    def _take(self) -> tuple[list[_Waiting], bool]:
        """Wait for a write, then take along all that are waiting with it; whether to close after them comes second."""
        batch: list[_Waiting] = []
        waiting = self._queue.get()
        while waiting is not None:
            # A caller that went away before its turn has not been answered; its write need not happen.
            if not waiting.future.cancelled():
                batch.append(waiting)
            if len(batch) == _BATCH:
                return batch, False
            try:
                waiting = self._queue.get_nowait()
            except queue.Empty:
                return batch, False
        return batch, True

    def _commit(self, connection: apsw.Connection, statements: Statements, batch: list[_Waiting]) -> None:
        started = time.perf_counter_ns()
        try:
            self.check_file()
            with translated_errors:
                if not self._run_together(connection, statements, batch):
                    self._run_apart(connection, statements, batch)
        except BaseException as error:  # noqa: BLE001 - The writer must live on, and its callers must hear of it.
            with contextlib.suppress(apsw.Error):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            for waiting in batch:
                waiting.error = waiting.error or error
            self.has_failed = True
            self._counts.fail()
        else:
            self.has_failed = False
            self._counts.commit(len(batch), time.perf_counter_ns() - started)

    def _run_together(self, connection: apsw.Connection, statements: Statements, batch: list[_Waiting]) -> bool:
        """Run the writes with nothing between them, which is what nearly all batches need; whether that was enough.

        A write that fails before it has changed anything needs nothing taken back. Where one fails later, or the
        database does, everything is taken back and has to be run once more, each by itself.
        """
        connection.execute("BEGIN IMMEDIATE")
        for waiting in batch:
            changes = connection.total_changes()
            try:
                waiting.run(statements)
            except BaseException as error:  # noqa: BLE001 - Its caller gets it; the others know nothing of it.
                waiting.error = error
                if isinstance(error, apsw.Error) or connection.total_changes() != changes:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    return False
        connection.execute("COMMIT")
        return True

    def _run_apart(self, connection: apsw.Connection, statements: Statements, batch: list[_Waiting]) -> None:
        """Run each write so that its failure leaves nothing of it and all of the others."""
        for waiting in batch:
            waiting.result = waiting.error = None
        connection.execute("BEGIN IMMEDIATE")
        for waiting in batch:
            connection.execute("SAVEPOINT alone")
            try:
                with translated_errors:
                    waiting.run(statements)
            except BaseException as error:
                waiting.error = error
                # On a full disk or a failed read SQLite takes the whole transaction back, the other writes with it.
                if not connection.in_transaction:
                    raise
                connection.execute("ROLLBACK TO alone")
            connection.execute("RELEASE alone")
        connection.execute("COMMIT")

    def _deliver(self, batch: list[_Waiting]) -> None:
        loops = {waiting.loop for waiting in batch}
        for loop in loops:
            mine = [waiting for waiting in batch if waiting.loop is loop]
            # A loop that was closed meanwhile has nobody left to tell.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(_resolve, mine)


def _resolve(batch: list[_Waiting]) -> None:
    for waiting in batch:
        waiting.resolve()


def _identity(path: Path) -> tuple[int, int] | None:
    """What a file is known by, whatever its name."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
