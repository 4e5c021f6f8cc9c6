"""What `backup`, `restore` and `copy` refuse: each with one line, and what was there is as it was."""

import asyncio
import fcntl
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import asyncpg
import pytest

from provender.catalogue.folder import CatalogueFolder
from provender.settings import Settings
from provender.storage.migrations import migrations
from provender.storage.opening import DATABASE_FILE
from provender.storage.tables import read_tables
from tests.conftest import PostgresqlServer
from tests.storage.copies import SCHEMA, make_storage
from tests.system.commands import PROGRAM, call, environment, printed, refusal
from tests.system.server import free_port, until

# The settings are made by an asynchronous fixture, which needs to know what runs it.
pytestmark = pytest.mark.usefixtures("anyio_backend")

CREATE = ("keys", "create", "--application", "acme")
PASSWORD = "hunter2"

# The version that the catalogue of the tests has.
_VERSION = "catalogue/20260101T000000Z-001"


def _storage(folder: Path, catalogue_folder: CatalogueFolder) -> Settings:
    """A data folder with a few rows in every table, and a catalogue."""
    make_storage(folder, 3)
    (folder / "catalogue").symlink_to(catalogue_folder.path)
    return Settings(data_dir=folder)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, catalogue_folder: CatalogueFolder) -> Path:
    """A backup that nobody changes."""
    folder = tmp_path_factory.mktemp("made")
    printed(call("backup", str(folder / "backup"), settings=_storage(folder / "data", catalogue_folder)))
    return folder / "backup"


@pytest.fixture
def backup(made: Path, tmp_path: Path) -> Path:
    """A backup of one's own."""
    return Path(shutil.copytree(made, tmp_path / "backup"))


@pytest.fixture
def empty(settings: Settings, tmp_path: Path) -> Settings:
    """Storage without anything, and a data folder that is not there yet, on each of the two databases."""
    return replace(settings, data_dir=tmp_path / "restored")


def _rows(settings: Settings) -> int:
    """How many rows the storage has in all; none where it is not there."""

    async def count(url: str) -> int:
        connection = await asyncpg.connect(url)
        try:
            if await connection.fetchval("SELECT to_regclass('applications')") is None:
                return 0
            return sum([await connection.fetchval(f"SELECT count(*) FROM {table.name}") for table in tables])
        finally:
            await connection.close()

    tables = read_tables(SCHEMA)
    if settings.database_url is not None:
        return asyncio.run(count(settings.database_url))
    path = settings.data_dir / DATABASE_FILE
    if not path.exists():
        return 0
    with closing(apsw.Connection(str(path))) as file:
        counts: Any = [file.execute(f"SELECT count(*) FROM {table.name}").fetchall() for table in tables]
    return sum(count for [(count,)] in counts)


def _check_nothing_restored(settings: Settings) -> None:
    assert _rows(settings) == 0
    assert CatalogueFolder(settings.data_dir / "catalogue").current() is None


# backup


def test_a_backup_needs_a_new_folder_or_an_empty_one(made: Path, tmp_path: Path) -> None:
    settings = Settings(data_dir=made.parent / "data")
    full, file, empty = tmp_path / "full", tmp_path / "file", tmp_path / "empty"
    full.mkdir()
    (full / "mine").write_text("mine")
    file.write_text("mine")
    for taken in (full, file):
        assert f"{taken} exists already" in refusal(call("backup", str(taken), settings=settings))
    assert (full / "mine").read_text() == file.read_text() == "mine"
    line = refusal(call("backup", str(tmp_path / "no" / "such"), settings=settings))
    assert f"The folder {tmp_path / 'no'} does not exist. Make it first" in line
    empty.mkdir(mode=0o755)
    printed(call("backup", str(empty), settings=settings))
    assert empty.stat().st_mode & 0o777 == 0o700
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "file", "full"]


