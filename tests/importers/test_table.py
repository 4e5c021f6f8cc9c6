"""An operator's own table: the map, and what becomes of rows."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.importers.records import Accepted, Outcome, Rejected
from provender.importers.table import read_table
from provender.importers.table_map import InvalidMap, read_map
from provender.model.foods import Food, Serving, Unit
from provender.model.judging import Mend, Reason

MAP = """
source = "acme"
basis = "100g"

[columns]
key = "Article"
name = "Description"

[nutrients]
energy_kcal = "kcal"
"""
TABLE = "Article,Description,kcal\n1,Oat biscuits,450\n2,Rye bread,220\n"

FULL_MAP = """
source = "acme"
basis = "100g"
delimiter = ";"
encoding = "cp1252"
decimal = ","
unknown = ["n/a", "-"]

[columns]
key = "Article"
name = "Description"
brand = "Brand"
barcode = "EAN"
unit = "Unit"
serving = "Portion"
serving_amount = "Portion g"

[nutrients]
energy_kj = "Energy"
salt_in_g = "Salt"
total_fat_in_gm = "Fat"
vitamin_c_in_mg = { column = "Vitamin C", unit = "g" }
iron_in_mg = { column = "Iron" }
"""
FULL_HEADER = "Article;Description;Brand;EAN;Unit;Portion;Portion g;Energy;Salt;Fat;Vitamin C;Iron"


def read(table: str | bytes, text: str = MAP) -> list[Outcome]:
    found = read_map(text)
    encoded = table if isinstance(table, bytes) else table.encode(found.encoding)
    return list(read_table(io.BytesIO(encoded), found))


def food_of(outcome: Outcome) -> Food:
    assert isinstance(outcome, Accepted), outcome
    return outcome.food


def reasons_of(outcomes: list[Outcome]) -> list[Reason | None]:
    return [outcome.reason if isinstance(outcome, Rejected) else None for outcome in outcomes]


def test_a_short_map_is_enough() -> None:
    biscuits, bread = map(food_of, read(TABLE))
    assert (biscuits.source, biscuits.source_key, biscuits.name) == ("acme", "1", "Oat biscuits")
    assert (biscuits.nutrients, biscuits.brand, biscuits.unit) == ({"energy_kcal": 450}, None, Unit.GRAM)
    assert bread.name == "Rye bread"


def test_everything_a_map_can_say() -> None:
    row = "7;Crème brûlée;Acme;1234567890128;ml;1 pot;125;837;0,125;14,5;0,002;n/a"
    (outcome,) = read(f"{FULL_HEADER}\n{row}\n", FULL_MAP)
    food = food_of(outcome)
    assert (food.name, food.brand, food.barcode) == ("Crème brûlée", "Acme", "1234567890128")
    assert (food.unit, food.servings) == (Unit.MILLILITRE, [Serving("1 pot", 125)])
    assert food.nutrients == {
        "energy_kcal": pytest.approx(200, abs=0.1),
        "sodium_in_mg": 50,
        "total_fat_in_gm": 14.5,
        "vitamin_c_in_mg": pytest.approx(2),
    }


def test_an_empty_cell_is_unknown_and_not_0() -> None:
    (outcome,) = read(f"{FULL_HEADER}\n7;Oil;;;;;;3700;;100;;-\n", FULL_MAP)
    food = food_of(outcome)
    assert food.nutrients.keys() == {"energy_kcal", "total_fat_in_gm"}
    assert (food.brand, food.barcode, food.unit, food.servings) == (None, None, Unit.GRAM, [])


def test_the_basis_gives_the_unit_where_no_column_does() -> None:
    (food, _) = map(food_of, read(TABLE, MAP.replace("100g", "100ml")))
    assert food.unit is Unit.MILLILITRE


SERVING_MAP = MAP.replace('"100g"', '"serving"').replace(
    "\n[nutrients]", 'serving_amount = "Weight"\nunit = "Unit"\n[nutrients]'
)


def test_values_for_a_serving_are_worked_out_for_100() -> None:
    table = "Article,Description,Weight,Unit,kcal\n1,Oat biscuits,25,g,112.5\n2,Juice,200,ml,90\n"
    biscuits, juice = read(table, SERVING_MAP)
    assert food_of(biscuits).nutrients == {"energy_kcal": 450}
    assert food_of(biscuits).servings == [Serving("25 g", 25)]
    assert (food_of(juice).nutrients, food_of(juice).unit) == ({"energy_kcal": 45}, Unit.MILLILITRE)
    assert isinstance(biscuits, Accepted)
    assert biscuits.mends == (Mend.PER_SERVING,)


@pytest.mark.parametrize("weight", ["", "0", "-5", "1e999"])
def test_values_for_a_serving_without_a_weight_have_no_basis(weight: str) -> None:
    outcomes = read(f"Article,Description,Weight,Unit,kcal\n1,Oat biscuits,{weight},g,112.5\n", SERVING_MAP)
    assert reasons_of(outcomes) == [Reason.NO_BASIS]


@pytest.mark.parametrize(
    ("nutrient", "cell", "name", "expected"),
    [
        ('sodium_in_mg = { column = "x", unit = "g" }', "0.4", "sodium_in_mg", 400),
        ('salt_in_g = { column = "x", unit = "mg" }', "500", "sodium_in_mg", 200),
        ('total_fat_in_gm = { column = "x", unit = "mg" }', "1500", "total_fat_in_gm", 1.5),
        ('vitamin_b12_in_mcg = { column = "x", unit = "µg" }', "2.5", "vitamin_b12_in_mcg", 2.5),
        ('vitamin_d_in_iu = { column = "x", unit = "mcg" }', "5", "vitamin_d_in_iu", 200),
        ('vitamin_d_in_iu = "x"', "200", "vitamin_d_in_iu", 200),
        ('vitamin_d_in_mcg = { column = "x", unit = "IU" }', "200", "vitamin_d_in_mcg", 5),
        ('iron_in_mg = "x"', "1.5E-1", "iron_in_mg", 0.15),
    ],
)
def test_units_are_converted(nutrient: str, cell: str, name: str, expected: float) -> None:
    (outcome,) = read(f"Article,Description,kcal,x\n1,Oat biscuits,450,{cell}\n", f"{MAP}{nutrient}")
    assert food_of(outcome).nutrients[name] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("energy_kcal", "enery_kcal"), r"no nutrient 'enery_kcal' \(nearest: 'energy_kcal'\)"),
        (("energy_kcal", "qqq"), r"no nutrient 'qqq'\."),
        (('"kcal"', '{ column = "kcal", unit = "kJ" }'), "'kJ' cannot be converted to the kcal.* Use 'energy_kj'"),
        (('energy_kcal = "kcal"', 'energy_kj = { column = "kcal", unit = "g" }'), "'g' cannot be converted to the kJ"),
        (('energy_kcal = "kcal"', 'iron_in_mg = { column = "x", unit = "IU" }'), "'IU' cannot be converted to the mg"),
        (('energy_kcal = "kcal"', 'vitamin_a_in_iu = { column = "x", unit = "mg" }'), "cannot be converted to the IU"),
        (('energy_kcal = "kcal"', ""), "names no nutrients"),
        (('source = "acme"', ""), "missing required field `source`"),
        (('"acme"', '"Acme Foods"'), "'Acme Foods' must be 1 to 32"),
        (('"acme"', '"off"'), "'off' is taken"),
        (('"acme"', '"serving"'), "'serving' is taken"),
        (('"acme"', '"custom"'), "'custom' is taken"),
        (('"100g"', '"100 g"'), "Invalid enum value '100 g'"),
        (('"100g"', '"serving"'), "needs the column `serving_amount`"),
        (('name = "Description"', 'name = "Description"\nserving = "x"'), "needs the column `serving_amount`"),
        (('name = "Description"', 'name = "Description"\ncolour = "x"'), "unknown field `colour`"),
        (('"acme"', '"acme"\ndelimiter = "; "'), "delimiter '; ' must be one character"),
        (('"acme"', '"acme"\nencoding = "latin-99"'), "no encoding 'latin-99'"),
        (('"acme"', '"acme"\nencoding = "hex"'), "no encoding 'hex'"),
        (('"acme"', '"acme"\ndecimal = "·"'), "Invalid enum value"),
        (('"acme"', "acme"), r"^Invalid value \(at line 2, column \d+\)\.$"),
    ],
)
def test_a_map_that_is_not_right_is_refused(change: tuple[str, str], message: str) -> None:
    with pytest.raises(InvalidMap, match=message):
        read_map(MAP.replace(*change))


def test_missing_columns_are_all_named() -> None:
    with pytest.raises(InvalidMap, match=r"no column 'Article' \(nearest: 'Articles'\), 'Description'\."):
        read("Articles,Name,kcal\n1,Oat biscuits,450\n")
    with pytest.raises(InvalidMap, match="no column"):
        read("")


def test_a_column_twice_is_refused_where_the_map_needs_it() -> None:
    with pytest.raises(InvalidMap, match="more than one column 'kcal'"):
        read("Article,Description,kcal,kcal\n")
    assert len(read("Article,Description,kcal,x,x\n1,Oat biscuits,450,,\n")) == 1


def test_a_header_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(InvalidMap, match="first row cannot be read"):
        read('Article,"Descr"iption,kcal\n')


def test_a_byte_order_mark_is_no_part_of_a_name() -> None:
    assert len(read(b"\xef\xbb\xbf" + TABLE.encode())) == 2


def test_a_table_may_be_quoted_tabbed_and_in_utf_16() -> None:
    text = MAP.replace('"acme"', '"acme"\ndelimiter = "\\t"\nencoding = "utf-16"')
    (outcome,) = read('Article\tDescription\tkcal\r\n1\t"Oat\tbiscuits\n""crunchy"""\t450\r\n', text)
    assert food_of(outcome).name == 'Oat biscuits "crunchy"'


