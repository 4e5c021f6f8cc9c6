"""Open Food Facts, rule by rule, on products of our own making."""

import io
import json
from datetime import UTC, datetime
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.importers.off import LONGEST_LINE, convert_product, read_csv, read_jsonl
from provender.importers.off_products import judge_product
from provender.importers.records import Accepted, Outcome, Rejected
from provender.model.foods import Food, Serving, Unit
from provender.model.judging import Mend, Reason

BISCUITS = {
    "code": "1234567890128",
    "lang": "en",
    "product_name": "Oat biscuits",
    "brands": "Acme",
    "nutriments": {"energy-kcal_100g": 450, "fat_100g": 18, "carbohydrates_100g": 62, "proteins_100g": 8},
}


def read(*lines: bytes | dict[str, Any]) -> list[Outcome]:
    encoded = (line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    return list(read_jsonl(io.BytesIO(b"\n".join(encoded))))


def accept(**members: Any) -> Accepted:
    (outcome,) = read(BISCUITS | members)
    assert isinstance(outcome, Accepted), outcome
    return outcome


def food_of(**members: Any) -> Food:
    return accept(**members).food


def food_with(**nutriments: Any) -> Food:
    """The biscuits with further nutriments; an underscore in front of `100g`, hyphens elsewhere."""
    named = {name.replace("_", "-").replace("-100g", "_100g"): value for name, value in nutriments.items()}
    return food_of(nutriments={**BISCUITS["nutriments"], **named})  # type: ignore[dict-item]


def newer(per: str = "100g", preparation: str = "as_sold", **nutrients: tuple[float, str]) -> dict[str, Any]:
    """A product in the layout since schema 1003."""
    values: dict[str, tuple[float, str]] = {
        "energy-kcal": (450, "kcal"),
        "fat": (18, "g"),
        "carbohydrates": (62, "g"),
        "proteins": (8, "g"),
    }
    values |= {name.replace("_", "-"): value for name, value in nutrients.items()}
    measured = {name: {"value": value, "unit": unit, "source": "packaging"} for name, (value, unit) in values.items()}
    document = {name: value for name, value in BISCUITS.items() if name != "nutriments"}
    return document | {"nutrition": {"aggregated_set": {"nutrients": measured, "per": per, "preparation": preparation}}}


def newer_food(**arguments: Any) -> Food:
    (outcome,) = read(newer(**arguments))
    assert isinstance(outcome, Accepted), outcome
    return outcome.food


def reject(**members: Any) -> Reason:
    (outcome,) = read(BISCUITS | members)
    assert isinstance(outcome, Rejected), outcome
    return outcome.reason


def test_a_product_becomes_a_food() -> None:
    food = food_of(last_modified_t=1700000000, serving_size="2 biscuits (25 g)", serving_quantity="25")
    assert food == Food(
        source="off",
        source_key="1234567890128",
        dataset="off",
        name="Oat biscuits",
        brand="Acme",
        unit=Unit.GRAM,
        nutrients={
            "energy_kcal": 450,
            "total_fat_in_gm": 18,
            "total_protein_in_gm": 8,
            "total_carbohydrates_in_gm": 62,
        },
        servings=[Serving("2 biscuits (25 g)", 25)],
        barcode="1234567890128",
        released=datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC),
    )


def test_both_layouts_in_one_file_give_the_same_food() -> None:
    older, later = read(BISCUITS, newer())
    assert older == later


