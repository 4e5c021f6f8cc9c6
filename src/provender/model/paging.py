"""Pages of a list, as every list has them: what is asked for, and what comes back."""

from collections.abc import Callable, Sequence
from typing import Generic, Self, TypeVar

import msgspec

from provender.model.errors import InvalidCursor

T = TypeVar("T")
U = TypeVar("U")

DEFAULT_LIMIT = 10
MAX_LIMIT = 100


class PageRequest(msgspec.Struct, frozen=True):
    """Which part of a list is wanted; `cursor` is an item's id, and None means the list's beginning."""

    limit: int = DEFAULT_LIMIT
    cursor: str | None = None
    backwards: bool = False

    @property
    def reach(self) -> int:
        """How many items to read: one more than the page tells whether there are more, and the cursor comes along."""
        return self.limit + (1 if self.cursor is None else 2)


class Page(msgspec.Struct, Generic[T], frozen=True):
    items: Sequence[T]
    has_more: bool

    @classmethod
    def cut(cls, reached: Sequence[T], request: PageRequest) -> Self:
        """Cut the page out of the items that were read: at most `reach`, the cursor first, in the direction asked.

        Reading the cursor along with the items answers three questions in one look: whether it is an item of the
        list, what comes after it, and whether anything comes after that.
        """
        if request.cursor is not None:
            if not reached:
                raise InvalidCursor
            reached = reached[1:]
        items = reached[: request.limit]
        return cls(items[::-1] if request.backwards else items, len(reached) > request.limit)

    def map(self, change: Callable[[T], U]) -> "Page[U]":
        return Page([change(item) for item in self.items], self.has_more)
