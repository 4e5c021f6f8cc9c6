"""One application's data. A Store is bound to its application when it is made, so no query can forget the tenant."""

from collections.abc import Sequence
from typing import TypeVar

from provender.storage.engine import Engine, Operation, Row, Statements, Value

T = TypeVar("T")


class Bound:
    """Statements whose `$1` is always the application.

    PostgreSQL refuses a statement that is given a `$1` it does not use, so a query without its tenant cannot pass
    the tests.
    """

    __slots__ = ("_application_id", "_statements")

    def __init__(self, statements: Statements, application_id: str) -> None:
        self._statements = statements
        self._application_id = application_id

    async def all(self, sql: str, *values: Value) -> Sequence[Row]:
        return await self._statements.all(sql, self._application_id, *values)

    async def one(self, sql: str, *values: Value) -> Row | None:
        return await self._statements.one(sql, self._application_id, *values)

    async def change(self, sql: str, *values: Value) -> Sequence[Row]:
        return await self._statements.change(sql, self._application_id, *values)


class Store(Bound):
    """What one application has stored."""

    __slots__ = ("_engine",)

    def __init__(self, engine: Engine, application_id: str) -> None:
        super().__init__(engine, application_id)
        self._engine = engine

    async def transaction(self, operation: Operation[T]) -> T:
        """Run several statements of this application as one: all of them, or none where the operation raises."""
        return await self._engine.transaction(lambda inner: operation(Bound(inner, self._application_id)))
