"""Barcodes: what kind a code is, whether its check digit is right, and which GTIN-13 it stands for.

The API takes a GTIN-13 and nothing else; people and sources write the shorter and longer kinds, which are read here.
The rules are those of the GS1 General Specifications; section 7.10 has UPC-E.
"""

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """A kind of barcode by the name people know it by."""

    EAN_13 = "EAN-13"
    UPC_A = "UPC-A"
    EAN_8 = "EAN-8"
    UPC_E = "UPC-E"
    GTIN_14 = "GTIN-14"


class Check(StrEnum):
    """What the check digit says. It is absent where a UPC-E is written without it: nothing then speaks for the code."""

    RIGHT = "right"
    WRONG = "wrong"
    ABSENT = "absent"


class Reason(StrEnum):
    """Why a code gives no GTIN-13; the values are counted in import reports, so they are stable."""

    MISSING = "missing"
    NOT_DIGITS = "not_digits"
    WRONG_LENGTH = "wrong_length"
    WRONG_CHECK_DIGIT = "wrong_check_digit"
    # An indicator of 1 to 8 numbers a case of several pieces, and 9 one without a fixed weight; no GTIN-13 says that.
    GTIN_14_ONLY = "gtin_14_only"
    # A shop numbers these itself, so that the same code is another food in the next shop.
    IN_STORE = "in_store"


class Reading(NamedTuple):
    """One way to read a code. `upc_a` is known for UPC-A and UPC-E; `reason` says why there is no `gtin13`."""

    kind: Kind
    # In full: with the zeros that were left out, and with the check digit even where the code came without it.
    digits: str
    check: Check
    # The digit that would be right, whichever was given.
    check_digit: str
    upc_a: str | None
    gtin13: str | None
    reason: Reason | None

    @property
    def is_valid(self) -> bool:
        return self.check is not Check.WRONG


class Suggestion(NamedTuple):
    """The GTIN-13 to send instead of what was sent, and as what kind of code that was read."""

    kind: Kind
    gtin13: str
    check: Check


# What a number of digits can be, the likeliest first, and how it is written in full: `?` is a check digit left out.
_FORMS: dict[int, tuple[tuple[Kind, str], ...]] = {
    6: ((Kind.UPC_E, "0{}?"),),
    7: ((Kind.UPC_E, "0{}"), (Kind.UPC_E, "{}?")),
    # Both readings can have a right check digit. EAN-8 comes first: a UPC-A or EAN-13 that lost its leading zeros to a
    # spreadsheet gives the same GTIN-13 as an EAN-8.
    8: ((Kind.EAN_8, "{}"), (Kind.UPC_E, "{}")),
    9: ((Kind.UPC_A, "000{}"),),
    10: ((Kind.UPC_A, "00{}"),),
    11: ((Kind.UPC_A, "0{}"),),
    12: ((Kind.UPC_A, "{}"),),
    13: ((Kind.EAN_13, "{}"),),
    14: ((Kind.GTIN_14, "{}"),),
}
_LEAST_DIGITS_OF_A_SOURCE = 8
_USUAL_DIGITS = 13

# How f, the last of the six digits a to f of a UPC-E, spreads them over the ten between the number system and the check
# digit. A printer takes the first row that fits, so that 3 never goes with a c of 0 to 2, 4 with a d of 0, nor 5 to 9
# with an e of 0; but scanners read such codes and sources hold them, so they are expanded too.
_UPC_E_LAYOUTS = {
    **dict.fromkeys("012", "{a}{b}{f}0000{c}{d}{e}"),
    "3": "{a}{b}{c}00000{d}{e}",
    "4": "{a}{b}{c}{d}00000{e}",
    **dict.fromkeys("56789", "{a}{b}{c}{d}{e}0000{f}"),
}
# GS1 defines number system 0 alone; 1 is the old UPC extension, which printers and scanners still know.
_UPC_E_NUMBER_SYSTEMS = ("0", "1")

# GS1 prefixes 20 to 29; 02, which is number system 2 of UPC-A; and an EAN-8 that starts with 2: the weighed and the
# shop's own.
_IN_STORE_PREFIXES = ("2", "02", "000002")

_ZERO = ord("0")

# People copy a code the way it is printed, in groups.
_SEPARATORS = str.maketrans("", "", " -")


def check_digit(body: str) -> str:
    """The digit that completes `body`, the digits of a GTIN of any length without its check digit.

    Weights alternate 3, 1 from the right, so zeros on the left change nothing: a padded code keeps its check digit.
    """
    # An import asks this for millions of codes, and summing bytes takes a quarter of the time of reading digits.
    digits = body.encode("ascii")
    threes, ones = digits[::-2], digits[-2::-2]
    total = 3 * (sum(threes) - len(threes) * _ZERO) + sum(ones) - len(ones) * _ZERO
    return str(-total % 10)


