"""Foods as they were logged, as they are kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.model.foods import FoodType, Unit
from provender.model.nutrients import Group
from provender.model.portions import LoggedFood, Quantity
from provender.model.sums import TooMuch
from provender.storage.logged_foods import StoredLoggedFood

# Around the limit of what can be counted, once it is multiplied, and far below it.
_values = st.sampled_from([0.0, 0.1234567891, 105.0, 9.99949e8, 9.9995e8, 1e9, 1e11, 9.9999999e11, 1e12, 1.1e12, 1e300])
_amounts = st.sampled_from([1e-9, 0.001, 0.5, 1.0, 1.0000001, 9.9, 10.0, 10.01, 1000.0, 1000.05, 1e5, 1e6])


@given(
    values=st.lists(_values, min_size=3, max_size=3),
    amount=_amounts,
    serving=st.sampled_from([1.0, 3.7, 100.0]),
    is_weighed=st.booleans(),
    is_rounded=st.booleans(),
)
def test_too_much_is_found_without_the_sums_exactly_where_they_would_be_too_large(
    *, values: list[float], amount: float, serving: float, is_weighed: bool, is_rounded: bool
) -> None:
    food = StoredLoggedFood.of(
        LoggedFood(
            name="Feast",
            brand=None,
            food_type=FoodType.GENERIC,
            serving_description="1 feast",
            serving_amount=serving,
            unit=Unit.GRAM,
            nutrients={
                Group.MACRO_NUTRIENTS: {"energy_kcal": values[0]},
                Group.WATER: {"water_in_gm": values[1]},
                Group.VITAMINS: {"zeal_in_g": values[2]},
            },
            is_rounded=is_rounded,
        )
    )
    quantity = Quantity.weighing(amount, serving) if is_weighed else Quantity(amount)
    try:
        food.sums(quantity)
    except TooMuch:
        with pytest.raises(TooMuch):
            food.check(quantity)
    else:
        food.check(quantity)
