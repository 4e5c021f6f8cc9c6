"""The pairs of a query or a form, each put to its parameter: single values, lists and members in brackets."""

from typing import Any

from provender.api.faults import Faults
from provender.api.forms import shown
from provender.api.kinds import Unfit
from provender.api.parameters import Parameter
from provender.api.values import read_member, read_value


def take_scalar(parameter: Parameter, member: str | None, text: str, values: dict[str, Any], faults: Faults) -> None:
    name = parameter.name
    if member is not None:
        faults.add(name, "wrong_shape", "takes a single value, without brackets.")
    elif name in values:
        faults.add(name, "duplicate", "is there more than once. Send it once.")
    elif text == "" and parameter.nullable:
        values[name] = None
    else:
        read_value(values, name, parameter.kind.from_text, text, faults)


def take_item(parameter: Parameter, member: str | None, text: str, values: dict[str, Any], faults: Faults) -> None:
    if member and not (member.isascii() and member.isdecimal()):
        faults.add(f"{parameter.name}[{shown(member)}]", "wrong_shape", "takes a list, written as name[]=value.")
        return
    try:
        values[parameter.name] = values.get(parameter.name, frozenset()) | parameter.kind.from_text(text)
    except Unfit as unfit:
        faults.add(parameter.name, unfit.code, unfit.message)


def take_member(parameter: Parameter, member: str | None, text: str, values: dict[str, Any], faults: Faults) -> None:
    if member is None:
        # Without brackets the group as a whole is meant, and there is one thing it can be.
        if text == "" and parameter.nullable:
            take_scalar(parameter, None, text, values, faults)
        else:
            faults.add(parameter.name, "wrong_shape", "takes members, each written as name[member]=value.")
        return
    members = values.setdefault(parameter.name, {})
    if members is None:
        faults.add(parameter.name, "duplicate", "is there more than once. Send it once.")
    elif member in members:
        faults.add(f"{parameter.name}[{shown(member)}]", "duplicate", "is there more than once. Send it once.")
    else:
        read_member(members, parameter, member, parameter.kind.from_text, text, faults)