def is_gtin13(text: str) -> bool:
    """Exactly 13 ASCII digits with a right check digit: what the API takes as a barcode."""
    return len(text) == 13 and _is_digits(text) and check_digit(text[:-1]) == text[-1]


def is_in_store(gtin13: str) -> bool:
    return gtin13.startswith(_IN_STORE_PREFIXES)


def read_all(text: str) -> list[Reading]:
    """Every way to read 6 to 14 digits, those with a wrong check digit too; none for any other text.

    Spaces and hyphens between the digits do not matter.
    """
    digits = text.translate(_SEPARATORS)
    if not _is_digits(digits):
        return []
    codes = ((kind, form.format(digits)) for kind, form in _FORMS.get(len(digits), ()))
    return [_read(kind, code) for kind, code in codes if kind is not Kind.UPC_E or code[0] in _UPC_E_NUMBER_SYSTEMS]


def read(text: str) -> list[Reading]:
    """The valid readings among all; more than one where the code can be read two ways."""
    return [reading for reading in read_all(text) if reading.is_valid]


def suggest(sent: str) -> list[Suggestion]:
    """What a caller who sent no GTIN-13 can send instead; two suggestions where the code can be read two ways."""
    return [
        Suggestion(reading.kind, reading.gtin13, reading.check)
        for reading in read(sent)
        if reading.gtin13 is not None and reading.gtin13 != sent
    ]


def advise(sent: str) -> str:
    """What to tell a caller who sent no GTIN-13: the code to send instead, where the digits can be read as another."""
    ways = [f"{way.gtin13} (read as {way.kind})" for way in suggest(sent) if way.check is Check.RIGHT]
    if ways:
        return f"A barcode is sent as a GTIN-13, 13 digits. Send {' or '.join(ways)}."
    return (
        "A barcode is sent as a GTIN-13: 13 digits with a right check digit. `provender gtin CODE` checks and converts."
    )


def gtin13_for_import(code: str) -> tuple[str | None, Reason | None]:
    """The GTIN-13 of a code as a source has it, or None and the reason.

    Nobody can be asked here which reading was meant, so the likeliest one with a right check digit counts.
    """
    # Zeros alone have a right check digit, yet they are how a source writes that it has no code.
    if not code.strip("0"):
        return None, Reason.MISSING
    if not _is_digits(code):
        return None, Reason.NOT_DIGITS
    if len(code) < _LEAST_DIGITS_OF_A_SOURCE or len(code) not in _FORMS:
        return None, Reason.WRONG_LENGTH
    if len(code) == _USUAL_DIGITS:
        # Most codes of an import, and they can be read in one way only.
        if check_digit(code[:-1]) != code[-1]:
            return None, Reason.WRONG_CHECK_DIGIT
        return (None, Reason.IN_STORE) if is_in_store(code) else (code, None)
    reading = next(iter(read(code)), None)
    if reading is None:
        return None, Reason.WRONG_CHECK_DIGIT
    if reading.gtin13 is not None and is_in_store(reading.gtin13):
        return None, Reason.IN_STORE
    return reading.gtin13, reading.reason


def _read(kind: Kind, code: str) -> Reading:
    body = _expand_upc_e(code) if kind is Kind.UPC_E else code[:-1]
    right = check_digit(body)
    if code[-1] not in ("?", right):
        return Reading(kind, code, Check.WRONG, right, None, None, Reason.WRONG_CHECK_DIGIT)
    gtin = body + right
    # Every GTIN is a GTIN-14 after padding, and the first 0 of that is the indicator of a single piece.
    indicator, gtin13 = gtin.zfill(14)[0], gtin.zfill(14)[1:]
    return Reading(
        kind,
        digits=code[:-1] + right,
        check=Check.ABSENT if code[-1] == "?" else Check.RIGHT,
        check_digit=right,
        upc_a=gtin if kind in (Kind.UPC_A, Kind.UPC_E) else None,
        gtin13=gtin13 if indicator == "0" else None,
        reason=None if indicator == "0" else Reason.GTIN_14_ONLY,
    )


def _expand_upc_e(code: str) -> str:
    """The UPC-A of a UPC-E's eight characters, without the check digit: that of a UPC-E is the one of its UPC-A."""
    number_system, digits = code[0], code[1:7]
    return number_system + _UPC_E_LAYOUTS[digits[-1]].format(**dict(zip("abcdef", digits, strict=True)))


def _is_digits(text: str) -> bool:
    """ASCII alone: `isdecimal` is also true of Arabic and full-width digits, which are no barcode."""
    return text.isascii() and text.isdecimal()