@pytest.mark.parametrize(
    ("member", "grams", "name", "expected"),
    [
        ("saturated_fat_100g", 6, "saturated_fat_g", 6),
        ("cholesterol_100g", 0.03, "cholesterol_in_mg", 30),
        ("vitamin_c_100g", 0.012, "vitamin_c_in_mg", 12),
        ("vitamin_b12_100g", 2.5e-6, "vitamin_b12_in_mcg", 2.5),
        ("vitamin_pp_100g", 0.004, "vitamin_b3_in_mg", 4),
        ("pantothenic_acid_100g", 0.001, "vitamin_b5_in_mg", 1),
        ("biotin_100g", 1e-5, "biotin_in_mcg", 10),
        ("choline_100g", 0.05, "choline_in_mg", 50),
        ("caffeine_100g", 0.032, "caffeine_in_mg", 32),
        ("omega_3_fat_100g", 1.5, "omega_3_in_g", 1.5),
        ("docosahexaenoic_acid_100g", 0.4, "fatty_acid_22_6_n3_in_g", 0.4),
        ("polyols_100g", 3, "polyols_in_g", 3),
        ("added_sugars_100g", 9, "added_sugars_in_g", 9),
        ("starch_100g", 40, "starch_in_g", 40),
        ("water_100g", 4, "water_in_gm", 4),
        ("iodine_100g", 2e-5, "iodine_in_mcg", 20),
        ("vitamin_d_100g", 5e-6, "vitamin_d_in_mcg", 5),
        ("vitamin_d_100g", 5e-6, "vitamin_d_in_iu", 200),
        ("folates_100g", 2e-4, "folate_in_mcg", 200),
        ("vitamin_b9_100g", 2e-4, "folate_in_mcg", 200),
        ("phylloquinone_100g", 3e-5, "vitamin_k_in_mcg", 30),
    ],
)
def test_nutriments_are_grams_whatever_the_registry_uses(member: str, grams: float, name: str, expected: float) -> None:
    assert food_with(**{member: grams}).nutrients[name] == pytest.approx(expected)


def test_the_better_name_of_a_nutrient_counts() -> None:
    nutrients = food_with(vitamin_b9_100g=1e-4, folates_100g=2e-4, carbohydrates_total_100g=65).nutrients
    assert nutrients["folate_in_mcg"] == pytest.approx(200)
    assert nutrients["total_carbohydrates_in_gm"] == 65


def test_what_nobody_measured_is_absent() -> None:
    assert "sugars_in_g" not in food_with(sugars_100g=None).nutrients
    assert "sugars_in_g" not in food_with(sugars_100g="").nutrients
    assert "nova-group" not in food_with(nova_group_100g=4).nutrients


def test_energy_without_a_unit_is_kilojoules() -> None:
    for member in ("energy_100g", "energy-kj_100g"):
        accepted = accept(nutriments={member: 1883, "fat_100g": 18, "carbohydrates_100g": 62, "proteins_100g": 8})
        assert accepted.food.nutrients["energy_kcal"] == pytest.approx(450, abs=0.1)
        assert Mend.ENERGY_FROM_KJ in accepted.mends


def test_salt_and_sodium_reach_the_judge() -> None:
    assert food_with(salt_100g=1).nutrients["sodium_in_mg"] == 400
    assert food_with(salt_100g=1, sodium_100g=0.4).nutrients["sodium_in_mg"] == 400


@pytest.mark.parametrize(
    ("given", "name", "expected"),
    [
        ({"calcium": (120, "mg")}, "calcium_in_mg", 120),
        ({"calcium": (0.12, "g")}, "calcium_in_mg", 120),
        ({"vitamin_b12": (2.5, "µg")}, "vitamin_b12_in_mcg", 2.5),
        ({"vitamin_b12": (2.5, "\u03bcg")}, "vitamin_b12_in_mcg", 2.5),
        ({"vitamin_b12": (2.5, "mcg")}, "vitamin_b12_in_mcg", 2.5),
        ({"vitamin_d": (200, "IU")}, "vitamin_d_in_mcg", 5),
        ({"vitamin_d": (200, "IU")}, "vitamin_d_in_iu", 200),
        ({"vitamin_a": (1000, "IU")}, "vitamin_a_in_iu", 1000),
        ({"salt": (500, "mg")}, "sodium_in_mg", 200),
        ({"energy_kcal": (450, "kcal"), "energy": (1883, "kJ")}, "energy_kcal", 450),
        ({"alcohol": (2, "g")}, "alcohol_in_gm", 2),
    ],
)
def test_the_newer_layout_says_its_units(given: dict[str, tuple[float, str]], name: str, expected: float) -> None:
    assert newer_food(**given).nutrients[name] == pytest.approx(expected)


@pytest.mark.parametrize("given", [{"iron": (20, "% DV")}, {"vitamin_e": (10, "IU")}, {"cocoa": (70, "%")}])
def test_what_cannot_be_converted_is_left_out(given: dict[str, tuple[float, str]]) -> None:
    assert newer_food(**given).nutrients.keys() == food_of().nutrients.keys()