def test_broken_rows_are_rejected_and_the_others_are_read() -> None:
    rows = [
        "1,Oat biscuits,450",
        "2,too few",
        "3,too,many,cells",
        '4,"bad" quotes,450',
        "5,no number,lots",
        "6,thousands,1.234.5",
        "",
        ",,",
        ",no key,450",
        "7,,450",
        "8,no energy,",
        "9,Rye bread,220",
    ]
    table = "Article,Description,kcal\n" + "\n".join(rows)
    assert reasons_of(read(table)) == [
        None,
        *[Reason.UNREADABLE] * 5,
        Reason.NO_KEY,
        Reason.NO_NAME,
        Reason.NO_ENERGY,
        None,
    ]


def test_a_rejection_shows_the_row_and_what_is_wrong_with_it() -> None:
    (outcome,) = read("Article,Description,kcal\n5,Oat biscuits,lots\n")
    assert outcome == Rejected(
        Reason.UNREADABLE,
        "5",
        {"Article": "5", "Description": "Oat biscuits", "kcal": "lots", "error": "'lots' is not a number."},
    )


@pytest.mark.parametrize(("decimal", "cell"), [(".", "1,5"), (",", "1.5"), (",", "1.234,5"), (".", "1 000")])
def test_a_number_in_another_notation_is_not_guessed(decimal: str, cell: str) -> None:
    text = MAP.replace('"acme"', f'"acme"\ndecimal = "{decimal}"')
    assert reasons_of(read(f'Article,Description,kcal\n1,Oat biscuits,"{cell}"\n', text)) == [Reason.UNREADABLE]


