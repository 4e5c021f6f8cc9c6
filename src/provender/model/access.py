"""Who may ask: applications, their API keys, and what a key's scope allows."""

import hashlib
import re
import secrets
import zlib
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from provender.model.ids import ALPHABET, encode

_RANDOM_LENGTH = 32
_CHECK_LENGTH = 6
# What identifies a key to people: in lists and logs it stands for the key, and it is too short to guess one by.
PREFIX_LENGTH = len("pv_") + 8

KEY_LENGTH = len("pv_") + _RANDOM_LENGTH + _CHECK_LENGTH
_KEY = re.compile(rf"pv_[0-9A-Za-z]{{{_RANDOM_LENGTH + _CHECK_LENGTH}}}")

# More than a prefix of a key, wherever it stands: a client may have put its key into the wrong place.
MUCH_OF_A_KEY = rf"pv_[0-9A-Za-z]{{{PREFIX_LENGTH - 2}}}"
_WHAT_TO_HIDE = re.compile(rf"(pv_[0-9A-Za-z]{{{PREFIX_LENGTH - 3}}})[0-9A-Za-z]+")

# What callers know a key by: its whole prefix.
KEY_ID = re.compile(rf"pv_[0-9A-Za-z]{{{PREFIX_LENGTH - 3}}}")

KEY_PREFIX = re.compile(rf"pv_[0-9A-Za-z]{{0,{PREFIX_LENGTH - 3}}}")

NO_LIMIT = 0
LARGEST_LIMIT = 1_000_000

APPLICATION_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Scope(StrEnum):
    """What a key may do; each scope includes the ones before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def allows(self, needed: "Scope") -> bool:
        return _ORDER[self] >= _ORDER[needed]


_ORDER = {scope: place for place, scope in enumerate(Scope)}


@dataclass(frozen=True, slots=True)
class Application:
    """One integrating app: it owns keys, profiles and everything under them."""

    id: str
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as it is kept: never the key itself."""

    hash: bytes
    prefix: str
    application_id: str
    application_name: str
    scope: Scope
    created_at: datetime
    last_used_on: date | None
    # When it ends or ended: a key that was rotated works until then.
    revoked_at: datetime | None
    # How many requests a minute it may send: None as the setting says, NO_LIMIT any number.
    rate_limit: int | None = None

    def works(self, now: datetime) -> bool:
        return self.revoked_at is None or now < self.revoked_at


def new_key() -> str:
    """`pv_`, 190 bits of chance, and a checksum by which a mistyped or cut-off key is known without a look-up."""
    secret = "".join(secrets.choice(ALPHABET) for _ in range(_RANDOM_LENGTH))
    return f"pv_{secret}{_checksum(secret)}"


def is_key(text: str) -> bool:
    return _KEY.fullmatch(text) is not None and text.endswith(_checksum(text[3:-_CHECK_LENGTH]))


def hash_key(key: str) -> bytes:
    """A plain hash is enough: 190 bits of chance cannot be found by trying, as a password's few can."""
    return hashlib.sha256(key.encode()).digest()


def hide_keys(text: str) -> str:
    """The text with the prefixes alone of all keys in it."""
    return _WHAT_TO_HIDE.sub(r"\1…", text)


def _checksum(secret: str) -> str:
    return encode(zlib.crc32(secret.encode()), _CHECK_LENGTH)
