"""One application's data. A Store is bound to its application when it is made, so no query can forget the tenant."""

from collections.abc import Callable, Sequence
from typing import Any, Never, TypeVar

from provender.storage.engine import Engine, Operation, Row, Statements, Value

T = TypeVar("T")

# What makes of an operation another one that does more.
Wrap = Callable[[Operation[Any]], Operation[Any]]


class Bound:
    """Statements whose `$1` is always the application.

    PostgreSQL refuses a statement that is given a `$1` it does not use, so a query without its tenant cannot pass
    the tests.
    """

    __slots__ = ("_statements", "application_id")

    def __init__(self, statements: Statements, application_id: str) -> None:
        self._statements = statements
        self.application_id = application_id

    async def all(self, sql: str, *values: Value) -> Sequence[Row]:
        return await self._statements.all(sql, self.application_id, *values)

    async def one(self, sql: str, *values: Value) -> Row | None:
        return await self._statements.one(sql, self.application_id, *values)

    async def change(self, sql: str, *values: Value) -> Sequence[Row]:
        return await self._statements.change(sql, self.application_id, *values)


class Store(Bound):
    """What one application has stored."""

    __slots__ = ("_engine",)

    def __init__(self, engine: Engine, application_id: str) -> None:
        super().__init__(engine, application_id)
        self._engine = engine

    @property
    def chains_writes(self) -> bool:
        """As the engine has it."""
        return self._engine.chains_writes

    @property
    def is_plain(self) -> bool:
        """Whether nothing is wrapped around what is written, so that it may be tried in more than one way."""
        return True

    async def transaction(self, operation: Operation[T]) -> T:
        """Run several statements of this application as one: all of them, or none where the operation raises."""
        return await self._engine.transaction(lambda inner: operation(Bound(inner, self.application_id)))

    async def statement(self, operation: Operation[T]) -> T:
        """Run an operation of one statement, which is a transaction by itself and needs none around it."""
        return await operation(self)

    def wrapped(self, wrap: Wrap) -> "Store":
        """The same store, but everything that is written through it is wrapped so, in the same transaction."""
        return _WrappedStore(self._engine, self.application_id, wrap)


class _WrappedStore(Store):
    __slots__ = ("_wrap",)

    def __init__(self, engine: Engine, application_id: str, wrap: Wrap) -> None:
        super().__init__(engine, application_id)
        self._wrap = wrap

    @property
    def is_plain(self) -> bool:
        return False

    async def transaction(self, operation: Operation[T]) -> T:
        wrapped: Operation[T] = self._wrap(operation)
        return await super().transaction(wrapped)

    async def statement(self, operation: Operation[T]) -> T:
        return await self.transaction(operation)

    async def change(self, _sql: str, *_values: Value) -> Never:
        raise RuntimeError("Nothing can be wrapped around a bare statement. Use `transaction` or `statement`.")
