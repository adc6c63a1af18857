"""Confirm an e-mail address: by a link that works once, for a few days, and does not reveal the
account.
"""

import hashlib
import secrets
import uuid
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from workspace_manager.access.administrators import refuse_former
from workspace_manager.audit.note import MANAGER, note
from workspace_manager.contract.connector import Change
from workspace_manager.core import hold
from workspace_manager.core.account_link import sub_of
from workspace_manager.core.address_owners import is_same_address
from workspace_manager.core.clock import database_now
from workspace_manager.core.plan_names import declare_step
from workspace_manager.core.refusal import Refused
from workspace_manager.core.states import state_of
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import plan_change, store
from workspace_manager.engine.supersede import supersede
from workspace_manager.letters import emails
from workspace_manager.people.messages import message
from workspace_manager.records.models import Account, Person, Plan, Registration

KIND: Final = "identity_provider.user"
CONFIRMATION: Final = PlanKind("registration.confirm", message("plan.registration.confirm"))
VERIFY: Final = declare_step("verify_email", message)
VALID_DAYS = 3
OPEN = (Registration.Status.PENDING, Registration.Status.APPROVED)


def send_link(registration: Registration) -> None:
    """Store a letter with a new link; an earlier link stops working."""
    clear = secrets.token_urlsafe(32)
    registration.confirmation = _digest(clear)
    registration.confirmation_until = database_now() + timedelta(days=VALID_DAYS)
    registration.save(update_fields=["confirmation", "confirmation_until"])
    emails.confirm_email(registration, clear)


def send_again(registration_id: uuid.UUID, *, actor: str) -> Registration:
    """Send a new link after a lost or late letter. Raises Refused, and
    Registration.DoesNotExist.
    """
    with transaction.atomic():
        refuse_former(actor)
        registration = Registration.objects.select_for_update().get(id=registration_id)
        if registration.email_confirmed:
            raise Refused(message("confirmed"))
        if registration.status not in OPEN or not registration.email:
            raise Refused(message("nothing_to_confirm", state=state_of(registration.status)))
        send_link(registration)
        note("registration:link_sent", registration.username, actor=actor)
    return registration


def confirm(clear: str) -> bool:
    """Use up a link; False if it is invalid or expired.

    A plan reports the confirmation to the identity provider if the user was made before it.
    """
    with transaction.atomic():
        found = (
            Registration.objects.select_for_update()
            .filter(
                confirmation=_digest(clear),
                confirmation_until__gt=hold.ends_by(),
                status__in=OPEN,
            )
            .first()
        )
        if found is None:
            return False
        found.confirmation, found.confirmation_until, found.email_confirmed = "", None, True
        found.save(update_fields=["confirmation", "confirmation_until", "email_confirmed"])
        note("registration:email_confirmed", found.username, actor=found.username)
        if found.status == Registration.Status.APPROVED and found.sub:
            _tell(found)
    return True


def note_approval(sent: Registration) -> None:
    """Report a confirmation that came while the user was made, in the transaction of the approval.
    `sent`: the registration from which the user was made.
    """
    current = Registration.objects.get(id=sent.id)
    if current.email_confirmed and not sent.email_confirmed:
        _tell(current)


def signed_in(sub: str) -> None:
    """Make the report of an address the person's plan from the first sign-in on, in the transaction
    of the link.

    Otherwise a removal or suspension would not find it.
    """
    _tell_anew(Registration.objects.filter(sub=sub))


def note_relink(person: Person) -> None:
    """Renew the report for a relinked person, in the transaction of the new link."""
    known = Account.objects.filter(person=person, kind=KIND).values("name")
    _tell_anew(Registration.objects.filter(sub__in=known))


def _tell_anew(registrations: QuerySet[Registration]) -> None:
    for registration in registrations:
        plans = Plan.objects.filter(
            kind=CONFIRMATION.name, about=str(registration.id), state__in=Plan.OPEN
        )
        if supersede(plans):
            _tell(registration)


def _tell(registration: Registration) -> None:
    """Store the plan that reports the confirmation for the person's present account. An address
    that is no longer the person's is not reported.
    """
    person = _person_of(registration.sub)
    if person and person.email and not is_same_address(person.email, registration.email):
        return
    store(_told(registration, person), actor=MANAGER, state=Plan.State.RUNNING)


def _person_of(sub: str) -> Person | None:
    """Return the person who has or had this account; None before the first sign-in."""
    rows = Account.objects.filter(kind=KIND, name=sub).exclude(person=None)
    account = rows.order_by("-created_at").select_related("person").first()
    return account.person if account else None


def _told(registration: Registration, person: Person | None) -> PlanDocument:
    # After the first sign-in the plan is the person's, superseded by a removal; before, a
    # withdrawal and `signed_in` supersede it.
    subject = str(person.id) if person else ""
    sub = (sub_of(person) if person else "") or registration.sub
    # Names the address: it may have changed there since, and only this one was confirmed.
    change = Change(
        kind=KIND,
        subject=subject,
        target={"sub": sub, "username": registration.username, "email": registration.email},
        after={"email_verified": True},
    )
    step = PlannedStep(n=1, name=VERIFY, system="identity_provider", changes=(plan_change(change),))
    return PlanDocument(
        kind=CONFIRMATION.name,
        person=registration.username,
        subject=subject or str(registration.id),
        sub=sub,
        about=str(registration.id),
        steps=(step,),
    )


def _digest(clear: str) -> str:
    return hashlib.sha256(clear.encode()).hexdigest()
