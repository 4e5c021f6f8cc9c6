"""Backups: a folder with everything of an installation, made while servers run. `services/restoring.py` brings it back.

    DEST/
      backup.json      what is in it: versions, rows, and every file with its size and SHA-256
      provender.db     the storage, as one SQLite file, whichever database it was in
      catalogue/       the food catalogue's version in use, as a data folder has it

It is written under another name and gets its own at the end, so that a backup that is there is whole.
"""

import asyncio
import hashlib
import shutil
from datetime import datetime
from pathlib import Path

import msgspec

from provender import __version__
from provender.catalogue.folder import CatalogueFolder
from provender.model.errors import NotMoved
from provender.services.catalogue import FOLDER
from provender.settings import Settings
from provender.storage.files import claimed, part_of, refused_files, sync
from provender.storage.opening import DATABASE_FILE, write_file
from provender.storage.sqlite_copying import inspect_sqlite

# A change that older programs cannot restore gets the next number.
FORMAT = 1
DESCRIPTION = "backup.json"

# How often a version of the catalogue may go while it is being copied, because imports have made two newer ones.
_ATTEMPTS = 3


class File(msgspec.Struct):
    """A file of a backup, by its path in it."""

    path: str
    size: int
    sha256: str


class Backup(msgspec.Struct):
    """What a backup says of itself."""

    format: int
    provender: str
    created_at: str
    schema: int
    # The version in use, if there was one.
    catalogue: str | None
    rows: dict[str, int]
    files: list[File]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


async def back_up(settings: Settings, destination: Path, now: datetime) -> Backup:
    """Write a backup into a new folder."""
    part = part_of(destination)
    with refused_files():
        _refuse_unfit(destination)
        part.mkdir(mode=0o700, exist_ok=True)
        with claimed(part):
            try:
                # Somebody may have had the claim until now.
                _refuse_unfit(destination)
                _clear(part)
                backup = await _fill(settings, part, now)
                part.rename(destination)
                sync(destination.parent)
            finally:
                shutil.rmtree(part, ignore_errors=True)
    return backup


def _refuse_unfit(destination: Path) -> None:
    if destination.exists() and not (destination.is_dir() and not any(destination.iterdir())):
        raise NotMoved(f"{destination} exists already. A backup needs a new folder, or an empty one.")
    # It is not made: where a disk is not mounted, the backup would lie beside what it is for.
    if not destination.parent.exists():
        raise NotMoved(f"The folder {destination.parent} does not exist. Make it first, or name another place.")


def _clear(part: Path) -> None:
    """Remove what a backup that was killed has left. The folder itself stays: it is what we have claimed."""
    for entry in part.iterdir():
        if entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink()


async def _fill(settings: Settings, part: Path, now: datetime) -> Backup:
    await write_file(settings, part / DATABASE_FILE)
    # Ctrl-C is heard where something is awaited.
    await asyncio.sleep(0)
    version = _take_catalogue(CatalogueFolder(settings.data_dir / FOLDER), CatalogueFolder(part / FOLDER))
    await asyncio.sleep(0)
    return _seal(part, version, now)


def _seal(part: Path, version: str | None, now: datetime) -> Backup:
    """Say what has been written, and wait until all of it is on the disk."""
    schema, rows = inspect_sqlite(part / DATABASE_FILE)
    backup = Backup(
        format=FORMAT,
        provender=__version__,
        created_at=f"{now:%Y-%m-%dT%H:%M:%SZ}",
        schema=schema,
        catalogue=version,
        rows=dict(rows),
        files=[describe(part, file) for file in sorted(part.rglob("*")) if file.is_file()],
    )
    (part / DESCRIPTION).write_bytes(msgspec.json.format(msgspec.json.encode(backup), indent=2) + b"\n")
    for entry in (*part.rglob("*"), part):
        entry.chmod(0o700 if entry.is_dir() else 0o600)
        sync(entry)
    return backup


def _take_catalogue(folder: CatalogueFolder, copy: CatalogueFolder) -> str | None:
    """Copy the version in use."""
    for attempt in range(1, _ATTEMPTS + 1):
        version = folder.current()
        if version is None:
            return None
        try:
            copy.take_in(folder, version)
        except FileNotFoundError:
            if attempt == _ATTEMPTS or folder.current() == version:
                raise
        else:
            # It is for builds that take turns, and here there will be none.
            (copy.path / ".lock").unlink()
            return version
    raise AssertionError("The last attempt returns or raises.")


def describe(folder: Path, file: Path) -> File:
    """Its path within the folder; a ValueError for one that leads out of it."""
    path = file.resolve().relative_to(folder.resolve())
    return File(path.as_posix(), file.stat().st_size, hash_of(file))


def hash_of(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
