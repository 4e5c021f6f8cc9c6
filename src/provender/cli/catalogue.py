"""`provender catalogue` and `provender gtin`: look at the catalogue's versions, and at barcodes."""

import os
from collections.abc import Sequence

import click

from provender.catalogue.folder import CatalogueFolder, Manifest
from provender.catalogue.reports import ImportReport
from provender.cli.completion import complete_version
from provender.cli.options import Refusal, data_dir_option
from provender.cli.output import Cell, counted, json_option, moment, number, print_document, print_table, state
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
@json_option
@data_dir_option
def show_versions(as_json: bool, **options: str | None) -> None:
    """List the versions there are, oldest first. The two newest are kept."""
    folder = open_folder(**options)
    current = folder.current()
    found = [(version, _find_manifest(folder, version)) for version in folder.versions()]
    if as_json:
        print_document({"data": [_counts(version, manifest, version == current) for version, manifest in found]})
        return
    rows = [
        (version, *_numbers(manifest), _state("in use" if version == current else "", manifest))
        for version, manifest in found
    ]
    print_table(("VERSION", "FOODS", "IN SEARCH", "BARCODES", Cell("", "STATE")), rows)


def _find_manifest(folder: CatalogueFolder, version: str) -> Manifest | None:
    try:
        return folder.manifest(version)
    except CatalogueUnavailable:
        return None


def _numbers(manifest: Manifest | None) -> list[str | Cell]:
    if manifest is None:
        return ["?", "?", "?"]
    return [number(count) for count in (manifest.foods, manifest.listed, manifest.barcodes)]


def _state(used: str, manifest: Manifest | None) -> Cell:
    if manifest is None:
        damaged = f"{used} cannot be read".strip()
        return state(damaged, damaged, "red")
    return state(used, used or "kept", "green" if used else "dim")


def _counts(version: str, manifest: Manifest | None, is_current: bool) -> dict[str, object]:
    """What is known of a version; one that cannot be read has nulls."""
    return {
        "version": version,
        "created_at": manifest and manifest.created_at,
        "foods": manifest and manifest.foods,
        "listed": manifest and manifest.listed,
        "barcodes": manifest and manifest.barcodes,
        "is_current": is_current,
    }


@catalogue.command("info")
@click.argument("version", required=False, shell_complete=complete_version)
@json_option
@data_dir_option
def describe_version(version: str | None, as_json: bool, **options: str | None) -> None:
    """Say what VERSION holds; without it, the version in use."""
    folder = open_folder(**options)
    version = version or folder.current()
    if version is None:
        raise Refusal("There is no catalogue yet. `provender serve` builds one, and so does `provender import`.")
    _check_version(folder, version)
    manifest = folder.manifest(version)
    if as_json:
        print_document(_details(version, manifest, version == folder.current()))
        return
    click.echo(
        f"{version}, format {manifest.format}, built {from_ms(manifest.created_at):%Y-%m-%d %H:%M} UTC: "
        f"{counted(manifest.foods, 'food')}, {manifest.listed} of them in search, "
        f"{counted(manifest.barcodes, 'barcode')}.\n"
    )
    rows = [
        (dataset.name, dataset.release or "", number(dataset.foods), moment(from_ms(dataset.imported_at)))
        for dataset in manifest.datasets
    ]
    print_table(("DATASET", "RELEASE", "FOODS", "IMPORTED"), rows)
    if manifest.reports:
        _print_report(manifest.reports[-1])


def _details(version: str, manifest: Manifest, is_current: bool) -> dict[str, object]:
    """In the words of `GET /v1/catalogue`."""
    last = manifest.reports[-1] if manifest.reports else None
    return {
        **_counts(version, manifest, is_current),
        "format": manifest.format,
        "datasets": [
            {"name": each.name, "release": each.release, "foods": each.foods, "imported_at": each.imported_at}
            for each in manifest.datasets
        ],
        "last_import": last
        and {
            "at": last.at,
            "sources": last.sources,
            "read": last.read,
            "accepted": last.accepted,
            "rejected": last.read - last.accepted,
            "rejections": [{"reason": reason, "records": count} for reason, count in last.rejected.items()],
            "mends": [{"mend": mend, "records": count} for mend, count in last.mends.items()],
            "took_s": round(last.took_s, 3),
        },
    }


