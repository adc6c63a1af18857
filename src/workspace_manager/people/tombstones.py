"""Tombstones: the names of people who left, kept from coming back in another's hands, until they
expire or somebody releases one.
"""

from django.db import transaction
from django.utils import timezone

from workspace_manager.access.administrators import refuse_former
from workspace_manager.audit.note import note
from workspace_manager.people.names_free import standing_tombstones
from workspace_manager.records.models import Tombstone


def release(username: str, *, actor: str) -> Tombstone:
    """Let a name be used again before its time. Whoever has it then inherits nothing: what bore it
    is gone or was recorded by id.

    Raises Refused for somebody who is no administrator any more, and Tombstone.DoesNotExist when
    none stands for the name.
    """
    with transaction.atomic():
        refuse_former(actor)
        standing = standing_tombstones().select_for_update().filter(username=username)
        found = list(standing)
        if not found:
            raise Tombstone.DoesNotExist(f"no tombstone stands for {username}")
        # First: the last entry that is about whoever left (audit/erasure.py).
        note("tombstone:released", username, actor=actor)
        for tombstone in found:
            tombstone.released_at, tombstone.released_by = timezone.now(), actor
            tombstone.save(update_fields=["released_at", "released_by"])
    return found[0]
