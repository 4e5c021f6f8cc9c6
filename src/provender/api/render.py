"""Things as they look on the wire. Milliseconds and `_id` exist here and nowhere further in."""

from datetime import datetime
from typing import Literal

import msgspec

from provender.api.answers import Answer
from provender.model.nutrients import NUTRIENTS
from provender.model.paging import Page
from provender.model.profiles import Profile
from provender.model.times import to_ms

_encode = msgspec.json.Encoder().encode


class ProfileItem(msgspec.Struct):
    """A profile as the list shows it."""

    id: str = msgspec.field(name="_id")
    reference_id: str
    is_active: bool


class ProfileAnswer(msgspec.Struct):
    """A profile. Times are milliseconds since 1970."""

    id: str = msgspec.field(name="_id")
    reference_id: str
    is_active: bool
    created_at: int
    updated_at: int
    timezone: str | None


class ServingAnswer(msgspec.Struct):
    """A household measure of a food, and what it weighs, or holds."""

    id: str = msgspec.field(name="_id")
    serving_description: str
    metric_serving_amount: float
    metric_serving_unit: Literal["g", "ml", "oz"]


class FoodAnswer(msgspec.Struct, omit_defaults=True):
    """A food. All values are for one serving; a value that nobody measured is absent. Times are milliseconds."""

    id: str = msgspec.field(name="_id")
    food_name: str
    food_type: Literal["generic", "brand"]
    brand_name: str | None
    serving_description: str
    metric_serving_amount: int
    metric_serving_unit: Literal["g", "ml", "oz"]
    macro_nutrients: dict[str, float]
    profile_reference_id: str | None
    created_at: int
    updated_at: int
    barcode: str | msgspec.UnsetType = msgspec.UNSET
    water_in_gm: float | msgspec.UnsetType = msgspec.UNSET
    vitamins: dict[str, float] | msgspec.UnsetType = msgspec.UNSET
    minerals: dict[str, float] | msgspec.UnsetType = msgspec.UNSET
    carbohydrates: dict[str, float] | msgspec.UnsetType = msgspec.UNSET
    lipids: dict[str, float] | msgspec.UnsetType = msgspec.UNSET
    proteins: dict[str, float] | msgspec.UnsetType = msgspec.UNSET
    servings: list[ServingAnswer] | msgspec.UnsetType = msgspec.UNSET


class FoodPage(msgspec.Struct):
    """A page of a list of foods."""

    has_more: bool
    data: list[FoodAnswer]


class NutrientAnswer(msgspec.Struct):
    """A nutrient: its name in foods, the group it stands in, its unit, and what people call it."""

    name: str
    group: str
    unit: str
    title: str


class NutrientList(msgspec.Struct):
    """All nutrients."""

    data: list[NutrientAnswer]


class ProfilePage(msgspec.Struct):
    """A page of the profile list."""

    has_more: bool
    data: list[ProfileItem]


class Created(msgspec.Struct):
    """What was created."""

    id: str = msgspec.field(name="_id")
    created: bool


class Deleted(msgspec.Struct):
    """What was deleted."""

    id: str = msgspec.field(name="_id")
    deleted: bool


def profile(item: Profile, now: datetime, status: int = 200) -> Answer:
    answer = ProfileAnswer(
        item.id,
        item.reference_id,
        item.is_active(now),
        to_ms(item.created_at),
        to_ms(item.updated_at),
        item.timezone,
    )
    return Answer(_encode(answer), status)


def profile_page(page: Page[Profile], now: datetime) -> Answer:
    data = [ProfileItem(item.id, item.reference_id, item.is_active(now)) for item in page.items]
    return Answer(_encode(ProfilePage(page.has_more, data)))


def food_page(page: Page[bytes]) -> Answer:
    """Foods come as the bytes they are kept as, and are copied once: into the answer."""
    parts = [b'{"has_more":true,"data":[' if page.has_more else b'{"has_more":false,"data":[']
    for item in page.items:
        parts += (item, b",")
    if page.items:
        # Behind the last one is no comma.
        parts.pop()
    parts.append(b"]}")
    return Answer(b"".join(parts))


def nutrients() -> NutrientList:
    return NutrientList([NutrientAnswer(n.name, n.group.value, n.unit, n.title) for n in NUTRIENTS.values()])


def created(id_: str, status: int = 201) -> Answer:
    return Answer(_encode(Created(id_, created=True)), status)


def deleted(id_: str) -> Answer:
    return Answer(_encode(Deleted(id_, deleted=True)))
