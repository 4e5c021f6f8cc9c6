"""The catalogue on disk: a folder of versions, and one small file that names the version in use.

    catalogue/
      current                    the name of the version in use
      20261115T024500Z-001/      a version: written once, never changed
        manifest.json            what is in it
        foods.db                 the foods
      .building-…/               what a build has written so far; nobody reads it

A version becomes the one in use when `current` is replaced, by one atomic rename. A build that is killed leaves a
`.building-…` folder, which the next build removes.
"""

import fcntl
import os
import re
import shutil
from datetime import datetime
from pathlib import Path

import msgspec

from provender.catalogue.reports import ImportReport
from provender.model.errors import CatalogueUnavailable

# A reader refuses a format that it does not know; a change that older readers cannot read gets the next number.
FORMAT = 2
KEPT_VERSIONS = 2

_VERSION = re.compile(r"\d{8}T\d{6}Z-\d{3,}")


class Dataset(msgspec.Struct):
    """One dataset of a version: what it is called, which release it is, and how many foods it has."""

    name: str
    release: str | None
    imported_at: int
    foods: int


class Manifest(msgspec.Struct):
    """What a version holds."""

    format: int
    version: str
    created_at: int
    foods: int
    listed: int
    barcodes: int
    datasets: list[Dataset]
    # The lists that its names were read with; see `catalogue/data`.
    lists: str
    # Oldest first, the one that made this version last. Versions from before reports were kept have none.
    reports: list[ImportReport] = []

    def find_release(self, dataset: str, imported_at: int) -> str | None:
        """The release that a record of this dataset and this time is of, where that is known for certain."""
        for report in reversed(self.reports):
            releases = {source.release for source in report.sources if source.dataset == dataset}
            if report.at == imported_at and releases:
                # Files of several releases may be imported at once, and nobody noted which record was in which.
                return releases.pop() if len(releases) == 1 else None
        known = {(each.name, each.imported_at): each.release for each in self.datasets}
        return known.get((dataset, imported_at))


class _Format(msgspec.Struct):
    format: int


class CatalogueFolder:
    """The versions of a catalogue."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    def versions(self) -> list[str]:
        """The names of all whole versions, oldest first."""
        if not self.path.is_dir():
            return []
        return sorted(entry.name for entry in self.path.iterdir() if _VERSION.fullmatch(entry.name))

    def current(self) -> str | None:
        """The version in use; None before the first is built."""
        try:
            return (self.path / "current").read_text(encoding="ascii").strip() or None
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise CatalogueUnavailable(f"The catalogue folder {self.path} cannot be read: {error}.") from error

    def foods_file(self, version: str) -> Path:
        return self.path / version / "foods.db"

    def manifest(self, version: str) -> Manifest:
        """The manifest, if this program can read what it describes."""
        try:
            text = (self.path / version / "manifest.json").read_bytes()
            # The format first: what another format has in its manifest, nobody here can know.
            found = msgspec.json.decode(text, type=_Format).format
            if found == FORMAT:
                return msgspec.json.decode(text, type=Manifest)
        except (OSError, msgspec.MsgspecError) as error:
            raise CatalogueUnavailable(f"The catalogue version {version} cannot be read: {error}.") from error
        raise CatalogueUnavailable(
            f"The catalogue version {version} has format {found}; this Provender reads {FORMAT}. "
            "Use another version, or import with --replace."
        )

    def use(self, version: str) -> None:
        """Make a version the one in use, for every process that looks at this folder; after a build that is running."""
        self._take_turn()
        try:
            self.manifest(version)
            self._switch(version)
        finally:
            self.end()

    def _switch(self, version: str) -> None:
        staged = self.path / f".current-{os.getpid()}"
        staged.write_text(version + "\n", encoding="ascii")
        _sync(staged)
        staged.replace(self.path / "current")
        _sync(self.path)

    def new_version(self, now: datetime) -> str:
        """A name that sorts after all others, whatever the clock says."""
        stamp = now.strftime("%Y%m%dT%H%M%SZ")
        newest, _, number = max(self.versions(), default="").partition("-")
        return f"{stamp}-001" if stamp > newest else f"{newest}-{int(number) + 1:03}"

    @property
    def building(self) -> Path:
        """Where this process builds."""
        return self.path / f".building-{os.getpid()}"

    def begin(self) -> None:
        """Make an empty folder to build in, for one build at a time: a second one waits here until the first has ended.

        What builds that ended early left behind is removed.
        """
        # The data folder around it holds what people ate, which is nobody else's business.
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path.mkdir(exist_ok=True)
        self._take_turn()
        for entry in self.path.glob(".building-*"):
            shutil.rmtree(entry, ignore_errors=True)
        self.building.mkdir()

    def _take_turn(self) -> None:
        self._lock = os.open(self.path / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        # The system takes the lock back when the process ends, however it ends.
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def end(self) -> None:
        """Let the next build begin."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def take_in(self, other: "CatalogueFolder", version: str) -> None:
        """Take a copy of another folder's version, whatever format it has, and use it."""
        self.begin()
        try:
            for file in (other.path / version).iterdir():
                shutil.copyfile(file, self.building / file.name)
            self._place(self.building, version)
        finally:
            shutil.rmtree(self.building, ignore_errors=True)
            self.end()

    def finish(self, building: Path, manifest: Manifest) -> None:
        """Make what was built a version, use it, and keep the two newest."""
        (building / "manifest.json").write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
        self._place(building, manifest.version)
        for version in self.versions()[:-KEPT_VERSIONS]:
            shutil.rmtree(self.path / version, ignore_errors=True)

    def _place(self, building: Path, version: str) -> None:
        for file in building.iterdir():
            _sync(file)
        _sync(building)
        building.rename(self.path / version)
        _sync(self.path)
        self._switch(version)


def _sync(path: Path) -> None:
    """Wait until a file, or a folder's list of names, is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
