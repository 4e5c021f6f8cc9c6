"""The client has a method for every endpoint, and each endpoint has its parameters there."""

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from provender.api.app import ROUTES
from provender.api.openapi import document
from provender_client import errors
from provender_client.calls import OMITTED
from tests.client.surface import ANSWERS, DECLARED, NOT_YET_SERVED, answer_row, row

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
    served = [(each.method, each.path) for name, each in DECLARED.items() if name not in NOT_YET_SERVED]
    assert len(served) == len(set(served))
    assert set(served) == set(OPERATIONS) - {(DECLARED[name].method, DECLARED[name].path) for name in NOT_YET_SERVED}


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_a_method_takes_the_parameters_of_its_endpoint(name: str) -> None:
    declared = DECLARED[name]
    operation = OPERATIONS.get((declared.method, declared.path))
    if operation is None:
        assert name in NOT_YET_SERVED
        return
    required, nullable, every = _parameters(operation)
    every -= _NOT_NEEDED.get((declared.method, declared.path), set())
    taken = {each.name.removesuffix("_"): each for each in declared.parameters if each.name != "document"}
    assert set(taken) == every
    assert {each for each, parameter in taken.items() if parameter.default is inspect.Parameter.empty} == required
    if declared.method == "PATCH":
        assert {each for each, parameter in taken.items() if parameter.default is OMITTED} == nullable


def test_every_method_has_a_line_that_says_what_it_does() -> None:
    for name, declared in DECLARED.items():
        assert declared.__doc__, name
        assert declared.__doc__.strip().endswith("."), name


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
    # A profile's document is one argument, not one for each of its members.
    if "custom_foods" not in schema.get("properties", {}):
        every |= set(schema.get("properties", {}))
        required |= set(schema.get("required", []))
        nullable = {name for name, each in schema.get("properties", {}).items() if "null" in (each.get("type") or ())}
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
