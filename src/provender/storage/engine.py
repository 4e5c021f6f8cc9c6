"""The seam between our SQL and a database: what an engine is, and what it promises.

SQL is written once, in the part of the language that SQLite and PostgreSQL share, with `$1`, `$2` … for values.
Only the modules whose names begin with `sqlite` or `postgresql` know which database is underneath, and only they
translate its errors.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

T = TypeVar("T")

Value = str | int | float | bytes | None
Row = Sequence[Any]


class Statements(Protocol):
    """Something that runs one SQL statement at a time."""

    async def all(self, sql: str, *values: Value) -> Sequence[Row]:
        """Read, and return every row."""

    async def one(self, sql: str, *values: Value) -> Row | None:
        """Read, and return the first row."""

    async def change(self, sql: str, *values: Value) -> Sequence[Row]:
        """Write, and return the rows of RETURNING."""


Operation = Callable[[Statements], Awaitable[T]]


class Damage(NamedTuple):
    """What a database finds wrong with its own files, and what it could not look at, each in a sentence."""

    faults: Sequence[str]
    notes: Sequence[str] = ()


class Engine(Statements, Protocol):
    """A database. A statement on it by itself is a transaction by itself.

    A write has returned only when it is durable. If the one who waits for a write is cancelled, the write happens
    as a whole or not at all. A read sees every write that has returned, whichever process made it.
    """

    # Whether one statement may write into several tables, each time with what the write before has returned.
    chains_writes: bool

    async def transaction(self, operation: Operation[T]) -> T:
        """Run the operation's statements as one: all of them, or none where it raises.

        The operation awaits nothing but its statements, and may be run again from its beginning.
        """

    async def ping(self) -> None:
        """Raise if it cannot be read from, or could not be written to the last time and cannot now."""

    async def migrate(self) -> None:
        """Bring the schema to this program's version; refuse a newer one."""

    async def find_damage(self) -> Damage:
        """Let the database check its own files. It may take minutes, and keeps nobody from writing."""

    async def close(self) -> None: ...
