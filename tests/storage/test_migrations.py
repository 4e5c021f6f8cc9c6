"""The schema: applied once, in order, all or nothing, and never touched by an older program."""

import asyncio
from typing import Any

import apsw
import pytest

from provender.model.errors import SchemaTooNew
from provender.settings import Settings
from provender.storage import migrations, removal, sqlite
from provender.storage.engine import Engine
from provender.storage.migrations import Migration
from provender.storage.opening import open_engine


def _on_postgresql(engine: Engine) -> bool:
    return type(engine).__name__ == "PostgresqlEngine"


async def _schema(engine: Engine) -> list[Any]:
    if _on_postgresql(engine):
        return list(
            await engine.all(
                """
                SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
                WHERE table_schema = 'public' ORDER BY 1, 2
                """
            )
        )
    return list(await engine.all("SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2"))


async def _version(engine: Engine) -> int:
    sql = "SELECT max(version) FROM schema_version" if _on_postgresql(engine) else "PRAGMA user_version"
    row = await engine.one(sql)
    return int(row[0]) if row else 0


def _with(monkeypatch: pytest.MonkeyPatch, *more: str) -> None:
    """Let the program know further migrations."""
    known = migrations.migrations()
    last = known[-1].number
    added = tuple(Migration(last + number, "added", sql) for number, sql in enumerate(more, 1))
    monkeypatch.setattr(migrations, "migrations", lambda: known + added)


def test_migrations_are_numbered_without_gaps() -> None:
    assert [migration.number for migration in migrations.migrations()] == list(
        range(1, len(migrations.migrations()) + 1)
    )


async def test_migrating_again_changes_nothing(engine: Engine) -> None:
    before = await _schema(engine)
    assert before
    await engine.migrate()
    assert await _schema(engine) == before


async def test_many_processes_may_migrate_at_once(settings: Settings) -> None:
    engines = [await open_engine(settings) for _ in range(5)]
    try:
        await asyncio.gather(*(engine.migrate() for engine in engines))
        assert await _version(engines[0]) == migrations.migrations()[-1].number
    finally:
        for engine in engines:
            await engine.close()


