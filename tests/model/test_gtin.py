"""Barcodes: kinds, check digits, and the GTIN-13 that each stands for."""

import csv
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from provender.model.gtin import (
    Check,
    Kind,
    Reading,
    Reason,
    Suggestion,
    check_digit,
    gtin13_for_import,
    is_gtin13,
    is_in_store,
    read,
    read_all,
    suggest,
)

VECTORS = Path(__file__).parents[2].parent / "shared" / "data" / "gtin" / "vectors.tsv"


def digits(length: int) -> st.SearchStrategy[str]:
    return st.text(alphabet="0123456789", min_size=length, max_size=length)


# GTIN-8, -12, -13 and -14 without their check digits, and with them.
bodies = st.sampled_from([7, 11, 12, 13]).flatmap(digits)
gtins = bodies.map(lambda body: body + check_digit(body))


# --- Check digits


@pytest.mark.parametrize(
    "code",
    # The first is GS1's own worked example of the calculation: the sum is 57, so 3.
    ["6291041500213", "4006381333931", "5000159461122", "036000291452", "96385074", "73513537", "10614141000415"],
)
def test_published_codes_have_the_check_digit_of_the_calculation(code: str) -> None:
    assert check_digit(code[:-1]) == code[-1]


@given(bodies, st.integers(0, 6))
def test_a_padded_gtin_keeps_its_check_digit(body: str, zeros: int) -> None:
    assert check_digit("0" * zeros + body) == check_digit(body)


@given(gtins, st.data())
def test_one_wrong_digit_is_always_noticed(gtin: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(gtin) - 1))
    other = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != gtin[place]]))
    changed = gtin[:place] + other + gtin[place + 1 :]
    assert check_digit(changed[:-1]) != changed[-1]


@given(gtins, st.data())
def test_swapped_neighbours_are_noticed_unless_they_differ_by_0_or_5(gtin: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(gtin) - 2))
    left, right = gtin[place], gtin[place + 1]
    swapped = gtin[:place] + right + left + gtin[place + 2 :]
    # A swap changes the weighted sum by twice the difference, which is a multiple of 10 in just these cases.
    unnoticed = (int(left) - int(right)) % 5 == 0
    assert (check_digit(swapped[:-1]) == swapped[-1]) == unnoticed


# --- The API's strict check


def test_thirteen_digits_with_a_right_check_digit_are_a_gtin13() -> None:
    assert is_gtin13("4006381333931")
    assert is_gtin13("0036000291452")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4006381333932",
        "036000291452",
        "04006381333931",
        " 4006381333931",
        "4006381333931\n",
        "4-006381-333931",
        "+400638133393",
        "400638133393I",
        "４００６３８１３３３９３１",  # noqa: RUF001 - Full-width digits, which `int` would read.
        "٤٠٠٦٣٨١٣٣٣٩٣١",
    ],
)
def test_nothing_else_is_a_gtin13(text: str) -> None:
    assert not is_gtin13(text)


@given(digits(13))
def test_one_in_ten_of_13_digits_is_a_gtin13(code: str) -> None:
    assert [is_gtin13(code[:-1] + last) for last in "0123456789"].count(True) == 1


# --- Readings


def test_a_upc_a_is_read_with_its_gtin13() -> None:
    assert read("036000291452") == [
        Reading(Kind.UPC_A, "036000291452", Check.RIGHT, "2", upc_a="036000291452", gtin13="0036000291452", reason=None)
    ]


@pytest.mark.parametrize(
    ("code", "kind", "gtin13"),
    [
        ("4006381333931", Kind.EAN_13, "4006381333931"),
        ("96385074", Kind.EAN_8, "0000096385074"),
        ("06543217", Kind.UPC_E, "0065100004327"),
        ("04006381333931", Kind.GTIN_14, "4006381333931"),
        ("00036000291452", Kind.GTIN_14, "0036000291452"),
        ("36000291452", Kind.UPC_A, "0036000291452"),
    ],
)
def test_each_kind_is_known_by_its_length_and_check_digit(code: str, kind: Kind, gtin13: str) -> None:
    assert [(reading.kind, reading.gtin13) for reading in read(code)] == [(kind, gtin13)]


