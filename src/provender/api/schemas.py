"""The schemas of the OpenAPI document: every object has a name, so that clients made from it have types with names.

Objects are named after their classes, which are `FoodAnswer` and `NewLogParameters` here and `Food` and `NewLog` to
others. So are the sets of words that several of them share, and the groups of nutrients.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from provender.api.kinds.kind import Schema
from provender.api.parameters import Parameter
from provender.api.reader import Reader
from provender.catalogue.fragments import INCLUDABLE
from provender.model.access import Scope
from provender.model.diary import Meal
from provender.model.foods import FoodType, Unit
from provender.model.nutrients import NUTRIENTS, OPTIONAL_GROUPS, Group

_REF = "#/components/schemas/{name}"

# `Meal` is a saved one.
_WORDS = {
    "MealOfDay": tuple(Meal),
    "FoodType": tuple(FoodType),
    "ServingUnit": tuple(Unit),
    "KeyScope": tuple(Scope),
    "NutrientGroup": OPTIONAL_GROUPS,
    "FoodPart": INCLUDABLE,
}
_NAMES_OF_WORDS = {frozenset(map(str, words)): name for name, words in _WORDS.items()}

# What an answer's group of nutrients looks like before it has a name.
_MEMBERS = {"type": "object", "additionalProperties": {"type": "number"}}

# For whoever tries an endpoint on a page: from a pattern alone it makes up noise. Tools that send made-up requests send
# these too, so no profile of a test may be called as the one here.
EXAMPLES: dict[str, Any] = {
    "barcode": "5449000000996",
    "brand_name": "Alnatura",
    "date": "2026-03-10",
    "food_name": "Granola",
    "from": "2026-03-01",
    "name": "Usual breakfast",
    "note": "After the run.",
    "profile_reference_id": "user-1042",
    "query": "banana",
    "reference_id": "user-1042",
    "serving_description": "1 bowl",
    "to": "2026-03-31",
}


def public_name(of: type) -> str:
    return of.__name__.removesuffix("Answer").removesuffix("Parameters")


def reference(to: type) -> Schema:
    return {"$ref": _REF.format(name=public_name(to))}


def describe(parameter: Parameter) -> Schema:
    """The schema of one parameter."""
    schema = parameter.kind.schema()
    if parameter.nullable:
        types = schema["type"]
        schema["type"] = [*types, "null"] if isinstance(types, list) else [types, "null"]
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
    if isinstance(parameter.default, str | int | float):
        schema["default"] = parameter.default
    elif isinstance(parameter.default, frozenset):
        schema["default"] = sorted(parameter.default)
    if parameter.name in EXAMPLES:
        schema["examples"] = [EXAMPLES[parameter.name]]
    return schema


class Schemas:
    """The named schemas of one document, as they come together."""

    def __init__(self) -> None:
        self._components: dict[str, Schema] = {}
        # What several of them have in common, found while they are named.
        self._shared: dict[str, Schema] = {}

    def add_answers(self, types: Iterable[type]) -> None:
        ordered = sorted(types, key=lambda each: each.__name__)
        _, components = msgspec.json.schema_components(ordered, ref_template=_REF)
        for name, schema in components.items():
            # A title that repeats the name would name the type in some generators, by the name that it has here.
            self._add(name.removesuffix("Answer"), {key: each for key, each in schema.items() if key != "title"})

    def add_body(self, reader: Reader[Any]) -> Schema:
        """A reference to the object that is sent as JSON."""
        return self._add(public_name(reader.declaration), self._object(reader))

    def add_form(self, reader: Reader[Any]) -> Schema:
        """A reference to the same object in a form."""
        return self._add(f"{public_name(reader.declaration)}Form", _in_a_form(self._object(reader)))

    def name_all(self, paths: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Schema]]:
        """The paths and the components, in which everything is called by its name."""
        named_paths, named_components = self._name(paths), self._name(self._components)
        return named_paths, dict(sorted((named_components | self._shared).items()))

    def _add(self, name: str, schema: Schema) -> Schema:
        if self._components.setdefault(name, schema) != schema:
            raise TypeError(f"Two schemas have the name {name}.")
        return {"$ref": _REF.format(name=name)}

    def _object(self, reader: Reader[Any]) -> Schema:
        parameters = reader.parameters.values()
        schema: Schema = {
            "type": "object",
            "properties": {parameter.name: _property(parameter) for parameter in parameters},
            "additionalProperties": False,
        }
        for name in sorted(reader.read_past):
            schema["properties"][name] = {"description": "Read past: it may be sent, and means nothing."}
        required = [parameter.name for parameter in parameters if parameter.required]
        if required:
            schema["required"] = required
        for name, items in reader.items.items():
            schema["properties"][name]["items"] = self.add_body(items)
        return schema

    def _name(self, node: Any) -> Any:
        if isinstance(node, list):
            return [self._name(each) for each in node]
        if not isinstance(node, dict):
            return node
        if isinstance(node.get("enum"), list):
            return self._name_words(node)
        if "propertyNames" in node:
            return self._name_amounts(node)
        named = {key: self._name(each) for key, each in node.items()}
        if isinstance(node.get("$ref"), str):
            named["$ref"] = node["$ref"].removesuffix("Answer")
        if isinstance(node.get("properties"), dict):
            named["properties"] = {name: self._name_member(name, each) for name, each in node["properties"].items()}
        return named

    def _name_member(self, name: str, schema: Schema) -> Schema:
        if schema == _MEMBERS and name in tuple(Group):
            public = name.title().replace("_", "")
            self._shared.setdefault(public, _group(Group(name)))
            return {"$ref": _REF.format(name=public)}
        named: Schema = self._name(schema)
        return _as_time(named) if name.endswith("_at") else named

    def _name_words(self, schema: Schema) -> Schema:
        name = _NAMES_OF_WORDS.get(frozenset(schema["enum"]) - {None})
        if name is None:
            return schema
        self._shared.setdefault(name, {"type": "string", "enum": list(map(str, _WORDS[name]))})
        return _refer(name, schema, is_nullable=None in schema["enum"])

    def _name_amounts(self, schema: Schema) -> Schema:
        """A group of nutrients that is sent: it may have members that are not in the registry."""
        name = "NutrientAmounts" if "type" in schema["additionalProperties"] else "NutrientAmountsForm"
        group = {key: schema[key] for key in ("additionalProperties", "propertyNames", "maxProperties")}
        about = "Nutrients by the names that `GET /v1/nutrients` lists, or by names of your own."
        self._shared.setdefault(name, {"type": "object", "description": about, **group})
        return _refer(name, schema, is_nullable="null" in schema["type"])


def _refer(name: str, schema: Schema, *, is_nullable: bool) -> Schema:
    """A reference in the place of a schema, with what is said about this place."""
    found: Schema = {"$ref": _REF.format(name=name)}
    outside = {key: schema[key] for key in ("description", "default", "examples") if key in schema}
    return ({"anyOf": [found, {"type": "null"}]} if is_nullable else found) | outside


def _as_time(schema: Schema) -> Schema:
    """Milliseconds since 1970 need more than the 32 bits that some generators give to a whole number."""
    if "anyOf" in schema:
        return schema | {"anyOf": [_as_time(each) for each in schema["anyOf"]]}
    return schema | {"format": "int64"} if schema.get("type") == "integer" else schema


def _group(group: Group) -> Schema:
    known = [nutrient for nutrient in NUTRIENTS.values() if nutrient.group is group]
    return {
        "type": "object",
        "description": "What nobody measured is absent. A custom food may have members of its own.",
        "properties": {
            each.name: {"type": "number", "description": f"{each.title}, in {each.unit}."} for each in known
        },
        "additionalProperties": {"type": "number"},
    }


def _property(parameter: Parameter) -> Schema:
    """A member of an object. Some generators take one that has a default for one that must be sent: it is told."""
    schema = describe(parameter)
    description = parameter.description
    if "default" in schema:
        description += f" `{str(schema.pop('default')).lower()}` if not sent."
    return schema | {"description": description}


def _in_a_form(schema: Schema) -> Schema:
    """The same for a form, which has no null: an empty value stands for it."""
    written = dict(schema)
    if "properties" in schema:
        written["properties"] = {name: _in_a_form(each) for name, each in schema["properties"].items()}
    if isinstance(schema.get("additionalProperties"), dict):
        written["additionalProperties"] = _in_a_form(schema["additionalProperties"])
    types = schema.get("type")
    if not isinstance(types, list) or "null" not in types:
        return written
    others = [each for each in types if each != "null"]
    written["type"] = others if len(others) > 1 else others[0]
    if "enum" in schema:
        written["enum"] = [each for each in schema["enum"] if each is not None]
    outside = {name: written.pop(name) for name in ("description", "examples") if name in written}
    return {"anyOf": [written, {"const": ""}]} | outside