def test_a_unit_that_is_none_is_unreadable() -> None:
    row = "7;Oil;;;spoons;;;3700;;100;;-"
    assert reasons_of(read(f"{FULL_HEADER}\n{row}\n", FULL_MAP)) == [Reason.UNREADABLE]


def test_bytes_of_another_encoding_are_unreadable() -> None:
    outcomes = read(TABLE.encode() + "3,Crème,300\n".encode("cp1252"))
    assert reasons_of(outcomes) == [None, None, Reason.UNREADABLE]


def test_a_quote_that_never_closes_fills_no_memory() -> None:
    outcomes = read(TABLE + '3,"' + "x,y,z\n" * 100_000)
    assert reasons_of(outcomes)[:3] == [None, None, Reason.UNREADABLE]
    assert set(reasons_of(outcomes)[3:]) == {Reason.UNREADABLE}


def test_the_file_stays_open_for_whoever_opened_it() -> None:
    file = io.BytesIO(TABLE.encode())
    assert len(list(read_table(file, read_map(MAP)))) == 2
    assert not file.closed


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0\ufffd"), max_size=10)


@given(st.lists(st.lists(CELLS, min_size=1, max_size=4).filter(lambda cells: any(map(str.strip, cells)))))
def test_any_row_gives_exactly_one_outcome(rows: list[list[str]]) -> None:
    def quote(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"'

    table = "\n".join(["Article,Description,kcal", *(",".join(map(quote, row)) for row in rows)])
    assert len(read(table)) == len(rows)


@given(st.binary())
def test_no_bytes_end_the_import(table: bytes) -> None:
    outcomes: Any = read(b"Article,Description,kcal\n" + table)
    assert all(isinstance(outcome, Accepted | Rejected) for outcome in outcomes)
