"""What a custom food is: a food that one profile made for itself, with its values for one serving as they were sent."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypedDict, Unpack

from provender.model.errors import Fault, InvalidParameters
from provender.model.folding import fold_words
from provender.model.foods import FoodType, Unit, serving_id
from provender.model.nutrients import PLACES, Group, Nutrients
from provender.model.portions import LoggedFood, rescale

# A custom food may carry nutrients of any name, but not without end.
MEMBERS_MAX = 100

# What is sent of a group: null for a member that is not known, and in a change null for the whole group.
SentNutrients = Mapping[Group, Mapping[str, float | None] | None]


# Where a unit can be counted by hundreds, 100 of it are a serving too, as they are of every food of the catalogue.
_HUNDREDS = (Unit.GRAM, Unit.MILLILITRE)


class Details(TypedDict, total=False):
    """What a change may name besides nutrients; what it does not name stays."""

    name: str
    brand: str | None
    food_type: FoodType
    serving_description: str
    serving_amount: int
    unit: Unit
    barcode: str | None


@dataclass(frozen=True, slots=True)
class CustomFood:
    id: str
    name: str
    brand: str | None
    food_type: FoodType
    serving_description: str
    serving_amount: int
    unit: Unit
    nutrients: Nutrients
    barcode: str | None
    created_at: datetime
    updated_at: datetime

    @property
    def words(self) -> frozenset[str]:
        """What search finds it by."""
        return frozenset(fold_words(f"{self.name} {self.brand or ''}"))

    def as_shown(self) -> LoggedFood:
        return LoggedFood(
            name=self.name,
            brand=self.brand,
            food_type=self.food_type,
            serving_description=self.serving_description,
            serving_amount=self.serving_amount,
            unit=self.unit,
            nutrients=self.nutrients,
        )

    def as_measured(self, serving: str) -> LoggedFood | None:
        for description, amount in servings(self.serving_description, self.serving_amount, self.unit).items():
            if serving_id(self.id, description) == serving:
                return replace(
                    self.as_shown(),
                    serving_description=description,
                    serving_amount=amount,
                    nutrients=rescale(self.nutrients, (amount, self.serving_amount)),
                )
        return None

    def changed(self, nutrients: SentNutrients, now: datetime, **details: Unpack[Details]) -> "CustomFood":
        """The food after a change, or the faults that it would have. A change to what it is already is none."""
        changed = replace(self, **details, nutrients=merge(self.nutrients, nutrients))
        faults = [*brand_faults(changed.food_type, changed.brand), *_group_faults(changed.nutrients)]
        if faults:
            raise InvalidParameters(faults)
        return self if changed == self else replace(changed, updated_at=now)


def servings(description: str, amount: int, unit: Unit) -> dict[str, int]:
    """The servings of a custom food: its own, and a hundred of its unit."""
    found = {description: amount}
    if unit in _HUNDREDS:
        found.setdefault(f"100 {unit.value}", 100)
    return found


def merge(known: Nutrients, sent: SentNutrients) -> Nutrients:
    """Put what was sent over what is known, member by member, as a JSON merge patch (RFC 7396) does.

    A member that is null becomes unknown; a group that is null becomes empty.
    """
    merged = dict(known)
    for group, members in sent.items():
        before: Mapping[str, float | None] = {} if members is None else {**merged.get(group, {}), **members}
        kept = {name: value for name, value in before.items() if value is not None}
        merged[group] = {name: kept[name] for name in sorted(kept, key=_place)}
    return merged


def brand_faults(food_type: FoodType, brand: str | None) -> Iterator[Fault]:
    """A brand food names its brand, and a generic one has none."""
    if food_type is FoodType.BRAND and brand is None:
        yield Fault("brand_name", "required", "is required where food_type is brand.")
    elif food_type is FoodType.GENERIC and brand is not None:
        yield Fault(
            "brand_name",
            "not_combinable",
            "goes with food_type brand only. Set that too, or leave brand_name out, or null.",
        )


def _group_faults(nutrients: Nutrients) -> Iterator[Fault]:
    for group, members in nutrients.items():
        if len(members) > MEMBERS_MAX:
            yield Fault(group.value, "too_many", f"would have {len(members)} members; {MEMBERS_MAX} is the most.")


def _place(name: str) -> int:
    """Nutrients of the registry come in its order, and those of other names after them, as they were sent."""
    return PLACES.get(name, len(PLACES))
