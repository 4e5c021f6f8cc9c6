"""The JSON files of FoodData Central: finding the foods in a stream; and what both kinds of files say of a food."""

import io
import json
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.importers.fdc import describe_household, find_key, import_fdc, judge_food, tidy_brand
from provender.importers.fdc_json import LARGEST_ELEMENT, ElementScanner, FdcFood, Portion, read_element, read_json
from provender.importers.fdc_nutrients import find_scale, find_scales, name_nutrients
from provender.importers.opening import UnreadableInput
from provender.importers.records import Accepted, Rejected
from provender.model.foods import Food, Serving, Unit
from provender.model.judging import Mend, Reason
from provender.model.nutrients import NUTRIENTS

MACROS = {1003: 1.0, 1004: 0.5, 1005: 22.0, 1008: 96.5}


def amount(nutrient_id: int, value: float | None, unit: str = "g", number: str = "") -> dict[str, Any]:
    return {
        "type": "FoodNutrient",
        "nutrient": {"id": nutrient_id, "number": number, "unitName": unit},
        "amount": value,
    }


def element(data_type: str | None = "Foundation", **members: Any) -> dict[str, Any]:
    nutrients = [
        amount(nutrient_id, value, "kcal" if nutrient_id == 1008 else "g") for nutrient_id, value in MACROS.items()
    ]
    return {
        "foodClass": "FinalFood",
        "description": 'Bananas "ripe" {raw} [\\]',
        "foodNutrients": nutrients,
        "dataType": data_type,
        "ndbNumber": 9040,
        "fdcId": 1105314,
        "publicationDate": "4/1/2020",
        **members,
    }


def write_json(path: Path, name: str, *elements: Any) -> str:
    path.write_text(json.dumps({name: elements}, indent=1), encoding="utf-8")
    return str(path)


def make_food(**fields: Any) -> Food:
    defaults: dict[str, Any] = {
        "dataset": "foundation",
        "fdc_id": 1,
        "code": "9040",
        "description": "Bananas",
        "food_nutrient": MACROS,
    }
    outcome = judge_food(FdcFood(**defaults | fields), "09040")
    assert isinstance(outcome, Accepted), outcome
    return outcome.food


def only_food(path: str) -> Food:
    (outcome,) = import_fdc(path)
    assert isinstance(outcome, Accepted), outcome
    return outcome.food


def scan(data: bytes, *cuts: int) -> list[tuple[str, bytes]]:
    scanner = ElementScanner("test.json")
    found: list[tuple[str, bytes]] = []
    for start, end in zip((0, *cuts), (*cuts, len(data)), strict=True):
        found += scanner.feed(data[start:end])
    scanner.finish()
    return found


# --- Finding the elements

texts = st.text(alphabet=st.sampled_from('{}[]",:\\\n aé'), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=10,
)


@given(
    elements=st.lists(st.dictionaries(texts, values, max_size=3), max_size=5),
    is_bare=st.booleans(),
    indent=st.sampled_from([None, 0, 2]),
    is_ascii=st.booleans(),
    data=st.data(),
)
def test_any_chunking_gives_the_elements_of_the_array(
    elements: list[dict[str, Any]], is_bare: bool, indent: int | None, is_ascii: bool, data: st.DataObject
) -> None:
    whole = elements if is_bare else {"FoundationFoods": elements}
    text = json.dumps(whole, indent=indent, ensure_ascii=is_ascii).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    found = scan(text, *cuts)
    assert [json.loads(each) for _, each in found] == elements
    assert found == scan(text)
    assert {name for name, _ in found} <= {"" if is_bare else "FoundationFoods"}


def test_one_byte_at_a_time_gives_the_same() -> None:
    text = b'\xef\xbb\xbf {"SRLegacyFoods" : [ {"a": "}\\\\\\"]"} ,{"b":[{}]}, {} ] , "More": [{"c": 1}]}\n'
    expected = [("SRLegacyFoods", b'{"a": "}\\\\\\"]"}'), ("SRLegacyFoods", b'{"b":[{}]}'), ("SRLegacyFoods", b"{}")]
    assert scan(text) == scan(text, *range(1, len(text))) == [*expected, ("More", b'{"c": 1}')]


