"""The catalogue with a span for each look-up and search, which says neither what was asked for nor what was found."""

from collections.abc import Iterable
from pathlib import Path

from opentelemetry.trace import Tracer

from provender.catalogue.folder import CatalogueFolder
from provender.catalogue.fragments import Record
from provender.catalogue.origins import Origin
from provender.catalogue.store import Catalogue, Entry
from provender.model.foods import FoodType
from provender.model.paging import Page, PageRequest
from provender.services.catalogue import CurrentCatalogue
from provender.tracing.spans import spanning

_FOUND = "provender.catalogue.found"


class TracedCurrentCatalogue(CurrentCatalogue):
    """Whichever version is in use now, traced."""

    def __init__(self, data_dir: Path, tracer: Tracer) -> None:
        super().__init__(data_dir)
        self._tracer = tracer

    def open_version(self, version: str) -> Catalogue:
        return _TracedCatalogue(self._folder, version, self._tracer)


class _TracedCatalogue(Catalogue):
    def __init__(self, folder: CatalogueFolder, version: str, tracer: Tracer) -> None:
        super().__init__(folder, version)
        self._tracer = tracer
        self._about = {"provender.catalogue.version": version}

    def find(self, food_id: str, include: frozenset[str]) -> Entry | None:
        with spanning(self._tracer, "catalogue.find", self._about) as span:
            found = super().find(food_id, include)
            span.set_attribute(_FOUND, int(found is not None))
            return found

    def find_bodies(self, food_ids: Iterable[str], include: frozenset[str]) -> list[bytes | None]:
        with spanning(self._tracer, "catalogue.find_bodies", self._about) as span:
            found = super().find_bodies(food_ids, include)
            span.set_attribute(_FOUND, len(found) - found.count(None))
            return found

    def find_by_barcode(self, gtin13: str, include: frozenset[str]) -> Entry | None:
        with spanning(self._tracer, "catalogue.find_by_barcode", self._about) as span:
            found = super().find_by_barcode(gtin13, include)
            span.set_attribute(_FOUND, int(found is not None))
            return found

    def search(
        self, query: str, request: PageRequest, include: frozenset[str], food_type: FoodType | None = None
    ) -> Page[bytes]:
        with spanning(self._tracer, "catalogue.search", self._about) as span:
            page = super().search(query, request, include, food_type)
            span.set_attribute(_FOUND, len(page.items))
            return page

    def read(self, food_id: str) -> Record | None:
        with spanning(self._tracer, "catalogue.read", self._about) as span:
            found = super().read(food_id)
            span.set_attribute(_FOUND, int(found is not None))
            return found

    def find_origin(self, food_id: str) -> Origin | None:
        with spanning(self._tracer, "catalogue.find_origin", self._about) as span:
            found = super().find_origin(food_id)
            span.set_attribute(_FOUND, int(found is not None))
            return found
