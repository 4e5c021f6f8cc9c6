"""Parameters as declared classes: what an endpoint takes is a frozen dataclass whose fields say their kind.

    @dataclass(frozen=True, kw_only=True)
    class NewProfile:
        reference_id: Annotated[str, Text(longest=255), "Your own id of this user."]
        timezone: Annotated[str | None, Timezone(), "The user's time zone.", NULLABLE] = None

A field without a default is required; one that is NULLABLE takes null in JSON and an empty value in a form. EXCLUSIVE
names pairs of which only one may be sent, RULES find faults between values that fit by themselves, and READ_PAST names
what may be sent and means nothing. The same declaration validates requests and describes them in the OpenAPI document.
All faults of a request are reported together.
"""

import dataclasses
import difflib
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING
from typing import Any, Generic, TypeVar

from provender.api.forms import decode, read_json_object, shown, split_pairs
from provender.api.kinds import Group, Kind, Unfit
from provender.model.errors import Fault, InvalidParameters

P = TypeVar("P")

NULLABLE = object()

# A rule gets the values that fit, with the defaults of those that were not sent, and gives the faults it finds. A value
# that does not fit is not among them.
Rule = Callable[[Mapping[str, Any]], Iterable[Fault]]

MAX_FAULTS = 25

# A percent-encoded character takes up to 12 bytes: 4 in UTF-8, each written with 3.
_BYTES_PER_CHARACTER = 12
_LONGEST_NAME = 200

# The public client library of this interface writes these; they mean the same.
_ALIASES = {"includes": "include"}


@dataclasses.dataclass(frozen=True, slots=True)
class NoParameters:
    """What an endpoint takes that takes none."""


@dataclasses.dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    kind: Kind[Any]
    description: str
    required: bool
    nullable: bool
    default: Any


class _Faults:
    """The faults found so far; looking for more ends when there are as many as are listed."""

    def __init__(self) -> None:
        self.found: list[Fault] = []

    def add(self, param: str, code: str, message: str) -> None:
        self.found.append(Fault(param, code, message))
        if len(self.found) >= MAX_FAULTS:
            self.raise_any()

    def raise_any(self) -> None:
        if self.found:
            raise InvalidParameters(self.found)


class Reader(Generic[P]):
    """Reads the parameters of one endpoint."""

    def __init__(self, declaration: type[P]) -> None:
        self._declaration = declaration
        self.parameters = {parameter.name: parameter for parameter in _declared(declaration)}
        self.read_past: frozenset[str] = getattr(declaration, "READ_PAST", frozenset())
        self._rules: Sequence[Rule] = getattr(declaration, "RULES", ())

    def read_pairs(self, encoded: bytes) -> P:
        """Read a query or a form."""
        if not encoded and not self.parameters:
            return self._declaration()
        faults = _Faults()
        values: dict[str, Any] = {}
        for name, value in split_pairs(encoded):
            self._take_pair(name, value, values, faults)
        return self._finish(values, faults)

    def read_json(self, body: bytes) -> P:
        """Read a JSON body."""
        faults = _Faults()
        values: dict[str, Any] = {}
        for name, value in read_json_object(body).items():
            parameter = self._find(name, faults)
            if parameter is None:
                continue
            if value is None:
                values[parameter.name] = None
                if not parameter.nullable:
                    faults.add(parameter.name, "null_not_allowed", "must not be null.")
            elif isinstance(parameter.kind, Group):
                values[parameter.name] = _read_group(parameter, value, faults)
            else:
                _read(values, parameter.name, parameter.kind.from_json, value, faults)
        return self._finish(values, faults)

    def refuse_query(self, encoded: bytes) -> list[Fault]:
        """What is wrong with parameters in the address of a request that takes them in its body."""
        faults = _Faults()
        for encoded_name, _ in split_pairs(encoded):
            name = decode(encoded_name[:_LONGEST_NAME])
            if self._find(name.partition("[")[0], faults) is not None:
                faults.add(shown(name), "wrong_place", "is sent in the body of this request, not in its address.")
        return faults.found or [Fault("query", "wrong_place", "must be empty: parameters are sent in the body.")]

    def _finish(self, values: dict[str, Any], faults: _Faults) -> P:
        faulty = {fault.param.partition("[")[0] for fault in faults.found}
        for name, parameter in self.parameters.items():
            if parameter.required and name not in values and name not in faulty:
                faults.add(name, "required", "is required.")
        for pair in getattr(self._declaration, "EXCLUSIVE", ()):
            if values.keys() >= set(pair):
                faults.add(pair[1], "not_combinable", f"cannot be combined with {pair[0]}. Send one of the two.")
        self._apply_rules(values, faults)
        faults.raise_any()
        return self._declaration(**values)

    def _apply_rules(self, values: dict[str, Any], faults: _Faults) -> None:
        if not self._rules:
            return
        faulty = {fault.param.partition("[")[0] for fault in faults.found}
        sent = {name: parameter.default for name, parameter in self.parameters.items()} | values
        fitting = {name: value for name, value in sent.items() if name not in faulty}
        for rule in self._rules:
            for fault in rule(fitting):
                faults.add(fault.param, fault.code, fault.message)

    def _find(self, name: str, faults: _Faults) -> Parameter | None:
        parameter = self.parameters.get(_ALIASES.get(name, name))
        if parameter is None and name not in self.read_past:
            faults.add(shown(name), "unknown_parameter", self._unknown(name))
        return parameter

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(name, self.parameters, n=1) if len(name) <= 64 else []
        if near:
            return f"is not a parameter of this endpoint. Did you mean {near[0]}?"
        if self.parameters:
            return f"is not a parameter of this endpoint. It takes {', '.join(self.parameters)}."
        return "is not a parameter of this endpoint. It takes none here."

    def _take_pair(self, encoded_name: bytes, encoded_value: bytes, values: dict[str, Any], faults: _Faults) -> None:
        full = decode(encoded_name[:_LONGEST_NAME]) if len(encoded_name) > _LONGEST_NAME else decode(encoded_name)
        base, bracket, rest = full.partition("[")
        parameter = self._find(base, faults)
        if parameter is None:
            return
        if len(encoded_value) > parameter.kind.longest * _BYTES_PER_CHARACTER:
            faults.add(shown(full), "too_long", f"must have at most {parameter.kind.longest} characters.")
            return
        member = rest[:-1] if bracket else None
        if bracket and (not rest.endswith("]") or "[" in rest or "]" in rest[:-1]):
            faults.add(shown(full), "wrong_shape", "has brackets that cannot be read; one pair is taken at most.")
            return
        text = decode(encoded_value)
        if parameter.kind.shape == "group":
            _take_member(parameter, member, text, values, faults)
        elif parameter.kind.shape == "list":
            _take_item(parameter, member, text, values, faults)
        else:
            _take_scalar(parameter, member, text, values, faults)


