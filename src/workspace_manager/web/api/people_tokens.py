"""`/people/{username}/tokens`: other people's API tokens, for administrators, who see them without
their text and end them.
"""

import uuid
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from workspace_manager.access import tokens
from workspace_manager.access.token_views import TOKENS, TokenView
from workspace_manager.records.models import ApiToken, Person
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Name
from workspace_manager.web.api.lists import each, list_page
from workspace_manager.web.api.me import TokensAsked
from workspace_manager.web.api.responses import ListPage

router = Router(auth=administrator)


@router.get(
    "/{username}/tokens", response=ListPage[TokenView], summary="List somebody's API tokens"
)
def list_(
    request: HttpRequest,  # noqa: ARG001
    username: Name,
    window: Query[TokensAsked],
) -> dict[str, Any]:
    """Labels, scopes and times. The text of a token is stored nowhere."""
    return list_page(_tokens_of_person(username), window, TOKENS, each(TokenView.from_row))


@router.delete("/{username}/tokens", response={204: None}, summary="End all API tokens of somebody")
def end_all(request: HttpRequest, username: Name) -> HttpResponse:
    """All of them stop working at once; the person can make new ones."""
    tokens.revoke_all(_tokens_of_person(username), actor=person_of(request).username)
    return HttpResponse(status=204)


@router.get(
    "/{username}/tokens/{token_id}", response=TokenView, summary="Show one of somebody's tokens"
)
def show(request: HttpRequest, username: Name, token_id: uuid.UUID) -> TokenView:  # noqa: ARG001
    return TokenView.from_row(_tokens_of_person(username).get(id=token_id))


@router.delete(
    "/{username}/tokens/{token_id}", response={204: None}, summary="End one of somebody's tokens"
)
def end(request: HttpRequest, username: Name, token_id: uuid.UUID) -> HttpResponse:
    """The token is revoked and no longer works."""
    tokens.revoke(_tokens_of_person(username).get(id=token_id), actor=person_of(request).username)
    return HttpResponse(status=204)


def _tokens_of_person(username: str) -> QuerySet[ApiToken]:
    rows = ApiToken.objects.filter(person=Person.objects.get(username=username))
    return rows.select_related("person").order_by("created_at", "id")
