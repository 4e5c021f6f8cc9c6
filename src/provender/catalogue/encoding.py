"""Encodes a food of the catalogue as the pieces of JSON that it is kept in.

An import encodes millions of foods, and most have the same few sets of nutrients. So what is the same for all foods of
a set is worked out once, as templates, and a food fills them in.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from provender.catalogue.fragments import Fragments
from provender.model.foods import Food, Serving, choose_serving, for_reading, serving_id
from provender.model.nutrients import GROUPS, OPTIONAL_GROUPS, PLACES, Group

_encode = msgspec.json.Encoder().encode

# Tables have a few thousand sets of nutrients; a template has one or two kilobytes.
_MOST_TEMPLATES = 4000

_CORE = (
    b'{"_id":"%b","food_name":%b,"food_type":"%b","brand_name":%b,"serving_description":%b,"metric_serving_amount":%d,'
    b'"metric_serving_unit":"%b",%b,"profile_reference_id":null'
)
_SERVING = b'{"_id":"%b","serving_description":%b,"metric_serving_amount":%b,"metric_serving_unit":"%b"}'
# Every food has this one, as its last.
_HUNDRED = b'{"_id":"%b","serving_description":"100 %b","metric_serving_amount":100,"metric_serving_unit":"%b"}'
_MEMBERS = {name: b'"%b":%%.4g' % name.encode() for name in GROUPS}
# What `%.4g` writes otherwise than JSON: very large and very small numbers, and a zero below zero.
_SIGNED = re.compile(rb"(?<=:)(?:-[.0-9]+(?:e[-+][0-9]+)?|[.0-9]+e[-+][0-9]+)")
_PER_100 = b'{"unit":"%b","nutrients":%b,"computed":%b}'


class _Template(NamedTuple):
    """How the foods of one set of nutrients are written."""

    # The nutrients in the registry's order, which is that of the groups too.
    names: tuple[str, ...]
    # What stands in the core, and the optional groups, with a blank between each two, to be filled with numbers.
    form: bytes


@lru_cache(maxsize=_MOST_TEMPLATES)
def _template(nutrients: tuple[str, ...]) -> _Template:
    names = sorted(nutrients, key=PLACES.__getitem__)
    groups: dict[Group, list[bytes]] = {group: [] for group in Group}
    for name in names:
        groups[GROUPS[name]].append(_MEMBERS[name])
    macros = b'"macro_nutrients":{%b}' % b",".join(groups[Group.MACRO_NUTRIENTS])
    core = b",".join([macros, *groups[Group.WATER]])
    form = b" ".join([core, *(b"{%b}" % b",".join(groups[group]) for group in OPTIONAL_GROUPS)])
    return _Template(tuple(names), form)


def encode_food(food: Food, food_id: str) -> Fragments:
    description, amount = choose_serving(food)
    nutrients, brand, computed = food.nutrients, food.brand, food.computed
    names, form = _template(tuple(nutrients))
    share = amount / 100
    written = _write_numbers(form, [nutrients[name] * share for name in names])
    shown, vitamins, minerals, carbohydrates, lipids, proteins = written.split(b" ")
    # It is a text of its own, and its `value` takes as long to get as a serving to write.
    unit = food.unit.encode()
    core = _CORE % (
        food_id.encode(),
        _encode(food.name),
        b"generic" if brand is None else b"brand",
        b"null" if brand is None else _encode(brand),
        _encode(description[:255]),
        amount,
        unit,
        shown,
    )
    per_100 = _PER_100 % (unit, _encode(nutrients), _encode(sorted(computed)) if computed else b"[]")
    servings = _encode_servings(food.servings, food_id, unit)
    return Fragments(core, vitamins, minerals, carbohydrates, lipids, proteins, servings, per_100)


def _write_numbers(form: bytes, values: Sequence[float]) -> bytes:
    """The pieces with numbers as `for_reading` rounds them, in JSON."""
    written = form % tuple(values)
    # No name has one of these signs.
    if written.find(b"-") < 0 and written.find(b"+") < 0:
        return written
    return _SIGNED.sub(lambda found: _encode(for_reading(float(found[0]))), written)


def _encode_servings(servings: Sequence[Serving], food_id: str, unit: bytes) -> bytes:
    """The servings, and 100 g or ml as the last, unless it is one of them."""
    hundred = "100 " + unit.decode()
    encoded = []
    for serving in servings:
        description, amount = serving.description, for_reading(serving.amount)
        id_ = serving_id(food_id, description).encode()
        encoded.append(_SERVING % (id_, _encode(description[:255]), _encode(amount), unit))
        if description == hundred:
            hundred = ""
    if len(encoded) > 1:
        encoded = _leave_out_repeated(servings, encoded)
    if hundred:
        encoded.append(_HUNDRED % (serving_id(food_id, hundred).encode(), unit, unit))
    return b"[%b]" % b",".join(encoded)


def _leave_out_repeated(servings: Sequence[Serving], encoded: Sequence[bytes]) -> list[bytes]:
    """A description that comes twice is one serving, the first."""
    first = {serving.description: place for place, serving in reversed(list(enumerate(servings)))}
    return [encoded[place] for place in sorted(first.values())]
