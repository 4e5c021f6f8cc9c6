"""How a version is built, switched to, and what becomes of foods over several imports."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest

from provender.catalogue import folder as folder_module
from provender.catalogue.build import Build
from provender.catalogue.checking import check
from provender.catalogue.folder import CatalogueFolder, Manifest
from provender.catalogue.store import Catalogue
from provender.model.errors import CatalogueUnavailable
from provender.model.foods import Food, Unit
from provender.model.nutrients import NUTRIENTS
from provender.model.paging import PageRequest
from tests.pantry import BANANA, COLA, COLA_AGAIN, PANTRY, PLAIN

NOW = datetime(2026, 1, 1, tzinfo=UTC)
NONE: frozenset[str] = frozenset()


@pytest.fixture
def folder(tmp_path: Path) -> CatalogueFolder:
    return CatalogueFolder(tmp_path / "catalogue")


def _build(folder: CatalogueFolder, *foods: Food, days: int = 0, **options: bool) -> Manifest:
    with Build(folder, NOW + timedelta(days=days), replace=options.pop("replace", False)) as build:
        build.add(foods, release=f"day {days}", **options)
        return build.finish()


def _current(folder: CatalogueFolder) -> Catalogue:
    version = folder.current()
    assert version is not None
    return Catalogue(folder, version)


def _found(folder: CatalogueFolder, query: str) -> list[str]:
    page = _current(folder).search(query, PageRequest(10), NONE, None)
    return [json.loads(body)["_id"] for body in page.items]


def test_a_manifest_counts_what_is_there(folder: CatalogueFolder) -> None:
    manifest = _build(folder, *PANTRY)
    assert (manifest.foods, manifest.listed, manifest.barcodes) == (4, 4, 1)
    assert [(dataset.name, dataset.foods) for dataset in manifest.datasets] == [
        ("off", 1),
        ("sr28", 2),
        ("usda_branded", 1),
    ]
    assert folder.current() == manifest.version
    assert folder.manifest(manifest.version) == manifest


def test_importing_adds_to_what_is_there(folder: CatalogueFolder) -> None:
    _build(folder, BANANA)
    _build(folder, COLA, days=1)
    catalogue = _current(folder)
    assert catalogue.find(BANANA.id, NONE)
    assert catalogue.find(COLA.id, NONE)


def test_replace_starts_from_the_named_sources_alone(folder: CatalogueFolder) -> None:
    _build(folder, BANANA)
    _build(folder, COLA, days=1, replace=True)
    assert _current(folder).find(BANANA.id, NONE) is None


def test_what_a_newer_release_no_longer_has_stays_retrievable_and_leaves_search(folder: CatalogueFolder) -> None:
    _build(folder, BANANA, PLAIN, COLA)
    manifest = _build(folder, BANANA, days=1)
    assert (manifest.foods, manifest.listed) == (3, 2)
    assert _current(folder).find(PLAIN.id, NONE)
    back = _build(folder, BANANA, PLAIN, days=2)
    assert back.listed == 3


def test_a_release_in_several_parts_is_one_release(folder: CatalogueFolder) -> None:
    _build(folder, BANANA, PLAIN)
    with Build(folder, NOW + timedelta(days=1)) as build:
        build.add([BANANA])
        build.add([PLAIN])
        assert build.finish().listed == 2


def test_an_older_release_takes_nothing_out_of_search_that_it_has(folder: CatalogueFolder) -> None:
    newer = replace(BANANA, name="Newer", released=datetime(2025, 1, 1, tzinfo=UTC))
    _build(folder, newer)
    manifest = _build(folder, BANANA, days=1)
    assert manifest.listed == 1
    found = _current(folder).find(BANANA.id, NONE)
    assert found is not None
    assert b"Newer" in found.body


def test_a_partial_import_takes_nothing_out_of_search(folder: CatalogueFolder) -> None:
    _build(folder, BANANA, PLAIN)
    assert _build(folder, BANANA, days=1, partial=True).listed == 2


def test_an_unchanged_food_keeps_its_id_its_times_and_its_etag(folder: CatalogueFolder) -> None:
    _build(folder, BANANA)
    before = _current(folder).find(BANANA.id, NONE)
    _build(folder, BANANA, days=1)
    assert _current(folder).find(BANANA.id, NONE) == before


def test_a_changed_food_keeps_its_id_and_has_a_new_time_and_etag(folder: CatalogueFolder) -> None:
    _build(folder, BANANA)
    before = _current(folder).find(BANANA.id, NONE)
    _build(folder, replace(BANANA, name="Bananas, ripe"), days=1)
    after = _current(folder).find(BANANA.id, NONE)
    assert before is not None
    assert after is not None
    old, new = json.loads(before.body), json.loads(after.body)
    assert new["food_name"] == "Bananas, ripe"
    assert new["created_at"] == old["created_at"]
    assert new["updated_at"] > old["updated_at"]
    assert after.etag != before.etag


def test_the_better_documented_dataset_keeps_a_food_that_both_have(folder: CatalogueFolder) -> None:
    better = replace(BANANA, dataset="foundation", name="Bananas, analysed")
    _build(folder, better)
    _build(folder, BANANA, days=1)
    found = _current(folder).find(BANANA.id, NONE)
    assert found is not None
    assert b"Bananas, analysed" in found.body


def test_a_barcode_is_answered_by_the_better_documented_then_the_newer(folder: CatalogueFolder) -> None:
    newer = replace(COLA, source_key="2", name="Newer", released=datetime(2026, 1, 1, tzinfo=UTC))
    _build(folder, COLA, newer)
    found = _current(folder).find_by_barcode("4006381333931", NONE)
    assert found is not None
    assert b"Newer" in found.body
    _build(folder, COLA_AGAIN, days=1)
    found = _current(folder).find_by_barcode("4006381333931", NONE)
    assert found is not None
    assert json.loads(found.body)["_id"] == COLA_AGAIN.id
    # The others stay retrievable by their ids.
    assert _current(folder).find(newer.id, NONE)


def test_a_dataset_steps_in_for_a_better_one_that_drops_a_food(folder: CatalogueFolder) -> None:
    better = replace(BANANA, dataset="foundation", name="Bananas, analysed")
    kept = replace(PLAIN, dataset="foundation")
    _build(folder, BANANA, PLAIN)
    assert _build(folder, better, kept, days=1).foods == 2
    # The next release of the better dataset no longer has it; the other one still does.
    manifest = _build(folder, kept, days=2)
    assert (manifest.foods, manifest.listed) == (2, 2)
    found = _current(folder).find(BANANA.id, NONE)
    assert found is not None
    assert b"Bananas, raw" in found.body


def test_a_food_stands_in_search_where_the_best_known_of_its_records_does(folder: CatalogueFolder) -> None:
    """The better dataset has measured less of it; people mean it no less often for that."""
    raw = replace(BANANA, name="Bananas, raw", nutrients=dict.fromkeys(NUTRIENTS, 1.0))
    cooked = replace(BANANA, source_key="cooked", name="Bananas, cooked", nutrients=dict.fromkeys(NUTRIENTS, 1.0))
    renamed = replace(raw, dataset="foundation", name="Bananas, analysed", nutrients={"energy_kcal": 89.0})
    _build(folder, raw, cooked)
    assert _found(folder, "banana") == [raw.id, cooked.id]
    _build(folder, renamed, days=1)
    assert _found(folder, "banana") == [raw.id, cooked.id]
    # The dataset that knew more drops it: it stands where its own record puts it.
    _build(folder, cooked, days=2)
    assert _found(folder, "banana") == [cooked.id, raw.id]


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    folder = CatalogueFolder(tmp_path / "a%41b#c?d e" / "catalogue")
    _build(folder, BANANA)
    _build(folder, COLA, days=1)
    assert _current(folder).find(BANANA.id, NONE)


def test_a_build_that_ends_between_its_last_two_steps_changes_nothing(
    folder: CatalogueFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The version is whole and has its name, but nobody uses it yet."""
    before = _build(folder, BANANA).version
    with monkeypatch.context() as ending:
        ending.setattr(CatalogueFolder, "_switch", lambda *_: sys.exit("killed"))
        with pytest.raises(SystemExit):
            _build(folder, COLA, days=1)
    assert folder.current() == before
    assert _build(folder, PLAIN, days=2).foods == 2


