"""`provender backup` and `provender restore`: everything of an installation, in a folder of its own."""

import asyncio
import contextlib
import os
import time
from datetime import datetime
from pathlib import Path

import click

from provender.catalogue.folder import CatalogueFolder
from provender.cli.options import complete_folder, stoppable, storage_options
from provender.cli.output import as_ms, counted, json_option, print_document
from provender.cli.progress import show_bytes
from provender.model.errors import CatalogueUnavailable
from provender.model.times import utc_now
from provender.services.backups import Backup, back_up
from provender.services.catalogue import FOLDER
from provender.services.restoring import restore_backup
from provender.settings import Settings, variable
from provender.storage.files import part_of
from provender.storage.opening import DATABASE_FILE


@click.command()
@click.argument("dest", shell_complete=complete_folder)
@json_option
@storage_options
def backup(dest: str, as_json: bool, **options: str | None) -> None:
    """Write a backup into the new folder DEST: the storage, and the catalogue version in use.

    Servers may run and write meanwhile; the backup is the storage as it was at one moment. DEST is there when the
    backup is whole, and not before.
    """
    settings = Settings.load(os.environ, **options)
    started = time.monotonic()
    folder = Path(dest).absolute()
    with (
        stoppable("There is no backup."),
        show_bytes("written", lambda: _size_of(part_of(folder)), lambda: _size_of_source(settings)),
    ):
        made = asyncio.run(back_up(settings, folder, utc_now()))
    took = time.monotonic() - started
    if as_json:
        print_document({"path": dest, **_document(made), "took_s": round(took, 3)})
        return
    click.echo(f"Backed up {_contents(made)} to {dest}: {made.size / 1e6:.1f} MB, in {took:.1f} s.")


@click.command()
@click.argument("src", shell_complete=complete_folder)
@json_option
@storage_options
def restore(src: str, as_json: bool, **options: str | None) -> None:
    """Restore the backup in the folder SRC, into a data folder and storage that have nothing yet.

    Every file is checked first. Nothing is restored by half: what was interrupted can be run again.
    """
    settings = Settings.load(os.environ, **options)
    source = Path(src)
    with (
        stoppable("Nothing is restored by half; run it again."),
        show_bytes(
            "restored",
            lambda: _size_of(settings.data_dir),
            lambda: _size_of(source) if settings.database_url is None else None,
        ),
    ):
        restored = asyncio.run(restore_backup(settings, source))
    if as_json:
        print_document({"path": src, **_document(restored)})
        return
    where = settings.data_dir if settings.database_url is None else f"the database in {variable('database_url')}"
    click.echo(f"Restored {_contents(restored)} to {where}, as of {restored.created_at}.")


def _size_of(folder: Path) -> int:
    """What is in the folder now: somebody may be writing to it, or clearing it away."""
    size = 0
    for file in folder.rglob("*"):
        with contextlib.suppress(OSError):
            size += file.stat().st_size if file.is_file() else 0
    return size


def _size_of_source(settings: Settings) -> int | None:
    """About what a backup is going to have; nobody knows that of a database elsewhere, or of a damaged catalogue."""
    database, folder = settings.data_dir / DATABASE_FILE, CatalogueFolder(settings.data_dir / FOLDER)
    if settings.database_url is not None or not database.is_file():
        return None
    try:
        version = folder.current()
    except CatalogueUnavailable:
        return None
    return database.stat().st_size + (0 if version is None else _size_of(folder.path / version))


def _document(made: Backup) -> dict[str, object]:
    return {
        "created_at": as_ms(datetime.fromisoformat(made.created_at)),
        "schema": made.schema,
        "catalogue": made.catalogue,
        "rows": made.rows,
        "size": made.size,
    }


def _contents(made: Backup) -> str:
    catalogue = "no catalogue" if made.catalogue is None else f"the catalogue version {made.catalogue}"
    return f"{counted(sum(made.rows.values()), 'row')} and {catalogue}"