def test_estimates_from_the_list_of_ingredients_are_no_measurements() -> None:
    document = newer(sugars=(20, "g"))
    document["nutrition"]["aggregated_set"]["nutrients"]["sugars"]["source"] = "estimate"
    (outcome,) = read(document)
    assert isinstance(outcome, Accepted)
    assert "sugars_in_g" not in outcome.food.nutrients


@pytest.mark.parametrize(
    ("members", "unit"),
    [
        ({}, Unit.GRAM),
        ({"product_quantity_unit": "ml"}, Unit.MILLILITRE),
        ({"quantity": "75 cl"}, Unit.MILLILITRE),
        ({"quantity": "6 x 330 ml"}, Unit.MILLILITRE),
        ({"serving_size": "1 glass (200 ml)", "serving_quantity": 200}, Unit.MILLILITRE),
        ({"serving_size": "1 glass", "serving_quantity": 200, "serving_quantity_unit": "ml"}, Unit.MILLILITRE),
        ({"nutrition_data_per": "100ml"}, Unit.MILLILITRE),
        # Sold by volume, eaten by weight: the label is for 100 g.
        ({"product_quantity_unit": "ml", "serving_size": "30 g", "serving_quantity": 30}, Unit.GRAM),
        ({"product_quantity_unit": "g", "serving_size": "15 ml", "serving_quantity": 15}, Unit.GRAM),
        # What was divided by a serving has the serving's unit.
        (
            {
                "nutrition_data_per": "serving",
                "product_quantity_unit": "g",
                "serving_size": "15 ml",
                "serving_quantity": 15,
            },
            Unit.MILLILITRE,
        ),
    ],
)
def test_a_millilitre_is_not_a_gram(members: dict[str, Any], unit: Unit) -> None:
    food = food_of(**members)
    assert food.unit is unit
    assert food.nutrients["total_fat_in_gm"] == 18


def test_a_set_for_100_ml_is_in_millilitres_whatever_else_is_said() -> None:
    assert newer_food(per="100ml").unit is Unit.MILLILITRE


def test_a_serving_in_another_unit_than_the_food_is_left_out() -> None:
    food = food_of(product_quantity_unit="g", serving_size="1 spoon (15 ml)", serving_quantity=15)
    assert (food.unit, food.servings) == (Unit.GRAM, [])


def test_a_package_entered_as_its_serving_keeps_the_unit_of_the_package() -> None:
    food = food_of(serving_size="355g", serving_quantity="355.0", product_quantity="355.0", quantity="355 ml")
    assert (food.unit, food.servings) == (Unit.MILLILITRE, [Serving("355 ml", 355)])


def test_the_strength_of_a_drink_becomes_grams_of_alcohol() -> None:
    wine = {"nutriments": {"energy-kcal_100g": 80, "alcohol_100g": 12}}
    assert food_of(**wine, quantity="75 cl").nutrients["alcohol_in_gm"] == pytest.approx(9.468)
    assert newer_food(per="100ml", alcohol=(12, "% vol")).nutrients["alcohol_in_gm"] == pytest.approx(9.468)
    # Of what is weighed the share of volume does not tell the grams, unless it is none.
    assert "alcohol_in_gm" not in food_of(**wine, quantity="750 g").nutrients
    assert food_with(alcohol_100g=0).nutrients["alcohol_in_gm"] == 0


PER_SERVING = {"energy-kcal_serving": 90, "fat_serving": 3.6, "carbohydrates_serving": 12.4, "proteins_serving": 1.6}


def test_values_for_a_serving_alone_are_worked_out_for_100() -> None:
    accepted = accept(nutriments=PER_SERVING, serving_size="20 g", serving_quantity="20")
    assert accepted.food.nutrients["energy_kcal"] == 450
    assert accepted.food.nutrients["total_fat_in_gm"] == pytest.approx(18)
    assert accepted.mends == (Mend.PER_SERVING,)


def test_the_strength_of_a_drink_is_the_same_in_a_serving() -> None:
    food = food_of(nutriments={"energy-kcal_serving": 160, "alcohol_serving": 12}, serving_size="200 ml")
    assert food.nutrients == {"energy_kcal": 80, "alcohol_in_gm": pytest.approx(9.468)}


