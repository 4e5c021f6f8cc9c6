"""One Open Food Facts product, whatever file it came in: what is read of it, and how it becomes a candidate.

Its nutrition has two layouts: `nutriments`, and the `nutrition.aggregated_set` that replaced it at schema 1003.
"""

import html
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from provender.importers.amounts import ENERGY_KJ, SALT, VITAMIN_D_IU_PER_MCG
from provender.importers.judge import judge
from provender.importers.off_nutrients import (
    ETHANOL_DENSITY,
    PER_100,
    PER_100_PREPARED,
    PER_SERVING,
    STRENGTH,
    Measured,
    read_measured,
    read_number,
    read_nutriments,
)
from provender.importers.off_servings import Portion, describe_amount, read_portion, read_unit
from provender.importers.records import Accepted, Candidate, Outcome, Rejected
from provender.model.foods import Serving, Unit
from provender.model.judging import Mend, Reason

SOURCE = "off"
_MOST_DIGITS = 48
# Labels round to whole grams and to 5 kcal, so the values of one mint say nothing about 100 g of mints. Open Food Facts
# itself works out values for 100 g from larger servings only.
_TOO_SMALL_TO_SCALE = 5.0
# What people write who have no brand to write.
_NO_NAME = " -.?_/"
_SAID_YES = (True, "on", "true", "1")


class AggregatedSet(msgspec.Struct):
    nutrients: dict[str, Measured] | None = None
    per: str | None = None
    per_quantity: float | str | None = None
    per_unit: str | None = None
    preparation: str | None = None


class Nutrition(msgspec.Struct, omit_defaults=True):
    aggregated_set: AggregatedSet | None = None
    no_nutrition_data_on_packaging: bool | str | None = None


class Product(msgspec.Struct, omit_defaults=True):
    """What is read of a product. Every other member is passed over without being decoded."""

    code: str | int | None = None
    lang: str | None = None
    product_type: str | None = None
    product_name: str | None = None
    product_name_en: str | None = None
    generic_name: str | None = None
    generic_name_en: str | None = None
    brands: str | None = None
    quantity: str | None = None
    product_quantity: float | str | None = None
    product_quantity_unit: str | None = None
    serving_size: str | None = None
    serving_quantity: float | str | None = None
    serving_quantity_unit: str | None = None
    last_modified_t: float | str | None = None
    no_nutrition_data: bool | str | None = None
    nutrition_data_per: str | None = None
    nutrition_data_prepared_per: str | None = None
    nutriments: dict[str, float | str | None] | None = None
    nutrition: Nutrition | None = None


class _Panel(NamedTuple):
    """The values that count of a product, and what they are for."""

    amounts: dict[str, float]
    # None where it is for the usual 100 g or ml; the package and the serving then tell which.
    unit: Unit | None = None
    # The values are for this much, in place of 100.
    serving: float | None = None
    is_prepared: bool = False


def judge_product(product: Product) -> Outcome:
    """The one outcome of a product."""
    key = _find_key(product)
    if key is None:
        return Rejected(Reason.NO_KEY, None, _describe(product))
    if product.product_type not in (None, "", "food"):
        return Rejected(Reason.NOT_A_FOOD, key, _describe(product))
    portion = _find_portion(product)
    panel = _find_panel(product, portion)
    if panel is None:
        return Rejected(Reason.NO_BASIS, key, _describe(product))
    # What is told of a rejected product is only put together when it is rejected.
    outcome = judge(_make_candidate(product, key, panel, portion), {})
    if isinstance(outcome, Rejected):
        return replace(outcome, record=_describe(product))
    return Accepted(outcome.food, (*outcome.mends, Mend.PER_SERVING)) if panel.serving else outcome


def _find_name(product: Product) -> str:
    """The English name, else the one in the product's main language, else what kind of food it is, else nothing."""
    for name in (product.product_name_en, product.product_name, product.generic_name_en, product.generic_name):
        if name and not name.isspace():
            return html.unescape(name) if "&" in name else name
    return ""


def _make_candidate(product: Product, key: str, panel: _Panel, portion: Portion | None) -> Candidate:
    amounts = panel.amounts
    unit = panel.unit or _choose_unit(product, portion)
    # A drink is as strong in the glass as in the bottle.
    strength = amounts.pop(STRENGTH, None)
    if panel.serving:
        amounts = {name: amount * 100 / panel.serving for name, amount in amounts.items()}
    # Of what is weighed the share of volume says nothing about the weight, unless there is none.
    if strength is not None and (unit is Unit.MILLILITRE or strength == 0):
        amounts["alcohol_in_gm"] = strength * ETHANOL_DENSITY
    if "vitamin_d_in_mcg" in amounts:
        amounts["vitamin_d_in_iu"] = amounts["vitamin_d_in_mcg"] * VITAMIN_D_IU_PER_MCG
    # The serving is one of the food as sold: nobody says how much of it is prepared from that.
    portion = None if panel.is_prepared else portion
    return Candidate(
        source=SOURCE,
        key=key,
        name=_find_name(product),
        unit=unit,
        brand=_find_brand(product.brands),
        barcode=key,
        energy_kj=amounts.pop(ENERGY_KJ, None),
        salt_in_g=amounts.pop(SALT, None),
        nutrients=amounts,
        servings=_list_servings(portion, unit),
        released=_read_time(product.last_modified_t),
        divided_by=portion.amount
        if portion and product.nutrition_data_per == "serving" and not panel.serving
        else None,
    )


