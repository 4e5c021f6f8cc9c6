"""An engine that notes what it is asked, and how a database goes about it."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import apsw

from provender.settings import Settings
from provender.storage.engine import Damage, Engine, Operation, Row, Statements, Value

T = TypeVar("T")


class Asked(NamedTuple):
    sql: str
    values: tuple[Value, ...]
    rows: int


class _Noting:
    """Statements that are noted."""

    def __init__(self, statements: Statements, asked: list[Asked]) -> None:
        self._statements = statements
        self.asked = asked

    async def all(self, sql: str, *values: Value) -> Sequence[Row]:
        rows = await self._statements.all(sql, *values)
        self.asked.append(Asked(sql, values, len(rows)))
        return rows

    async def one(self, sql: str, *values: Value) -> Row | None:
        row = await self._statements.one(sql, *values)
        self.asked.append(Asked(sql, values, 0 if row is None else 1))
        return row

    async def change(self, sql: str, *values: Value) -> Sequence[Row]:
        rows = await self._statements.change(sql, *values)
        self.asked.append(Asked(sql, values, len(rows)))
        return rows


class RecordingEngine(_Noting):
    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, [])
        self._engine = engine
        self.chains_writes = engine.chains_writes

    async def transaction(self, operation: Operation[T]) -> T:
        return await self._engine.transaction(lambda inner: operation(_Noting(inner, self.asked)))

    async def ping(self) -> None:
        await self._engine.ping()

    async def migrate(self) -> None:
        await self._engine.migrate()

    async def find_damage(self) -> Damage:
        return await self._engine.find_damage()

    async def close(self) -> None:
        await self._engine.close()

    def take(self) -> list[Asked]:
        """What was asked since the last time."""
        taken, self.asked[:] = list(self.asked), []
        return taken


def is_postgresql(engine: Engine) -> bool:
    return type(engine).__name__ == "PostgresqlEngine"


async def plan(engine: Engine, asked: Asked) -> str:
    if is_postgresql(engine):
        rows = await engine.all(f"EXPLAIN (COSTS OFF) {asked.sql}", *asked.values)
        return "\n".join(row[0] for row in rows)
    return "\n".join(row[3] for row in await engine.all(f"EXPLAIN QUERY PLAN {asked.sql}", *asked.values))


async def plan_with_indexes(engine: Engine, asked: Asked) -> str:
    """The plan; PostgreSQL's as it is for large tables, which it reads through or sorts only for want of an index."""
    if not is_postgresql(engine):
        return await plan(engine, asked)

    async def explain(statements: Statements) -> str:
        for unwanted in ("seqscan", "sort", "bitmapscan"):
            await statements.change(f"SET LOCAL enable_{unwanted} = off")
        rows = await statements.all(f"EXPLAIN (COSTS OFF) {asked.sql}", *asked.values)
        return "\n".join(row[0] for row in rows)

    return await engine.transaction(explain)


async def plan_for_any(engine: Engine, asked: Asked) -> str:
    """The plan of a statement that is asked again and again: PostgreSQL makes it once, and knows no values then."""
    if not is_postgresql(engine):
        return await plan(engine, asked)

    async def explain(statements: Statements) -> str:
        await statements.change("SET LOCAL plan_cache_mode = force_generic_plan")
        await statements.change(f"PREPARE kept AS {asked.sql}")
        rows = await statements.all(f"EXPLAIN (COSTS OFF) EXECUTE kept ({', '.join(map(str, asked.values))})")
        await statements.change("DEALLOCATE kept")
        return "\n".join(row[0] for row in rows)

    return await engine.transaction(explain)


async def work(engine: Engine, settings: Settings, asked: Asked) -> int:
    """How much a database has to do to read it: rows looked at by PostgreSQL, steps of the program of SQLite."""
    if is_postgresql(engine):
        [[found]] = await engine.all(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {asked.sql}", *asked.values)
        return sum(_looked_at(json.loads(found)[0]["Plan"]))
    connection = apsw.Connection(str(settings.data_dir / "provender.db"), flags=apsw.SQLITE_OPEN_READONLY)
    steps = 0

    def step() -> bool:
        nonlocal steps
        steps += 1
        return False

    connection.set_progress_handler(step, 1)
    connection.execute(re.sub(r"\$(\d+)", r"?\1", asked.sql), asked.values).fetchall()
    connection.close()
    return steps


def _looked_at(node: dict[str, Any]) -> Iterator[int]:
    removed = sum(node.get(name, 0) for name in ("Rows Removed by Filter", "Rows Removed by Index Recheck"))
    yield round((node["Actual Rows"] + removed) * node["Actual Loops"])
    for child in node.get("Plans", ()):
        yield from _looked_at(child)
