"""An engine whose statements are spans, below that of the request that asks.

The text of a statement is our own SQL with `$1` for its values, and the values are never a part of a span.
"""

import re
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import TypeVar

from opentelemetry.trace import Span, SpanKind, Tracer, get_current_span, set_span_in_context

from provender.storage.engine import Damage, Engine, Operation, Row, Statements, Value
from provender.tracing.spans import Attributes, spanning

T = TypeVar("T")

# Tables have small letters, and the words of the language capitals.
_WRITTEN = re.compile(r"\b(INSERT INTO|UPDATE|DELETE FROM)\s+([a-z_]+)")
_READ = re.compile(r"\bFROM\s+([a-z_]+)")


class _TracedStatements:
    """Statements that are spans, where what they are part of is one."""

    def __init__(self, statements: Statements, tracer: Tracer, system: str, parent: Span | None = None) -> None:
        self._statements = statements
        self._tracer = tracer
        self._system = system
        # SQLite runs a transaction in a thread of its own, which knows nothing of the request: so it is told.
        self._parent = parent

    async def all(self, sql: str, *values: Value) -> Sequence[Row]:
        if not (parent := self._parent or get_current_span()).is_recording():
            return await self._statements.all(sql, *values)
        with self._spanning(sql, parent) as span:
            rows = await self._statements.all(sql, *values)
            span.set_attribute("db.response.returned_rows", len(rows))
            return rows

    async def one(self, sql: str, *values: Value) -> Row | None:
        if not (parent := self._parent or get_current_span()).is_recording():
            return await self._statements.one(sql, *values)
        with self._spanning(sql, parent) as span:
            row = await self._statements.one(sql, *values)
            span.set_attribute("db.response.returned_rows", 0 if row is None else 1)
            return row

    async def change(self, sql: str, *values: Value) -> Sequence[Row]:
        if not (parent := self._parent or get_current_span()).is_recording():
            return await self._statements.change(sql, *values)
        with self._spanning(sql, parent):
            return await self._statements.change(sql, *values)

    def _spanning(self, sql: str, parent: Span) -> AbstractContextManager[Span]:
        attributes = describe(sql, self._system)
        name = str(attributes["db.query.summary"])
        return spanning(self._tracer, name, attributes, context=set_span_in_context(parent), kind=SpanKind.CLIENT)


class TracedEngine(_TracedStatements):
    """An Engine around another. What happens outside of requests, such as cleaning up, is no trace."""

    def __init__(self, engine: Engine, tracer: Tracer, system: str) -> None:
        super().__init__(engine, tracer, system)
        self._engine = engine
        self.chains_writes = engine.chains_writes

    async def transaction(self, operation: Operation[T]) -> T:
        """A span for the transaction, with one for each statement and one for what follows the last of them.

        On SQLite the time before the first statement is that of waiting for the writer, and COMMIT that of the other
        writes of its batch and of the disk.
        """
        if not get_current_span().is_recording():
            return await self._engine.transaction(operation)
        finished_at = 0

        async def traced(statements: Statements) -> T:
            nonlocal finished_at
            result = await operation(_TracedStatements(statements, self._tracer, self._system, span))
            finished_at = time.time_ns()
            return result

        with spanning(self._tracer, "transaction", {"db.system.name": self._system}, kind=SpanKind.CLIENT) as span:
            result = await self._engine.transaction(traced)
            attributes = {"db.system.name": self._system, "db.operation.name": "COMMIT"}
            context = set_span_in_context(span)
            self._tracer.start_span("COMMIT", context, SpanKind.CLIENT, attributes, start_time=finished_at).end()
            return result

    async def ping(self) -> None:
        await self._engine.ping()

    async def migrate(self) -> None:
        await self._engine.migrate()

    async def find_damage(self) -> Damage:
        return await self._engine.find_damage()

    async def close(self) -> None:
        await self._engine.close()


@cache
def describe(sql: str, system: str) -> Attributes:
    """What is said of a statement; there are only so many of them, since no value is ever in one."""
    # One statement may write several times, the last time for its own sake.
    if written := [f"{operation.split()[0]} {table}" for operation, table in _WRITTEN.findall(sql)]:
        operation, summary = written[-1].split()[0], " ".join(written)
    else:
        operation = "SELECT" if sql.startswith("WITH") else sql.split(maxsplit=1)[0]
        summary = f"{operation} {read[1]}" if (read := _READ.search(sql)) else operation
    return {
        "db.system.name": system,
        "db.query.text": sql,
        "db.operation.name": operation,
        "db.query.summary": summary,
    }
