"""`/strangers`: people the identity provider vouches for and whom nobody here knows, and what to do
about each.
"""

import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import BaseModel

from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.account_link import subs_of
from workspace_manager.core.timestamps import in_utc
from workspace_manager.people import announcements, unlinked_sign_ins
from workspace_manager.people.documents import announced_as
from workspace_manager.people.listings import STRANGERS
from workspace_manager.records.models import Announcement, Person, Stranger
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Input, Name
from workspace_manager.web.api.lists import SORTED, ListAsked, listed
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.shown import AnnouncedShown, Listed, announced_in_words
from workspace_manager.web.sign_in.fresh import proves
from workspace_manager.wiring import connected_systems

router = Router(auth=administrator)

Standing = Literal["open", "relinked", "adopted", "refused"]
Reason = Literal["another sub", "same e-mail", "not approved", "suspended", "tombstone"]


class Relinking(Input):
    """Whom it is to be, if whoever asks knows: the account may have knocked under another name
    since. Needed for who administers or was given permissions.
    """

    username: Annotated[Name | None, describe("The person who was shown.", "anna")] = None


class StrangersAsked(ListAsked):
    """Which strangers."""

    state: Annotated[Standing | None, describe("Only those that stand so.")] = None
    why: Annotated[Reason | None, describe("Only those who were refused for this.")] = None
    sort: Annotated[
        Literal[
            "last_seen",
            "-last_seen",
            "first_seen",
            "-first_seen",
            "username",
            "-username",
            "times",
            "-times",
        ]
        | None,
        SORTED,
    ] = None


class KnownPerson(BaseModel):
    """The person of that name, or of that address, and the user id the account link holds now."""

    username: Annotated[UserName, describe("The name of the person who is here.")]
    sub: Annotated[
        str | None,
        describe("The user id the account link holds now.", "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90"),
    ]
    state: Annotated[str, describe("`active`, `suspended` or `leaving`.", "active")]


class StrangerShown(BaseModel):
    """Somebody who was refused at the door. `person`: whom the account could be linked to;
    `repairs`: what can be done (`resume`: of the person).
    """

    id: Annotated[Uuid, describe("The id of the entry.")]
    sub: Annotated[
        str,
        describe(
            "The user id the identity provider vouched for.", "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90"
        ),
    ]
    username: Annotated[UserName, describe("The name it gave.")]
    email: Annotated[str, describe("The address it gave.", "anna@example.org")]
    email_confirmed: Annotated[
        bool, describe("Whether the identity provider called that address confirmed.")
    ]
    why: Annotated[str, describe("Why nobody was let in.", "another sub")]
    first_seen: Annotated[When, describe("When it was refused first.")]
    last_seen: Annotated[When, describe("When it was refused last.")]
    times: Annotated[int, describe("How often it was refused.", 3)]
    state: Annotated[Standing, describe("Whether somebody decided about it, and how.")]
    decided_by: Annotated[UserName | None, describe("Who decided.")]
    person: Annotated[KnownPerson | None, describe("Whom the account could be linked to.")]
    repairs: Annotated[
        list[Literal["relink", "adopt", "refuse", "resume"]],
        describe(
            "What can be done: the last part of the address of each (`resume`: of the person)."
        ),
    ]
    announced: Annotated[
        AnnouncedShown | None,
        describe("An administrator was announced under this name; of one who is still open."),
    ] = None


@router.get(
    "", response=Listed[StrangerShown], summary="List who was refused at the door, latest first"
)
def list_(
    request: HttpRequest,  # noqa: ARG001
    window: Query[StrangersAsked],
) -> dict[str, Any]:
    """Also those who were decided about."""
    return listed(Stranger.objects.all(), window, STRANGERS, all_shown)


@router.get("/{stranger_id}", response=StrangerShown, summary="Show one stranger")
def show(request: HttpRequest, stranger_id: uuid.UUID) -> dict[str, Any]:  # noqa: ARG001
    return shown(Stranger.objects.get(id=stranger_id))


@router.post(
    "/{stranger_id}/relink",
    response=StrangerShown,
    summary="Link a known person to this account",
    openapi_extra=says(409),
)
def relink(
    request: HttpRequest, stranger_id: uuid.UUID, body: Relinking | None = None
) -> dict[str, Any]:
    """The account was made again at the identity provider: the person signs in with it from
    now on. For somebody who administers or was given permissions the name is needed, and a sign-in
    of a few minutes ago.
    """
    story = partial(
        unlinked_sign_ins.relink,
        systems=connected_systems(),
        meant=(body.username if body else None) or "",
        proved=proves(request),
    )
    return _decided(story, request, stranger_id)


@router.post(
    "/{stranger_id}/adopt",
    response=StrangerShown,
    summary="Approve this account",
    openapi_extra=says(409),
)
def adopt(request: HttpRequest, stranger_id: uuid.UUID) -> dict[str, Any]:
    """The account stands at the identity provider already: its next sign-in is its first here."""
    return _decided(
        partial(unlinked_sign_ins.approve_existing, systems=connected_systems()),
        request,
        stranger_id,
    )


@router.post(
    "/{stranger_id}/refuse",
    response=StrangerShown,
    summary="Settle that this account does not belong here",
    openapi_extra=says(409),
)
def refuse(request: HttpRequest, stranger_id: uuid.UUID) -> dict[str, Any]:
    """It stays outside; the page it sees stays the same."""
    return _decided(unlinked_sign_ins.refuse, request, stranger_id)


def _decided(
    story: Callable[..., object], request: HttpRequest, stranger_id: uuid.UUID
) -> dict[str, Any]:
    story(stranger_id, actor=person_of(request).username)
    return shown(Stranger.objects.get(id=stranger_id))


def shown(row: Stranger) -> dict[str, Any]:
    """One stranger for an administrator."""
    (document,) = all_shown([row])
    return document


def all_shown(rows: Sequence[Stranger]) -> list[dict[str, Any]]:
    """Each of many, with as many queries as for one."""
    people = unlinked_sign_ins.people_for(rows)
    subs = subs_of(person for person in people.values() if person)
    found = announcements.find_announcements(row.username for row in rows)
    return [_shown(row, people[row.id], subs, found.get(row.username)) for row in rows]


def _shown(
    row: Stranger,
    person: Person | None,
    subs: Mapping[uuid.UUID, str],
    found: Announcement | None,
) -> dict[str, Any]:
    open_ = row.state == Stranger.State.OPEN
    return {
        "id": str(row.id),
        "sub": row.sub,
        "username": row.username,
        "email": row.email,
        "email_confirmed": row.email_confirmed,
        "why": row.why,
        "first_seen": in_utc(row.first_seen),
        "last_seen": in_utc(row.last_seen),
        "times": row.times,
        "state": row.state,
        "decided_by": row.decided_by or None,
        "person": {
            "username": person.username,
            "sub": subs.get(person.id),
            "state": person.state,
        }
        if person
        else None,
        "repairs": unlinked_sign_ins.repairs(row, person),
        "announced": announced_in_words(announced_as(row, found)) if open_ else None,
    }
