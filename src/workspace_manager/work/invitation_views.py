"""Views and lists of invitations into projects, for REST, pages and the command line."""

from typing import Annotated, Final, Literal

from pydantic import Field

from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.lists import ListSpec, Member
from workspace_manager.core.views import OptionalText, View
from workspace_manager.records.models import Invitation

MemberRole = Literal["read", "write", "manage"]
ROLE: Final = describe(
    "What a member may do: `read` what the project shares, `write` it, or `manage` who else may, "
    "too.",
    "write",
)
_MOMENTS: Final = (
    Member("created_at", order="created_at"),
    Member("expires_at", order="expires_at"),
)
INVITATIONS: Final = ListSpec(
    "invitations_list",
    __file__,
    searched=("username", "email"),
    order=("created_at",),
    members=_MOMENTS,
)
OWN_INVITATIONS: Final = ListSpec(
    "own_invitations_list",
    __file__,
    searched=("project__label", "project__owner__username"),
    order=("created_at",),
    members=(
        *_MOMENTS,
        Member("label", order="project__label"),
        Member(
            "owner",
            help="Only those of this person.",
            example="anna",
            filter="project__owner__username",
            order="project__owner__username",
        ),
    ),
)


class InvitationView(View):
    """The invited name or address as it was entered. Whether anybody has it is not told."""

    id: Annotated[Uuid, describe("The id of the invitation.")]
    username: Annotated[OptionalText, describe("Who was asked, by name.", "bela")]
    email: Annotated[OptionalText, describe("Or by address.", "bela@example.org")]
    role: Annotated[MemberRole, ROLE]
    created_at: Annotated[When, describe("When somebody was asked.")]
    expires_at: Annotated[When, describe("Until when it can be answered.")]


class OwnInvitationView(View):
    """An invitation to the reader. `project` and `label` name the project, which is visible after
    joining.
    """

    id: Annotated[Uuid, describe("The id of the invitation.")]
    project: Annotated[
        Uuid, Field(validation_alias="project_id"), describe("The project it is into.")
    ]
    label: Annotated[str, describe("What people call the project.", "Herbarium")]
    owner: Annotated[UserName, describe("Whose project it is.")]
    role: Annotated[MemberRole, ROLE]
    created_at: Annotated[When, describe("When I was asked.")]
    expires_at: Annotated[When, describe("Until when it can be answered.")]


def view_own_invitation(row: Invitation) -> OwnInvitationView:
    """Return an invitation as the invited person sees it."""
    return OwnInvitationView.from_row(
        row, label=row.project.label, owner=row.project.owner.username
    )
