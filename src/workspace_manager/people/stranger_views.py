"""Views of refused sign-ins, for REST, pages and the command line."""

import uuid
from collections.abc import Sequence
from typing import Annotated, Final, Literal, get_args

from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.account_link import subs_of
from workspace_manager.core.lists import Choice, ListSpec, Member
from workspace_manager.core.views import OR_NONE, View
from workspace_manager.people import announcements, unlinked_sign_ins
from workspace_manager.people.registration_views import AnnouncementView, view_announcement
from workspace_manager.records.models import UnapprovedSignIn

State = Literal["open", "relinked", "adopted", "refused"]
STRANGERS: Final = ListSpec(
    "strangers_list",
    __file__,
    searched=("username", "email", "sub"),
    order=("-last_seen",),
    members=(
        Member(
            "state",
            Choice(get_args(State)),
            help="Only those that stand so.",
            filter="state",
        ),
        Member(
            "why",
            Choice(tuple(one.value for one in unlinked_sign_ins.RefusalReason)),
            help="Only those who were refused for this.",
            filter="why",
        ),
        Member("last_seen", order="last_seen"),
        Member("first_seen", order="first_seen"),
        Member("username", order="username"),
        Member("times", order="times"),
    ),
)


class KnownPersonView(View):
    """The person with that name or address, and the user id of their account link."""

    username: Annotated[UserName, describe("The name of the person who is here.")]
    sub: Annotated[
        str | None,
        describe("The user id the account link holds now.", "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90"),
    ]
    state: Annotated[str, describe("`active`, `suspended` or `leaving`.", "active")]


class StrangerView(View):
    """A refused sign-in. `person`: the person to whom the account could be linked; `repairs`:
    possible actions (`resume`: for the person).
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
    why: Annotated[str, describe("Why the sign-in was refused.", "another sub")]
    first_seen: Annotated[When, describe("When it was refused first.")]
    last_seen: Annotated[When, describe("When it was refused last.")]
    times: Annotated[int, describe("How often it was refused.", 3)]
    state: Annotated[State, describe("Whether somebody decided about it, and how.")]
    decided_by: Annotated[UserName | None, OR_NONE, describe("Who decided.")]
    person: Annotated[KnownPersonView | None, describe("Whom the account could be linked to.")]
    repairs: Annotated[
        list[Literal["relink", "adopt", "refuse", "resume"]],
        describe(
            "What can be done: the last part of the address of each (`resume`: of the person)."
        ),
    ]
    announced: Annotated[
        AnnouncementView | None,
        describe("An administrator was announced under this name; of one who is still open."),
    ] = None


def view_stranger(stranger_id: uuid.UUID) -> StrangerView:
    (view,) = view_strangers([UnapprovedSignIn.objects.get(id=stranger_id)])
    return view


def view_strangers(rows: Sequence[UnapprovedSignIn]) -> list[StrangerView]:
    """Return views; the number of queries does not grow with the rows."""
    people = unlinked_sign_ins.people_for(rows)
    subs = subs_of(person for person in people.values() if person)
    found = announcements.find_announcements(row.username for row in rows)
    return [
        StrangerView.from_row(
            row,
            person=person and KnownPersonView.from_row(person, sub=subs.get(person.id)),
            repairs=unlinked_sign_ins.repairs(row, person),
            announced=view_announcement(row, found.get(row.username))
            if row.state == UnapprovedSignIn.State.OPEN
            else None,
        )
        for row in rows
        for person in [people[row.id]]
    ]
