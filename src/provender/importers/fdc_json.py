"""Reads the JSON files of FoodData Central as a stream: one object with one huge array, whose elements are foods.

Memory holds one element and one chunk of the file. A food's layout, which the CSV bundle is brought into as well, is
here; what becomes of it is not.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec

from provender.importers.fdc_nutrients import find_scale
from provender.importers.opening import UnreadableInput
from provender.importers.records import Rejected
from provender.model.judging import Reason

# The largest foods of the official files have about half a megabyte. More than this is no food, and must not fill the
# memory.
LARGEST_ELEMENT = 16 * 1024 * 1024
_SHOWN_OF_AN_ELEMENT = 500
# How far braces are counted before every bracket is looked at.
_COUNTED = 64 * 1024


class Portion(msgspec.Struct):
    """A household measure: an `amount` of a `measure_unit` weighs `gram_weight`; some files only describe it."""

    gram_weight: float
    amount: float | None = None
    measure_unit: str = ""
    modifier: str = ""
    portion_description: str = ""
    seq_num: int = 0


class FdcFood(msgspec.Struct, omit_defaults=True):
    """A food as FDC has it, in FDC's words.

    `code` is the one that lasts: the NDB number, the food code of FNDDS, or the GTIN; `fdc_id` is another in every
    release. `food_nutrient` is by nutrient id, for 100 g or 100 ml, in the registry's units.
    """

    dataset: str
    fdc_id: int
    code: str
    description: str = ""
    publication_date: str = ""
    available_date: str = ""
    modified_date: str = ""
    brand_owner: str = ""
    brand_name: str = ""
    serving_size: float | None = None
    serving_size_unit: str = ""
    household_serving_fulltext: str = ""
    food_nutrient: dict[int, float] = {}
    food_portion: list[Portion] = []


class _Nutrient(msgspec.Struct, rename="camel"):
    id: int | None = None
    number: str | int | float | None = None
    unit_name: str | None = None


class _Amount(msgspec.Struct):
    nutrient: _Nutrient | None = None
    amount: float | None = None


class _MeasureUnit(msgspec.Struct):
    name: str | None = None


class _Portion(msgspec.Struct, rename="camel"):
    gram_weight: float | None = None
    amount: float | None = None
    measure_unit: _MeasureUnit | None = None
    modifier: str | None = None
    portion_description: str | None = None
    sequence_number: int | None = None


class _Food(msgspec.Struct, rename="camel"):
    """An element of the array, as far as it is read."""

    fdc_id: int = 0
    data_type: str | None = None
    description: str | None = None
    publication_date: str | None = None
    available_date: str | None = None
    modified_date: str | None = None
    ndb_number: str | int | None = None
    food_code: str | int | None = None
    gtin_upc: str | int | None = None
    brand_owner: str | None = None
    brand_name: str | None = None
    serving_size: float | None = None
    serving_size_unit: str | None = None
    household_serving_full_text: str | None = None
    food_nutrients: list[_Amount] | None = None
    food_portions: list[_Portion] | None = None


# By the food's own `dataType`, and by the name of the array it stands in.
_DATASETS = {
    "foundation": "foundation",
    "foundationfoods": "foundation",
    "sr legacy": "sr_legacy",
    "srlegacyfoods": "sr_legacy",
    "survey (fndds)": "fndds",
    "surveyfoods": "fndds",
    "branded": "usda_branded",
    "brandedfoods": "usda_branded",
}

_decode = msgspec.json.Decoder(_Food, strict=False).decode
_skip = msgspec.json.Decoder(msgspec.Raw).decode

# From where it is set to the next bracket outside of a string. It gives nothing back (`*+`), so that a string whose end
# has not been read yet is never taken for something else, and bad input costs no more time than good.
_TO_BRACKET = re.compile(rb'[^"{}\[\]]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"{}\[\]]*+)*+([{}\[\]])', re.DOTALL)


def read_json(chunks: Iterable[bytes], name: str) -> Iterator[FdcFood | Rejected]:
    """The foods of a file that comes in chunks. `name` is the file's, for the message where it cannot be read."""
    scanner = ElementScanner(name)
    for chunk in chunks:
        for array, element in scanner.feed(chunk):
            yield read_element(array, element)
    scanner.finish()


def read_element(array: str, element: bytes) -> FdcFood | Rejected:
    try:
        food = _decode(element)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        text = element[:_SHOWN_OF_AN_ELEMENT].decode(errors="replace")
        return Rejected(Reason.UNREADABLE, None, {"element": text})
    dataset = _DATASETS.get((food.data_type or "").casefold()) or _DATASETS.get(array.casefold())
    if dataset is None:
        return Rejected(Reason.NOT_A_FOOD, None, {"fdc_id": food.fdc_id, "data_type": food.data_type})
    codes = {"fndds": food.food_code, "usda_branded": food.gtin_upc}
    code = codes.get(dataset, food.ndb_number)
    return FdcFood(
        dataset=dataset,
        fdc_id=food.fdc_id,
        code="" if code is None else str(code),
        description=food.description or "",
        publication_date=food.publication_date or "",
        available_date=food.available_date or "",
        modified_date=food.modified_date or "",
        brand_owner=food.brand_owner or "",
        brand_name=food.brand_name or "",
        serving_size=food.serving_size,
        serving_size_unit=food.serving_size_unit or "",
        household_serving_fulltext=food.household_serving_full_text or "",
        food_nutrient=_scale_amounts(food.food_nutrients or ()),
        food_portion=[_read_portion(each) for each in food.food_portions or () if each.gram_weight is not None],
    )


