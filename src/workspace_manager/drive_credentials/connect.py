"""A person's connection to the drive with the token of their sign-in, and its end.

See docs/explanation/drive-connection.md. What makes something (an app password lives until it is
revoked) is asked for by the person, or follows a sign-in; looking makes nothing.
"""

import contextlib
import logging
from dataclasses import dataclass
from typing import Final

from workspace_manager.audit.note import MANAGER, note
from workspace_manager.contract.errors import Conflict, ConnectorError, Denied, Invalid, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.core.wake import REFUSED, wake_look
from workspace_manager.drive_credentials.context import (
    DriveContext,
    context_of,
    exclusive,
    refuse_inactive,
)
from workspace_manager.drive_credentials.ensure import (
    ERRORS,
    DriveCredentialState,
    drop,
    look,
    note_not_stored,
    reason_of,
    record_account,
    store_pair,
)
from workspace_manager.drive_credentials.issued_passwords import kept_or_revoked, know_of
from workspace_manager.drive_credentials.messages import message
from workspace_manager.records.models import DriveConnection, DriveFlow, Person
from workspace_manager.systems.drive.connector.credentials import NotMade

log = logging.getLogger(__name__)

NOT_MADE: Final = message("app_password_not_made").code


@dataclass(frozen=True)
class Connection:
    """The connection of a person to the drive. `connected`: the stored credentials were tried just
    now and work. The errors: why each way made none, and why what is or was stored is of no use.
    `by_hand`: what was left at the drive that nobody but its administrator can end.
    """

    connected: bool
    method: str | None = None
    login_name: str | None = None
    bearer_error: Message | None = None
    browser_error: Message | None = None
    stored_error: Message | None = None
    by_hand: Message | None = None


def status(person: Person, systems: ConnectedSystems) -> Connection:
    """Look, and change nothing. Raises Unavailable when one of the two systems cannot be asked."""
    try:
        context = context_of(person, systems)
    except Refused:
        return Connection(connected=False)
    standing, login_name = look(context)
    if standing is DriveCredentialState.READY:
        return _ready(person, login_name)
    row = DriveConnection.objects.filter(person=person).first() or DriveConnection()
    return Connection(
        connected=False,
        bearer_error=row.bearer_error,
        browser_error=row.browser_error,
        stored_error=standing.why or row.stored_error,
    )


def by_token(person: Person, systems: ConnectedSystems, token: Secret | None) -> Connection:
    """Have working credentials stored: those that are, or new ones made with the person's token.

    A token the drive does not take is no error of ours: the answer says why, and connecting in the
    browser is left. Without a token only this answer says so: nothing is wrong with the drive.
    Raises Refused when there is nothing to connect, Unavailable when a system cannot be asked.

    See docs/explanation/drive-connection.md#by-the-persons-token.
    """
    context = context_of(person, systems)
    with exclusive(context):
        standing, login_name = drop_stale(context, actor=person.username)
        refuse_inactive(context)
        if standing is DriveCredentialState.READY:
            record_account(context, login_name)
            DriveConnection.objects.filter(person=person).update(**dict.fromkeys(ERRORS))
            return _ready(person, login_name)
        if token is None:
            return Connection(connected=False, bearer_error=message("no_token"))
        try:
            made = context.drive.ensure_app_password(token, context.sub)
        except (Denied, Conflict, Invalid) as no:
            return _not_taken(context, no)
        entry = know_of(context, made.app_password)
        try:
            with kept_or_revoked(context, entry):
                store_pair(context, made.login_name, entry, DriveConnection.Method.BEARER)
        except Invalid as no:
            return _not_stored(context, no)
        if made.session_left:
            DriveConnection.objects.filter(person=person).update(session_left=True)
            note("drive:session_left", person.username, actor=MANAGER)
        return _ready(person, made.login_name)


def end(person: Person, systems: ConnectedSystems) -> Connection:
    """Disconnect: revoke the app password, end what our calls left at the drive, and clear what is
    stored. The drive account and its files stay.

    A sign-in in the browser that is still open is not wanted any more: what it grants is revoked.
    """
    context = context_of(person, systems)
    with exclusive(context):
        DriveFlow.objects.filter(person=person).update(wanted=False)
        standing, login_name = look(context)
        _revoke_own(context, login_name)
        if standing is not DriveCredentialState.ABSENT:
            drop(context, actor=person.username)
        swept = context.drive.end_sessions(context.sub)
        known = DriveConnection.objects.filter(person=person, session_left=True).exists()
        DriveConnection.objects.filter(person=person).delete()
    left = None if swept or not known else message("session_left", account=context.sub)
    return Connection(connected=False, by_hand=left)


def drop_stale(context: DriveContext, *, actor: str) -> tuple[DriveCredentialState, str]:
    """Drop stored credentials that are stale, and return how those that are stored stand then."""
    standing, login_name = look(context)
    if standing.why:
        _revoke_own(context, login_name)
        drop(context, actor=actor, why=standing.why)
        return DriveCredentialState.ABSENT, ""
    return standing, login_name


def _revoke_own(context: DriveContext, login_name: str) -> None:
    """Revoke what is stored under the person's own name, if it lives: a refusal that is remembered
    may be older than the pair's coming back. Another's is not ours to revoke on an attribute's
    word.
    """
    if login_name not in context.drive.account_ids(context.sub):
        return
    with contextlib.suppress(NotFound):
        context.drive.revoke_app_password(context.app_password())


def _ready(person: Person, login_name: str) -> Connection:
    row = DriveConnection.objects.filter(person=person).first()
    method = (row and row.method) or DriveConnection.Method.IN_BROWSER
    return Connection(connected=True, method=str(method), login_name=login_name)


def _not_taken(context: DriveContext, no: ConnectorError) -> Connection:
    """The complaint for a person who can do something about it. The cause for an administrator
    stands in the audit trail and the log; where the tool fails, the check that is asked for says it
    too.
    """
    said = {
        Denied: "token_not_taken",
        Conflict: "token_of_another",
        NotMade: "app_password_not_made",
    }
    why, name = message(said.get(type(no), "token_makes_nothing")), context.person.username
    if _is_new(context, why, no):
        if isinstance(no, NotMade):
            note("drive:app_password_not_made", name, actor=MANAGER, **reason_of(no))
            wake_look("drive", why=REFUSED)
        else:
            note("drive:token_not_taken", name, actor=MANAGER, **reason_of(no))
    return Connection(connected=False, bearer_error=why)


def _not_stored(context: DriveContext, no: ConnectorError) -> Connection:
    """The pair is revoked by now."""
    why = message("not_stored")
    if _is_new(context, why, no):
        note_not_stored(context, no)
    return Connection(connected=False, bearer_error=why)


def _is_new(context: DriveContext, why: Message, no: ConnectorError) -> bool:
    """Remember why there is no connection; whether that is another reason than before."""
    row, _ = DriveConnection.objects.get_or_create(person=context.person)
    if row.bearer_error == why:
        return False
    log.warning("the drive was not connected: %s %s", no, no.advice)
    DriveConnection.objects.filter(person=context.person).update(bearer_error=why)
    return True
