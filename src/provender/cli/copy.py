"""`provender copy`: move the storage to another database."""

import asyncio
import os
import time
from dataclasses import replace
from pathlib import Path

import click

from provender.cli.options import Refusal, stoppable, storage_options
from provender.cli.output import counted, json_option, number, print_document, print_table
from provender.cli.progress import show_tally
from provender.services.catalogue import FOLDER
from provender.services.copies import copy_storage
from provender.settings import Settings

_ADDRESSES = ("postgresql://", "postgres://")


@click.command()
@click.option("--to", "to", required=True, metavar="TARGET", help="A PostgreSQL address, or a folder for SQLite.")
@json_option
@storage_options
def copy(to: str, as_json: bool, **options: str | None) -> None:
    """Copy the storage into another database that is empty, and compare every row.

    TARGET is an address that begins with postgresql://, or the path of a folder, which gets a SQLite file. Stop the
    servers first: what they write after the copy has begun is not in it. Exit code 1 means that nothing was copied.
    """
    settings = Settings.load(os.environ, **options)
    target = _read_target(to, settings)
    started = time.monotonic()
    moved = [0, 0]

    def watch(copied: int, compared: int) -> None:
        moved[:] = copied, compared

    with stoppable("Nothing was copied."), show_tally(lambda: f"{moved[0]:,} rows copied, {moved[1]:,} compared"):
        rows = asyncio.run(copy_storage(settings, target, "--to", watch))
    took = time.monotonic() - started
    if as_json:
        print_document({"rows": rows, "took_s": round(took, 3)})
        return
    print_table(("TABLE", "ROWS"), [(name, number(count)) for name, count in rows.items()])
    click.echo(f"\nCopied {counted(sum(rows.values()), 'row')} and compared each of them, in {took:.1f} s.")
    if target.database_url is None and not (target.data_dir / FOLDER).exists():
        click.echo(f"The catalogue is not copied: copy {settings.data_dir / FOLDER} to {target.data_dir} as well.")


def _read_target(to: str, settings: Settings) -> Settings:
    if to.startswith(_ADDRESSES):
        return replace(settings, database_url=to)
    # It is not repeated: it may hold a password.
    if "://" in to or not to:
        raise Refusal("--to must be an address that begins with postgresql://, or a folder.")
    return replace(settings, database_url=None, data_dir=Path(to))
