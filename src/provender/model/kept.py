"""What was found out before and is still good, up to a size."""

from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Kept(Generic[K, V]):
    """What was used lately, up to a size.

    There are two generations: what is used moves into the young one, and when that is full, it becomes the old one and
    what was left there is forgotten. That keeps what is used often without noting every use.
    """

    __slots__ = ("_most", "_old", "_size", "_size_of", "_young")

    def __init__(self, most: int, size_of: Callable[[V], int]) -> None:
        self._most = most // 2
        self._size_of = size_of
        self._young: dict[K, V] = {}
        self._old: dict[K, V] = {}
        self._size = 0

    def get(self, key: K) -> V | None:
        found = self._young.get(key)
        if found is None and (found := self._old.pop(key, None)) is not None:
            self.put(key, found)
        return found

    def put(self, key: K, value: V) -> None:
        size = self._size_of(value)
        if self._size + size > self._most:
            self._old, self._young, self._size = self._young, {}, 0
        self._young[key] = value
        self._size += size
