"""USDA SR28, the catalogue that ships: the foods of `data/sr28.jsonl.bz2`, which `scripts/derive_sr28.py` makes.

SR28 and SR Legacy are one source. Its key is the NDB number, which a food keeps from release to release.
"""

import bz2
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib import resources

import msgspec

from provender.importers.judge import judge
from provender.importers.records import Candidate, Outcome
from provender.importers.sr28_brands import tidy_brand
from provender.importers.sr28_nutrients import NAMES
from provender.importers.sr28_portions import make_servings

SOURCE = "usda"
DATASET = "sr28"


_FILE = resources.files("provender.importers").joinpath("data", "sr28.jsonl.bz2")


class Header(msgspec.Struct, frozen=True):
    """The first line of the file. A nutrient is its number, unit and name, in the order of every food's values."""

    source: str
    release: str
    foods: int
    values: int
    portions: int
    nutrients: list[tuple[str, str, str]]
    sha256: dict[str, str]


class Record(msgspec.Struct, frozen=True, array_like=True):
    """A line of the file: a food as the tables have it. A value that is None was never measured."""

    ndb_number: str
    description: str
    manufacturer: str | None
    common_names: str | None
    last_change: str
    values: list[float | None]
    portions: list[tuple[int, float, str, float]]


@cache
def read_header() -> Header:
    with _FILE.open("rb") as packed, bz2.open(packed) as unpacked:
        return msgspec.json.decode(unpacked.readline(), type=Header)


def read_records() -> Iterator[Record]:
    """Every food as the tables have it, in the order of their NDB numbers."""
    # Unpacked at once, which takes half as long as line by line and some 8 MB.
    _, *lines = bz2.decompress(_FILE.read_bytes()).splitlines()
    return map(msgspec.json.Decoder(Record).decode, lines)


def read_outcomes() -> Iterator[Outcome]:
    """Every food, judged."""
    names = [NAMES.get(number) for number, _, _ in read_header().nutrients]
    for record in read_records():
        candidate = make_candidate(record, names)
        yield judge(candidate, {"ndb_number": record.ndb_number, "description": record.description})


def make_candidate(record: Record, names: Sequence[str | None]) -> Candidate:
    """A food in the registry's words; `names` are those of its values, with None for what the registry leaves out."""
    return Candidate(
        source=SOURCE,
        dataset=DATASET,
        by_difference=True,
        key=record.ndb_number,
        name=record.description,
        brand=tidy_brand(record.manufacturer) if record.manufacturer else None,
        besides=record.common_names,
        nutrients={
            name: value
            for name, value in zip(names, record.values, strict=True)
            if name is not None and value is not None
        },
        servings=make_servings(record.portions),
        released=_read_month(record.last_change),
    )


@cache
def _read_month(text: str) -> datetime:
    year, month = text.split("-")
    return datetime(int(year), int(month), 1, tzinfo=UTC)
