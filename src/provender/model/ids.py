"""Identifiers: 16 characters of 0-9A-Za-z. Of what callers create, their string order is the order of creation."""

import hashlib
import os
import secrets
import struct
import threading
from datetime import datetime

from provender.model.times import to_ms

# In ASCII order, so that comparing two ids as strings compares the numbers they stand for.
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
LENGTH = 16

# 62 ** 16 holds 95 bits: 48 of a millisecond clock (it lasts until the year 10889), 47 of chance.
_RANDOM_BITS = 47
_PAIRS = [a + b for a in ALPHABET for b in ALPHABET]
_AT_ONCE = 8

# A letter or digit for every byte. Eight of them are a little likelier than the others, which leaves over 94 bits.
_LETTERS = bytes(ord(ALPHABET[byte % len(ALPHABET)]) for byte in range(256))

_lock = threading.Lock()
_last = 0

# Chance for the next ids. Asking the system for each of them would let another thread go first every time.
_DRAWN = 256
_chance: list[int] = []

# Two processes must not have the same.
os.register_at_fork(after_in_child=_chance.clear)


def new_id(now: datetime) -> str:
    """An id that is greater than every id this process has made before, even when the clock goes back."""
    global _last  # noqa: PLW0603 - The order must hold for the whole process, whoever asks.
    made_at = to_ms(now) << _RANDOM_BITS
    with _lock:
        if not _chance:
            drawn = secrets.token_bytes(8 * _DRAWN)
            _chance.extend(value >> (64 - _RANDOM_BITS) for value in struct.unpack(f"<{_DRAWN}Q", drawn))
        value = made_at | _chance.pop()
        if value <= _last:
            value = _last + 1
        _last = value
    return encode(value, LENGTH)


def id_of(content: str) -> str:
    """An id that is the same for the same content, everywhere and always."""
    return hashlib.blake2b(content.encode(), digest_size=LENGTH).digest().translate(_LETTERS).decode("ascii")


def encode(value: int, length: int) -> str:
    """The number in base 62, in an even `length` of characters."""
    if length > _AT_ONCE:
        # Small numbers are divided faster than large ones.
        high, low = divmod(value, 62**_AT_ONCE)
        return encode(high, length - _AT_ONCE) + encode(low, _AT_ONCE)
    text = ""
    for _ in range(length // 2):
        value, pair = divmod(value, 62 * 62)
        text = _PAIRS[pair] + text
    return text


def is_id(text: str) -> bool:
    """Whether the text has the form of an id; whether anything has that id is another question."""
    return len(text) == LENGTH and text.isascii() and text.isalnum()
