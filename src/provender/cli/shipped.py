"""The catalogue that ships, built where there is none yet."""

import time

import click

from provender.catalogue.folder import CatalogueFolder
from provender.catalogue.store import Catalogue
from provender.cli.options import unusable_folder
from provender.cli.progress import show_tally
from provender.importers.run import build_shipped
from provender.model.times import utc_now
from provender.services.catalogue import FOLDER
from provender.settings import Settings


def ensure_catalogue(settings: Settings, *, quiet: bool = False) -> None:
    """Build the shipped catalogue where there is none; refuse one that cannot be read."""
    folder = CatalogueFolder(settings.data_dir / FOLDER)
    started = time.monotonic()
    try:
        version = folder.current()
        if version is not None:
            # What it says of itself, and whether its files are whole.
            Catalogue(folder, version).close()
            return
        with show_tally(lambda: f"building the food catalogue, {time.monotonic() - started:.0f} s"):
            manifest = build_shipped(folder, utc_now())
    except OSError as error:
        raise unusable_folder(settings.data_dir, error) from error
    took = time.monotonic() - started
    if not quiet:
        click.echo(f"Built the food catalogue: {manifest.foods} foods of USDA SR28, in {took:.1f} s.")
