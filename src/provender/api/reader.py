"""Reads the parameters of an endpoint as they are declared, from a query, a form or a JSON body."""

import difflib
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from provender.api.faults import Faults
from provender.api.forms import decode, read_json_object, shown, split_pairs
from provender.api.kinds import Group
from provender.api.pairs import take_item, take_member, take_scalar
from provender.api.parameters import Parameter, Rule, declared
from provender.api.values import read_group, read_value
from provender.model.errors import Fault

P = TypeVar("P")

# A percent-encoded character takes up to 12 bytes: 4 in UTF-8, each written with 3.
_BYTES_PER_CHARACTER = 12
_LONGEST_NAME = 200

# The public client library of this interface writes these; they mean the same.
_ALIASES = {"includes": "include"}


class Reader(Generic[P]):
    """Reads the parameters of one endpoint."""

    def __init__(self, declaration: type[P]) -> None:
        self._declaration = declaration
        self.parameters = {parameter.name: parameter for parameter in declared(declaration)}
        self.read_past: frozenset[str] = getattr(declaration, "READ_PAST", frozenset())
        self._rules: Sequence[Rule] = getattr(declaration, "RULES", ())

    def read_pairs(self, encoded: bytes) -> P:
        """Read a query or a form."""
        if not encoded and not self.parameters:
            return self._declaration()
        faults = Faults()
        values: dict[str, Any] = {}
        for name, value in split_pairs(encoded):
            self._take_pair(name, value, values, faults)
        return self._finish(values, faults)

    def read_json(self, body: bytes) -> P:
        """Read a JSON body."""
        faults = Faults()
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
                values[parameter.name] = read_group(parameter, value, faults)
            else:
                read_value(values, parameter.name, parameter.kind.from_json, value, faults)
        return self._finish(values, faults)

    def refuse_query(self, encoded: bytes) -> list[Fault]:
        """What is wrong with parameters in the address of a request that takes them in its body."""
        faults = Faults()
        for encoded_name, _ in split_pairs(encoded):
            name = decode(encoded_name[:_LONGEST_NAME])
            if self._find(name.partition("[")[0], faults) is not None:
                faults.add(shown(name), "wrong_place", "is sent in the body of this request, not in its address.")
        return faults.found or [Fault("query", "wrong_place", "must be empty: parameters are sent in the body.")]

    def _finish(self, values: dict[str, Any], faults: Faults) -> P:
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

    def _apply_rules(self, values: dict[str, Any], faults: Faults) -> None:
        if not self._rules:
            return
        faulty = {fault.param.partition("[")[0] for fault in faults.found}
        sent = {name: parameter.default for name, parameter in self.parameters.items()} | values
        fitting = {name: value for name, value in sent.items() if name not in faulty}
        for rule in self._rules:
            for fault in rule(fitting):
                faults.add(fault.param, fault.code, fault.message)

    def _find(self, name: str, faults: Faults) -> Parameter | None:
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

    def _take_pair(self, encoded_name: bytes, encoded_value: bytes, values: dict[str, Any], faults: Faults) -> None:
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
            take_member(parameter, member, text, values, faults)
        elif parameter.kind.shape == "list":
            take_item(parameter, member, text, values, faults)
        else:
            take_scalar(parameter, member, text, values, faults)
