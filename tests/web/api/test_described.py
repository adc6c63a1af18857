"""Every member of every document, and every parameter, says what it is and gives an example that it
would take.
"""

from typing import Any

import jsonschema_rs
import pytest

from tests.openapi import rest_document

DOCUMENT = rest_document()
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
MEMBERS = [
    (f"{name}.{member}", told)
    for name, schema in SCHEMAS.items()
    for member, told in schema.get("properties", {}).items()
]
PARAMETERS = [
    (f"{method.upper()} {address}?{told['name']}", told)
    for address, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
    for told in operation["parameters"]
]
SHORTEST = 10


def test_every_member_is_described_with_an_example() -> None:
    assert len(MEMBERS) > 400
    lacking = [
        f"{name}: {what}"
        for name, told in MEMBERS
        for what, there in (
            ("no description", len(told.get("description", "")) >= SHORTEST),
            ("no example", told.get("examples")),
        )
        if not there
    ]
    assert not lacking, f"{len(lacking)}:\n" + "\n".join(lacking)


def test_every_parameter_is_described_with_an_example() -> None:
    assert len(PARAMETERS) > 100
    lacking = [
        name
        for name, told in PARAMETERS
        if len(told.get("description", "")) < SHORTEST or "example" not in told
    ]
    assert not lacking, "\n".join(lacking)
    # A list of examples is a schema's; a parameter's would be named ones.
    assert not [name for name, told in PARAMETERS if "examples" in told]


def test_every_operation_and_schema_is_described() -> None:
    assert not [name for name, schema in SCHEMAS.items() if not _described(name, schema)]
    for methods in DOCUMENT["paths"].values():
        for told in methods.values():
            assert told["summary"]
            assert told["description"]


def _described(name: str, schema: dict[str, Any]) -> bool:
    made = name.startswith("ListPage_") or name == "JsonValue"
    return made or bool(schema.get("description"))


@pytest.mark.parametrize("kind", ["members", "parameters"])
def test_every_example_fits(kind: str) -> None:
    if kind == "members":
        told = [(name, schema, schema["examples"]) for name, schema in MEMBERS]
    else:
        told = [(name, one["schema"], [one["example"]]) for name, one in PARAMETERS]
    wrong = []
    for name, schema, examples in told:
        document = {**schema, "components": {"schemas": SCHEMAS}}
        validator = jsonschema_rs.Draft202012Validator(document)
        wrong += [
            f"{name}: {error.message[:150]}"
            for example in examples
            for error in validator.iter_errors(example)
        ]
    assert not wrong, "\n".join(wrong)
