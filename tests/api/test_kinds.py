"""Kinds of single values by themselves: dates, amounts and flags. Whatever comes in, a value or Unfit comes out."""

import json
import math
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker

from provender.api.kinds import Amount, Date, Flag, Kind, Unfit, Whole

EPOCH = date(1970, 1, 1)
WRITTEN = Date(earliest=date(1900, 1, 1))
KINDS: dict[str, Kind[Any]] = {"date": Date(), "written date": WRITTEN, "amount": Amount(10_000), "flag": Flag()}


def _code(kind: Kind[Any], value: object, *, from_text: bool = False) -> str:
    with pytest.raises(Unfit) as caught:
        kind.from_text(str(value)) if from_text else kind.from_json(value)
    assert caught.value.message.startswith("must be ")
    assert caught.value.message.endswith(".")
    return caught.value.code


def _unfit(read: Callable[[Any], object], value: object) -> str | None:
    """Why a value is not taken. Anything that is raised and is no Unfit fails the test by itself."""
    try:
        read(value)
    except Unfit as unfit:
        return unfit.code
    return None


@given(st.dates())
def test_every_date_is_read_from_its_form_and_from_its_days(day: date) -> None:
    days = (day - EPOCH).days
    assert Date().from_text(day.isoformat()) == Date().from_json(day.isoformat()) == day
    assert Date().from_text(str(days)) == Date().from_json(days) == day


@given(st.dates(max_value=date(1899, 12, 31)))
def test_a_date_that_is_written_may_have_an_earliest(day: date) -> None:
    assert _code(WRITTEN, day.isoformat()) == _code(WRITTEN, (day - EPOCH).days) == "out_of_range"
    assert WRITTEN.from_text("1900-01-01") == WRITTEN.from_json(-25567) == date(1900, 1, 1)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "invalid_date"),
        ("2026-2-3", "invalid_date"),
        ("2026-02-30", "invalid_date"),
        ("2025-02-29", "invalid_date"),
        ("2026-00-01", "invalid_date"),
        ("0000-01-01", "invalid_date"),
        ("10000-01-01", "invalid_date"),
        ("-2026-01-01", "invalid_date"),
        ("2026/02/03", "invalid_date"),
        ("03.02.2026", "invalid_date"),
        ("2026-W06-2", "invalid_date"),
        ("2026-034", "invalid_date"),
        ("2026-02-03T00:00:00Z", "invalid_date"),
        ("2026-02-03 ", "invalid_date"),
        ("2026-02-03\n", "invalid_date"),
        ("２０２６-02-03", "invalid_date"),  # noqa: RUF001 - These digits are the point.
        ("٢٠٢٦-٠٢-٠٣", "invalid_date"),
        ("٢٠", "invalid_date"),
        ("today", "invalid_date"),
        ("+5", "invalid_date"),
        ("5.0", "invalid_date"),
        ("1e3", "invalid_date"),
        ("--5", "invalid_date"),
        ("9" * 19, "invalid_date"),
        ("20260203", "out_of_range"),
        ("2932897", "out_of_range"),
        ("-719163", "out_of_range"),
    ],
)
def test_a_text_that_is_no_date_is_refused(text: str, code: str) -> None:
    assert _code(Date(), text, from_text=True) == code
    # In JSON a string is read as a date alone, never as a number of days.
    assert _code(Date(), text) == "invalid_date"


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (True, "wrong_type"),
        (False, "wrong_type"),
        (20_000.5, "wrong_type"),
        (math.inf, "wrong_type"),
        ([], "wrong_type"),
        ({"year": 2026}, "wrong_type"),
        ("20000", "invalid_date"),
        (20_260_203, "out_of_range"),
        (10**400, "out_of_range"),
        (-(10**400), "out_of_range"),
    ],
)
def test_a_json_value_that_is_no_date_is_refused(value: object, code: str) -> None:
    assert _code(Date(), value) == code


@pytest.mark.parametrize("days", [0, 20_000, -25_567])
def test_a_whole_number_may_be_written_with_a_point_in_json(days: int) -> None:
    """JSON has one sort of numbers, and for a schema 5.0 is an integer."""
    assert Date().from_json(float(days)) == Date().from_json(days)
    assert Whole(-30_000, 30_000).from_json(float(days)) == days
    assert isinstance(Whole(-30_000, 30_000).from_json(float(days)), int)
    assert _code(Whole(0, 5), days + 0.5) == "wrong_type"


