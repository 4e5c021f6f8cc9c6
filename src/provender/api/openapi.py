"""The OpenAPI 3.1 document, made from the tables that route and validate: it cannot say what the server does not do."""

from http import HTTPStatus
from typing import Any

import msgspec

from provender import __version__
from provender.api.errors import (
    BodyTooLarge,
    BodyTooSlow,
    InternalError,
    Problem,
    ProblemFault,
    UnsupportedMediaType,
    status_of,
)
from provender.api.forms import FORM, JSON
from provender.api.idempotency import HEADER, REPLAYED
from provender.api.parameters import Parameter
from provender.api.reader import Reader
from provender.api.routing import AnyRoute, OpenRoute, Route
from provender.model.access import Scope
from provender.model.errors import (
    IdempotencyKeyReused,
    InsufficientScope,
    InvalidBody,
    InvalidParameters,
    ProvenderError,
    StorageUnavailable,
    TooManyRequests,
    Unauthenticated,
)
from provender.model.idempotency import LONGEST_KEY

_SCHEMAS = "#/components/schemas/{name}"
_ETAG = {"description": "Changes when the answer does; send it in `If-None-Match`.", "schema": {"type": "string"}}
_REQUEST_ID = {"$ref": "#/components/headers/X-Request-Id"}
_REPLAYED = {"$ref": f"#/components/headers/{REPLAYED}"}
_QUOTA_HEADERS = {
    name: {"description": f"Only for a key with a limit: {meaning}.", "schema": {"type": "integer", "minimum": 0}}
    for name, meaning in {
        "RateLimit-Limit": "how many requests a minute it may send",
        "RateLimit-Remaining": "how many of them it may send at once now",
        "RateLimit-Reset": "in how many seconds it may send all of them again, if it sends none meanwhile",
    }.items()
}
_WITH_RETRY_AFTER = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
_RETRY_AFTER = {"description": "How many seconds to wait.", "schema": {"type": "integer", "minimum": 0}}
_IDEMPOTENCY_KEY = {"$ref": f"#/components/parameters/{HEADER}"}


def document(routes: tuple[AnyRoute, ...]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    types = {body for route in routes for body in route.answers.values()} | {Problem, ProblemFault}
    _, components = msgspec.json.schema_components(sorted(types, key=lambda body: body.__name__), ref_template=_SCHEMAS)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Provender",
            "version": __version__,
            "summary": "A self-hosted nutrition API.",
            "description": "Profiles of your users and what they eat. Every error is a problem as in RFC 9457, "
            "and says what to do next: see [/docs/errors](/docs/errors).",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An API key: `Authorization: Bearer <API_KEY>`.",
                }
            },
            "headers": {
                "X-Request-Id": {
                    "description": "Names this request in the server's log: the caller's own, or one made for it.",
                    "schema": {"type": "string"},
                },
                **_QUOTA_HEADERS,
                REPLAYED: {
                    "description": f"Only where a request was sent again with the same `{HEADER}`: this is the answer "
                    "that it got the first time, and nothing was written now.",
                    "schema": {"const": "true"},
                },
            },
            "parameters": {
                HEADER: {
                    "name": HEADER,
                    "in": "header",
                    "required": False,
                    "description": "Of your own choice, new for every new request. Within 24 hours, the same request "
                    "with the same key gets the first successful answer again and writes nothing.",
                    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[!-~]+$"},
                }
            },
        },
    }


def _operation(route: AnyRoute) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "summary": route.summary,
        "tags": [route.tag],
        "responses": _responses(route),
        "security": [],
    }
    if route.description:
        operation["description"] = route.description
    parameters = [_path_parameter(segment[1:-1]) for segment in route.path.split("/") if segment.startswith("{")]
    if isinstance(route, Route):
        operation["security"] = [{"key": []}]
        if route.method == "POST":
            parameters.append(_IDEMPOTENCY_KEY)
        if route.takes_body:
            operation["requestBody"] = _body(route)
        if route.document is not None or not route.takes_body:
            parameters += [_query_parameter(parameter) for parameter in route.reader.parameters.values()]
    if parameters:
        operation["parameters"] = parameters
    return operation


def _path_parameter(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": "Percent-encoded.",
        "schema": {"type": "string", "minLength": 1},
    }


def _query_parameter(parameter: Parameter) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": f"{parameter.name}[]" if parameter.kind.shape == "list" else parameter.name,
        "in": "query",
        "required": parameter.required,
        "description": parameter.description,
        "schema": _schema(parameter),
    }
    if parameter.kind.shape == "group":
        described |= {"style": "deepObject", "explode": True}
    return described


