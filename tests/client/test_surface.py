"""The client has a method for every endpoint, and each endpoint has its parameters there."""

import inspect
import re
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from provender.api.app import ROUTES
from provender.api.openapi import document
from provender_client import errors
from provender_client.calls import OMITTED
from provender_client.decoding import wire_name
from provender_client.endpoints import Listing
from provender_client.models.answers import Answer
from tests.client.surface import ANSWERS, DECLARED, answer_row, row

DOCUMENT = document(ROUTES)
OPERATIONS = {
    (method.upper(), path): operation
    for path, operations in DOCUMENT["paths"].items()
    if path.startswith("/v1/")
    for method, operation in operations.items()
}
# The id of the path, which the API takes a second time because another client sends it.
_NOT_NEEDED = {("POST", "/v1/foods/favorites/{food_id}"): {"_id"}, ("POST", "/v1/foods/custom"): {"reference_id"}}


def test_every_endpoint_has_exactly_one_method() -> None:
    assert sorted((each.method, each.path) for each in DECLARED.values()) == sorted(OPERATIONS)


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_a_method_takes_the_parameters_of_its_endpoint(name: str) -> None:
    declared = DECLARED[name]
    required, nullable, every = _parameters(OPERATIONS[declared.method, declared.path])
    every -= _NOT_NEEDED.get((declared.method, declared.path), set())
    taken = {each.name.removesuffix("_"): each for each in declared.parameters if each.name != "document"}
    assert set(taken) == every
    assert {each for each, parameter in taken.items() if parameter.default is inspect.Parameter.empty} == required
    if declared.method == "PATCH":
        assert {each for each, parameter in taken.items() if parameter.default is OMITTED} == nullable


@pytest.mark.parametrize("name", sorted(name for name, declared in DECLARED.items() if declared.answer))
def test_an_answer_has_the_members_of_its_endpoint(name: str) -> None:
    declared = DECLARED[name]
    responses = OPERATIONS[declared.method, declared.path]["responses"]
    [schema] = {
        response["content"]["application/json"]["schema"]["$ref"]
        for status, response in responses.items()
        if status in ("200", "201")
    }
    described = _schema(schema)
    if isinstance(declared, Listing):
        described = _schema(described["properties"]["data"]["items"]["$ref"])
    assert declared.answer is not None
    assert _shape(declared.answer) == _described(described)


def test_every_method_has_a_line_that_says_what_it_does() -> None:
    for name, declared in DECLARED.items():
        assert declared.__doc__, name
        assert declared.__doc__.strip().endswith("."), name


# What needs a word where an editor shows it: neither its name nor its type says what it does.
NOT_PLAIN = {"include", "food_type", "metric_amount", "serving_id", "from_", "to", "by", "rate_limit", "skip_missing"}
NOT_PLAIN |= {"timezone", "items", "logs", "brand_name"}


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_a_parameter_that_is_not_plain_is_explained(name: str) -> None:
    declared = DECLARED[name]
    # In a change each of them is what it was when the thing was made.
    if declared.method != "PATCH":
        asked = {each.name for each in declared.parameters} & NOT_PLAIN
        assert {each for each in asked if f"`{each}`" not in (declared.__doc__ or "")} == set()


def _schema(reference: str) -> dict[str, Any]:
    found: dict[str, Any] = DOCUMENT["components"]["schemas"][reference.rsplit("/", 1)[1]]
    return found


def _described(schema: dict[str, Any]) -> dict[str, Any]:
    """Each member of an object: whether it must be there, whether it may be null, and what is in it."""
    return {
        name: (name in schema.get("required", []), *_content(member)) for name, member in schema["properties"].items()
    }


def _content(member: dict[str, Any]) -> tuple[bool, Any]:
    kinds = member.get("anyOf", [member])
    [kind] = [each for each in kinds if each.get("type") != "null"]
    kind = kind.get("items", kind)
    inner = _schema(kind["$ref"]) if "$ref" in kind else {}
    # A named word has nothing in it, and a group of nutrients takes more members than it names.
    is_object = "properties" in inner and "additionalProperties" not in inner
    return len(kinds) > 1, _described(inner) if is_object else None


def _shape(kind: type[Answer]) -> dict[str, Any]:
    """The same of a dataclass. Where a member need not be there, None stands for its absence."""
    hints = get_type_hints(kind)
    shape = {}
    for each in fields(kind):
        if each.name == "raw":
            continue
        inner = [one for one in _within(hints[each.name]) if isinstance(one, type) and issubclass(one, Answer)]
        required = each.default is MISSING
        may_be_null = required and type(None) in get_args(hints[each.name])
        shape[wire_name(each.name)] = (required, may_be_null, _shape(inner[0]) if inner else None)
    return shape


def _within(hint: Any) -> list[Any]:
    return [hint, *(inner for each in get_args(hint) for inner in _within(each))]


def _may_be_null(schema: dict[str, Any]) -> bool:
    return "null" in (schema.get("type") or ()) or any(map(_may_be_null, schema.get("anyOf", [])))


def _parameters(operation: dict[str, Any]) -> tuple[set[str], set[str], set[str]]:
    """Those that are required, those that may be null, and all."""
    required, nullable, every = set(), set(), set()
    for parameter in operation.get("parameters", []):
        if "$ref" in parameter:
            every.add(parameter["$ref"].rsplit("/", 1)[1].lower().replace("-", "_"))
            continue
        name = parameter["name"].removesuffix("[]")
        every.add(name)
        if parameter.get("required"):
            required.add(name)
    content = operation.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    schema = _schema(schema["$ref"]) if "$ref" in schema else schema
    # A profile's document is one argument, not one for each of its members.
    if "custom_foods" not in schema.get("properties", {}):
        every |= set(schema.get("properties", {}))
        required |= set(schema.get("required", []))
        nullable = {name for name, each in schema.get("properties", {}).items() if _may_be_null(each)}
    return required, nullable, every


def test_the_reference_has_every_method_and_every_answer_as_they_are_and_the_tree_of_errors() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference-python-client.md").read_text()
    lines = page.splitlines()
    methods = [line for line in lines if re.match(r"\| `\w+\.\w+` \| `[A-Z]+ /", line)]
    assert methods == [row(name) for name in DECLARED]
    assert [line for line in lines if re.match(r"\| `[A-Z]\w+` \| `", line)] == [
        answer_row(name) for name in sorted(ANSWERS)
    ]
    for line in (errors.__doc__ or "").splitlines():
        assert not line.startswith("    ") or line in lines
