"""A view reads a row: its columns, its properties, and what no column says."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final
from uuid import UUID

import pytest
from django.utils import timezone, translation
from django.utils.functional import SimpleLazyObject
from pydantic import Field, ValidationError

from workspace_manager.contract.member_description import ID, Uuid, When
from workspace_manager.contract.message import Message
from workspace_manager.core.messages import message
from workspace_manager.core.views import OR_NONE, SAID, CodedMessage, OptionalText, View, as_data

KEY: Final = UUID(ID)
MOMENT: Final = datetime(2026, 3, 2, 8, 15, tzinfo=UTC)


@dataclass(frozen=True)
class Row:
    id: UUID = KEY
    created_at: datetime = MOMENT
    decided_by: str = ""
    why: Message | None = None

    @property
    def name(self) -> str:
        return "anna"


class PartView(View):
    name: str


class RowView(View):
    id: Uuid
    name: str
    asked_at: Annotated[When, Field(validation_alias="created_at")]
    decided_by: Annotated[OptionalText, OR_NONE]
    why: Annotated[str | None, SAID]
    why_message: Annotated[CodedMessage | None, as_data("why")] = None
    parts: list[PartView] = []


PLAIN: Final[dict[str, object]] = {
    "id": ID,
    "name": "anna",
    "asked_at": "2026-03-02T08:15:00Z",
    "decided_by": None,
    "why": None,
    "why_message": None,
    "parts": [],
}


def test_columns_and_properties_are_read_with_and_without_more() -> None:
    assert RowView.from_row(Row()).model_dump() == PLAIN
    with_parts = RowView.from_row(Row(), parts=[Row()], decided_by="ada")
    assert with_parts.model_dump() == PLAIN | {"parts": [{"name": "anna"}], "decided_by": "ada"}


def test_a_row_that_is_read_later_is_read_now() -> None:
    lazy = SimpleLazyObject(Row)
    assert RowView.from_row(lazy, parts=[]).model_dump() == PLAIN


def test_a_document_of_it_is_read_again() -> None:
    view = RowView.from_row(Row(why=message("slow")))
    assert RowView.model_validate(view.model_dump()) == view


def test_what_is_lacking_is_named() -> None:
    with pytest.raises(ValidationError, match="name"):
        PartView.from_row(RowView)


def test_a_text_is_in_the_words_and_the_zone_of_whoever_reads() -> None:
    row = Row(why=message("at", moment=MOMENT))
    said = {"code": "core.at", "params": {"moment": {"at": "2026-03-02T08:15:00Z"}}}
    for language, zone, text in (
        ("en", "UTC", "2 Mar 2026, 08:15"),
        ("en", "Asia/Kolkata", "2 Mar 2026, 13:45"),
        ("de", "Asia/Kolkata", "2. März 2026, 13:45"),
    ):
        with translation.override(language), timezone.override(zone):
            view = RowView.from_row(row)
        assert view.why == text
        assert view.why_message is not None
        assert view.why_message.model_dump() == said
