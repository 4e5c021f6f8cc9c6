"""What can go wrong, as one small tree.

    ProvenderError
    ├── ConnectionFailed            no answer came; nobody knows whether the request was carried out
    │   └── TimedOut
    ├── UnexpectedAnswer            an answer came, but not one of the API; is `base_url` right?
    └── ApiError                    the API refused; `code` says why and stays the same from version to version
        ├── InvalidRequest          400 and its kin: the request must change before it is sent again
        ├── Unauthenticated         401: the key is missing, unknown or revoked
        ├── PermissionDenied        403: the key works, but not for this
        ├── NotFound                404
        ├── Conflict                409
        ├── TooManyRequests         429: `retry_after_s` says when to come again
        └── ServerError             500 and above
            └── ServiceUnavailable  503: `retry_after_s` says when to come again

By the time one of these is raised, what can be tried again has been.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class ProvenderError(Exception):
    """Whatever this client raises about a request.

    `request` is its method and its address, without the query. No error has the API key in it.
    """

    # Everything but the message has a default, because an error that is pickled is made anew from its message alone,
    # and is given the rest afterwards.
    def __init__(self, message: str = "", *, request: str = "") -> None:
        super().__init__(message)
        self.request = request


class ConnectionFailed(ProvenderError):
    """No answer came, or not all of it."""


class TimedOut(ConnectionFailed):
    """No answer came in time."""


class UnexpectedAnswer(ProvenderError):
    """The answer is not one of the API: that of a proxy, or of another service at this address.

    `headers` and `body` are as with `ApiError`.
    """

    def __init__(
        self,
        message: str = "",
        *,
        request: str = "",
        status: int = 0,
        request_id: str | None = None,
        headers: Mapping[str, str] | None = None,
        body: Any = None,
    ) -> None:
        super().__init__(message, request=request)
        self.status = status
        self.request_id = request_id
        self.headers: Mapping[str, str] = {} if headers is None else headers
        self.body = body


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one parameter."""

    param: str
    code: str
    message: str


class ApiError(ProvenderError):
    """An answer that says no. Programs should look at `code`; `detail` is for people, and its words may change.

    `headers` are those of the answer, in any case of letters. `body` is the answer's JSON, or the beginning of its text
    where it is something else.
    """

    def __init__(
        self,
        message: str = "",
        *,
        request: str = "",
        status: int = 0,
        code: str | None = None,
        title: str = "",
        detail: str = "",
        request_id: str | None = None,
        errors: tuple[FieldError, ...] = (),
        retry_after_s: float | None = None,
        headers: Mapping[str, str] | None = None,
        body: Any = None,
    ) -> None:
        super().__init__(message, request=request)
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.request_id = request_id
        self.errors = errors
        self.retry_after_s = retry_after_s
        self.headers: Mapping[str, str] = {} if headers is None else headers
        self.body = body

    @property
    def param(self) -> str | None:
        """The parameter that is wrong, or the first of several; all of them are in `errors`."""
        return self.errors[0].param if self.errors else None


class InvalidRequest(ApiError):
    """The request must change before it is sent again."""


class Unauthenticated(ApiError):
    """The API key is missing, unknown or revoked."""


class PermissionDenied(ApiError):
    """The scope of the API key is too small for this."""


class NotFound(ApiError):
    """There is no such food, profile, log or meal; for this application, that is."""


class Conflict(ApiError):
    """Something that exists already, or no longer, is in the way."""


class TooManyRequests(ApiError):
    """The key has sent as many requests as it may. `retry_after_s` says how long to wait."""


class ServerError(ApiError):
    """The server, or a proxy before it, has failed."""


class ServiceUnavailable(ServerError):
    """The storage or the food catalogue does not answer at the moment."""


BY_STATUS: dict[int, type[ApiError]] = {
    401: Unauthenticated,
    403: PermissionDenied,
    404: NotFound,
    409: Conflict,
    429: TooManyRequests,
    503: ServiceUnavailable,
}


def error_of(status: int) -> type[ApiError]:
    """The class for an answer of this status."""
    return BY_STATUS.get(status, ServerError if status >= 500 else InvalidRequest)
