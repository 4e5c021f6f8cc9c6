"""Reads the files of Open Food Facts as a stream: JSONL and the tab-separated export. Parquet is in `off_parquet`.

Every record gives exactly one outcome. Opening and unpacking files is not done here.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from io import BufferedIOBase
from typing import Any, BinaryIO, TypeVar

import msgspec

from provender.importers.lines import ENDLESS_LINE, EndlessLine
from provender.importers.off_nutrients import MEMBERS, Measured
from provender.importers.off_products import AggregatedSet, Nutrition, Product, judge_product
from provender.importers.records import Outcome, Rejected
from provender.model.judging import Reason

# MongoDB, where these documents live, holds none above 16 MB. A longer line is none, and must not fill the memory.
LONGEST_LINE = 16 * 1024 * 1024
_SHOWN_OF_A_LINE = 500

_Struct = TypeVar("_Struct", bound=msgspec.Struct)

_decode = msgspec.json.Decoder(Product).decode
_TEXT = str | None
# What goes wrong with a line that is not JSON, or not UTF-8, or nested deeper than anything sensible.
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


def read_jsonl(file: BinaryIO | BufferedIOBase) -> Iterator[Outcome]:
    """One product a line. Empty lines are no records."""
    for line in _read_lines(file):
        if not line.isspace():
            yield judge_line(line)


def judge_line(line: bytes) -> Outcome:
    """The one outcome of a line of JSON; apart from reading, so that lines can be shared out among processes."""
    try:
        product = _decode_line(line)
    except _UNREADABLE:
        return _reject_line(line)
    return judge_product(product)


def read_csv(file: BinaryIO | BufferedIOBase) -> Iterator[Outcome]:
    """The tab-separated export. It quotes nothing: a quotation mark is only that, and a line is a record."""
    lines = _read_lines(file)
    header = read_header(next(lines, b""))
    columns = [(at, name) for at, name in enumerate(header) if name in Product.__struct_fields__]
    nutrients = [(at, name) for at, name in enumerate(header) if name in MEMBERS]
    return _read_rows(lines, len(header), columns, nutrients)


def read_header(line: bytes) -> list[str]:
    """The names of the export's columns."""
    header = line.decode("utf-8-sig", "replace").rstrip("\r\n").split("\t")
    if "code" not in header:
        raise ValueError(
            "This is not the tab-separated export of Open Food Facts: its first line names no column `code`."
        )
    return header


def _read_lines(file: BinaryIO | BufferedIOBase) -> Iterator[bytes]:
    """Lines, the end of one that is too long left out."""
    read = partial(file.readline, LONGEST_LINE)
    number = 0
    while line := read():
        yield line
        number += 1
        if len(line) == LONGEST_LINE:
            passed = 0
            while line and not line.endswith(b"\n"):
                line = read()
                passed += len(line)
                if passed > ENDLESS_LINE:
                    raise EndlessLine(number)


def _decode_line(line: bytes) -> Product:
    try:
        product = _decode(line)
    except msgspec.ValidationError:
        product = _convert_tolerantly(msgspec.json.decode(line))
    if not (product.product_name_en or product.product_name) and product.lang:
        # A struct has no room for a member whose name is not known before; few products need it.
        name = msgspec.json.decode(line).get(f"product_name_{product.lang}")
        product.product_name = name if isinstance(name, str) else None
    return product


def convert_product(document: dict[str, Any]) -> Product:
    """A product that some other reader has put together from its members."""
    try:
        return msgspec.convert(document, Product)
    except msgspec.ValidationError:
        return _convert_tolerantly(document)


def _convert_tolerantly(document: Any) -> Product:
    """A product in which some member has a type of its own: what cannot be read is left out, and no more."""
    if not isinstance(document, dict):
        raise msgspec.ValidationError("A product is an object.")
    nutriments, nutrition = _members(document.get("nutriments")), _members(document.get("nutrition"))
    found = _members(nutrition.get("aggregated_set"))
    nutrients = {name: _convert(Measured, _members(value)) for name, value in _members(found.get("nutrients")).items()}
    if isinstance(brands := document.get("brands"), list):
        document["brands"] = next((brand for brand in brands if isinstance(brand, str)), None)
    document["nutriments"] = {name: value for name, value in nutriments.items() if type(value) in (str, int, float)}
    aggregated = _convert(AggregatedSet, found | {"nutrients": nutrients})
    document["nutrition"] = _convert(Nutrition, nutrition | {"aggregated_set": aggregated})
    return _convert(Product, document)


def _members(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _convert(kind: type[_Struct], document: dict[str, Any]) -> _Struct:
    """What can be read of a document."""
    members: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        value = document.get(field.name)
        if field.type == _TEXT and type(value) in (int, float):
            value = str(value)
        try:
            members[field.name] = msgspec.convert(value, field.type)
        except msgspec.ValidationError:
            continue
    return kind(**members)


def _read_rows(
    lines: Iterable[bytes], width: int, columns: list[tuple[int, str]], nutrients: list[tuple[int, str]]
) -> Iterator[Outcome]:
    for line in lines:
        if line in (b"\n", b"\r\n"):
            continue
        try:
            cells = line.decode().rstrip("\r\n").split("\t")
        except UnicodeDecodeError:
            yield _reject_line(line)
            continue
        if len(cells) != width:
            yield _reject_line(line)
            continue
        members: dict[str, Any] = {name: cells[at] for at, name in columns if cells[at]}
        members["nutriments"] = {name: cells[at] for at, name in nutrients if cells[at]}
        yield judge_product(Product(**members))


def _reject_line(line: bytes) -> Rejected:
    return Rejected(Reason.UNREADABLE, None, {"line": line[:_SHOWN_OF_A_LINE].decode(errors="replace")})