def test_long_elements_and_braces_in_strings_are_no_different() -> None:
    elements = [{"a": "{"}, {"b": ["x" * 1000] * 100}, {"c": "}}"}, {"d": {"e": '"}'}}, {}]
    text = json.dumps({"Foods": elements}).encode()
    assert [json.loads(each) for _, each in scan(text)] == elements
    assert scan(text) == scan(text, *range(1, len(text), 1000))


def test_what_is_no_object_is_found_too_so_that_it_is_counted() -> None:
    assert [each.strip() for _, each in scan(b'{"Foods": [null, {"a": 1}, 5, [1, 2], "x"]}')] == [
        b"null", b'{"a": 1}', b"5", b"[1, 2]", b'"x"',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "no list"),
        (b"{}", "no list"),
        (b'{"a": {"b": {"c": [1]}}}', "no list"),
        (b"fdc_id,description\n1,[x]\n", "no JSON"),
        (b"PK\x03\x04 {", "no JSON"),
        (b'{"Foods": []}}', "no JSON"),
        (b'{"Foods": []} {"Foods": []} x [', "no JSON"),
        (b'{"Foods": [{"a": 1}, {"b', "ends in the middle"),
        (b'{"Foods": [{"a": 1}', "ends in the middle"),
    ],
)
def test_a_file_that_cannot_be_one_of_fdc_is_refused(tmp_path: Path, text: bytes, why: str) -> None:
    path = tmp_path / "foods.json"
    path.write_bytes(text)
    with pytest.raises(UnreadableInput, match=rf"foods\.json .*{why}"):
        list(import_fdc(str(path)))


