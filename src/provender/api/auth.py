"""Who is asking: the Authorization header, and what the caller's scope lets it do."""

from provender.model.access import Scope
from provender.model.errors import InsufficientScope, Unauthenticated
from provender.services.access import Authenticator, Caller

_USUAL = b"Bearer "


async def authenticate(authenticator: Authenticator, header: bytes | None) -> Caller:
    return await authenticator.authenticate(_read_key(header))


def recall(authenticator: Authenticator, header: bytes | None) -> Caller | None:
    """As above, for a caller who was here a moment ago; for anybody else None, and nothing is decided."""
    if header is None or not header.startswith(_USUAL):
        return None
    return authenticator.recall(header[len(_USUAL) :])


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
