"""Builds the catalogue that a benchmark measures: the shipped SR28, and as many invented brand products as wanted."""

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.brands import generate_brand_foods
from provender.catalogue.build import Build
from provender.catalogue.folder import CatalogueFolder
from provender.catalogue.store import Catalogue
from provender.importers.records import Accepted
from provender.importers.sr28 import read_outcomes
from provender.model.foods import Food

_BATCH = 2000


@dataclass(frozen=True, slots=True)
class Built:
    """What a build took and gave. The time to make the foods up, or to read them, is not in `seconds`."""

    foods: int
    seconds: float
    size_in_mb: float

    @property
    def foods_per_second(self) -> float:
        return self.foods / self.seconds


def read_sr28() -> Iterator[Food]:
    return (outcome.food for outcome in read_outcomes() if isinstance(outcome, Accepted))


def build_catalogue(path: Path, brands: int) -> Built:
    """Build a catalogue of SR28 and some brand products in a folder that has none."""
    folder = CatalogueFolder(path)
    supply = _Supply(itertools.chain(read_sr28(), generate_brand_foods(brands)))
    began = time.perf_counter()
    with Build(folder, datetime.now(UTC)) as build:
        build.add(supply)
        manifest = build.finish()
    seconds = time.perf_counter() - began - supply.seconds
    return Built(manifest.foods, seconds, folder.foods_file(manifest.version).stat().st_size / 1e6)


def open_catalogue(path: Path) -> Catalogue:
    """The version in use of a catalogue that is there."""
    folder = CatalogueFolder(path)
    version = folder.current()
    if version is None:
        raise FileNotFoundError(f"There is no catalogue in {path}.")
    return Catalogue(folder, version)


class _Supply:
    """Foods, and how long it took to get them: fetched in batches, so that looking at the clock costs nothing."""

    def __init__(self, foods: Iterator[Food]) -> None:
        self._foods = foods
        self.seconds = 0.0

    def __iter__(self) -> Iterator[Food]:
        while batch := self._fetch():
            yield from batch

    def _fetch(self) -> list[Food]:
        began = time.perf_counter()
        batch = list(itertools.islice(self._foods, _BATCH))
        self.seconds += time.perf_counter() - began
        return batch
