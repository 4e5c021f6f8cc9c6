"""Foods: find one by its id, or by the barcode on its package, in the catalogue and among custom foods."""

from provender.catalogue.store import Catalogue, Entry
from provender.model.errors import FoodNotFound, InvalidBarcode
from provender.model.gtin import advise, is_gtin13
from provender.model.ids import is_id
from provender.services.catalogue import CurrentCatalogue
from provender.services.custom_foods import find_custom_food, find_custom_food_by_barcode
from provender.storage.store import Store


async def get_food(catalogue: Catalogue, store: Store, food_id: str, include: frozenset[str]) -> Entry:
    """The food with this id. Thirteen digits are no id but a barcode, and are looked up as one.

    The catalogue is asked first: most foods are there, and it answers without the storage.
    """
    if len(food_id) == 13 and food_id.isascii() and food_id.isdecimal():
        return get_food_by_barcode(catalogue, food_id, include)
    found = None
    if is_id(food_id):
        found = catalogue.find(food_id, include) or await find_custom_food(store, food_id, include)
    if found is None:
        raise FoodNotFound("No food has this _id. Take the _id from an answer of this server.")
    return found


def get_food_by_barcode(catalogue: Catalogue, barcode: str, include: frozenset[str]) -> Entry:
    if not is_gtin13(barcode):
        raise InvalidBarcode(advise(barcode))
    found = catalogue.find_by_barcode(barcode, include)
    if found is None:
        raise FoodNotFound("No food of the catalogue has this barcode. A newer import may have it.")
    return found


async def get_food_by_barcode_for(
    current: CurrentCatalogue, store: Store, reference_id: str, barcode: str, include: frozenset[str]
) -> Entry:
    """The profile's own food with this barcode, otherwise the catalogue's."""
    own = await find_custom_food_by_barcode(store, reference_id, barcode, include)
    # The version in use may have changed while the storage answered.
    return own or get_food_by_barcode(current.get(), barcode, include)
