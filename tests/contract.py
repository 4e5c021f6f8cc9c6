"""Holds every answer of the application against its OpenAPI document."""

from functools import cache
from typing import Any

import httpx
from jsonschema import Draft202012Validator
from starlette.routing import compile_path

from provender.api.app import ROUTES
from provender.api.faults import MAX_FAULTS
from provender.api.openapi import document


@cache
def openapi() -> dict[str, Any]:
    return document(ROUTES)


def resolve(schema: dict[str, Any], within: dict[str, Any] | None = None) -> dict[str, Any]:
    """The schema, or the named one that it refers to."""
    if "$ref" not in schema:
        return schema
    found: dict[str, Any] = within or openapi()
    for part in schema["$ref"].removeprefix("#/").split("/"):
        found = found[part]
    return found


@cache
def _paths() -> list[tuple[Any, dict[str, Any]]]:
    ordered = sorted(openapi()["paths"].items(), key=lambda item: "{" in item[0])
    return [(compile_path(path)[0], operations) for path, operations in ordered]


async def check_response(response: httpx.Response) -> None:
    """Every answer has a request id; a problem is a whole problem; the rest is what the document promises."""
    await response.aread()
    request = response.request
    assert response.headers.get("x-request-id"), "an answer without a request id"
    if response.status_code >= 400:
        _check_problem(response)
    raw_path = request.url.raw_path.split(b"?")[0].decode()
    for pattern, operations in _paths():
        if pattern.match(raw_path):
            _check_against(operations, response)
            return


def _check_against(operations: dict[str, Any], response: httpx.Response) -> None:
    operation = operations.get(response.request.method.lower())
    if operation is None:
        return
    described = operation["responses"].get(str(response.status_code))
    assert described is not None, f"{response.request.method} answered {response.status_code}, which is not documented"
    if response.status_code == 304:
        assert response.content == b""
        return
    media_type = response.headers["content-type"]
    assert media_type in described["content"], f"{media_type} is not documented"
    schema = described["content"][media_type]["schema"] | {"components": openapi()["components"]}
    Draft202012Validator(schema).validate(response.json())


def _check_problem(response: httpx.Response) -> None:
    assert response.headers["content-type"] == "application/problem+json"
    if response.request.method == "HEAD":
        return
    problem = response.json()
    assert problem["status"] == response.status_code
    assert problem["request_id"] == response.headers["x-request-id"]
    assert problem["type"] == f"/docs/errors#{problem['code']}"
    assert problem["title"]
    assert problem["detail"].endswith((".", ")", "?", "NAME")), "a detail is a sentence"
    if problem["code"] == "invalid_parameters":
        assert "errors" in problem
    if "errors" in problem:
        assert problem["code"] == "invalid_parameters" or problem["status"] in (404, 409)
        assert 1 <= len(problem["errors"]) <= MAX_FAULTS
