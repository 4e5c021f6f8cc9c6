"""What a handler gives back: bytes, ready to be sent."""

from typing import NamedTuple

Header = tuple[bytes, bytes]

JSON = b"application/json"
PROBLEM = b"application/problem+json"


class Answer(NamedTuple):
    body: bytes
    status: int = 200
    content_type: bytes = JSON
    headers: tuple[Header, ...] = ()
