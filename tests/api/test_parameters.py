"""The parameter reader by itself: whatever comes in, a value or a 400 comes out, and soon."""

import json
import time
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar
from urllib.parse import quote_plus

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from provender.api.errors import problem
from provender.api.kinds import Barcode, Choice, Choices, Cursor, Group, Number, Text, Timezone, Whole
from provender.api.parameters import NULLABLE
from provender.api.reader import Reader
from provender.model.errors import InvalidParameters, InvalidRequest

GROUPS = ("vitamins", "minerals", "carbohydrates", "lipids", "proteins")


@dataclass(frozen=True, kw_only=True)
class Everything:
    """A parameter of every kind there is."""

    food_name: Annotated[str, Text(), "A name."]
    note: Annotated[str | None, Text(longest=1000), "A note.", NULLABLE] = None
    food_type: Annotated[str, Choice(("generic", "brand")), "A choice."] = "generic"
    metric_serving_amount: Annotated[int, Whole(1, 100_000), "A whole number."] = 100
    water_in_gm: Annotated[float | None, Number(), "A number.", NULLABLE] = None
    timezone: Annotated[str | None, Timezone(), "A zone.", NULLABLE] = None
    starting_after: Annotated[str | None, Cursor(), "A cursor."] = None
    include: Annotated[frozenset[str], Choices(GROUPS), "Groups."] = frozenset()
    macro_nutrients: Annotated[dict[str, float | None], Group(), "A group."] = field(default_factory=dict)
    vitamins: Annotated[dict[str, float | None] | None, Group(), "Another, or null.", NULLABLE] = None
    barcode: Annotated[str | None, Barcode(), "A barcode.", NULLABLE] = None

    READ_PAST: ClassVar = frozenset({"reference_id"})


READER = Reader(Everything)


def _faults(encoded: str | None = None, body: Any = None) -> list[tuple[str, str]]:
    read, sent = (READER.read_json, json.dumps(body)) if encoded is None else (READER.read_pairs, encoded)
    with pytest.raises(InvalidParameters) as caught:
        read(sent.encode())
    return [(fault.param, fault.code) for fault in caught.value.faults]


@pytest.mark.parametrize(
    "spelling",
    [
        "include[]=vitamins&include[]=lipids",
        "include=vitamins&include=lipids",
        "include[0]=vitamins&include[1]=lipids",
        "include=vitamins,lipids",
        "include=vitamins,%20lipids",
        "includes=vitamins,lipids",
        "include%5B%5D=vitamins&include%5B%5D=lipids",
        "include[]=vitamins&include[]=lipids&include[]=lipids",
    ],
)
def test_include_means_the_same_in_all_its_spellings(spelling: str) -> None:
    assert READER.read_pairs(f"food_name=a&{spelling}".encode()).include == {"vitamins", "lipids"}


@pytest.mark.parametrize("body", [["vitamins", "lipids"], "vitamins,lipids"])
def test_include_in_json_is_a_list_or_a_text(body: object) -> None:
    value = READER.read_json(json.dumps({"food_name": "a", "include": body}).encode())
    assert value.include == {"vitamins", "lipids"}


def test_an_empty_include_asks_for_none() -> None:
    assert READER.read_pairs(b"food_name=a&include[]=").include == frozenset()
    assert READER.read_json(b'{"food_name": "a", "include": []}').include == frozenset()


def test_an_unknown_include_names_the_allowed_ones() -> None:
    with pytest.raises(InvalidParameters) as caught:
        READER.read_pairs(b"food_name=a&include[]=vitamin")
    [fault] = caught.value.faults
    assert fault.param == "include"
    assert all(group in fault.message for group in GROUPS)


def test_a_group_is_read_from_brackets_and_from_json_alike() -> None:
    form = b"food_name=a&macro_nutrients[energy_kcal]=89.5&macro_nutrients[total_fat_in_gm]=&macro_nutrients[own]=1e2"
    body = b'{"food_name": "a", "macro_nutrients": {"energy_kcal": 89.5, "total_fat_in_gm": null, "own": 100}}'
    expected = {"energy_kcal": 89.5, "total_fat_in_gm": None, "own": 100.0}
    assert READER.read_pairs(form).macro_nutrients == READER.read_json(body).macro_nutrients == expected


