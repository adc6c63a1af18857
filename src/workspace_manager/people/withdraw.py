"""Withdraw an approval: a removal with its sign-in block and steps, whether or not somebody signed
in.

An approved person may have used every system that the identity provider opens without ever coming
here, so all of them are checked. A person who never came leaves no tombstone: the registration
stays listed, and the name is free when the plan is done.

See docs/decisions/0035-withdrawing-is-a-removal.md.
"""

import uuid

from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.utils import timezone

from workspace_manager.access.administrators import (
    forget_announcement,
    lock_administrators,
    refuse_former,
)
from workspace_manager.audit.note import note
from workspace_manager.core.account_link import PROVIDER, recorded_accounts, sub_of
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.core.states import state_of
from workspace_manager.engine.supersede import supersede
from workspace_manager.people import make_accounts
from workspace_manager.people.messages import message
from workspace_manager.people.register import refuse_claimed
from workspace_manager.records.models import Account, Person, Plan, Registration
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal

KIND = "identity_provider.user"


def withdraw(registration_id: uuid.UUID, *, actor: str, systems: ConnectedSystems) -> Plan:
    """Withdraw an approval; return the running plan. From this transaction on nobody enters with
    it. Raises Refused while that is impossible.
    """
    name = Registration.objects.get(id=registration_id).username
    with transaction.atomic():
        lock_administrators()
        # Lock order: the person before the registration, as at a sign-in.
        known = Person.objects.select_for_update().filter(username=name).first()
        registration = _locked(registration_id, actor=actor)
        link = SocialAccount.objects.filter(provider=PROVIDER, uid=registration.sub).first()
        if known and link is None and sub_of(known):
            # The holder of the name signs in with another account: this approval is not theirs.
            raise Refused(message("here", name=name))
        was_here = link is not None or known is not None
        person = link.user if link else known or _stand_in(registration)
        if link is None:
            SocialAccount.objects.create(user=person, provider=PROVIDER, uid=registration.sub)
        if not was_here:
            _own(registration, person)
        make_accounts.belongs_to(person, registration.sub)
        registration.status = Registration.Status.WITHDRAWN
        registration.decided_at, registration.decided_by = timezone.now(), actor
        registration.confirmation = ""
        registration.save(update_fields=["status", "decided_at", "decided_by", "confirmation"])
        note("registration:withdrawn", registration.username, actor=actor)
        forget_announcement(name)
        # Plans of the registration itself, such as the confirmation of its address. The removal
        # supersedes plans that give the person something, and waits for their running calls.
        about = Plan.objects.filter(about=str(registration.id), state__in=Plan.OPEN)
        supersede(about.exclude(subject=str(person.id)))
        plan = draft_removal(person.username, actor=actor, systems=systems, never_came=not was_here)
        return approve_removal(plan.id, digest=plan.digest, actor=actor, systems=systems)


def _locked(registration_id: uuid.UUID, *, actor: str) -> Registration:
    refuse_former(actor)
    registration = Registration.objects.select_for_update().get(id=registration_id)
    if registration.status != Registration.Status.APPROVED:
        raise Refused(message("not_approved", state=state_of(registration.status)))
    refuse_claimed(registration)
    return registration


def _stand_in(registration: Registration) -> Person:
    """Build a row for a person who never came; the removal is about it and deletes it."""
    return Person.objects.create_user(
        registration.username,
        email=registration.email,
        first_name=registration.first_name,
        last_name=registration.last_name,
        locale=registration.locale,
        timezone=registration.timezone,
    )


def _own(registration: Registration, person: Person) -> None:
    """Assign what was recorded for the name to this row. An account from before the approval is
    kept and shut.
    """
    accounts = recorded_accounts(person).filter(gone_at=None)
    if not registration.claim:
        accounts.filter(kind=KIND, name=registration.sub).update(adopted=True)
    Account.objects.filter(id__in=accounts.values("id")).update(person=person)
