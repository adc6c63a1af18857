"""API tokens as every door shows them, and how they are listed."""

from typing import Annotated, Final

from django.utils import timezone
from pydantic import AliasPath, BeforeValidator, Field

from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.lists import Choice, ListSpec, Member
from workspace_manager.core.views import View
from workspace_manager.records.models import ApiToken

TOKENS: Final = ListSpec(
    "tokens_list",
    __file__,
    searched=("name",),
    order=("created_at",),
    members=(
        Member("created_at", order="created_at"),
        Member("expires_at", order="expires_at"),
        Member("last_used_at", order="last_used_at"),
        Member("label", order="name"),
        Member(
            "scope",
            Choice(tuple(map(str, ApiToken.Scope.values))),
            help="Only tokens of this scope.",
            filter="scope",
        ),
    ),
)


class TokenView(View):
    """A token, without its text: that is not kept. `last_used_at` is right to a minute; `name` is
    the label.
    """

    id: Annotated[Uuid, describe("The id of the token, which is not the token.")]
    label: Annotated[str, Field(validation_alias="name"), describe("What it is for.", "laptop")]
    name: Annotated[str, describe("The same as `label`.", "laptop")]
    scope: Annotated[
        str,
        describe("`read`, `own`, `administration`, or `operation` (made on the server).", "own"),
    ]
    permissions: Annotated[
        list[str] | None,
        describe(
            "Which permissions it may use: what its person had when it was made and has had ever "
            "since; null: all that an administrator may.",
            ["administer_projects"],
        ),
    ]
    created_at: Annotated[When, describe("When it was made.")]
    expires_at: Annotated[When, describe("When it ends, or ended.")]
    expired: Annotated[
        bool,
        Field(validation_alias="expires_at"),
        BeforeValidator(lambda end: end <= timezone.now()),
        describe("Whether it has ended."),
    ]
    last_used_at: Annotated[When | None, describe("When it was last used, to a minute.")]


class NewTokenView(TokenView):
    """A token that was just made; `token` is shown this once."""

    token: Annotated[str, describe("The token itself, shown this once.", "wsm_EXAMPLE")]


class PersonTokenView(TokenView):
    """A token among those of several people."""

    person: Annotated[
        UserName, Field(validation_alias=AliasPath("person", "username")), describe("Whose it is.")
    ]
