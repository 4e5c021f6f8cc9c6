"""Exact arithmetic with decimals: values as whole billionths.

Floats would not do: 0.1 + 0.2 is not 0.3 with them, and a sum from which everything has been taken away again is not
always nothing.
"""

from decimal import Decimal

BILLION = 10**9

# A factor, as a whole number above another.
Ratio = tuple[int, int]

# Up to here a float times a billion is exact to the unit.
_LARGEST_QUICK = 1e6

# Beyond it a float is no longer every whole number, and written out it would be no more exact, only longer.
_LARGEST_WHOLE = 2**53


def to_billionths(value: float) -> int:
    if value < _LARGEST_QUICK:
        return round(value * BILLION)
    return int(Decimal(repr(float(value))).scaleb(9).to_integral_value())


def from_billionths(value: int) -> float:
    """The number as it is shown: a whole number is written as one."""
    whole, rest = divmod(value, BILLION)
    return value / BILLION if rest or whole > _LARGEST_WHOLE else whole


def as_ratio(value: float) -> Ratio:
    """The decimal that the float is written as: 0.1 is a tenth, not the binary fraction next to it."""
    return Decimal(repr(float(value))).as_integer_ratio()


def divide(above: Ratio, below: Ratio) -> Ratio:
    return above[0] * below[1], above[1] * below[0]


def times(billionths: int, ratio: Ratio) -> int:
    """Half a billionth is rounded up."""
    above, below = ratio
    return billionths * above if below == 1 else (2 * billionths * above + below) // (2 * below)