@pytest.mark.parametrize("code", ["4 006381 333931", "4-006381-333931", " 4006381333931 "])
def test_people_may_type_spaces_and_hyphens(code: str) -> None:
    assert read(code) == read("4006381333931") != []


@pytest.mark.parametrize("text", ["", "-", "12345", "123456789012345", "40063813x3931", "４００６３８１３３３９３１"])  # noqa: RUF001
def test_other_text_has_no_reading(text: str) -> None:
    assert read_all(text) == []


def test_a_wrong_check_digit_is_told_with_the_right_one() -> None:
    (reading,) = read_all("4006381333932")
    assert (reading.kind, reading.check, reading.check_digit) == (Kind.EAN_13, Check.WRONG, "1")
    assert (reading.is_valid, reading.gtin13, reading.reason) == (False, None, Reason.WRONG_CHECK_DIGIT)
    assert read("4006381333932") == []


@pytest.mark.parametrize("indicator", "123456789")
def test_a_gtin14_with_an_indicator_is_valid_and_has_no_gtin13(indicator: str) -> None:
    body = f"{indicator}061414100041"
    (reading,) = read(body + check_digit(body))
    assert (reading.kind, reading.gtin13, reading.reason) == (Kind.GTIN_14, None, Reason.GTIN_14_ONLY)


@given(digits(12))
def test_every_gtin13_is_read_as_itself(body: str) -> None:
    gtin13 = body + check_digit(body)
    assert [reading.gtin13 for reading in read(gtin13)] == [gtin13]
    assert [reading.gtin13 for reading in read("0" + gtin13)] == [gtin13]


@given(digits(11))
def test_a_upc_a_comes_back_from_its_gtin13(body: str) -> None:
    upc_a = body + check_digit(body)
    (reading,) = read(upc_a)
    assert reading.gtin13 is not None
    assert reading.gtin13[1:] == reading.upc_a == upc_a


@given(st.one_of(st.text(), st.text(alphabet="0123456789 -", max_size=20), st.integers(0, 10**15).map(str)))
def test_no_text_raises_and_every_gtin13_offered_is_one(text: str) -> None:
    readings = read_all(text)
    imported, reason = gtin13_for_import(text)
    offered = [reading.gtin13 for reading in readings] + [found.gtin13 for found in suggest(text)] + [imported]
    assert all(is_gtin13(gtin13) for gtin13 in offered if gtin13 is not None)
    assert all((reading.gtin13 is None) == (reading.reason is not None) for reading in readings)
    assert (imported is None) == (reason is not None)


# --- UPC-E


@pytest.mark.parametrize(
    ("upc_e", "upc_a"),
    [
        # One for each way in which zeros are left out, and then codes of real products.
        ("01234505", "012000003455"),
        ("01234531", "012300000451"),
        ("01234543", "012340000053"),
        ("01234558", "012345000058"),
        ("04252614", "042100005264"),
        ("04940308", "049000004038"),
        ("06543217", "065100004327"),
    ],
)
def test_a_published_upc_e_expands_to_its_upc_a_however_it_is_written(upc_e: str, upc_a: str) -> None:
    whole = [reading for reading in read(upc_e) if reading.kind is Kind.UPC_E]
    assert [(reading.upc_a, reading.gtin13, reading.check) for reading in whole] == [(upc_a, f"0{upc_a}", Check.RIGHT)]
    # Six digits are the number system 0 without a check digit; seven leave out the one or the other.
    (six,) = read(upc_e[1:7])
    assert (six.digits, six.upc_a, six.check) == (upc_e, upc_a, Check.ABSENT)
    assert whole[0] in read(upc_e[1:])
    assert six in read(upc_e[:7])


def test_number_system_1_expands_too() -> None:
    assert [reading.upc_a for reading in read("1425261")] == ["142100005261"]


@pytest.mark.parametrize("code", ["01234515", "01234535", "21234565"])
def test_a_upc_e_with_a_wrong_check_digit_or_number_system_is_not_valid(code: str) -> None:
    assert read(code) == []


