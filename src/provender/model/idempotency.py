"""Requests that may be sent again: which two are the same, and what is kept of the first one's answer."""

import hashlib
from datetime import timedelta
from typing import NamedTuple

# The promise of the interface's `Idempotency-Key`.
KEPT_FOR = timedelta(hours=24)

LONGEST_KEY = 255

_DIGEST_SIZE = 32


class KeyedRequest(NamedTuple):
    """A request that was sent with an Idempotency-Key, as two hashes: neither keys nor bodies are kept.

    Within an application, `scope` is the same for requests with the same key, method and path. Of these, `fingerprint`
    is the same for those with the same body.
    """

    scope: bytes
    fingerprint: bytes


class KeptAnswer(NamedTuple):
    """A successful answer as it is given again, and the fingerprint of the request that it was given to."""

    fingerprint: bytes
    status: int
    body: bytes


class Fingerprint:
    """Takes a body piece by piece, so that one that is never in memory as a whole can be compared too."""

    __slots__ = ("_hash",)

    def __init__(self, media_type: bytes) -> None:
        # No header has a line break in it, so no part of a body can pass for a part of its type.
        self._hash = hashlib.blake2b(media_type + b"\n", digest_size=_DIGEST_SIZE)

    def update(self, chunk: bytes) -> None:
        self._hash.update(chunk)

    def digest(self) -> bytes:
        return self._hash.digest()


def scope_of(method: str, raw_path: bytes, key: bytes) -> bytes:
    # Neither a method nor a key has a blank in it, so no two triples look the same when they are joined by blanks.
    return hashlib.blake2b(b"%b %b %b" % (method.encode(), raw_path, key), digest_size=_DIGEST_SIZE).digest()
