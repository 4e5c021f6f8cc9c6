"""The Parquet export: its lists and its short numbers. Needs the extra `parquet`, but for the first test."""

import io
import sys
from typing import Any

import pytest

from provender.importers.off_parquet import read_parquet
from provender.importers.records import Accepted, Rejected
from provender.model.foods import Serving
from provender.model.judging import Reason


def test_without_pyarrow_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install provender\[parquet\]"):
        read_parquet(io.BytesIO())


def write(*rows: dict[str, Any]) -> io.BytesIO:
    pyarrow: Any = pytest.importorskip("pyarrow", reason="pyarrow, the extra `parquet`, is not installed")
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    text, number = pyarrow.string(), pyarrow.float32()
    texts = pyarrow.list_(pyarrow.struct([("lang", text), ("text", text)]))
    nutrient = [("name", text), ("100g", number), ("serving", number), ("prepared_100g", number)]
    schema = pyarrow.schema(
        [
            ("code", text),
            ("lang", text),
            ("brands", text),
            ("product_name", texts),
            ("generic_name", texts),
            ("serving_size", text),
            ("serving_quantity", text),
            ("last_modified_t", pyarrow.int64()),
            ("no_nutrition_data", pyarrow.bool_()),
            ("nutriments", pyarrow.list_(pyarrow.struct(nutrient))),
            ("labels_tags", pyarrow.list_(text)),
        ]
    )
    file = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows, schema), file)
    file.seek(0)
    return file


def biscuits(**members: Any) -> dict[str, Any]:
    return {
        "code": "1234567890128",
        "lang": "de",
        "brands": "Acme",
        "product_name": [{"lang": "main", "text": "Haferkekse"}, {"lang": "en", "text": "Oat biscuits"}],
        "nutriments": [{"name": "energy-kcal", "100g": 450.1}, {"name": "salt", "100g": 0.01}, {"name": "nova-group"}],
        "serving_size": "2 biscuits",
        "serving_quantity": "25",
        "last_modified_t": 1700000000,
    } | members


def test_a_row_becomes_a_food() -> None:
    (outcome,) = read_parquet(write(biscuits()))
    assert isinstance(outcome, Accepted)
    food = outcome.food
    assert (food.name, food.brand, food.source_key) == ("Oat biscuits", "Acme", "1234567890128")
    # Exactly: as 32 bits these two are 450.10000610 and 0.00999999977.
    assert food.nutrients == {"energy_kcal": 450.1, "sodium_in_mg": 4.0}
    assert food.servings == [Serving("2 biscuits", 25)]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([{"lang": "main", "text": "Haferkekse"}, {"lang": "fr", "text": "Biscuits"}], "Haferkekse"),
        ([{"lang": "de", "text": "Haferkekse"}, {"lang": "fr", "text": "Biscuits"}], "Haferkekse"),
        ([{"lang": "main", "text": None}, {"lang": "en", "text": None}], "Gebäck"),
        ([], "Gebäck"),
        (None, "Gebäck"),
    ],
)
def test_names_are_found_among_the_languages(names: list[dict[str, str]] | None, expected: str) -> None:
    row = biscuits(product_name=names, generic_name=[{"lang": "main", "text": "Gebäck"}])
    (outcome,) = read_parquet(write(row))
    assert isinstance(outcome, Accepted)
    assert outcome.food.name == expected


def test_every_row_of_every_batch_has_an_outcome() -> None:
    empty: dict[str, Any] = {"code": "7"}
    outcomes = list(read_parquet(write(*[biscuits()] * 1500, empty, *[biscuits()] * 999)))
    assert len(outcomes) == 2500
    rejected = [outcome for outcome in outcomes if isinstance(outcome, Rejected)]
    assert [(outcome.reason, outcome.key) for outcome in rejected] == [(Reason.NO_NAME, "7")]
