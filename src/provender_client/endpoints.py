"""How a resource declares its endpoints, once for both clients.

A method of a resource is a signature and a docstring, no more: the decorator knows the request, and sends each argument
under its own name. An argument that is its default is not sent. On a resource of the client that blocks the method
returns the answer, on one of the client that is awaited an awaitable of it, and type checkers see which.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Mapping
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from provender_client.calls import Call, call
from provender_client.decoding import reader
from provender_client.drivers import AsyncDriver, SyncDriver
from provender_client.models.answers import Answer, Page
from provender_client.pages import AsyncDownload, AsyncPages, Download, Pages, Walk, page_reader

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A", bound=Answer)
D = TypeVar("D", bound=SyncDriver | AsyncDriver)
Declaration = Callable[Concatenate[Any, P], None]
# How an argument is written, where it is not sent as it is.
Ways = Mapping[str, Callable[[Any], object]]


class Resource(Generic[D]):
    """A noun of the API, for one of the two clients."""

    def __init__(self, driver: D) -> None:
        self._driver: Any = driver


class Declared(Generic[P, T]):
    """A method that has been declared, and the request that it sends."""

    def __init__(
        self,
        declaration: Declaration[P],
        method: str,
        path: str,
        read: Callable[[Any], T],
        answer: type[Answer] | None = None,
        ways: Ways | None = None,
    ) -> None:
        self.method = method
        self.path = path
        # What comes back or, of a list, each of its items.
        self.answer = answer
        self.parameters: list[inspect.Parameter] = list(inspect.signature(declaration).parameters.values())[1:]
        self.signature: inspect.Signature = inspect.Signature(self.parameters)
        self._declaration = declaration
        self._read = read
        self._ways = ways or {}
        self.__doc__ = declaration.__doc__

    def call(self, *args: Any, **kwargs: Any) -> Call[T]:
        """What is sent for these arguments."""
        try:
            arguments = self.signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            # It does not say by itself which function it is about.
            raise TypeError(f"{self._declaration.__qualname__}: {error}") from None
        # By identity: 0 is not None, and None is not what was omitted.
        sent = {
            name.removesuffix("_"): self._written(name, value)
            for name, value in arguments.items()
            if value is not self.signature.parameters[name].default
        }
        try:
            return call(self.method, self.path, self._read, sent)
        except (TypeError, ValueError) as error:
            error.add_note(f"This was an argument of {self._declaration.__qualname__}.")
            raise

    def bind(self, perform: Callable[[Call[T]], Any]) -> Callable[..., Any]:
        """The method of one resource, with the name, the signature and the docstring that it was declared with."""

        def method(*args: Any, **kwargs: Any) -> Any:
            return perform(self.call(*args, **kwargs))

        update_wrapper(method, self._declaration)
        method.__signature__ = self.signature  # type: ignore[attr-defined]
        return method

    def _written(self, name: str, value: object) -> object:
        # In a path or a query these would be words, and name something else: the profile called "None".
        if value is None and self.signature.parameters[name].default is inspect.Parameter.empty:
            raise TypeError(f"{self._declaration.__qualname__}: {name} is None, and must be given.")
        if isinstance(value, Answer):
            raise TypeError(f"{self._declaration.__qualname__}: {name} is a whole {type(value).__name__}; give its id.")
        return self._ways[name](value) if name in self._ways and value is not None else value


class Endpoint(Declared[P, T]):
    """A method that has one answer."""

    @overload
    def __get__(self, resource: None, owner: type) -> Endpoint[P, T]: ...
    @overload
    def __get__(self, resource: Resource[SyncDriver], owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, resource: Resource[AsyncDriver], owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, resource: Any, owner: type) -> Any:
        return self if resource is None else self.bind(_driver_of(resource).run)


class Listing(Declared[P, Page[T]]):
    """A method that has a list as its answer."""

    @overload
    def __get__(self, resource: None, owner: type) -> Listing[P, T]: ...
    @overload
    def __get__(self, resource: Resource[SyncDriver], owner: type) -> Callable[P, Pages[T]]: ...
    @overload
    def __get__(self, resource: Resource[AsyncDriver], owner: type) -> Callable[P, AsyncPages[T]]: ...
    def __get__(self, resource: Any, owner: type) -> Any:
        if resource is None:
            return self
        driver = _driver_of(resource)
        kind: Any = Pages if isinstance(driver, SyncDriver) else AsyncPages
        has_limit = "limit" in self.signature.parameters
        return self.bind(lambda first: kind(driver, Walk(first, has_limit=has_limit)))


class Export(Declared[P, Any]):
    """A method whose answer is handed on as it comes."""

    @overload
    def __get__(self, resource: None, owner: type) -> Export[P]: ...
    @overload
    def __get__(self, resource: Resource[SyncDriver], owner: type) -> Callable[P, Download]: ...
    @overload
    def __get__(self, resource: Resource[AsyncDriver], owner: type) -> Callable[P, AsyncDownload]: ...
    def __get__(self, resource: Any, owner: type) -> Any:
        if resource is None:
            return self
        driver = _driver_of(resource)
        kind: Any = Download if isinstance(driver, SyncDriver) else AsyncDownload
        return self.bind(lambda call: kind(driver, call))


def _driver_of(resource: Any) -> Any:
    return resource._driver  # noqa: SLF001 - It is private so that editors do not offer it among the methods.


def endpoint(
    method: str, path: str, answer: type[A], **ways: Callable[[Any], object]
) -> Callable[[Declaration[P]], Endpoint[P, A]]:
    return lambda declaration: Endpoint(declaration, method, path, reader(answer), answer, ways)


def listing(path: str, item: type[A]) -> Callable[[Declaration[P]], Listing[P, A]]:
    return lambda declaration: Listing(declaration, "GET", path, page_reader(reader(item)), item)


def export(path: str) -> Callable[[Declaration[P]], Export[P]]:
    return lambda declaration: Export(declaration, "GET", path, lambda raw: raw)
