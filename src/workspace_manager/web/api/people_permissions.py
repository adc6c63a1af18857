"""`/people/{username}/permissions`: what administrators let a person do besides what everybody may.

See docs/explanation/permissions.md#permissions.
"""

from datetime import UTC, datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Router
from pydantic import Field

from workspace_manager.contract.member_description import describe
from workspace_manager.people import permissions
from workspace_manager.people.permissions import (
    PermissionName,
    PermissionsView,
    view_permissions,
)
from workspace_manager.people.suspension_terms import read_until
from workspace_manager.records.models import Person
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Input, Name, Text
from workspace_manager.web.api.openapi import says

router = Router(auth=administrator)


class PermissionsWanted(Input):
    """All permissions of the person; others are taken away. `until`: the end of all of them, as a
    moment (`2026-12-31T08:00:00+01:00`), or a date, which means its first minute in UTC; null or
    left out: no end.
    """

    permissions: Annotated[
        list[PermissionName],
        Field(max_length=len(permissions.NAMES)),
        describe("All that the person shall have.", ["view_components", "approve_registrations"]),
    ]
    until: Annotated[
        Annotated[Text, Field(max_length=40)] | None,
        describe("When all of them end by themselves; null: when they are taken.", "2026-12-31"),
    ] = None


@router.get(
    "/{username}/permissions", response=PermissionsView, summary="Show somebody's permissions"
)
def show(request: HttpRequest, username: Name) -> PermissionsView:  # noqa: ARG001
    """Without permissions that have ended."""
    return view_permissions(permissions.held_permissions(Person.objects.get(username=username)))


@router.put(
    "/{username}/permissions",
    response=PermissionsView,
    summary="Give and take somebody's permissions",
    openapi_extra=says(409),
)
def give(request: HttpRequest, username: Name, body: PermissionsWanted) -> PermissionsView:
    """They count at once. You cannot change your own (409)."""
    until = read_until(body.until, UTC) if body.until is not None else None
    wanted: dict[str, datetime | None] = {str(name): until for name in body.permissions}
    return view_permissions(
        permissions.let_have(username, wanted, actor=person_of(request).username)
    )
