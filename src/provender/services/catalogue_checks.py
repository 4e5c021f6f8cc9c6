"""A check of the food catalogue: every version in its folder, each from its manifest to its last food.

A version is written once and never changed, so nothing of it is mended: another is used, or it is imported again.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from provender.catalogue.folder import FORMAT, CatalogueFolder, Manifest
from provender.catalogue.fragments import Fragments
from provender.model.checking import Finding, Kind, Tally
from provender.model.errors import CatalogueUnavailable
from provender.storage.sqlite_files import WholeFile

# So many of a kind are told one by one; whoever has more needs another version, and no longer list.
_MOST_TOLD = 20

_COUNTS = "SELECT count(*), coalesce(sum(listed), 0), (SELECT count(*) FROM barcodes) FROM foods WHERE chosen"
_DATASETS = "SELECT dataset, count(*) FROM foods WHERE chosen GROUP BY 1"

_FOODS = f"SELECT id, digest, {', '.join(Fragments._fields)} FROM foods"

_LOST_BARCODES = f"""
    SELECT b.gtin FROM barcodes b LEFT JOIN foods f ON f.rank = b.food
    WHERE f.rank IS NULL OR f.barcode IS NOT b.gtin ORDER BY 1 LIMIT {_MOST_TOLD}
"""
_UNKNOWN_BARCODES = f"""
    SELECT f.barcode FROM foods f
    WHERE f.chosen AND f.barcode IS NOT NULL AND NOT EXISTS (SELECT 1 FROM barcodes b WHERE b.gtin = f.barcode)
    ORDER BY 1 LIMIT {_MOST_TOLD}
"""

# The index knows its words, and how many foods have each; see `catalogue/vocabulary.py`.
_TERMS = "CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, search, row)"
_INDEXED = """
    SELECT substr(term, 2) AS word, sum(CASE WHEN substr(term, 1, 1) < 'p' THEN doc ELSE 0 END),
        sum(CASE WHEN substr(term, 1, 1) < 'p' THEN 0 ELSE doc END)
    FROM temp.terms GROUP BY 1
"""
_LISTED = "SELECT word, plain, brand FROM words"
_OTHER_WORDS = f"SELECT word FROM ({{}} EXCEPT {{}}) ORDER BY 1 LIMIT {_MOST_TOLD}"


class _Version(msgspec.Struct):
    format: int


class CatalogueCheck:
    def __init__(self, folder: CatalogueFolder, tally: Tally) -> None:
        self._folder = folder
        self._tally = tally
        self.notes: list[str] = []

    def all(self) -> Iterator[Finding]:
        try:
            current, versions = self._folder.current(), self._folder.versions()
        except (CatalogueUnavailable, OSError) as error:
            yield Finding(Kind.CATALOGUE_UNREADABLE, f"{error}")
            return
        if current is None and not versions:
            self.notes.append("There is no food catalogue to check.")
        if current not in (None, *versions) or (current is None and versions):
            yield Finding(
                Kind.CATALOGUE_UNREADABLE, "the version in use", f"{current}", f"one of {', '.join(versions)}"
            )
        for version in versions:
            # A version that an import has removed meanwhile has no fault.
            found = list(self._version(version, is_used=version == current))
            if (self._folder.path / version).exists():
                yield from found

    def _version(self, version: str, *, is_used: bool) -> Iterator[Finding]:
        self._tally.catalogue_versions += 1
        if not is_used and (other := self._other_format(version)) is not None:
            self.notes.append(f"The catalogue version {version} has format {other}, which this Provender cannot check.")
            return
        try:
            manifest = self._folder.manifest(version)
            if manifest.version != version:
                yield Finding(Kind.CATALOGUE_COUNT, f"{version}: its name", manifest.version, version)
            yield from self._file(self._folder.foods_file(version), manifest)
        except CatalogueUnavailable as error:
            yield Finding(Kind.CATALOGUE_UNREADABLE, f"{version}: {error.detail}")

    def _other_format(self, version: str) -> int | None:
        try:
            text = (self._folder.path / version / "manifest.json").read_bytes()
            found = msgspec.json.decode(text, type=_Version).format
        except (OSError, msgspec.MsgspecError):
            return None
        return None if found == FORMAT else found

    def _file(self, path: Path, manifest: Manifest) -> Iterator[Finding]:
        file = WholeFile(path)
        try:
            faults = file.find_faults()
            for fault in faults:
                yield Finding(Kind.CATALOGUE_DAMAGED, f"{manifest.version}: {fault}")
            yield from _check_counts(file, manifest)
            yield from self._check_foods(file, manifest.version)
            yield from _check_barcodes(file, manifest.version)
            yield from _check_words(file, manifest.version)
        finally:
            file.close()

    def _check_foods(self, file: WholeFile, version: str) -> Iterator[Finding]:
        """Each food has a hash of its pieces, which were all read before the version was used for the first time."""
        wrong = 0
        for food_id, digest, *pieces in file.read(_FOODS):
            self._tally.catalogue_foods += 1
            if not all(isinstance(piece, bytes) for piece in pieces) or Fragments(*pieces).digest() != digest:
                wrong += 1
                if wrong <= _MOST_TOLD:
                    yield Finding(Kind.CATALOGUE_FOOD, f"{version}: food {food_id}", "another content")
        if wrong > _MOST_TOLD:
            yield Finding(Kind.CATALOGUE_FOOD, f"{version}: {wrong - _MOST_TOLD} more foods", "another content")


def _check_counts(file: WholeFile, manifest: Manifest) -> Iterator[Finding]:
    [counts] = file.read(_COUNTS)
    said = {"foods": manifest.foods, "foods in search": manifest.listed, "barcodes": manifest.barcodes}
    for (name, number), count in zip(said.items(), counts, strict=True):
        if count != number:
            yield Finding(Kind.CATALOGUE_COUNT, f"{manifest.version}: {name}", f"{count}", f"{number}")
    has = dict(file.read(_DATASETS))
    datasets = {dataset.name: dataset.foods for dataset in manifest.datasets}
    for name in sorted(has.keys() | datasets.keys()):
        if has.get(name) != datasets.get(name):
            what = f"{manifest.version}: foods of {name}"
            yield Finding(Kind.CATALOGUE_COUNT, what, f"{has.get(name, 0)}", f"{datasets.get(name, 0)}")


def _check_barcodes(file: WholeFile, version: str) -> Iterator[Finding]:
    for (gtin,) in file.read(_LOST_BARCODES):
        yield Finding(Kind.CATALOGUE_BARCODE, f"{version}: barcode {gtin:013}", "no food that has it")
    for (gtin,) in file.read(_UNKNOWN_BARCODES):
        yield Finding(Kind.CATALOGUE_BARCODE, f"{version}: barcode {gtin:013}", "nothing", "a food that has it")


def _check_words(file: WholeFile, version: str) -> Iterator[Finding]:
    list(file.read(_TERMS))
    for (word,) in file.read(_OTHER_WORDS.format(_INDEXED, _LISTED)):
        yield Finding(Kind.CATALOGUE_WORDS, f"{version}: {word}", "not in the words as the index has it")
    for (word,) in file.read(_OTHER_WORDS.format(_LISTED, _INDEXED)):
        yield Finding(Kind.CATALOGUE_WORDS, f"{version}: {word}", "not in the index as the words have it")
