"""Reads the parameters of an endpoint as they are declared, from a query, a form or a JSON body."""

import difflib
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from provender.api.faults import Faults
from provender.api.forms import MAX_VALUES, decode, read_json_object, shown, split_pairs
from provender.api.kinds import Items, Unfit
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


_NO_SINGLE: tuple[str, Callable[[str], Any], int] = ("", str, 0)


class Reader(Generic[P]):
    """Reads the parameters of one endpoint, or of the items in one of its lists."""

    def __init__(self, declaration: type[P], place: str = "this endpoint") -> None:
        self.declaration = declaration
        self._place = place
        self.parameters = {parameter.name: parameter for parameter in declared(declaration)}
        self.read_past: frozenset[str] = getattr(declaration, "READ_PAST", frozenset())
        self._rules: Sequence[Rule] = getattr(declaration, "RULES", ())
        self._exclusive: Sequence[tuple[str, str]] = getattr(declaration, "EXCLUSIVE", ())
        for both in self._exclusive:
            if not self.parameters.keys() >= set(both):
                raise TypeError(f"{declaration.__name__}.EXCLUSIVE names what is no parameter: {sorted(both)}")
        self._required = [name for name, each in self.parameters.items() if each.required]
        self._nothing = None if self._required or self._rules else declaration()
        # What is sent most: single values, under their names as they are.
        self._single = {
            name.encode(): (name, each.kind.from_text, each.kind.longest)
            for name, each in self.parameters.items()
            if each.kind.shape == "scalar"
        }
        self._fields = {each.name: each.field for each in self.parameters.values() if each.name != each.field}
        lists = {name: each.kind for name, each in self.parameters.items() if isinstance(each.kind, Items)}
        self.items = {name: Reader[Any](kind.declaration, f"an item of {name}") for name, kind in lists.items()}
        # Lists of items may be full, every item with all its members; everything else shares what all requests have.
        in_lists: int = sum(kind.most * (1 + self.items[name].size) for name, kind in lists.items())
        self._most_values = MAX_VALUES + in_lists
        self.size: int = len(self.parameters) + len(self.read_past) + in_lists

    @property
    def is_json_only(self) -> bool:
        """Whether something is declared that queries and forms have no way to write."""
        return bool(self.items)

    def read_pairs(self, encoded: bytes) -> P:
        """Read a query or a form."""
        if not encoded and self._nothing is not None:
            return self._nothing
        faults = Faults()
        values: dict[str, Any] = {}
        for encoded_name, encoded_value in split_pairs(encoded):
            name, from_text, longest = self._single.get(encoded_name, _NO_SINGLE)
            if 0 < len(encoded_value) <= longest and name not in values:
                try:
                    values[name] = from_text(decode(encoded_value))
                    continue
                except Unfit:
                    # The long way finds it again, and says it.
                    pass
            self._take_pair(encoded_name, encoded_value, values, faults)
        return self._finish(values, faults)

    def read_json(self, body: bytes) -> P:
        """Read a JSON body."""
        faults = Faults()
        return self._finish(self._read_members(self.take_apart(body), faults), faults)

    def take_apart(self, body: bytes) -> dict[str, Any]:
        """The members of a JSON body, of which nothing is judged yet but how many they are."""
        return read_json_object(body, self._most_values)

    def read_item(self, members: dict[str, Any], faults: Faults) -> P | None:
        """Read one object of a list; None where it has faults."""
        values = self._read_members(members, faults)
        self._check(values, faults)
        return None if faults.any_here else self._make(values)

    def _read_members(self, members: dict[str, Any], faults: Faults) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, value in members.items():
            parameter = self._find(name, faults)
            if parameter is None:
                continue
            if value is None:
                values[parameter.name] = None
                if not parameter.nullable:
                    faults.add(parameter.name, "null_not_allowed", "must not be null.")
            elif parameter.kind.shape == "group":
                values[parameter.name] = read_group(parameter, value, faults)
            else:
                read_value(values, parameter.name, parameter.kind.from_json, value, faults)
                if parameter.kind.shape == "items" and values[parameter.name] is not None:
                    values[parameter.name] = self._read_items(parameter.name, values[parameter.name], faults)
        return values

    def _read_items(self, name: str, sent: list[object], faults: Faults) -> tuple[Any, ...]:
        reader = self.items[name]
        read = []
        for index, item in enumerate(sent):
            if isinstance(item, dict):
                read.append(reader.read_item(item, faults.within(f"{name}[{index}]")))
            else:
                faults.add(f"{name}[{index}]", "wrong_type", "must be an object.")
        return tuple(read)

    def refuse_query(self, encoded: bytes) -> list[Fault]:
        """What is wrong with parameters in the address of a request that takes them in its body."""
        faults = Faults()
        for encoded_name, _ in split_pairs(encoded):
            name = decode(encoded_name[:_LONGEST_NAME])
            if self._find(name.partition("[")[0], faults) is not None:
                faults.add(shown(name), "wrong_place", "is sent in the body of this request, not in its address.")
        return faults.found or [Fault("query", "wrong_place", "must be empty: parameters are sent in the body.")]

    def _finish(self, values: dict[str, Any], faults: Faults) -> P:
        self._check(values, faults)
        faults.raise_any()
        return self._make(values)

    def _make(self, values: dict[str, Any]) -> P:
        if self._fields:
            values = {self._fields.get(name, name): value for name, value in values.items()}
        return self.declaration(**values)

    def _check(self, values: dict[str, Any], faults: Faults) -> None:
        """Find the faults between parameters: what is missing, and what does not go together."""
        faulty = faults.faulty()
        for name in self._required:
            if name not in values and name not in faulty:
                faults.add(name, "required", "is required.")
        for first, second in self._exclusive:
            # What is null is as if it were not sent; what does not fit is noted as null, but was.
            if (values.get(first) is not None or first in faulty) and (
                values.get(second) is not None or second in faulty
            ):
                faults.add(second, "not_combinable", f"cannot be combined with {first}. Send one of the two.")
        if self._rules:
            self._apply_rules(values, faults)

    def _apply_rules(self, values: dict[str, Any], faults: Faults) -> None:
        faulty = faults.faulty()
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
            return f"is not a parameter of {self._place}. Did you mean {near[0]}?"
        if self.parameters:
            return f"is not a parameter of {self._place}. It takes {', '.join(self.parameters)}."
        return f"is not a parameter of {self._place}. It takes none here."

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
