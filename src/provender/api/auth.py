"""Who is asking: the Authorization header, and what the caller's scope lets it do."""

from provender.model.access import Scope
from provender.model.errors import InsufficientScope, Unauthenticated
from provender.services.access import Authenticator, Caller


async def authorize(authenticator: Authenticator, header: bytes | None, needed: Scope) -> Caller:
    if header is None:
        raise Unauthenticated("Every request needs the header Authorization: Bearer <API_KEY>.")
    scheme, _, key = header.decode("latin-1").partition(" ")
    if scheme.lower() != "bearer":
        raise Unauthenticated("The Authorization header must have the form: Bearer <API_KEY>.")
    caller = await authenticator.authenticate(key.strip())
    if caller.scope is not needed and not caller.scope.allows(needed):
        raise InsufficientScope(f"This key may {caller.scope}; the request needs a key of scope {needed}.")
    return caller
