"""`/tombstones`: names of people who left, kept from coming back in another's hands."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import BaseModel

from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.timestamps import in_utc
from workspace_manager.people import tombstones
from workspace_manager.people.listings import TOMBSTONES
from workspace_manager.people.names_free import standing_tombstones
from workspace_manager.records.models import Tombstone
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Name
from workspace_manager.web.api.lists import ListAsked, each, listed
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.shown import AccountShown, Listed

router = Router(auth=administrator)


class TombstonesAsked(ListAsked, of=TOMBSTONES):
    """Which tombstones."""


class TombstoneShown(BaseModel):
    """A name that is kept, the accounts that bore it, and the removal it stays of. `released_at`:
    since when it is free again.
    """

    username: Annotated[UserName, describe("The name that is kept.")]
    sub: Annotated[
        str | None, describe("The user id of who left.", "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90")
    ]
    accounts: Annotated[list[AccountShown], describe("The accounts that bore the name.")]
    plan: Annotated[Uuid | None, describe("The removal it stays of.")]
    created_at: Annotated[When, describe("Since when it is kept.")]
    expires_at: Annotated[When, describe("When it is free again by itself.")]
    released_at: Annotated[When | None, describe("Since when it is free again.")]
    released_by: Annotated[UserName | None, describe("Who released it.")]


@router.get("", response=Listed[TombstoneShown], summary="List tombstones, newest first")
def list_(
    request: HttpRequest,  # noqa: ARG001
    window: Query[TombstonesAsked],
) -> dict[str, Any]:
    """Those that stand. While one does, nobody is approved under its name."""
    return listed(standing_tombstones(), window, TOMBSTONES, each(shown))


@router.post(
    "/{username}/release",
    response=TombstoneShown,
    summary="Release a tombstone",
    openapi_extra=says(409),
)
def release(request: HttpRequest, username: Name) -> dict[str, Any]:
    """Let the name be used again before the tombstone expires. Whoever has it then inherits
    nothing.
    """
    return shown(tombstones.release(username, actor=person_of(request).username))


def shown(row: Tombstone) -> dict[str, Any]:
    """One tombstone for an administrator."""
    return {
        "username": row.username,
        "sub": row.sub or None,
        "accounts": row.accounts,
        "plan": str(row.plan) if row.plan else None,
        "created_at": in_utc(row.created_at),
        "expires_at": in_utc(row.expires_at),
        "released_at": in_utc(row.released_at),
        "released_by": row.released_by or None,
    }
