"""What a caller sent, taken apart but not yet judged: pairs of a query or a form, or the members of a JSON object.

Every limit here is checked before the work that it limits is done.
"""

import json
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import unquote_plus

import msgspec

from provender.api.errors import BodyTooLarge, BodyTooSlow, UnsupportedMediaType
from provender.api.patience import GaveUp, Patience
from provender.model.access import hide_keys
from provender.model.errors import InvalidBody, InvalidRequest

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Headers = dict[bytes, bytes]

MAX_BODY = 1024 * 1024
MAX_VALUES = 1000

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
# A text in JSON. One without an end goes to the end of the body, so that no part of it is looked at twice.
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_UTF_8 = ("charset=utf-8", "charset=utf8", "charset=us-ascii")


class ClientGone(Exception):
    """The caller hung up before it had sent everything."""


async def read_body(receive: Receive, headers: Headers, patience: Patience, largest: int = MAX_BODY) -> bytes:
    """The whole body, or an error as soon as it is known to be too large or too slow."""
    chunks: list[bytes] = []
    await take_body(receive, headers, patience, largest, chunks.append)
    return b"".join(chunks)


async def take_body(
    receive: Receive, headers: Headers, patience: Patience, largest: int, keep: Callable[[bytes], None]
) -> None:
    """Hand on each piece of the body as it comes."""
    announced = headers.get(b"content-length", b"0")
    if not announced.isdigit() or int(announced[:20]) > largest:
        raise body_too_large(largest)
    size = 0
    try:
        with patience.waiting() as wait:
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientGone
                piece = message.get("body", b"")
                size += len(piece)
                if size > largest:
                    raise body_too_large(largest)
                keep(piece)
                if not message.get("more_body", False):
                    return
                wait.extend(len(piece))
    except GaveUp:
        raise BodyTooSlow(f"Only {size} bytes of the body came in time. Send it faster, or send less.") from None


def body_too_large(largest: int) -> BodyTooLarge:
    return BodyTooLarge(f"The body is larger than {largest // (1024 * 1024)} MiB. Send less in one request.")


def sent_media_type(headers: Headers) -> bytes:
    """The body's type, whatever it is, without its parameters."""
    return headers.get(b"content-type", b"").partition(b";")[0].strip().lower()


def media_type(headers: Headers, *, json_only: bool = False) -> str:
    """The body's type, if it is one of the two that are read here, or the one that this endpoint takes."""
    name = sent_media_type(headers).decode("latin-1")
    _, _, parameters = headers.get(b"content-type", b"").decode("latin-1").partition(";")
    if name != JSON and (json_only or name != FORM):
        taken = f"This endpoint takes JSON only: send {JSON}." if json_only else f"Send {FORM} or {JSON}."
        raise UnsupportedMediaType(f"A body of type {shown(name) or 'unknown'} is not read here. {taken}")
    for parameter in parameters.lower().replace('"', "").replace(" ", "").split(";"):
        if parameter.startswith("charset=") and parameter not in _UTF_8:
            raise UnsupportedMediaType("A body must be in UTF-8.")
    if headers.get(b"content-encoding", b"identity").lower() != b"identity":
        raise UnsupportedMediaType("A compressed body is not read here. Send it without a Content-Encoding.")
    return name


def split_pairs(encoded: bytes) -> list[tuple[bytes, bytes]]:
    """The pairs of a query or a form, their names and values still percent-encoded."""
    if not encoded:
        return []
    if encoded.count(b"&") >= MAX_VALUES:
        raise _too_many(MAX_VALUES)
    pairs = []
    for part in encoded.split(b"&"):
        if part:
            name, _, value = part.partition(b"=")
            pairs.append((name, value))
    return pairs


def decode(encoded: bytes) -> str:
    """One percent-encoded name or value as text."""
    try:
        text = encoded.decode("utf-8")
        return unquote_plus(text, errors="strict") if b"%" in encoded or b"+" in encoded else text
    except UnicodeDecodeError:
        raise InvalidRequest("A parameter is not in UTF-8. Percent-encode its UTF-8 bytes.") from None


def read_json_object(body: bytes, most: int = MAX_VALUES) -> dict[str, Any]:
    """The members of a JSON object, which may hold lists and objects of at most so many values, but no name twice."""
    # A name or a text has two quotes. With more of them than so many values and their names can have, nothing that the
    # limit allows can come out, though names that came twice would hide it from the count below.
    if body.count(b'"') - body.count(b'\\"') > 4 * most:
        raise _too_many(most)
    # Outside of texts every comma has a value on each side. Objects of all those values would cost much more memory
    # than the body does, so they are not made.
    if body.count(b",") >= most and _TEXT.sub(b"", body).count(b",") >= most:
        raise _too_many(most)
    try:
        value = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        reason = "it is nested too deep" if isinstance(error, RecursionError) else str(error)[:200]
        raise InvalidBody(f"The body is not JSON: {reason}.") from None
    if not isinstance(value, dict):
        raise InvalidBody("The body must be a JSON object with the parameters as its members.")
    names, values = _count(value, most)
    if values > most:
        raise _too_many(most)
    # Every member has a colon, so as many colons as members leave no room for a name that came twice. Only where
    # there are more, in texts or because of such a name, is a second, slower reading needed.
    if body.count(b":") != names:
        _refuse_duplicates(body)
    return value


def _count(root: object, most: int) -> tuple[int, int]:
    """How many names and how many values a JSON value has, down to all depths; counting ends beyond the limit."""
    names, values = 0, -1
    waiting = [root]
    while waiting and values <= most:
        value = waiting.pop()
        values += 1
        if isinstance(value, dict):
            names += len(value)
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return names, values


def _refuse_duplicates(body: bytes) -> None:
    try:
        json.loads(body, object_pairs_hook=_without_duplicates)
    except (ValueError, RecursionError):
        # The two readers differ at the edges, such as how deep they go; what only one of them takes is refused.
        raise InvalidBody("The body is not JSON that can be read: it is nested too deep.") from None


def _without_duplicates(pairs: list[tuple[str, Any]]) -> None:
    seen = set()
    for name, _ in pairs:
        if name in seen:
            raise InvalidBody(f"The body has the name {shown(name)} more than once. Send each name once.")
        seen.add(name)


def _too_many(most: int) -> InvalidRequest:
    return InvalidRequest(f"There are more than {most} values in one request. Send fewer.")


def shown(name: str) -> str:
    """A name that a caller chose, made fit to be shown in an answer."""
    name = hide_keys(name)
    short = name if len(name) <= 64 else f"{name[:64]}…"
    return short.encode("utf-8", "backslashreplace").decode("utf-8")
