"""Runs an import: outcomes in, a new catalogue version out, and a report in which every record is accounted for."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

import msgspec

from provender.catalogue.build import Build
from provender.catalogue.folder import CatalogueFolder, Manifest
from provender.importers import sr28
from provender.importers.records import Accepted, Mend, Outcome, Reason, Rejected
from provender.model.foods import Food


@dataclass(slots=True)
class Report:
    """What became of the records: accepted + rejected = read, always."""

    accepted: int = 0
    rejected: Counter[Reason] = field(default_factory=Counter)
    mends: Counter[Mend] = field(default_factory=Counter)

    @property
    def read(self) -> int:
        return self.accepted + self.rejected.total()


@dataclass(frozen=True, slots=True)
class Source:
    """What one file, or one standard input, brings."""

    outcomes: Iterable[Outcome]
    release: str | None = None


def run_import(
    folder: CatalogueFolder,
    sources: Iterable[Source],
    *,
    now: datetime,
    rejections: Path,
    replace: bool = False,
    partial: bool = False,
    watch: Callable[[Report], None] = lambda _: None,
) -> tuple[Manifest, Report]:
    """Import the sources, one after the other, into one new version; `partial` where they are no whole releases.

    Rejected records go to the file `rejections`, a line of JSON each. `watch` is called after every record. Whatever
    ends this early, an error or a Ctrl-C, leaves the catalogue as it was.
    """
    report = Report()
    with Build(folder, now, replace=replace) as build:
        rejections.parent.mkdir(parents=True, exist_ok=True)
        # A file that is there already is somebody's, and stays.
        with rejections.open("xb") as file:
            try:
                for source in sources:
                    foods = _accept(source.outcomes, report, file, watch)
                    build.add(foods, release=source.release, partial=partial)
                manifest = build.finish()
            except BaseException:
                rejections.unlink()
                raise
        if not report.rejected:
            rejections.unlink()
        return manifest, report


def build_shipped(folder: CatalogueFolder, now: datetime) -> Manifest:
    """Build the catalogue that ships with Provender, unless somebody else has built one meanwhile."""
    with Build(folder, now) as build:
        if build.base is not None:
            return folder.manifest(build.base)
        foods = (outcome.food for outcome in sr28.read_outcomes() if isinstance(outcome, Accepted))
        build.add(foods, release=sr28.read_header().release)
        return build.finish()


def _accept(
    outcomes: Iterable[Outcome], report: Report, rejections: BinaryIO, watch: Callable[[Report], None]
) -> Iterator[Food]:
    encode = msgspec.json.Encoder(enc_hook=str).encode
    for outcome in outcomes:
        if isinstance(outcome, Rejected):
            report.rejected[outcome.reason] += 1
            line = {"reason": outcome.reason.value, "key": outcome.key, "record": outcome.record}
            rejections.write(encode(line) + b"\n")
        else:
            report.accepted += 1
            report.mends.update(outcome.mends)
            yield outcome.food
        watch(report)
