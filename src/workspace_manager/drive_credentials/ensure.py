"""The credentials that the identity provider keeps for the drive: looked at, stored, dropped.

They are cleared only when it is certain that they are of no use: another's login name, or the
drive's own 401. A drive that is down or says "not now" is asked again later, and everything stays.

See docs/explanation/drive-connection.md#stored-credentials.
"""

from enum import StrEnum
from typing import Final

from workspace_manager.contract.connector import Facts
from workspace_manager.contract.errors import Conflict, Denied, NotFound, Unavailable
from workspace_manager.contract.secret import Secret, SecretRef
from workspace_manager.core import audit
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


class Standing(StrEnum):
    """How the stored credentials stand."""

    ABSENT = "absent"
    READY = "ready"
    STALE = "stale"
    """Of no use for certain: another's login name, half a pair, or refused by the drive itself."""


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
        app_password = context.app_password()
    except NotFound:
        # Dropped since the look before: by the visit after a sign-in, or by hand.
        return Standing.ABSENT, ""
    try:
        works = context.drive.credentials_work(name, app_password, context.sub)
    except Conflict:
        works = False
    if not works:
        _refuse_while_shut(context)
    return (Standing.READY if works else Standing.STALE), name


def _refuse_while_shut(context: DriveContext) -> None:
    """What a suspension shut, and what is only being opened, refuses whatever is shown to it.
    Raises Unavailable.
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
    return (name, context.app_password()) if standing is Standing.READY else None


def keep(context: DriveContext, login_name: str, entry: VaultEntry, method: str) -> None:
    """Write a pair that was just made. Raises what the identity provider does, or Refused for
    somebody who may not any more. The caller knows of the pair until then (`issued`).
    """
    DriveConnection.objects.update_or_create(
        person=context.person, defaults={"method": method, "bearer_error": None}
    )
    name, kept = context.settings.login_name_attribute, context.settings.app_password_attribute
    _write(context, {name: login_name, kept: SET}, {kept: f"vault/{entry.id}"})
    _record(context, login_name)
    audit.note(
        "drive:connected", context.person.username, actor=context.person.username, method=method
    )


def drop(context: DriveContext, *, actor: str) -> None:
    """Clear both attributes. Raises Refused for somebody who is leaving: the removal revokes what
    is stored before it clears it.
    """
    names = (context.settings.login_name_attribute, context.settings.app_password_attribute)
    _write(context, dict.fromkeys(names), {})
    DriveConnection.objects.filter(person=context.person).update(method="")
    audit.note("drive:credentials_dropped", context.person.username, actor=actor)


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


def _record(context: DriveContext, login_name: str) -> None:
    Account.objects.get_or_create(
        system="drive",
        kind=ACCOUNT,
        name=login_name,
        gone_at=None,
        defaults={"person": context.person, "username": context.person.username},
    )
