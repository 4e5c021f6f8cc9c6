"""Exact arithmetic with decimals."""

from decimal import ROUND_HALF_UP, Decimal

from hypothesis import given
from hypothesis import strategies as st

from provender.model.decimals import as_ratio, divide, from_billionths, times, to_billionths
from provender.model.portions import Quantity

# What people send: up to nine places after the point, up to 15 digits in all.
decimals = st.decimals(min_value=0, max_value=10**6, places=9, allow_nan=False, allow_infinity=False)


@given(decimals)
def test_what_is_sent_comes_back(value: Decimal) -> None:
    assert from_billionths(to_billionths(float(value))) == float(value)


@given(st.floats(min_value=0, max_value=1e300))
def test_billionths_are_those_of_the_decimal_that_a_float_is_written_as(value: float) -> None:
    exact = Decimal(repr(value)).scaleb(9)
    assert abs(to_billionths(value) - exact) <= Decimal("0.51")


@given(decimals, decimals)
def test_a_product_is_the_product_of_the_decimals_to_the_billionth(value: Decimal, number: Decimal) -> None:
    expected = (value * number).quantize(Decimal("1e-9"), ROUND_HALF_UP)
    found = times(to_billionths(float(value)), as_ratio(float(number)))
    assert Decimal(found).scaleb(-9) == expected


def test_a_tenth_is_a_tenth() -> None:
    assert as_ratio(0.1) == (1, 10)
    assert divide(as_ratio(0.3), as_ratio(0.1)) == (30, 10)
    assert from_billionths(3 * to_billionths(0.1)) == 0.3


def test_whole_numbers_are_shown_as_such() -> None:
    assert repr(from_billionths(210 * 10**9)) == "210"
    assert repr(from_billionths(to_billionths(0.25))) == "0.25"


@given(st.floats(min_value=1e-3, max_value=1e6), st.integers(1, 10**6))
def test_what_was_weighed_weighs_what_was_sent(metric_amount: float, serving_amount: int) -> None:
    quantity = Quantity.weighing(metric_amount, serving_amount)
    assert quantity.weight(serving_amount) == metric_amount
    # A food whose only value is its weight has that weight again.
    weight = times(to_billionths(serving_amount), quantity.ratio(serving_amount))
    assert abs(weight - to_billionths(metric_amount)) <= 1
