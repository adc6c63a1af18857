"""A person's connection to the drive: with the token of the sign-in, or in the browser where the drive takes no token.

Specification, sections 3.3, 3.4, 4.1 and 7. What makes something (an app password lives until it is revoked) is asked for by the person,
or follows a sign-in; looking makes nothing.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.utils import timezone

from workspace_manager.contract.errors import Conflict, ConnectorError, Denied, Invalid, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.core import audit
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.refusal import Refused, WrongAccount
from workspace_manager.core.wake import wake_drive_syncs
from workspace_manager.drive_credentials.ensure import (
    DriveContext,
    Standing,
    context_of,
    drop,
    exclusive,
    look,
    refuse_inactive,
    revoke_on_failure,
    store,
    working_pair,
)
from workspace_manager.drive_credentials.messages import message
from workspace_manager.records.models import DriveConnection, Person


@dataclass(frozen=True)
class Connection:
    """How a person stands with the drive. `connected`: the stored credentials were tried just now and work."""

    connected: bool
    method: str | None = None
    login_name: str | None = None
    bearer_error: Message | None = None


def status(person: Person, systems: ConnectedSystems) -> Connection:
    """Look, and change nothing. Raises Unavailable when one of the two systems cannot be asked."""
    try:
        context = context_of(person, systems)
    except Refused:
        return Connection(connected=False)
    standing, login_name = look(context)
    if standing is Standing.READY:
        return _ready(person, login_name)
    row = DriveConnection.objects.filter(person=person).first()
    return Connection(connected=False, bearer_error=row.bearer_error if row else None)


def by_token(person: Person, systems: ConnectedSystems, token: Secret | None) -> Connection:
    """Have working credentials stored: those that are, or new ones made with the person's token (specification, 4.1: ensure-credentials).

    A token the drive does not take is no error of ours: the answer says why, and connecting in the browser is left. Raises Refused when
    there is nothing to connect, Unavailable when a system cannot be asked.
    """
    context = context_of(person, systems)
    with exclusive(context):
        standing, login_name = _cleaned(context, actor=person.username)
        if standing is Standing.READY:
            return _ready(person, login_name)
        refuse_inactive(context)
        if token is None:
            return _not_taken(person, message("no_token"))
        try:
            login_name, app_password = context.drive.ensure_app_password(token, context.sub)
        except (Denied, Conflict, Invalid) as no:
            why = of_core("with_advice", why=no.message, advice=no.advice_message)
            return _not_taken(person, why)
        store(context, login_name, app_password, DriveConnection.Method.BEARER)
        return _ready(person, login_name)


def start(person: Person, systems: ConnectedSystems) -> str:
    """Begin a sign-in at the drive in the browser; gives the address to open. The handle stays here, encrypted."""
    context = context_of(person, systems)
    refuse_inactive(context)
    address, handle = context.drive.start_login_flow()
    DriveConnection.objects.update_or_create(person=person, defaults={"flow": handle})
    return address


def poll(person: Person, systems: ConnectedSystems) -> bool:
    """Whether the sign-in in the browser has connected the person by now.

    Raises WrongAccount, with what was granted revoked, for a login name that is not the person's (specification, section 7), Refused when
    no sign-in is under way or it has expired.
    """
    context = context_of(person, systems)
    with exclusive(context):
        row = DriveConnection.objects.filter(person=person).first()
        if row is None or row.flow is None:
            raise Refused(message("no_flow"))
        try:
            granted = context.drive.poll_login_flow(row.flow)
        except NotFound as gone:
            _end_flow(person)
            raise Refused(message("expired")) from gone
        if granted is None:
            return False
        _end_flow(person)
        login_name, app_password = granted
        if login_name not in context.drive.account_ids(context.sub):
            context.drive.revoke_app_password(login_name, app_password)
            audit.note("drive:wrong_account", person.username, actor=person.username)
            raise WrongAccount(message("wrong_account"))
        with revoke_on_failure(context, login_name, app_password):
            former = working_pair(context)
        store(context, login_name, app_password, DriveConnection.Method.IN_BROWSER)
        if former:
            context.drive.revoke_app_password(*former)
    return True


def end(person: Person, systems: ConnectedSystems) -> None:
    """Disconnect: revoke the app password and clear what is stored. The drive account and its files stay."""
    context = context_of(person, systems)
    with exclusive(context):
        standing, login_name = look(context)
        if standing is Standing.READY:
            context.drive.revoke_app_password(login_name, context.app_password())
        if standing is not Standing.ABSENT:
            drop(context, actor=person.username)
        DriveConnection.objects.filter(person=person).delete()


# --- What follows a sign-in (specification, section 6: user login) --------------------------------------------------------


def request_sync(person: Person, token: Secret, until: datetime) -> None:
    """Leave a visit to the drive for the worker: stale credentials are dropped, and new ones made while the token is good."""
    DriveConnection.objects.update_or_create(
        person=person, defaults={"token": token, "sync_until": until}
    )
    wake_drive_syncs()


def run_pending_syncs(systems: ConnectedSystems) -> int:
    """Make the visits that wait; gives how many were made. What cannot be asked is tried again until the token has ended."""
    now, made = timezone.now(), 0
    DriveConnection.objects.filter(sync_until__lte=now).update(token=None, sync_until=None)
    for row in DriveConnection.objects.filter(~Q(sync_until=None)).select_related("person"):
        try:
            _sync(row.person, systems, row.token)
        except ConnectorError:
            continue
        except Refused:
            """Nothing to connect, or for nobody who may: the visit is over."""
        DriveConnection.objects.filter(person=row.person, sync_until=row.sync_until).update(
            token=None, sync_until=None
        )
        made += 1
    return made


def _sync(person: Person, systems: ConnectedSystems, token: Secret | None) -> None:
    context = context_of(person, systems)
    if context.settings.use_bearer_token:
        by_token(person, systems, token)
        return
    with exclusive(context):
        _cleaned(context, actor=audit.MANAGER)


def _cleaned(context: DriveContext, *, actor: str) -> tuple[Standing, str]:
    standing, login_name = look(context)
    if standing is Standing.STALE:
        drop(context, actor=actor)
        return Standing.ABSENT, ""
    return standing, login_name


def _ready(person: Person, login_name: str) -> Connection:
    row = DriveConnection.objects.filter(person=person).first()
    method = (row and row.method) or DriveConnection.Method.IN_BROWSER
    return Connection(connected=True, method=str(method), login_name=login_name)


def _not_taken(person: Person, why: Message) -> Connection:
    DriveConnection.objects.update_or_create(person=person, defaults={"bearer_error": why})
    return Connection(connected=False, bearer_error=why)


def _end_flow(person: Person) -> None:
    DriveConnection.objects.filter(person=person).update(flow=None)
