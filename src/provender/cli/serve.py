"""`provender serve`: run the service."""

import errno
import os
import socket
import sys
from functools import partial

import click
from granian.constants import Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import Server

from provender import __version__
from provender.api.app import Application, create_application
from provender.api.logs import SERVER_LOGGING
from provender.cli.options import Refusal, data_dir_option, on_storage, setting_option
from provender.model.times import utc_now
from provender.services import access
from provender.settings import Settings

_STOP_WITHIN_S = 10


@click.command()
@setting_option("host", "ADDRESS")
@setting_option("port", "PORT")
@data_dir_option
@setting_option("workers", "N")
def serve(**options: str | None) -> None:
    """Run the service until it is told to stop.

    On storage without any application it makes the application `default` and one API key, and prints the key once.
    Ctrl-C or SIGTERM finishes the requests under way and stops. Logs go to standard error, one JSON line a request.
    """
    settings = Settings.load(os.environ, **options)
    _check_address(settings)
    key = on_storage(settings, lambda engine: access.create_first_key(engine, utc_now()), create=True)
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
        raise Refusal(f"cannot listen on {settings.host}:{settings.port}: {error}") from error


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
            raise Refusal(f"cannot listen on {where}: {hint}") from None
        raise Refusal(f"cannot listen on {where}: {error.strerror or error}.") from None


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
