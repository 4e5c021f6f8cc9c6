"""Connections to a SQLite file: how they are opened, how our SQL is said to them, and what their complaints mean."""

import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw

from provender.model.errors import StorageUnavailable
from provender.storage.engine import Row, Value

# Writers of several processes take turns. SQLite's own waiting doubles its pauses up to 100 ms; a short even one
# keeps the turns short.
_BUSY_PAUSE_S = 0.001
_BUSY_PATIENCE_S = 10.0


def _busy(first_asked: list[float]) -> Any:
    def wait(attempt: int) -> bool:
        now = time.monotonic()
        if attempt == 0:
            first_asked[0] = now
        time.sleep(_BUSY_PAUSE_S)
        return now - first_asked[0] < _BUSY_PATIENCE_S

    return wait


def connect(path: Path) -> apsw.Connection:
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


class Connection:
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
