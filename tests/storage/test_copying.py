"""Copies of a whole storage: every table, every value as it is, all or nothing, and compared row by row."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import asyncpg
import pytest

from provender.model.errors import NotMoved, SchemaTooNew, StorageUnavailable
from provender.services.copies import copy_storage
from provender.settings import Settings
from provender.storage import copying, migrations, sqlite_copying
from provender.storage.engine import Engine, Row
from provender.storage.files import make_part, part_of
from provender.storage.opening import DATABASE_FILE, open_engine, open_source
from provender.storage.postgresql_copying import empty_postgresql
from provender.storage.tables import Table, read_tables
from tests.conftest import PostgresqlServer
from tests.storage.copies import SCHEMA, all_rows, make_storage


@asynccontextmanager
async def _connected(url: str) -> AsyncIterator[Any]:
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        # One that stays open would keep the server from stopping.
        await connection.close()


async def test_every_table_and_every_column_is_copied(engine: Engine, settings: Settings) -> None:
    if settings.database_url is None:
        found = await engine.all(
            "SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'"
        )
    else:
        found = await engine.all(
            "SELECT table_name, column_name FROM information_schema.columns "
            "WHERE table_schema = 'public' AND table_name <> 'schema_version'"
        )
    tables = read_tables(SCHEMA)
    assert sorted(tuple(row) for row in found) == sorted(
        (table.name, column) for table in tables for column in table.columns
    )
    assert all(table.key for table in tables)


def test_tables_that_others_refer_to_come_first() -> None:
    names = [table.name for table in read_tables(SCHEMA)]
    assert names.index("applications") < min(names.index("api_keys"), names.index("profiles"))


def test_an_older_schema_has_the_tables_it_had() -> None:
    assert {table.name for table in read_tables(1)} == {"applications", "api_keys", "profiles", "deleted_profiles"}
    assert read_tables(0) == ()


async def test_there_and_back_every_row_is_the_same(tmp_path: Path, postgresql: PostgresqlServer) -> None:
    """501 rows a table are more than a batch."""
    make_storage(tmp_path / "from", 501)
    origin = Settings(data_dir=tmp_path / "from")
    before = await all_rows(origin)
    assert {len(rows) for rows in before.values()} == {501}
    there = Settings(data_dir=tmp_path, database_url=await postgresql.new_database())
    assert await copy_storage(origin, there, "--to") == dict.fromkeys(before, 501)
    assert await all_rows(there) == before
    back = Settings(data_dir=tmp_path / "back")
    await copy_storage(there, back, "--to")
    assert await all_rows(back) == before
    assert [path.name for path in back.data_dir.iterdir()] == [DATABASE_FILE]
    assert (back.data_dir / DATABASE_FILE).stat().st_mode & 0o777 == 0o600
    assert back.data_dir.stat().st_mode & 0o777 == 0o700


async def test_sqlite_keeps_no_sign_of_zero_and_nothing_else_is_forgiven(
    tmp_path: Path, postgresql: PostgresqlServer
) -> None:
    make_storage(tmp_path / "from", 6)
    there = Settings(data_dir=tmp_path, database_url=await postgresql.new_database())
    await copy_storage(Settings(data_dir=tmp_path / "from"), there, "--to")
    engine = await open_engine(there)
    await engine.change("UPDATE diary_logs SET number_of_servings = '-0.0'")
    await engine.close()
    back = Settings(data_dir=tmp_path / "back")
    await copy_storage(there, back, "--to")
    async with open_source(back) as source:
        reader = await source.open(Table("diary_logs", ("number_of_servings",), ("number",)))
        assert [repr(row[0]) for row in await reader.read()] == ["0.0"] * 6


_SPOILT: dict[str, tuple[str, Callable[[Sequence[Row]], Sequence[Row]]]] = {
    "a value": ("differs in row 3: note", lambda rows: [*rows[:2], [*rows[2][:-1], "other"], *rows[3:]]),
    "a type": ("differs in row 1: amount", lambda rows: [[rows[0][0], 1, rows[0][2]], *rows[1:]]),
    "a sign": ("differs in row 2: amount", lambda rows: [rows[0], [rows[1][0], 0.0, rows[1][2]], *rows[2:]]),
    "nothing for something": ("differs in row 3: note", lambda rows: [*rows[:2], [*rows[2][:-1], None], *rows[3:]]),
    "a row less": ("has fewer rows", lambda rows: rows[:-1]),
    "a row more": ("has more rows", lambda rows: [*rows, ["z", 1.0, "z"]]),
    "no row": ("has fewer rows", lambda rows: rows[:0]),
    "another row": ("differs in row 1: id", lambda rows: rows[1:]),
}


class _Kept:
    """Rows in memory."""

    schema = SCHEMA
    keeps_sign_of_zero = True

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows

    async def open(self, _table: Table) -> "_Kept":
        return _Kept(self._rows)

    async def read(self) -> Sequence[Row]:
        rows, self._rows = self._rows[: copying.BATCH], self._rows[copying.BATCH :]
        return rows

    async def insert(self, _table: Table, _rows: Sequence[Row]) -> None: ...

    async def prepare_reading(self, _table: Table) -> None: ...


@pytest.mark.parametrize("batch", [1, 2, 3, 500])
@pytest.mark.parametrize("spoilt", _SPOILT)
async def test_every_kind_of_difference_is_found(spoilt: str, batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "BATCH", batch)
    monkeypatch.setattr(copying, "read_tables", lambda _: [Table("kept", ("id", "amount", "note"), ("id",))])
    rows: list[Row] = [["a", 1.0, "x"], ["b", -0.0, None], ["c", 0.1, "secret"]]
    assert await copying.copy_rows(_Kept(rows), _Kept(rows)) == {"kept": 3}
    words, spoil = _SPOILT[spoilt]
    with pytest.raises(NotMoved, match=words) as raised:
        await copying.copy_rows(_Kept(rows), _Kept(spoil(rows)))
    assert "secret" not in raised.value.detail


_TRIGGER = """
    CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.note := NEW.note || ''!''; RETURN NEW; END';
    CREATE TRIGGER spoil BEFORE INSERT ON diary_logs FOR EACH ROW EXECUTE FUNCTION spoil();