# The printer's direction, a row for each way to leave out zeros: the maker's numbers and the item's numbers that it is
# for, and the six digits. It is written from the two numbers, apart from the table by which codes are read.
shortened = st.one_of(
    st.tuples(st.integers(0, 99), st.integers(0, 2), st.integers(0, 999)).map(
        lambda n: (n[0] * 1000 + n[1] * 100, n[2], f"{n[0]:02}{n[2]:03}{n[1]}")
    ),
    st.tuples(st.integers(0, 999).filter(lambda maker: maker % 10 > 2), st.integers(0, 99)).map(
        lambda n: (n[0] * 100, n[1], f"{n[0]:03}{n[1]:02}3")
    ),
    st.tuples(st.integers(0, 9999).filter(lambda maker: maker % 10 > 0), st.integers(0, 9)).map(
        lambda n: (n[0] * 10, n[1], f"{n[0]:04}{n[1]}4")
    ),
    st.tuples(st.integers(0, 99_999).filter(lambda maker: maker % 10 > 0), st.integers(5, 9)).map(
        lambda n: (n[0], n[1], f"{n[0]:05}{n[1]}")
    ),
)


@given(st.sampled_from("01"), shortened)
def test_every_upc_a_whose_zeros_can_be_left_out_comes_back(number_system: str, numbers: tuple[int, int, str]) -> None:
    maker, item, short = numbers
    body = f"{number_system}{maker:05}{item:05}"
    upc_a = body + check_digit(body)
    upc_e = f"{number_system}{short}{upc_a[-1]}"
    assert [reading.upc_a for reading in read(upc_e) if reading.kind is Kind.UPC_E] == [upc_a]


# --- Codes that can be read two ways


def test_eight_digits_can_be_valid_both_as_ean_8_and_as_upc_e() -> None:
    assert [(reading.kind, reading.gtin13) for reading in read("01234565")] == [
        (Kind.EAN_8, "0000001234565"),
        (Kind.UPC_E, "0012345000065"),
    ]


def test_seven_digits_can_lack_the_number_system_or_the_check_digit() -> None:
    assert [(reading.digits, reading.check) for reading in read("1234565")] == [
        ("01234565", Check.RIGHT),
        ("12345656", Check.ABSENT),
    ]


# --- What the API suggests


@pytest.mark.parametrize(
    ("sent", "suggestions"),
    [
        ("036000291452", [(Kind.UPC_A, "0036000291452", Check.RIGHT)]),
        ("36000291452", [(Kind.UPC_A, "0036000291452", Check.RIGHT)]),
        ("96385074", [(Kind.EAN_8, "0000096385074", Check.RIGHT)]),
        ("04252614", [(Kind.UPC_E, "0042100005264", Check.RIGHT)]),
        ("425261", [(Kind.UPC_E, "0042100005264", Check.ABSENT)]),
        ("04006381333931", [(Kind.GTIN_14, "4006381333931", Check.RIGHT)]),
        ("4-006381-333931", [(Kind.EAN_13, "4006381333931", Check.RIGHT)]),
        ("01234565", [(Kind.EAN_8, "0000001234565", Check.RIGHT), (Kind.UPC_E, "0012345000065", Check.RIGHT)]),
        ("10614141000415", []),
        ("036000291453", []),
        ("4006381333932", []),
        ("4006381333931", []),
        ("apple", []),
    ],
)
def test_another_kind_of_code_is_answered_with_the_gtin13_to_send(
    sent: str, suggestions: list[tuple[Kind, str, Check]]
) -> None:
    assert suggest(sent) == [Suggestion(*suggestion) for suggestion in suggestions]


# --- What an import keeps


@pytest.mark.parametrize(
    ("code", "gtin13"),
    [
        ("4006381333931", "4006381333931"),
        ("036000291452", "0036000291452"),
        ("96385074", "0000096385074"),
        ("00036000291452", "0036000291452"),
        ("04006381333931", "4006381333931"),
    ],
)
def test_an_import_pads_short_codes_and_strips_the_indicator_0(code: str, gtin13: str) -> None:
    assert gtin13_for_import(code) == (gtin13, None)


def test_an_import_expands_a_upc_e_only_where_it_is_no_ean_8() -> None:
    assert gtin13_for_import("04252614") == ("0042100005264", None)
    assert gtin13_for_import("01234565") == ("0000001234565", None)


@given(st.integers(7, 12).flatmap(lambda length: st.integers(10 ** (length - 1), 10**length - 1)))
def test_an_import_finds_the_gtin13_of_a_code_that_lost_its_leading_zeros(body: int) -> None:
    code = f"{body}{check_digit(str(body))}"
    assume(not is_in_store(code.zfill(13)))
    assert gtin13_for_import(code) == (code.zfill(13), None)


