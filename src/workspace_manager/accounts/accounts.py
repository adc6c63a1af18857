"""A person's accounts in the systems that components live in: reserved before they are made, and
the one secret that opens each.

A name is written down before the first call, so that two people never map to one account, and what
a killed creation may have left is found again. Until a plan of ours made it, nothing of that name
is taken for ours.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from django.conf import settings
from django.db import IntegrityError, transaction

from workspace_manager.accounts.labels import LONGEST_LABEL
from workspace_manager.accounts.messages import message
from workspace_manager.contract.connector import Change
from workspace_manager.contract.message import in_words
from workspace_manager.contract.names import NameImpossible
from workspace_manager.contract.passwords import new_password
from workspace_manager.contract.secret import Secret, SecretRef
from workspace_manager.core.account_link import made_by_us
from workspace_manager.core.connected_systems import ConnectedSystems, is_own, label_of
from workspace_manager.core.plan_names import declare_step
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.rows import Vault
from workspace_manager.letters.letter import in_language
from workspace_manager.records.models import (
    Account,
    Person,
    Plan,
    PlanChange,
    ServiceKey,
    VaultEntry,
)

DELETE_RECORD: Final = declare_step("delete_record", message)
PASSWORD, IF_MADE_ANEW = "password", "new_password"
"""Secrets of an account: its password; and one that is used only if the account has to be made anew
to take rights from it.
"""

Secrets: TypeAlias = Mapping[str, SecretRef]
"""Where each secret of an account is kept, by its name; an account whose password was revealed has
none to send.
"""


def name_for(
    owner: Person, kind: str, derive: Callable[[str], str], systems: ConnectedSystems
) -> str:
    """The account a person has or would get. Raises Refused when the person's name cannot be an
    account there, or is that of an account the system or the manager uses.
    """
    standing = personal(owner, kind)
    if standing:
        return standing.name
    system = kind.partition(".")[0]
    try:
        derived = derive(owner.username)
        if is_own(kind, derived, systems):
            raise Refused(message("account_own", name=derived, system=label_of(system)))
        return derived
    except NameImpossible as cannot:
        label, why, advice = label_of(system), cannot.message, cannot.advice_message
        name = owner.username
        if advice:
            said = message("no_account_advice", name=name, system=label, why=why, advice=advice)
        else:
            said = message("no_account", name=name, system=label, why=why)
        raise Refused(said) from cannot


def personal(owner: Person, kind: str) -> Account | None:
    """The person's own account of a kind, as it is written down; not one of a machine key."""
    rows = Account.objects.filter(kind=kind, person=owner, machine=False, gone_at=None)
    return rows.first()


def personal_key(owner: Person, system: str) -> ServiceKey | None:
    """The key of that account: one per person and system."""
    return ServiceKey.objects.filter(owner=owner, system=system, component=None).first()


def reserve(owner: Person, kind: str, name: str) -> bool:
    """Write an account down as this person's; says whether it is still to be made. Raises Refused
    when it is somebody else's there.
    """
    if not Account.objects.filter(kind=kind, person=owner, name=name, gone_at=None).exists():
        system = kind.partition(".")[0]
        try:
            with transaction.atomic():
                Account.objects.create(
                    system=system, kind=kind, name=name, username=owner.username, person=owner
                )
        except IntegrityError as taken:
            raise Refused(message("account_taken", name=name, system=label_of(system))) from taken
    if _going(owner, kind, name):
        raise Refused(message("account_going", system=label_of(kind.partition(".")[0])))
    return not made_by_us(owner, kind, name)


def _going(owner: Person, kind: str, name: str) -> bool:
    """Return whether a plan has begun to remove it and has not written down yet that it is gone."""
    # Under way is a state of the plan: the row of the account stands until the end.
    rows = PlanChange.objects.filter(
        kind=kind, name=name, step__plan__subject=str(owner.id), step__plan__state__in=Plan.OPEN
    ).exclude(state=PlanChange.State.PENDING)
    return any(Change.model_validate(row.change).after is None for row in rows)


def forget(owner: Person, kind: str, name: str) -> None:
    """The account is gone there: its name is free, and its key opens nothing."""
    system = kind.partition(".")[0]
    Account.objects.filter(kind=kind, name=name, person=owner, gone_at=None).delete()
    ServiceKey.objects.filter(owner=owner, system=system, account=name).delete()


def kept_secrets(vault: Vault, owner: Person, kind: str, account: str, *, fresh: bool) -> Secrets:
    """Put the account's secret, and one for an account that may have to be made anew, where the
    plan's changes find them.

    A secret that was not revealed yet is sent again: an earlier creation may not have come that
    far. A revealed one is not known here any more, and the account stands with it. While a renewal
    runs the account stands too, and whoever makes it anew makes it with what it is to have.
    """
    system = kind.partition(".")[0]
    key = personal_key(owner, system)
    if key and key.next_secret is not None:
        return {IF_MADE_ANEW: vault.keep(key.next_secret)}
    if key is None or (fresh and key.secret is None):
        key, _ = ServiceKey.objects.update_or_create(
            owner=owner,
            system=system,
            component=None,
            defaults={
                "account": account,
                "label": _key_label(system, owner),
                "secret": new_secret(system),
                "revealed_at": None,
            },
        )
    spare = vault.keep(key.secret or new_secret(system))
    if key.secret is None:
        return {IF_MADE_ANEW: spare}
    return {PASSWORD: vault.keep(key.secret), IF_MADE_ANEW: spare}


def new_secret(system: str) -> Secret:
    """One that password policies take and that no file or shell has to quote."""
    return new_password(settings.PASSWORD_LENGTH, name=f"{system} password")


def renew_key(plan: Plan, owner: Person, kind: str, account: str) -> None:
    """The account was made anew with the spare secret: its key holds that one now, and can be
    revealed once more.
    """
    # The plan's own change alone knows which spare secret it made the account with.
    row = PlanChange.objects.filter(step__plan=plan, kind=kind, name=account).last()
    reference = Change.model_validate(row.change).secrets.get(IF_MADE_ANEW, "") if row else ""
    place, _, number = reference.partition("/")
    entry = VaultEntry.objects.filter(id=number).first() if place == "vault" else None
    if entry is None or entry.secret is None:
        return
    system = kind.partition(".")[0]
    ServiceKey.objects.update_or_create(
        owner=owner,
        system=system,
        component=None,
        defaults={
            "account": account,
            "label": _key_label(system, owner),
            "secret": entry.secret,
            "revealed_at": None,
        },
    )


def _key_label(system: str, owner: Person) -> str:
    """The label of a key until its owner renames it."""
    label = message("key_label", system=label_of(system), name=owner.username)
    return in_words(label, in_language(owner.locale))[:LONGEST_LABEL]
