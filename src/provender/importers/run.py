"""Runs an import: outcomes in, a new catalogue version out, and a report in which every record is accounted for."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from provender.catalogue.build import Build
from provender.catalogue.folder import CatalogueFolder, Manifest
from provender.catalogue.processes import count_processes
from provender.catalogue.reports import ImportReport, ImportSource
from provender.importers import sr28
from provender.importers.pieces import Pieces
from provender.importers.records import Outcome
from provender.importers.report import Report, accept
from provender.importers.workers import share_out
from provender.model.times import to_ms

# Pieces that one process judges by itself.
_FEW = 16


@dataclass(frozen=True, slots=True)
class Source:
    """What one file, or one standard input, brings. Its kind is the word that an import names it by."""

    kind: str
    outcomes: Iterable[Outcome]
    release: str | None = None
    # The same records as pieces, where they come so; what is taken from one of the two is no longer in the other.
    cut: Callable[[], Pieces | None] = lambda: None


def run_import(
    folder: CatalogueFolder,
    sources: Iterable[Source],
    *,
    now: datetime,
    rejections: Path,
    replace: bool = False,
    partial: bool = False,
    watch: Callable[[Report], None] = lambda _: None,
    processes: int | None = None,
) -> tuple[Manifest, Report]:
    """Import the sources, one after the other, into one new version; `partial` where they are no whole releases.

    Rejected records go to the file `rejections`, a line of JSON each. `watch` is called after every record, or after
    every piece. A source that is large and comes in pieces is shared out among so many `processes`, as many as the
    machine has if nobody says otherwise. Whatever ends this early, an error or a Ctrl-C, leaves the catalogue as it
    was.
    """
    report = Report()
    found: list[ImportSource] = []
    processes = processes or count_processes()
    with Build(folder, now, replace=replace, processes=processes) as build:
        rejections.parent.mkdir(parents=True, exist_ok=True)
        # A file that is there already is somebody's, and stays.
        with rejections.open("xb") as file:
            try:
                for source in sources:
                    datasets = _stage(build, source, processes, report, file.write, watch, partial=partial)
                    found += _describe(source, datasets)
                manifest = build.finish(_to_keep(report, found, now, partial=partial, replace=replace))
            except BaseException:
                rejections.unlink()
                raise
        if not report.rejected:
            rejections.unlink()
        return manifest, report


def _stage(
    build: Build,
    source: Source,
    processes: int,
    report: Report,
    reject: Callable[[bytes], object],
    watch: Callable[[Report], None],
    *,
    partial: bool,
) -> Counter[str]:
    """Stage a source, and return how many foods each dataset had."""
    pieces = source.cut() if processes > 1 else None
    if pieces is None:
        outcomes = source.outcomes
    else:
        # To start processes takes as long as to judge a few pieces, so these are judged here.
        outcomes = itertools.chain.from_iterable(map(pieces.read, itertools.islice(pieces.pieces, _FEW)))
    counts = build.add(accept(outcomes, report, reject, watch), release=source.release, partial=partial)
    if pieces is not None and (piece := next(pieces.pieces, None)) is not None:
        rest = Pieces(pieces.form, itertools.chain([piece], pieces.pieces), pieces.header)
        shared = share_out(build, rest, processes, report, reject, watch)
        build.note(shared, release=source.release, partial=partial)
        counts += shared
    return counts


def _describe(source: Source, datasets: Iterable[str]) -> list[ImportSource]:
    return [ImportSource(source.kind, dataset, source.release) for dataset in sorted(datasets) or (None,)]


def _to_keep(
    report: Report, sources: list[ImportSource], now: datetime, *, partial: bool = False, replace: bool = False
) -> ImportReport:
    return ImportReport(
        at=to_ms(now),
        sources=sources,
        accepted=report.accepted,
        rejected={reason.value: count for reason, count in report.rejected.most_common()},
        mends={mend.value: count for mend, count in report.mends.most_common()},
        is_partial=partial,
        is_replacing=replace,
    )


def build_shipped(folder: CatalogueFolder, now: datetime) -> Manifest:
    """Build the catalogue that ships with Provender, unless somebody else has built one meanwhile."""
    with Build(folder, now) as build:
        if build.base is not None:
            return folder.manifest(build.base)
        source, report = Source("sr28", sr28.read_outcomes(), sr28.read_header().release), Report()
        foods = accept(source.outcomes, report, lambda _: None, lambda _: None)
        datasets = build.add(foods, release=source.release)
        return build.finish(_to_keep(report, _describe(source, datasets), now))