def test_where_there_is_no_storage_nothing_is_backed_up(empty: Settings, tmp_path: Path) -> None:
    assert "holds no storage" in refusal(call("backup", str(tmp_path / "backup"), settings=empty))
    assert not (tmp_path / "backup").exists()
    assert not list(tmp_path.glob(".*"))
    assert not empty.data_dir.exists()


def test_a_storage_that_is_damaged_is_not_backed_up(tmp_path: Path, catalogue_folder: CatalogueFolder) -> None:
    settings = _storage(tmp_path / "data", catalogue_folder)
    with (settings.data_dir / DATABASE_FILE).open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(4096 * 20))
    refusal(call("backup", str(tmp_path / "backup"), settings=settings))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]


def test_two_backups_into_one_folder_do_not_mix(made: Path, tmp_path: Path) -> None:
    settings = Settings(data_dir=made.parent / "data")
    part = tmp_path / ".backup.part"
    part.mkdir()
    (part / "left").write_text("by one that was killed")
    other = os.open(part, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    assert "Another command is writing" in refusal(call("backup", str(tmp_path / "backup"), settings=settings))
    assert (part / "left").exists()
    os.close(other)
    printed(call("backup", str(tmp_path / "backup"), settings=settings))
    assert [path.name for path in tmp_path.iterdir()] == ["backup"]
    assert not (tmp_path / "backup" / "left").exists()


def test_a_backup_does_not_change_the_schema_and_a_newer_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalogue_folder: CatalogueFolder
) -> None:
    known = migrations()
    settings = _storage(tmp_path / "data", catalogue_folder)
    monkeypatch.setattr("provender.storage.migrations.migrations", lambda: known[:-1])
    assert "schema" in refusal(call("backup", str(tmp_path / "backup"), settings=settings))
    monkeypatch.undo()
    printed(call("backup", str(tmp_path / "backup"), settings=settings))
    assert json.loads((tmp_path / "backup" / "backup.json").read_bytes())["schema"] == SCHEMA
    monkeypatch.setattr("provender.storage.migrations.migrations", lambda: known[:-1])
    line = refusal(call("restore", str(tmp_path / "backup"), settings=Settings(data_dir=tmp_path / "new")))
    assert f"schema {SCHEMA}" in line
    assert not (tmp_path / "new").exists()


