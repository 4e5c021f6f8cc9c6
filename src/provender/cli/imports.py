"""`provender import`: bring foods into the catalogue."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from provender.catalogue.folder import Manifest
from provender.cli.catalogue import open_folder
from provender.cli.options import Refusal, complete_file, data_dir_option, stoppable
from provender.cli.output import counted, json_option, number, print_document, print_table
from provender.cli.progress import show_progress
from provender.importers.report import Report
from provender.importers.run import build_shipped, run_import
from provender.importers.sources import KINDS, Position, open_source
from provender.model.times import utc_now
from provender.settings import Settings


def _complete_source(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    kinds = [CompletionItem(kind) for kind in KINDS if kind.startswith(begun)]
    return kinds if (begun and kinds) or not context.params.get("what") else complete_file(context, parameter, begun)


@click.command("import")
@click.argument("what", nargs=-1, required=True, metavar="KIND PATH… [KIND PATH…]…", shell_complete=_complete_source)
@click.option(
    "--map",
    "map_path",
    metavar="MAP.toml",
    shell_complete=complete_file,
    help="How the columns of a csv source are to be read.",
)
@click.option("--replace", is_flag=True, help="Start from the named sources alone, instead of adding to what is there.")
@click.option("--partial", is_flag=True, help="The sources are no whole releases: take nothing out of search.")
@click.option(
    "--rejected", metavar="FILE", help="Where rejected records go, as JSON lines.  [default: in the data folder]"
)
@json_option
@data_dir_option
def import_foods(
    what: tuple[str, ...],
    map_path: str | None,
    replace: bool,
    partial: bool,
    rejected: str | None,
    as_json: bool,
    **options: str | None,
) -> None:
    """Bring foods into the catalogue, as one new version that running servers move to within 5 seconds.

    \b
    KIND is what a source is, and PATH where it is (- is standard input):
      fdc   USDA FoodData Central: a CSV bundle (zip or folder) or a JSON file
      off   Open Food Facts: JSONL, the tab-separated CSV export, both also .gz, or Parquet
      csv   a table of your own, with --map
      sr28  USDA SR28, which is shipped with Provender; it needs no path

    Every record is judged: what has one right answer is mended, what has none is rejected, and the report counts both.
    An import is a whole release of its source: what the source no longer has stays retrievable and leaves search.
    Ctrl-C leaves the catalogue as it was.
    """
    folder = open_folder(**options)
    now = utc_now()
    imports = Settings.load(os.environ, **options).data_dir / "imports"
    rejections = Path(rejected) if rejected else imports / f"{now:%Y%m%dT%H%M%S.%f}Z-rejected.jsonl"
    positions: list[Position] = []

    with (
        stoppable("The catalogue is as it was."),
        ExitStack() as stack,
        show_progress(lambda: _sum_up(positions)) as watch,
    ):
        sources = []
        for kind, path in _read_arguments(what):
            positions.append(Position())
            sources.append(open_source(kind, path, map_path, positions[-1], stack))
        try:
            if folder.current() is None and not replace:
                # What is imported is added to the shipped foods, also where no server has built them yet.
                build_shipped(folder, now)
            manifest, report = run_import(
                folder, sources, now=now, rejections=rejections, replace=replace, partial=partial, watch=watch
            )
        except FileExistsError:
            raise Refusal(f"{rejections} exists already. Name another file with --rejected.") from None
        except OSError as error:
            raise Refusal(f"The import cannot be written: {error}") from error
    if as_json:
        print_document(_document(manifest, report, rejections))
        return
    _print_report(report, rejections)
    click.echo(f"\nThe catalogue version in use is now {manifest.version}: {manifest.foods} foods.")


def _sum_up(positions: list[Position]) -> tuple[int, int | None]:
    """How many bytes of how many are read, of all sources together; a size that one lacks, all lack."""
    sizes = [position.size for position in positions]
    known = [size for size in sizes if size is not None]
    return sum(position.read for position in positions), sum(known) if len(known) == len(sizes) else None


def _read_arguments(what: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    kind: str | None = None
    pending = False
    for word in what:
        if word in KINDS:
            _refuse_without_path(kind, pending=pending)
            kind, pending = word, True
            if not KINDS[word]:
                yield word, ""
                pending = False
        elif kind is None or not KINDS[kind]:
            raise Refusal(f"{word!r} is no kind of source. Say what it is first: {', '.join(KINDS)}.")
        else:
            yield kind, word
            pending = False
    _refuse_without_path(kind, pending=pending)


def _refuse_without_path(kind: str | None, *, pending: bool) -> None:
    if kind is not None and pending:
        raise Refusal(f"{kind} needs a path behind it, or - for standard input.")


def _document(manifest: Manifest, report: Report, rejections: Path) -> dict[str, object]:
    return {
        "version": manifest.version,
        "foods": manifest.foods,
        "read": report.read,
        "accepted": report.accepted,
        "rejected": report.rejected.total(),
        "rejections": [{"reason": each.value, "records": count} for each, count in report.rejected.most_common()],
        "mends": [{"mend": each.value, "records": count} for each, count in report.mends.most_common()],
        "rejected_records": str(rejections) if report.rejected else None,
    }


def _print_report(report: Report, rejections: Path) -> None:
    read = counted(report.read, "record")
    click.echo(f"{read} read: {report.accepted} accepted, {report.rejected.total()} rejected.")
    rows = [(f"rejected: {reason.value}", number(count)) for reason, count in report.rejected.most_common()]
    rows += [(f"mended: {mend.value}", number(count)) for mend, count in report.mends.most_common()]
    if rows:
        click.echo()
        print_table(("WHAT", "RECORDS"), rows)
    if report.rejected:
        click.echo(f"\nThe rejected records are in {rejections}.")
