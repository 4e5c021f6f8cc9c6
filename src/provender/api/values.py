"""One value put to its parameter, whatever it came in: what fits is kept, and what does not is a fault."""

from collections.abc import Callable
from typing import Any

from provender.api.faults import Faults
from provender.api.forms import shown
from provender.api.kinds import Group, Unfit
from provender.api.parameters import Parameter


def read_value(values: dict[str, Any], name: str, read: Callable[[Any], Any], value: object, faults: Faults) -> None:
    # A value that does not fit is noted as None: it is there, so it is not missing, and a second one is a duplicate.
    values[name] = None
    try:
        values[name] = read(value)
    except Unfit as unfit:
        faults.add(name, unfit.code, unfit.message)


def read_group(parameter: Parameter, value: object, faults: Faults) -> dict[str, Any]:
    members: dict[str, Any] = {}
    if not isinstance(value, dict):
        faults.add(parameter.name, "wrong_type", "must be an object.")
        return members
    for member, number in value.items():
        read_member(members, parameter, member, parameter.kind.from_json, number, faults)
    return members


def read_member(
    members: dict[str, Any],
    parameter: Parameter,
    member: str,
    read: Callable[[Any], Any],
    value: object,
    faults: Faults,
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
