"""`/people/{username}/timeline`: what happened to somebody, in sentences, for administrators."""

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import BaseModel

from workspace_manager.audit.timeline import Timeline, of_happened
from workspace_manager.contract.member_description import Uuid, When, describe
from workspace_manager.people.everybody import find_subject
from workspace_manager.web.api.auth import administrator
from workspace_manager.web.api.inputs import Moment, Name
from workspace_manager.web.api.lists import SORTED, ListAsked
from workspace_manager.web.api.shown import Listed
from workspace_manager.web.pages.translate import Coded, in_readers_language

router = Router(auth=administrator)

Kind = Literal[
    "registration",
    "sign_in",
    "role",
    "permission",
    "suspension",
    "removal",
    "access",
    "work",
    "plan",
    "letter",
    "other",
]


class TimelineAsked(ListAsked):
    """Which part of a life. Words are looked for in names of events, actors, kinds of plans and
    subjects of letters.
    """

    sort: Annotated[Literal["at", "-at"] | None, SORTED] = None
    kind: Annotated[Kind | None, describe("Only what is about this.", "permission")] = None
    since: Annotated[
        Moment | None,
        describe("Only what happened at this date or moment, or later.", "2026-12-01"),
    ] = None
    until: Annotated[
        Moment | None,
        describe("Only what happened before this date or moment.", "2026-12-31T08:00Z"),
    ] = None


class HappenedShown(BaseModel):
    """One thing that happened: an entry of the audit, something about a plan, or a letter."""

    at: Annotated[When, describe("When it happened.")]
    kind: Annotated[Kind, describe("What it is about.")]
    text: Annotated[
        str, describe("What happened, in a sentence.", "ada approved the registration of anna.")
    ]
    text_message: Coded
    actor: Annotated[str, describe("Who did it; `manager`: by itself.", "ada")]
    action: Annotated[
        str | None,
        describe("What the audit calls it; null: it is not from there.", "registration:approved"),
    ]
    plan: Annotated[
        Uuid | None, describe("The plan it is about; one that ended long ago is not kept.")
    ]


@router.get(
    "/{username}/timeline",
    response=Listed[HappenedShown],
    summary="List what happened to somebody, newest first",
)
def timeline(
    request: HttpRequest,  # noqa: ARG001
    username: Name,
    window: Query[TimelineAsked],
) -> dict[str, Any]:
    """Also of who asks to join or was approved and never signed in: what is known. Of somebody who
    left, as long as the name is kept.
    """
    found = Timeline(find_subject(username), window.asked())
    part = found[window.offset : window.offset + window.limit]
    items = in_readers_language([of_happened(one) for one in part])
    return {"items": items, "count": found.count()}
