"""The credentials that the identity provider keeps for the drive: looked at, stored, dropped.

They are cleared only when it is certain that they are of no use: another's login name, or the
drive's own 401. A drive that is down or says "not now" is asked again later, and everything stays.

See docs/explanation/drive-connection.md#stored-credentials.
"""

import contextlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

from django.utils import timezone

from workspace_manager.contract.connector import Connector, Facts
from workspace_manager.contract.errors import Conflict, ConnectorError, Denied, Unavailable
from workspace_manager.contract.secret import Secret, SecretRef
from workspace_manager.core import audit
from workspace_manager.core.account_link import sub_of
from workspace_manager.core.connected_systems import ConnectedSystems, Drive
from workspace_manager.core.locks import lock
from workspace_manager.core.refusal import Refused
from workspace_manager.drive_credentials.messages import message
from workspace_manager.engine import pause as pausing
from workspace_manager.records.models import Account, DriveConnection, Person, VaultEntry
from workspace_manager.systems.drive.settings import Settings

ATTRIBUTES: Final = "identity_provider.attributes"
ACCOUNT: Final = "drive.account"
SET: Final = "set"

LONGEST_STORING = timedelta(hours=1)
"""Far longer than anybody stores one pair: who holds the lock of the account makes no call after a
lease.
"""


class Standing(StrEnum):
    """How the stored credentials stand."""

    ABSENT = "absent"
    READY = "ready"
    STALE = "stale"
    """Of no use for certain: another's login name, half a pair, or refused by the drive itself."""


@dataclass(frozen=True)
class DriveContext:
    """One person, and the two systems that are asked about them."""

    person: Person
    sub: str
    drive: Drive
    attributes: Connector
    systems: ConnectedSystems
    settings: Settings

    @property
    def target(self) -> dict[str, str]:
        return {"sub": self.sub, "username": self.person.username}

    def app_password(self) -> Secret:
        """The stored one. Raises NotFound when there is none."""
        provider = self.systems.identity_provider()
        return provider.read_attribute(self.sub, self.settings.app_password_attribute)


def context_of(person: Person, systems: ConnectedSystems) -> DriveContext:
    """Raises Refused when the drive or the identity provider is not set up or the person has no
    link, Unavailable for a paused one.
    """
    sub = sub_of(person)
    if not sub:
        raise Refused(message("no_link"))
    attributes = systems.connector(ATTRIBUTES)
    drive = systems.drive
    if attributes is None or drive is None:
        raise Refused(message("not_set_up"))
    for kind in (ACCOUNT, ATTRIBUTES):
        pausing.refuse_paused(kind)
    settings = systems.settings_of(Settings)
    return DriveContext(person, sub, drive, attributes, systems, settings)


@contextlib.contextmanager
def exclusive(context: DriveContext) -> Iterator[None]:
    """One writer at a time for one user of the identity provider: the lock that plans take too.
    Raises Unavailable when it is held.
    """
    token = secrets.token_hex(16)
    with lock(f"identity_provider:{context.sub}", token=token) as mine:
        if not mine:
            raise Unavailable(
                message("busy"),
                kind=ATTRIBUTES,
                doing=message("connecting"),
                advice=message("soon"),
                retry_after=2,
            )
        yield


def look(context: DriveContext) -> tuple[Standing, str]:
    """How the stored credentials stand, and the stored login name. Changes nothing; a drive that
    cannot be asked raises.
    """
    ids = context.drive.account_ids(context.sub)
    wish: Facts = {
        context.settings.login_name_attribute: ids[0],
        context.settings.app_password_attribute: SET,
    }
    before = context.attributes.plan(context.target, wish).before
    facts = before if isinstance(before, dict) else {}
    name = str(facts.get(context.settings.login_name_attribute) or "")
    kept = facts.get(context.settings.app_password_attribute)
    if not name and not kept:
        return Standing.ABSENT, ""
    if not kept or name not in ids:
        return Standing.STALE, name
    try:
        works = context.drive.credentials_work(name, context.app_password(), context.sub)
    except Conflict:
        works = False
    if not works:
        _refuse_while_shut(context)
    return (Standing.READY if works else Standing.STALE), name