def test_a_newer_set_for_a_serving_is_worked_out_for_100() -> None:
    document = newer(per="serving")
    document["nutrition"]["aggregated_set"] |= {"per_quantity": 200, "per_unit": "ml"}
    (outcome,) = read(document)
    assert isinstance(outcome, Accepted)
    assert (outcome.food.nutrients["energy_kcal"], outcome.food.unit) == (225, Unit.MILLILITRE)
    assert outcome.mends == (Mend.PER_SERVING,)


@pytest.mark.parametrize(
    "members", [{}, {"serving_size": "1 bowl"}, {"serving_size": "1 mint (0.5 g)", "serving_quantity": 0.5}]
)
def test_values_for_a_serving_that_cannot_be_scaled_have_no_basis(members: dict[str, Any]) -> None:
    assert reject(nutriments=PER_SERVING, **members) is Reason.NO_BASIS


def test_a_set_for_a_kilogram_of_pet_food_has_no_basis() -> None:
    (outcome,) = read(newer(per="1kg"))
    assert isinstance(outcome, Rejected)
    assert outcome.reason is Reason.NO_BASIS


def test_values_of_the_prepared_food_count_where_there_are_no_others() -> None:
    prepared = {"energy-kcal_prepared_100g": 45, "fat_prepared_100g": 1}
    members: dict[str, Any] = {"serving_size": "25 g", "serving_quantity": 25, "nutrition_data_prepared_per": "100ml"}
    food = food_of(nutriments=prepared, **members)
    assert (food.nutrients["energy_kcal"], food.unit, food.servings) == (45, Unit.MILLILITRE, [])
    assert food_of(nutriments={**prepared, "energy-kcal_100g": 400}, **members).nutrients == {"energy_kcal": 400}


@pytest.mark.parametrize("flag", [True, "on"])
def test_a_package_without_values_has_none(flag: object) -> None:
    assert reject(no_nutrition_data=flag) is Reason.NO_ENERGY


def test_a_product_without_nutrition_has_no_energy() -> None:
    assert reject(nutriments={}) is Reason.NO_ENERGY
    assert reject(nutriments=None) is Reason.NO_ENERGY


def test_an_obsolete_product_is_a_food_like_others() -> None:
    assert food_of(obsolete="on") == food_of()


@pytest.mark.parametrize("kind", ["beauty", "petfood", "product"])
def test_what_is_no_food_is_rejected(kind: str) -> None:
    assert reject(product_type=kind) is Reason.NOT_A_FOOD
    assert food_of(product_type="food") == food_of()


@pytest.mark.parametrize(
    ("members", "name"),
    [
        ({"product_name_en": "Oat biscuits", "product_name": "Haferkekse", "lang": "de"}, "Oat biscuits"),
        ({"product_name_en": " ", "product_name": "Haferkekse", "lang": "de"}, "Haferkekse"),
        ({"product_name": "", "product_name_de": "Haferkekse", "lang": "de"}, "Haferkekse"),
        ({"product_name": None, "product_name_fr": "Biscuits", "generic_name": "Biscuit", "lang": "de"}, "Biscuit"),
        ({"product_name": "Salt &amp; vinegar"}, "Salt & vinegar"),
    ],
)
def test_the_english_name_comes_before_that_of_the_main_language(members: dict[str, Any], name: str) -> None:
    assert food_of(**members).name == name


def test_a_product_without_a_name_is_rejected() -> None:
    assert reject(product_name="") is Reason.NO_NAME


@pytest.mark.parametrize(
    ("brands", "brand"),
    [
        ("Acme,  Acme Foods Inc.", "Acme"),
        (" , Acme", "Acme"),
        ("M&amp;S", "M&S"),
        (["Acme", "Globex"], "Acme"),
        (365, "365"),
        ("", None),
        ("-", None),
        (None, None),
    ],
)
def test_the_first_brand_counts(brands: object, brand: str | None) -> None:
    assert food_of(brands=brands).brand == brand


@pytest.mark.parametrize(
    ("code", "key"), [("7", "7"), ("0" * 47 + "1", "0" * 47 + "1"), (1234567890128, "1234567890128"), (" 42 ", "42")]
)
def test_the_code_is_the_key_as_it_is(code: object, key: str) -> None:
    assert food_of(code=code).source_key == key


@pytest.mark.parametrize("code", [None, "", "1" * 49, "12ab", "١٢٣", 1.5, True, []])
def test_a_product_without_a_usable_code_is_rejected(code: object) -> None:
    assert reject(code=code) is Reason.NO_KEY


