"""Statements with lists of values: in a few lengths only, so that a database has few statements to prepare."""

from collections.abc import Collection, Iterator, Sequence
from typing import TypeVar

from provender.model.paging import MAX_LIMIT

T = TypeVar("T")

# So many values one statement has room for. The rest of the room is filled with what is there already.
_ROOMS = (1, 4, 16, 64, MAX_LIMIT)


def in_rooms(values: Collection[str]) -> list[list[str]]:
    """The values in as few parts as possible, each filled up to one of a few lengths."""
    listed = list(values)
    parts = [listed[start : start + _ROOMS[-1]] for start in range(0, len(listed), _ROOMS[-1])]
    rooms = [next(room for room in _ROOMS if room >= len(part)) for part in parts]
    return [part + [part[-1]] * (room - len(part)) for part, room in zip(parts, rooms, strict=True)]


def in_sizes(rows: Sequence[T], sizes: tuple[int, ...]) -> Iterator[Sequence[T]]:
    """The rows in parts, each of the largest of these sizes that fits; the last size is 1."""
    start = 0
    while left := len(rows) - start:
        size = next(size for size in sizes if size <= left)
        yield rows[start : start + size]
        start += size


def places(first: int, count: int) -> str:
    """`$3, $4, $5` for three values from the third on."""
    return ", ".join(f"${number}" for number in range(first, first + count))
