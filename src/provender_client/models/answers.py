"""What all answers have in common, and the short ones: confirmations and pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An object of the API. `raw` is the JSON that it was made from."""

    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def extra(self) -> dict[str, Any]:
        """What the server has sent and this version of the client does not know."""
        known = {"_id" if each.name == "id" else each.name for each in fields(self)}
        return {name: value for name, value in self.raw.items() if name not in known}


@dataclass(frozen=True, slots=True, kw_only=True)
class Created(Answer):
    """It was created, or added."""

    id: str
    created: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedList(Answer):
    """All of them were created, in the order in which they were sent."""

    data: tuple[Created, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted(Answer):
    """It was deleted, or removed."""

    id: str
    deleted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[T]):
    """One page of a list, in the list's order. `has_more` looks in the direction that was asked for."""

    data: tuple[T, ...]
    has_more: bool = False

    def __iter__(self) -> Iterator[T]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self.data[index]
