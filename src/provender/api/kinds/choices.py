"""Kinds whose values are a few words, yes and no among them."""

from collections.abc import Sequence
from typing import ClassVar

from provender.api.kinds.kind import Kind, Schema, StringKind, Unfit


class Choice(StringKind):
    """One of a few words."""

    def __init__(self, values: Sequence[str]) -> None:
        self.values = tuple(values)

    def from_text(self, text: str) -> str:
        if text not in self.values:
            raise Unfit("not_allowed", f"must be one of {', '.join(self.values)}.")
        return text

    def schema(self) -> Schema:
        return {"type": "string", "enum": list(self.values)}


class Choices(Kind[frozenset[str]]):
    """Any of a few words, however they are written: repeated, in brackets, or with commas between them."""

    shape = "list"
    longest = 256

    def __init__(self, values: Sequence[str]) -> None:
        self.choice = Choice(values)

    def from_text(self, text: str) -> frozenset[str]:
        return frozenset(self.choice.from_text(word.strip()) for word in text.split(",") if word.strip())

    def from_json(self, value: object) -> frozenset[str]:
        words = value if isinstance(value, list) else [value]
        if not all(isinstance(word, str) for word in words):
            raise Unfit("wrong_type", "must be a list of strings.")
        return frozenset[str]().union(*map(self.from_text, words))

    def schema(self) -> Schema:
        return {"type": "array", "items": self.choice.schema()}


class Flag(Kind[bool]):
    """Yes or no."""

    _words: ClassVar = {"true": True, "false": False, "1": True, "0": False}

    def from_text(self, text: str) -> bool:
        if text not in self._words:
            raise Unfit("wrong_type", "must be true or false.")
        return self._words[text]

    def from_json(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise Unfit("wrong_type", "must be true or false.")
        return value

    def schema(self) -> Schema:
        return {"type": "boolean"}
