"""Disclosure of a snapshot, noted in the audit log: its content, and for an operator its key."""

from dataclasses import dataclass

from django.conf import settings

from workspace_manager.audit.note import note
from workspace_manager.contract.secret import Secret
from workspace_manager.records.models import Snapshot
from workspace_manager.snapshots.store_access import key_of


@dataclass(frozen=True)
class ShownKey:
    """The age identity that opens the objects of a snapshot, and where they lie: their names tell
    nothing.
    """

    identity: Secret
    place: str


def note_download(snapshot: Snapshot, *, actor: str) -> None:
    """Somebody is given the content."""
    note("snapshot:downloaded", snapshot.owner.username, actor=actor, id=str(snapshot.id))


def show_key(snapshot: Snapshot, *, actor: str) -> ShownKey:
    """Give what opens a snapshot to whoever has nothing but the store and the database. Raises
    Damaged for a snapshot without a key.
    """
    identity = key_of(snapshot).identity
    note("snapshot:key_shown", snapshot.owner.username, actor=actor, id=str(snapshot.id))
    return ShownKey(identity, settings.SNAPSHOTS.address_of(snapshot.place))