def _print_report(report: ImportReport) -> None:
    """What the last import did, in the words in which it said so itself."""
    click.echo(
        f"\nThe last import, {from_ms(report.at):%Y-%m-%d %H:%M} UTC, took {report.took_s:.1f} s. "
        f"{counted(report.read, 'record')} read: {report.accepted} accepted, {report.read - report.accepted} rejected."
    )
    rows = [(f"rejected: {reason}", number(count)) for reason, count in report.rejected.items()]
    rows += [(f"mended: {mend}", number(count)) for mend, count in report.mends.items()]
    if rows:
        click.echo()
        print_table(("WHAT", "RECORDS"), rows)


def _check_version(folder: CatalogueFolder, version: str) -> None:
    if version not in folder.versions():
        raise Refusal(f"There is no catalogue version {version!r}. `provender catalogue list` shows them.")


@catalogue.command("use")
@click.argument("version", shell_complete=complete_version)
@json_option
@data_dir_option
def use_version(version: str, as_json: bool, **options: str | None) -> None:
    """Make VERSION the one in use. Running servers move to it within 5 seconds."""
    folder = open_folder(**options)
    _check_version(folder, version)
    folder.use(version)
    if as_json:
        print_document(_counts(version, _find_manifest(folder, version), True))
    else:
        click.echo(f"The catalogue version in use is now {version}.")


@click.command()
@click.argument("code")
@json_option
def gtin(code: str, as_json: bool) -> None:
    """Say what kind of barcode CODE is, whether its check digit is right, and its GTIN-13.

    UPC-A, UPC-E, EAN-8, EAN-13 and GTIN-14 are read; spaces and hyphens do not matter. Exit code 1 means that no
    GTIN-13 can be made of it.
    """
    readings = barcodes.read_all(code)
    if not readings:
        raise Refusal(f"{code!r} is no barcode: those have 6 to 14 digits.")
    usable = {reading.gtin13 for reading in readings if reading.is_valid and reading.gtin13}
    if as_json:
        print_document({"data": [_reading(each) for each in readings]})
    else:
        _print_readings(readings)
        if len(usable) > 1:
            click.echo("\nThis code can be read in more than one way; only the package tells which is meant.")
    if not usable:
        raise click.exceptions.Exit(1)


def _print_readings(readings: Sequence[barcodes.Reading]) -> None:
    rows = [
        (
            reading.kind.value,
            _check_digit(reading),
            reading.gtin13 or (reading.reason.value if reading.reason else ""),
            "a shop's own" if _is_in_store(reading) else "",
        )
        for reading in readings
    ]
    print_table(("KIND", "CHECK DIGIT", "GTIN-13", Cell("", "NOTE")), rows)


def _check_digit(reading: barcodes.Reading) -> Cell:
    if reading.is_valid:
        return state(reading.check.value, reading.check.value, "green")
    wrong = f"wrong (right: {reading.check_digit})"
    return state(wrong, wrong, "red")


def _is_in_store(reading: barcodes.Reading) -> bool:
    return bool(reading.gtin13) and barcodes.is_in_store(reading.gtin13 or "")


def _reading(reading: barcodes.Reading) -> dict[str, object]:
    return {
        "kind": reading.kind.value,
        "check": reading.check.value,
        "check_digit": reading.check_digit,
        "is_valid": reading.is_valid,
        "gtin13": reading.gtin13,
        "reason": reading.reason and reading.reason.value,
        "is_in_store": _is_in_store(reading),
    }
