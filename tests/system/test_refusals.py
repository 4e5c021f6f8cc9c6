"""When a command cannot do its work: one clear line, exit code 1, no traceback, and nothing was changed."""

import asyncio
import contextlib
import socket
from pathlib import Path
from typing import Any

import apsw
import asyncpg
import pytest

from provender.settings import Settings
from provender.storage.opening import DATABASE_FILE
from tests.conftest import PostgresqlServer
from tests.system.commands import call, refusal, run
from tests.system.server import free_port, serving

# The settings are made by an asynchronous fixture, which needs to know what runs it.
pytestmark = pytest.mark.usefixtures("anyio_backend")

SERVE = ("serve",)
CREATE = ("keys", "create", "--application", "acme")
LIST = ("keys", "list")
REVOKE = ("keys", "revoke", "pv_")
APPLICATIONS = ("applications", "list")

PASSWORD = "hunter2"


def _refusal_of(
    command: tuple[str, ...], settings: Settings | None = None, variables: dict[str, str] | None = None
) -> str:
    """What the command says. `serve` gets a process, because it may not be refused at all."""
    if command[0] == "serve":
        # A server that starts by mistake ends in the time limit of the process.
        ours = {"PROVENDER_PORT": str(free_port())}
        return refusal(run(*command, settings=settings, variables=ours | (variables or {})))
    return refusal(call(*command, settings=settings, variables=variables))


def test_a_port_in_use_is_refused_and_the_first_key_is_still_to_come(settings: Settings) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        line = _refusal_of(SERVE, settings, {"PROVENDER_PORT": str(port)})
    assert f"127.0.0.1:{port}" in line
    assert "--port" in line
    with serving(settings) as server, server.client(server.key) as client:
        assert client.get("/v1/profiles").status_code == 200


def test_the_port_of_another_provender_is_in_use_too(settings: Settings) -> None:
    """Workers share a port with each other, so that the system itself might let more join them."""
    with serving(settings, workers=2) as server:
        assert "--port" in _refusal_of(SERVE, settings, {"PROVENDER_PORT": str(server.port)})


@pytest.mark.parametrize("host", ["192.0.2.1", "nobody.invalid", "a..b", "a" * 64, "127.0.0.1:80"])
def test_an_address_that_cannot_be_listened_on_is_refused_before_anything_is_made(tmp_path: Path, host: str) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    line = _refusal_of(("serve", "--host", host), settings)
    assert host in line
    assert line.endswith(" Choose another address with --host or PROVENDER_HOST.")
    assert not settings.data_dir.exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PROVENDER_PORT", "abc"),
        ("PROVENDER_PORT", "0"),
        ("PROVENDER_PORT", "65536"),
        ("PROVENDER_PORT", "٨٠٨٠"),
        ("PROVENDER_WORKERS", "0"),
        ("PROVENDER_WORKERS", "65"),
        ("PROVENDER_WORKERS", "-1"),
        ("PROVENDER_DATABASE_CONNECTIONS", "0"),
        ("PROVENDER_DATABASE_URL", f"mysql://root:{PASSWORD}@127.0.0.1/db"),
        ("PROVENDER_DATABASE_URL", f"root:{PASSWORD}@127.0.0.1/db"),
    ],
)
def test_a_setting_that_is_not_right_is_named(tmp_path: Path, name: str, value: str) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    line = _refusal_of(CREATE, settings, {name: value})
    assert line.startswith(f"provender: {name} must be ")
    assert PASSWORD not in line
    assert not settings.data_dir.exists()


@pytest.mark.parametrize(("option", "value"), [("--port", "abc"), ("--workers", "0")])
def test_an_option_that_is_not_right_is_named(tmp_path: Path, option: str, value: str) -> None:
    line = _refusal_of(("serve", option, value), Settings(data_dir=tmp_path / "data"))
    assert line.startswith(f"provender: {option} must be ")


@pytest.mark.parametrize("sign", ["/", "#", "?", ":", "@[", "%zz/"])
def test_no_password_is_repeated_from_an_address_that_cannot_be_read(sign: str) -> None:
    """A sign in a password that ought to be percent-encoded makes the address fall apart in the wrong places."""
    address = f"postgresql://provender:{PASSWORD}{sign}{PASSWORD}@127.0.0.1:{free_port()}/provender"
    assert PASSWORD not in _refusal_of(LIST, None, {"PROVENDER_DATABASE_URL": address})


