"""What went wrong at a page, or at a path where nothing is: a problem like every other."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from provender.api.errors import InternalError, MethodNotAllowed, problem
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
    answer = problem(error, request.scope["provender.request_id"])
    headers = {name.decode(): value.decode() for name, value in answer.headers}
    return Response(answer.body, answer.status, headers, answer.content_type.decode())


PAGE_PROBLEMS: Mapping[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
    HTTPException: _refused_by_starlette,
    ProvenderError: _refused,
    Exception: _failed,
}
