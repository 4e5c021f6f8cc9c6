"""Backups brought back: into storage and a data folder that have nothing yet, all of it or nothing."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from provender.catalogue.folder import CatalogueFolder
from provender.model.errors import NotMoved
from provender.services.backups import DESCRIPTION, FORMAT, Backup, describe, hash_of
from provender.services.catalogue import FOLDER
from provender.settings import Settings
from provender.storage.files import refused_files
from provender.storage.migrations import refuse_newer
from provender.storage.opening import DATABASE_FILE, filled_from, open_engine
from provender.storage.sqlite_copying import inspect_sqlite


async def restore_backup(settings: Settings, source: Path) -> Backup:
    """Bring back a backup into storage and a data folder that have nothing yet: all of it, or nothing."""
    backup = _read(source)
    _verify(source, backup)
    mine, theirs = CatalogueFolder(settings.data_dir / FOLDER), CatalogueFolder(source / FOLDER)
    with refused_files():
        has_catalogue = _has_catalogue(mine, backup)
    async with filled_from(settings, source / DATABASE_FILE):
        # The storage comes last: without it this can be done again, and the catalogue is found there.
        if backup.catalogue is not None and not has_catalogue:
            with refused_files():
                mine.take_in(theirs, backup.catalogue)
    engine = await open_engine(settings)
    try:
        await engine.migrate()
    finally:
        await engine.close()
    return backup


class _Format(msgspec.Struct):
    format: int


def _read(source: Path) -> Backup:
    try:
        text = (source / DESCRIPTION).read_bytes()
    except OSError as error:
        why = f"{DESCRIPTION} cannot be read ({error.strerror})"
        raise NotMoved(f"{source} is no backup: {why}. Name a folder that `provender backup` made.") from error
    try:
        # The format first: what another format says of itself, nobody here can know.
        found = msgspec.json.decode(text, type=_Format).format
        if found == FORMAT:
            return msgspec.json.decode(text, type=Backup)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise NotMoved(f"The backup {source} is damaged: {DESCRIPTION} cannot be read: {error}.") from error
    raise NotMoved(
        f"The backup {source} has format {found}; this Provender restores {FORMAT}. Use the release that made it."
    )


def _verify(source: Path, backup: Backup) -> None:
    """Refuse a backup that is not what it says of itself, or that this program cannot serve from."""
    refuse_newer(backup.schema)
    listed = {file.path for file in backup.files}
    for name in _needed(backup):
        if name not in listed:
            raise NotMoved(f"The backup {source} is damaged: {DESCRIPTION} does not name {name}.")
    for file in backup.files:
        try:
            found = describe(source, source / file.path)
        except (OSError, ValueError) as error:
            raise NotMoved(f"The backup {source} is damaged: {error}.") from error
        if found != file:
            raise NotMoved(f"The backup {source} is damaged: {file.path} is not what was written.")
    if inspect_sqlite(source / DATABASE_FILE) != (backup.schema, backup.rows):
        raise NotMoved(f"The backup {source} is damaged: {DATABASE_FILE} has other rows than {DESCRIPTION} says.")
    if backup.catalogue is not None:
        CatalogueFolder(source / FOLDER).manifest(backup.catalogue)


def _needed(backup: Backup) -> Iterator[str]:
    yield DATABASE_FILE
    if backup.catalogue is not None:
        yield from (f"{FOLDER}/{backup.catalogue}/{name}" for name in ("foods.db", "manifest.json"))


def _has_catalogue(folder: CatalogueFolder, backup: Backup) -> bool:
    """Whether the backup's own version is there and in use already; another one is refused."""
    if backup.catalogue is None or not folder.versions():
        return False
    wanted = _files_of(backup)
    if folder.current() == backup.catalogue and _files_in(folder, backup.catalogue) == wanted:
        return True
    raise NotMoved(
        f"The data folder {folder.path.parent} has a catalogue already. Name a new folder with --data-dir, or move its "
        f"`{FOLDER}` away."
    )


def _files_of(backup: Backup) -> Mapping[str, str]:
    """The files of the backup's version of the catalogue, with their hashes."""
    folder = f"{FOLDER}/{backup.catalogue}/"
    return {file.path.removeprefix(folder): file.sha256 for file in backup.files if file.path.startswith(folder)}


def _files_in(folder: CatalogueFolder, version: str) -> Mapping[str, str]:
    return {file.name: hash_of(file) for file in (folder.path / version).iterdir()}
