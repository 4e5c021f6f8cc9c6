"""Barcodes: the client's own reading is the server's."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from provender.model import gtin as server
from provender_client import InvalidBarcode, gtin


def _as_the_server_reads_it(code: str) -> str | None:
    return next((reading.gtin13 for reading in server.read(code)), None)


def _right(body: str) -> str:
    return body + server.check_digit(body)


_DIGITS = st.text("0123456789", min_size=5, max_size=14)


@given(st.one_of(_DIGITS, _DIGITS.map(_right)))
@example("04252614")
@example("01234565")
@example("425261")
@example("1234565")
@example("10012345678902")
@example("00000000000000")
def test_every_code_is_read_as_the_server_reads_it(code: str) -> None:
    expected = _as_the_server_reads_it(code)
    if expected is None:
        with pytest.raises(InvalidBarcode):
            gtin(code)
    else:
        assert gtin(code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("0 12345 67890 5", "0012345678905"),
        ("4006381333931", "4006381333931"),
        ("9638-5074", "0000096385074"),
        ("04006381333931", "4006381333931"),
        ("04252614", "0042100005264"),
        ("425261", "0042100005264"),
    ],
    ids=["UPC-A", "EAN-13", "EAN-8", "GTIN-14", "UPC-E", "UPC-E of six digits"],
)
def test_every_kind_of_barcode_has_a_gtin_13(code: str, expected: str) -> None:
    assert gtin(code) == expected


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("", "something else than digits"),
        ("\u066012345678905", "something else than digits"),
        ("12345", "has 5 digits"),
        ("012345678904", "does not fit"),
        ("10012345678902", "a case of several pieces"),
    ],
)
def test_what_is_wrong_with_a_code_is_said(code: str, reason: str) -> None:
    with pytest.raises(InvalidBarcode, match=reason) as wrong:
        gtin(code)
    assert repr(code) in str(wrong.value)
    assert isinstance(wrong.value, ValueError)
