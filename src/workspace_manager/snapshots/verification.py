"""All of a snapshot is read, and its keys are wrapped anew."""

from django.utils import timezone

from workspace_manager.contract.messages import join_messages
from workspace_manager.records.models import Snapshot
from workspace_manager.snapshots.store.manifest import wrap_key_again
from workspace_manager.snapshots.store.snapshot_reader import Verdict, verify_place
from workspace_manager.snapshots.store_access import key_of, open_snapshots


def verify(snapshot: Snapshot) -> Verdict:
    """Read a snapshot, write down the verdict, and return whether it is still what was written.
    Raises the five errors where the store cannot be read.
    """
    verdict = verify_place(open_snapshots(), snapshot.place, key_of(snapshot))
    snapshot.read_at = timezone.now()
    snapshot.damage = join_messages(verdict.damage, by="; ") if verdict.damage else None
    if verdict.ok:
        snapshot.verified_at = snapshot.read_at
    snapshot.save(update_fields=["verified_at", "read_at", "damage"])
    return verdict


def wrap_keys_again() -> int:
    """Wrap every key that lies in the store by the first key of `WORKSPACE_SECRET_KEYS`; gives how
    many there are. Raises the five errors; called again it goes on.
    """
    store = open_snapshots()
    places = Snapshot.objects.exclude(place="").values_list("place", flat=True)
    return sum(wrap_key_again(store, place) for place in places)