@pytest.mark.parametrize(
    ("size", "quantity", "serving"),
    [
        ("1 biscuit (12 g)", "12", Serving("1 biscuit (12 g)", 12)),
        ("11 COOKIES (34 g)", 34, Serving("11 cookies (34 g)", 34)),
        ("17 PIECES | ABOUT (40 g)", "40", Serving("17 pieces (40 g)", 40)),
        ("0.25 cup (40 g)", "40", Serving("1/4 cup (40 g)", 40)),
        ("1.2 ONZ (34 g)", "34", Serving("1.2 oz (34 g)", 34)),
        ("40 g (40 g)", "40", Serving("40 g", 40)),
        ("28.000000000000004g", "28.000000000000004", Serving("28 g", 28)),
        ("28.3495g", "28.3495", Serving("28.35 g", 28.3495)),
        ("1 serving (28.349 g)", 28.349, Serving("1 serving (28.35 g)", 28.349)),
        ("1 slice", 30, Serving("1 slice", 30)),
        ("25 g (0.25 BAR)", None, Serving("25 g (0.25 bar)", 25)),
        ("1,5 g", 1.5, Serving("1.5 g", 1.5)),
        ("30", 30, Serving("1 serving", 30)),
        (None, 30, Serving("1 serving", 30)),
        ("x" * 101 + " 30 g", 30, Serving("30 g", 30)),
    ],
)
def test_a_serving_is_described_as_people_would_say_it(size: object, quantity: object, serving: Serving) -> None:
    assert food_of(serving_size=size, serving_quantity=quantity).servings == [serving]


@pytest.mark.parametrize(
    ("size", "quantity"),
    [
        ("1 slice", None),
        ("1 slice (30 g)", 50),
        ("2 kg", 2001),
        ("0 g", 0),
        ("1 slice", -3),
        ("1 slice", "nan"),
        ("5 g or 10 g", None),
        ("", ""),
    ],
)
def test_a_serving_that_cannot_be_believed_is_left_out(size: str, quantity: object) -> None:
    assert food_of(serving_size=size, serving_quantity=quantity).servings == []


@pytest.mark.parametrize("moment", ["--ignore--", None, 0, 1e30, "nan", [], -1e300])
def test_a_date_that_is_none_is_unknown(moment: object) -> None:
    assert food_of(last_modified_t=moment).released is None


def test_wrong_types_spoil_their_own_member_alone() -> None:
    food = food_of(
        nutriments={"energy-kcal_100g": "450", "fat_100g": [], "proteins_100g": {"value": 8}, "sugars_100g": True},
        serving_size={"text": "25 g"},
        serving_quantity=[25],
        generic_name=7,
        nutrition=[],
    )
    assert food.nutrients == {"energy_kcal": 450}
    assert food.servings == []


def test_wrong_types_in_a_newer_set_spoil_their_own_member_alone() -> None:
    document = newer()
    nutrients = document["nutrition"]["aggregated_set"]["nutrients"]
    nutrients |= {"fat": None, "proteins": {"value": [], "unit": "g"}, "sugars": {"value": "5", "unit": "g"}}
    nutrients |= {"salt": {"value": 1, "unit": 7}}
    (outcome,) = read(document)
    assert isinstance(outcome, Accepted)
    assert outcome.food.nutrients == {"energy_kcal": 450, "total_carbohydrates_in_gm": 62, "sugars_in_g": 5}


def test_a_document_of_another_reader_is_read_as_tolerantly() -> None:
    assert judge_product(convert_product(BISCUITS | {"quantity": [], "obsolete": True})) == accept()


@pytest.mark.parametrize(
    "line", [b"{", b"[]", b"7", b'"text"', b"null", b'{"code": "\xff"}', b"\x00", b"[" * 100_000, b'{"code": 1e999}']
)
def test_a_line_that_is_no_product_is_unreadable(line: bytes) -> None:
    before, outcome, after = read(BISCUITS, line, BISCUITS)
    assert isinstance(outcome, Rejected)
    assert outcome.reason is Reason.UNREADABLE
    assert before == after == accept()


def test_empty_lines_are_no_records_and_the_last_line_needs_no_end() -> None:
    assert len(read(b"", BISCUITS, b" \r", BISCUITS)) == 2


