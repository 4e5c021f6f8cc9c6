"""Foods: find one by its id, or by the barcode on its package."""

from provender.catalogue.store import Catalogue, Entry
from provender.model.errors import FoodNotFound, InvalidBarcode
from provender.model.gtin import Check, is_gtin13, suggest
from provender.model.ids import is_id


def get_food(catalogue: Catalogue, food_id: str, include: frozenset[str]) -> Entry:
    """The food with this id. Thirteen digits are no id but a barcode, and are looked up as one."""
    if len(food_id) == 13 and food_id.isascii() and food_id.isdecimal():
        return get_food_by_barcode(catalogue, food_id, include)
    found = catalogue.find(food_id, include) if is_id(food_id) else None
    if found is None:
        raise FoodNotFound("No food has this _id. Take the _id from an answer of this server.")
    return found


def get_food_by_barcode(catalogue: Catalogue, barcode: str, include: frozenset[str]) -> Entry:
    if not is_gtin13(barcode):
        raise InvalidBarcode(_advice(barcode))
    found = catalogue.find_by_barcode(barcode, include)
    if found is None:
        raise FoodNotFound("No food of the catalogue has this barcode. A newer import may have it.")
    return found


def _advice(sent: str) -> str:
    """What to send instead, where the digits that were sent can be read as another kind of barcode."""
    ways = [f"{way.gtin13} (read as {way.kind})" for way in suggest(sent) if way.check is Check.RIGHT]
    if ways:
        return f"A barcode is sent as a GTIN-13, 13 digits. Send {' or '.join(ways)}."
    return (
        "A barcode is sent as a GTIN-13: 13 digits with a right check digit. `provender gtin CODE` checks and converts."
    )