def test_a_food_without_an_end_does_not_fill_the_memory() -> None:
    chunks = [b'{"Foods": [{"a": "', *[b"x" * 1024 * 1024] * (2 + LARGEST_ELEMENT // 1024**2)]
    with pytest.raises(UnreadableInput, match="has no end"):
        list(read_json(chunks, "foods.json"))


# --- From elements to foods


def test_foundation_and_sr_legacy_are_one_source_by_ndb_number(tmp_path: Path) -> None:
    portions = [
        {"amount": 1.0, "gramWeight": 149.0, "sequenceNumber": 2, "measureUnit": {"id": 1000, "name": "cup"}},
        {"amount": 1.0, "gramWeight": 8.4, "sequenceNumber": 1, "modifier": "small", "measureUnit": {"name": "each"}},
        {"amount": 1.0, "measureUnit": None},
    ]
    nutrients = [*element()["foodNutrients"], amount(1106, 3.0, "µg"), amount(1103, 2.0, "\u03bcg"), amount(1051, None)]
    path = write_json(tmp_path / "a.json", "FoundationFoods", element(foodPortions=portions, foodNutrients=nutrients))
    food = only_food(path)
    assert (food.source, food.source_key, food.dataset) == ("usda", "09040", "foundation")
    assert food.name == 'Bananas "ripe" {raw} [\\]'
    assert food.released == datetime(2020, 4, 1, tzinfo=UTC)
    assert food.servings == [Serving("1 small", 8.4), Serving("1 cup", 149.0)]
    assert (food.nutrients["vitamin_a_in_mcg"], food.nutrients["selenium_in_mcg"]) == (3.0, 2.0)
    assert "water_in_gm" not in food.nutrients
    again = only_food(write_json(tmp_path / "b.json", "SRLegacyFoods", element("SR Legacy", ndbNumber="09040")))
    assert (again.id, again.dataset) == (food.id, "sr_legacy")


def test_a_survey_food_has_its_food_code_and_its_portions_as_they_are_said(tmp_path: Path) -> None:
    measure = {"id": 9999, "name": "undetermined", "abbreviation": "undetermined"}
    portions = [
        {
            "modifier": code,
            "measureUnit": measure,
            "portionDescription": words,
            "gramWeight": weight,
            "sequenceNumber": at,
        }
        for at, (code, words, weight) in enumerate(
            [
                ("90000", "Quantity not specified", 126),
                ("10205", "1 cup, NFS", 150),
                ("63201", '1 medium (7" to 7-7/8" long)', 126),
                ("1", '1 medium (7" to 7-7/8" long)', 130),
            ]
        )
    ]
    food = only_food(
        write_json(
            tmp_path / "surveyDownload.json",
            "SurveyFoods",
            element("Survey (FNDDS)", foodCode=63107010, ndbNumber=None, foodPortions=portions),
        )
    )
    assert (food.source, food.source_key, food.dataset) == ("fndds", "63107010", "fndds")
    assert food.servings == [Serving("1 cup", 150.0), Serving('1 medium (7" to 7-7/8" long)', 126.0)]


def test_a_branded_food_has_its_gtin_its_brand_and_its_serving(tmp_path: Path) -> None:
    members = {
        "gtinUpc": "00036000291452",
        "brandOwner": "Acme Holding, Inc.",
        "brandName": "ACME'S BEST",
        "servingSize": 240.0,
        "servingSizeUnit": "MLT",
        "householdServingFullText": "8 OZA",
        "availableDate": "3/2/2021",
        "publicationDate": None,
    }
    with zipfile.ZipFile(tmp_path / "branded.zip", "w") as archive:
        archive.writestr("brandedDownload.json", json.dumps({"BrandedFoods": [element(data_type=None, **members)]}))
    food = only_food(str(tmp_path / "branded.zip"))
    assert (food.source, food.source_key, food.barcode) == ("usda_branded", "36000291452", "0036000291452")
    assert (food.brand, food.unit, food.servings) == ("Acme's Best", Unit.MILLILITRE, [Serving("8 fl oz", 240.0)])
    assert food.released == datetime(2021, 3, 2, tzinfo=UTC)


def test_every_element_has_one_outcome(tmp_path: Path) -> None:
    gtin = {"gtinUpc": "036000291452", "availableDate": "11/13/2020"}
    path = write_json(
        tmp_path / "foods.json",
        "BrandedFoods",
        element("Branded", **gtin, fdcId=7),
        element("Branded", **gtin | {"availableDate": "4/1/2021"}, fdcId=5, description="Newer"),
        element("Branded", gtinUpc=None),
        element("Branded", gtinUpc="4006381333931", description=None),
        element("Experimental"),
        element(foodNutrients="none"),
        None,
        [],
    )
    outcomes = list(import_fdc(path))
    rejected = [outcome.reason for outcome in outcomes if isinstance(outcome, Rejected)]
    assert [outcome.food.name for outcome in outcomes if isinstance(outcome, Accepted)] == ["Newer"]
    assert len(outcomes) == 8
    # What says nothing of itself, or something unknown, is what the array says.
    assert sorted(rejected) == sorted(
        [Reason.SUPERSEDED, Reason.NO_KEY, Reason.NO_NAME, Reason.NO_KEY, *[Reason.UNREADABLE] * 3]
    )
    assert isinstance(read_element("", json.dumps(element("Experimental")).encode()), Rejected)


def test_several_json_files_of_a_folder_and_standard_input_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = write_json(tmp_path / "a.json", "FoundationFoods", element())
    write_json(tmp_path / "b.json", "SurveyFoods", element("Survey (FNDDS)", foodCode="63107010"))
    sizes: list[tuple[int, int | None]] = []
    outcomes = list(import_fdc(str(tmp_path), lambda position, size: sizes.append((position, size))))
    assert sorted(outcome.food.source for outcome in outcomes if isinstance(outcome, Accepted)) == ["fndds", "usda"]
    assert sizes[-1] == (sum(path.stat().st_size for path in tmp_path.iterdir()),) * 2
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(first).read_bytes())))
    assert only_food("-").source_key == "09040"


# --- Nutrients


def test_the_table_names_everything_in_the_registry_that_fdc_measures() -> None:
    amounts = {scale.nutrient_id: 1.0 for scale in find_scales({}).values()}
    named = name_nutrients(amounts)
    assert set(NUTRIENTS) - named.nutrients.keys() == {"net_carbs_in_g", "omega_3_in_g", "omega_6_in_g"}
    assert named.nutrients.keys() <= set(NUTRIENTS)
    assert (named.energy_kj, named.salt_in_g, named.is_atwater) == (1.0, 1.0, False)


@pytest.mark.parametrize(
    ("code", "unit", "value", "expected"),
    [
        ("1003", "G", 3.3, 3.3),
        ("203", "G", 3.3, 3.3),
        ("1003", "MG", 3300, 3.3),
        ("1093", "g", 0.0007, 0.7),
        ("307", "UG", 700, 0.7),
        ("1106", "mg", 0.0033, 3.3),
        ("1106", "MCG", 3.3, 3.3),
        ("1149", "MG", 1250, 1.25),
        ("1149", "", 1250, 1.25),
        ("1110", "IU", 40, 40),
        ("1008", "kcal", 52, 52),
        ("1062", "kJ", 218, 218),
    ],
)
def test_units_are_converted_exactly(code: str, unit: str, value: float, expected: float) -> None:
    scale = find_scale(code, unit)
    assert scale is not None
    assert value * scale.multiplier / scale.divisor == expected