def _body(route: Route) -> dict[str, Any]:
    reader = route.reader if route.document is None else Reader(route.document)
    schema = _object(reader)
    body: dict[str, Any] = {"required": "required" in schema, "content": {}}
    if not reader.is_json_only:
        form = body["content"][FORM] = {"schema": _in_a_form(schema)}
        groups = [name for name, each in route.reader.parameters.items() if each.kind.shape == "group"]
        if groups:
            form["encoding"] = {name: {"style": "deepObject", "explode": True} for name in groups}
    body["content"][JSON] = {"schema": schema}
    return body


def _object(reader: Reader[Any]) -> dict[str, Any]:
    parameters = reader.parameters.values()
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            parameter.name: _schema(parameter) | {"description": parameter.description} for parameter in parameters
        },
        "additionalProperties": False,
    }
    for name in sorted(reader.read_past):
        schema["properties"][name] = {"description": "Read past: it may be sent, and means nothing."}
    required = [parameter.name for parameter in parameters if parameter.required]
    if required:
        schema["required"] = required
    for name, items in reader.items.items():
        schema["properties"][name]["items"] = _object(items)
    return schema


def _in_a_form(schema: dict[str, Any]) -> dict[str, Any]:
    """The same for a form, which has no null: an empty value stands for it."""
    written = dict(schema)
    if "properties" in schema:
        written["properties"] = {name: _in_a_form(each) for name, each in schema["properties"].items()}
    if isinstance(schema.get("additionalProperties"), dict):
        written["additionalProperties"] = _in_a_form(schema["additionalProperties"])
    types = schema.get("type")
    if not isinstance(types, list) or "null" not in types:
        return written
    others = [each for each in types if each != "null"]
    written["type"] = others if len(others) > 1 else others[0]
    if "enum" in schema:
        written["enum"] = [each for each in schema["enum"] if each is not None]
    outside = {name: written.pop(name) for name in ("description", "default") if name in written}
    return {"anyOf": [written, {"const": ""}]} | outside


def _schema(parameter: Parameter) -> dict[str, Any]:
    schema = parameter.kind.schema()
    if parameter.nullable:
        types = schema["type"]
        schema["type"] = [*types, "null"] if isinstance(types, list) else [types, "null"]
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
    if isinstance(parameter.default, str | int | float):
        schema["default"] = parameter.default
    elif isinstance(parameter.default, frozenset):
        schema["default"] = sorted(parameter.default)
    return schema


def _responses(route: AnyRoute) -> dict[str, Any]:
    responses: dict[str, Any] = {
        str(status): {
            "description": (body.__doc__ or "").strip().splitlines()[0],
            "headers": {"X-Request-Id": _REQUEST_ID},
            "content": {JSON: {"schema": {"$ref": _SCHEMAS.format(name=body.__name__)}}},
        }
        for status, body in route.answers.items()
    }
    if route.method == "POST":
        for status in route.answers:
            responses[str(status)]["headers"][REPLAYED] = _REPLAYED
    if isinstance(route, Route) and route.conditional:
        for status in route.answers:
            responses[str(status)]["headers"]["ETag"] = _ETAG
        responses["304"] = {
            "description": "The answer is the one whose `ETag` was sent in `If-None-Match`.",
            "headers": {"X-Request-Id": _REQUEST_ID, "ETag": _ETAG},
        }
    by_status: dict[int, list[type[ProvenderError]]] = {}
    for error in _errors(route):
        by_status.setdefault(status_of(error), []).append(error)
    for status, errors in sorted(by_status.items()):
        responses[str(status)] = {
            "description": "; or: ".join(f"`{error.code}`: {error.title}" for error in errors),
            "headers": {"X-Request-Id": _REQUEST_ID},
            "content": {"application/problem+json": {"schema": {"$ref": _SCHEMAS.format(name="Problem")}}},
        }
        if status in _WITH_RETRY_AFTER:
            responses[str(status)]["headers"]["Retry-After"] = _RETRY_AFTER
    if isinstance(route, Route):
        for response in responses.values():
            response["headers"] |= {name: {"$ref": f"#/components/headers/{name}"} for name in _QUOTA_HEADERS}
    return responses


def _errors(route: AnyRoute) -> list[type[ProvenderError]]:
    errors: list[type[ProvenderError]] = [InternalError, *route.errors]
    if not isinstance(route, OpenRoute):
        errors += [InvalidParameters, Unauthenticated, TooManyRequests, StorageUnavailable]
        if route.scope is not Scope.READ:
            errors.append(InsufficientScope)
        if route.takes_body:
            errors += [InvalidBody, BodyTooLarge, BodyTooSlow, UnsupportedMediaType]
        if route.method == "POST":
            errors.append(IdempotencyKeyReused)
    return sorted(set(errors), key=lambda error: error.code)
