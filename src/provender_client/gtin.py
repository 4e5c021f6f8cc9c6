"""Barcodes in any form, as the GTIN-13 that the API takes.

The rules are those of the GS1 General Specifications; section 7.10 has UPC-E.
"""

# People copy a code the way it is printed, in groups.
_SEPARATORS = str.maketrans("", "", " -")

# How f, the last of the six digits a to f of a UPC-E, spreads them over the ten in the middle of its UPC-A.
_UPC_E_LAYOUTS = {
    **dict.fromkeys("012", "{a}{b}{f}0000{c}{d}{e}"),
    "3": "{a}{b}{c}00000{d}{e}",
    "4": "{a}{b}{c}{d}00000{e}",
    **dict.fromkeys("56789", "{a}{b}{c}{d}{e}0000{f}"),
}
# Scanners leave out the number system, the check digit, or both. `?` is a check digit that is not there.
_UPC_E_FORMS = {6: ("0{}?",), 7: ("0{}", "{}?"), 8: ("{}",)}


class InvalidBarcode(ValueError):
    """These digits are no barcode, or none that has a GTIN-13. The message says why."""


def gtin(code: str) -> str:
    """The GTIN-13 of a barcode: `gtin("0 12345 67890 5")` is `"0012345678905"`.

    EAN-13, UPC-A, EAN-8, UPC-E and GTIN-14 are read, with blanks and hyphens or without, and so are codes that lost
    their leading zeros to a spreadsheet. Eight digits are an EAN-8 if their check digit is that of one.
    """
    if not isinstance(code, str):
        raise TypeError(f"A barcode is text, since a number has no zeros in front, and not {type(code).__name__}.")
    digits = code.translate(_SEPARATORS)
    # `isdecimal` alone is also true of Arabic and full-width digits, which are no barcode.
    if not (digits.isascii() and digits.isdecimal()):
        raise InvalidBarcode(f"{code!r} has something else than digits, blanks and hyphens.")
    if not 6 <= len(digits) <= 14:
        raise InvalidBarcode(f"{code!r} has {len(digits)} digits; a barcode has 6 to 14.")
    found = digits if len(digits) >= 8 and _is_right(digits) else _from_upc_e(digits)
    if found is None:
        raise InvalidBarcode(f"The last digit of {code!r} does not fit the others; one of them may be misread.")
    if len(found) == 14 and found[0] != "0":
        raise InvalidBarcode(
            f"{code!r} numbers a case of several pieces, which has no GTIN-13. Take the code of a piece."
        )
    return found.zfill(13)[-13:]


def _is_right(digits: str) -> bool:
    """Weights alternate 1, 3 from the right, so that zeros on the left change nothing; a right sum ends in 0."""
    return (sum(map(int, digits[::-2])) + 3 * sum(map(int, digits[-2::-2]))) % 10 == 0


def _from_upc_e(digits: str) -> str | None:
    """The UPC-A that a UPC-E stands for, or None where it is none."""
    for form in _UPC_E_FORMS.get(len(digits), ()):
        code = form.format(digits)
        if code[0] not in "01":
            continue
        body = code[0] + _UPC_E_LAYOUTS[code[6]].format(**dict(zip("abcdef", code[1:7], strict=True)))
        for check_digit in "0123456789" if code[7] == "?" else code[7]:
            if _is_right(body + check_digit):
                return body + check_digit
    return None
