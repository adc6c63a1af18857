"""`/me`: oneself, and one's API tokens."""

import uuid
from datetime import UTC
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils import timezone
from ninja import Query, Router, Status
from pydantic import AliasChoices, BaseModel, Field

from workspace_manager.access import tokens
from workspace_manager.contract.member_description import Uuid, When, describe
from workspace_manager.core.timestamps import in_utc
from workspace_manager.people.everybody_views import view_person
from workspace_manager.people.listings import TOKENS
from workspace_manager.people.person_views import PersonView
from workspace_manager.records.models import ApiToken
from workspace_manager.web.api.auth import in_a_session, person_of, signed_in
from workspace_manager.web.api.inputs import Input, Text
from workspace_manager.web.api.lists import SORTED, ListAsked, each, listed
from workspace_manager.web.api.shown import Listed
from workspace_manager.web.sign_in.fresh import refuse_stale_for_token

router = Router(auth=signed_in)


Scope = Literal["read", "own", "administration", "operation"]


class TokensAsked(ListAsked):
    """Which tokens."""

    scope: Annotated[Scope | None, describe("Only tokens of this scope.")] = None
    sort: Annotated[
        Literal[
            "created_at",
            "-created_at",
            "expires_at",
            "-expires_at",
            "last_used_at",
            "-last_used_at",
            "label",
            "-label",
        ]
        | None,
        SORTED,
    ] = None


class NewToken(Input):
    """What a token is for, in words; what it may do; and when it ends, as a moment
    (`2026-12-31T08:00:00+01:00`) or a date, which is its first minute in UTC. `name` is taken for
    `label` too.
    """

    label: Annotated[
        Text,
        Field(max_length=200, validation_alias=AliasChoices("label", "name")),
        describe("What the token is for.", "laptop"),
    ]
    scope: Annotated[
        Literal["read", "own", "administration"],
        describe("What it may do: look, also change one's own things, or all that its person may."),
    ] = "own"
    expires_at: Annotated[
        Annotated[Text, Field(max_length=40)] | None,
        describe("When it ends; left out, after the days that are set here.", "2026-12-31"),
    ] = None


class TokenShown(BaseModel):
    """A token, without its text: that is not kept. `last_used_at` is right to a minute; `name` is
    the label.
    """

    id: Annotated[Uuid, describe("The id of the token, which is not the token.")]
    label: Annotated[str, describe("What it is for.", "laptop")]
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
    expired: Annotated[bool, describe("Whether it has ended.")]
    last_used_at: Annotated[When | None, describe("When it was last used, to a minute.")]


class FreshToken(TokenShown):
    """A token that was just made; `token` is shown this once."""

    token: Annotated[str, describe("The token itself, shown this once.", "wsm_EXAMPLE")]


@router.get("", response=PersonView, summary="Show oneself")
def show(request: HttpRequest) -> PersonView:
    """Also makes sure that a session has its cookie `csrftoken`."""
    get_token(request)
    return view_person(person_of(request))


@router.get("/tokens", response=Listed[TokenShown], summary="List one's API tokens")
def list_tokens(request: HttpRequest, window: Query[TokensAsked]) -> dict[str, Any]:
    """Names and times; the text of a token is kept nowhere."""
    mine = ApiToken.objects.filter(person=person_of(request))
    return listed(mine, window, TOKENS, each(token_shown))


@router.post("/tokens", auth=in_a_session, response={201: FreshToken}, summary="Make an API token")
def create_token(request: HttpRequest, body: NewToken) -> Any:
    """The text is shown this once. Whoever has it may do what its scope says, until it ends. One
    for administration needs a sign-in some minutes ago (403).
    """
    person = person_of(request)
    if body.scope in tokens.FOR_THE_ROLE:
        refuse_stale_for_token(request)
    until = tokens.read_end(body.expires_at, UTC) if body.expires_at is not None else None
    token, clear = tokens.create(
        person, name=body.label, actor=person.username, scope=body.scope, until=until
    )
    return Status(201, {**token_shown(token), "token": clear})


@router.delete("/tokens/{token_id}", response={204: None}, summary="End an API token")
def revoke_token(request: HttpRequest, token_id: uuid.UUID) -> HttpResponse:
    """It is good for nothing from now on."""
    person = person_of(request)
    tokens.revoke(ApiToken.objects.get(id=token_id, person=person), actor=person.username)
    return HttpResponse(status=204)


def token_shown(row: ApiToken) -> dict[str, Any]:
    """One token as its person and administrators see it."""
    return {
        "id": str(row.id),
        "label": row.name,
        "name": row.name,
        "scope": row.scope,
        "permissions": row.permissions,
        "created_at": in_utc(row.created_at),
        "expires_at": in_utc(row.expires_at),
        "expired": row.expires_at <= timezone.now(),
        "last_used_at": in_utc(row.last_used_at),
    }
