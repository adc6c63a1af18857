"""Examples of the OpenAPI document, composed from described members, and descriptions of every
`…_message` and every id in an address.

The meaning of a member is declared with it (`contract.member_description`).
"""

from collections.abc import Iterator
from typing import Any

from workspace_manager.contract.member_description import ID

Schema = dict[str, Any]

AS_DATA = "The same as `{text}`, as code and parameters: for programs, and for other languages."
IN_ADDRESSES: dict[str, tuple[str, Any]] = {
    "stranger_id": ("The id of the refused sign-in.", ID),
    "username": ("The name of a person.", "anna"),
    "n": ("The number of the step in its plan.", 3),
    "key": ("The key of an inbox item.", f"plan_stuck:{ID}"),
}
"""Descriptions of parameters in addresses."""
NAMES: dict[str, tuple[str, Any]] = {
    "/systems/": ("The name of a system.", "drive"),
    "/stack-templates/": ("The short name of a template.", "herbarium"),
    "/letters/": ("The name of an e-mail.", "approved"),
}
"""Descriptions of `{name}`, by address."""


def describe(document: Schema) -> None:
    """Complete the document in place."""
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        for name, member in schema.get("properties", {}).items():
            _describe_message(name, member)
    for schema in schemas.values():
        for member in schema.get("properties", {}).values():
            _give_example(member, schemas)
    for address, methods in document["paths"].items():
        for operation in methods.values():
            for parameter in operation["parameters"]:
                _describe_parameter(address, parameter, schemas)


def _describe_message(name: str, member: Schema) -> None:
    for ending in ("_message", "_messages"):
        if name.endswith(ending):
            text = name.removesuffix(ending)
            member.setdefault("description", AS_DATA.format(text=text))


def _give_example(member: Schema, schemas: Schema) -> None:
    if "examples" not in member:
        found = list(_examples(member, schemas))
        if found:
            member["examples"] = found[:1]


def _examples(schema: Schema, schemas: Schema, seen: tuple[str, ...] = ()) -> Iterator[Any]:
    """Yield examples of a schema: its own, or composed from its members."""
    yield from schema.get("examples", [])
    if "const" in schema:
        yield schema["const"]
    yield from schema.get("enum", [])
    if schema.get("type") == "boolean":
        yield True
    name = schema.get("$ref", "").rpartition("/")[2]
    if name and name not in seen:
        yield from _examples(schemas[name], schemas, (*seen, name))
    for one in (*schema.get("anyOf", []), *schema.get("allOf", [])):
        yield from _examples(one, schemas, seen)
    if schema.get("type") == "array":
        yield [next(_examples(schema["items"], schemas, seen))]
    if "properties" in schema:
        yield _object(schema["properties"], schemas, seen)


def _object(members: Schema, schemas: Schema, seen: tuple[str, ...]) -> dict[str, Any]:
    made = {}
    for name, member in members.items():
        for example in _examples(member, schemas, seen):
            made[name] = example
            break
    return made


def _describe_parameter(address: str, parameter: Schema, schemas: Schema) -> None:
    """Describe a parameter. It has one `example`, where a schema has a list."""
    name = parameter["name"]
    if parameter["in"] == "path":
        text, example = _in_address(address, name)
        parameter.setdefault("description", text)
        parameter.setdefault("example", example)
    parameter.pop("examples", None)
    found = list(_examples(parameter["schema"], schemas))
    if found:
        parameter.setdefault("example", found[0])


def _in_address(address: str, name: str) -> tuple[str, Any]:
    if name in IN_ADDRESSES:
        return IN_ADDRESSES[name]
    if name.endswith("_id"):
        return f"The id of the {name.removesuffix('_id').replace('_', ' ')}.", ID
    (found,) = (told for part, told in NAMES.items() if part in address)
    return found