@pytest.mark.parametrize(
    ("code", "unit"),
    [
        ("2066", "G"),
        ("1002", "G"),
        ("", ""),
        ("1003", "IU"),
        ("1158", "MG_ATE"),
        ("1106", "MCG_RE"),
        ("1008", "kJ"),
        ("1093", "PH"),
    ],
)
def test_what_the_registry_lacks_or_a_unit_that_measures_something_else_is_read_past(code: str, unit: str) -> None:
    assert find_scale(code, unit) is None


def test_the_first_definition_counts_whatever_the_order() -> None:
    amounts = {1063: 9.0, 2033: 8.0, 1085: 7.0, 1050: 6.0, 2047: 5.0}
    named = name_nutrients(amounts)
    assert named.nutrients == {
        "sugars_in_g": 9.0,
        "fiber_in_g": 8.0,
        "total_fat_in_gm": 7.0,
        "total_carbohydrates_in_gm": 6.0,
        "energy_kcal": 5.0,
    }
    assert named.is_atwater
    better = {2000: 1.0, 1079: 2.0, 1004: 3.0, 1005: 4.0, 1008: 6.0}
    assert name_nutrients(amounts | better) == name_nutrients(better | amounts) == name_nutrients(better)


def test_vitamin_d_is_known_in_both_units_where_one_is_given() -> None:
    both = {"vitamin_d_in_iu": 40.0, "vitamin_d_in_mcg": 1.0}
    assert name_nutrients({1114: 1.0}).nutrients == name_nutrients({1110: 40.0}).nutrients == both
    assert name_nutrients({1110: 41.0, 1114: 1.0}).nutrients["vitamin_d_in_iu"] == 41.0


def test_salt_stands_for_sodium_where_there_is_none() -> None:
    outcome = judge_food(FdcFood("foundation", 1, "9040", "Soup", food_nutrient=MACROS | {1149: 1.0}), "09040")
    assert isinstance(outcome, Accepted)
    assert outcome.mends == (Mend.SODIUM_FROM_SALT,)
    assert outcome.food.nutrients["sodium_in_mg"] == pytest.approx(400)


# --- Keys, servings and brands


@pytest.mark.parametrize(
    ("dataset", "code", "key"),
    [
        ("foundation", "9040", "09040"),
        ("sr_legacy", "01001", "01001"),
        ("foundation", "100147", "100147"),
        ("fndds", " 63107010 ", "63107010"),
        ("usda_branded", "00036000291452", "36000291452"),
        ("usda_branded", "0 36000-29145 2", "36000291452"),
        ("usda_branded", "", None),
        ("usda_branded", "0000", None),
        ("usda_branded", "12a", None),
        ("usda_branded", "٣٦", None),
    ],
)
def test_a_key_has_one_spelling(dataset: str, code: str, key: str | None) -> None:
    assert find_key(FdcFood(dataset, 1, code)) == key


