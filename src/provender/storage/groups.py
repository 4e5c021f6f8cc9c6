"""The groups of nutrients as rows of foods have them: each as the JSON that answers show, and water as a number."""

from typing import NamedTuple, Self

import msgspec

from provender.model.nutrients import Group, Nutrients

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, float]).decode

# Beyond this a float is no longer every whole number, and written out it would be no shorter.
_LARGEST_WHOLE = 2**53


class Groups(NamedTuple):
    """The columns of a row, by their names and in their order."""

    macro_nutrients: bytes
    water_in_gm: float | None
    vitamins: bytes
    minerals: bytes
    carbohydrates: bytes
    lipids: bytes
    proteins: bytes

    @classmethod
    def of(cls, nutrients: Nutrients) -> Self:
        def members(group: Group) -> bytes:
            return _encode({name: as_sent(value) for name, value in nutrients.get(group, {}).items()})

        water = nutrients.get(Group.WATER, {}).get(Group.WATER.value)
        return cls(
            macro_nutrients=members(Group.MACRO_NUTRIENTS),
            water_in_gm=None if water is None else float(water),
            vitamins=members(Group.VITAMINS),
            minerals=members(Group.MINERALS),
            carbohydrates=members(Group.CARBOHYDRATES),
            lipids=members(Group.LIPIDS),
            proteins=members(Group.PROTEINS),
        )

    def nutrients(self, groups: frozenset[Group] = frozenset(Group)) -> Nutrients:
        """The members of the groups that are asked for."""
        found: dict[Group, dict[str, float]] = {}
        for group in (group for group in Group if group in groups):
            value = getattr(self, group.value)
            if group is Group.WATER:
                found[group] = {} if value is None else {group.value: value}
            else:
                found[group] = _decode(value)
        return found


def as_sent(value: float) -> float:
    """A whole number is written as one, as people send it."""
    return int(value) if value < _LARGEST_WHOLE and float(value).is_integer() else value
