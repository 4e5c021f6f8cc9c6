"""A large JSON object, read member by member, and its lists item by item, without decoding the whole.

What is found here is where values begin and end; whether they are JSON, whoever decodes them finds out. Any order of
members and any blanks between them are taken.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from provender.model.errors import InvalidBody

# Reads so many bytes from an offset on; fewer at the end.
Read = Callable[[int, int], bytes]

# No item of a list, and no single value, is larger: a hundred items of a meal with the longest names have 350 kB where
# every character is escaped.
LARGEST_VALUE = 512 * 1024

_WINDOW = 256 * 1024
_DEEPEST = 32

_BLANKS = re.compile(rb"[ \t\n\r]*+")
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_WORD = re.compile(rb'[^\s,:"\[\]{}]++')
# Everything up to the next bracket: texts are taken whole, so that brackets in them do not count. A text without an end
# is not taken at all.
_UP_TO_BRACKET = re.compile(rb'[^"\[\]{}]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"\[\]{}]*+)*+', re.DOTALL)

# An item of a list that has no brackets but its own, with the comma behind it: as most items of long lists are.
_FLAT_ITEM = re.compile(
    rb'[ \t\n\r]*+(\{[^"\[\]{}]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"\[\]{}]*+)*+\})[ \t\n\r]*+,', re.DOTALL
)

_OPENING = b"[{"


class Member(NamedTuple):
    """A member of the object: the bytes of its value, or where its list begins."""

    name: str
    value: bytes | None
    start: int


class Document:
    def __init__(self, read: Read) -> None:
        self._read = read

    def members(self) -> Iterator[Member | None]:
        """All members in their order. Between them, for each item of a list that is passed by, there is a None."""
        cursor = _Cursor(self._read, 0)
        cursor.expect(b"{")
        if cursor.peek() == b"}":
            cursor.expect(b"}")
        else:
            while True:
                yield from _member(cursor)
                if cursor.take(b",}") == b"}":
                    break
        if cursor.peek():
            raise InvalidBody("Something follows after the end of the JSON object.")

    def items(self, start: int) -> Iterator[bytes]:
        """The items of the list that begins there."""
        return _items(_Cursor(self._read, start))


def _member(cursor: "_Cursor") -> Iterator[Member | None]:
    if cursor.peek() != b'"':
        raise InvalidBody(f"The body is not JSON: a name is missing at byte {cursor.offset}.")
    try:
        name = msgspec.json.decode(cursor.value(), type=str)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise InvalidBody(f"The body is not JSON: a name before byte {cursor.offset} cannot be read.") from None
    cursor.expect(b":")
    if cursor.peek() != b"[":
        yield Member(name, cursor.value(), 0)
        return
    start = cursor.offset
    for _ in _items(cursor):
        yield None
    yield Member(name, None, start)


def _items(cursor: "_Cursor") -> Iterator[bytes]:
    cursor.expect(b"[")
    if cursor.peek() == b"]":
        cursor.expect(b"]")
        return
    while True:
        while (item := cursor.flat_item()) is not None:
            yield item
        yield cursor.value()
        if cursor.take(b",]") == b"]":
            return


class _Cursor:
    """A place in the document, with the part of it that lies around."""

    __slots__ = ("_base", "_pos", "_read", "_window")

    def __init__(self, read: Read, offset: int) -> None:
        self._read = read
        self._base = offset
        self._pos = 0
        self._window = read(offset, _WINDOW)

    @property
    def offset(self) -> int:
        return self._base + self._pos

    def peek(self) -> bytes:
        """The next byte that is no blank; nothing at the end."""
        while True:
            self._pos = _BLANKS.match(self._window, self._pos).end()  # type: ignore[union-attr]  # It always matches.
            if self._pos < len(self._window):
                return self._window[self._pos : self._pos + 1]
            if not self._move(_WINDOW):
                return b""

    def take(self, allowed: bytes) -> bytes:
        """Step over one of some signs."""
        found = self.peek()
        if not found:
            raise _ends_early()
        if found not in allowed:
            wanted = " or ".join(chr(each) for each in allowed)
            raise InvalidBody(f"The body is not JSON: byte {self.offset} should be {wanted}.")
        self._pos += 1
        return found

    def expect(self, sign: bytes) -> None:
        self.take(sign)

    def flat_item(self) -> bytes | None:
        """Step over an item and its comma, if the window shows at a glance where they end."""
        found = _FLAT_ITEM.match(self._window, self._pos)
        if found is None:
            return None
        self._pos = found.end()
        return found[1]

    def value(self) -> bytes:
        """Step over a whole value."""
        if not self.peek():
            raise _ends_early()
        whole = False
        while True:
            end = self._end()
            # What ends with the window may go on behind it.
            if end is not None and (whole or end < len(self._window)):
                value = self._window[self._pos : end]
                self._pos = end
                return value
            if whole:
                raise _ends_early()
            seen = len(self._window) - self._pos
            if seen > LARGEST_VALUE:
                raise InvalidBody(f"The value at byte {self.offset} is larger than {LARGEST_VALUE // 1024} KiB.")
            whole = not self._move(max(_WINDOW, 2 * seen))

    def _move(self, size: int) -> bool:
        """Let the window begin here; whether there is more in it now than there was."""
        before = len(self._window) - self._pos
        self._base, self._pos = self.offset, 0
        self._window = self._read(self._base, size)
        return len(self._window) > before

    def _end(self) -> int | None:
        """Where the value ends that begins here, as far as the window shows."""
        window, pos = self._window, self._pos
        first = window[pos]
        if first in _OPENING:
            return self._closing(window, pos)
        found = (_TEXT if first == b'"'[0] else _WORD).match(window, pos)
        if found is None and first != b'"'[0]:
            raise InvalidBody(f"The body is not JSON: a value is missing at byte {self.offset}.")
        return None if found is None else found.end()

    def _closing(self, window: bytes, pos: int) -> int | None:
        depth = 0
        while True:
            pos = _UP_TO_BRACKET.match(window, pos).end()  # type: ignore[union-attr]  # It always matches.
            if pos == len(window) or window[pos] not in b"[]{}":
                return None
            depth += 1 if window[pos] in _OPENING else -1
            pos += 1
            if depth == 0:
                return pos
            if depth > _DEEPEST:
                raise InvalidBody("The body is not JSON that can be read: it is nested too deep.")


def _ends_early() -> InvalidBody:
    return InvalidBody("The body is not JSON: it ends in the middle.")
