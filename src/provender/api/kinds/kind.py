"""What a kind of parameter is: how it is read from text and from JSON, and how the OpenAPI document describes it."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, Literal, TypeVar

T = TypeVar("T")
Schema = dict[str, Any]


class Unfit(Exception):
    """Why a value is not taken: a stable code, and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Kind(ABC, Generic[T]):
    """A kind whose values are single texts, or what its subclasses say."""

    shape: ClassVar[Literal["scalar", "list", "group", "items"]] = "scalar"

    # No fitting value has more characters; longer ones are refused before they are decoded.
    longest = 64

    @abstractmethod
    def from_text(self, text: str) -> T:
        """Read a value from a query or a form, where everything is text."""

    @abstractmethod
    def from_json(self, value: object) -> T:
        """Read a value from a JSON body, where types are told apart."""

    @abstractmethod
    def schema(self) -> Schema:
        """What the OpenAPI document says of it."""


class StringKind(Kind[str]):
    """A kind whose values are strings in JSON too."""

    def from_json(self, value: object) -> str:
        if not isinstance(value, str):
            raise Unfit("wrong_type", "must be a string.")
        return self.from_text(value)
