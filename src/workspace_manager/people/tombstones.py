"""Tombstones: names of former members, kept from new holders until they expire or are released."""

from typing import Annotated, Final

from django.db import transaction
from django.utils import timezone

from workspace_manager.access.administrators import refuse_former
from workspace_manager.accounts.views import AccountView
from workspace_manager.audit.note import note
from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.lists import ListSpec, Member
from workspace_manager.core.views import OR_NONE, OptionalText, View
from workspace_manager.people.names_free import standing_tombstones
from workspace_manager.records.models import Tombstone

TOMBSTONES: Final = ListSpec(
    "tombstones_list",
    __file__,
    searched=("username", "sub"),
    order=("-created_at",),
    members=(
        Member("created_at", order="created_at"),
        Member("expires_at", order="expires_at"),
        Member("username", order="username"),
    ),
)


class TombstoneView(View):
    """A kept name, its former accounts, and its removal. `released_at`: since when the name is free
    again.
    """

    username: Annotated[UserName, describe("The reserved name.")]
    sub: Annotated[
        OptionalText, describe("The user id of who left.", "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90")
    ]
    accounts: Annotated[list[AccountView], describe("The accounts that had the name.")]
    plan: Annotated[Uuid | None, describe("The removal that reserved it.")]
    created_at: Annotated[When, describe("Since when it is reserved.")]
    expires_at: Annotated[When, describe("When the reservation expires.")]
    released_at: Annotated[When | None, describe("Since when it is free again.")]
    released_by: Annotated[UserName | None, OR_NONE, describe("Who released it.")]


def release(username: str, *, actor: str) -> Tombstone:
    """Release a name early. A new holder inherits nothing: things of that name are gone, or
    recorded by id.

    Raises Refused for a former administrator, and Tombstone.DoesNotExist if the name has none.
    """
    with transaction.atomic():
        refuse_former(actor)
        standing = standing_tombstones().select_for_update().filter(username=username)
        found = list(standing)
        if not found:
            raise Tombstone.DoesNotExist(f"no tombstone stands for {username}")
        # Written first: the last entry about the former member (audit/erasure.py).
        note("tombstone:released", username, actor=actor)
        for tombstone in found:
            tombstone.released_at, tombstone.released_by = timezone.now(), actor
            tombstone.save(update_fields=["released_at", "released_by"])
    return found[0]
