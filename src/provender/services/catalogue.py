"""The catalogue version in use: opened by every server process, and left for a newer one without a pause."""

import asyncio
import logging
from pathlib import Path

from provender.catalogue.folder import CatalogueFolder
from provender.catalogue.store import Catalogue
from provender.model.errors import CatalogueUnavailable

_log = logging.getLogger(__name__)

# How soon every process has moved to a new version; the promise is 5 seconds.
_LOOK_AGAIN_S = 1.0

FOLDER = "catalogue"


class CurrentCatalogue:
    """Whichever version is in use now."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = CatalogueFolder(data_dir / FOLDER)
        self._open: Catalogue | None = None
        self._complaint: str | None = None

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
        """Move to the version in use. One that cannot be read leaves the present one serving, and is tried again."""
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
