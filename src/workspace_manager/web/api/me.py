"""`/me`: your own person, and your API tokens."""

import uuid
from datetime import UTC
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from ninja import Query, Router, Status
from pydantic import AliasChoices, Field

from workspace_manager.access import tokens
from workspace_manager.access.token_views import TOKENS, NewTokenView, TokenView
from workspace_manager.contract.member_description import describe
from workspace_manager.people.everybody_views import view_person
from workspace_manager.people.person_views import PersonView
from workspace_manager.records.models import ApiToken
from workspace_manager.web.api.auth import in_a_session, person_of, signed_in
from workspace_manager.web.api.inputs import Input, Text
from workspace_manager.web.api.lists import ListAsked, each, list_page
from workspace_manager.web.api.responses import ListPage
from workspace_manager.web.sign_in.fresh import refuse_stale_for_token

router = Router(auth=signed_in)


class TokensAsked(ListAsked, of=TOKENS):
    """Filters and order of API tokens."""


class NewToken(Input):
    """A token's purpose, scope and end: a moment (`2026-12-31T08:00:00+01:00`), or a date, which
    means its first minute in UTC. `name` is accepted for `label`, too.
    """

    label: Annotated[
        Text,
        Field(max_length=200, validation_alias=AliasChoices("label", "name")),
        describe("What the token is for.", "laptop"),
    ]
    scope: Annotated[
        Literal["read", "own", "administration"],
        describe("What it may do: look, change your own things too, or all that you may."),
    ] = "own"
    expires_at: Annotated[
        Annotated[Text, Field(max_length=40)] | None,
        describe("When it ends; left out, after the days that are set here.", "2026-12-31"),
    ] = None


@router.get("", response=PersonView, summary="Show oneself")
def show(request: HttpRequest) -> PersonView:
    """Also makes sure that a session has its cookie `csrftoken`."""
    get_token(request)
    return view_person(person_of(request))


@router.get("/tokens", response=ListPage[TokenView], summary="List your API tokens")
def list_tokens(request: HttpRequest, window: Query[TokensAsked]) -> dict[str, Any]:
    """Names and times. The text of a token is stored nowhere."""
    mine = ApiToken.objects.filter(person=person_of(request))
    return list_page(mine, window, TOKENS, each(TokenView.from_row))


@router.post(
    "/tokens", auth=in_a_session, response={201: NewTokenView}, summary="Make an API token"
)
def create_token(request: HttpRequest, body: NewToken) -> Any:
    """The text is shown only once. The token works within its scope until it expires. A token for
    administration needs a sign-in in the last few minutes (403).
    """
    person = person_of(request)
    if body.scope in tokens.FOR_THE_ROLE:
        refuse_stale_for_token(request)
    until = tokens.read_end(body.expires_at, UTC) if body.expires_at is not None else None
    token, clear = tokens.create(
        person, name=body.label, actor=person.username, scope=body.scope, until=until
    )
    return Status(201, NewTokenView.from_row(token, token=clear))


@router.delete("/tokens/{token_id}", response={204: None}, summary="End an API token")
def revoke_token(request: HttpRequest, token_id: uuid.UUID) -> HttpResponse:
    """The token is revoked and no longer works."""
    person = person_of(request)
    tokens.revoke(ApiToken.objects.get(id=token_id, person=person), actor=person.username)
    return HttpResponse(status=204)
