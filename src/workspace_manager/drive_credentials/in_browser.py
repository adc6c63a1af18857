"""Connecting in the browser, for a drive that takes no token: a sign-in is begun there, and asked
for until it has granted an app password.

What one grants is given exactly once. So every sign-in that was begun is known here until it has
granted or expired, also one that the person has turned away from: nobody would know what it grants
(docs/explanation/drive-connection.md#in-the-browser).
"""

import contextlib
from datetime import timedelta
from typing import Final

from django.utils import timezone

from workspace_manager.audit.note import note
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid, NotFound
from workspace_manager.core import hold
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused, WrongAccount
from workspace_manager.drive_credentials import first_account
from workspace_manager.drive_credentials.context import (
    DriveContext,
    context_of,
    exclusive,
    refuse_inactive,
)
from workspace_manager.drive_credentials.ensure import (
    DriveCredentialState,
    look,
    note_not_stored,
    store_pair,
    working_pair,
)
from workspace_manager.drive_credentials.issued_passwords import kept_or_revoked, know_of, revoke
from workspace_manager.drive_credentials.messages import message
from workspace_manager.records.models import DriveConnection, DriveFlow, Person, VaultEntry

MOST_OPEN = 10
"""Sign-ins that one person may have open: each is asked for until it ends."""
LONGEST_SIGN_IN = timedelta(minutes=10)
"""Who has not been let on by then was refused there, most likely: the drive tells nobody but the
person's browser.
"""
WITHOUT_TOKENS: Final = {
    "not_in_browser": "not_in_browser_and_no_token",
    "not_granted": "not_granted_and_no_token",
    "nobody": "nobody_and_no_token",
}
"""What is said where tokens are switched off, so that no other way is left."""
UNATTENDED = timedelta(seconds=30)
"""Nobody has asked for so long: the page was closed."""
LONGEST = timedelta(hours=1)
"""Longer than any sign-in at the drive lives."""


def start(person: Person, systems: ConnectedSystems) -> str:
    """Begin a sign-in at the drive in the browser; gives the address to open. The handle stays
    here, encrypted.
    """
    context = context_of(person, systems)
    refuse_inactive(context)
    if DriveFlow.objects.filter(person=person).count() >= MOST_OPEN:
        raise Refused(message("too_many_flows"))
    first_account.wait_for_visit(person, systems)
    try:
        address, handle = context.drive.start_login_flow()
    except Denied as forbidden:
        raise _of_no_use(context, "not_in_browser") from forbidden
    DriveFlow.objects.create(person=person, handle=handle)
    return address


def poll(person: Person, systems: ConnectedSystems) -> bool:
    """Return whether the sign-in in the browser has connected the person by now.

    Raises WrongAccount, with what was granted revoked, for a login name that is not the person's
    (docs/explanation/drive-connection.md#in-the-browser), Refused when no sign-in is under way or
    it has expired.
    """
    context = context_of(person, systems)
    with exclusive(context):
        under_way = list(DriveFlow.objects.filter(person=person, wanted=True))
        if not under_way:
            # It may have been taken for them meanwhile: nobody asked for a while.
            if look(context)[0] is DriveCredentialState.READY:
                return True
            raise Refused(message("no_flow"))
        DriveFlow.objects.filter(id__in=[flow.id for flow in under_way]).update(
            asked_at=timezone.now()
        )
        if any(_taken(context, flow) for flow in under_way):
            return True
        left = DriveFlow.objects.filter(person=person, wanted=True)
        if not left.exists():
            raise Refused(message("expired"))
        if not left.filter(created_at__gt=database_now() - LONGEST_SIGN_IN).exists():
            raise _of_no_use(context, "not_granted")
    return False


def settle(systems: ConnectedSystems) -> None:
    """Take what sign-ins grant that nobody asks for any more; what is not wanted is revoked."""
    now = database_now()
    if hold.current_hold() is None:
        DriveFlow.objects.filter(created_at__lt=now - LONGEST).delete()
    for flow in DriveFlow.objects.filter(asked_at__lt=now - UNATTENDED).select_related("person"):
        with contextlib.suppress(ConnectorError, Refused, WrongAccount):
            context = context_of(flow.person, systems)
            with exclusive(context):
                if DriveFlow.objects.filter(id=flow.id).exists():
                    _taken(context, flow)


def _taken(context: DriveContext, flow: DriveFlow) -> bool:
    """Ask one sign-in for what it granted: whether it connected the person."""
    try:
        granted = context.drive.poll_login_flow(flow.handle)
    except NotFound:
        flow.delete()
        return False
    except Denied as forbidden:
        flow.delete()
        raise _of_no_use(context, "not_in_browser") from forbidden
    if granted is None:
        return False
    login_name, app_password = granted
    entry = know_of(context, app_password)
    flow.delete()
    if not flow.wanted:
        revoke(context, entry)
        return False
    _refuse_anothers(context, login_name, entry)
    try:
        with kept_or_revoked(context, entry):
            former = working_pair(context)
            replaced = know_of(context, former[1]) if former else None
            store_pair(context, login_name, entry, DriveConnection.Method.IN_BROWSER)
    except Invalid as no:
        note_not_stored(context, no)
        raise Refused(message("not_stored")) from no
    if replaced:
        revoke(context, replaced)
    return True


def _refuse_anothers(context: DriveContext, login_name: str, entry: VaultEntry) -> None:
    """Raises WrongAccount, with what was granted revoked."""
    ids = context.drive.account_ids(context.sub)
    if login_name in ids:
        return
    revoke(context, entry)
    note("drive:wrong_account", context.person.username, actor=context.person.username)
    if not login_name:
        raise WrongAccount(_of_no_use(context, "nobody").message)
    if login_name.casefold() in {one.casefold() for one in ids}:
        # The app password would work under the name as it was typed alone, which is nobody's id.
        raise WrongAccount(message("other_case", account=ids[0]))
    raise WrongAccount(message("wrong_account"))


def _of_no_use(context: DriveContext, code: str) -> Refused:
    """Remember that this way leads nowhere, until another sign-in or a connection; says what is
    left.
    """
    why = message(code if context.settings.use_bearer_token else WITHOUT_TOKENS[code])
    DriveConnection.objects.update_or_create(person=context.person, defaults={"browser_error": why})
    return Refused(why)
