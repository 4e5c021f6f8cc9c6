"""Reads the Parquet export of Open Food Facts, by columns: rows of nested lists would take a hundred times as long."""

from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from typing import Any

from provender.importers.off import convert_product
from provender.importers.off_nutrients import MEMBERS
from provender.importers.off_products import Product, judge_product
from provender.importers.opening import UnreadableInput
from provender.importers.records import Outcome

_BATCH = 1000
_SUFFIXES = ("100g", "serving", "prepared_100g")
# The columns of lists, with the members of their items.
_LISTS = {
    "product_name": ("lang", "text"),
    "generic_name": ("lang", "text"),
    "nutriments": ("name", *_SUFFIXES),
}


def read_parquet(source: Any) -> Iterator[Outcome]:
    """One outcome a row, from a path or a file that can seek."""
    try:
        parquet = import_module("pyarrow.parquet")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("Reading Parquet needs one more package: pip install provender[parquet]") from error
    return _read_guarded(parquet, source)


def _read_guarded(parquet: Any, source: Any) -> Iterator[Outcome]:
    try:
        yield from _read_rows(parquet, source)
    except import_module("pyarrow").ArrowException as error:
        raise UnreadableInput(f"The Parquet file cannot be read, or is damaged: {error}") from error


def _read_rows(parquet: Any, source: Any) -> Iterator[Outcome]:
    # Without this it would fetch whole row groups ahead, and one of them may be most of the file.
    file = parquet.ParquetFile(source, pre_buffer=False)
    _check_columns(file.schema_arrow)
    columns = [name for name in file.schema_arrow.names if name in Product.__struct_fields__]
    for batch in file.iter_batches(batch_size=_BATCH, columns=columns):
        for row in _list_rows(batch):
            yield judge_product(convert_product(row))


def _check_columns(schema: Any) -> None:
    """Refuse a file that is none of Open Food Facts'."""
    if "code" not in schema.names:
        raise UnreadableInput("This is not the Parquet export of Open Food Facts: it has no column `code`.")
    for name, members in _LISTS.items():
        if name in schema.names and not _holds(schema.field(name).type, members):
            raise UnreadableInput(
                f"This is not the Parquet export of Open Food Facts: `{name}` is no list of {', '.join(members)}."
            )


def _holds(kind: Any, members: tuple[str, ...]) -> bool:
    inner = getattr(kind, "value_type", None)
    return inner is not None and all(
        hasattr(inner, "get_field_index") and inner.get_field_index(each) >= 0 for each in members
    )


def _list_rows(batch: Any) -> Iterator[dict[str, Any]]:
    """The rows of a batch as documents, members named as in JSONL."""
    plain = {name: batch.column(name).to_pylist() for name in batch.schema.names if name not in _LISTS}
    languages = [lang if isinstance(lang, str) else None for lang in plain.get("lang") or [None] * batch.num_rows]
    for name in ("product_name", "generic_name"):
        if name in batch.schema.names:
            texts = _list_texts(batch.column(name))
            plain[name] = [_find_main(found, lang) for found, lang in zip(texts, languages, strict=True)]
            plain[f"{name}_en"] = [found.get("en") for found in texts]
    if "nutriments" in batch.schema.names:
        plain["nutriments"] = _list_nutriments(batch.column("nutriments"))
    for values in zip(*plain.values(), strict=True):
        yield dict(zip(plain, values, strict=True))


def _find_main(texts: dict[str, str], lang: str | None) -> str | None:
    return texts.get("main") or texts.get(lang or "")


def _list_texts(column: Any) -> list[dict[str, str]]:
    languages, texts = (column.values.field(name).to_pylist() for name in ("lang", "text"))
    return [dict(zip(languages[start:end], texts[start:end], strict=True)) for start, end in _list_bounds(column)]


def _list_nutriments(column: Any) -> list[dict[str, float]]:
    names = column.values.field("name").to_pylist()
    # The numbers have 32 bits, so that 0.01 would come back as 0.009999999776; written out, they are short again.
    amounts = [(suffix, column.values.field(suffix).cast("string").cast("float64").to_pylist()) for suffix in _SUFFIXES]
    return [
        {
            member: values[at]
            for suffix, values in amounts
            for at in range(start, end)
            if values[at] is not None and (member := f"{names[at]}_{suffix}") in MEMBERS
        }
        for start, end in _list_bounds(column)
    ]


def _list_bounds(column: Any) -> Iterator[tuple[int, int]]:
    """Where each row's part of a column of lists begins and ends."""
    return pairwise(column.offsets.to_pylist())
