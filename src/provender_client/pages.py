"""Lists and exports, which come piece by piece: each for the client that blocks and for the one that is awaited."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Generic, TypeVar

from provender_client.calls import Call
from provender_client.drivers import AsyncDriver, SyncDriver
from provender_client.models.answers import Page

T = TypeVar("T")

# Whoever walks through a list wants much of it. A single page has as many items as the API itself gives.
_LIMIT_OF_A_WALK = 100


class Walk(Generic[T]):
    """The way through a list: which page comes first, which comes after another, and in which order its items are."""

    def __init__(self, first: Call[Page[T]], *, has_limit: bool) -> None:
        self.first = first
        self.has_limit = has_limit
        self._backwards = "ending_before" in first.query

    def begin(self) -> Call[Page[T]]:
        if self.has_limit and "limit" not in self.first.query:
            return self.first.asking_for(limit=str(_LIMIT_OF_A_WALK))
        return self.first

    def after(self, call: Call[Page[T]], page: Page[T]) -> Call[Page[T]] | None:
        if not (page.has_more and page.data):
            return None
        if self._backwards:
            return call.asking_for(ending_before=_id(page.data[0]))
        return call.asking_for(starting_after=_id(page.data[-1]))

    def items(self, page: Page[T]) -> Iterator[T]:
        return reversed(page.data) if self._backwards else iter(page.data)

    def one(self) -> Call[Page[T]]:
        return self.first.asking_for(limit="1") if self.has_limit else self.first


class Pages(Generic[T]):
    """A list. Iterating over it asks for page after page; each iteration begins anew.

    With `ending_before` the walk goes from there to the beginning of the list, the nearest item first. The items of a
    page are always in the list's own order.
    """

    def __init__(self, driver: SyncDriver, walk: Walk[T]) -> None:
        self._driver = driver
        self._walk = walk

    def __repr__(self) -> str:
        return f"<Pages of GET {self._walk.first.path}: iterate over it, or take its page() or first()>"

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from self._walk.items(page)

    def pages(self) -> Iterator[Page[T]]:
        """All pages from here on, of 100 items unless `limit` says otherwise."""
        call: Call[Page[T]] | None = self._walk.begin()
        while call is not None:
            page = self._driver.run(call)
            yield page
            call = self._walk.after(call, page)

    def page(self) -> Page[T]:
        """One page, of 10 items unless `limit` says otherwise."""
        return self._driver.run(self._walk.first)

    def first(self) -> T | None:
        """The first item, or None where there is none."""
        return next(self._walk.items(self._driver.run(self._walk.one())), None)


class AsyncPages(Generic[T]):
    """A list. Iterating over it with `async for` asks for page after page; each iteration begins anew.

    With `ending_before` the walk goes from there to the beginning of the list, the nearest item first. The items of a
    page are always in the list's own order.
    """

    def __init__(self, driver: AsyncDriver, walk: Walk[T]) -> None:
        self._driver = driver
        self._walk = walk

    def __repr__(self) -> str:
        return f"<AsyncPages of GET {self._walk.first.path}: use `async for`, or await its page() or first()>"

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in self._walk.items(page):
                yield item

    async def pages(self) -> AsyncIterator[Page[T]]:
        """All pages from here on, of 100 items unless `limit` says otherwise."""
        call: Call[Page[T]] | None = self._walk.begin()
        while call is not None:
            page = await self._driver.run(call)
            yield page
            call = self._walk.after(call, page)

    async def page(self) -> Page[T]:
        """One page, of 10 items unless `limit` says otherwise."""
        return await self._driver.run(self._walk.first)

    async def first(self) -> T | None:
        """The first item, or None where there is none."""
        return next(self._walk.items(await self._driver.run(self._walk.one())), None)


class Download:
    """A document that may be large. Iterating over it gives its bytes as they come; each iteration asks anew."""

    def __init__(self, driver: SyncDriver, call: Call[Any]) -> None:
        self._driver = driver
        self._call = call

    def __iter__(self) -> Iterator[bytes]:
        with self._driver.stream(self._call) as response:
            yield from response.iter_bytes()

    def read(self) -> bytes:
        """All of it at once."""
        return b"".join(self)


class AsyncDownload:
    """A document that may be large. `async for` gives its bytes as they come; each iteration asks anew."""

    def __init__(self, driver: AsyncDriver, call: Call[Any]) -> None:
        self._driver = driver
        self._call = call

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async with self._driver.stream(self._call) as response:
            async for piece in response.aiter_bytes():
                yield piece

    async def read(self) -> bytes:
        """All of it at once."""
        return b"".join([piece async for piece in self])


def page_reader(item: Callable[[Any], T]) -> Callable[[Any], Page[T]]:
    def read(raw: Any) -> Page[T]:
        return Page(data=tuple(map(item, raw["data"])), has_more=raw.get("has_more", False))

    return read


def _id(item: object) -> str:
    return str(item.id)  # type: ignore[attr-defined]
