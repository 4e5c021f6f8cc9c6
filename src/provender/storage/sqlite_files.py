"""SQLite files as files: what SQLite itself finds wrong with one, and one that is only read."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

from provender.model.errors import CatalogueUnavailable

# So many faults are told at most; whoever has more knows enough.
_MOST_FAULTS = 100


def find_faults(connection: apsw.Connection) -> list[str]:
    """What `PRAGMA integrity_check` finds: pages, indexes that lack rows, values that a column must not have."""
    try:
        rows: Any = connection.execute(f"PRAGMA integrity_check({_MOST_FAULTS})").fetchall()
    except (apsw.CorruptError, apsw.NotADBError, apsw.IOError) as error:
        # Some damage keeps the check itself from coming to its end.
        return [str(error)]
    return [line for (text,) in rows if text != "ok" for line in text.splitlines()]


class WholeFile:
    """A file of the catalogue, which nobody changes, to be read from its beginning to its end."""

    def __init__(self, path: Path) -> None:
        try:
            self._file = apsw.Connection(
                f"{path.absolute().as_uri()}?mode=ro&immutable=1",
                flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI,
            )
        except apsw.Error as error:
            raise CatalogueUnavailable(f"{path.name} cannot be read: {error}.") from error

    def find_faults(self) -> list[str]:
        return find_faults(self._file)

    def read(self, sql: str) -> Iterator[Any]:
        try:
            yield from self._file.execute(sql)
        except apsw.Error as error:
            raise CatalogueUnavailable(f"It cannot be read: {error}.") from error

    def close(self) -> None:
        self._file.close()
