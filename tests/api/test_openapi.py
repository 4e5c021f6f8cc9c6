"""GET /openapi.json, and the tables it comes from."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from provender.api.app import ROUTES
from provender.api.schemas import EXAMPLES
from provender.model.gtin import is_gtin13
from provender.model.nutrients import NUTRIENTS, Group
from tests.contract import openapi, resolve
from tests.kitchen import GRANOLA, new_profile


async def test_the_document_is_valid_openapi_3_1(acme: httpx.AsyncClient) -> None:
    served = (await acme.get("/openapi.json")).json()
    assert served["openapi"].startswith("3.1")
    validate(served)


def test_every_route_is_documented() -> None:
    documented = {(method.upper(), path) for path, operations in openapi()["paths"].items() for method in operations}
    assert documented == {(route.method, route.path) for route in ROUTES}


def test_operations_have_unique_ids_and_summaries() -> None:
    operations = [operation for operations in openapi()["paths"].values() for operation in operations.values()]
    ids = [operation["operationId"] for operation in operations]
    assert len(ids) == len(set(ids))
    assert all(operation["summary"] and operation["description"] for operation in operations)


def test_every_object_that_is_sent_or_answered_has_a_name() -> None:
    def anonymous(node: Any, place: str) -> Iterator[str]:
        if isinstance(node, dict):
            if "properties" in node and not re.fullmatch(r"/components/schemas/\w+", place):
                yield place
            for name, each in node.items():
                yield from anonymous(each, f"{place}/{name}")
        elif isinstance(node, list):
            for number, each in enumerate(node):
                yield from anonymous(each, f"{place}/{number}")

    assert list(anonymous(openapi(), "")) == []
    # The names are the interface's words, not those of our classes.
    assert not [name for name in openapi()["components"]["schemas"] if name.endswith(("Answer", "Parameters"))]


def test_words_that_several_objects_share_have_one_name() -> None:
    schemas = openapi()["components"]["schemas"]
    meal = {"$ref": "#/components/schemas/MealOfDay"}
    assert schemas["MealOfDay"]["enum"] == ["breakfast", "lunch", "dinner", "snack"]
    assert schemas["Log"]["properties"]["meal"] == meal
    assert schemas["NewLog"]["properties"]["meal"].items() >= meal.items()
    for path in ("/v1/diary-logs", "/v1/foods/most-eaten"):
        parameters = openapi()["paths"][path]["get"]["parameters"]
        assert next(each["schema"] for each in parameters if each["name"] == "meal") == meal
    named = {name for name, schema in schemas.items() if "enum" in schema}
    assert named >= {"FoodPart", "FoodType", "MealOfDay", "NutrientGroup", "ServingUnit"}
    for word, name in (("breakfast", "MealOfDay"), ("generic", "FoodType"), ("ml", "ServingUnit")):
        assert [each for each, schema in schemas.items() if f"'{word}'" in str(schema)] == [name]


def test_groups_of_nutrients_name_the_members_of_the_registry_and_allow_others() -> None:
    schemas = openapi()["components"]["schemas"]
    for holder in ("Food", "Log", "Sums", "Totals", "ExportedFood"):
        assert schemas[holder]["properties"]["vitamins"] == {"$ref": "#/components/schemas/Vitamins"}
    known = [each.name for each in NUTRIENTS.values() if each.group is Group.MACRO_NUTRIENTS]
    assert list(schemas["MacroNutrients"]["properties"]) == known
    # None is required: what nobody measured is absent.
    assert "required" not in schemas["MacroNutrients"]
    assert schemas["MacroNutrients"]["additionalProperties"] == {"type": "number"}


def test_a_member_that_need_not_be_sent_has_no_default_that_says_otherwise() -> None:
    """A widely used generator makes a member with a default one that must be sent."""
    for name, schema in openapi()["components"]["schemas"].items():
        assert not [each for each, member in schema.get("properties", {}).items() if "default" in member], name


def test_times_are_long_numbers_and_days_are_dates() -> None:
    schemas = openapi()["components"]["schemas"]
    times = {
        f"{name}.{member}": each.get("anyOf", [each])[0].get("format")
        for name, schema in schemas.items()
        for member, each in schema.get("properties", {}).items()
        if member.endswith("_at")
    }
    assert "Food.created_at" in times
    assert "SentLog.created_at" in times
    assert "KeyItem.revoked_at" in times
    assert set(times.values()) == {"int64"}
    assert schemas["Log"]["properties"]["date"] == {"type": "string", "format": "date"}


def test_chapters_and_variables_of_paths_are_explained() -> None:
    document = openapi()
    explained = {tag["name"] for tag in document["tags"] if tag.get("description")}
    for path, operations in document["paths"].items():
        for operation in operations.values():
            assert set(operation["tags"]) <= explained, path
            variables = {each["name"] for each in operation.get("parameters", ()) if each.get("in") == "path"}
            assert variables == set(re.findall(r"{(\w+)}", path))
            described = [each["description"] for each in operation.get("parameters", ()) if each.get("in") == "path"]
            assert all(len(each) > len("The ``. Percent-encoded.") + 10 for each in described)


def test_examples_fit_what_they_are_examples_of() -> None:
    def examples(node: Any) -> Iterator[dict[str, Any]]:
        if isinstance(node, dict):
            if isinstance(node.get("examples"), list):
                yield node
            elif "example" in node:
                yield node["schema"] | {"examples": [node["example"]]}
            node = list(node.values())
        if isinstance(node, list):
            for each in node:
                yield from examples(each)

    found = list(examples(openapi()))
    assert len(found) > 50
    # A page would send these all at once, and two of them exclude the third.
    days = [
        each for each in openapi()["paths"]["/v1/diary-logs"]["get"]["parameters"] if each["name"] in "date from to"
    ]
    assert len(days) == 3
    assert "example" not in str(days)
    for schema in found:
        for example in schema["examples"]:
            Draft202012Validator(schema).validate(example)
    assert is_gtin13(EXAMPLES["barcode"])


def test_the_lists_parameters_have_their_limits() -> None:
    parameters = openapi()["paths"]["/v1/profiles"]["get"]["parameters"]
    limit = next(parameter for parameter in parameters if parameter["name"] == "limit")
    assert limit["schema"] == {"type": "integer", "minimum": 1, "maximum": 100, "default": 10}


def test_what_is_included_by_default_is_told() -> None:
    def default(path: str) -> object:
        parameters = openapi()["paths"][path]["get"]["parameters"]
        return next(each["schema"]["default"] for each in parameters if each["name"] == "include[]")

    assert default("/v1/foods/favorites") == ["vitamins"]
    assert default("/v1/foods/custom") == []


def test_what_can_be_asked_for_conditionally_says_so() -> None:
    responses = openapi()["paths"]["/v1/foods/{food_id}"]["get"]["responses"]
    assert "ETag" in responses["200"]["headers"]
    assert "ETag" in responses["304"]["headers"]


def test_bodies_are_described_as_form_and_as_json() -> None:
    body = openapi()["paths"]["/v1/profiles"]["post"]["requestBody"]
    assert set(body["content"]) == {"application/x-www-form-urlencoded", "application/json"}
    assert body["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/NewProfile"}
    assert resolve(body["content"]["application/json"]["schema"])["required"] == ["reference_id"]


def test_groups_of_a_form_are_described_with_their_brackets() -> None:
    body = openapi()["paths"]["/v1/foods/custom"]["post"]["requestBody"]
    encoding = body["content"]["application/x-www-form-urlencoded"]["encoding"]
    assert encoding["macro_nutrients"] == {"style": "deepObject", "explode": True}
    assert "food_name" not in encoding
    properties = resolve(body["content"]["application/json"]["schema"])["properties"]
    group, null = properties["macro_nutrients"]["anyOf"]
    assert resolve(group)["type"] == "object"
    assert null == {"type": "null"}
    assert properties["food_type"]["description"].endswith("`generic` if not sent.")
    # What is read past is described too, so that a body that has it is as described.
    assert "Read past" in properties["reference_id"]["description"]


def test_null_in_a_form_is_described_as_an_empty_value() -> None:
    body = openapi()["paths"]["/v1/foods/custom"]["post"]["requestBody"]["content"]
    form, json = (resolve(body[kind]["schema"])["properties"] for kind in sorted(body, reverse=True))
    number = {"type": "number", "minimum": 0, "maximum": 1e300}
    assert form["water_in_gm"]["anyOf"] == [number, {"const": ""}]
    assert form["water_in_gm"]["description"] == json["water_in_gm"]["description"]
    group, empty = form["vitamins"]["anyOf"]
    assert resolve(group)["additionalProperties"] == {"anyOf": [number, {"const": ""}]}
    assert empty == {"const": ""}
    assert json["water_in_gm"]["type"] == ["number", "null"]
    assert "'null'" not in str(form)


def test_the_characters_of_a_text_are_described() -> None:
    described = Draft202012Validator(openapi()["components"]["schemas"]["NewCustomFood"]["properties"]["food_name"])
    for text, fits in (
        ("Müesli \U0001f34c", True),
        ("a\x00b", False),
        ("a\nb", False),
        ("\x9f", False),
        ("\x7f", False),
    ):
        assert described.is_valid(text) == fits


async def test_a_long_number_is_the_same_in_a_form_and_in_json(acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    body = GRANOLA | {"profile_reference_id": "alice", "water_in_gm": 10**25}
    for response in (await acme.post("/v1/foods/custom", data=body), await acme.post("/v1/foods/custom", json=body)):
        assert response.status_code == 201, response.text
