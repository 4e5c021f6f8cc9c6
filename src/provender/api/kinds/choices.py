"""Kinds whose values are a few words."""

from collections.abc import Sequence

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
