"""The map of an operator's table, in TOML: what each column is. It is checked whole before the first row is read.

source = "acme"              # part of every food's id: choose it once and keep it
basis = "100g"               # what the values are for: "100g", "100ml" or "serving"
delimiter = ";"              # "," unless said otherwise
encoding = "cp1252"          # "utf-8" unless said otherwise
decimal = ","                # "." unless said otherwise
unknown = ["n/a", "-"]       # what stands in cells whose value nobody knows; an empty cell always does

[columns]                    # key and name are needed
key = "Article"
name = "Description"
brand = "Brand"
barcode = "EAN"
unit = "Unit"                # g or ml for each row, where a table has both
serving = "Portion"          # a household measure in words, such as "1 slice",
serving_amount = "Portion g" # and what it weighs or holds: needed where basis is "serving"

[nutrients]                  # the registry's names, and `energy_kj` and `salt_in_g`
energy_kj = "Energy"
sodium_in_mg = { column = "Sodium", unit = "g" }
"""

import difflib
import re
import tomllib
from collections.abc import Collection, Iterable
from typing import Literal

import msgspec

from provender.importers.amounts import ENERGY_KJ, SALT, VITAMIN_D_IU_PER_MCG, get_factor
from provender.model.nutrients import NUTRIENTS

_SOURCE = re.compile(r"[a-z][a-z0-9_-]{0,31}")
# Names that make ids already, or that answers have for something else.
_TAKEN = ("custom", "fdc", "fndds", "foundation", "off", "serving", "sr28", "sr_legacy", "usda", "usda_branded")

_NAMES = (ENERGY_KJ, SALT, *NUTRIENTS)


class InvalidMap(ValueError):
    """Says in one sentence what is wrong with a map, or with a map for this table."""


class Amount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A column of amounts whose unit is not the registry's."""

    column: str
    unit: str | None = None


class Columns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: str
    name: str
    brand: str | None = None
    barcode: str | None = None
    unit: str | None = None
    serving: str | None = None
    serving_amount: str | None = None


class TableMap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    basis: Literal["100g", "100ml", "serving"]
    columns: Columns
    nutrients: dict[str, str | Amount]
    delimiter: str = ","
    encoding: str = "utf-8"
    decimal: Literal[".", ","] = "."
    unknown: frozenset[str] = frozenset()

    def list_amounts(self) -> list[tuple[str, str, float]]:
        """The nutrients with their columns, and what the numbers in them are multiplied by."""
        amounts = (
            (name, found if isinstance(found, Amount) else Amount(found)) for name, found in self.nutrients.items()
        )
        return [(name, amount.column, _get_factor(name, amount.unit)) for name, amount in amounts]

    def check_header(self, header: Collection[str]) -> None:
        """Refuse a table that lacks a column of the map, or has it twice."""
        named = [name for name in msgspec.structs.astuple(self.columns) if name is not None]
        wanted = dict.fromkeys([*named, *(column for _, column, _ in self.list_amounts())])
        missing = [f"{name!r}{_suggest(name, header)}" for name in wanted if name not in header]
        if missing:
            raise InvalidMap(f"The table has no column {', '.join(missing)}.")
        for name in wanted:
            if list(header).count(name) > 1:
                raise InvalidMap(f"The table has more than one column {name!r}.")


def read_map(text: str) -> TableMap:
    """The map in a TOML text, or InvalidMap."""
    try:
        table = msgspec.convert(tomllib.loads(text), TableMap)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InvalidMap(f"{error}.") from error
    _check_source(table.source)
    _check_format(table)
    if not table.nutrients:
        raise InvalidMap("The map names no nutrients.")
    unknown = [f"{name!r}{_suggest(name, _NAMES)}" for name in table.nutrients if name not in _NAMES]
    if unknown:
        raise InvalidMap(f"There is no nutrient {', '.join(unknown)}.")
    table.list_amounts()
    if table.columns.serving_amount is None and (table.basis == "serving" or table.columns.serving is not None):
        raise InvalidMap("The map needs the column `serving_amount`: what a serving weighs, or holds.")
    return table


def _check_source(source: str) -> None:
    if not _SOURCE.fullmatch(source):
        raise InvalidMap(f"The source {source!r} must be 1 to 32 of a-z, 0-9, _ and -, the first a letter.")
    if source in _TAKEN:
        raise InvalidMap(f"The source {source!r} is taken; choose a name of your own.")


def _check_format(table: TableMap) -> None:
    if len(table.delimiter) != 1 or table.delimiter in '\r\n" ':
        raise InvalidMap(f"The delimiter {table.delimiter!r} must be one character, and no space, quote or line's end.")
    try:
        # This fails for what is no encoding, and for what is none of text.
        "".encode(table.encoding)
    except LookupError as error:
        raise InvalidMap(f"There is no encoding {table.encoding!r}.") from error


def _get_factor(name: str, unit: str | None) -> float:
    own = "kJ" if name == ENERGY_KJ else "g" if name == SALT else NUTRIENTS[name].unit
    if unit is None or unit == own:
        return 1.0
    if name == "vitamin_d_in_mcg" and unit == "IU":
        return 1 / VITAMIN_D_IU_PER_MCG
    try:
        if name == "vitamin_d_in_iu":
            return get_factor(unit, "vitamin_d_in_mcg") * VITAMIN_D_IU_PER_MCG
        if name != ENERGY_KJ:
            return get_factor(unit, name)
    except ValueError:
        pass
    hint = f" Use {ENERGY_KJ!r} for a column in kJ." if name == "energy_kcal" else ""
    raise InvalidMap(f"The unit {unit!r} cannot be converted to the {own} of {name!r}.{hint}")


def _suggest(name: str, known: Iterable[str]) -> str:
    nearest = difflib.get_close_matches(name, known, 1)
    return f" (nearest: {nearest[0]!r})" if nearest else ""