def test_a_line_without_end_is_one_rejection_and_fills_no_memory() -> None:
    endless = b'{"code": "' + b"1" * (2 * LONGEST_LINE) + b'"}'
    rejected, accepted = read(endless, BISCUITS)
    assert isinstance(rejected, Rejected)
    assert len(str(rejected.record)) < 1000
    assert accepted == accept()


def test_products_are_handed_on_before_the_file_ends() -> None:
    class Endless(io.BytesIO):
        def readline(self, _size: int | None = -1, /) -> bytes:
            return json.dumps(BISCUITS).encode() + b"\n"

    assert list(islice(read_jsonl(Endless()), 3)) == [accept()] * 3


def test_a_code_twice_gives_two_outcomes() -> None:
    assert len(read(BISCUITS, BISCUITS)) == 2


def test_a_rejection_shows_what_was_read() -> None:
    (outcome,) = read(BISCUITS | {"product_name": None, "labels_tags": ["en:organic"]})
    assert isinstance(outcome, Rejected)
    assert outcome.key == "1234567890128"
    assert outcome.record == {name: value for name, value in BISCUITS.items() if name != "product_name"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
MEMBERS = st.sampled_from(
    [*BISCUITS, "serving_size", "serving_quantity", "last_modified_t", "nutrition", "product_quantity", "quantity"]
)
NUTRIMENTS = st.dictionaries(st.sampled_from(["energy_100g", "fat_100g", "fat_serving", "alcohol_100g"]), JSON)
SETS = st.fixed_dictionaries(
    {"aggregated_set": JSON | st.fixed_dictionaries({"nutrients": st.dictionaries(st.just("fat"), JSON), "per": JSON})}
)


@given(st.dictionaries(MEMBERS, JSON | NUTRIMENTS | SETS) | JSON, st.booleans())
def test_any_json_gives_exactly_one_outcome(document: object, on_biscuits: bool) -> None:
    if on_biscuits and isinstance(document, dict):
        document = BISCUITS | document
    line = json.dumps(document).encode()
    assert len(list(read_jsonl(io.BytesIO(line + b"\n" + line)))) == 2


@given(st.lists(st.binary(min_size=1).filter(lambda line: b"\n" not in line and not line.isspace())))
def test_any_bytes_give_one_outcome_a_line(lines: list[bytes]) -> None:
    outcomes = list(read_jsonl(io.BytesIO(b"\n".join(lines))))
    assert len(outcomes) == len(lines)
    assert all(isinstance(outcome, Rejected) for outcome in outcomes)


HEADER = ["code", "product_name", "brands", "quantity", "serving_size", "serving_quantity", "energy-kcal_100g"]
ROW = ["1234567890128", 'Oat "crunchy" biscuits', "Acme", "250 g", "2 biscuits", "25", "450"]


def export(*rows: list[str] | bytes) -> list[Outcome]:
    lines = [row if isinstance(row, bytes) else "\t".join(row).encode() for row in (HEADER, *rows)]
    return list(read_csv(io.BytesIO(b"\n".join(lines))))


def test_the_export_is_read_by_its_header() -> None:
    (outcome,) = export(ROW)
    assert isinstance(outcome, Accepted)
    food = outcome.food
    assert (food.name, food.brand, food.barcode) == ('Oat "crunchy" biscuits', "Acme", "1234567890128")
    assert (food.nutrients, food.servings) == ({"energy_kcal": 450}, [Serving("2 biscuits", 25)])


def test_broken_rows_of_the_export_are_unreadable() -> None:
    outcomes = export(ROW, ROW[:-1], [*ROW, "more"], b"\t".join([b"\xff"] * 7), b"", ROW)
    reasons = [outcome.reason if isinstance(outcome, Rejected) else None for outcome in outcomes]
    assert reasons == [None, Reason.UNREADABLE, Reason.UNREADABLE, Reason.UNREADABLE, None]


def test_a_file_that_is_no_export_is_refused() -> None:
    with pytest.raises(ValueError, match="names no column `code`"):
        read_csv(io.BytesIO(b"a,b,c\n1,2,3\n"))


@given(st.lists(st.binary(min_size=1).filter(lambda line: b"\n" not in line and line.strip(b"\r"))))
def test_any_bytes_give_one_outcome_a_row_of_the_export(lines: list[bytes]) -> None:
    assert len(export(*lines)) == len(lines)
