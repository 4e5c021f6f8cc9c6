"""PostgreSQL, through asyncpg: a pool of connections, one statement an operation wherever one is enough."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, TypeVar, Union

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from provender.metrics.counts import PoolCounts
from provender.model.errors import StorageUnavailable
from provender.storage.engine import Damage, Operation, Row, Value
from provender.storage.migrations import pending
from provender.storage.postgresql_files import find_damage
from provender.storage.postgresql_hosts import Hosts, NoPrimary, find_hosts
from provender.storage.postgresql_pool import ACQUIRE_TIMEOUT_S, Acquired, OpenConnections

T = TypeVar("T")

# A connection by itself, or one of a pool.
AnyConnection = Union["asyncpg.Connection[Any]", "PoolConnectionProxy[Any]"]

_log = logging.getLogger(__name__)

# COLLATE "C" compares text by its bytes, as SQLite does, whatever the database's own language is.
_WORDS = {
    "engine": "postgresql",
    "text": 'text COLLATE "C"',
    "integer": "bigint",
    "number": "double precision",
    "bytes": "bytea",
    "table": "",
    "keep_shown_unpacked": "ALTER TABLE diary_days ALTER COLUMN shown SET STORAGE EXTERNAL;",
}

# Any number will do, as long as it is Provender's own: whoever holds it migrates, the others wait.
_MIGRATION_LOCK = 7065_6477

CONNECT_TIMEOUT_S = 10
_STATEMENT_TIMEOUT_S = 10
# A step of the schema may have to rewrite all there is.
_MIGRATION_TIMEOUT_S = 24 * 60 * 60
_ATTEMPTS = 5
# Connections that writes leave free, unless there is but one.
_KEPT_FOR_READS = 2

SESSION = {
    "application_name": "provender",
    # A write that was answered must survive a crash of the database, whatever its own default is.
    "synchronous_commit": "on",
}

# Two transactions got into each other's way and the database gave one up; it did nothing and can run again.
_GAVE_WAY = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError)

# Classes 08, 53, 57 and 58 of the standard's codes: no connection, no room, going down, a failing disk. 25006 is
# what a primary answers that has become a standby.
_UNAVAILABLE = (
    OSError,
    TimeoutError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.OperatorInterventionError,
    asyncpg.PostgresSystemError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.InsufficientPrivilegeError,
    *_GAVE_WAY,
)

# The server is gone, or is going: another one may answer a read. Not a statement that takes too long, nor a pool that
# is used up, which would only take longer there.
_GONE = (
    NoPrimary,
    ConnectionError,
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
)


class _TranslatedErrors:
    """Raises the driver's complaints about connections, room and shutdowns as StorageUnavailable.

    Wrong SQL, wrong values and violated constraints are our own faults, and stay what they are. asyncpg has one
    InterfaceError for a wrong number of values and for a connection or a pool that is closed; only its words differ.
    """

    def __enter__(self) -> None: ...

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> None:
        if error is not None and (isinstance(error, _UNAVAILABLE) or _is_closed(error)):
            raise StorageUnavailable(f"The database does not answer: {_words_of(error)}.") from error


translated_errors = _TranslatedErrors()


def _is_closed(error: BaseException) -> bool:
    return isinstance(error, asyncpg.InterfaceError) and "clos" in str(error)


def _words_of(error: BaseException) -> str:
    return str(error).rstrip(".") or type(error).__name__


class _Connection(asyncpg.Connection):
    def get_reset_query(self) -> str:
        """Nothing we do outlives a transaction, so giving a connection back need not cost a round trip."""
        return ""


class _Transaction:
    """Statements on the connection of one transaction."""

    def __init__(self, connection: "PoolConnectionProxy[Any]") -> None:
        self._connection = connection

    async def all(self, sql: str, *values: Value) -> Sequence[Row]:
        return await self._connection.fetch(sql, *values)

    async def one(self, sql: str, *values: Value) -> Row | None:
        return await self._connection.fetchrow(sql, *values)

    async def change(self, sql: str, *values: Value) -> Sequence[Row]:
        return await self._connection.fetch(sql, *values)


class PostgresqlEngine:
    """An Engine on a PostgreSQL database, or on the primary among several; see `postgresql_hosts.py`.

    `standby` is a pool for what is read while there is no primary.
    """

    chains_writes = True

    def __init__(
        self,
        pool: "asyncpg.Pool[Any]",
        counts: PoolCounts,
        standby: "asyncpg.Pool[Any] | None" = None,
        hosts: Hosts | None = None,
    ) -> None:
        self._pool = pool
        self._counts = counts
        # Writes may all wait at once, for a lock or for a standby that is gone. Reads need not wait with them.
        self._writes = asyncio.Semaphore(max(1, pool.get_max_size() - _KEPT_FOR_READS))
        self._standby = standby
        self._hosts = hosts

    async def all(self, sql: str, *values: Value) -> Sequence[Row]:
        return await self._read(lambda connection: connection.fetch(sql, *values))

    async def one(self, sql: str, *values: Value) -> Row | None:
        return await self._read(lambda connection: connection.fetchrow(sql, *values))

    async def _read(self, fetch: "Callable[[PoolConnectionProxy[Any]], Awaitable[T]]") -> T:
        """Read from the primary, or from a standby while there is none."""
        with translated_errors:
            try:
                async with self._acquire() as connection:
                    return await fetch(connection)
            except (*_GONE, asyncpg.InterfaceError) as error:
                if self._standby is None or not (isinstance(error, _GONE) or _is_closed(error)):
                    raise
                is_known = isinstance(error, NoPrimary)
            if not is_known:
                # That a connection broke does not say that the primary is gone, and a standby may be behind it.
                await self._pool.expire_connections()
                with contextlib.suppress(*_GONE):
                    async with self._acquire() as connection:
                        return await fetch(connection)
            async with Acquired(self._standby, self._counts) as connection:
                return await fetch(connection)

    async def change(self, sql: str, *values: Value) -> Sequence[Row]:
        # A statement outside a transaction is one by itself: one round trip, durable when it returns.
        with translated_errors:
            try:
                async with self._acquire_to_write() as connection:
                    return await connection.fetch(sql, *values)
            except asyncpg.ReadOnlySQLTransactionError:
                await self._pool.expire_connections()
                raise

    async def transaction(self, operation: Operation[T]) -> T:
        with translated_errors:
            for attempt in range(1, _ATTEMPTS + 1):
                try:
                    async with self._acquire_to_write() as connection, connection.transaction():
                        result = await operation(_Transaction(connection))
                except _GAVE_WAY:
                    if attempt == _ATTEMPTS:
                        raise
                    self._counts.run_again()
                    _log.info("a transaction gave way to another and runs again", extra={"attempt": attempt})
                except asyncpg.ReadOnlySQLTransactionError:
                    # Its server has become a standby. The next connection finds the primary.
                    await self._pool.expire_connections()
                    raise
                else:
                    self._counts.commit()
                    return result
        raise AssertionError("The last attempt returns or raises.")

    async def ping(self) -> None:
        await self.one("SELECT 1")

    def _acquire(self) -> Acquired:
        return Acquired(self._pool, self._counts)

    def _acquire_to_write(self) -> Acquired:
        return Acquired(self._pool, self._counts, self._writes)

    async def migrate(self) -> None:
        with translated_errors:
            async with self._pool.acquire() as connection, connection.transaction():
                await migrate_within(connection)

    async def find_damage(self) -> Damage:
        with translated_errors:
            async with self._acquire() as connection:
                return await find_damage(connection)

    async def close(self) -> None:
        # Waits for the statements under way, and gives up on a connection that no longer answers.
        pools = [pool for pool in (self._pool, self._standby) if pool is not None]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ACQUIRE_TIMEOUT_S):
                await asyncio.gather(*(pool.close() for pool in pools))
        if self._hosts is not None:
            await self._hosts.close()


async def migrate_within(connection: AnyConnection, wanted: int | None = None) -> int:
    """Bring the schema to this program's, or to the wanted one, in the transaction under way; the number it has then.

    Whoever else migrates waits until the transaction ends.
    """
    await connection.execute("SELECT pg_advisory_xact_lock($1)", _MIGRATION_LOCK, timeout=_MIGRATION_TIMEOUT_S)
    await connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version bigint NOT NULL)")
    version: int = await connection.fetchval("SELECT max(version) FROM schema_version") or 0
    for migration in pending(version, wanted):
        if sql := migration.sql(_WORDS):
            await connection.execute(sql, timeout=_MIGRATION_TIMEOUT_S)
        await connection.execute("INSERT INTO schema_version VALUES ($1)", migration.number)
        version = migration.number
    return version


@contextlib.contextmanager
def refused_addresses(named: str) -> Iterator[None]:
    """Says in one line why an address cannot be used; `named` is where the operator wrote it."""
    try:
        with translated_errors:
            yield
    except asyncpg.PostgresError as error:
        raise StorageUnavailable(f"The database cannot be used: {_words_of(error)}. Check {named}.") from error
    except (ValueError, OverflowError, asyncpg.InterfaceError) as error:
        # What was wrong is not repeated: it may be a part of the password.
        raise StorageUnavailable(
            f"The address in {named} cannot be read. Percent-encode what is special in its parts."
        ) from error


async def _find_one(pool: "asyncpg.Pool[Any]", standby: "asyncpg.Pool[Any] | None") -> None:
    """Raise if there is neither a primary nor, where that is enough to read from, a standby."""
    try:
        async with pool.acquire(timeout=ACQUIRE_TIMEOUT_S):
            pass
    except NoPrimary as error:
        if standby is None:
            raise
        try:
            async with standby.acquire(timeout=ACQUIRE_TIMEOUT_S):
                pass
        except (OSError, asyncpg.PostgresError):
            raise error from None


async def open_postgresql(url: str, connections: int, counts: PoolCounts | None = None) -> PostgresqlEngine:
    counts = counts or PoolCounts()
    counts.limit(connections)
    opened = OpenConnections(counts)
    hosts: Hosts | None = None
    standby: asyncpg.Pool[Any] | None = None

    def make_pool(**options: Any) -> "asyncpg.Pool[Any]":
        # What may be read from a synchronous standby must be seen there when the write is answered.
        more = {} if hosts is None else {"synchronous_commit": "remote_apply"}
        return asyncpg.create_pool(
            url,
            max_size=connections,
            timeout=CONNECT_TIMEOUT_S,
            command_timeout=_STATEMENT_TIMEOUT_S,
            connection_class=_Connection,
            init=opened.add,
            # Who has waited for a row finds it as it is then; see `storage/new_logs.py`.
            server_settings=SESSION | {"default_transaction_isolation": "read committed"} | more,
            **options,
        )

    try:
        with refused_addresses("PROVENDER_DATABASE_URL"):
            hosts = find_hosts(url)
            if hosts is None:
                pool = await make_pool(min_size=1)
            else:
                # With a least size it would complain at length about every time that it finds no primary.
                pool = await make_pool(min_size=0, connect=hosts.connect_primary)
                if hosts.standby_reads:
                    standby = await make_pool(min_size=0, connect=hosts.connect_any)
                await _find_one(pool, standby)
    except StorageUnavailable:
        if hosts is not None:
            await hosts.close()
        raise
    return PostgresqlEngine(pool, counts, standby, hosts)
