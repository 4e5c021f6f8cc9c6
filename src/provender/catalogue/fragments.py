"""Foods as pre-encoded JSON: the core and each group apart, so that an answer is put together from bytes."""

import hashlib
from typing import NamedTuple

import msgspec

from provender.model.foods import FoodType, Unit, for_reading
from provender.model.nutrients import GROUPS, OPTIONAL_GROUPS, PLACES, Group
from provender.model.portions import LoggedFood

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


class _Serving(msgspec.Struct):
    id: str = msgspec.field(name="_id")
    serving_description: str
    metric_serving_amount: float


class _Per100(msgspec.Struct):
    nutrients: dict[str, float]


class _Computed(msgspec.Struct):
    computed: list[str]


_decode_core = msgspec.json.Decoder(_Core).decode
_decode_servings = msgspec.json.Decoder(list[_Serving]).decode
_decode_per_100 = msgspec.json.Decoder(_Per100).decode
_decode_computed = msgspec.json.Decoder(_Computed).decode


def list_computed(per_100: bytes) -> list[str]:
    """The nutrients that the source did not have."""
    return _decode_computed(per_100).computed


class Record(NamedTuple):
    """A food's pieces as they are kept, for whoever logs it."""

    core: bytes
    servings: bytes
    per_100: bytes

    def as_shown(self) -> LoggedFood:
        core = _decode_core(self.core + b"}")
        return self._logged(core, core.serving_description, core.metric_serving_amount)

    def as_measured(self, serving: str) -> LoggedFood | None:
        found = next((each for each in _decode_servings(self.servings) if each.id == serving), None)
        if found is None:
            return None
        return self._logged(_decode_core(self.core + b"}"), found.serving_description, found.metric_serving_amount)

    def _logged(self, core: _Core, description: str, amount: float) -> LoggedFood:
        per_100 = _decode_per_100(self.per_100).nutrients
        groups: dict[Group, dict[str, float]] = {}
        for name in sorted(per_100, key=PLACES.__getitem__):
            groups.setdefault(GROUPS[name], {})[name] = _without_noise(per_100[name] * (amount / 100))
        return LoggedFood(
            name=core.food_name,
            brand=core.brand_name,
            food_type=core.food_type,
            serving_description=description,
            serving_amount=amount,
            unit=core.metric_serving_unit,
            nutrients=groups,
            is_rounded=True,
        )


def _without_noise(value: float) -> float:
    """26.951199999999997 is 26.9512: shorter to keep, unless it would then be shown as another number."""
    short = float(f"{value:.12g}")
    return short if short == value or for_reading(short) == for_reading(value) else value
