"""App passwords that the drive has issued and that are not kept yet: known to nobody, one would
open the drive for ever.

Each is written down, encrypted, before anything else is done with it. It is forgotten once it is
stored at the identity provider, or revoked; what a kill or a silent drive leaves here is settled
later.

See docs/explanation/drive-connection.md#whatever-was-issued.
"""

import contextlib
from collections.abc import Iterator
from datetime import timedelta

from workspace_manager.audit.note import MANAGER, note
from workspace_manager.contract.errors import ConnectorError, NotFound
from workspace_manager.contract.secret import Secret
from workspace_manager.core import hold
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.drive_credentials.context import (
    DriveContext,
    context_of,
    exclusive,
    is_shut,
)
from workspace_manager.records.models import VaultEntry

LONGEST_STORING = timedelta(minutes=5)
"""Longer than anybody works on one pair: who holds the lock of the account makes no call after a
lease.
"""
LONGEST_KEPT = timedelta(days=30)


def know_of(context: DriveContext, app_password: Secret) -> VaultEntry:
    """Write down that the drive issued it."""
    return VaultEntry.objects.create(secret=app_password, issued_for=context.person)


@contextlib.contextmanager
def kept_or_revoked(context: DriveContext, entry: VaultEntry) -> Iterator[None]:
    """Forget it once it is kept; revoke it when that fails."""
    try:
        yield
    except (ConnectorError, Refused):
        revoke(context, entry)
        raise
    entry.delete()


def revoke(context: DriveContext, entry: VaultEntry) -> bool:
    """Revoke what nobody wants, and forget it; False: the drive cannot be asked now, and is asked
    again later.
    """
    if is_shut(context.person):
        # Refused now, it would open the drive again after the suspension.
        return False
    try:
        if entry.secret is not None:
            context.drive.revoke_app_password(entry.secret)
    except ConnectorError:
        return False
    entry.delete()
    return True


def settle(systems: ConnectedSystems) -> None:
    """Revoke what was issued and is not kept; forget what is stored, what nobody can be asked
    about any more, and what a lost plan left.
    """
    now, is_held = database_now(), hold.current_hold() is not None
    left = VaultEntry.objects.filter(plan=None, created_at__lt=now - LONGEST_STORING)
    if not is_held:
        left.filter(issued_for=None).delete()
    for entry in left.select_related("issued_for"):
        person = entry.issued_for
        if person is None or is_shut(person):
            continue
        if entry.created_at < now - LONGEST_KEPT and not is_held:
            entry.delete()
            continue
        with contextlib.suppress(ConnectorError, Refused):
            context = context_of(person, systems)
            with exclusive(context):
                _settle(context, entry)


def _settle(context: DriveContext, entry: VaultEntry) -> None:
    if not VaultEntry.objects.filter(id=entry.id).exists():
        return
    with contextlib.suppress(NotFound):
        if context.app_password() == entry.secret:
            entry.delete()
            return
    if revoke(context, entry):
        note("drive:unkept_revoked", context.person.username, actor=MANAGER)
