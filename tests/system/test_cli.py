"""The commands beside `serve`: what they do, and what they print where."""

import re
import zlib
from datetime import UTC, datetime
from pathlib import Path

import click
import pytest

from provender import __version__
from provender.cli import main
from provender.model.ids import encode
from provender.settings import Settings, variable
from tests.system.commands import KEY, call, printed, refusal, run
from tests.system.server import serving

# The settings are made by an asynchronous fixture, which needs to know what runs it.
pytestmark = pytest.mark.usefixtures("anyio_backend")


def _leaves(command: click.Command, *path: str) -> list[tuple[tuple[str, ...], click.Command]]:
    if not isinstance(command, click.Group):
        return [(path, command)]
    return [leaf for name, child in command.commands.items() for leaf in _leaves(child, *path, name)]


COMMANDS = _leaves(main)


def _create_key(settings: Settings, application: str = "acme", *options: str) -> str:
    return printed(call("keys", "create", "--application", application, *options, settings=settings)).strip()


def _rows(settings: Settings, *command: str) -> list[list[str]]:
    head, *rows = printed(call(*command, settings=settings)).splitlines()
    assert head.isupper()
    return [row.split() for row in rows]


def _revoked(settings: Settings) -> set[str]:
    """The prefixes of the keys that have a day of revocation."""
    return {row[0] for row in _rows(settings, "keys", "list") if len(row) == 7}


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=[" ".join(path) for path, _ in COMMANDS])
def test_the_help_of_a_command_names_its_options_and_variables(path: tuple[str, ...], command: click.Command) -> None:
    assert command.help is not None
    words = " ".join(command.get_help(click.Context(command, info_name=" ".join(path))).split())
    for parameter in command.params:
        for name in parameter.opts if isinstance(parameter, click.Option) else [parameter.human_readable_name]:
            assert name in words
        if parameter.name in Settings.__dataclass_fields__:
            assert variable(parameter.name) in words
    if path[0] in ("serve", "keys", "applications", "backup", "restore", "copy"):
        assert "--data-dir" in words
        # It decides which storage the command works on, and whoever wonders about that will look here.
        assert "PROVENDER_DATABASE_URL" in words


def test_the_program_says_what_it_is() -> None:
    assert printed(run("--version")) == f"provender {__version__}\n"
    shown = printed(run("--help"))
    for name in main.commands:
        assert f"  {name} " in shown


def test_every_command_works_as_a_process_of_its_own(settings: Settings) -> None:
    key = printed(run("keys", "create", "--application", "acme", settings=settings)).removesuffix("\n")
    assert KEY.fullmatch(key)
    assert key[:11] in printed(run("keys", "list", settings=settings))
    assert printed(run("keys", "revoke", key, settings=settings)) == f"Revoked {key[:11]}… of acme.\n"
    assert "acme" in printed(run("applications", "list", settings=settings))
    assert r"'pv_\udcff'" in refusal(run("keys", "revoke", b"pv_\xff", settings=settings))


def test_keys_and_applications_are_listed_without_any_secret(settings: Settings) -> None:
    keys = [
        _create_key(settings, "globex", "--scope", "admin"),
        _create_key(settings, "acme"),
        _create_key(settings, "acme", "--scope", "read"),
    ]
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    assert _rows(settings, "keys", "list") == [
        [keys[1][:11], "acme", "write", "default", today, "never"],
        [keys[2][:11], "acme", "read", "default", today, "never"],
        [keys[0][:11], "globex", "admin", "default", today, "never"],
    ]
    assert _rows(settings, "applications", "list") == [["acme", today], ["globex", today]]
    listed = printed(call("keys", "list", settings=settings))
    assert re.search(r"PREFIX +APPLICATION +SCOPE +LIMIT +CREATED +LAST USED +REVOKED", listed)
    assert not any(key[11:] in listed for key in keys)


def test_the_day_a_key_was_used_is_listed(settings: Settings) -> None:
    with serving(settings) as server, server.client(server.key) as client:
        assert client.get("/v1/profiles").status_code == 200
    [row] = _rows(settings, "keys", "list")
    assert row[5] == f"{datetime.now(UTC):%Y-%m-%d}"


def test_a_key_gets_a_limit_of_its_own_and_loses_it_again(settings: Settings) -> None:
    key = _create_key(settings, "acme", "--rate-limit", "60")
    unlimited = _create_key(settings, "acme", "--rate-limit", "none")
    shown = [(row[0], row[3]) for row in _rows(settings, "keys", "list")]
    assert sorted(shown) == sorted([(key[:11], "60"), (unlimited[:11], "none")])
    for limit in ("120", "none", "default"):
        said = printed(call("keys", "limit", key[:11], limit, settings=settings))
        assert said == f"The limit of {key[:11]}… of acme is {limit}.\n"
        assert (key[:11], limit) in [(row[0], row[3]) for row in _rows(settings, "keys", "list")]
    assert "No key begins" in refusal(call("keys", "limit", "pv_nosuch", "5", settings=settings))
    for wrong in ("0", "1000001", "1.5", "-1", "all", ""):
        refused = call("keys", "limit", key[:11], "--", wrong, settings=settings)
        assert refused.exit_code == 2
        assert "whole number from 1 to 1000000" in refused.stderr