def test_the_two_newest_versions_are_kept(folder: CatalogueFolder) -> None:
    versions = [_build(folder, BANANA, days=days).version for days in range(4)]
    assert folder.versions() == versions[-2:]
    folder.use(versions[2])
    assert folder.current() == versions[2]


def test_versions_of_one_second_and_of_a_clock_that_went_back_sort_after_each_other(folder: CatalogueFolder) -> None:
    first = _build(folder, BANANA).version
    second = _build(folder, BANANA).version
    third = _build(folder, BANANA, days=-5).version
    assert first < second < third


def test_many_versions_of_one_second_have_names_in_order(folder: CatalogueFolder) -> None:
    versions = [_build(folder, BANANA).version for _ in range(12)]
    assert versions == sorted(set(versions))
    assert folder.versions() == versions[-2:]


def test_two_builds_at_once_take_turns_and_lose_nothing(folder: CatalogueFolder) -> None:
    other = threading.Thread(target=_build, args=(CatalogueFolder(folder.path), COLA))
    with Build(folder, NOW) as build:
        other.start()
        build.add([BANANA])
        time.sleep(0.2)
        assert other.is_alive(), "it did not wait"
        build.finish()
    other.join(20)
    catalogue = _current(folder)
    assert catalogue.find(BANANA.id, NONE)
    assert catalogue.find(COLA.id, NONE)


