"""The description of a member of a public document: what it is, and what stands in it for example.

The OpenAPI document is made from the models that are answered. So they say it themselves, wherever
they are; what a type tells by itself (a closed set, a list of something described) needs no example
of its own.
"""

from collections.abc import Callable
from operator import methodcaller
from typing import Annotated, Any, TypeAlias

from pydantic import Field, GetPydanticSchema
from pydantic_core import CoreSchema, core_schema

from workspace_manager.contract.earlier_names import keep_earlier_names


def describe(text: str, *examples: Any) -> Any:
    """Describe a member in a sentence, and its possible values. For use in `Annotated`."""
    if examples:
        return Field(description=text, examples=list(examples))
    return Field(description=text)


ID = "0b5c8a5e-6a44-4a5b-9a67-2f0d5f3c1f11"


def _text_or(schema: CoreSchema, *steps: Callable[[Any], Any], example: str) -> Any:
    """A text as it is, or another value that becomes one by these steps: in pydantic's own code,
    since long lists have thousands of them.
    """
    for step in steps:
        schema = core_schema.no_info_after_validator_function(step, schema)
    text = {"type": "string", "examples": [example]}
    union = core_schema.union_schema([schema, core_schema.str_schema()], mode="left_to_right")
    return GetPydanticSchema(lambda _source, _handler: union, lambda _schema, _handler: text)


Uuid: TypeAlias = Annotated[str, _text_or(core_schema.uuid_schema(strict=True), str, example=ID)]
When: TypeAlias = Annotated[
    str,
    _text_or(
        core_schema.datetime_schema(strict=True),
        methodcaller("isoformat", "T", "seconds"),
        methodcaller("replace", "+00:00", "Z"),
        example="2026-03-02T08:15:00Z",
    ),
]
"""A moment in UTC, as every answer says it."""
UserName: TypeAlias = Annotated[str, Field(examples=["anna"])]
SystemName: TypeAlias = Annotated[str, Field(examples=["drive"])]


keep_earlier_names(__name__, about="describe")