def _take_scalar(parameter: Parameter, member: str | None, text: str, values: dict[str, Any], faults: _Faults) -> None:
    name = parameter.name
    if member is not None:
        faults.add(name, "wrong_shape", "takes a single value, without brackets.")
    elif name in values:
        faults.add(name, "duplicate", "is there more than once. Send it once.")
    elif text == "" and parameter.nullable:
        values[name] = None
    else:
        _read(values, name, parameter.kind.from_text, text, faults)


def _take_item(parameter: Parameter, member: str | None, text: str, values: dict[str, Any], faults: _Faults) -> None:
    if member and not (member.isascii() and member.isdecimal()):
        faults.add(f"{parameter.name}[{shown(member)}]", "wrong_shape", "takes a list, written as name[]=value.")
        return
    try:
        values[parameter.name] = values.get(parameter.name, frozenset()) | parameter.kind.from_text(text)
    except Unfit as unfit:
        faults.add(parameter.name, unfit.code, unfit.message)


def _take_member(parameter: Parameter, member: str | None, text: str, values: dict[str, Any], faults: _Faults) -> None:
    if member is None:
        # Without brackets the group as a whole is meant, and there is one thing it can be.
        if text == "" and parameter.nullable:
            _take_scalar(parameter, None, text, values, faults)
        else:
            faults.add(parameter.name, "wrong_shape", "takes members, each written as name[member]=value.")
        return
    members = values.setdefault(parameter.name, {})
    if members is None:
        faults.add(parameter.name, "duplicate", "is there more than once. Send it once.")
    elif member in members:
        faults.add(f"{parameter.name}[{shown(member)}]", "duplicate", "is there more than once. Send it once.")
    else:
        _read_member(members, parameter, member, parameter.kind.from_text, text, faults)


def _read_group(parameter: Parameter, value: object, faults: _Faults) -> dict[str, Any]:
    members: dict[str, Any] = {}
    if not isinstance(value, dict):
        faults.add(parameter.name, "wrong_type", "must be an object.")
        return members
    for member, number in value.items():
        _read_member(members, parameter, member, parameter.kind.from_json, number, faults)
    return members


def _read_member(
    members: dict[str, Any],
    parameter: Parameter,
    member: str,
    read: Callable[[Any], Any],
    value: object,
    faults: _Faults,
) -> None:
    if len(members) >= Group.most:
        faults.add(parameter.name, "too_many", f"must have at most {Group.most} members.")
        faults.raise_any()
    full = f"{parameter.name}[{shown(member)}]"
    members[member] = None
    if not Group.is_name(member):
        faults.add(full, "invalid_name", "must be 1 to 64 small letters, digits and underscores, a letter first.")
        return
    try:
        members[member] = read(value)
    except Unfit as unfit:
        faults.add(full, unfit.code, unfit.message)


def _read(values: dict[str, Any], name: str, read: Callable[[Any], Any], value: object, faults: _Faults) -> None:
    # A value that does not fit is noted as None: it is there, so it is not missing, and a second one is a duplicate.
    values[name] = None
    try:
        values[name] = read(value)
    except Unfit as unfit:
        faults.add(name, unfit.code, unfit.message)


def _declared(declaration: type[Any]) -> Sequence[Parameter]:
    hints = typing.get_type_hints(declaration, include_extras=True)
    parameters = []
    for field in dataclasses.fields(declaration):
        _, kind, description, *marks = typing.get_args(hints[field.name])
        parameters.append(
            Parameter(
                name=field.name,
                kind=kind,
                description=description,
                required=field.default is MISSING and field.default_factory is MISSING,
                nullable=NULLABLE in marks,
                default=None if field.default is MISSING else field.default,
            )
        )
    return parameters
