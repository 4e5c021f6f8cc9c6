"""SQLite, through apsw: reads in the event loop, one writer thread that commits waiting writes together.

A look-up takes some ten microseconds, less than handing it to a thread would, so reads run where they are asked for.
Writes wait for the disk, so they go to the writer: it takes all that are waiting, runs one after the other, and commits
them with one fsync. Where one fails halfway, all are run again, each in a savepoint of its own.
"""

import asyncio
import contextlib
import queue
import re
import threading
import time
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import apsw

from provender.metrics.counts import CommitCounts
from provender.model.errors import ProvenderError, StorageUnavailable
from provender.storage.engine import Damage, Operation, Row, Statements, Value
from provender.storage.migrations import pending
from provender.storage.sqlite_files import find_faults

T = TypeVar("T")

WORDS = {
    "engine": "sqlite",
    "text": "TEXT",
    "integer": "INTEGER",
    "number": "REAL",
    "bytes": "BLOB",
    "table": "STRICT, WITHOUT ROWID",
    # It packs nothing.
    "keep_shown_unpacked": "",
}

# Writers of several processes take turns. SQLite's own waiting doubles its pauses up to 100 ms; a short even one
# keeps the turns short.
_BUSY_PAUSE_S = 0.001
_BUSY_PATIENCE_S = 10.0

# Enough for every waiting connection, and few enough that the first of them is not kept waiting.
_BATCH = 256


def _busy(first_asked: list[float]) -> Any:
    def wait(attempt: int) -> bool:
        now = time.monotonic()
        if attempt == 0:
            first_asked[0] = now
        time.sleep(_BUSY_PAUSE_S)
        return now - first_asked[0] < _BUSY_PATIENCE_S

    return wait


def _connect(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.set_busy_handler(_busy([0.0]))
    # Otherwise a statement is prepared anew whenever a value changes that a range depends on, for a plan that would be
    # the same: most of what such a look-up costs.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    # In WAL mode, FULL makes a commit durable before it returns; NORMAL may lose the last commits with the power.
    for pragma in ("synchronous = FULL", "foreign_keys = ON", "cache_size = -16384"):
        connection.execute(f"PRAGMA {pragma}")
    _use_wal(connection)
    return connection


def _use_wal(connection: apsw.Connection) -> None:
    """Two processes that turn a new file to WAL at once refuse each other without asking the busy handler."""
    deadline = time.monotonic() + _BUSY_PATIENCE_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(_BUSY_PAUSE_S)
        else:
            return


_translations: dict[str, str] = {}

_ROW_LOCK = re.compile(r" FOR (?:KEY SHARE|NO KEY UPDATE|UPDATE OF \w+)$")


def _translate(sql: str) -> str:
    """PostgreSQL's `$1` is SQLite's `?1`; SQLite reads `$1` as a name, and would number it by first appearance.

    A row lock is left out: SQLite runs one writing transaction at a time, so there is nobody to lock a row against.
    """
    translated = _translations.get(sql)
    if translated is None:
        translated = re.sub(r"\$(\d+)", r"?\1", _ROW_LOCK.sub("", sql))
        _translations[sql] = translated
    return translated


class _TranslatedErrors:
    """Raises the driver's complaints about disk, file and locks as StorageUnavailable.

    Wrong SQL, wrong values and violated constraints are our own faults, and stay what they are.
    """

    def __enter__(self) -> None: ...

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> None:
        ours = (apsw.SQLError, apsw.BindingsError, apsw.MisuseError, apsw.ConstraintError, apsw.MismatchError)
        if isinstance(error, apsw.Error) and not isinstance(error, ours):
            raise StorageUnavailable(f"The storage does not answer: {error}.") from error


translated_errors = _TranslatedErrors()


class _Connection:
    """Statements on one connection, in the thread that owns it. Nothing here ever suspends."""

    def __init__(self, connection: apsw.Connection) -> None:
        # One is enough: it is read to its end before anything else is asked, and making one for each would take longer
        # than some of the questions.
        self._cursor = connection.cursor()

    async def all(self, sql: str, *values: Value) -> Sequence[Row]:
        return self.run(sql, values)

    async def one(self, sql: str, *values: Value) -> Row | None:
        rows = self.run(sql, values)
        return rows[0] if rows else None

    async def change(self, sql: str, *values: Value) -> Sequence[Row]:
        return self.run(sql, values)

    def run(self, sql: str, values: Sequence[Value]) -> Sequence[Row]:
        # Reading every row ends the statement, and with it the snapshot that would hold back a checkpoint.
        return self._cursor.execute(_translate(sql), values).fetchall()


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


class _Writer:
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
                connection = _connect(self._path)
        except BaseException as error:  # noqa: BLE001 - Whatever it is, the thread that waits for us raises it.
            self._opened.put(error)
            return
        self._opened.put(None)
        statements = _Connection(connection)
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


async def _write_anything(statements: Statements) -> None:
    """A write that changes nothing and still has to reach the disk."""
    [[version]] = await statements.all("PRAGMA user_version")
    await statements.change(f"PRAGMA user_version = {version}")


class SqliteEngine:
    """An Engine on one SQLite file. Open and close it, and read from it, in the thread of the event loop."""

    chains_writes = False

    def __init__(self, path: Path, counts: CommitCounts | None = None) -> None:
        self._writer = _Writer(path, counts or CommitCounts())
        with translated_errors:
            self._read_connection = _connect(path)
            self._read_connection.execute("PRAGMA query_only = ON")
        self._reader = _Connection(self._read_connection)

    async def all(self, sql: str, *values: Value) -> Sequence[Row]:
        with translated_errors:
            return self._reader.run(sql, values)

    async def one(self, sql: str, *values: Value) -> Row | None:
        with translated_errors:
            rows = self._reader.run(sql, values)
        return rows[0] if rows else None

    async def change(self, sql: str, *values: Value) -> Sequence[Row]:
        return await self._writer.submit(lambda statements: statements.change(sql, *values))

    async def transaction(self, operation: Operation[T]) -> T:
        return await self._writer.submit(operation)

    async def ping(self) -> None:
        self._writer.check_file()
        await self.one("SELECT 1")
        if self._writer.has_failed:
            # Nobody may be writing any more, so somebody has to try.
            await self._writer.submit(_write_anything)

    async def migrate(self) -> None:
        async def apply(statements: Statements) -> None:
            row = await statements.one("PRAGMA user_version")
            for migration in pending(row[0] if row else 0):
                await statements.change(migration.sql(WORDS))
                await statements.change(f"PRAGMA user_version = {migration.number}")

        await self.transaction(apply)

    async def find_damage(self) -> Damage:
        with translated_errors:
            faults = find_faults(self._read_connection)
            for table, _, parent, _ in self._read_connection.execute("PRAGMA foreign_key_check"):
                faults.append(f"A row of {table} refers to a row of {parent} that is not there.")
        return Damage(faults)

    async def close(self) -> None:
        # The reader first: the last connection to close clears the write-ahead log away.
        self._read_connection.close()
        self._writer.close()


def open_sqlite(path: Path, *, create: bool, counts: CommitCounts | None = None) -> SqliteEngine:
    try:
        if not create and not path.exists():
            raise StorageUnavailable("it holds no storage of Provender. Name the server's own with --data-dir.")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # What people ate is nobody else's business; SQLite gives its other files the same mode.
        path.touch(mode=0o600)
        return SqliteEngine(path, counts)
    except (OSError, ProvenderError) as error:
        raise StorageUnavailable(f"The data folder {path.parent} cannot be used: {error}") from error