@pytest.mark.parametrize("command", [SERVE, CREATE, LIST], ids=" ".join)
def test_a_data_folder_that_cannot_be_is_refused(tmp_path: Path, command: tuple[str, ...]) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not a folder")
    # Root may write almost anywhere, but not in /proc; others could not make it where there is none.
    for folder in (file, file / "below", Path("/proc/provender"), tmp_path / ("x" * 300)):
        line = _refusal_of((*command, "--data-dir", str(folder)))
        assert str(folder) in line
        assert command == LIST or "Name another with --data-dir" in line
    assert file.read_text() == "not a folder"


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / DATABASE_FILE
    file.write_text("Dear diary, " * 1000)
    for command in (SERVE, LIST):
        assert str(tmp_path) in _refusal_of(command, Settings(data_dir=tmp_path))
    assert file.read_text() == "Dear diary, " * 1000


@pytest.mark.parametrize("command", [LIST, REVOKE, APPLICATIONS], ids=" ".join)
def test_a_folder_without_storage_is_refused_and_none_is_made(tmp_path: Path, command: tuple[str, ...]) -> None:
    for folder in (tmp_path / "misspelt", tmp_path):
        line = _refusal_of((*command, "--data-dir", str(folder)))
        assert str(folder) in line
        assert "--data-dir" in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [SERVE, CREATE, LIST], ids=" ".join)
def test_a_database_that_cannot_be_reached_is_refused(tmp_path: Path, command: tuple[str, ...]) -> None:
    for address in (
        "postgresql:///provender?host=/nonexistent",
        f"postgresql://provender:{PASSWORD}@127.0.0.1:{free_port()}/provender",
    ):
        line = _refusal_of(command, Settings(data_dir=tmp_path / "data", database_url=address))
        assert "database" in line
        assert PASSWORD not in line
    assert not (tmp_path / "data").exists()


def test_a_database_or_a_role_that_does_not_exist_is_refused(postgresql: PostgresqlServer, data_dir: Path) -> None:
    for command in (SERVE, LIST):
        settings = Settings(data_dir=data_dir, database_url=postgresql.url("nosuch"))
        assert '"nosuch"' in _refusal_of(command, settings)
    as_nobody = postgresql.url("postgres").replace("postgres:@", "nobody@")
    assert '"nobody"' in _refusal_of(LIST, Settings(data_dir=data_dir, database_url=as_nobody))


_MAKE_TABLES = "GRANT CREATE ON SCHEMA public TO weak"
_READ_THE_VERSION = "GRANT SELECT ON schema_version TO weak"


@pytest.mark.parametrize(
    ("in_use", "rights"),
    [(False, []), (True, []), (True, [_MAKE_TABLES]), (True, [_MAKE_TABLES, _READ_THE_VERSION])],
    ids=["no right in a new database", "no right", "may make tables", "may read the version"],
)
def test_a_role_that_lacks_a_right_is_refused(
    postgresql: PostgresqlServer, data_dir: Path, in_use: bool, rights: list[str]
) -> None:
    owner = Settings(data_dir=data_dir, database_url=asyncio.run(postgresql.new_database()))
    assert owner.database_url is not None
    if in_use:
        assert call(*CREATE, settings=owner).exit_code == 0
    [[known]] = asyncio.run(_on_database(owner, "SELECT count(*) FROM pg_roles WHERE rolname = 'weak'"))
    if known == (0,):
        rights = ["CREATE ROLE weak LOGIN", *rights]
    asyncio.run(_on_database(owner, *rights))
    weak = Settings(data_dir=data_dir, database_url=owner.database_url.replace("postgres:@", "weak@"))
    for command in (SERVE, CREATE, LIST):
        assert "permission denied" in _refusal_of(command, weak)


async def _on_database(settings: Settings, *statements: str) -> list[list[Any]]:
    """Speak to the database itself, past Provender."""
    if settings.database_url is None:
        with contextlib.closing(apsw.Connection(str(settings.data_dir / DATABASE_FILE))) as file:
            return [list(file.execute(statement)) for statement in statements]
    connection = await asyncpg.connect(settings.database_url)
    try:
        return [[tuple(row) for row in await connection.fetch(statement)] for statement in statements]
    finally:
        await connection.close()


def test_a_newer_schema_is_refused_and_left_as_it_was(settings: Settings) -> None:
    assert call(*CREATE, settings=settings).exit_code == 0
    everything = ["SELECT * FROM applications", "SELECT * FROM api_keys ORDER BY hash", "SELECT * FROM profiles"]
    if settings.database_url is None:
        raise_schema = "PRAGMA user_version = 1000"
        everything += ["PRAGMA user_version", "SELECT * FROM sqlite_schema ORDER BY name"]
    else:
        raise_schema = "INSERT INTO schema_version VALUES (1000)"
        everything += ["SELECT * FROM schema_version ORDER BY 1", "SELECT relname FROM pg_class ORDER BY 1"]
    asyncio.run(_on_database(settings, raise_schema))
    before = asyncio.run(_on_database(settings, *everything))
    for command in (SERVE, CREATE, LIST, REVOKE, APPLICATIONS):
        assert "schema 1000" in _refusal_of(command, settings)
    assert asyncio.run(_on_database(settings, *everything)) == before
