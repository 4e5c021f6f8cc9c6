"""An import as a whole: every record is accounted for, and nothing but a whole import changes the catalogue."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from provender.catalogue.folder import CatalogueFolder
from provender.catalogue.reports import ImportSource
from provender.catalogue.store import Catalogue
from provender.importers.judge import judge
from provender.importers.records import Candidate, Outcome, Rejected
from provender.importers.report import Report
from provender.importers.run import Source, build_shipped, run_import
from provender.model.foods import food_id
from provender.model.judging import Reason
from provender.model.times import to_ms

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> CatalogueFolder:
    return CatalogueFolder(tmp_path / "data" / "catalogue")


@pytest.fixture
def rejections(tmp_path: Path) -> Path:
    return tmp_path / "imports" / "rejected.jsonl"


def _outcomes(count: int, source: str = "test") -> Iterator[Outcome]:
    """That many records, of which every tenth has no energy."""
    for number in range(count):
        nutrients = {} if number % 10 == 9 else {"energy_kcal": 50.0}
        candidate = Candidate(source=source, key=str(number), name=f"Food {number}", nutrients=nutrients)
        yield judge(candidate, {"number": number})


# Around the size of a batch, where a last one that is not full may get lost.
@pytest.mark.parametrize("count", [0, 1, 10, 2000, 2222, 2223, 2224, 4445])
def test_accepted_and_rejected_make_read_and_all_accepted_are_there(
    folder: CatalogueFolder, rejections: Path, count: int
) -> None:
    manifest, report = run_import(folder, [Source("csv", _outcomes(count))], now=NOW, rejections=rejections)
    assert report.read == count
    assert report.accepted == count - count // 10
    assert report.rejected == ({Reason.NO_ENERGY: count // 10} if count >= 10 else {})
    assert manifest.foods == report.accepted
    catalogue = Catalogue(folder, manifest.version)
    for number in range(count):
        found = catalogue.find(food_id("test", str(number)), frozenset())
        assert (found is not None) == (number % 10 != 9)


def test_rejected_records_are_written_with_their_reasons(folder: CatalogueFolder, rejections: Path) -> None:
    run_import(folder, [Source("csv", _outcomes(25))], now=NOW, rejections=rejections)
    lines = [json.loads(line) for line in rejections.read_text().splitlines()]
    assert lines == [
        {"reason": "no_energy", "key": "9", "record": {"number": 9}},
        {"reason": "no_energy", "key": "19", "record": {"number": 19}},
    ]


def test_several_sources_make_one_version(folder: CatalogueFolder, rejections: Path) -> None:
    sources = [Source("csv", _outcomes(10, "one"), release="a"), Source("csv", _outcomes(20, "two"))]
    manifest, report = run_import(folder, sources, now=NOW, rejections=rejections)
    assert report.read == 30
    assert [(dataset.name, dataset.release, dataset.foods) for dataset in manifest.datasets] == [
        ("one", "a", 9),
        ("two", None, 18),
    ]
    assert folder.versions() == [manifest.version]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError])
def test_an_import_that_ends_early_changes_nothing(
    folder: CatalogueFolder, rejections: Path, stop: type[BaseException]
) -> None:
    before, _ = run_import(folder, [Source("csv", _outcomes(5))], now=NOW, rejections=rejections)

    def interrupted() -> Iterator[Outcome]:
        yield from _outcomes(3000)
        raise stop

    with pytest.raises(stop):
        run_import(folder, [Source("csv", interrupted())], now=NOW + timedelta(days=1), rejections=rejections)
    assert folder.current() == before.version
    assert folder.versions() == [before.version]
    assert not rejections.exists()


def test_whoever_watches_sees_every_record(folder: CatalogueFolder, rejections: Path) -> None:
    seen: list[int] = []

    def watch(report: Report) -> None:
        seen.append(report.read)

    run_import(folder, [Source("csv", _outcomes(50))], now=NOW, rejections=rejections, watch=watch)
    assert seen == list(range(1, 51))


def test_a_record_that_json_cannot_write_is_written_all_the_same(folder: CatalogueFolder, rejections: Path) -> None:
    odd = Rejected(Reason.UNREADABLE, None, {"when": NOW, "what": {1, 2}, "who": object()})
    run_import(folder, [Source("csv", [odd])], now=NOW, rejections=rejections)
    assert json.loads(rejections.read_text())["reason"] == "unreadable"


def test_the_shipped_catalogue_has_every_food_of_sr28(folder: CatalogueFolder) -> None:
    manifest = build_shipped(folder, NOW)
    assert (manifest.foods, manifest.listed) == (8789, 8789)
    assert [(dataset.name, dataset.release) for dataset in manifest.datasets] == [("sr28", "SR28")]
    [report] = folder.manifest(manifest.version).reports
    assert report.sources == [ImportSource("sr28", "sr28", "SR28")]
    assert (report.at, report.read, report.accepted, report.rejected) == (to_ms(NOW), 8789, 8789, {})
    assert report.took_s > 0
