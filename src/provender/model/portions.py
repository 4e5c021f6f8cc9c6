"""Foods as they are logged: in one of their servings, with the values of that serving, and how much of it was eaten."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from provender.model.decimals import Ratio, as_ratio, divide, from_billionths, times, to_billionths
from provender.model.foods import FoodType, Unit, for_reading
from provender.model.nutrients import Nutrients


@dataclass(frozen=True, slots=True)
class LoggedFood:
    """A food as it is logged: its values are for the one serving that is described, as exact as they are known."""

    name: str
    brand: str | None
    food_type: FoodType
    serving_description: str
    serving_amount: float
    unit: Unit
    nutrients: Nutrients
    # Whether its values are shown rounded. Servings are then multiples of the rounded ones: two of 105 kcal are 210.
    is_rounded: bool = False

    @property
    def shown(self) -> Nutrients:
        """The values of a serving as they are shown."""
        return round_all(self.nutrients, for_reading) if self.is_rounded else self.nutrients


class Loggable(Protocol):
    """A food that can be logged."""

    def as_shown(self) -> LoggedFood:
        """In the serving that it is shown with."""

    def as_measured(self, serving: str) -> LoggedFood | None:
        """In another of its servings, named by its id."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """How much of a food was eaten: so many servings. Where it was weighed, the weight is what is exact."""

    number_of_servings: float
    metric_amount: float | None = None

    @classmethod
    def weighing(cls, metric_amount: float, serving_amount: float) -> "Quantity":
        return cls(metric_amount / serving_amount, metric_amount)

    @property
    def is_weighed(self) -> bool:
        return self.metric_amount is not None

    def ratio(self, serving_amount: float) -> Ratio:
        """What the values of one serving are to be multiplied with."""
        if self.metric_amount is None:
            return as_ratio(self.number_of_servings)
        return divide(as_ratio(self.metric_amount), as_ratio(serving_amount))

    def weight(self, serving_amount: float) -> float:
        """What it weighs or holds, in the unit of the serving."""
        if self.metric_amount is not None:
            return self.metric_amount
        return from_billionths(times(to_billionths(serving_amount), as_ratio(self.number_of_servings)))


def for_weighing(value: float) -> float:
    """What was worked out from other units has digits without end. Seven of them are more than was measured."""
    return float(f"{value:.7g}")


def round_all(nutrients: Nutrients, rounded: Callable[[float], float]) -> Nutrients:
    return {group: {name: rounded(value) for name, value in members.items()} for group, members in nutrients.items()}


def rescale(nutrients: Nutrients, ratio: Ratio) -> Nutrients:
    """The values of another amount, exact to the billionth."""
    return {
        group: {name: from_billionths(times(to_billionths(value), ratio)) for name, value in members.items()}
        for group, members in nutrients.items()
    }