async def test_an_older_program_refuses_a_newer_schema(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as newer:
        _with(newer, "CREATE TABLE later (id {text} NOT NULL PRIMARY KEY) {table};")
        await engine.migrate()
    before = await _schema(engine)
    with pytest.raises(SchemaTooNew, match="schema"):
        await engine.migrate()
    assert await _schema(engine) == before


async def test_a_migration_that_fails_leaves_the_schema_as_it_was(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, version = await _schema(engine), await _version(engine)
    _with(
        monkeypatch, "CREATE TABLE one (id {integer} NOT NULL);", "CREATE TABLE two (id {integer} NOT NULL); NONSENSE;"
    )
    with pytest.raises(Exception, match=r"NONSENSE|syntax"):
        await engine.migrate()
    assert await _schema(engine) == before
    assert await _version(engine) == version


async def test_data_survives_a_migration(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    await engine.change("INSERT INTO applications (id, name, created_at) VALUES ('a', 'acme', 0)")
    _with(monkeypatch, "ALTER TABLE applications ADD COLUMN note {text};")
    await engine.migrate()
    assert list(await engine.one("SELECT name, note FROM applications") or ()) == ["acme", None]


async def test_text_compares_by_bytes(engine: Engine) -> None:
    if _on_postgresql(engine):
        collations = await engine.all(
            """
            SELECT table_name, column_name, collation_name FROM information_schema.columns
            WHERE table_schema = 'public' AND data_type = 'text'
            """
        )
        assert collations
        assert {row[2] for row in collations} == {"C"}
    words = ["Zebra", "a", "B", "ä", "zebra", "Ä", "é", "e\u0301", "\U0001f34c", "\uffee"]
    for word in words:
        await engine.change("INSERT INTO applications (id, name, created_at) VALUES ($1, $1, 0)", word)
    rows = await engine.all("SELECT name FROM applications ORDER BY name")
    assert [row[0] for row in rows] == sorted(words, key=str.encode)


def test_moving_large_rows_keeps_every_row_and_every_index() -> None:
    """SQLite's tables of large rows are made anew: what they hold, and what is indexed, is the same afterwards."""
    words = {**sqlite.WORDS}
    earlier = [migration for migration in migrations.migrations() if migration.number < 8]
    [moving] = [migration for migration in migrations.migrations() if migration.number == 8]
    tables = ("custom_foods", "logged_foods", "diary_days", "saved_meals")
    storage = apsw.Connection(":memory:")
    for migration in earlier:
        storage.execute(migration.sql(words))
    for table in tables:
        columns: Any = storage.execute(f"PRAGMA table_info({table})").fetchall()
        for number in range(3):
            made = {"TEXT": f"text {number}", "INTEGER": number, "REAL": number / 2, "BLOB": b"blob %d" % number}
            values = [made[column[2]] for column in columns]
            storage.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)

    def rows() -> list[Any]:
        return [storage.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3, 4").fetchall() for table in tables]

    def indexes() -> list[Any]:
        sql = "SELECT tbl_name, name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1, 2"
        return list(storage.execute(sql).fetchall())

    before = rows(), indexes()
    storage.execute(moving.sql(words))
    assert (rows(), indexes()) == before
    for table in tables:
        [(sql,)] = storage.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchall()
        assert "WITHOUT ROWID" not in str(sql)
    # Nothing of it concerns PostgreSQL.
    assert moving.sql({**words, "engine": "postgresql"}) == ""


async def test_what_was_logged_before_there_was_settling_counts_as_settled(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = migrations.migrations()
    engine = await open_engine(settings)
    try:
        with monkeypatch.context() as older:
            older.setattr(migrations, "migrations", lambda: known[:6])
            await engine.migrate()
        await engine.change("INSERT INTO applications (id, name, created_at) VALUES ('acme', 'acme', 0)")
        await engine.change(
            """
            INSERT INTO profiles (application_id, id, reference_id, created_at, updated_at, last_number)
            VALUES ('acme', 'a', 'alice', 0, 0, 7)
            """
        )
        await engine.migrate()
        [row] = await engine.all("SELECT unsettled, settled_number FROM profiles")
        assert list(row) == [0, 7]
    finally:
        await engine.close()


# What keeps a table from being spread over machines by the profile alone; docs/how-to-run-on-many-machines.md has why.
_NOT_BY_PROFILE = {
    "applications": ["id"],
    "api_keys": ["hash"],
    "profiles": ["application_id", "id"],
    "answered_requests": ["application_id", "scope", "place"],
    "usage": ["application_id", "hours", "first_hour", "route"],
}
_UNIQUE_WITHOUT_PROFILE = {"custom_foods_by_id"}


async def test_the_keys_of_what_a_profile_owns_are_led_by_the_profile(engine: Engine) -> None:
    """So the rows of a profile lie together, and can lie on a machine of their own."""
    if not _on_postgresql(engine):
        return
    indexes = await engine.all(
        """
        SELECT t.relname, i.relname, x.indisprimary,
            array_agg(a.attname::text ORDER BY array_position(x.indkey::int[], a.attnum::int))
        FROM pg_index x
        JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
        JOIN pg_namespace n ON n.oid = t.relnamespace
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY (x.indkey)
        WHERE n.nspname = 'public' AND x.indisunique GROUP BY 1, 2, 3
        """
    )
    primary = {row[0]: row[3] for row in indexes if row[2]}
    tables = {row[0] for row in await engine.all("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}
    assert primary.keys() == tables - {"schema_version"}
    assert {table: key for table, key in primary.items() if key[0] != "profile_id"} == _NOT_BY_PROFILE
    owned = removal.OWNED_TABLES.keys()
    assert owned <= tables - _NOT_BY_PROFILE.keys() | {"answered_requests"}
    others = {row[1] for row in indexes if not row[2] and row[0] in owned and "profile_id" not in row[3]}
    assert others == _UNIQUE_WITHOUT_PROFILE
