"""The visit to the drive that the worker makes after a sign-in
(docs/explanation/drive-connection.md#after-a-sign-in), and the rest that connecting left unsettled.
"""

from datetime import datetime

from django.db.models import Q

from workspace_manager.audit.note import MANAGER
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.secret import Secret
from workspace_manager.core import hold
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.core.wake import wake_drive_syncs
from workspace_manager.drive_credentials import in_browser, issued_passwords
from workspace_manager.drive_credentials.connect import NOT_MADE, by_token, drop_stale
from workspace_manager.drive_credentials.context import context_of, exclusive
from workspace_manager.records.models import DriveConnection, Person


def request_sync(person: Person, token: Secret, until: datetime) -> None:
    """Leave a visit to the drive for the worker: stale credentials are dropped, and new ones made
    while the token is good. What an earlier token was refused for says nothing of this one.
    """
    DriveConnection.objects.update_or_create(
        person=person,
        defaults={
            "token": token,
            "sync_until": until,
            "bearer_error": None,
            "browser_error": None,
        },
    )
    wake_drive_syncs()


def run_pending_syncs(systems: ConnectedSystems) -> int:
    """Make the visits that wait; gives how many were made. What cannot be asked is tried again
    until the token has ended.
    """
    made = 0
    over = DriveConnection.objects.filter(sync_until__lte=hold.ends_by())
    over.update(token=None, sync_until=None)
    for row in DriveConnection.objects.filter(~Q(sync_until=None)).select_related("person"):
        try:
            is_over = _sync(row.person, systems, row.token)
        except ConnectorError:
            continue
        except Refused:
            is_over = True  # nothing to connect, or for nobody who may
        if not is_over:
            continue
        DriveConnection.objects.filter(person=row.person, sync_until=row.sync_until).update(
            token=None, sync_until=None
        )
        made += 1
    return made


def settle(systems: ConnectedSystems) -> None:
    """Take what sign-ins in the browser grant that nobody asks for any more, and revoke what was
    issued and is not kept.
    """
    in_browser.settle(systems)
    issued_passwords.settle(systems)


def _sync(person: Person, systems: ConnectedSystems, token: Secret | None) -> bool:
    """Return whether the visit is over: a tool that fails may be mended while the token is good."""
    context = context_of(person, systems)
    if context.settings.use_bearer_token:
        why = by_token(person, systems, token).bearer_error
        return why is None or why.code != NOT_MADE
    with exclusive(context):
        drop_stale(context, actor=MANAGER)
    return True
