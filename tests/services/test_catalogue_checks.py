"""A check of the catalogue: whatever is damaged in a version is found, told in a line, and nothing else is."""

import random
import shutil
from datetime import UTC, datetime
from pathlib import Path

import apsw
import msgspec
import pytest

from provender.catalogue.build import Build
from provender.catalogue.folder import CatalogueFolder
from provender.model.checking import Finding, Kind, Tally
from provender.services.catalogue_checks import CatalogueCheck
from tests.pantry import BANANA, COLA, PANTRY, PLAIN


def find(folder: CatalogueFolder) -> list[Finding]:
    return list(CatalogueCheck(folder, Tally()).all())


@pytest.fixture
def folder(tmp_path: Path, catalogue_folder: CatalogueFolder) -> CatalogueFolder:
    """A copy that may be damaged, of one version."""
    shutil.copytree(catalogue_folder.path, tmp_path / "catalogue")
    return CatalogueFolder(tmp_path / "catalogue")


def _file(folder: CatalogueFolder) -> Path:
    version = folder.current()
    assert version is not None
    return folder.foods_file(version)


def test_a_catalogue_that_ships_is_whole(shipped_folder: CatalogueFolder) -> None:
    tally = Tally()
    check = CatalogueCheck(shipped_folder, tally)
    assert list(check.all()) == []
    assert check.notes == []
    assert (tally.catalogue_versions, tally.catalogue_foods) == (1, 8789)


def test_every_version_is_checked(folder: CatalogueFolder) -> None:
    old = _file(folder)
    with Build(folder, datetime(2026, 1, 2, tzinfo=UTC)) as build:
        build.add([BANANA, COLA], release="2")
        build.finish()
    assert find(folder) == []
    _change(old, "UPDATE foods SET core = CAST('{' AS BLOB)")
    assert {finding.kind for finding in find(folder)} == {Kind.CATALOGUE_FOOD}


def test_no_catalogue_is_no_fault(tmp_path: Path) -> None:
    check = CatalogueCheck(CatalogueFolder(tmp_path / "none"), Tally())
    assert list(check.all()) == []
    assert check.notes == ["There is no food catalogue to check."]


def _change(path: Path, sql: str) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(sql)
    connection.close()


DAMAGE = {
    "a piece": ("UPDATE foods SET vitamins = CAST('{}' AS BLOB) WHERE rank = 1", {Kind.CATALOGUE_FOOD}),
    "a text for a piece": ("UPDATE foods SET vitamins = '{}' WHERE rank = 1", {Kind.CATALOGUE_FOOD}),
    "a hash": ("UPDATE foods SET digest = x'00' WHERE rank = 1", {Kind.CATALOGUE_FOOD}),
    "a food less": ("DELETE FROM foods WHERE barcode IS NULL AND chosen", {Kind.CATALOGUE_COUNT}),
    "a food in search less": ("UPDATE foods SET listed = 0", {Kind.CATALOGUE_COUNT}),
    "another dataset": ("UPDATE foods SET dataset = 'off'", {Kind.CATALOGUE_COUNT}),
    "no barcodes": ("DELETE FROM barcodes", {Kind.CATALOGUE_COUNT, Kind.CATALOGUE_BARCODE}),
    "a barcode of another": ("UPDATE barcodes SET food = 1 + (food = 1)", {Kind.CATALOGUE_BARCODE}),
    "a word less": ("DELETE FROM words WHERE word = 'banana'", {Kind.CATALOGUE_WORDS}),
    "a word too many": ("UPDATE words SET plain = plain + 1", {Kind.CATALOGUE_WORDS}),
    "an empty index": ("INSERT INTO search (search) VALUES ('delete-all')", {Kind.CATALOGUE_WORDS}),
    "no words": ("DROP TABLE words", {Kind.CATALOGUE_UNREADABLE}),
}


@pytest.mark.parametrize(("sql", "kinds"), DAMAGE.values(), ids=DAMAGE.keys())
def test_what_is_not_as_it_was_built_is_found(folder: CatalogueFolder, sql: str, kinds: set[Kind]) -> None:
    assert find(folder) == []
    _change(_file(folder), sql)
    assert {finding.kind for finding in find(folder)} == kinds


def test_a_damaged_page_is_found_wherever_it_is(folder: CatalogueFolder) -> None:
    path, chance = _file(folder), random.Random(1)  # noqa: S311 - It is to be the same every time.
    whole = path.read_bytes()
    for page in range(0, len(whole), 4096):
        path.write_bytes(whole[:page] + chance.randbytes(4096) + whole[page + 4096 :])
        assert find(folder), f"page {page // 4096 + 1} of {len(whole) // 4096}"
    path.write_bytes(whole)
    assert find(folder) == []


def test_files_that_are_missing_or_cut_off_are_found(folder: CatalogueFolder) -> None:
    path = _file(folder)
    whole, manifest = path.read_bytes(), path.with_name("manifest.json")
    for damaged in (whole[: len(whole) // 2], b"", b"not a database" * 100):
        path.write_bytes(damaged)
        assert find(folder)
    path.unlink()
    assert {finding.kind for finding in find(folder)} <= {Kind.CATALOGUE_UNREADABLE}
    assert find(folder)
    path.write_bytes(whole)
    manifest.write_bytes(b"{")
    assert {finding.kind for finding in find(folder)} == {Kind.CATALOGUE_UNREADABLE}
    manifest.unlink()
    assert {finding.kind for finding in find(folder)} == {Kind.CATALOGUE_UNREADABLE}


def test_a_version_in_use_that_is_not_there_is_found(folder: CatalogueFolder) -> None:
    (folder.path / "current").write_text("20200101T000000Z-001\n")
    [finding] = find(folder)
    assert (finding.kind, finding.kept) == (Kind.CATALOGUE_UNREADABLE, "20200101T000000Z-001")
    (folder.path / "current").unlink()
    assert [finding.kind for finding in find(folder)] == [Kind.CATALOGUE_UNREADABLE]


def test_an_older_version_of_another_format_is_noted_and_one_in_use_is_a_fault(folder: CatalogueFolder) -> None:
    path = _file(folder).with_name("manifest.json")
    with Build(folder, datetime(2026, 1, 2, tzinfo=UTC), replace=True) as build:
        build.add([*PANTRY, PLAIN], release="2")
        build.finish()
    path.write_bytes(msgspec.json.encode(msgspec.json.decode(path.read_bytes()) | {"format": 99}))
    check = CatalogueCheck(folder, Tally())
    assert list(check.all()) == []
    assert "format 99" in check.notes[0]
    (folder.path / "current").write_text(path.parent.name)
    assert [finding.kind for finding in find(folder)] == [Kind.CATALOGUE_UNREADABLE]