def _refuse_while_shut(context: DriveContext) -> None:
    """A disabled account is answered like a wrong password: while a suspension's shutting stands,
    or is being undone, that says nothing about the pair. Raises Unavailable.
    """
    accounts = Account.objects.filter(kind=ACCOUNT, person=context.person, locked_by_us=True)
    if accounts.filter(gone_at=None).exists():
        raise Unavailable(
            message("still_shut"),
            kind=ACCOUNT,
            doing=message("connecting"),
            advice=message("still_shut.advice"),
            retry_after=5,
        )


def working_pair(context: DriveContext) -> tuple[str, Secret] | None:
    """The stored pair if it works: overwritten, it would live on and be revoked by nobody."""
    standing, name = look(context)
    return (name, context.app_password()) if standing is Standing.READY else None


def store(context: DriveContext, login_name: str, app_password: Secret, method: str) -> None:
    """Write a pair that was just made. Raises what the identity provider does, or Refused for
    somebody who may not any more.

    What cannot be stored is revoked at once.
    """
    entry = VaultEntry.objects.create(secret=app_password)
    try:
        with revoke_on_failure(context, login_name, app_password):
            _keep(context, login_name, method, entry)
    finally:
        entry.delete()
    _record(context, login_name)
    audit.note(
        "drive:connected", context.person.username, actor=context.person.username, method=method
    )


def forget_lost() -> None:
    """Erase what somebody who was killed while storing a pair left in the vault: no plan carries
    it, and nobody else will.
    """
    VaultEntry.objects.filter(plan=None, created_at__lt=timezone.now() - LONGEST_STORING).delete()


@contextlib.contextmanager
def revoke_on_failure(
    context: DriveContext, login_name: str, app_password: Secret
) -> Iterator[None]:
    """Revoke a pair that was just made when what is done with it fails: nobody would know it, and
    it would open the drive for ever.
    """
    try:
        yield
    except (ConnectorError, Refused):
        with contextlib.suppress(ConnectorError):
            context.drive.revoke_app_password(login_name, app_password)
        raise


def _keep(context: DriveContext, login_name: str, method: str, entry: VaultEntry) -> None:
    DriveConnection.objects.update_or_create(
        person=context.person,
        defaults={"method": method, "bearer_error": None, "flow": None},
    )
    name, kept = context.settings.login_name_attribute, context.settings.app_password_attribute
    _write(context, {name: login_name, kept: SET}, {kept: f"vault/{entry.id}"})


def drop(context: DriveContext, *, actor: str) -> None:
    """Clear both attributes. Raises Refused for somebody who is leaving: the removal revokes what
    is stored before it clears it.
    """
    names = (context.settings.login_name_attribute, context.settings.app_password_attribute)
    _write(context, dict.fromkeys(names), {})
    DriveConnection.objects.filter(person=context.person).update(method="")
    audit.note("drive:credentials_dropped", context.person.username, actor=actor)


def refuse_inactive(context: DriveContext) -> None:
    """Nothing is made for somebody who is leaving or suspended, or who was relinked meanwhile.
    Raises Refused.
    """
    active = Person.objects.filter(id=context.person.id, state=Person.State.ACTIVE, is_active=True)
    if not active.exists() or sub_of(context.person) != context.sub:
        raise Refused(message("not_active"))


def _write(context: DriveContext, after: Facts, references: dict[str, SecretRef]) -> None:
    fresh = context.attributes.plan(context.target, after)
    change = fresh.model_copy(update={"subject": str(context.person.id), "secrets": references})
    refuse_inactive(context)
    try:
        context.attributes.apply(change)
    except Denied as refused:
        pausing.pause("identity_provider", actor=audit.MANAGER, reason=refused.message)
        raise
    if context.attributes.verify(change) is None:
        raise Unavailable(
            message("not_shown_yet"),
            kind=ATTRIBUTES,
            doing=message("connecting"),
            advice=message("soon"),
        )


def _record(context: DriveContext, login_name: str) -> None:
    Account.objects.get_or_create(
        system="drive",
        kind=ACCOUNT,
        name=login_name,
        gone_at=None,
        defaults={"person": context.person, "username": context.person.username},
    )
