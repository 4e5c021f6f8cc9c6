"""Eight times as much to read takes about eight times as long, also where it was made to take longer.

The bounds are wide, since a busy machine must not fail them: what is quadratic takes 64 times as long. Bodies and
queries of requests have a bound of their own, in `tests/api/test_parameters.py`.
"""

import io
import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from provender.api.documents import Document
from provender.catalogue.naming import points, tokens
from provender.importers.fdc import describe_household, judge_newest, tidy_brand
from provender.importers.fdc_json import read_json
from provender.importers.off import judge_line
from provender.importers.off_servings import read_portion, read_unit
from provender.importers.pieces import cut_lines
from provender.importers.table import read_table
from provender.importers.table_map import read_map
from provender.model.errors import ProvenderError
from provender.model.folding import fold_words
from provender.model.gtin import advise, gtin13_for_import

SMALL = 4 * 1024
TIMES = 8
MIB = 1024 * 1024
MOST = 4 * TIMES
# Less than this is quick enough, whatever it was before.
QUICK_S = 0.02

# What expressions, and whoever normalises characters, look at again and again.
UNITS = (
    " ", " -", "\t\u00a0", "a", "a ", "A ", "1", "1 ", "1.", "1,", ".", ",", "%", "1%", "(", "(a) ", ")", "-", "a-",
    "a'", "\u0301", "a\u0301", "\u0344", "\uac00", "\u1100\u1161", "\ufdfa", "1/", "| ", "| about", "no ", "not a, ",
    "a a (", "a (a", "INC ", "The ", "cup ", "0.1 ", "12345678 ", "(12345678) ", '"', "&amp;",
)  # fmt: skip


def _product(**members: Any) -> bytes:
    known = {"code": "4006381333931", "product_name": "Biscuits", "nutriments": {"energy-kcal_100g": 480}}
    return json.dumps(known | members).encode()


def _judge_foods(**members: Any) -> None:
    food = {"fdcId": 1, "dataType": "Foundation", "description": "Apple", "ndbNumber": 9003, "servingSizeUnit": "g"}
    amounts = [{"nutrient": {"id": 1008, "unitName": "kcal"}, "amount": 52.0}]
    file = json.dumps({"FoundationFoods": [food | {"servingSize": 5.0, "foodNutrients": amounts} | members]}).encode()
    list(judge_newest(read_json([file], "foods.json")))


def _judge_portion(text: str) -> None:
    portion = {"gramWeight": 5.0, "amount": 1.0, "modifier": text, "measureUnit": {"name": text}}
    _judge_foods(foodPortions=[portion])


READERS: dict[str, Callable[[str], object]] = {
    "words": fold_words,
    "tokens of a name": lambda text: tokens(text, text, text),
    "points of a name": lambda text: points(text, None, None, 3, 3),
    "barcode": advise,
    "barcode of a source": gtin13_for_import,
    "product": lambda text: judge_line(_product(product_name=text, brands=text, code=text)),
    "serving of a product": lambda text: read_portion(f"25 g {text}", None, text),
    "unit of a product": read_unit,
    "name of a food": lambda text: _judge_foods(description=text),
    "brand of a food": tidy_brand,
    "label of a food": describe_household,
    "portion of a food": _judge_portion,
}


def _cost(read: Callable[[Any], object], given: Any, tries: int) -> float:
    """The best of some, in the time of this thread: what else the machine is doing does not count."""
    costs = []
    for _ in range(tries):
        for remembering in (tidy_brand, describe_household, read_portion, read_unit):
            remembering.cache_clear()
        started = time.thread_time()
        with suppress(ProvenderError):
            read(given)
        costs.append(time.thread_time() - started)
    return min(costs)


def _grows_too_fast(read: Callable[[Any], object], small: Any, large: Any) -> str | None:
    """What looks as if it did is looked at again, more closely."""
    for tries in (1, 3):
        cost = _cost(read, large, tries)
        if cost < QUICK_S:
            return None
        before = _cost(read, small, tries)
        if cost < MOST * before:
            return None
    return f"{before * 1000:.1f} ms, then {cost * 1000:.1f} ms"


@pytest.mark.parametrize("name", READERS)
def test_texts(name: str) -> None:
    found = {}
    for unit in UNITS:
        for end in ("", "x"):
            small, large = ((unit * size)[:size] + end for size in (SMALL, TIMES * SMALL))
            if (slow := _grows_too_fast(READERS[name], small, large)) is not None:
                found[unit + end] = slow
    assert not found


def _read_document(body: bytes) -> None:
    for member in Document(lambda offset, size: body[offset : offset + size]).members():
        if member is not None and member.value is None:
            pass


def _in_chunks(body: bytes) -> Iterator[bytes]:
    """As large as an import reads them. What has no end is looked at again with each, and refused after a few."""
    return (body[at : at + MIB] for at in range(0, len(body), MIB))


TABLE = read_map(
    'source = "a"\nbasis = "100g"\n[columns]\nkey = "id"\nname = "name"\n[nutrients]\nenergy_kcal = "kcal"\n'
)

FILES: dict[str, tuple[Callable[[bytes], object], tuple[bytes, ...], tuple[bytes, ...]]] = {
    "document": (
        _read_document,
        (b'{"a": [', b'{"a": "', b"{", b'{"a": '),
        (b"[", b"{", b'{"a":1},', b'"",', b"\\", b'\\"', b" ", b"1", b'"a":1,', b'{"a":[1]},', b"]"),
    ),
    "foods": (
        lambda body: list(read_json(_in_chunks(body), "foods.json")),
        (b'{"FoundationFoods": [', b'{"FoundationFoods": [{"a": "', b"", b'{"FoundationFoods": [{"a": '),
        (b"[", b"{", b"{},", b'"{"', b"\\", b'\\"', b" ", b"null,", b"}", b'{"a":"}"},', b'{"a":{"b":[1]}},', b'"'),
    ),
    "table": (
        lambda body: list(read_table(io.BytesIO(body), TABLE)),
        (b"id,name,kcal\n",),
        (b"1,a,5\n", b",", b'"', b'""', b"\n", b"\r", b"\x00", b"\xff", b'1,"a\n'),
    ),
    # Behind the largest cell that there may be the reader goes on, so what is repeated must be no rows.
    "table with an open quote": (
        lambda body: list(read_table(io.BytesIO(body), TABLE)),
        (b'id,name,kcal\n1,"',),
        (b"a", b",", b'""', b"\n", b"\x00"),
    ),
    "lines": (lambda body: list(cut_lines(io.BytesIO(body))), (b"",), (b"\n", b"a", b"a\n")),
}


@pytest.mark.parametrize("name", FILES)
def test_files(name: str) -> None:
    read, starts, units = FILES[name]
    found = {}
    for start in starts:
        for unit in units:
            small, large = (start + (unit * size)[:size] for size in (8 * SMALL, TIMES * 8 * SMALL))
            if (slow := _grows_too_fast(read, small, large)) is not None:
                found[start, unit] = slow
    assert not found