"""


async def test_a_database_that_changes_what_it_is_given_keeps_nothing(
    tmp_path: Path, postgresql: PostgresqlServer
) -> None:
    make_storage(tmp_path / "from", 10)
    url = postgresql.url(await postgresql.create_migrated())
    async with _connected(url) as connection:
        await connection.execute(_TRIGGER)
        with pytest.raises(NotMoved, match=r"diary_logs differs in row \d+: note"):
            await copy_storage(Settings(data_dir=tmp_path / "from"), Settings(database_url=url), "--to")
        for table in read_tables(SCHEMA):
            assert await connection.fetchval(f"SELECT count(*) FROM {table.name}") == 0


async def test_a_file_that_changes_what_it_is_given_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_storage(tmp_path / "from", 10)

    insert = sqlite_copying.NewSqlite.insert

    async def insert_spoilt(self: sqlite_copying.NewSqlite, table: Table, rows: Sequence[Row]) -> None:
        await insert(self, table, rows)
        self._connection.execute("UPDATE diary_logs SET metric_amount = 0.1000001 WHERE metric_amount = 0.1")

    monkeypatch.setattr(sqlite_copying.NewSqlite, "insert", insert_spoilt)
    with pytest.raises(NotMoved, match=r"diary_logs differs in row \d+: metric_amount"):
        await copy_storage(Settings(data_dir=tmp_path / "from"), Settings(data_dir=tmp_path / "to"), "--to")
    assert list((tmp_path / "to").iterdir()) == []


async def test_what_is_written_while_a_copy_runs_is_not_in_it(engine: Engine, settings: Settings) -> None:
    insert = "INSERT INTO applications (id, name, created_at) VALUES ($1, $1, 0)"
    await engine.change(insert, "before")
    target = Settings(data_dir=settings.data_dir / "copy")
    async with open_source(settings) as source:
        await engine.change(insert, "after")
        target.data_dir.mkdir()
        async with sqlite_copying.new_sqlite(target.data_dir / DATABASE_FILE, source.schema) as empty:
            assert (await copying.copy_rows(source, empty))["applications"] == 1
    assert len((await all_rows(target))["applications"]) == 1
    assert len((await all_rows(settings))["applications"]) == 2


async def test_a_server_on_the_target_writes_after_the_copy(tmp_path: Path, postgresql: PostgresqlServer) -> None:
    """Otherwise what it writes between the comparison and the end would be there beside the copy."""
    url = postgresql.url(await postgresql.create_migrated())
    insert = "INSERT INTO applications (id, name, created_at) VALUES ('a', 'a', 0)"
    async with _connected(url) as connection:
        await connection.execute("SET lock_timeout = 100")
        async with empty_postgresql(url, "--to", SCHEMA):
            assert await connection.fetch("SELECT 1 FROM applications") == []
            with pytest.raises(asyncpg.LockNotAvailableError):
                await connection.execute(insert)
        await connection.execute(insert)


async def test_text_that_postgresql_cannot_keep_is_refused(tmp_path: Path, postgresql: PostgresqlServer) -> None:
    make_storage(tmp_path / "from", 6)
    file = apsw.Connection(str(tmp_path / "from" / DATABASE_FILE))
    file.execute("UPDATE diary_logs SET note = ? WHERE number = 0", ("a\x00secret",)).fetchall()
    file.close()
    url = await postgresql.new_database()
    with pytest.raises(NotMoved, match="A row of diary_logs cannot be kept") as raised:
        await copy_storage(Settings(data_dir=tmp_path / "from"), Settings(database_url=url), "--to")
    assert "secret" not in raised.value.detail
    async with _connected(url) as connection:
        assert await connection.fetchval("SELECT to_regclass('applications')") is None


async def test_an_older_schema_is_copied_as_it_is_and_then_migrated(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = migrations.migrations()
    with monkeypatch.context() as older:
        older.setattr(migrations, "migrations", lambda: known[:6])
        engine = await open_engine(settings)
        await engine.migrate()
        await engine.change("INSERT INTO applications (id, name, created_at) VALUES ('a', 'acme', 0)")
        await engine.change(
            "INSERT INTO profiles (application_id, id, reference_id, created_at, updated_at, last_number) "
            "VALUES ('a', 'p', 'alice', 0, 0, 7)"
        )
        await engine.close()
    target = Settings(data_dir=settings.data_dir / "copy")
    await copy_storage(settings, target, "--to")
    async with open_source(settings) as source:
        assert source.schema == 6
    engine = await open_engine(target)
    # The seventh migration says so of profiles that are there.
    assert list(await engine.one("SELECT settled_number FROM profiles") or ()) == [7]
    await engine.close()


async def test_a_newer_schema_is_not_copied(
    engine: Engine, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = migrations.migrations()
    target = Settings(data_dir=settings.data_dir / "copy")
    monkeypatch.setattr(migrations, "migrations", lambda: known[:6])
    with pytest.raises(SchemaTooNew):
        await copy_storage(settings, target, "--to")
    assert not target.data_dir.exists()


async def test_a_database_with_a_newer_schema_and_no_rows_is_no_target(
    tmp_path: Path, postgresql: PostgresqlServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What newer migrations do with rows would never be done with these."""
    known = migrations.migrations()
    with monkeypatch.context() as older:
        older.setattr(migrations, "migrations", lambda: known[:6])
        await (engine := await open_engine(Settings(data_dir=tmp_path))).migrate()
        await engine.close()
    url = postgresql.url(await postgresql.create_migrated())
    with pytest.raises(NotMoved, match="has schema"):
        await copy_storage(Settings(data_dir=tmp_path), Settings(database_url=url), "--to")


async def test_storage_that_is_not_there_is_no_source(tmp_path: Path, postgresql: PostgresqlServer) -> None:
    target = Settings(data_dir=tmp_path / "copy")
    for source in (Settings(data_dir=tmp_path), Settings(database_url=await postgresql.new_database())):
        with pytest.raises(StorageUnavailable, match="holds no storage"):
            await copy_storage(source, replace(target), "--to")
        assert not target.data_dir.exists()


async def test_what_was_left_of_a_file_that_is_in_use_is_not_written_to(tmp_path: Path) -> None:
    """Who is killed between giving a file its name and taking the other away leaves both."""
    kept, file = tmp_path / "kept.db", tmp_path / "provender.db"
    kept.write_bytes(b"everything")
    part_of(file).hardlink_to(kept)
    assert make_part(file).read_bytes() == b""
    assert kept.read_bytes() == b"everything"
