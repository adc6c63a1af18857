"""`/people/{username}/permissions`: what administrators let single people do besides what everybody
may.

See docs/explanation/permissions.md#permissions.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Router
from pydantic import BaseModel, Field

from workspace_manager.contract.member_description import UserName, When, describe
from workspace_manager.core.timestamps import in_utc
from workspace_manager.people import permissions
from workspace_manager.people.suspension_terms import read_until
from workspace_manager.records.models import Permission, Person
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Input, Name, Text
from workspace_manager.web.api.openapi import says

router = Router(auth=administrator)

PermissionName = Literal[
    "view_components",
    "view_stacks",
    "administer_projects",
    "administer_components",
    "administer_stacks",
    "administer_snapshots",
    "approve_registrations",
]


class PermissionsWanted(Input):
    """All that somebody shall have; what is not named is taken. `until`: when all of them end, as a
    moment (`2026-12-31T08:00:00+01:00`) or a date, which is its first minute in UTC; null or left
    out: when they are taken.
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


class PermissionShown(BaseModel):
    """One permission somebody has."""

    name: Annotated[PermissionName, describe("Which it is.", "view_components")]
    until: Annotated[When | None, describe("When it ends by itself; null: when it is taken.")]
    given_at: Annotated[When, describe("When it was given.")]
    given_by: Annotated[UserName, describe("Who gave it.")]


class PermissionsShown(BaseModel):
    """What somebody may do besides what everybody may. Whoever is suspended or leaving may none of
    it meanwhile.
    """

    permissions: Annotated[
        list[PermissionName],
        describe("All that have not ended.", ["approve_registrations", "view_components"]),
    ]
    until: Annotated[
        When | None, describe("When the next of them ends by itself; null: none does.")
    ]
    given: Annotated[list[PermissionShown], describe("The same, each with its end and its giver.")]


@router.get(
    "/{username}/permissions", response=PermissionsShown, summary="Show somebody's permissions"
)
def show(request: HttpRequest, username: Name) -> dict[str, Any]:  # noqa: ARG001
    """What has ended is not shown."""
    return _shown(permissions.held_permissions(Person.objects.get(username=username)))


@router.put(
    "/{username}/permissions",
    response=PermissionsShown,
    summary="Give and take somebody's permissions",
    openapi_extra=says(409),
)
def give(request: HttpRequest, username: Name, body: PermissionsWanted) -> dict[str, Any]:
    """They count at once. Nobody gives themselves any (409)."""
    until = read_until(body.until, UTC) if body.until is not None else None
    wanted: dict[str, datetime | None] = {str(name): until for name in body.permissions}
    return _shown(permissions.let_have(username, wanted, actor=person_of(request).username))


def _shown(rows: Sequence[Permission]) -> dict[str, Any]:
    ends = [row.until for row in rows if row.until]
    return {
        "permissions": [row.name for row in rows],
        "until": in_utc(min(ends)) if ends else None,
        "given": [
            {
                "name": row.name,
                "until": in_utc(row.until),
                "given_at": in_utc(row.given_at),
                "given_by": row.given_by,
            }
            for row in rows
        ],
    }