@pytest.mark.parametrize(
    ("encoded", "fault"),
    [
        ("macro_nutrients=5", ("macro_nutrients", "wrong_shape")),
        ("macro_nutrients[a][b]=5", ("macro_nutrients[a][b]", "wrong_shape")),
        ("macro_nutrients[A]=5", ("macro_nutrients[A]", "invalid_name")),
        ("macro_nutrients[]=5", ("macro_nutrients[]", "invalid_name")),
        ("macro_nutrients[a]=5&macro_nutrients[a]=6", ("macro_nutrients[a]", "duplicate")),
        ("macro_nutrients[a]=-1", ("macro_nutrients[a]", "out_of_range")),
        ("macro_nutrients[a]=nan", ("macro_nutrients[a]", "wrong_type")),
        ("macro_nutrients[a]=inf", ("macro_nutrients[a]", "wrong_type")),
        ("macro_nutrients[a]=1e999", ("macro_nutrients[a]", "out_of_range")),
        ("macro_nutrients[a]=0x10", ("macro_nutrients[a]", "wrong_type")),
        ("macro_nutrient[a]=1", ("macro_nutrient", "unknown_parameter")),
        ("include[x]=vitamins", ("include[x]", "wrong_shape")),
        ("water_in_gm=1,5", ("water_in_gm", "wrong_type")),
        ("food_type=Brand", ("food_type", "not_allowed")),
        ("metric_serving_amount=0", ("metric_serving_amount", "out_of_range")),
        ("metric_serving_amount=1.5", ("metric_serving_amount", "wrong_type")),
        ("starting_after=a&starting_after=a", ("starting_after", "duplicate")),
        ("note=" + "x" * 1001, ("note", "too_long")),
        ("vitamins=5", ("vitamins", "wrong_shape")),
        ("macro_nutrients=", ("macro_nutrients", "wrong_shape")),
        ("vitamins=&vitamins[a]=1", ("vitamins", "duplicate")),
        ("vitamins[a]=1&vitamins=", ("vitamins", "duplicate")),
        ("barcode=4006381333932", ("barcode", "invalid_barcode")),
        ("barcode=" + "1" * 12_001, ("barcode", "too_long")),
        ("reference_i=a", ("reference_i", "unknown_parameter")),
        ("note=" + quote_plus("🍌" * 1001), ("note", "too_long")),
    ],
)
def test_each_fault_is_named(encoded: str, fault: tuple[str, str]) -> None:
    assert _faults(f"food_name=a&{encoded}") == [fault]


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"macro_nutrients": 5}, ("macro_nutrients", "wrong_type")),
        ({"macro_nutrients": None}, ("macro_nutrients", "null_not_allowed")),
        ({"macro_nutrients": {"a": "5"}}, ("macro_nutrients[a]", "wrong_type")),
        ({"macro_nutrients": {"a": True}}, ("macro_nutrients[a]", "wrong_type")),
        ({"macro_nutrients": {"a": {}}}, ("macro_nutrients[a]", "wrong_type")),
        ({"macro_nutrients": {"a": 10**400}}, ("macro_nutrients[a]", "out_of_range")),
        ({"macro_nutrients": {f"m{n}": 1 for n in range(101)}}, ("macro_nutrients", "too_many")),
        ({"metric_serving_amount": 100.5}, ("metric_serving_amount", "wrong_type")),
        ({"metric_serving_amount": "100"}, ("metric_serving_amount", "wrong_type")),
        ({"water_in_gm": True}, ("water_in_gm", "wrong_type")),
        ({"include": [1]}, ("include", "wrong_type")),
        ({"include": {"vitamins": 1}}, ("include", "wrong_type")),
        ({"food_type": None}, ("food_type", "null_not_allowed")),
        ({"note": "\ud800"}, ("note", "invalid_character")),
    ],
)
def test_each_fault_of_a_json_body_is_named(body: dict[str, Any], fault: tuple[str, str]) -> None:
    if body.get("note") == "\ud800":
        with pytest.raises(InvalidRequest):
            READER.read_json(json.dumps({"food_name": "a", **body}).encode())
        return
    assert _faults(body={"food_name": "a", **body}) == [fault]


def test_null_and_an_empty_form_value_mean_the_same_where_null_is_taken() -> None:
    form = READER.read_pairs(b"food_name=a&note=&water_in_gm=&timezone=&vitamins=&barcode=")
    body = READER.read_json(
        b'{"food_name": "a", "note": null, "water_in_gm": null, "timezone": null, "vitamins": null, "barcode": null}'
    )
    assert form == body
    assert (form.note, form.water_in_gm, form.timezone, form.vitamins, form.barcode) == (None,) * 5


def test_what_is_read_past_means_nothing() -> None:
    plain = READER.read_pairs(b"food_name=a")
    for encoded in (b"reference_id=x", b"reference_id=", b"reference_id[a][b]=x", b"reference_id=x&reference_id=y"):
        assert READER.read_pairs(b"food_name=a&" + encoded) == plain
    for body in (b'"x"', b"null", b"5", b'{"a": [1]}'):
        assert READER.read_json(b'{"food_name": "a", "reference_id": %b}' % body) == plain


names = st.sampled_from([*READER.parameters, "includes", "unknown", ""]) | st.text(max_size=8)
brackets = st.sampled_from(["", "[]", "[0]", "[a]", "[energy_kcal]", "[", "]", "[a][b]", "[[]]", "[\x00]"])
values = st.text(max_size=40) | st.sampled_from(
    ["", "1", "-1", "0.25", "1e309", "nan", "vitamins,lipids", "Europe/Berlin", "brand", "\x00", "x" * 300]
)


