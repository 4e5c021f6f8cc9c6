#!/usr/bin/env python3
"""Writes docs/reference-nutrients.md from the registry of nutrients and the tables of the importers.

    .venv/bin/python scripts/write_nutrients.py

A test fails as long as the page is another than what this writes.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from provender.importers.amounts import ENERGY_KJ, SALT
from provender.importers.fdc_nutrients import _ROWS as FDC_ROWS
from provender.importers.off_nutrients import _MEASURED as OFF_MEASURED
from provender.importers.off_nutrients import PER_100, STRENGTH
from provender.importers.sr28_nutrients import NAMES as SR28_NAMES
from provender.model.nutrients import NUTRIENTS, Group, Nutrient

PAGE = Path(__file__).parents[1] / "docs" / "reference-nutrients.md"

# What a source has under another name and in another unit, and the nutrient that is worked out from it.
_FROM = {ENERGY_KJ: "energy_kcal", SALT: "sodium_in_mg", STRENGTH: "alcohol_in_gm"}
# What is worked out from other nutrients: see `importers/judge.py`, `importers/fdc_nutrients.py`, `off_products.py`.
_WORKED_OUT = {"SR28": ["net_carbs_in_g"], "FDC": ["net_carbs_in_g"], "OFF": ["vitamin_d_in_iu"]}

_HEADINGS = {
    Group.MACRO_NUTRIENTS: "Energy and macronutrients: `macro_nutrients`",
    Group.WATER: "Water, in the food itself",
    Group.VITAMINS: "Vitamins: `vitamins`",
    Group.MINERALS: "Minerals: `minerals`",
    Group.CARBOHYDRATES: "Carbohydrates: `carbohydrates`",
    Group.LIPIDS: "Lipids: `lipids`",
    Group.PROTEINS: "Amino acids and protein: `proteins`",
}

_TOP = """\
# Nutrients

There are {count}. A food has those that are known of it, in this order, each as the member that is named here, in the
object that stands above its table. [`GET /v1/nutrients`](reference-foods.md#list-all-nutrients) answers the same list
without the sources. [Custom foods](reference-custom-foods.md#nutrients) may have others besides.

The last three columns say what a source calls a nutrient:

- SR28: USDA's Standard Reference, the catalogue that ships, by its nutrient number. {sr28} nutrients.
- FDC: [FoodData Central](how-to-import-usda.md), by its nutrient id. Of several, the first that a food has counts.
  {fdc} nutrients.
- OFF: [Open Food Facts](how-to-import-open-food-facts.md), by its name there. Of several, the first that a product
  has counts. {off} nutrients.

`worked out` means that the source has no value of its own: net carbohydrates are the carbohydrates without fiber, and
40 IU of vitamin D are 1 mcg. A name with `*` is of another kind, and the nutrient is worked out from it: energy from
kilojoules, sodium from salt, alcohol from percent by volume. FDC's vitamin D is converted where it has only one of the
two units. [Decision 0012](decisions/0012-how-records-are-judged.md) has the rules. Where a cell is empty, foods of that
source do not have the nutrient. [A table of your own](how-to-import-your-own-table.md) can have any of them.
"""


def write_page() -> str:
    """The whole page."""
    sources = {"SR28": _sr28(), "FDC": _fdc(), "OFF": _off()}
    known = {
        name: sum(bool(_cell(source, name, nutrient)) for nutrient in NUTRIENTS) for name, source in sources.items()
    }
    top = _TOP.format(count=len(NUTRIENTS), sr28=known["SR28"], fdc=known["FDC"], off=known["OFF"])
    return "\n".join([top, *(line for group in Group for line in _section(group, sources))])


def _section(group: Group, sources: dict[str, dict[str, list[str]]]) -> Iterator[str]:
    yield from (
        f"## {_HEADINGS[group]}",
        "",
        "| Member | Unit | Name | SR28 | FDC | OFF |",
        "|---|---|---|---|---|---|",
    )
    for nutrient in NUTRIENTS.values():
        if nutrient.group is group:
            yield _row(nutrient, sources)
    yield ""


def _row(nutrient: Nutrient, sources: dict[str, dict[str, list[str]]]) -> str:
    cells = [_cell(found, source, nutrient.name) for source, found in sources.items()]
    return f"| {' | '.join([f'`{nutrient.name}`', nutrient.unit, nutrient.title, *cells])} |".replace("|  |", "| |")


def _cell(found: dict[str, list[str]], source: str, nutrient: str) -> str:
    return ", ".join(found.get(nutrient, ["worked out"] if nutrient in _WORKED_OUT[source] else []))


def _sr28() -> dict[str, list[str]]:
    return _by_nutrient(SR28_NAMES.items())


def _fdc() -> dict[str, list[str]]:
    return _by_nutrient((str(id_), name) for id_, _, name in FDC_ROWS)


def _off() -> dict[str, list[str]]:
    older = [(member.removesuffix("_100g"), name) for member, (name, _) in (PER_100.first | PER_100.second).items()]
    newer = [(member, name) for member, units in OFF_MEASURED.items() for name, _ in units.values()]
    return _by_nutrient([*older, *newer])


def _by_nutrient(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """What a source calls each nutrient: its own values first, and then what one is worked out from."""
    found: dict[str, list[str]] = {}
    for word, name in sorted(dict.fromkeys(pairs), key=lambda pair: pair[1] in _FROM):
        found.setdefault(_FROM.get(name, name), []).append(f"{word}*" if name in _FROM else word)
    return found


if __name__ == "__main__":
    PAGE.write_text(write_page())