def _scale_amounts(amounts: Iterable[_Amount]) -> dict[int, float]:
    scaled: dict[int, float] = {}
    for each in amounts:
        if each.nutrient is None or each.amount is None:
            continue
        code = each.nutrient.number if each.nutrient.id is None else each.nutrient.id
        scale = find_scale(str(code), each.nutrient.unit_name or "")
        if scale is not None:
            scaled.setdefault(scale.nutrient_id, each.amount * scale.multiplier / scale.divisor)
    return scaled


def _read_portion(portion: _Portion) -> Portion:
    return Portion(
        gram_weight=portion.gram_weight or 0.0,
        amount=portion.amount,
        measure_unit=(portion.measure_unit and portion.measure_unit.name) or "",
        modifier=portion.modifier or "",
        portion_description=portion.portion_description or "",
        seq_num=portion.sequence_number or 0,
    )


def _find_end(buffer: bytes, start: int) -> int:
    """The end of the object at `start`, or 0 where it is not found by counting braces, in a quarter of the time.

    A brace in a string spoils the count; so an end counts only if all up to it is JSON, and then there is no other.
    """
    end, balance = start, 0
    while closing := buffer.find(b"}", end, start + _COUNTED) + 1:
        balance += buffer.count(b"{", end, closing) - 1
        end = closing
        if balance <= 0:
            try:
                _skip(buffer[start:end])
            except (msgspec.DecodeError, RecursionError):
                return 0
            return end
    return 0


class ElementScanner:
    """Finds the elements of the arrays in a file's object, or of the array that the file is.

    It looks at brackets and strings only; whether an element is JSON is for its reader to find out.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        # `buffer[start:]` has not been given out yet, and `buffer[at:]` not been looked at.
        self._buffer, self._start, self._at = b"", 0, 0
        self._depth = 0
        # The array's name, and the depth of its own brackets; 0 outside of an array.
        self._array, self._inside = "", 0
        self._found = False

    def feed(self, chunk: bytes) -> Iterator[tuple[str, bytes]]:
        """The elements that end in the next chunk of the file, each with the name of its array."""
        buffer = self._buffer = self._buffer[self._start :] + chunk
        at, self._start, is_counted = self._at - self._start, 0, True
        while match := _TO_BRACKET.match(buffer, at):
            at = match.end()
            is_opening = match[1] in b"{["
            # Both brackets of a pair have the same depth.
            depth = self._depth + is_opening
            self._depth = depth if is_opening else depth - 1
            if not self._inside:
                self._look_outside(match[1], depth, buffer[self._start : match.start(1)])
                self._start = at
            elif depth > self._inside + 1:
                continue
            elif depth > self._inside and not is_opening:
                yield self._array, buffer[self._start : at]
                self._start = at
            else:
                # What stands beside the objects, such as `null`, is no food, but it is counted.
                others = buffer[self._start : match.start(1)].split(b",")
                yield from ((self._array, other) for other in others if other.strip())
                self._start = match.start(1)
                if depth == self._inside:
                    self._start, self._inside = at, 0
                elif is_counted and (end := _find_end(buffer, self._start)):
                    yield self._array, buffer[self._start : end]
                    self._start = at = end
                    self._depth = self._inside
                else:
                    # Where one count failed, others will: the rest of this chunk is looked at bracket by bracket.
                    is_counted = False
        self._at = at
        if len(buffer) - self._start > LARGEST_ELEMENT:
            raise self._refuse("a food has no end")

    def finish(self) -> None:
        """Raise where the file cannot have ended here."""
        if not self._found:
            raise self._refuse("it holds no list of foods")
        if self._depth:
            raise UnreadableInput(f"{self._name} ends in the middle. Download it again.")

    def _look_outside(self, bracket: bytes, depth: int, before: bytes) -> None:
        label = before.strip(b"\xef\xbb\xbf \t\r\n")
        if depth < 1 or (depth == 1 and bracket in b"{[" and label):
            raise self._refuse("it is no JSON")
        if bracket == b"[" and depth <= 2:
            self._array, self._inside, self._found = label.strip(b' ,:"').decode(errors="replace"), depth, True

    def _refuse(self, why: str) -> UnreadableInput:
        return UnreadableInput(f"{self._name} is no JSON file of FoodData Central: {why}.")
