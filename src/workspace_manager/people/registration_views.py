"""Views of registrations and announced administrators, for REST, pages and the command line;
without secrets and hashes.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Final, Literal, get_args

from pydantic import Field

from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.lists import Choice, Either, ListSpec, Member
from workspace_manager.core.views import (
    OR_NONE,
    SAID,
    CodedMessage,
    OptionalText,
    View,
    as_data,
)
from workspace_manager.people import announcements
from workspace_manager.people.everybody_views import split_batches
from workspace_manager.records.models import Announcement, Person, Registration, UnapprovedSignIn

OPEN = (Registration.Status.PENDING, Registration.Status.APPROVED)
"""States in which a sign-in is still possible."""
RegistrationStatus = Literal["pending", "approved", "rejected", "expired", "withdrawn"]
AdministratorState = Literal["active", "suspended", "leaving", "announced", "to_confirm"]
REGISTRATIONS: Final = ListSpec(
    "registrations_list",
    __file__,
    searched=("username", "email", "first_name", "last_name"),
    order=("created_at",),
    search_for="Search by name or e-mail",
    by_itself="longest waiting first, or last decided first",
    members=(
        Member("created_at", label="Received", order="created_at"),
        Member("decided_at", label="Decided", order="decided_at"),
        Member("username", label="User name", order="username"),
        Member("email", label="E-mail", order="email"),
        Member(
            "status",
            Choice(tuple(map(str, Registration.Status.values))),
            "State",
            "Only those that stand so.",
            filter="status",
        ),
        Member(
            "email_confirmed",
            Either("email-unconfirmed", "confirmed", "not confirmed"),
            "E-mail",
            "Only those whose address is confirmed, or is not.",
            filter="email_confirmed",
        ),
    ),
)
ADMINISTRATORS: Final = ListSpec(
    "administrators_list",
    __file__,
    searched=("username", "email", "sub"),
    order=(),
    members=(
        Member("username", order="username"),
        Member(
            "state",
            Choice(get_args(AdministratorState)),
            help="Only those who stand so.",
            filter="state",
            order="state",
        ),
    ),
)
"""In no table: administrators and announced ones."""


class AnnouncementView(View):
    """An announcement of an administrator under this name; `text` says what it means here."""

    role: Annotated[Literal["administrator"], describe("The role that was announced.")]
    bound: Annotated[
        Literal["name", "sub", "email"],
        describe("What the announcement is for: an account, a confirmed address, or a name alone."),
    ]
    sub: Annotated[
        OptionalText,
        describe(
            "The user id at the identity provider it is for.",
            "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90",
        ),
    ]
    email: Annotated[OptionalText, describe("The confirmed address it is for.", "anna@example.org")]
    until: Annotated[When, describe("When it ends by itself.")]
    announced_by: Annotated[
        UserName, Field(validation_alias="created_by"), describe("Who announced it.")
    ]
    text: Annotated[
        str,
        SAID,
        describe(
            "What that means for this one, in a sentence.",
            "The administrator ada announced anna as an administrator.",
        ),
    ]
    text_message: Annotated[CodedMessage, as_data("text")]


class RegistrationView(View):
    """One registration, without the password's hash."""

    id: Annotated[Uuid, describe("The id of the registration.")]
    username: Annotated[str, describe("The name that was asked for.", "dora")]
    email: Annotated[str, describe("The address as typed.", "dora@example.org")]
    email_confirmed: Annotated[
        bool, describe("Whether somebody followed the link that was sent there.")
    ]
    first_name: Annotated[str, describe("The given name.", "Dora")]
    last_name: Annotated[str, describe("The family name.", "Beispiel")]
    locale: Annotated[str, describe("The language that was chosen.", "de")]
    timezone: Annotated[str, describe("The time zone that was chosen.", "Europe/Berlin")]
    status: Annotated[RegistrationStatus, describe("How it stands.")]
    created_at: Annotated[When, describe("When somebody asked.")]
    duplicate_of: Annotated[
        OptionalText,
        describe("Which name or address was taken already when it came.", "username anna"),
    ]
    decided_at: Annotated[When | None, describe("When it was decided.")]
    decided_by: Annotated[UserName | None, OR_NONE, describe("Who decided.")]
    reason: Annotated[
        str | None,
        SAID,
        OR_NONE,
        describe(
            "Why it was rejected; of one that is pending, why the last try to approve it failed.",
            "The course is full.",
        ),
    ]
    reason_message: CodedMessage | None = None
    announced: Annotated[
        AnnouncementView | None,
        describe(
            "An administrator was announced under this name; `text` says what that means here."
        ),
    ] = None


class AdministratorView(View):
    """An administrator, or an announced one. `announced`: nobody with that name has come;
    `to_confirm`: somebody has come, and their identity is not proven. `bound`: the identifier of
    the announcement.
    """

    username: Annotated[UserName, describe("Who it is.")]
    state: Annotated[
        AdministratorState,
        describe(
            "How somebody who is here stands; `announced` and `to_confirm` of who is not one yet."
        ),
    ]
    bound: Annotated[
        Literal["name", "sub", "email"] | None, describe("What an announcement is made for.")
    ] = None
    sub: Annotated[
        OptionalText,
        describe(
            "The user id at the identity provider it is made for.",
            "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90",
        ),
    ] = None
    email: Annotated[
        OptionalText, describe("The confirmed address it is made for.", "anna@example.org")
    ] = None
    until: Annotated[When | None, describe("When the announcement ends by itself.")] = None
    announced_by: Annotated[
        UserName | None, Field(validation_alias="created_by"), describe("Who announced it.")
    ] = None


def view_registration(row: Registration) -> RegistrationView:
    (view,) = view_registrations([row])
    return view


def view_registrations(rows: Sequence[Registration]) -> list[RegistrationView]:
    """Return views; the number of queries does not grow with the rows."""
    return [view for some in split_batches(rows) for view in _registrations(some)]


def _registrations(rows: Sequence[Registration]) -> Iterator[RegistrationView]:
    found = announcements.find_announcements(row.username for row in rows if row.status in OPEN)
    for row in rows:
        failed = None if row.reason else row.last_failure
        announced = found.get(row.username) if row.status in OPEN else None
        yield RegistrationView.from_row(
            row,
            reason=failed or row.reason,
            reason_message=failed,
            announced=view_announcement(row, announced),
        )


def view_announcement(
    row: Registration | UnapprovedSignIn, found: Announcement | None
) -> AnnouncementView | None:
    """Return the announcement under this name, and whether it is for this applicant."""
    if found is None:
        return None
    return AnnouncementView.from_row(
        found,
        role="administrator",
        bound=announcements.read_binding(found),
        text=announcements.announcement_message(row, found),
    )


def view_administrators() -> list[AdministratorView]:
    """Return administrators, then announced names."""
    rows = Person.objects.filter(role=Person.Role.ADMINISTRATOR).order_by("username")
    here = [AdministratorView(username=row.username, state=row.state) for row in rows]
    standing = announcements.open_announcements()
    came = Person.objects.filter(username__in=[one.username for one in standing])
    names = set(came.values_list("username", flat=True))
    return here + [
        AdministratorView.from_row(
            one,
            state="to_confirm" if one.username in names else "announced",
            bound=announcements.read_binding(one),
        )
        for one in standing
    ]
