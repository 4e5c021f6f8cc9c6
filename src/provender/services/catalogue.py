"""The catalogue version in use: opened by every server process, and left for a newer one without a pause."""

import asyncio
import logging
from dataclasses import dataclass
from pathlib import Path

from provender.catalogue.folder import CatalogueFolder
from provender.catalogue.store import Catalogue
from provender.model.errors import CatalogueUnavailable

_log = logging.getLogger(__name__)

# How soon every process has moved to a new version; the promise is 5 seconds.
_LOOK_AGAIN_S = 1.0

FOLDER = "catalogue"


@dataclass(frozen=True, slots=True)
class KeptVersion:
    """A version that lies in the folder. What cannot be read of it is None."""

    version: str
    created_at: int | None = None
    foods: int | None = None


class CurrentCatalogue:
    """Whichever version is in use now, and which others there are."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = CatalogueFolder(data_dir / FOLDER)
        self._open: Catalogue | None = None
        self._complaint: str | None = None
        # Newest first, as the folder was when it was last looked at.
        self.versions: tuple[KeptVersion, ...] = ()

    def get(self) -> Catalogue:
        if self._open is None:
            self.refresh()
        if self._open is None:
            raise CatalogueUnavailable(
                self._complaint
                or "There is no food catalogue yet. `provender serve` builds one, and so does an import."
            )
        return self._open

    def refresh(self) -> None:
        """Move to the version in use, and see which others there are."""
        before = self._open
        self._move()
        self._look_for_versions(has_moved=self._open is not before)

    def _move(self) -> None:
        """A version that cannot be read leaves the present one serving, and is tried again."""
        try:
            version = self._folder.current()
            if version is None or (self._open is not None and version == self._open.version):
                return
            opened = self.open_version(version)
        except CatalogueUnavailable as error:
            if error.detail != self._complaint:
                self._complaint = error.detail
                _log.error("%s", error.detail)
            return
        previous, self._open, self._complaint = self._open, opened, None
        if previous is not None:
            # Nothing reads from it any more: a read begins and ends within one turn of the event loop.
            previous.close()
            _log.info("moved to the catalogue version %s", version)

    def _look_for_versions(self, *, has_moved: bool) -> None:
        """Read the manifests anew where a version has come, gone, or been taken into use; they do not change."""
        try:
            names = self._folder.versions()[::-1]
        except OSError:
            # Whatever keeps the folder from being read was complained about when the version in use was looked for.
            return
        if has_moved or names != [each.version for each in self.versions]:
            self.versions = tuple(map(self._describe, names))

    def _describe(self, version: str) -> KeptVersion:
        try:
            manifest = self._folder.manifest(version)
        except CatalogueUnavailable:
            return KeptVersion(version)
        return KeptVersion(version, manifest.created_at, manifest.foods)

    def open_version(self, version: str) -> Catalogue:
        return Catalogue(self._folder, version)

    async def run(self) -> None:
        """Follow the version in use, whatever happens."""
        while True:
            try:
                self.refresh()
            except Exception:  # noqa: BLE001 - A fault here must not keep this process on an old version for ever.
                _log.exception("looking for the catalogue version in use failed, and will be tried again")
            await asyncio.sleep(_LOOK_AGAIN_S)

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None