def _find_key(product: Product) -> str | None:
    code = str(product.code).strip() if product.code is not None else ""
    return code if len(code) <= _MOST_DIGITS and code.isascii() and code.isdecimal() else None


@lru_cache(maxsize=20_000)
def _find_brand(brands: str | None) -> str | None:
    """The first of several, written with commas; an owner's name often follows."""
    for brand in brands.split(",") if brands else ():
        name = html.unescape(brand).strip() if "&" in brand else brand.strip()
        if name.strip(_NO_NAME):
            return name
    return None


def _find_panel(product: Product, portion: Portion | None) -> _Panel | None:
    """The values for 100 g or ml as sold, else those that come nearest; None where nobody knows what they are for."""
    if product.nutrition is not None and product.nutrition.aggregated_set is not None:
        if product.nutrition.no_nutrition_data_on_packaging in _SAID_YES:
            return _Panel({})
        panel = _read_set(product.nutrition.aggregated_set)
        if panel is None or panel.amounts:
            return panel
    # The package has no values, so what is there is left from before somebody looked.
    if not product.nutriments or product.no_nutrition_data in _SAID_YES:
        return _Panel({})
    nutriments = product.nutriments
    if amounts := read_nutriments(nutriments, PER_100):
        return _Panel(amounts, Unit.MILLILITRE if product.nutrition_data_per == "100ml" else None)
    if amounts := read_nutriments(nutriments, PER_SERVING):
        if portion is None or portion.amount <= _TOO_SMALL_TO_SCALE:
            return None
        return _Panel(amounts, portion.unit, portion.amount)
    per_ml = product.nutrition_data_prepared_per == "100ml"
    return _Panel(read_nutriments(nutriments, PER_100_PREPARED), Unit.MILLILITRE if per_ml else None, is_prepared=True)


def _read_set(found: AggregatedSet) -> _Panel | None:
    amounts = read_measured(found.nutrients) if found.nutrients else {}
    if not amounts:
        return _Panel({})
    is_prepared = found.preparation == "prepared"
    if found.per in ("100g", "100ml"):
        return _Panel(amounts, Unit.MILLILITRE if found.per == "100ml" else None, is_prepared=is_prepared)
    quantity, unit = read_number(found.per_quantity), read_unit(found.per_unit)
    if found.per == "serving" and quantity and quantity > _TOO_SMALL_TO_SCALE and unit:
        return _Panel(amounts, unit, quantity, is_prepared)
    return None


def _find_portion(product: Product) -> Portion | None:
    quantity = read_number(product.serving_quantity)
    portion = read_portion(product.serving_size or "", quantity, product.serving_quantity_unit)
    # Some who enter the size of a package as its serving write grams for millilitres.
    if portion and quantity is not None and quantity == read_number(product.product_quantity):
        unit = _package_unit(product)
        if unit is Unit.MILLILITRE and portion.unit is Unit.GRAM:
            return Portion(describe_amount(portion.amount, unit), portion.amount, unit)
    return portion


def _package_unit(product: Product) -> Unit | None:
    return read_unit(product.product_quantity_unit) or read_unit(product.quantity)


def _choose_unit(product: Product, portion: Portion | None) -> Unit:
    """What "100g" means: Open Food Facts writes it for 100 g and for 100 ml, so the package and the serving decide.

    Values for a serving were divided by it, so they have its unit. Otherwise a food is measured in millilitres where
    one of the two says so and none says grams: pickles come in jars of 473 ml, and are labelled by the gram.
    """
    serving = portion.unit if portion else None
    if serving and product.nutrition_data_per == "serving":
        return serving
    package = _package_unit(product)
    says_grams = serving is Unit.GRAM or package is Unit.GRAM
    return Unit.MILLILITRE if (serving or package) and not says_grams else Unit.GRAM


def _list_servings(portion: Portion | None, unit: Unit) -> list[Serving]:
    """The serving, where it is measured as the food is: a millilitre is not a gram."""
    if portion is None or portion.unit not in (None, unit):
        return []
    return [Serving(portion.description, portion.amount)]


def _read_time(value: float | str | None) -> datetime | None:
    seconds = read_number(value)
    try:
        return datetime.fromtimestamp(seconds, UTC) if seconds else None
    except (ValueError, OverflowError, OSError):
        return None


def _describe(product: Product) -> dict[str, Any]:
    described: dict[str, Any] = msgspec.to_builtins(product)
    return described
