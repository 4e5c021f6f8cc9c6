"""The report of an import is kept in the manifest of the version it made, and in those that come after."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from provender.catalogue.folder import CatalogueFolder, Manifest
from provender.catalogue.reports import MOST_REPORTS, ImportReport, ImportSource, carry_on
from provender.importers.judge import judge
from provender.importers.records import Candidate, Outcome, Rejected
from provender.importers.run import Source, run_import
from provender.model.foods import food_id
from provender.model.judging import Mend, Reason, explain
from provender.model.times import to_ms
from provender.services.catalogue import CurrentCatalogue

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> CatalogueFolder:
    return CatalogueFolder(tmp_path / "catalogue")


def _food(dataset: str, key: str, released: datetime | None = None) -> Outcome:
    """A food whose energy has to be converted."""
    candidate = Candidate(source="test", dataset=dataset, key=key, name="Food", energy_kj=500.0, released=released)
    return judge(candidate, {})


def _nameless() -> Outcome:
    return Rejected(Reason.NO_NAME, "x", {})


def _import(
    folder: CatalogueFolder, day: int, *sources: Source, partial: bool = False, replace: bool = False
) -> Manifest:
    """The sources, imported on some day of January."""
    now, rejections = NOW + timedelta(days=day), folder.path.parent / "rejected.jsonl"
    manifest, _ = run_import(folder, sources, now=now, rejections=rejections, partial=partial, replace=replace)
    rejections.unlink(missing_ok=True)
    # As it is read by whoever comes later.
    return folder.manifest(manifest.version)


def _days(reports: Sequence[ImportReport]) -> list[int]:
    return [(report.at - to_ms(NOW)) // 86_400_000 for report in reports]


def test_a_report_says_what_was_read_and_what_became_of_it(folder: CatalogueFolder) -> None:
    first = Source("fdc", [_food("one", "1"), _nameless(), _food("two", "2")], release="spring")
    second = Source("csv", [_nameless()])
    [report] = _import(folder, 0, first, second, partial=True).reports
    assert report.took_s > 0
    report.took_s = 0.0
    assert report == ImportReport(
        at=to_ms(NOW),
        sources=[
            ImportSource("fdc", "one", "spring"),
            ImportSource("fdc", "two", "spring"),
            ImportSource("csv", None, None),
        ],
        accepted=2,
        rejected={"no_name": 2},
        mends={"energy_from_kj": 2},
        is_partial=True,
    )
    assert report.read == 4


def test_the_time_it_took_includes_the_writing(folder: CatalogueFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(1000))
    monkeypatch.setattr("provender.catalogue.build.time.monotonic", lambda: float(next(clock)))
    wrote: list[int] = []
    monkeypatch.setattr("provender.catalogue.build.check", lambda *_: wrote.append(next(clock)))
    [report] = _import(folder, 0, Source("csv", [_food("one", "1")])).reports
    assert wrote
    assert report.took_s > wrote[0]


def test_reports_of_earlier_imports_stay_as_long_as_something_of_theirs_does(folder: CatalogueFolder) -> None:
    _import(folder, 0, Source("csv", [_food("one", "1")]))
    assert _days(_import(folder, 1, Source("csv", [_food("two", "1")])).reports) == [0, 1]
    # The food of day 1 is replaced, and with it all that is left of that import.
    assert _days(_import(folder, 2, Source("csv", [_food("two", "1")])).reports) == [0, 2]
    # This one has another food: the one of day 2 leaves search, but stays.
    assert _days(_import(folder, 3, Source("csv", [_food("two", "2")])).reports) == [0, 2, 3]
    # One that brings nothing is told of until the next.
    assert _days(_import(folder, 4, Source("csv", [_nameless()])).reports) == [0, 2, 3, 4]
    assert _days(_import(folder, 5, Source("csv", [_food("two", "3")])).reports) == [0, 2, 3, 5]
    replaced = _import(folder, 6, Source("csv", [_food("two", "1")]), replace=True)
    assert _days(replaced.reports) == [6]
    assert replaced.reports[0].is_replacing


def test_a_report_stays_where_an_older_release_replaced_nothing(folder: CatalogueFolder) -> None:
    """The latest import of the dataset has no record in it, and the one before still has all."""
    _import(folder, 0, Source("csv", [_food("one", "1", NOW)], release="new"))
    manifest = _import(folder, 1, Source("csv", [_food("one", "1", NOW - timedelta(days=9))], release="old"))
    assert _days(manifest.reports) == [0, 1]
    [dataset] = manifest.datasets
    assert manifest.find_release("one", dataset.imported_at) == "new"


def test_a_record_is_of_the_release_that_brought_it(folder: CatalogueFolder) -> None:
    _import(folder, 0, Source("csv", [_food("one", "1"), _food("one", "2")], release="spring"))
    manifest = _import(folder, 1, Source("csv", [_food("one", "1")], release="summer"))
    assert [dataset.release for dataset in manifest.datasets] == ["summer"]
    current = CurrentCatalogue(folder.path.parent)
    for key, release, is_listed in (("1", "summer", True), ("2", "spring", False)):
        origin = current.get().find_origin(food_id("test", key))
        assert origin is not None
        assert (manifest.find_release("one", origin.imported_at), origin.is_listed) == (release, is_listed)
    current.close()


def test_a_release_that_is_not_known_for_certain_is_none(folder: CatalogueFolder) -> None:
    sources = [Source("fdc", [_food("one", key)], release=key) for key in ("1", "2")]
    manifest = _import(folder, 0, *sources)
    assert manifest.find_release("one", to_ms(NOW)) is None
    assert manifest.find_release("one", 0) is None
    assert manifest.find_release("two", to_ms(NOW)) is None


def test_a_manifest_from_before_there_were_reports_can_be_read_and_added_to(folder: CatalogueFolder) -> None:
    before = _import(folder, 0, Source("csv", [_food("one", "1")], release="spring"))
    path = folder.path / before.version / "manifest.json"
    document = json.loads(path.read_text())
    del document["reports"]
    path.write_text(json.dumps(document))
    old = folder.manifest(before.version)
    assert (old.reports, old.foods) == ([], 1)
    assert old.find_release("one", to_ms(NOW)) == "spring"
    assert _days(_import(folder, 1, Source("csv", [_food("two", "1")])).reports) == [1]


def test_reports_do_not_become_more_without_end() -> None:
    reports = [ImportReport(day, [ImportSource("csv", "one", None)], 1, {}, {}) for day in range(3 * MOST_REPORTS)]
    kept = carry_on(reports, {("one", report.at) for report in reports})
    assert kept == reports[-MOST_REPORTS:]


def test_every_word_of_a_report_has_a_sentence() -> None:
    words = [*Reason, *Mend]
    assert all(explain(word).endswith(".") for word in words)
    assert len({explain(word) for word in words}) == len(words)
    assert explain("unheard_of") == "unheard_of"


def test_two_imports_of_the_same_moment_are_told_apart_by_their_datasets(folder: CatalogueFolder) -> None:
    """As where an import finds no catalogue, and builds the shipped one first."""
    _import(folder, 0, Source("sr28", [_food("sr28", "1")], release="SR28"))
    manifest = _import(folder, 0, Source("csv", [_food("one", "1")], release="mine"))
    assert [report.sources[0].kind for report in manifest.reports] == ["sr28", "csv"]
    assert manifest.find_release("sr28", to_ms(NOW)) == "SR28"
    assert manifest.find_release("one", to_ms(NOW)) == "mine"
