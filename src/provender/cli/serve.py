"""`provender serve`: run the service."""

import errno
import os
import socket
import sys
import time
from functools import partial

import click
from granian.constants import Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from provender import __version__
from provender.api.app import Application, create_application
from provender.api.logs import SERVER_LOGGING
from provender.catalogue.folder import CatalogueFolder
from provender.cli.options import Refusal, on_storage, setting_option, storage_options
from provender.cli.stopping import StoppableServer, hear_signals_once
from provender.importers.run import build_shipped
from provender.model.times import utc_now
from provender.services import access
from provender.services.catalogue import FOLDER
from provender.settings import Settings
from provender.storage.engine import Engine

# The promise is 10 seconds; the rest is for the program itself to end.
_STOP_WITHIN_S = 8


@click.command()
@setting_option("host", "ADDRESS")
@setting_option("port", "PORT")
@storage_options
@setting_option("workers", "N")
def serve(**options: str | None) -> None:
    """Run the service until it is told to stop.

    On storage without any application it makes the application `default` and one API key, and prints the key once.
    Ctrl-C or SIGTERM finishes the requests under way and stops. Logs go to standard error, one JSON line a request.
    """
    settings = Settings.load(os.environ, **options)
    address = _check_address(settings)
    on_storage(settings, _nothing, create=True)
    _check_catalogue(settings)
    key = on_storage(settings, lambda engine: access.create_first_key(engine, utc_now()), create=True)
    server = StoppableServer(
        "provender",
        address=address,
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
    except (OSError, RuntimeError, ValueError) as error:
        raise Refusal(f"cannot listen on {settings.host}:{settings.port}: {error}") from error


def _load(settings: Settings) -> Application:
    """What each server process runs; a function of its own, so that it can be sent to a new process."""
    hear_signals_once()
    return create_application(settings)


async def _nothing(_engine: Engine) -> None:
    """What is done on storage just to find out, before anything is printed, that it can be used."""


def _check_address(settings: Settings) -> str:
    """Find out, before anything is made or printed, whether the address can be listened on; return its number."""
    where = f"{settings.host}:{settings.port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
        return str(address[0])
    except UnicodeError:
        raise Refusal(f"cannot listen on {where}: that is no address and no name of a host.") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            hint = "another program is listening there. Stop it, or choose another port with --port."
            raise Refusal(f"cannot listen on {where}: {hint}") from None
        raise Refusal(f"cannot listen on {where}: {error.strerror or error}.") from None


def _check_catalogue(settings: Settings) -> None:
    """Build the shipped catalogue where there is none; refuse to start on one that cannot be read."""
    folder = CatalogueFolder(settings.data_dir / FOLDER)
    started = time.monotonic()
    try:
        version = folder.current()
        if version is not None:
            folder.manifest(version)
            return
        manifest = build_shipped(folder, utc_now())
    except OSError as error:
        raise Refusal(f"The data folder {settings.data_dir} cannot be used: {error}") from error
    took = time.monotonic() - started
    click.echo(f"Built the food catalogue: {manifest.foods} foods of USDA SR28, in {took:.1f} s.")


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
