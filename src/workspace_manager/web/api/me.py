"""`/me`: oneself, and one's API tokens."""

import uuid
from typing import Annotated, Any, Final, Literal

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from ninja import Query, Router, Status
from pydantic import BaseModel, Field

from workspace_manager.contract.described import Uuid, When, about
from workspace_manager.core.listing import Listing
from workspace_manager.core.timestamps import in_utc
from workspace_manager.people import tokens
from workspace_manager.people.documents import of_person
from workspace_manager.records.models import ApiToken
from workspace_manager.web.api.auth import person_of, signed_in
from workspace_manager.web.api.inputs import Input, Text
from workspace_manager.web.api.lists import SORTED, ListAsked, each, listed
from workspace_manager.web.api.people import PersonShown
from workspace_manager.web.api.shown import Listed

router = Router(auth=signed_in)


LIST: Final = Listing(searched=("name",), order=("created_at",))


class TokensAsked(ListAsked):
    """Which tokens."""

    sort: Annotated[
        Literal["created_at", "-created_at", "last_used_at", "-last_used_at", "name", "-name"]
        | None,
        SORTED,
    ] = None


class NewToken(Input):
    """What a token is for, in words."""

    name: Annotated[Text, Field(max_length=200), about("What the token is for.", "laptop")]


class TokenShown(BaseModel):
    """A token, without its text: that is not kept."""

    id: Annotated[Uuid, about("The id of the token, which is not the token.")]
    name: Annotated[str, about("What it is for.", "laptop")]
    created_at: Annotated[When, about("When it was made.")]
    last_used_at: Annotated[When | None, about("When it was last used.")]


class FreshToken(TokenShown):
    """A token that was just made; `token` is shown this once."""

    token: Annotated[str, about("The token itself, shown this once.", "wsm_EXAMPLE")]


@router.get("", response=PersonShown, summary="Show oneself")
def show(request: HttpRequest) -> dict[str, Any]:
    """Also makes sure that a session has its cookie `csrftoken`."""
    get_token(request)
    return of_person(person_of(request))


@router.get("/tokens", response=Listed[TokenShown], summary="List one's API tokens")
def list_tokens(request: HttpRequest, window: Query[TokensAsked]) -> dict[str, Any]:
    """Names and times; the text of a token is kept nowhere."""
    return listed(ApiToken.objects.filter(person=person_of(request)), window, LIST, each(_token))


@router.post("/tokens", response={201: FreshToken}, summary="Make an API token")
def create_token(request: HttpRequest, body: NewToken) -> Any:
    """The text is shown this once. Whoever has it may do what you may."""
    person = person_of(request)
    token, clear = tokens.create(person, name=body.name, actor=person.username)
    return Status(201, {**_token(token), "token": clear})


@router.delete("/tokens/{token_id}", response={204: None}, summary="End an API token")
def revoke_token(request: HttpRequest, token_id: uuid.UUID) -> HttpResponse:
    """It is good for nothing from now on."""
    person = person_of(request)
    tokens.revoke(ApiToken.objects.get(id=token_id, person=person), actor=person.username)
    return HttpResponse(status=204)


def _token(row: ApiToken) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "name": row.name,
        "created_at": in_utc(row.created_at),
        "last_used_at": in_utc(row.last_used_at),
    }