def test_a_catalogue_version_that_goes_meanwhile_is_left_for_the_one_in_use(
    tmp_path: Path, catalogue_folder: CatalogueFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two imports that end while it is copied remove it."""
    settings = _storage(tmp_path / "data", catalogue_folder)
    folder = CatalogueFolder(settings.data_dir / "catalogue")
    folder.path.unlink()
    shutil.copytree(catalogue_folder.path, folder.path)
    old, new = Path(_VERSION).name, "20260102T000000Z-001"
    take_in = CatalogueFolder.take_in

    def remove_first(self: CatalogueFolder, other: CatalogueFolder, version: str) -> None:
        if version == old:
            (folder.path / old).rename(folder.path / new)
            folder.use(new)
        take_in(self, other, version)

    monkeypatch.setattr(CatalogueFolder, "take_in", remove_first)
    printed(call("backup", str(tmp_path / "backup"), settings=settings))
    assert CatalogueFolder(tmp_path / "backup" / "catalogue").versions() == [new]
    assert (tmp_path / "backup" / "catalogue" / "current").read_text() == f"{new}\n"


def test_a_catalogue_that_this_program_cannot_read_is_backed_up_all_the_same(
    tmp_path: Path, catalogue_folder: CatalogueFolder
) -> None:
    """Of another release, before or after it."""
    settings = _storage(tmp_path / "data", catalogue_folder)
    folder = settings.data_dir / "catalogue"
    folder.unlink()
    shutil.copytree(catalogue_folder.path, folder)
    manifest = folder / Path(_VERSION).name / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_bytes()) | {"format": 99}))
    printed(call("backup", str(tmp_path / "backup"), settings=settings))
    line = refusal(call("restore", str(tmp_path / "backup"), settings=Settings(data_dir=tmp_path / "new")))
    assert "has format 99" in line
    assert not (tmp_path / "new").exists()


# restore


def _flip(file: Path) -> None:
    text = bytearray(file.read_bytes())
    text[len(text) // 2] ^= 1
    file.write_bytes(text)


def _cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def _remove(file: Path) -> None:
    file.unlink()


_DAMAGES: Sequence[tuple[str, Callable[[Path], None]]] = [
    (name, damage)
    for name in (DATABASE_FILE, f"{_VERSION}/foods.db", f"{_VERSION}/manifest.json", "catalogue/current")
    for damage in (_flip, _cut, _remove)
] + [("backup.json", _cut), ("backup.json", _remove)]


@pytest.mark.parametrize(("name", "damage"), _DAMAGES, ids=lambda part: getattr(part, "__name__", part))
def test_a_damaged_backup_is_refused(backup: Path, tmp_path: Path, name: str, damage: Callable[[Path], None]) -> None:
    damage(backup / name)
    line = refusal(call("restore", str(backup), settings=Settings(data_dir=tmp_path / "restored")))
    assert "is damaged" in line or "is no backup" in line
    assert name.rsplit("/", maxsplit=1)[-1] in line
    assert not (tmp_path / "restored").exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 2}, "has format 2"),
        ({"format": "x"}, "cannot be read"),
        ({"schema": SCHEMA + 1}, "schema"),
        ({"schema": SCHEMA - 1}, "other rows"),
        ({"rows": {"applications": 1}}, "other rows"),
        ({"files": []}, "does not name provender.db"),
        ({"catalogue": "20270101T000000Z-001"}, "does not name catalogue/"),
        ({"files": [{"path": "../secret", "size": 1, "sha256": ""}]}, "does not name"),
    ],
    ids=str,
)
def test_a_backup_that_says_something_else_of_itself_is_refused(
    backup: Path, empty: Settings, change: dict[str, Any], words: str
) -> None:
    file = backup / "backup.json"
    file.write_text(json.dumps(json.loads(file.read_bytes()) | change))
    assert words in refusal(call("restore", str(backup), settings=empty))
    _check_nothing_restored(empty)


def test_a_file_outside_of_the_backup_is_none_of_its_files(backup: Path, tmp_path: Path) -> None:
    file = backup / "backup.json"
    (tmp_path / "secret").write_text("secret")
    said = json.loads(file.read_bytes())
    said["files"].append({"path": "../secret", "size": 6, "sha256": ""})
    file.write_text(json.dumps(said))
    assert "is damaged" in refusal(call("restore", str(backup), settings=Settings(data_dir=tmp_path / "new")))


def test_storage_that_is_there_is_not_restored_over(made: Path, empty: Settings) -> None:
    printed(call(*CREATE, settings=empty))
    line = refusal(call("restore", str(made), settings=empty))
    assert "holds a storage already" in line
    assert _rows(empty) == 2
    assert CatalogueFolder(empty.data_dir / "catalogue").current() is None


@pytest.mark.parametrize("name", [DATABASE_FILE, f"{DATABASE_FILE}-wal", f"{DATABASE_FILE}-journal"])
def test_what_another_storage_has_left_is_not_taken_for_ones_own(made: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    settings = Settings(data_dir=tmp_path)
    assert f"({name})" in refusal(call("restore", str(made), settings=settings))
    assert f"({name})" in refusal(call("copy", "--to", str(tmp_path), settings=Settings(data_dir=made.parent / "data")))
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_another_catalogue_is_not_replaced_and_the_same_one_is_kept(made: Path, empty: Settings) -> None:
    mine = empty.data_dir / "catalogue"
    shutil.copytree(made / "catalogue", mine)
    foods = mine / Path(_VERSION).name / "foods.db"
    whole = foods.read_bytes()
    foods.write_bytes(whole + b" ")
    assert "has a catalogue already" in refusal(call("restore", str(made), settings=empty))
    assert _rows(empty) == 0
    # So a restore that was interrupted after this can be run again.
    foods.write_bytes(whole)
    written = foods.stat().st_mtime_ns
    printed(call("restore", str(made), settings=empty))
    assert _rows(empty) == 3 * len(read_tables(SCHEMA))
    assert foods.stat().st_mtime_ns == written


def _with_nothing(settings: Settings) -> Settings:
    """The same, with an empty file for commands that make none."""
    settings.data_dir.mkdir(parents=True)
    (settings.data_dir / DATABASE_FILE).touch()
    return settings


def test_an_older_backup_is_migrated(tmp_path: Path, empty: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    known = migrations()
    settings = Settings(data_dir=tmp_path / "old")
    with monkeypatch.context() as older:
        older.setattr("provender.storage.migrations.migrations", lambda: known[:6])
        printed(call("applications", "list", settings=_with_nothing(settings)))
    with closing(apsw.Connection(str(settings.data_dir / DATABASE_FILE))) as connection:
        connection.execute("INSERT INTO applications VALUES ('1', 'acme', 0), ('2', 'globex', 0)")
    # A backup by this program leaves the schema as it is.
    shown = printed(call("backup", str(tmp_path / "backup"), settings=settings))
    assert shown.startswith("Backed up 2 rows and no catalogue")
    assert json.loads((tmp_path / "backup" / "backup.json").read_bytes())["schema"] == 6
    printed(call("restore", str(tmp_path / "backup"), settings=empty))
    assert _rows(empty) == 2


def test_a_folder_that_cannot_be_is_not_taken_for_a_fault_of_the_database(
    made: Path, settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    below = tmp_path / "file" / "below"
    line = refusal(call("restore", str(made), settings=replace(settings, data_dir=below)))
    assert "A file cannot be written" in line
    assert str(below) in line
    printed(call(*CREATE, settings=settings))
    for command in (("copy", "--to", str(below)), ("backup", str(below))):
        line = refusal(call(*command, settings=settings))
        assert "A file cannot be written" in line
        assert str(tmp_path / "file") in line
    assert (tmp_path / "file").read_text() == "not a folder"


# killed


@contextmanager
def _started(*arguments: str, settings: Settings) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [*PROGRAM, *arguments],
        env=environment(settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(30)


def _kill_when(holds: Callable[[], bool], *arguments: str, settings: Settings) -> None:
    """Kill a command that cannot go on, when it has come so far."""
    with _started(*arguments, settings=settings) as process:
        until(holds, 30, "it is in the middle")
        assert process.poll() is None
        process.send_signal(signal.SIGKILL)


def test_what_a_killed_backup_leaves_is_no_backup(tmp_path: Path, catalogue_folder: CatalogueFolder) -> None:
    settings = _storage(tmp_path / "data", catalogue_folder)
    catalogue = settings.data_dir / "catalogue"
    catalogue.unlink()
    catalogue.mkdir()
    # Nobody ever writes into it, so that whoever reads from it waits: the storage is written then, and all else is not.
    os.mkfifo(catalogue / "current")
    part, whole = tmp_path / ".backup.part", tmp_path / "backup"
    _kill_when((part / DATABASE_FILE).exists, "backup", str(whole), settings=settings)
    assert not whole.exists()
    line = refusal(call("restore", str(part), settings=Settings(data_dir=tmp_path / "new")))
    assert f"{part} is no backup: backup.json cannot be read (No such file or directory)." in line
    assert "`provender backup`" in line
    (catalogue / "current").unlink()
    printed(call("backup", str(whole), settings=settings))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup", "data"]


def test_what_a_killed_restore_leaves_is_no_storage(made: Path, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "new")
    catalogue = settings.data_dir / "catalogue"
    catalogue.mkdir(parents=True)
    # It has to wait for somebody who builds a catalogue there.
    lock = os.open(catalogue / ".lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    part, size = settings.data_dir / f".{DATABASE_FILE}.part", (made / DATABASE_FILE).stat().st_size
    _kill_when(lambda: part.exists() and part.stat().st_size == size, "restore", str(made), settings=settings)
    os.close(lock)
    assert sorted(path.name for path in settings.data_dir.iterdir()) == [part.name, "catalogue"]
    assert CatalogueFolder(catalogue).versions() == []
    printed(call("restore", str(made), settings=settings))
    assert _rows(settings) == 3 * len(read_tables(SCHEMA))
    assert not part.exists()


_SLEEPING_PIDS = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()"
_SLEEPING = f"SELECT count(*) FROM ({_SLEEPING_PIDS}) AS sleeping"
_SLEEP = """
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NEW; END';
    CREATE TRIGGER wait BEFORE INSERT ON profiles FOR EACH ROW EXECUTE FUNCTION wait();
"""


async def _ask(url: str, sql: str) -> Any:
    connection = await asyncpg.connect(url)
    try:
        # Without values it may be several statements, whose answer nobody needs.
        return await (connection.fetchval(sql) if sql.startswith("SELECT") else connection.execute(sql))
    finally:
        await connection.close()


@pytest.mark.parametrize("command", ["restore", "copy"])
def test_what_a_killed_command_has_written_to_postgresql_is_gone(
    made: Path, tmp_path: Path, postgresql: PostgresqlServer, command: str
) -> None:
    """It is killed in the middle: most tables are written, and the last one never ends."""
    url = postgresql.url(asyncio.run(postgresql.create_migrated()))
    target = Settings(data_dir=tmp_path / "new", database_url=url)
    asyncio.run(_ask(url, _SLEEP))
    arguments, settings = ("restore", str(made)), target
    if command == "copy":
        arguments, settings = ("copy", f"--to={url}"), Settings(data_dir=made.parent / "data")
    _kill_when(lambda: asyncio.run(_ask(url, _SLEEPING)) == 1, *arguments, settings=settings)
    # The database would hear of it when the trigger has slept.
    asyncio.run(_ask(url, f"SELECT pg_terminate_backend(pid) FROM ({_SLEEPING_PIDS}) AS sleeping"))
    until(lambda: asyncio.run(_ask(url, _SLEEPING)) == 0, 10, "the database has given up")
    _check_nothing_restored(target)


# copy


def test_a_copy_needs_a_target_that_is_empty(made: Path, empty: Settings) -> None:
    printed(call(*CREATE, settings=empty))
    to = empty.database_url or str(empty.data_dir)
    line = refusal(call("copy", "--to", to, settings=Settings(data_dir=made.parent / "data")))
    assert "holds a storage already" in line
    assert _rows(empty) == 2


def test_a_copy_to_a_folder_says_that_the_catalogue_is_not_in_it(made: Path, tmp_path: Path) -> None:
    source = Settings(data_dir=made.parent / "data")
    assert "The catalogue is not copied" in printed(call("copy", "--to", str(tmp_path / "new"), settings=source))
    (tmp_path / "other" / "catalogue").mkdir(parents=True)
    assert "catalogue" not in printed(call("copy", "--to", str(tmp_path / "other"), settings=source))


@pytest.mark.parametrize(
    "to",
    [
        f"mysql://root:{PASSWORD}@127.0.0.1/db",
        f"postgresql://provender:{PASSWORD}/@127.0.0.1/provender",
        f"postgresql://provender:{PASSWORD}@127.0.0.1:PORT/provender",
        "",
    ],
)
def test_no_password_of_a_target_is_repeated(made: Path, to: str) -> None:
    to = to.replace("PORT", str(free_port()))
    line = refusal(call("copy", "--to", to, settings=Settings(data_dir=made.parent / "data")))
    assert PASSWORD not in line
    assert "--to" in line or "does not answer" in line
