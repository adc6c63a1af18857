"""The list of a timeline, and the view of its events."""

from typing import Annotated, Final, TypeAlias

from pydantic import Field

from workspace_manager.contract.member_description import Uuid, When, describe
from workspace_manager.core.lists import Choice, ListSpec, Member, Moment
from workspace_manager.core.views import SAID, CodedMessage, View, as_data, one_of

KINDS: Final[dict[str, tuple[str, ...]]] = {
    "registration": ("registration:", "stranger:", "person:take"),
    "sign_in": ("sign_in:", "person:signed_in", "person:entered"),
    "role": ("administrator:",),
    "permission": ("permission:",),
    "suspension": ("person:suspended", "person:resumed", "person:end_date"),
    "removal": ("removal:", "tombstone:"),
    "access": ("account:", "drive:", "service_key:", "token:"),
    "work": ("component:", "stack:", "project:", "membership:", "backfill:"),
    "plan": ("step:",),
    "letter": (),
    "other": (),
}
"""What an event is about, by the beginning of its name; all other events are `other`."""
Kind: TypeAlias = Annotated[str, one_of(KINDS)]
TIMELINE: Final = ListSpec(
    "timeline_list",
    __file__,
    searched=(),
    order=(),
    members=(
        Member("at", order="at"),
        Member(
            "kind",
            Choice(tuple(KINDS)),
            help="Only what is about this.",
            example="permission",
            filter="kind",
        ),
        Member(
            "since",
            Moment(),
            help="Only what happened at this date or moment, or later.",
            example="2026-12-01",
            filter="at__gte",
        ),
        Member(
            "until",
            Moment(),
            help="Only what happened before this date or moment.",
            example="2026-12-31T08:00Z",
            filter="at__lt",
        ),
    ),
)
"""In no table of its own: `Timeline` finds the events."""


class EventView(View):
    """An event: an entry of the audit log, the state of a plan, or an e-mail."""

    at: Annotated[When, describe("When it happened.")]
    kind: Annotated[Kind, describe("What it is about.")]
    text: Annotated[
        str,
        SAID,
        describe("What happened, in a sentence.", "ada approved the registration of anna."),
    ]
    text_message: Annotated[CodedMessage, as_data("text")]
    actor: Annotated[str, describe("Who did it; `manager`: by itself.", "ada")]
    action: Annotated[
        str | None,
        Field(validation_alias="event"),
        describe("What the audit calls it; null: it is not from there.", "registration:approved"),
    ]
    plan: Annotated[
        Uuid | None, describe("The plan it is about; one that ended long ago is not kept.")
    ]