@pytest.mark.parametrize(
    ("unit", "expected", "is_measured"),
    [
        ("g", Unit.GRAM, True),
        ("GRM", Unit.GRAM, True),
        ("GM", Unit.GRAM, True),
        ("ml", Unit.MILLILITRE, True),
        ("MLT", Unit.MILLILITRE, True),
        ("MG", Unit.GRAM, False),
        ("MC", Unit.GRAM, False),
        ("IU", Unit.GRAM, False),
        ("", Unit.GRAM, False),
    ],
)
def test_a_label_is_for_grams_or_millilitres_and_other_units_give_no_serving(
    unit: str, expected: Unit, is_measured: bool
) -> None:
    food = make_food(
        dataset="usda_branded", serving_size=30.0, serving_size_unit=unit, household_serving_fulltext="1 BAR"
    )
    assert food.unit is expected
    assert list(food.servings) == ([Serving("1 bar", 30.0)] if is_measured else [])
    assert make_food(dataset="usda_branded", serving_size_unit=unit).servings == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 ONZ", "1 oz"),
        ("8 OZA", "8 fl oz"),
        ("0.5 cup", "1/2 cup"),
        ("1.5 CUP", "1 1/2 cups"),
        ("2 cup", "2 cups"),
        ("0.333 PIZZA, PER CONTAINER", "1/3 pizza"),
        ("0.083 PACKAGE", "1/12 package"),
        ("0.62 ONZ", "0.62 oz"),
        ("14.00 GR", "14 g"),
        ("5 PCS.", "5 pieces"),
        ("6 CRACKERS | ABOUT", "about 6 crackers"),
        ("2.5 CUPS) | (ABOUT", "about 2 1/2 cups"),
        ("7 CLOVES | (BASED ON VEG. W/OUT BRINE)", "7 cloves (based on veg. w/out brine)"),
        ("28 G | CUSTOM FOOD", "28 g"),
        ("2 cookies (29g)", "2 cookies (29g)"),
        ("1 pack (50g) (2 sandwiches)", "1 pack (50g) (2 sandwiches)"),
        ("2 oz (56 g/dry pasta", "2 oz (56 g/dry pasta)"),
        ("Amount per serving", "1 serving"),
        ("Per 100 g", "1 serving"),
        ("", "1 serving"),
        ("x" * 101, "1 serving"),
    ],
)
def test_household_measures_are_said_the_way_people_say_them(text: str, said: str) -> None:
    assert describe_household(text) == said


@pytest.mark.parametrize(
    ("portion", "said"),
    [
        (Portion(122.0, 0.5, "cup", "chopped"), ["1/2 cup, chopped"]),
        (Portion(136.0, 1.0, "undetermined", "cup, mashed"), ["1 cup, mashed"]),
        (Portion(5.0, 1.0, "undetermined", 'pat (1" sq, 1/3" high)'), ['1 pat (1" sq, 1/3" high)']),
        (Portion(161.0, 1.0, "fruit", 'medium (2-2/3" dia)'), ['1 medium fruit (2-2/3" dia)']),
        (Portion(129.0, 1.0, "each", '2-1/3" dia'), ['1 (2-1/3" dia)']),
        (Portion(140.0, 1.0, "serving", "NLEA"), ["1 serving"]),
        (Portion(34.0, 2.0, "tablespoon"), ["2 tablespoons"]),
        (Portion(105.0, 1.0, "cup", "", "shredded"), ["1 cup, shredded"]),
        (Portion(110.0, None, "Banana", "Peeled"), ["1 banana, peeled"]),
        (Portion(155.0, 1.0, "paired cooked w", "crumbles"), []),
        (Portion(155.0, 1.0, "undetermined"), []),
        (Portion(0.0, 1.0, "cup"), []),
        (Portion(float("inf"), 1.0, "cup"), []),
        (Portion(5.0, 0.0, "cup"), []),
        (Portion(5.0, float("nan"), "cup"), []),
    ],
)
def test_portions_are_said_the_way_people_say_them(portion: Portion, said: list[str]) -> None:
    servings = make_food(food_portion=[portion]).servings
    assert [serving.description for serving in servings] == said


@pytest.mark.parametrize(
    ("name", "brand"),
    [
        ("Annie's", "Annie's"),
        ("REESE'S", "Reese's"),
        ("GENERAL MILLS SALES INC.", "General Mills Sales"),
        ("The Coca-Cola Company-0049000000016", "Coca-Cola"),
        ("Mondelez Int. US (0074819091009)", "Mondelez Int. US"),
        ("John Volpi & Co., Inc.", "John Volpi & Co."),
        ("COMERCIALIZADORA GONAC, S.A. DE C.V.", "Comercializadora Gonac"),
        ("Brandstorm Inc,", "Brandstorm"),
        ("LAND O'LAKES, INC.", "Land O'Lakes"),
        ("MCCORMICK", "McCormick"),
        ("PRIDE OF INDIA", "Pride of India"),
        ("B&G FOODS, INC.", "B&G Foods"),
        ("QTG", "QTG"),
        ("OSEM USA, INC.", "Osem USA"),
        ("NOT A BRANDED ITEM", None),
        ("Inc.", "Inc."),
        (" ", None),
    ],
)
def test_brands_are_written_as_people_write_them(name: str, brand: str | None) -> None:
    assert tidy_brand(name) == brand


@given(st.text())
def test_any_text_can_be_said(text: str) -> None:
    assert describe_household(text)
    tidied = tidy_brand(text)
    assert tidied is None or tidied.strip()
