"""Views of stacks, for REST, pages and the command line."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Final, NamedTuple
from uuid import UUID

from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.views import SAID, View
from workspace_manager.records.models import Component, Person, Stack
from workspace_manager.work.component_views import Kind, MadeState
from workspace_manager.work.rows import columns, values
from workspace_manager.work.wait_reasons import explain_waits


class StackPartView(View):
    """A component of a stack."""

    id: Annotated[Uuid, describe("The id of the component.")]
    kind: Annotated[Kind, describe("What it is.")]
    label: Annotated[str, describe("What people call it.", "Herbarium stack")]
    state: Annotated[MadeState, describe("How it stands.")]


class StackView(View):
    """A stack, without secrets."""

    id: Annotated[Uuid, describe("The id of the stack.")]
    label: Annotated[str, describe("What people call it.", "Herbarium stack")]
    owner: Annotated[UserName, describe("Whose it is.")]
    project: Annotated[Uuid | None, describe("The project whose members may use it.")]
    state: Annotated[MadeState, describe("How it stands.")]
    address: Annotated[
        str,
        describe(
            "Where people open it; empty for one without a knowledge stack.", "http://w.org:20001"
        ),
    ]
    created_at: Annotated[When, describe("When it was made.")]
    mine: Annotated[bool, describe("Whether you own it.", True)]
    parts: Annotated[list[StackPartView], describe("The components it is made of.")]
    reason: Annotated[
        str,
        SAID,
        describe("Why it failed or waits; empty where it does not.", "The engine does not answer"),
    ]


class Row(NamedTuple):
    """The columns that a view needs."""

    id: UUID
    label: str
    owner_id: UUID
    owner: str
    project: UUID | None
    state: str
    address: str
    created_at: datetime

    @property
    def stack_id(self) -> None:
        """None: a stack is no part of a stack."""


COLUMNS: Final = columns(Row._fields)


def view_stack(stack: Stack, reader: Person) -> StackView:
    (view,) = view_stacks([values(stack, Row._fields)], reader)
    return view


def view_stacks(rows: Iterable[Any], reader: Person) -> list[StackView]:
    """Return views; the number of queries does not grow with the rows. `rows`: values of
    `COLUMNS`.
    """
    stacks = [Row(*one) for one in rows]
    parts = list(Component.objects.filter(stack__in=[one.id for one in stacks]))
    reasons = explain_waits(stacks)
    return [
        StackView(
            **stack._asdict(),
            mine=stack.owner_id == reader.id,
            parts=[StackPartView.from_row(one) for one in parts if one.stack_id == stack.id],
            reason=reasons.get(stack.id, ""),
        )
        for stack in stacks
    ]