def test_a_name_that_cannot_be_an_applications_is_refused(settings: Settings) -> None:
    _create_key(settings, "a" * 64)
    for name in ("", " ", "a b", "-acme", "ä", "a" * 65, "acme/globex", b"\xff\xfe", "acme\n"):
        line = refusal(call("keys", "create", "--application", name, settings=settings))
        assert "application's name" in line
    assert len(_rows(settings, "applications", "list")) == 1


def test_a_refused_name_makes_no_storage(tmp_path: Path) -> None:
    """Otherwise the commands that refuse a folder without storage would take it for one."""
    settings = Settings(data_dir=tmp_path / "data")
    refusal(call("keys", "create", "--application", "a b", settings=settings))
    assert not settings.data_dir.exists()


def test_a_wrong_scope_or_a_missing_name_is_a_wrong_use(tmp_path: Path) -> None:
    for arguments in (["--application", "acme", "--scope", "root"], [], ["--scope", "read"]):
        result = call("keys", "create", *arguments, settings=Settings(data_dir=tmp_path / "data"))
        assert result.exit_code == 2
        assert result.stdout == ""
        [line] = result.stderr.splitlines()
        assert line.startswith("provender: ")
        assert line.endswith(" `provender keys create --help` says more.")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nonsense",), "No such command 'nonsense'. `provender --help` says more."),
        (("--nonsense",), "No such option '--nonsense'. `provender --help` says more."),
        (("keys", "nonsense"), "No such command 'nonsense'. `provender keys --help` says more."),
        (("gtin",), "Missing argument 'CODE'. `provender gtin --help` says more."),
        (
            ("completion",),
            "Missing argument 'SHELL'. Choose from: bash, zsh, fish. `provender completion --help` says more.",
        ),
        (("gtin", "1", "2"), "Got unexpected extra argument (2). `provender gtin --help` says more."),
    ],
)
def test_a_wrong_use_is_told_in_one_line_with_where_to_read_on(arguments: tuple[str, ...], message: str) -> None:
    result = call(*arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"provender: {message}\n")


def test_a_group_of_commands_alone_shows_its_help() -> None:
    assert "Commands:\n  create " in call("keys").stderr


def test_a_key_is_revoked_by_its_prefix_or_as_a_whole(settings: Settings) -> None:
    first, second, third = (_create_key(settings) for _ in range(3))
    for given in (first[:11], second):
        assert printed(call("keys", "revoke", given, settings=settings)) == f"Revoked {given[:11]}… of acme.\n"
    assert _revoked(settings) == {first[:11], second[:11]}
    # A second time changes nothing, and a revoked key stays in the list.
    assert printed(call("keys", "revoke", first[:11], settings=settings)) == f"Revoked {first[:11]}… of acme.\n"
    assert {row[0] for row in _rows(settings, "keys", "list")} == {first[:11], second[:11], third[:11]}


def test_a_prefix_that_names_no_key_or_several_revokes_none(settings: Settings) -> None:
    key, _ = _create_key(settings), _create_key(settings)
    assert "2 keys begin with 'pv_'" in refusal(call("keys", "revoke", "pv_", settings=settings))
    for unknown in ("", "pv_%", "pv_________", key[:10] + "%", key[1:], b"pv_\xff", b"\xff" * 11, "p" * 100_000):
        line = refusal(call("keys", "revoke", unknown, settings=settings))
        assert "`provender keys list`" in line
        assert len(line) < 200
    assert _revoked(settings) == set()


def test_another_key_with_the_same_prefix_does_not_revoke_it(settings: Settings) -> None:
    key = _create_key(settings)
    secret = key[3:11] + "0" * 24
    well_formed = f"pv_{secret}{encode(zlib.crc32(secret.encode()), 6)}"
    mistyped = key[:-1] + ("0" if key[-1] != "0" else "1")
    lines = [
        refusal(call("keys", "revoke", wrong, settings=settings))
        for wrong in (well_formed, mistyped, key[:12], key[:-1], key + "0")
    ]
    assert _revoked(settings) == set()
    for line in lines:
        assert key[11:20] not in line, "what may be a secret is not repeated"
        assert f"No key begins with {key[:11]!r}" not in line, "one does"


def test_the_option_wins_over_the_variable_and_the_variable_over_the_default(tmp_path: Path) -> None:
    by_option, by_variable = (Settings(data_dir=tmp_path / name) for name in ("option", "variable"))
    _create_key(by_variable, "by-variable")
    option = ["--data-dir", str(by_option.data_dir)]
    for command in (["keys", "create", "--application", "by-option"], ["keys", "list"], ["keys", "revoke", "pv_"]):
        assert "by-variable" not in printed(call(*command, *option, settings=by_variable))
    assert "by-option" in printed(call("applications", "list", *option, settings=by_variable))
    for settings, name in ((by_option, "by-option"), (by_variable, "by-variable")):
        assert [row[0] for row in _rows(settings, "applications", "list")] == [name]
    # An empty variable counts as none, and none means this folder, from where the command is run.
    unset = {"PROVENDER_DATA_DIR": ""}
    printed(run("keys", "create", "--application", "acme", cwd=tmp_path, variables=unset))
    assert _rows(Settings(data_dir=tmp_path / "provender-data"), "applications", "list")[0][0] == "acme"


def test_the_data_folder_is_not_touched_where_postgresql_has_the_data(settings: Settings) -> None:
    folder = settings.data_dir.parent / "new"
    _create_key(settings, "acme", "--data-dir", str(folder))
    assert folder.exists() == (settings.database_url is None)
