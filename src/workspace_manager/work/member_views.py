"""Views and lists of members and of requests to join, for REST, pages and the command line."""

from typing import Annotated, Final

from pydantic import AliasPath, Field

from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.lists import Choice, ListSpec, Member
from workspace_manager.core.views import View
from workspace_manager.records.models import Membership
from workspace_manager.work.invitation_views import ROLE, MemberRole

_PERSON: Final = Member("username", order="person__username")
_SEARCHED: Final = ("person__username", "person__first_name", "person__last_name")
MEMBERS: Final = ListSpec(
    "members_list",
    __file__,
    searched=_SEARCHED,
    order=("person__username",),
    members=(
        _PERSON,
        Member("since", order="since"),
        Member(
            "role",
            Choice(tuple(map(str, Membership.Role.values))),
            help="Only those who are this.",
            filter="role",
            order="role",
        ),
    ),
)
REQUESTS: Final = ListSpec(
    "requests_list",
    __file__,
    searched=_SEARCHED,
    order=("created_at",),
    members=(
        Member(
            "state",
            Choice(("pending", "approved", "rejected")),
            help="Only those that stand so.",
            filter="state",
        ),
        Member("created_at", order="created_at"),
        _PERSON,
    ),
)
_USERNAME: Final = Field(validation_alias=AliasPath("person", "username"))


class MemberView(View):
    """A member of a project."""

    username: Annotated[UserName, _USERNAME, describe("Who it is.")]
    role: Annotated[MemberRole, ROLE]
    since: Annotated[When, describe("Since when.")]


class MembershipRequestView(View):
    """A request to join a project."""

    id: Annotated[Uuid, describe("The id of the request.")]
    username: Annotated[UserName, _USERNAME, describe("Who asks to join.")]
    state: Annotated[str, describe("`pending`, `approved` or `rejected`.", "pending")]
    created_at: Annotated[When, describe("When it was asked.")]
