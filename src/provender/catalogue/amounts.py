"""Amounts in queries: "2 eggs" asks for eggs, and "cup of tea" for tea. The units are those of `data/forms.txt`."""

import re
from functools import cache

from provender.catalogue.forms import read_forms
from provender.catalogue.language import fold_telling, singular

_FRACTION = r"(?:\d{1,4}\s?)?[¼½¾⅓⅔⅛⅜⅝⅞]|(?P<over>\d{1,2})\s?[/\u2044]\s?(?P<under>\d{1,2})"
_NUMBER = r"\d{1,4}(?:[.,]\d{1,3})?"
_ONE = "1"


def leave_out_amount(query: str) -> str | None:
    """A query without the amount that it begins with; None where it begins with none, or says nothing else.

    A number without a unit counts the food that follows: from two on it is in the plural, while "5 spice" and
    "4 cheese pizza" are names. "80/20" is more than one, and no part of anything.
    """
    found = _amount().match(query)
    if found is None or (found["under"] and int(found["over"]) >= int(found["under"])):
        return None
    rest = query[found.end() :]
    words = fold_telling(rest)
    counts_several = found["count"] not in (None, _ONE)
    if not words or (counts_several and all(singular(word) == word for word in words)):
        return None
    return rest


@cache
def _amount() -> re.Pattern[str]:
    units = "|".join(map(re.escape, sorted(read_forms().units, key=lambda unit: (-len(unit), unit))))
    unit = rf"(?:{units})(?:e?s)?\b\.?"
    return re.compile(
        rf"""
            \s* (?:
                (?:{_FRACTION}) (?:\s*{unit}(?:\s+of\b)?)?
                | {_NUMBER}\s*{unit}(?:\s+of\b)?
                | (?:an?\s+)?{unit}\s+of\b
                | (?P<count>{_NUMBER})
            ) \s+
        """,
        re.IGNORECASE | re.VERBOSE,
    )
