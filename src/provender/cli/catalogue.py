"""`provender catalogue` and `provender gtin`: look at the catalogue's versions, and at barcodes."""

import os

import click

from provender.catalogue.folder import CatalogueFolder
from provender.catalogue.reports import ImportReport
from provender.cli.options import Refusal, data_dir_option, print_table
from provender.model import gtin as barcodes
from provender.model.errors import CatalogueUnavailable
from provender.model.times import from_ms
from provender.services.catalogue import FOLDER
from provender.settings import Settings


def open_folder(**options: str | None) -> CatalogueFolder:
    return CatalogueFolder(Settings.load(os.environ, **options).data_dir / FOLDER)


@click.group()
def catalogue() -> None:
    """Look at the food catalogue's versions, and choose the one in use."""


@catalogue.command("list")
@data_dir_option
def show_versions(**options: str | None) -> None:
    """List the versions there are, oldest first. The two newest are kept."""
    folder = open_folder(**options)
    current = folder.current()
    rows = []
    for version in folder.versions():
        used = "in use" if version == current else ""
        try:
            manifest = folder.manifest(version)
            rows.append((version, str(manifest.foods), str(manifest.listed), str(manifest.barcodes), used))
        except CatalogueUnavailable:
            rows.append((version, "?", "?", "?", f"{used} cannot be read".strip()))
    print_table(("VERSION", "FOODS", "IN SEARCH", "BARCODES", ""), rows)


@catalogue.command("info")
@click.argument("version", required=False)
@data_dir_option
def describe_version(version: str | None, **options: str | None) -> None:
    """Say what VERSION holds; without it, the version in use."""
    folder = open_folder(**options)
    version = version or folder.current()
    if version is None:
        raise Refusal("There is no catalogue yet. `provender serve` builds one, and so does `provender import`.")
    _check_version(folder, version)
    manifest = folder.manifest(version)
    click.echo(
        f"{version}, format {manifest.format}, built {from_ms(manifest.created_at):%Y-%m-%d %H:%M} UTC: "
        f"{manifest.foods} foods, {manifest.listed} of them in search, {manifest.barcodes} barcodes.\n"
    )
    rows = [
        (dataset.name, dataset.release or "", str(dataset.foods), f"{from_ms(dataset.imported_at):%Y-%m-%d}")
        for dataset in manifest.datasets
    ]
    print_table(("DATASET", "RELEASE", "FOODS", "IMPORTED"), rows)
    if manifest.reports:
        _print_report(manifest.reports[-1])


def _print_report(report: ImportReport) -> None:
    """What the last import did, in the words in which it said so itself."""
    click.echo(
        f"\nThe last import, {from_ms(report.at):%Y-%m-%d %H:%M} UTC, took {report.took_s:.1f} s. "
        f"{report.read} records read: {report.accepted} accepted, {report.read - report.accepted} rejected."
    )
    rows = [(f"rejected: {reason}", str(count)) for reason, count in report.rejected.items()]
    rows += [(f"mended: {mend}", str(count)) for mend, count in report.mends.items()]
    if rows:
        click.echo()
        print_table(("WHAT", "RECORDS"), rows)


def _check_version(folder: CatalogueFolder, version: str) -> None:
    if version not in folder.versions():
        raise Refusal(f"There is no catalogue version {version!r}. `provender catalogue list` shows them.")


@catalogue.command("use")
@click.argument("version")
@data_dir_option
def use_version(version: str, **options: str | None) -> None:
    """Make VERSION the one in use. Running servers move to it within 5 seconds."""
    folder = open_folder(**options)
    _check_version(folder, version)
    folder.use(version)
    click.echo(f"The catalogue version in use is now {version}.")


@click.command()
@click.argument("code")
def gtin(code: str) -> None:
    """Say what kind of barcode CODE is, whether its check digit is right, and its GTIN-13.

    UPC-A, UPC-E, EAN-8, EAN-13 and GTIN-14 are read; spaces and hyphens do not matter. Exit code 1 means that no
    GTIN-13 can be made of it.
    """
    readings = barcodes.read_all(code)
    if not readings:
        raise Refusal(f"{code!r} is no barcode: those have 6 to 14 digits.")
    rows = [
        (
            reading.kind.value,
            reading.check.value if reading.is_valid else f"wrong (right: {reading.check_digit})",
            reading.gtin13 or (reading.reason.value if reading.reason else ""),
            "a shop's own" if reading.gtin13 and barcodes.is_in_store(reading.gtin13) else "",
        )
        for reading in readings
    ]
    print_table(("KIND", "CHECK DIGIT", "GTIN-13", ""), rows)
    usable = {reading.gtin13 for reading in readings if reading.is_valid and reading.gtin13}
    if len(usable) > 1:
        click.echo("\nThis code can be read in more than one way; only the package tells which is meant.")
    if not usable:
        raise click.exceptions.Exit(1)