@given(st.integers() | st.dates().map(str) | st.text("0123456789-", max_size=11))
def test_the_schema_of_a_date_says_what_is_taken(value: int | str) -> None:
    described = Draft202012Validator(WRITTEN.schema(), format_checker=FormatChecker(["date"]))
    # A schema has no bounds for dates that are strings.
    is_early = isinstance(value, str) and _unfit(WRITTEN.from_json, value) == "out_of_range"
    assert described.is_valid(value) == (is_early or _unfit(WRITTEN.from_json, value) is None)


@pytest.mark.parametrize(
    ("text", "amount"),
    [("0.25", 0.25), (".5", 0.5), ("1.333", 1.333), ("1e2", 100.0), ("1.", 1.0), ("+2", 2.0), ("10000", 10_000.0)],
)
def test_an_amount_is_read_from_text(text: str, amount: float) -> None:
    read = KINDS["amount"].from_text(text)
    assert read == amount
    assert isinstance(read, float)


@pytest.mark.parametrize("value", [1, 0.25, 10_000, 1e-9])
def test_an_amount_in_json_is_a_number(value: float) -> None:
    read = KINDS["amount"].from_json(value)
    assert read == value
    assert isinstance(read, float)


@pytest.mark.parametrize("text", ["", " 1", "1 ", "1,5", "0x10", "nan", "inf", "1_000", "½", "٣", "1e", ".", "1/2"])
def test_a_text_that_is_no_number_is_no_amount(text: str) -> None:
    assert _code(KINDS["amount"], text, from_text=True) == "wrong_type"


@pytest.mark.parametrize("value", ["1", True, None, [], {}])
def test_a_json_value_that_is_no_number_is_no_amount(value: object) -> None:
    assert _code(KINDS["amount"], value) == "wrong_type"


@pytest.mark.parametrize("value", [0, -0.0, -1, 10_000.000001, 10_001, 10**400, -(10**400), 9e-10])
def test_an_amount_is_a_billionth_at_least_and_has_a_most(value: float) -> None:
    assert _code(KINDS["amount"], value) == "out_of_range"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_an_amount_is_finite(value: float) -> None:
    assert _code(KINDS["amount"], value) == "out_of_range"


@given(
    st.integers(min_value=1, max_value=10**15 - 1),
    st.integers(min_value=-9, max_value=14),
    st.sampled_from(["plain", "exponent", "json"]),
)
def test_an_amount_of_15_digits_comes_back_as_it_was_sent(digits: int, exponent: int, form: str) -> None:
    sent = Decimal(digits).scaleb(exponent)
    kind = Amount(10**30)
    text = f"{digits}e{exponent}"
    if form == "json":
        read = kind.from_json(msgspec.json.decode(text.encode()))
    elif form == "plain" and -18 <= exponent <= 0:
        read = kind.from_text(f"{sent:f}")
    else:
        read = kind.from_text(text)
    written = msgspec.json.encode({"number_of_servings": read})
    assert json.loads(written, parse_float=Decimal, parse_int=Decimal) == {"number_of_servings": sent}


def test_a_flag_is_true_or_false() -> None:
    flag = Flag()
    assert [flag.from_text(text) for text in ("true", "1", "false", "0")] == [True, True, False, False]
    assert [flag.from_json(value) for value in (True, False)] == [True, False]


@pytest.mark.parametrize("text", ["", "True", "FALSE", "yes", "on", "2", "01", "null", " true"])
def test_another_text_is_no_flag(text: str) -> None:
    assert _code(Flag(), text, from_text=True) == "wrong_type"


@pytest.mark.parametrize("value", ["true", 1, 0, 1.0, None, []])
def test_in_json_a_flag_is_no_number_and_no_text(value: object) -> None:
    assert _code(Flag(), value) == "wrong_type"


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.parametrize("name", KINDS)
@given(text=st.text(max_size=70) | st.text("0123456789-+.eE٣T:", max_size=40), value=anything)
def test_no_input_makes_a_kind_raise_anything_but_unfit(name: str, text: str, value: object) -> None:
    kind = KINDS[name]
    _unfit(kind.from_text, text)
    if _unfit(kind.from_json, value) is None:
        Draft202012Validator(kind.schema()).validate(value)


def test_days_are_counted_from_1970() -> None:
    assert Date().from_json(0) == EPOCH
    assert Date().from_text("-1") == EPOCH - timedelta(days=1)
