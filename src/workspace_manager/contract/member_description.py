"""How a member of a public document says what it is, and what stands in it for example.

The OpenAPI document is made from the models that are answered. So they say it themselves, wherever
they are; what a type tells by itself (a closed set, a list of something described) needs no example
of its own.
"""

from datetime import datetime
from typing import Annotated, Any, TypeAlias
from uuid import UUID

from pydantic import BeforeValidator, Field

from workspace_manager.contract.earlier_names import keep_earlier_names


def describe(text: str, *examples: Any) -> Any:
    """Describe a member in a sentence, and its possible values. For use in `Annotated`."""
    if examples:
        return Field(description=text, examples=list(examples))
    return Field(description=text)


ID = "0b5c8a5e-6a44-4a5b-9a67-2f0d5f3c1f11"


def _id(value: Any) -> Any:
    return str(value) if isinstance(value, UUID) else value


def _moment(value: Any) -> Any:
    if not isinstance(value, datetime):
        return value
    return value.isoformat(timespec="seconds").replace("+00:00", "Z")


Uuid: TypeAlias = Annotated[str, BeforeValidator(_id), Field(examples=[ID])]
When: TypeAlias = Annotated[str, BeforeValidator(_moment), Field(examples=["2026-03-02T08:15:00Z"])]
"""A moment in UTC, as every answer says it."""
UserName: TypeAlias = Annotated[str, Field(examples=["anna"])]
SystemName: TypeAlias = Annotated[str, Field(examples=["drive"])]


keep_earlier_names(__name__, about="describe")
