"""What a handler gives back: bytes, ready to be sent, or a stream of them."""

from collections.abc import AsyncGenerator

import msgspec

Header = tuple[bytes, bytes]

JSON = b"application/json"
PROBLEM = b"application/problem+json"


class Answer(msgspec.Struct, frozen=True):
    body: bytes
    status: int = 200
    content_type: bytes = JSON
    headers: tuple[Header, ...] = ()


class Stream(msgspec.Struct, frozen=True):
    """An answer of any length, made while it is sent. If making it fails, the connection ends without its end."""

    chunks: AsyncGenerator[bytes]
    status: int = 200
    content_type: bytes = JSON
    headers: tuple[Header, ...] = ()
