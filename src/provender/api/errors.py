"""Errors as HTTP answers: RFC 9457 problems. The only place that knows which error has which status."""

from collections.abc import Iterator
from http import HTTPMethod, HTTPStatus
from typing import Any

import msgspec

from provender.api.answers import PROBLEM, Answer, Header
from provender.api.faults import MAX_FAULTS
from provender.model.errors import (
    CatalogueUnavailable,
    Conflict,
    InsufficientScope,
    InvalidFormToken,
    InvalidRequest,
    NotFound,
    ProvenderError,
    StorageUnavailable,
    TooManyRequests,
    Unauthenticated,
)

RETRY_AFTER_S = 2


class MethodNotAllowed(ProvenderError):
    code = "method_not_allowed"
    title = "This path does not take that method"
    advice = "The `Allow` header lists the methods that this path takes; `/openapi.json` says what each of them does."

    def __init__(self, method: str, allowed: list[str]) -> None:
        # A word that is no method of HTTP is not repeated: it could be a key.
        asked = method if method in HTTPMethod.__members__ else "this method"
        super().__init__(f"This path does not take {asked}. It takes {', '.join(allowed)}.")
        self.allowed = allowed


class BodyTooLarge(ProvenderError):
    code = "body_too_large"
    title = "The body is too large"
    advice = (
        "Send less in one request: a body may have at most 1 MiB. The document of a profile's import may have more, as "
        "much as the operator has set with `PROVENDER_IMPORT_MAX_MIB`."
    )


class UnsupportedMediaType(ProvenderError):
    code = "unsupported_media_type"
    title = "The body is of a type that is not read here"
    advice = (
        "Send `Content-Type: application/x-www-form-urlencoded` or `Content-Type: application/json`, in UTF-8 and "
        "without a content encoding. Endpoints that take a list of objects take JSON only."
    )


class BodyTooSlow(ProvenderError):
    code = "body_too_slow"
    title = "The body came too slowly"
    advice = (
        "Send the request again, over a better connection or with a smaller body. Nothing was done. The operator can "
        "allow slower callers with `PROVENDER_CLIENT_TIMEOUT_S`."
    )


class InternalError(ProvenderError):
    code = "internal_error"
    title = "The server made a mistake"
    advice = (
        "This is a fault in Provender. The server's log has the details under the `request_id`; please report them. "
        "Nothing was half written."
    )

    def __init__(self) -> None:
        super().__init__(
            "The server made a mistake; its log has the details under this request_id. Trying again may help."
        )


_STATUSES: dict[type[ProvenderError], HTTPStatus] = {
    InvalidRequest: HTTPStatus.BAD_REQUEST,
    Unauthenticated: HTTPStatus.UNAUTHORIZED,
    InsufficientScope: HTTPStatus.FORBIDDEN,
    InvalidFormToken: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    MethodNotAllowed: HTTPStatus.METHOD_NOT_ALLOWED,
    BodyTooSlow: HTTPStatus.REQUEST_TIMEOUT,
    Conflict: HTTPStatus.CONFLICT,
    BodyTooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    UnsupportedMediaType: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    TooManyRequests: HTTPStatus.TOO_MANY_REQUESTS,
    InternalError: HTTPStatus.INTERNAL_SERVER_ERROR,
    StorageUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    CatalogueUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
}


def status_of(error: type[ProvenderError]) -> HTTPStatus:
    for ancestor in error.__mro__:
        if ancestor in _STATUSES:
            return _STATUSES[ancestor]
    raise LookupError(f"{error.__name__} has no HTTP status: it is not meant for callers.")


def public_errors() -> list[type[ProvenderError]]:
    """Every error that a caller can meet, by status and code."""

    def descend(error: type[ProvenderError]) -> Iterator[type[ProvenderError]]:
        yield error
        for child in error.__subclasses__():
            yield from descend(child)

    found = {error for top in _STATUSES for error in descend(top) if hasattr(error, "code")}
    return sorted(found, key=lambda error: (status_of(error), error.code))


class Problem(msgspec.Struct, omit_defaults=True):
    """What went wrong, as RFC 9457 has it, and what to do about it."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    errors: list["ProblemFault"] | msgspec.UnsetType = msgspec.UNSET


class ProblemFault(msgspec.Struct):
    """What is wrong with one parameter."""

    param: str
    code: str
    message: str


def problem(error: ProvenderError, request_id: str) -> Answer:
    status = status_of(type(error))
    faults: Any = msgspec.UNSET
    headers: list[Header] = []
    if error.faults:
        faults = [ProblemFault(fault.param, fault.code, fault.message) for fault in error.faults[:MAX_FAULTS]]
    if isinstance(error, Unauthenticated):
        headers.append((b"www-authenticate", b"Bearer"))
    elif isinstance(error, MethodNotAllowed):
        headers.append((b"allow", ", ".join(error.allowed).encode()))
    elif isinstance(error, TooManyRequests):
        headers.append((b"retry-after", b"%d" % error.retry_after_s))
    elif isinstance(error, StorageUnavailable | CatalogueUnavailable):
        headers.append((b"retry-after", str(RETRY_AFTER_S).encode()))
    detail = error.public_detail or error.detail
    body = Problem(f"/docs/errors#{error.code}", error.title, status, detail, error.code, request_id, faults)
    return Answer(msgspec.json.encode(body), status, PROBLEM, tuple(headers))
