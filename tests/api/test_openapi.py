"""GET /openapi.json, and the tables it comes from."""

import httpx
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from provender.api.app import ROUTES
from tests.contract import openapi
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
    assert all(operation["summary"] for operation in operations)


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
    assert body["content"]["application/json"]["schema"]["required"] == ["reference_id"]


def test_groups_of_a_form_are_described_with_their_brackets() -> None:
    body = openapi()["paths"]["/v1/foods/custom"]["post"]["requestBody"]
    encoding = body["content"]["application/x-www-form-urlencoded"]["encoding"]
    assert encoding["macro_nutrients"] == {"style": "deepObject", "explode": True}
    assert "food_name" not in encoding
    properties = body["content"]["application/json"]["schema"]["properties"]
    assert properties["macro_nutrients"]["type"] == ["object", "null"]
    assert properties["food_type"]["default"] == "generic"
    # What is read past is described too, so that a body that has it is as described.
    assert "Read past" in properties["reference_id"]["description"]


def test_null_in_a_form_is_described_as_an_empty_value() -> None:
    body = openapi()["paths"]["/v1/foods/custom"]["post"]["requestBody"]["content"]
    form, json = (body[kind]["schema"]["properties"] for kind in sorted(body, reverse=True))
    number = {"type": "number", "minimum": 0, "maximum": 1e300}
    assert form["water_in_gm"]["anyOf"] == [number, {"const": ""}]
    assert form["water_in_gm"]["description"] == json["water_in_gm"]["description"]
    group, empty = form["vitamins"]["anyOf"]
    assert group["additionalProperties"] == {"anyOf": [number, {"const": ""}]}
    assert empty == {"const": ""}
    assert json["water_in_gm"]["type"] == ["number", "null"]
    assert "'null'" not in str(form)


def test_the_characters_of_a_text_are_described() -> None:
    name = openapi()["paths"]["/v1/foods/custom"]["post"]["requestBody"]["content"]["application/json"]["schema"][
        "properties"
    ]["food_name"]
    described = Draft202012Validator(name)
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