def test_a_build_that_raises_leaves_nothing_behind(folder: CatalogueFolder) -> None:
    before = _build(folder, BANANA).version

    def broken() -> Iterator[Food]:
        yield PLAIN
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Build(folder, NOW) as build:
        build.add(broken())
    assert folder.current() == before
    assert sorted(entry.name for entry in folder.path.iterdir()) == [".lock", before, "current"]


def test_a_version_of_an_unknown_format_is_refused(folder: CatalogueFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    version = _build(folder, BANANA).version
    monkeypatch.setattr(folder_module, "FORMAT", 99)
    with pytest.raises(CatalogueUnavailable, match="format"):
        folder.manifest(version)
    with pytest.raises(CatalogueUnavailable, match="format"):
        Catalogue(folder, version)
    with pytest.raises(CatalogueUnavailable, match="format"):
        folder.use(version)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE foods SET core = x'7b'",
        "UPDATE foods SET lipids = x'7b' WHERE rank = 1",
        "DELETE FROM foods WHERE rank = 1",
        "INSERT INTO barcodes VALUES (1, 4711)",
    ],
)
def test_a_version_that_is_not_whole_is_noticed(folder: CatalogueFolder, damage: str) -> None:
    manifest = _build(folder, *PANTRY)
    path = folder.foods_file(manifest.version)
    check(path, manifest)
    connection = apsw.Connection(str(path))
    connection.execute(damage)
    connection.close()
    with pytest.raises(CatalogueUnavailable, match="not whole"):
        check(path, manifest)


def test_ids_are_the_same_on_every_machine() -> None:
    """A literal, so that a change of the derivation is seen: favorites and diaries hold these ids."""
    assert BANANA.id == "qH2cz3R44WDV4dIf"


KILLED = """
import itertools, sys
from datetime import UTC, datetime
from pathlib import Path
from provender.catalogue.build import Build
from provender.catalogue.folder import CatalogueFolder
from tests.catalogue.test_build import many

with Build(CatalogueFolder(Path(sys.argv[1])), datetime(2026, 2, 1, tzinfo=UTC)) as build:
    print("started", flush=True)
    build.add(many(int(sys.argv[2])))
    print("staged", flush=True)
    build.finish()
    print("finished", flush=True)
"""


def many(count: int) -> Iterator[Food]:
    for number in range(count):
        yield Food("test", str(number), "test", f"Food {number}", None, Unit.GRAM, {"energy_kcal": 1.0})


@pytest.mark.parametrize("moment", [0.0, 0.02, 0.05, 0.1, 0.2, 0.4])
def test_a_build_that_is_killed_leaves_the_old_version_serving(folder: CatalogueFolder, moment: float) -> None:
    before = _build(folder, BANANA).version
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(folder.path), "20000"], stdout=subprocess.PIPE, cwd=root, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    time.sleep(moment)
    os.kill(process.pid, signal.SIGKILL)
    finished = "finished" in process.communicate(timeout=20)[0]
    assert not finished, "the build was too quick to be killed; give it more foods"
    catalogue = _current(folder)
    assert folder.current() == before
    assert catalogue.find(BANANA.id, NONE)
    # The next build works, and clears away what the killed one left.
    after = _build(folder, COLA, days=1)
    assert after.foods == 2
    assert not list(folder.path.glob(".building-*"))


def test_a_build_with_other_lists_ranks_the_foods_that_it_takes_over_anew(
    folder: CatalogueFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a food would keep the place that older lists gave it until its own dataset is imported again."""
    raw, cooked = replace(BANANA, name="Bananas, raw"), replace(PLAIN, name="Bananas, cooked")
    _build(folder, raw, cooked)

    def order() -> list[str]:
        found = _current(folder).search("banana", PageRequest(), NONE)
        return [json.loads(body)["food_name"] for body in found.items]

    assert order() == ["Bananas, raw", "Bananas, cooked"]
    # A build that goes before reads the names as if people meant the cooked ones.
    monkeypatch.setattr("provender.catalogue.arranging.points", lambda name, *_: float("raw" in name))
    _build(folder, COLA, days=1)
    assert order() == ["Bananas, raw", "Bananas, cooked"]
    monkeypatch.setattr("provender.catalogue.build.mark_lists", lambda: "other lists")
    _build(folder, COLA, days=2)
    assert order() == ["Bananas, cooked", "Bananas, raw"]
