"""Who is asking: the Authorization header or a session of the console, and what the caller's scope lets it do."""

from provender.api.forms import Headers
from provender.console.pages import FORM_TOKEN
from provender.console.sessions import find_session, is_secure
from provender.model.access import Scope
from provender.model.errors import InsufficientScope, InvalidFormToken, Unauthenticated
from provender.services.access import Authenticator, Caller

_USUAL = b"Bearer "
_FORM_TOKEN = FORM_TOKEN.encode()

# Where a browser says that a request comes from: our own page, or the address bar. Old browsers say nothing.
_OWN_SITES = (b"same-origin", b"none", None)
_SAFE_METHODS = ("GET", "HEAD")


async def authenticate(authenticator: Authenticator, header: bytes | None) -> Caller:
    return await authenticator.authenticate(_read_key(header))


def recall(authenticator: Authenticator, header: bytes | None) -> Caller | None:
    """As above, for a caller who was here a moment ago; for anybody else None, and nothing is decided."""
    if header is None or not header.startswith(_USUAL):
        return None
    return authenticator.recall(header[len(_USUAL) :])


def header_of_session(method: str, scheme: str, headers: Headers) -> bytes | None:
    """What a program would send as its header, for a page of the console; None where nobody has signed in.

    A change has to carry the token of a page of that session: a browser sends its cookies also for other sites.
    """
    cookies = headers.get(b"cookie")
    if cookies is None or headers.get(b"sec-fetch-site") not in _OWN_SITES:
        return None
    secure = is_secure(scheme, headers.get(b"x-forwarded-proto", b"").decode("latin-1"))
    session = find_session(cookies.decode("latin-1"), secure=secure)
    if session is None:
        return None
    if method not in _SAFE_METHODS and not session.accepts(headers.get(_FORM_TOKEN, b"").decode("latin-1")):
        raise InvalidFormToken
    return _USUAL + session.key.encode()


def check_scope(caller: Caller, needed: Scope) -> None:
    if not caller.scope.allows(needed):
        raise InsufficientScope(f"This key may {caller.scope}; the request needs a key of scope {needed}.")


def _read_key(header: bytes | None) -> str:
    if header is None:
        raise Unauthenticated("Every request needs the header Authorization: Bearer <API_KEY>.")
    scheme, _, key = header.decode("latin-1").partition(" ")
    if scheme.lower() != "bearer":
        raise Unauthenticated("The Authorization header must have the form: Bearer <API_KEY>.")
    return key.strip()
