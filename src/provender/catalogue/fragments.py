"""Foods as pre-encoded JSON: the core and each group apart, so that an answer is put together from bytes."""

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from provender.model.decimals import from_billionths, times, to_billionths
from provender.model.foods import Food, FoodType, Serving, Unit, choose_serving, for_reading, scale, serving_id
from provender.model.nutrients import GROUPS, OPTIONAL_GROUPS, PLACES, Group, Nutrients
from provender.model.portions import LoggedFood

_encode = msgspec.json.Encoder().encode

# The sixth thing that can be asked for, beyond the interface's five groups.
SERVINGS = "servings"
INCLUDABLE = (*(group.value for group in OPTIONAL_GROUPS), SERVINGS)


class Fragments(NamedTuple):
    """A food's answer in pieces. `core` lacks its times and its closing brace; the others are whole values."""

    core: bytes
    vitamins: bytes
    minerals: bytes
    carbohydrates: bytes
    lipids: bytes
    proteins: bytes
    servings: bytes
    # The nutrients of 100 g or 100 ml, unrounded, for whoever has to scale them to another amount.
    per_100: bytes

    def digest(self) -> bytes:
        """The same for the same content, whenever it was imported."""
        return hashlib.blake2b(b"\0".join(self), digest_size=8).digest()


def encode_food(food: Food, food_id: str) -> Fragments:
    description, amount = choose_serving(food)
    groups = scale(food.nutrients, amount)
    core: dict[str, Any] = {
        "_id": food_id,
        "food_name": food.name,
        "food_type": food.food_type.value,
        "brand_name": food.brand,
        "serving_description": description[:255],
        "metric_serving_amount": amount,
        "metric_serving_unit": food.unit.value,
        "macro_nutrients": groups[Group.MACRO_NUTRIENTS],
        **groups[Group.WATER],
        "profile_reference_id": None,
    }
    servings = [
        {
            "_id": serving_id(food_id, serving.description),
            "serving_description": serving.description[:255],
            "metric_serving_amount": for_reading(serving.amount),
            "metric_serving_unit": food.unit.value,
        }
        for serving in _distinct(food)
    ]
    vitamins, minerals, carbohydrates, lipids, proteins = (_encode(groups[group]) for group in OPTIONAL_GROUPS)
    per_100 = {"unit": food.unit.value, "nutrients": food.nutrients, "computed": sorted(food.computed)}
    return Fragments(
        core=_encode(core)[:-1],
        vitamins=vitamins,
        minerals=minerals,
        carbohydrates=carbohydrates,
        lipids=lipids,
        proteins=proteins,
        servings=_encode(servings),
        per_100=_encode(per_100),
    )


def _distinct(food: Food) -> list[Serving]:
    """The servings, and 100 g or ml as the last; a description that comes twice is one serving."""
    found = {serving.description: serving for serving in reversed(food.servings)}
    hundred = f"100 {food.unit.value}"
    ordered = [serving for serving in food.servings if found.get(serving.description) is serving]
    return ordered if hundred in found else [*ordered, Serving(hundred, 100.0)]


def close_core(core: bytes, created_at: int, updated_at: int) -> bytes:
    """The core with its times, ready for groups and a closing brace."""
    return b'%b,"created_at":%d,"updated_at":%d' % (core, created_at, updated_at)


class _Named(msgspec.Struct):
    food_name: str


_decode_named = msgspec.json.Decoder(_Named).decode


def core_name(core: bytes) -> str:
    """The name in the core."""
    return _decode_named(core + b"}").food_name


class _Core(msgspec.Struct):
    food_name: str
    food_type: FoodType
    brand_name: str | None
    serving_description: str
    metric_serving_amount: int
    metric_serving_unit: Unit
    macro_nutrients: dict[str, float]
    water_in_gm: float | None = None


class _Serving(msgspec.Struct):
    id: str = msgspec.field(name="_id")
    serving_description: str
    metric_serving_amount: float


class _Per100(msgspec.Struct):
    nutrients: dict[str, float]


_decode_core = msgspec.json.Decoder(_Core).decode
_decode_members = msgspec.json.Decoder(dict[str, float]).decode
_decode_servings = msgspec.json.Decoder(list[_Serving]).decode
_decode_per_100 = msgspec.json.Decoder(_Per100).decode


class Record(NamedTuple):
    """A food's pieces as they are kept, for whoever logs it."""

    core: bytes
    vitamins: bytes
    minerals: bytes
    carbohydrates: bytes
    lipids: bytes
    proteins: bytes
    servings: bytes
    per_100: bytes

    def as_shown(self) -> LoggedFood:
        core = _decode_core(self.core + b"}")
        groups: dict[Group, Mapping[str, float]] = {Group.MACRO_NUTRIENTS: core.macro_nutrients}
        if core.water_in_gm is not None:
            groups[Group.WATER] = {Group.WATER.value: core.water_in_gm}
        for group, piece in zip(OPTIONAL_GROUPS, self[1:6], strict=True):
            groups[group] = _decode_members(piece)
        return _logged(core, core.serving_description, core.metric_serving_amount, groups)

    def as_weighed(self) -> LoggedFood:
        core = _decode_core(self.core + b"}")
        amount = core.metric_serving_amount
        groups: dict[Group, dict[str, float]] = {}
        per_100 = _decode_per_100(self.per_100).nutrients
        for name in sorted(per_100, key=PLACES.__getitem__):
            # What was worked out from other units has digits without end; six of them are more than was measured.
            exact = times(to_billionths(float(f"{per_100[name]:.6g}")), (amount, 100))
            groups.setdefault(GROUPS[name], {})[name] = from_billionths(exact)
        return _logged(core, core.serving_description, amount, groups)

    def as_measured(self, serving: str) -> LoggedFood | None:
        found = next((each for each in _decode_servings(self.servings) if each.id == serving), None)
        if found is None:
            return None
        groups = scale(_decode_per_100(self.per_100).nutrients, found.metric_serving_amount)
        return _logged(_decode_core(self.core + b"}"), found.serving_description, found.metric_serving_amount, groups)


def _logged(core: _Core, description: str, amount: float, nutrients: Nutrients) -> LoggedFood:
    return LoggedFood(
        core.food_name, core.brand_name, core.food_type, description, amount, core.metric_serving_unit, nutrients
    )
