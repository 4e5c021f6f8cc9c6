"""The command line: serve, and manage applications and keys."""

import asyncio
import errno
import os
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import click
from granian.constants import Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import Server

from provender import __version__
from provender.api.app import Application, create_application
from provender.api.logs import SERVER_LOGGING
from provender.model.access import Scope
from provender.model.errors import ProvenderError
from provender.model.times import utc_now
from provender.services import access
from provender.settings import Settings, doc, variable
from provender.storage.access import list_applications, list_keys
from provender.storage.engine import Engine
from provender.storage.opening import open_engine

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

_STOP_WITHIN_S = 10


class _Refusal(click.ClickException):
    """One line on standard error and exit code 1."""

    def show(self, file: Any = None) -> None:
        click.echo(f"provender: {self.format_message()}", file=file or sys.stderr)


class _Commands(click.Group):
    """Shows the product's own errors as one line, without a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ProvenderError as error:
            raise _Refusal(error.detail) from error


def _option(name: str, metavar: str) -> Callable[[F], F]:
    """An option that a setting of the same name stands behind; the setting reads and checks the value."""
    default = getattr(Settings(), name)
    text = f"{doc(name)}  [env: {variable(name)}; default: {default}]"
    return click.option(f"--{name.replace('_', '-')}", name, metavar=metavar, help=text)


_data_dir = _option("data_dir", "FOLDER")


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="provender", message="%(prog)s %(version)s")
def main() -> None:
    """Provender, a self-hosted nutrition API.

    Start with `provender serve`: it prints an API key and a request to try. Profile data and keys are kept in the data
    folder, or in PostgreSQL where PROVENDER_DATABASE_URL names one. Every command can run while a server does.
    """


@main.command()
@_option("host", "ADDRESS")
@_option("port", "PORT")
@_data_dir
@_option("workers", "N")
def serve(**options: str | None) -> None:
    """Run the service until it is told to stop.

    On storage without any application it makes the application `default` and one API key, and prints the key once.
    Ctrl-C or SIGTERM finishes the requests under way and stops. Logs go to standard error, one JSON line a request.
    """
    settings = Settings.load(os.environ, **options)
    _check_address(settings)
    key = _on_storage(settings, lambda engine: access.create_first_key(engine, utc_now()), create=True)
    server = Server(
        "provender",
        address=settings.host,
        port=settings.port,
        workers=settings.workers,
        interface=Interfaces.ASGI,
        websockets=False,
        http1_settings=HTTP1Settings(header_read_timeout=10_000),
        log_level=LogLevels.warning,
        log_dictconfig=SERVER_LOGGING,
        workers_kill_timeout=_STOP_WITHIN_S,
        respawn_failed_workers=True,
    )
    server.on_startup(partial(_greet, settings, key))
    try:
        server.serve(target_loader=partial(_load, settings), wrap_loader=False)
    except (OSError, RuntimeError) as error:
        raise _Refusal(f"cannot listen on {settings.host}:{settings.port}: {error}") from error


def _load(settings: Settings) -> Application:
    """What each server process runs; a function of its own, so that it can be sent to a new process."""
    return create_application(settings)


def _check_address(settings: Settings) -> None:
    """Find out, before anything is made or printed, whether the address can be listened on."""
    where = f"{settings.host}:{settings.port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            hint = "another program is listening there. Stop it, or choose another port with --port."
            raise _Refusal(f"cannot listen on {where}: {hint}") from None
        raise _Refusal(f"cannot listen on {where}: {error.strerror or error}.") from None


def _greet(settings: Settings, key: str | None) -> None:
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::", "") else settings.host  # noqa: S104 - compared, not bound
    url = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
    click.echo(f"Provender {__version__} listens on {url} (API page: {url}/docs/api). Ctrl-C stops it.")
    if key is not None:
        click.echo(
            f"\nYour API key, for the application `{access.FIRST_APPLICATION}`. It is shown this once:\n\n    {key}\n\n"
            f"Create your first profile:\n\n"
            f"    curl {url}/v1/profiles -H 'Authorization: Bearer {key}' -d reference_id=alice\n"
        )
    sys.stdout.flush()


@main.group()
def keys() -> None:
    """Make, list and revoke API keys."""


@keys.command("create")
@click.option("--application", required=True, metavar="NAME", help="Whose key it is; made if it is missing.")
@click.option(
    "--scope",
    type=click.Choice([scope.value for scope in Scope]),
    default=Scope.WRITE.value,
    show_default=True,
    help="What the key may do; admin may also manage its application's keys.",
)
@_data_dir
def create_key(application: str, scope: str, **options: str | None) -> None:
    """Make an API key and print it, alone, on standard output. It is shown this once and works at once."""
    settings = Settings.load(os.environ, **options)
    made = partial(access.create_key, application_name=application, scope=Scope(scope), now=utc_now())
    click.echo(_on_storage(settings, made, create=True))


@keys.command("list")
@_data_dir
def show_keys(**options: str | None) -> None:
    """List all keys by their prefixes; the keys themselves are kept nowhere."""
    found = _on_storage(Settings.load(os.environ, **options), list_keys)
    rows = [
        (
            key.prefix,
            key.application_name,
            key.scope.value,
            f"{key.created_at:%Y-%m-%d}",
            f"{key.last_used_on or 'never'}",
            f"{key.revoked_at:%Y-%m-%d}" if key.revoked_at else "",
        )
        for key in found
    ]
    _table(("PREFIX", "APPLICATION", "SCOPE", "CREATED", "LAST USED", "REVOKED"), rows)


@keys.command("revoke")
@click.argument("key_prefix")
@_data_dir
def revoke_key(key_prefix: str, **options: str | None) -> None:
    """Revoke the key that begins with KEY_PREFIX. Running servers refuse it within 5 seconds."""
    settings = Settings.load(os.environ, **options)
    revoked = _on_storage(settings, lambda engine: access.revoke_key(engine, key_prefix, utc_now()))
    click.echo(f"Revoked {revoked.prefix}… of {revoked.application_name}.")


@main.group()
def applications() -> None:
    """Look at the applications that use this service."""


@applications.command("list")
@_data_dir
def show_applications(**options: str | None) -> None:
    """List all applications. `provender keys create --application NAME` makes a new one."""
    found = _on_storage(Settings.load(os.environ, **options), list_applications)
    _table(
        ("NAME", "CREATED"),
        [(application.name, f"{application.created_at:%Y-%m-%d}") for application in found],
    )


def _on_storage(settings: Settings, work: Callable[[Engine], Awaitable[T]], *, create: bool = False) -> T:
    async def run() -> T:
        engine = await open_engine(settings, create=create)
        try:
            await engine.migrate()
            return await work(engine)
        finally:
            await engine.close()

    return asyncio.run(run())


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, *rows]:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