@pytest.mark.parametrize(
    "code", ["2012345678903", "2912345678906", "212345678992", "0212345678992", "02012345678903", "00212345678992"]
)
def test_an_import_keeps_no_code_that_a_shop_numbers_itself(code: str) -> None:
    assert check_digit(code[:-1]) == code[-1]
    assert gtin13_for_import(code) == (None, Reason.IN_STORE)


@pytest.mark.parametrize(
    "code",
    ["4006381333932", "036000291453", "36000291453", "96385075", "01234515", "04006381333932", "10614141000416"],
)
def test_an_import_keeps_no_code_with_a_wrong_check_digit(code: str) -> None:
    assert gtin13_for_import(code) == (None, Reason.WRONG_CHECK_DIGIT)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("", Reason.MISSING),
        ("0000000000000", Reason.MISSING),
        ("N/A", Reason.NOT_DIGITS),
        ("4-006381-333931", Reason.NOT_DIGITS),
        ("٤٠٠٦٣٨١٣٣٣٩٣١", Reason.NOT_DIGITS),
        ("4252614", Reason.WRONG_LENGTH),
        ("004006381333931", Reason.WRONG_LENGTH),
        ("10614141000415", Reason.GTIN_14_ONLY),
    ],
)
def test_an_import_says_why_it_keeps_no_code(code: str, reason: Reason) -> None:
    assert gtin13_for_import(code) == (None, reason)


# --- The shared vectors


@pytest.fixture(scope="module")
def vectors() -> list[dict[str, str]]:
    if not VECTORS.exists():
        pytest.skip(f"the barcode vectors are not beside this checkout: {VECTORS}")
    with VECTORS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


# The kind as which a row is read to give its UPC-A and GTIN-13.
ROW_KINDS = {
    "EAN-13": Kind.EAN_13,
    "EAN-8": Kind.EAN_8,
    "UPC-A": Kind.UPC_A,
    "UPC-E": Kind.UPC_E,
    "real UPC-E only": Kind.UPC_E,
    "real UPC-E & UPC-A both in OFF": Kind.UPC_E,
    "AMBIGUOUS EAN-8/UPC-E": Kind.UPC_E,
}
# All kinds as which a row is valid. The other rows of UPC-E do not say it: 45 of them are also right as EAN-8.
ALL_KINDS = {
    "EAN-13": [Kind.EAN_13],
    "EAN-8": [Kind.EAN_8],
    "UPC-A": [Kind.UPC_A],
    "real UPC-E only": [Kind.UPC_E],
    "AMBIGUOUS EAN-8/UPC-E": [Kind.EAN_8, Kind.UPC_E],
}


def test_the_867_vectors_have_the_kind_upc_a_and_gtin13_they_say(vectors: list[dict[str, str]]) -> None:
    assert len(vectors) == 867
    for row in vectors:
        readings = {reading.kind: reading for reading in read(row["input"])}
        if row["kind"] == "invalid-UPC-E":
            assert Kind.UPC_E not in readings, row
            continue
        reading = readings[ROW_KINDS[row["kind"]]]
        assert (reading.upc_a or "", reading.gtin13) == (row["upc_a"], row["gtin13"]), row
        assert list(readings) == ALL_KINDS.get(row["kind"], list(readings)), row


def test_the_vectors_are_imported_as_upc_e_where_that_alone_is_valid(vectors: list[dict[str, str]]) -> None:
    outcomes: Counter[str] = Counter()
    for row in vectors:
        code = row["input"]
        gtin13, reason = gtin13_for_import(code)
        kinds = [reading.kind for reading in read(code)]
        if not kinds:
            assert reason is Reason.WRONG_CHECK_DIGIT, row
        elif Kind.EAN_8 in kinds:
            expected = (None, Reason.IN_STORE) if code.startswith("2") else (f"00000{code}", None)
            assert (gtin13, reason) == expected, row
        else:
            assert gtin13 == row["gtin13"], row
        outcomes[" or ".join(kinds) or "invalid"] += 1
    assert outcomes == {"EAN-8 or UPC-E": 345, "UPC-E": 510, "EAN-8": 4, "UPC-A": 2, "EAN-13": 3, "invalid": 3}
