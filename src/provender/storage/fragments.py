"""Custom foods as JSON: the groups of nutrients as they are kept, and answers put together from them.

The shape is that of the catalogue's foods; see `catalogue/fragments.py`.
"""

from typing import NamedTuple, Self

import msgspec
from msgspec import UNSET, Raw, UnsetType

from provender.model.custom_foods import CustomFood, servings
from provender.model.foods import FoodType, Unit, serving_id
from provender.model.times import from_ms, to_ms
from provender.storage.groups import Groups, as_sent

_encode = msgspec.json.Encoder().encode


class _Body(msgspec.Struct, kw_only=True):
    """A food as it is answered, its members in the order of the catalogue's."""

    id: str = msgspec.field(name="_id")
    food_name: str
    food_type: str
    brand_name: str | None
    serving_description: str
    metric_serving_amount: int
    metric_serving_unit: str
    macro_nutrients: Raw
    water_in_gm: float | UnsetType
    profile_reference_id: str
    barcode: str | UnsetType
    created_at: int
    updated_at: int
    vitamins: Raw | UnsetType
    minerals: Raw | UnsetType
    carbohydrates: Raw | UnsetType
    lipids: Raw | UnsetType
    proteins: Raw | UnsetType
    servings: Raw | UnsetType


class StoredFood(NamedTuple):
    """A custom food as it is kept, and whose it is. The names are those of the columns."""

    id: str
    reference_id: str
    food_name: str
    brand_name: str | None
    food_type: str
    serving_description: str
    metric_serving_amount: int
    metric_serving_unit: str
    barcode: str | None
    macro_nutrients: bytes
    water_in_gm: float | None
    vitamins: bytes
    minerals: bytes
    carbohydrates: bytes
    lipids: bytes
    proteins: bytes
    created_at: int
    updated_at: int

    @classmethod
    def of(cls, food: CustomFood, reference_id: str) -> Self:
        return cls(
            id=food.id,
            reference_id=reference_id,
            food_name=food.name,
            brand_name=food.brand,
            food_type=food.food_type.value,
            serving_description=food.serving_description,
            metric_serving_amount=food.serving_amount,
            metric_serving_unit=food.unit.value,
            barcode=food.barcode,
            **Groups.of(food.nutrients)._asdict(),
            created_at=to_ms(food.created_at),
            updated_at=to_ms(food.updated_at),
        )

    def body(self, include: frozenset[str]) -> bytes:
        """The food as it is answered, with the groups, and the servings, that are asked for."""

        def added(name: str, piece: bytes) -> Raw | UnsetType:
            return Raw(piece) if name in include else UNSET

        return _encode(
            _Body(
                id=self.id,
                food_name=self.food_name,
                food_type=self.food_type,
                brand_name=self.brand_name,
                serving_description=self.serving_description,
                metric_serving_amount=self.metric_serving_amount,
                metric_serving_unit=self.metric_serving_unit,
                macro_nutrients=Raw(self.macro_nutrients),
                water_in_gm=UNSET if self.water_in_gm is None else as_sent(self.water_in_gm),
                profile_reference_id=self.reference_id,
                barcode=UNSET if self.barcode is None else self.barcode,
                created_at=self.created_at,
                updated_at=self.updated_at,
                vitamins=added("vitamins", self.vitamins),
                minerals=added("minerals", self.minerals),
                carbohydrates=added("carbohydrates", self.carbohydrates),
                lipids=added("lipids", self.lipids),
                proteins=added("proteins", self.proteins),
                servings=Raw(self._servings()) if "servings" in include else UNSET,
            )
        )

    def food(self) -> CustomFood:
        """The food itself, for whoever changes it or works with its values."""
        return CustomFood(
            id=self.id,
            name=self.food_name,
            brand=self.brand_name,
            food_type=FoodType(self.food_type),
            serving_description=self.serving_description,
            serving_amount=self.metric_serving_amount,
            unit=Unit(self.metric_serving_unit),
            nutrients=Groups(*(getattr(self, name) for name in Groups._fields)).nutrients(),
            barcode=self.barcode,
            created_at=from_ms(self.created_at),
            updated_at=from_ms(self.updated_at),
        )

    def _servings(self) -> bytes:
        found = servings(self.serving_description, self.metric_serving_amount, Unit(self.metric_serving_unit))
        return _encode(
            [
                {
                    "_id": serving_id(self.id, description),
                    "serving_description": description,
                    "metric_serving_amount": amount,
                    "metric_serving_unit": self.metric_serving_unit,
                }
                for description, amount in found.items()
            ]
        )
