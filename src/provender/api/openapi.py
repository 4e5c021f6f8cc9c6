"""The OpenAPI 3.1 document, made from the tables that route and validate: it cannot say what the server does not do."""

from http import HTTPStatus
from typing import Any

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
from provender.api.schemas import Schemas, describe, reference
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
# What a generator makes a chapter or a file of.
_TAGS = {
    "Foods": "The catalogue: foods by id, by barcode and by what somebody typed.",
    "Custom foods": "Foods that a profile has made for itself.",
    "Favorites": "Foods that a profile has marked.",
    "Eaten foods": "Which foods a profile has eaten last, and which it eats most.",
    "Food diary": "What a profile has eaten, and what that adds up to.",
    "Saved meals": "Foods that are eaten together, and logged with one request.",
    "Profiles": "The users of your application.",
    "Keys and usage": "The application's own API keys, and what it has asked for.",
    "Catalogue": "What the server's foods are from, and where a food is from.",
    "Health": "For whatever watches over the server.",
}
_IN_PATHS = {
    "food_id": "The `_id` of a food.",
    "key_id": "The `_id` of an API key.",
    "log_id": "The `_id` of a log.",
    "meal_id": "The `_id` of a saved meal.",
    "reference_id": "Your own id of the user whose profile it is.",
}
_IDEMPOTENCY_KEY = {"$ref": f"#/components/parameters/{HEADER}"}


def document(routes: tuple[AnyRoute, ...]) -> dict[str, Any]:
    schemas = Schemas()
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas)
    schemas.add_answers({body for route in routes for body in route.answers.values()} | {Problem, ProblemFault})
    named_paths, components = schemas.name_all(paths)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Provender",
            "version": __version__,
            "summary": "A self-hosted nutrition API.",
            "description": "Foods, profiles of your users, and what they eat. All of `/v1` needs an API key. Every "
            "error is a problem as in RFC 9457, and says what to do next: see [/docs/errors](/docs/errors).",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "externalDocs": {"description": "The documents: tutorial, how-tos and references", "url": "/docs/"},
        "servers": [{"url": "/"}],
        "tags": [_tag(name) for name in dict.fromkeys(route.tag for route in routes)],
        "paths": named_paths,
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


def _tag(name: str) -> dict[str, str]:
    return {"name": name, "description": _TAGS[name]} if name in _TAGS else {"name": name}


def _operation(route: AnyRoute, schemas: Schemas) -> dict[str, Any]:
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
            operation["requestBody"] = _body(route, schemas)
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
        "description": f"{_IN_PATHS.get(name, f'The `{name}`.')} Percent-encoded.",
        "schema": {"type": "string", "minLength": 1},
    }


def _query_parameter(parameter: Parameter) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": f"{parameter.name}[]" if parameter.kind.shape == "list" else parameter.name,
        "in": "query",
        "required": parameter.required,
        "description": parameter.description,
        "schema": describe(parameter),
    }
    # Pages for people send the one of the parameter itself. Of those that need not be sent, some exclude each other.
    examples = described["schema"].pop("examples", None)
    if examples and parameter.required:
        described["example"] = examples[0]
    if parameter.kind.shape == "group":
        described |= {"style": "deepObject", "explode": True}
    return described


def _body(route: Route, schemas: Schemas) -> dict[str, Any]:
    reader = route.reader if route.document is None else Reader(route.document)
    is_required = any(parameter.required for parameter in reader.parameters.values())
    body: dict[str, Any] = {"required": is_required, "content": {}}
    if not reader.is_json_only:
        form = body["content"][FORM] = {"schema": schemas.add_form(reader)}
        groups = [name for name, each in route.reader.parameters.items() if each.kind.shape == "group"]
        if groups:
            form["encoding"] = {name: {"style": "deepObject", "explode": True} for name in groups}
    body["content"][JSON] = {"schema": schemas.add_body(reader)}
    return body


def _responses(route: AnyRoute) -> dict[str, Any]:
    responses: dict[str, Any] = {
        str(status): {
            "description": (body.__doc__ or "").strip().splitlines()[0],
            "headers": {"X-Request-Id": _REQUEST_ID},
            "content": {JSON: {"schema": reference(body)}},
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
            "content": {"application/problem+json": {"schema": reference(Problem)}},
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
