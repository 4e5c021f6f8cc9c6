"""The header Idempotency-Key: how it is read, and how an answer looks that is given again."""

import msgspec

from provender.api.answers import Answer
from provender.api.exchange import Exchange
from provender.api.forms import JSON, sent_media_type
from provender.api.routing import Route
from provender.model.errors import Fault, InvalidParameters, ProvenderError
from provender.model.idempotency import LONGEST_KEY, Fingerprint, KeptAnswer, KeyedRequest, scope_of

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"

_JSON = JSON.encode()
_NAME = HEADER.lower().encode()
_REPLAYED = ((REPLAYED.lower().encode(), b"true"),)


def read_key(exchange: Exchange) -> bytes | None:
    """The key of a POST that has one. All other methods can be sent again without it, and it means nothing there."""
    key = exchange.headers.get(_NAME)
    if key is None or exchange.method != "POST":
        return None
    if sum(name == _NAME for name, _ in exchange.scope["headers"]) > 1:
        raise _unfit("duplicate", "is there more than once. Send it once.")
    if not key:
        raise _unfit("too_short", "must have at least 1 character.")
    if len(key) > LONGEST_KEY:
        raise _unfit("too_long", f"must have at most {LONGEST_KEY} characters.")
    if not all(0x21 <= character <= 0x7E for character in key):
        raise _unfit("invalid_character", "must have visible ASCII characters only, and no blanks.")
    return key


def _unfit(code: str, message: str) -> InvalidParameters:
    return InvalidParameters([Fault(HEADER, code, message)])


def keyed_request(exchange: Exchange, key: bytes, body: bytes) -> KeyedRequest:
    fingerprint = Fingerprint(sent_media_type(exchange.headers))
    fingerprint.update(body)
    return KeyedRequest(scope_of(exchange.method, exchange.raw_path, key), fingerprint.digest())


def comparable(exchange: Exchange, route: Route, body: bytes) -> bytes:
    """The body as it is compared: of JSON what it says, however it is written.

    An app that keeps a request until it is online again encodes it anew, and the encoders of some languages put members
    in another order each time. What cannot be read counts as it is, and is refused by whoever reads it next.
    """
    if sent_media_type(exchange.headers) != _JSON:
        return body
    try:
        return msgspec.json.encode(route.reader.take_apart(body), order="deterministic")
    except ProvenderError:
        return body


def replay(kept: KeptAnswer) -> Answer:
    return Answer(kept.body, kept.status, headers=_REPLAYED)
