"""What went wrong at a page, or at a path where nothing is: a page for people, and for programs a problem."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from provender.api.errors import InternalError, MethodNotAllowed, problem
from provender.console.refusals import refusal_page
from provender.model.errors import NotFound, ProvenderError


async def _refused_by_starlette(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    ours: ProvenderError
    if status == 405:
        allowed = (error.headers or {}).get("Allow", "GET, HEAD") if isinstance(error, HTTPException) else "GET, HEAD"
        ours = MethodNotAllowed(request.method, sorted(allowed.split(", ")))
    else:
        ours = NotFound("There is nothing at this path. /docs/api lists what there is.")
    return _as_response(ours, request)


async def _refused(request: Request, error: Exception) -> Response:
    return _as_response(error if isinstance(error, ProvenderError) else InternalError(), request)


async def _failed(request: Request, _error: Exception) -> Response:
    return _as_response(InternalError(), request)


def _as_response(error: ProvenderError, request: Request) -> Response:
    # The log is told the cause of what the server could not do.
    request.scope["provender.refused"] = error
    request_id = request.scope["provender.request_id"]
    answer = problem(error, request_id)
    headers = {name.decode(): value.decode() for name, value in answer.headers}
    if _may_be_a_page(request):
        # No cache gives the one to who has asked for the other.
        headers["vary"] = "accept"
    if _may_be_a_page(request) and _takes_html(request):
        return refusal_page(error, answer.status, request_id, headers)
    return Response(answer.body, answer.status, headers, answer.content_type.decode())


def _may_be_a_page(request: Request) -> bool:
    return request.method in ("GET", "HEAD") and not f"{request.url.path}/".startswith("/v1/")


def _takes_html(request: Request) -> bool:
    """Whoever looks at a page with a browser; what a page's scripts ask for they read themselves."""
    kinds = (kind.replace(" ", "").lower().split(";") for kind in request.headers.get("accept", "").split(","))
    return any(kind == "text/html" and "q=0" not in more for kind, *more in kinds)


PAGE_PROBLEMS: Mapping[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
    HTTPException: _refused_by_starlette,
    ProvenderError: _refused,
    Exception: _failed,
}