@given(st.lists(st.tuples(names, brackets, values), max_size=12), st.booleans())
@hypothesis_settings(max_examples=400)
def test_any_form_gives_a_value_or_a_400(pairs: list[tuple[str, str, str]], quoted: bool) -> None:
    quote = quote_plus if quoted else str
    encoded = "&".join(f"{quote(name)}{bracket}={quote(value)}" for name, bracket, value in pairs)
    _value_or_400(encoded.encode("utf-8", "surrogatepass"))


@given(st.binary(max_size=300))
@hypothesis_settings(max_examples=400)
def test_any_bytes_give_a_value_or_a_400(encoded: bytes) -> None:
    _value_or_400(encoded)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(names, json_values, max_size=8))
@hypothesis_settings(max_examples=400)
def test_any_json_gives_a_value_or_a_400(body: dict[str, Any]) -> None:
    _value_or_400(json.dumps(body).encode("utf-8", "surrogatepass"), READER.read_json)


def _value_or_400(encoded: bytes, read: Any = READER.read_pairs) -> None:
    """Anything that is raised and is no InvalidRequest fails the test by itself."""
    try:
        value = read(encoded)
    except InvalidRequest as refusal:
        # What is said about it must itself be fit for an answer.
        problem(refusal, "request")
        faults = getattr(refusal, "faults", [])
    else:
        faults = []
        assert isinstance(value, Everything)
        assert 1 <= len(value.food_name) <= 255
    assert len(faults) <= 25


MIB = 1024 * 1024


def _fill(unit: bytes, head: bytes = b"", tail: bytes = b"") -> bytes:
    return head + unit * ((MIB - len(head) - len(tail)) // len(unit)) + tail


BOMBS = {
    "ampersands": _fill(b"&"),
    "equals": _fill(b"="),
    "percents": _fill(b"%"),
    "escaped value": _fill(b"%41", b"food_name="),
    "escaped name": _fill(b"%41"),
    "escaped include": b"&".join([b"include[]=" + b"%41" * 340] * 1000)[:MIB],
    "escaped notes": b"&".join([b"note=" + b"%41" * 340] * 1000)[:MIB],
    "pluses": _fill(b"+", b"note="),
    "brackets": _fill(b"[", b"macro_nutrients"),
    "closing brackets": _fill(b"]", b"macro_nutrients["),
    "many members": b"&".join(b"macro_nutrients[m%d]=1" % n for n in range(1000)),
    "many commas": _fill(b",", b"include="),
    "unknown names": b"&".join(b"starting_aftr%d=1" % n for n in range(999)),
    "long unknown names": b"&".join([b"starting_after" * 75] * 999)[:MIB],
    "invalid utf-8": _fill(b"\xff"),
    "long number": _fill(b"9", b"metric_serving_amount="),
}

JSON_BOMBS = {
    "open lists": _fill(b"["),
    "open objects": _fill(b'{"a":'),
    "list": _fill(b"0,", b'{"a":[', b"0]}"),
    "duplicates": _fill(b'"a":0,', b"{", b'"a":0}'),
    "duplicate objects": _fill(b'{"a":0},', b'{"x":[', b"{}]}"),
    "members": b"{" + b",".join(b'"%d":0' % n for n in range(90_000)) + b"}",
    "long text": _fill(b"x", b'{"food_name":"', b'"}'),
    "escapes": _fill(b"\\u0041", b'{"food_name":"', b'"}'),
    "colons": _fill(b":", b'{"food_name":"', b'"}'),
    "colons and depth": _fill(b":", b'{"food_name":"', b'","x":' + b"[" * 900 + b"]" * 900 + b"}"),
    "long number": _fill(b"9", b'{"metric_serving_amount":', b"}"),
    "long fraction": _fill(b"9", b'{"water_in_gm":0.', b"}"),
    "digits with exponent": _fill(b"9", b'{"water_in_gm":', b"e5}"),
    "spaces": _fill(b" ", b"{", b"}"),
    "twice nested": _fill(b'"b":0,', b'{"a":{', b'"b":0}}'),
}


@pytest.mark.parametrize("name", [*BOMBS, *(f"json: {name}" for name in JSON_BOMBS)])
def test_no_input_of_1_mib_costs_more_than_50_ms(name: str) -> None:
    is_json = name.startswith("json: ")
    bomb = JSON_BOMBS[name.removeprefix("json: ")] if is_json else BOMBS[name]
    assert len(bomb) <= MIB
    costs = []
    for _ in range(5):
        started = time.thread_time()
        _value_or_400(bomb, READER.read_json if is_json else READER.read_pairs)
        costs.append(time.thread_time() - started)
    # The best of five: what is measured is our code, not what else the machine is doing.
    assert min(costs) < 0.050, f"{min(costs) * 1000:.0f} ms"
