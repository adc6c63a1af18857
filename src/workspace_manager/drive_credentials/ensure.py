"""The credentials that the identity provider keeps for the drive: looked at, stored, dropped.

They are cleared only when it is certain that they are of no use: another's login name, or the
drive's own 401. A drive that is down or says "not now" is asked again later, and everything stays.

See docs/explanation/drive-connection.md#stored-credentials.
"""

from enum import StrEnum
from typing import Final

from pydantic import JsonValue

from workspace_manager.audit.note import MANAGER, note
from workspace_manager.contract.connector import Facts
from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret, SecretRef
from workspace_manager.drive_credentials.context import (
    ACCOUNT,
    ATTRIBUTES,
    DriveContext,
    is_shut,
    refuse_inactive,
)
from workspace_manager.drive_credentials.messages import message
from workspace_manager.engine import pause as pausing
from workspace_manager.records.models import Account, DriveConnection, VaultEntry

SET: Final = "set"
ERRORS: Final = ("bearer_error", "browser_error", "stored_error")
"""What is said of tries that failed, and over with one that did not."""


class DriveCredentialState(StrEnum):
    """The state of the stored credentials."""

    ABSENT = "absent"
    READY = "ready"
    HALF = "half"
    """Of no use for certain, as the next two: a name or an app password is missing."""
    ANOTHERS = "anothers"
    """The name is not this person's, or the app password opens somebody else's account."""
    REFUSED = "refused"
    """By the drive itself."""

    @property
    def why(self) -> Message | None:
        """Return why what is stored is of no use; None where nothing is, or it works."""
        known = {
            DriveCredentialState.HALF,
            DriveCredentialState.ANOTHERS,
            DriveCredentialState.REFUSED,
        }
        return message(f"stored_{self}") if self in known else None


def look(context: DriveContext) -> tuple[DriveCredentialState, str]:
    """Return how the stored credentials stand, and the stored login name. Changes nothing; a drive
    that cannot be asked raises.
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
        return DriveCredentialState.ABSENT, ""
    if not kept or not name:
        return DriveCredentialState.HALF, name
    if name not in ids:
        return DriveCredentialState.ANOTHERS, name
    try:
        app_password = context.app_password()
    except NotFound:
        # Dropped since the look before: by the visit after a sign-in, or by hand.
        return DriveCredentialState.ABSENT, ""
    try:
        works = context.drive.credentials_work(name, app_password, context.sub)
        found = DriveCredentialState.READY if works else DriveCredentialState.REFUSED
    except Conflict:
        found = DriveCredentialState.ANOTHERS
    if found is not DriveCredentialState.READY:
        _refuse_while_shut(context)
    return found, name


def _refuse_while_shut(context: DriveContext) -> None:
    """Refuse while a suspension keeps the account shut, or while it is only being opened. Raises
    Unavailable.
    """
    if is_shut(context.person):
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
    return (name, context.app_password()) if standing is DriveCredentialState.READY else None


def store_pair(context: DriveContext, login_name: str, entry: VaultEntry, method: str) -> None:
    """Write a pair that was just made. Raises what the identity provider does, or Refused for
    somebody who may not any more. The caller knows of the pair until then (`issued`).

    The account is recorded first: it is there, whatever becomes of the pair.
    """
    refuse_inactive(context)
    record_account(context, login_name)
    DriveConnection.objects.update_or_create(person=context.person, defaults={"method": method})
    name, kept = context.settings.login_name_attribute, context.settings.app_password_attribute
    _write(context, {name: login_name, kept: SET}, {kept: f"vault/{entry.id}"})
    DriveConnection.objects.filter(person=context.person).update(**dict.fromkeys(ERRORS))
    note("drive:connected", context.person.username, actor=context.person.username, method=method)


def record_account(context: DriveContext, login_name: str) -> None:
    """Record the drive account that a pair opens."""
    Account.objects.get_or_create(
        system="drive",
        kind=ACCOUNT,
        name=login_name,
        gone_at=None,
        defaults={"person": context.person, "username": context.person.username},
    )


def drop(context: DriveContext, *, actor: str, why: Message | None = None) -> None:
    """Clear both attributes. `why`: they are of no use. Raises Refused for somebody who is leaving:
    the removal revokes what is stored before it clears it.
    """
    names = (context.settings.login_name_attribute, context.settings.app_password_attribute)
    _write(context, dict.fromkeys(names), {})
    DriveConnection.objects.update_or_create(
        person=context.person, defaults={"method": "", "stored_error": why}
    )
    note("drive:credentials_dropped", context.person.username, actor=actor)


def note_not_stored(context: DriveContext, no: ConnectorError) -> None:
    """Write down, with what mends it, that the identity provider keeps nothing of a person."""
    name, why = context.person.username, reason_of(no)
    note("drive:not_stored", name, actor=MANAGER, **why)


def reason_of(no: ConnectorError) -> dict[str, JsonValue]:
    """The reason for an administrator, for the audit trail."""
    return {"why": no.message.english, "advice": no.advice}


def _write(context: DriveContext, after: Facts, references: dict[str, SecretRef]) -> None:
    fresh = context.attributes.plan(context.target, after)
    change = fresh.model_copy(update={"subject": str(context.person.id), "secrets": references})
    refuse_inactive(context)
    try:
        context.attributes.apply(change)
    except Denied as refused:
        provider = context.systems.identity_provider()
        pausing.pause_if_refused(provider, refused, context.systems.settings.get(provider.name))
        raise
    if context.attributes.verify(change) is None:
        raise Unavailable(
            message("not_shown_yet"),
            kind=ATTRIBUTES,
            doing=message("connecting"),
            advice=message("soon"),
        )
