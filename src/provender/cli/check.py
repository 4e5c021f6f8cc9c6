"""`provender check`: whether what is kept is whole, and what follows from other rows is what it should be."""

import os
import time
from collections.abc import Iterator
from dataclasses import asdict

import click
import msgspec

from provender.catalogue.folder import CatalogueFolder
from provender.cli.completion import complete_application
from provender.cli.options import Refusal, on_storage, stoppable, storage_options
from provender.cli.output import counted
from provender.cli.progress import show_tally
from provender.model.checking import Finding, Kind, Tally
from provender.model.errors import StorageUnavailable
from provender.model.times import utc_now
from provender.services.catalogue import FOLDER
from provender.services.catalogue_checks import CatalogueCheck
from provender.services.checking import StorageCheck
from provender.settings import Settings
from provender.storage.access import find_application
from provender.storage.engine import Engine
from provender.storage.owners import find_owned

_encode = msgspec.json.Encoder().encode


@click.command()
@click.option("--repair", is_flag=True, help="Put right whatever follows from other rows, and say what could not be.")
@click.option("--only", type=click.Choice(["storage", "catalogue"]), help="Check one of the two alone.")
@click.option(
    "--application",
    metavar="NAME",
    shell_complete=complete_application,
    help="Check the profiles of this application alone.",
)
@click.option("--profile", metavar="REFERENCE_ID", help="Check this profile of --application alone.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of lines.")
@storage_options
def check(
    repair: bool, only: str | None, application: str | None, profile: str | None, as_json: bool, **options: str | None
) -> None:
    """Check the storage and the food catalogue: their files, and every sum and count against a fresh one.

    It runs while servers do, and keeps nobody from writing. Each thing that is wrong is one line. Exit code 0 means
    that nothing is wrong, or that all of it was mended; 1 that something is, or still is.
    """
    settings = Settings.load(os.environ, **options)
    if profile is not None and application is None:
        raise click.UsageError("--profile needs --application, since every application has its own profiles.")
    if application is not None and only == "catalogue":
        raise click.UsageError("The catalogue belongs to no application. Leave out --application, or --only.")
    printer = _JsonPrinter() if as_json else _LinePrinter()
    run = _Run(settings, printer, repair=repair)
    with stoppable("Not everything was checked."), show_tally(run.describe):
        if only != "catalogue":
            run.check_storage(application, profile)
        if only != "storage" and application is None:
            run.check_catalogue()
    printer.end(run)
    if run.left:
        raise click.exceptions.Exit(1)


class _Run:
    """What a check has looked at, and found, so far."""

    def __init__(self, settings: Settings, printer: "_LinePrinter | _JsonPrinter", *, repair: bool) -> None:
        self._settings = settings
        self._printer = printer
        self._started = time.monotonic()
        self.repair = repair
        self.tally = Tally()
        self.found = 0
        self.mended = 0
        self.can_be_mended = 0
        self.notes: list[str] = []

    @property
    def left(self) -> int:
        return self.found - self.mended

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started

    def describe(self) -> str:
        tally = self.tally
        return f"{counted(tally.profiles, 'profile')}, {counted(tally.logs, 'log')}, {counted(self.found, 'finding')}"

    def check_storage(self, application: str | None, reference_id: str | None) -> None:
        async def work(engine: Engine) -> None:
            await _refuse_unknown(engine, application, reference_id)
            storage = StorageCheck(engine, utc_now, self.tally, repair=self.repair)
            async for finding in storage.all(application, reference_id):
                self._take(finding)
            self.notes += storage.notes

        try:
            on_storage(self._settings, work)
        except StorageUnavailable as error:
            self._take(Finding(Kind.STORAGE_UNREADABLE, error.detail))

    def check_catalogue(self) -> None:
        catalogue = CatalogueCheck(CatalogueFolder(self._settings.data_dir / FOLDER), self.tally)
        for finding in catalogue.all():
            self._take(finding)
        self.notes += catalogue.notes

    def _take(self, finding: Finding) -> None:
        self.found += 1
        self.mended += finding.is_mended
        self.can_be_mended += finding.kind.is_derived
        self._printer.add(finding)


async def _refuse_unknown(engine: Engine, application: str | None, reference_id: str | None) -> None:
    if application is None:
        return
    found = await find_application(engine, application)
    if found is None:
        raise Refusal(f"There is no application {application!r}. `provender applications list` shows them.")
    if reference_id is not None and await find_owned(engine, found.id, reference_id) is None:
        raise Refusal(f"The application {application!r} has no profile {reference_id!r}.")


class _LinePrinter:
    """A line for each finding as it comes, and one for all at the end."""

    def add(self, finding: Finding) -> None:
        owner = [] if finding.owner is None else [f"{finding.owner.application}/{finding.owner.reference_id}"]
        line = ": ".join([finding.kind.code, *owner, finding.what])
        values = [f"{word} {value}" for word, value in (("has", finding.kept), ("should have", finding.right)) if value]
        if values:
            line = f"{line}: {', '.join(values)}"
        click.echo(_printable(f"{line}. Mended." if finding.is_mended else line))

    def end(self, run: _Run) -> None:
        for note in run.notes:
            click.echo(f"Note: {note}")
        click.echo(f"{_describe(run.tally)}, in {run.seconds:.1f} s: {_judge(run)}")


class _JsonPrinter:
    """One document, written as it comes: findings may be many."""

    def __init__(self) -> None:
        self._separator = '{"findings":['

    def add(self, finding: Finding) -> None:
        owner = finding.owner
        document = {
            "kind": finding.kind.code,
            "meaning": finding.kind.sentence,
            "application": None if owner is None else owner.application,
            "profile": None if owner is None else owner.reference_id,
            "what": finding.what,
            "has": finding.kept,
            "should_have": finding.right,
            "can_be_mended": finding.kind.is_derived,
            "is_mended": finding.is_mended,
        }
        click.echo(f"{self._separator}\n{_encode(document).decode()}", nl=False)
        self._separator = ","

    def end(self, run: _Run) -> None:
        if self._separator != ",":
            click.echo(self._separator, nl=False)
        rest = {
            "notes": run.notes,
            "checked": asdict(run.tally),
            "found": run.found,
            "mended": run.mended,
            "left": run.left,
            "took_s": round(run.seconds, 3),
        }
        click.echo(f"],\n{_encode(rest).decode()[1:]}")


def _describe(tally: Tally) -> str:
    return (
        f"Checked {counted(tally.profiles, 'profile')} with {counted(tally.logs, 'log')} "
        f"and {counted(tally.custom_foods, 'custom food')}, "
        f"{counted(tally.catalogue_versions, 'version')} of the catalogue with {counted(tally.catalogue_foods, 'food')}"
    )


def _judge(run: _Run) -> str:
    return " ".join(_sentences(run))


def _sentences(run: _Run) -> Iterator[str]:
    if not run.found:
        yield "nothing is wrong."
        return
    yield f"{counted(run.found, 'finding')}."
    if run.repair:
        yield f"{run.mended} mended, {run.left} left."
    elif run.can_be_mended:
        which = "it" if run.found == 1 else f"{run.can_be_mended} of them"
        yield f"`provender check --repair` mends {which}."
    if run.left > (0 if run.repair else run.can_be_mended):
        yield "What follows from nothing else cannot be mended; docs/how-to-check-and-repair.md says what to do."


def _printable(text: str) -> str:
    """A reference_id may have any characters, and a line must stay one line."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)
