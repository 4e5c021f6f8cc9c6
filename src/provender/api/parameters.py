"""Parameters as declared classes: what an endpoint takes is a frozen dataclass whose fields say their kind.

    @dataclass(frozen=True, kw_only=True)
    class NewProfile:
        reference_id: Annotated[str, Text(longest=255), "Your own id of this user."]
        timezone: Annotated[str | None, Timezone(), "The user's time zone.", NULLABLE] = None

A field without a default is required, and one that ends with an underscore is the parameter without it, since `from`
is a word of Python's own. A field of the kind Items is a list of objects that have a declaration of their own.

A field without a default is required; one that is NULLABLE takes null in JSON and an empty value in a form. EXCLUSIVE
names pairs of which only one may be sent, RULES find faults between values that fit by themselves, and READ_PAST names
what may be sent and means nothing. The same declaration validates requests and describes them in the OpenAPI document.
All faults of a request are reported together.
"""

import dataclasses
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING
from typing import Any

from provender.api.kinds import Kind
from provender.model.errors import Fault

NULLABLE = object()

# A rule gets the values that fit, with the defaults of those that were not sent, and gives the faults it finds. A value
# that does not fit is not among them.
Rule = Callable[[Mapping[str, Any]], Iterable[Fault]]


@dataclasses.dataclass(frozen=True, slots=True)
class NoParameters:
    """What an endpoint takes that takes none."""


@dataclasses.dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    field: str
    kind: Kind[Any]
    description: str
    required: bool
    nullable: bool
    default: Any


def declared(declaration: type[Any]) -> Sequence[Parameter]:
    hints = typing.get_type_hints(declaration, include_extras=True)
    parameters = []
    for field in dataclasses.fields(declaration):
        _, kind, description, *marks = typing.get_args(hints[field.name])
        parameters.append(
            Parameter(
                name=field.name.removesuffix("_"),
                field=field.name,
                kind=kind,
                description=description,
                required=field.default is MISSING and field.default_factory is MISSING,
                nullable=NULLABLE in marks,
                default=None if field.default is MISSING else field.default,
            )
        )
    return parameters
