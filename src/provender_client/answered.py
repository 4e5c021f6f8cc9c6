"""Answers that are not what was asked for, as errors. What they keep of an answer has no API key in it."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx

from provender_client.errors import FieldError, ProvenderError, UnexpectedAnswer, error_of

# A proxy's page is long, and says what it has to say at its beginning.
_LONGEST_TEXT = 2000
# Whoever logs an error wants a line, not the hundred faults of a batch; all of them are in `errors`.
_FAULTS_IN_A_MESSAGE = 4
_ADVICE = "Is base_url right, and the server as new as this client?"
_ANY_KEY = re.compile(r"pv_[0-9A-Za-z]{38}")
_SECRET = "[API key]"  # noqa: S105 - It is what stands in the place of one.


def answered_error(response: httpx.Response) -> ProvenderError:
    """The error that an answer stands for, also where it is none of the API's own."""
    status = response.status_code
    if status < 400:
        return unexpected_answer(response, f"leads to {_headers(response).get('Location', 'elsewhere')}")
    body, headers = _body(response), _headers(response)
    problem = body if media_type(response) == "application/problem+json" and isinstance(body, dict) else {}
    code = problem.get("code")
    # Whoever catches NotFound would take it for "there is no such profile", and go on.
    if status == 404 and code in (None, "not_found"):
        return unexpected_answer(response, "says that there is nothing at all at this path")
    title = problem.get("title") or without_keys(response.request, response.reason_phrase) or "No reason was given"
    detail = problem.get("detail") or "The answer is not the API's own; it may be that of a proxy."
    errors = _field_errors(problem)
    request_id = problem.get("request_id") or headers.get("X-Request-Id")
    return error_of(status)(
        _line(f"{status} {code or title}: {detail}", errors, request_id),
        request=request_line(response.request),
        status=status,
        code=code,
        title=title,
        detail=detail,
        request_id=request_id,
        errors=errors,
        retry_after_s=retry_after_s(response),
        headers=headers,
        body=body,
    )


def unexpected_answer(response: httpx.Response, what: str | None = None) -> UnexpectedAnswer:
    """An answer that is none of the API, or not one that this client can read."""
    request, headers = request_line(response.request), _headers(response)
    what = what or f"is {headers.get('Content-Type', 'no content type')} that is not what the API answers"
    return UnexpectedAnswer(
        f"{request}: the answer, {response.status_code}, {what}. {_ADVICE}",
        request=request,
        status=response.status_code,
        request_id=headers.get("X-Request-Id"),
        headers=headers,
        body=_body(response),
    )


def request_line(request: httpx.Request) -> str:
    """A request as errors tell it; what was asked for in the query is left out."""
    return f"{request.method} {request.url.copy_with(query=None)}"


def retry_after_s(response: httpx.Response) -> float | None:
    """In seconds, as the API says it; a proxy may also write a date, which is not looked at."""
    told = response.headers.get("Retry-After", "")
    return float(told) if told.isascii() and told.isdecimal() else None


def without_keys(request: httpx.Request, text: str) -> str:
    """Some proxies repeat a request in their answer, and errors are logged, pickled and sent to other services."""
    own = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return _ANY_KEY.sub(_SECRET, text.replace(own, _SECRET) if own else text)


def _line(message: str, errors: tuple[FieldError, ...], request_id: str | None) -> str:
    """The message with those faults that it does not tell by itself."""
    untold = [f"{each.param}: {each.message}" for each in errors if f"{each.param}: {each.message}" not in message]
    more = "…" if len(untold) > _FAULTS_IN_A_MESSAGE else ""
    told = " ".join((message, *untold[:_FAULTS_IN_A_MESSAGE], more, f"(request {request_id})" if request_id else ""))
    return " ".join(told.split())


def media_type(response: httpx.Response) -> str:
    kind: str = response.headers.get("Content-Type", "").partition(";")[0].strip()
    return kind


def _body(response: httpx.Response) -> Any:
    try:
        text = without_keys(response.request, response.text)
    except httpx.ResponseNotRead:
        return None
    try:
        return json.loads(text) if media_type(response).endswith("json") else text[:_LONGEST_TEXT]
    except (ValueError, RecursionError):
        return text[:_LONGEST_TEXT]


def _headers(response: httpx.Response) -> httpx.Headers:
    kept = [(name, without_keys(response.request, value)) for name, value in response.headers.multi_items()]
    # In its own encoding, since a proxy's headers need not be ASCII.
    return httpx.Headers(kept, encoding=response.headers.encoding)


def _field_errors(problem: dict[str, Any]) -> tuple[FieldError, ...]:
    faults = problem.get("errors")
    return tuple(
        FieldError(str(each.get("param")), str(each.get("code")), str(each.get("message")))
        for each in (faults if isinstance(faults, list) else ())
        if isinstance(each, dict)
    )
