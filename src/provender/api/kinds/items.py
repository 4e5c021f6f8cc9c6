"""The kind of lists of objects, which only JSON can write."""

from typing import Any

from provender.api.kinds.kind import Kind, Schema, Unfit


class Items(Kind[list[object]]):
    """Objects in a list, each with parameters of its own. What is read here is the list: the reader knows the rest.

    In the declaration that has it, the field is a tuple of instances of the inner declaration.
    """

    shape = "items"

    def __init__(self, declaration: type[Any], most: int, least: int = 1) -> None:
        self.declaration = declaration
        self.most = most
        self.least = least

    def from_text(self, text: str) -> list[object]:  # noqa: ARG002 - There is no text that could be one.
        raise Unfit("wrong_shape", "is a list of objects, which only a JSON body can have.")

    def from_json(self, value: object) -> list[object]:
        if not isinstance(value, list):
            raise Unfit("wrong_type", "must be a list of objects.")
        if len(value) < self.least:
            raise Unfit("too_few", f"must have at least {self.least} item{'s' * (self.least > 1)}.")
        if len(value) > self.most:
            raise Unfit("too_many", f"must have at most {self.most} item{'s' * (self.most > 1)}.")
        return value

    def schema(self) -> Schema:
        return {"type": "array", "minItems": self.least, "maxItems": self.most}
