"""`provender serve`: run the service."""

import contextlib
import errno
import logging
import multiprocessing
import os
import socket
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from provender import __version__
from provender.api.app import LAYOUT, Application, create_application
from provender.api.logs import SERVER_LOGGING, configure_logging
from provender.cli.addresses import url_of
from provender.cli.connections import BACKLOG, LARGEST_HEAD, connections_a_worker
from provender.cli.figures import Figures
from provender.cli.metrics import PATH, MetricsPort
from provender.cli.options import Refusal, on_storage, setting_option, storage_options, unusable_folder
from provender.cli.respawning import LastingServer
from provender.cli.shipped import ensure_catalogue
from provender.cli.stopping import hear_signals_once
from provender.metrics.folder import sheet_folder
from provender.metrics.sheet import Sheet, take_sheet
from provender.model.times import utc_now
from provender.services import access
from provender.services.quotas import Cells, shared_cells
from provender.settings import Settings, variable
from provender.storage.engine import Engine
from provender.tracing.asking import are_traces_asked_for, find_obstacle

_log = logging.getLogger(__name__)

# The promise is 10 seconds; the rest is for the program itself to end.
_STOP_WITHIN_S = 8


@click.command()
@setting_option("host", "ADDRESS")
@setting_option("port", "PORT")
@storage_options
@setting_option("workers", "N")
@setting_option("metrics_port", "PORT")
def serve(**options: str | None) -> None:
    """Run the service until it is told to stop.

    On storage without any application it makes the application `default` and one API key, and prints the key once.
    Ctrl-C or SIGTERM finishes the requests under way and stops. Logs go to standard error, one JSON line a request.
    """
    settings = Settings.load(os.environ, **options)
    address = _check_address(settings)
    metrics_port = _open_metrics_port(settings)
    on_storage(settings, _nothing, create=True)
    ensure_catalogue(settings)
    sheets = None if metrics_port is None else _make_sheets(settings)
    key = on_storage(settings, lambda engine: access.create_first_key(engine, utc_now()), create=True)
    server = LastingServer(
        "provender",
        address=address,
        port=settings.port,
        workers=settings.workers,
        interface=Interfaces.ASGI,
        http=HTTPModes.http1,
        websockets=False,
        backlog=BACKLOG,
        backpressure=connections_a_worker(settings),
        http1_settings=HTTP1Settings(
            header_read_timeout=settings.client_timeout_s * 1000, max_buffer_size=LARGEST_HEAD
        ),
        log_level=LogLevels.warning,
        log_dictconfig=SERVER_LOGGING,
        workers_kill_timeout=_STOP_WITHIN_S,
        respawn_failed_workers=True,
    )
    server.on_startup(partial(_greet, settings, key))
    if are_traces_asked_for(os.environ) and (obstacle := find_obstacle(os.environ)) is not None:
        click.echo(f"provender: {obstacle}", err=True)
    # What goes wrong in the main process is a line of JSON, too.
    configure_logging()
    if metrics_port is not None and sheets is not None:
        metrics_port.start(Figures(settings, sheets, server.worker_ids))
        # While the sheets are still there: without them it would say that nothing was ever counted.
        server.on_shutdown(metrics_port.server_close)
    try:
        server.serve(target_loader=partial(_load, settings, sheets, _quota_cells()), wrap_loader=False)
    except (OSError, RuntimeError, ValueError) as error:
        raise Refusal(f"cannot listen on {settings.host}:{settings.port}: {error}") from error


def _load(settings: Settings, sheets: Path | None, quota_cells: Cells | None) -> Application:
    """What each server process runs; a function of its own, so that it can be sent to a new process."""
    hear_signals_once()
    sheet = _take_sheet(sheets)
    if are_traces_asked_for(os.environ) and find_obstacle(os.environ) is None:
        try:
            # Loaded only here: whoever asks for no traces pays for none.
            from provender.tracing.application import TracedApplication  # noqa: PLC0415

            return create_application(settings, sheet, quota_cells, TracedApplication)
        except Exception:  # noqa: BLE001 - A variable that OpenTelemetry cannot read must not keep the service from running.
            _log.exception("there are no traces, since OpenTelemetry did not start")
    return create_application(settings, sheet, quota_cells)


def _quota_cells() -> Cells | None:
    """What the workers count the requests of limited keys in. Those that are not forked count each for itself."""
    return shared_cells() if multiprocessing.get_start_method() == "fork" else None


def _take_sheet(sheets: Path | None) -> Sheet:
    if sheets is not None:
        try:
            return take_sheet(sheets, LAYOUT)
        except OSError:
            # Somebody has removed them, or the disk is full; the service is worth more than its figures.
            _log.exception("this worker is not counted")
    return Sheet(LAYOUT)


def _open_metrics_port(settings: Settings) -> MetricsPort | None:
    if settings.metrics_port is None:
        return None
    if settings.metrics_port == settings.port:
        raise Refusal(f"The metrics need a port of their own; {settings.port} is the service's. Change one of them.")
    with _refusing(settings.metrics_host, settings.metrics_port, "metrics_port"):
        return MetricsPort(settings.metrics_host, settings.metrics_port)


def _make_sheets(settings: Settings) -> Path:
    """Where the workers count what the metrics' port shows, until the command ends."""
    folder = sheet_folder(settings.data_dir / "metrics", LAYOUT, settings.workers)
    try:
        return click.get_current_context().with_resource(folder)
    except OSError as error:
        raise unusable_folder(settings.data_dir, error) from error


async def _nothing(_engine: Engine) -> None:
    """What is done on storage just to find out, before anything is printed, that it can be used."""


def _check_address(settings: Settings) -> str:
    """Find out, before anything is made or printed, whether the address can be listened on; return its number."""
    with _refusing(settings.host, settings.port, "port"):
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    return str(address[0])


@contextlib.contextmanager
def _refusing(host: str, port: int, setting: str) -> Iterator[None]:
    """Says in one line why an address cannot be listened on, and with which setting another is chosen."""
    where = f"{host}:{port}"
    # The metrics' address has no option.
    option = "--host or " if setting == "port" else ""
    other_host = f"Choose another address with {option}{variable(setting.replace('port', 'host'))}."
    other_port = f"choose another port with --{setting.replace('_', '-')} or {variable(setting)}."
    try:
        yield
    except UnicodeError:
        raise Refusal(f"cannot listen on {where}: that is no address and no name of a host. {other_host}") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            hint = f"another program is listening there. Stop it, or {other_port}"
        elif error.errno == errno.EACCES:
            hint = f"{error.strerror}. Let root allow it, or {other_port}"
        else:
            hint = f"{error.strerror or error}. {other_host}"
        raise Refusal(f"cannot listen on {where}: {hint}") from None


def _greet(settings: Settings, key: str | None) -> None:
    url = url_of(settings.host, settings.port)
    click.echo(f"Provender {__version__} listens on {url} (console: {url}/, documents: {url}/docs/). Ctrl-C stops it.")
    if settings.metrics_port is not None:
        click.echo(f"Metrics for Prometheus: {url_of(settings.metrics_host, settings.metrics_port)}{PATH}")
    if key is not None:
        click.echo(
            f"\nYour API key, for the application `{access.FIRST_APPLICATION}`. It is shown this once:\n\n    {key}\n\n"
            f"Create your first profile:\n\n"
            f"    curl {url}/v1/profiles -H 'Authorization: Bearer {key}' -d reference_id=alice\n"
        )
    sys.stdout.flush()
