"""Which web pages may read the answers, where the operator has named some: CORS, as the Fetch standard has it.

Never with credentials: a key is sent in a header, and a browser has none of its own to add.
"""

from http import HTTPStatus

from provender.api.answers import Answer, Header
from provender.api.forms import Headers
from provender.api.idempotency import HEADER, REPLAYED
from provender.settings import ANY_ORIGIN

_METHODS = b"GET, HEAD, POST, PATCH, DELETE"
_SENT = f"Authorization, Content-Type, {HEADER}, If-None-Match, X-Request-Id".encode()
_SHOWN = f"ETag, {REPLAYED}, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id".encode()
# How long a browser need not ask again; Chromium forgets after two hours whatever is said.
_REMEMBERED_S = b"7200"

_VARY = (b"vary", b"Origin")


class Cors:
    def __init__(self, origins: tuple[str, ...]) -> None:
        self._any = ANY_ORIGIN in origins
        self._origins = frozenset(origin.encode() for origin in origins)

    def headers(self, headers: Headers) -> tuple[Header, ...]:
        """What the answer says to the page that asks, if it is one that may."""
        allowed = self._allowed(headers.get(b"origin"))
        if allowed is None:
            return () if self._any else (_VARY,)
        shown = ((b"access-control-allow-origin", allowed), (b"access-control-expose-headers", _SHOWN))
        return shown if self._any else (*shown, _VARY)

    def preflight(self, method: str, headers: Headers) -> Answer | None:
        """The answer to a browser that asks what a page may send; None if this is another kind of request."""
        if method != "OPTIONS" or b"access-control-request-method" not in headers:
            return None
        if self._allowed(headers.get(b"origin")) is None:
            return None
        return Answer(
            b"",
            HTTPStatus.NO_CONTENT.value,
            headers=(
                (b"access-control-allow-methods", _METHODS),
                (b"access-control-allow-headers", _SENT),
                (b"access-control-max-age", _REMEMBERED_S),
            ),
        )

    def _allowed(self, origin: bytes | None) -> bytes | None:
        if origin is None:
            return None
        if self._any:
            return ANY_ORIGIN.encode()
        return origin if origin in self._origins else None
