"""`/tombstones`: the reserved names of former members, which nobody else can get."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from workspace_manager.people import tombstones
from workspace_manager.people.names_free import standing_tombstones
from workspace_manager.people.tombstones import TOMBSTONES, TombstoneView
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Name
from workspace_manager.web.api.lists import ListAsked, each, list_page
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.responses import ListPage

router = Router(auth=administrator)


class TombstonesAsked(ListAsked, of=TOMBSTONES):
    """Filters and order of the list of reserved names."""


@router.get("", response=ListPage[TombstoneView], summary="List reserved names, newest first")
def list_(
    request: HttpRequest,  # noqa: ARG001
    window: Query[TombstonesAsked],
) -> dict[str, Any]:
    """Names that are still reserved. Nobody is approved under a reserved name."""
    return list_page(standing_tombstones(), window, TOMBSTONES, each(TombstoneView.from_row))


@router.post(
    "/{username}/release",
    response=TombstoneView,
    summary="Release a reserved name",
    openapi_extra=says(409),
)
def release(request: HttpRequest, username: Name) -> TombstoneView:
    """Lets the name be used again before the reservation expires. The next person with the name
    inherits nothing.
    """
    return TombstoneView.from_row(tombstones.release(username, actor=person_of(request).username))
