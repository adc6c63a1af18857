"""Types of request bodies and parameters: strict types, bounded lengths, text that every database
can store, bounded pages.
"""

import json
import uuid
from datetime import UTC, date, datetime
from typing import Annotated, Any, NoReturn, cast

from django.http import HttpRequest
from ninja.parser import Parser
from ninja.types import DictStrAny
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    Strict,
    WithJsonSchema,
)

from workspace_manager.accounts.access_grant import LONGEST_REASON
from workspace_manager.contract.member_description import describe
from workspace_manager.core.timestamps import parse_moment

MOST_ITEMS = 200
FURTHEST_OFFSET = 10_000
LONGEST_NAME = 255
LONGEST_SETTING = 2000
LONGEST_MOMENT = 40


def _storable(text: str) -> str:
    """Return the text unchanged, or raise ValueError: sent text is refused, not repaired. See
    `contract/storable.py`.
    """
    if "\x00" in text:
        raise ValueError("Leave out the NUL character.")
    if any(0xD800 <= ord(c) <= 0xDFFF for c in text):
        raise ValueError("Leave out halves of characters (lone surrogates).")
    return text


Text = Annotated[str, Strict(), AfterValidator(_storable)]
"""Text that can be stored; each field limits its length."""

Label = Annotated[Text, Field(max_length=200)]
"""The story knows the real limit of a label; this one only bounds the work."""

Name = Annotated[Text, Field(max_length=LONGEST_NAME)]
"""A user name. In an address, an impossible one is answered like an unknown one."""

ReasonToOpen = Annotated[
    Text,
    Field(max_length=LONGEST_REASON),
    describe(
        "Why, where an administrator gets access to what somebody else owns: the owner is told, "
        "and it is kept.",
        "Carla is away, and the deadline is tomorrow.",
    ),
]

MOST_PARAMETERS = 30
Parameters = Annotated[
    dict[Annotated[Text, Field(max_length=40)], Annotated[Text, Field(max_length=2000)]],
    Field(max_length=MOST_PARAMETERS),
]
"""Answers to a template's questions, by name; only the template knows the names."""

StepNumber = Annotated[int, Field(ge=1, le=1000)]


def _identifier(text: str) -> str:
    try:
        return str(uuid.UUID(text))
    except ValueError as wrong:
        raise ValueError("There is nothing with this id.") from wrong


Id = Annotated[str, Strict(), Field(max_length=64), AfterValidator(_identifier)]
"""An id inside a body. In addresses it is a `uuid.UUID`, and malformed ones are not found."""


def _setting(value: object) -> str | bool | int:
    if isinstance(value, str) and len(value) <= LONGEST_SETTING:
        return _storable(value)
    if isinstance(value, bool | int):
        return value
    raise ValueError(
        f"Send text of at most {LONGEST_SETTING} characters, a whole number, true or false."
    )


SettingValue = Annotated[
    str | bool | int,
    PlainValidator(_setting),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "maxLength": LONGEST_SETTING},
                {"type": "boolean"},
                {"type": "integer"},
            ]
        }
    ),
]
"""A value of a setting. The field's own type is checked where the field is declared."""


def _moment(text: object) -> datetime:
    try:
        if isinstance(text, str) and len(text) <= LONGEST_MOMENT:
            return parse_moment(text, UTC)
    except ValueError:
        pass
    raise ValueError("Send a date or a moment, as 2026-12-31T08:00+01:00 (ISO 8601).")


Moment = Annotated[
    datetime,
    PlainValidator(_moment),
    WithJsonSchema({"type": "string", "maxLength": LONGEST_MOMENT}),
]
"""A date (its first minute in UTC) or a moment; without a zone it is in UTC."""


def read_day(text: object) -> date:
    """Return the date of a text like `2026-12-31`. Raises ValueError."""
    try:
        if isinstance(text, str):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise ValueError("Send a date, as 2026-12-31.")


Day = Annotated[
    date, PlainValidator(read_day), WithJsonSchema({"type": "string", "format": "date"})
]


class Input(BaseModel):
    """A request body. Types are not converted (`"1"` is no number), and unknown members are
    refused.
    """

    model_config = ConfigDict(strict=True, extra="forbid")


class Window(BaseModel):
    """The requested part of a list. It is bounded: SQLite cannot count beyond 64 bits, and nobody
    pages that far.
    """

    limit: Annotated[int, Field(ge=1, le=MOST_ITEMS), describe("How many at most.", 50)] = 50
    offset: Annotated[
        int, Field(ge=0, le=FURTHEST_OFFSET), describe("How many to leave out before them.", 0)
    ] = 0


class StrictJson(Parser):
    """A parser for JSON as the standard defines it, without NaN and Infinity. It refuses a member
    that is there twice: programs differ in which of both they read.
    """

    def parse_body(self, request: HttpRequest) -> DictStrAny:
        text = request.body.decode("utf-8-sig")
        found = json.loads(text, parse_constant=_no_number, object_pairs_hook=_unique_members)
        return cast(DictStrAny, found)


def _unique_members(pairs: list[tuple[str, Any]]) -> DictStrAny:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a member is there twice")
    return members


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


def part(rows: Any, window: Window) -> Any:
    """Return the requested part of a query."""
    return rows[window.offset : window.offset + window.limit]
