"""A session of the console: an API key in a cookie that no script can read, and the token that every change carries.

Nothing of it is kept by the server, so any worker takes any session. A session ends when its key is revoked.
"""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass

from provender.model.access import is_key

COOKIE = "provender_session"
# By TLS it has another name: one that begins so is taken by browsers from this very host alone. Any other a neighbour
# could set for us, such as a subdomain, and so let somebody work in a stranger's application.
SECURE_COOKIE = f"__Host-{COOKIE}"
LASTS_S = 12 * 60 * 60

# A cookie of another path or host may have any form.
_VALUE = re.compile(r"(pv_[0-9A-Za-z]+)\.([0-9a-f]{32})")


@dataclass(frozen=True, slots=True)
class Session:
    """Who has signed in, and a mark that is another each time."""

    key: str
    mark: str

    @property
    def form_token(self) -> str:
        """What only a page of this session knows: other sites make a browser send its cookie, but cannot read this."""
        return hmac.new(self.key.encode(), self.mark.encode(), hashlib.sha256).hexdigest()

    def accepts(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.form_token.encode())

    def cookie(self, *, secure: bool) -> str:
        """What the browser is told to keep. On plain HTTP, as on one's own machine, it could not be marked secure."""
        return _cookie(f"{self.key}.{self.mark}", LASTS_S, secure=secure)


def new_session(key: str) -> Session:
    return Session(key, secrets.token_hex(16))


def is_secure(scheme: str, forwarded: str) -> bool:
    """Whether the browser came by TLS; a proxy in front of us says so, and each further one adds what it saw."""
    return scheme == "https" or forwarded.partition(",")[0].strip().lower() == "https"


def find_session(cookies: str, *, secure: bool) -> Session | None:
    """The session that a browser's Cookie header has, whether its key still works or not."""
    wanted = SECURE_COOKIE if secure else COOKIE
    # Not with the parser of `http.cookies`, which gives up at the first odd cookie that something else has set.
    for each in cookies.split(";"):
        name, _, value = each.strip().partition("=")
        found = _VALUE.fullmatch(value) if name == wanted else None
        if found is not None and is_key(found[1]):
            return Session(found[1], found[2])
    return None


def ended_cookie(*, secure: bool) -> str:
    return _cookie("", 0, secure=secure)


def _cookie(value: str, max_age_s: int, *, secure: bool) -> str:
    kept = f"{value}; Path=/; Max-Age={max_age_s}; HttpOnly; SameSite=Strict"
    return f"{SECURE_COOKIE}={kept}; Secure" if secure else f"{COOKIE}={kept}"
