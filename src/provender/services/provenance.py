"""Where a food is from: a source of the catalogue, or a profile that made it."""

from dataclasses import dataclass
from datetime import datetime

from provender.catalogue.origins import Origin
from provender.catalogue.store import Catalogue
from provender.model.errors import FoodNotFound
from provender.model.ids import is_id
from provender.model.times import from_ms
from provender.storage import custom_foods
from provender.storage.store import Store


@dataclass(frozen=True, slots=True)
class CatalogueProvenance:
    """Of a food of the catalogue. The release is None where it is not known for certain."""

    origin: Origin
    release: str | None


@dataclass(frozen=True, slots=True)
class CustomProvenance:
    """Of a custom food: whose it is."""

    reference_id: str
    created_at: datetime


async def get_provenance(catalogue: Catalogue, store: Store, food_id: str) -> CatalogueProvenance | CustomProvenance:
    """As with a food itself, the catalogue is asked first. A barcode is no id here."""
    if is_id(food_id):
        origin = catalogue.find_origin(food_id)
        if origin is not None:
            return CatalogueProvenance(origin, catalogue.manifest.find_release(origin.dataset, origin.imported_at))
        custom = await custom_foods.find_food(store, food_id)
        if custom is not None:
            return CustomProvenance(custom.reference_id, from_ms(custom.created_at))
    raise FoodNotFound("No food has this _id. Take the _id from an answer of this server; a barcode is none.")
