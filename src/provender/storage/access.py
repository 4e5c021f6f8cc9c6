"""Applications and API keys. These stand above the tenants, so most of their statements are not bound to one.

Those that an application asks for itself are: their `$1` is the application, as in a Store.
"""

from datetime import date, datetime

from provender.model.access import ApiKey, Application, Scope
from provender.model.paging import Page, PageRequest
from provender.model.times import from_ms, to_ms
from provender.storage.engine import Row, Statements
from provender.storage.listing import Listing

_KEY_COLUMNS = """
    k.hash, k.prefix, k.application_id, a.name, k.scope, k.created_at, k.last_used_on, k.revoked_at,
    k.rate_limit
    FROM api_keys k JOIN applications a ON a.id = k.application_id
"""

_FIND_KEY = f"SELECT {_KEY_COLUMNS} WHERE k.hash = $1"

OWN_KEYS = Listing(
    columns="""
        hash, prefix, application_id, (SELECT name FROM applications WHERE id = application_id), scope, created_at,
        last_used_on, revoked_at, rate_limit
    """,
    source="api_keys WHERE application_id = $1",
    key=("created_at", "prefix"),
    descending=True,
    id_column="prefix",
)


async def insert_application(statements: Statements, application: Application) -> None:
    """Add the application unless one of its name is there."""
    await statements.change(
        "INSERT INTO applications (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING",
        application.id,
        application.name,
        to_ms(application.created_at),
    )


async def insert_first_application(statements: Statements, application: Application) -> bool:
    """Add the application if there is none at all yet, and say whether it was added."""
    rows = await statements.change(
        """
        INSERT INTO applications (id, name, created_at)
        SELECT CAST($1 AS text), CAST($2 AS text), CAST($3 AS bigint) WHERE NOT EXISTS (SELECT 1 FROM applications)
        ON CONFLICT (name) DO NOTHING RETURNING id
        """,
        application.id,
        application.name,
        to_ms(application.created_at),
    )
    return bool(rows)


async def find_application(statements: Statements, name: str) -> Application | None:
    row = await statements.one("SELECT id, name, created_at FROM applications WHERE name = $1", name)
    return _application(row) if row else None


async def list_applications(statements: Statements) -> list[Application]:
    return [
        _application(row) for row in await statements.all("SELECT id, name, created_at FROM applications ORDER BY name")
    ]


async def insert_key(statements: Statements, key: ApiKey) -> None:
    """Add a key of the application that the statements are bound to."""
    await statements.change(
        """
        INSERT INTO api_keys (application_id, hash, prefix, scope, created_at, rate_limit)
        VALUES ($1, $2, $3, $4, $5, $6)
        """,
        key.hash,
        key.prefix,
        key.scope.value,
        to_ms(key.created_at),
        key.rate_limit,
    )


async def find_key(statements: Statements, key_hash: bytes) -> ApiKey | None:
    row = await statements.one(_FIND_KEY, key_hash)
    return _key(row) if row else None


async def list_keys(statements: Statements) -> list[ApiKey]:
    rows = await statements.all(f"SELECT {_KEY_COLUMNS} ORDER BY a.name, k.created_at, k.hash")
    return [_key(row) for row in rows]


async def list_keys_by_prefix(statements: Statements, prefix: str) -> list[ApiKey]:
    """The keys whose prefix begins so; by bytes, the keys from it up to the last that it could begin."""
    rows = await statements.all(
        f"SELECT {_KEY_COLUMNS} WHERE k.prefix >= $1 AND k.prefix < $2", prefix, prefix + "\N{DELETE}"
    )
    return [_key(row) for row in rows]


async def revoke_key(statements: Statements, key_hash: bytes, now: datetime) -> None:
    await statements.change(
        "UPDATE api_keys SET revoked_at = $2 WHERE hash = $1 AND (revoked_at IS NULL OR revoked_at > $2)",
        key_hash,
        to_ms(now),
    )


async def list_own_keys(statements: Statements, request: PageRequest) -> Page[ApiKey]:
    return (await OWN_KEYS.page(statements, request)).map(_key)


async def revoke_own_key(statements: Statements, prefix: str, now: datetime) -> bool:
    """Revoke the application's key of this prefix, unless it is revoked; whether there is such a key."""
    rows = await statements.change(
        """
        UPDATE api_keys SET revoked_at = CASE WHEN revoked_at < $3 THEN revoked_at ELSE $3 END
        WHERE application_id = $1 AND prefix = $2 RETURNING prefix
        """,
        prefix,
        to_ms(now),
    )
    return bool(rows)


async def let_key_run_out(statements: Statements, key_hash: bytes, until: datetime) -> bool:
    """Let a key work until then, and say whether it did: of two rotations at once, only one is to go on."""
    rows = await statements.change(
        "UPDATE api_keys SET revoked_at = $2 WHERE hash = $1 AND revoked_at IS NULL RETURNING hash",
        key_hash,
        to_ms(until),
    )
    return bool(rows)


async def limit_key(statements: Statements, key_hash: bytes, rate_limit: int | None) -> None:
    await statements.change("UPDATE api_keys SET rate_limit = $2 WHERE hash = $1", key_hash, rate_limit)


async def record_use(statements: Statements, key_hash: bytes, day: date) -> None:
    await statements.change(
        "UPDATE api_keys SET last_used_on = $2 WHERE hash = $1 AND (last_used_on IS NULL OR last_used_on < $2)",
        key_hash,
        day.isoformat(),
    )


def _application(row: Row) -> Application:
    id_, name, created_at = row
    return Application(id_, name, from_ms(created_at))


def _key(row: Row) -> ApiKey:
    key_hash, prefix, application_id, name, scope, created_at, last_used_on, revoked_at, rate_limit = row
    return ApiKey(
        hash=key_hash,
        prefix=prefix,
        application_id=application_id,
        application_name=name,
        scope=Scope(scope),
        created_at=from_ms(created_at),
        last_used_on=None if last_used_on is None else date.fromisoformat(last_used_on),
        revoked_at=None if revoked_at is None else from_ms(revoked_at),
        rate_limit=rate_limit,
    )
