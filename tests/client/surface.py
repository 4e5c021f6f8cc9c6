"""Every method of the client by what one types, such as `foods.search`."""

from collections.abc import Iterator
from dataclasses import fields

from provender_client import Client
from provender_client.endpoints import Declared, Export, Listing, Resource
from provender_client.models.answers import Answer

DECLARED = {
    f"{noun}.{verb}": declared
    for noun, resource in vars(Client("pv_none")).items()
    if isinstance(resource, Resource)
    for verb, declared in vars(type(resource)).items()
    if isinstance(declared, Declared)
}


def row(name: str) -> str:
    """The line of a method in the reference."""
    declared = DECLARED[name]
    parameters = ", ".join(f"`{each.name}`" for each in declared.parameters) or "none"
    answer = f"`{declared.answer.__name__}`" if declared.answer else "bytes"
    if isinstance(declared, Listing):
        answer = f"pages of {answer}"
    elif isinstance(declared, Export):
        answer = "pieces of bytes"
    return f"| `{name}` | `{declared.method} {declared.path}` | {parameters} | {answer} |"


def _answers(kind: type[Answer]) -> Iterator[type[Answer]]:
    for child in kind.__subclasses__():
        yield child
        yield from _answers(child)


ANSWERS = {kind.__name__: kind for kind in _answers(Answer)}


def answer_row(name: str) -> str:
    """The line of an answer in the reference."""
    members = ", ".join(f"`{each.name}`" for each in fields(ANSWERS[name]) if each.name != "raw")
    return f"| `{name}` | {members} |"
