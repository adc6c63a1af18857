"""Decide on a registration: approve, reject, withdraw (who may: `who_decides`).

Approval makes the identity-provider user and nothing else, by one claimed call in the request
(docs/explanation/registration.md#approval). After a crash between the call and our row, the next
try finds the user by our mark, never by name.
"""

import uuid
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from workspace_manager.audit.note import note
from workspace_manager.contract import deadline
from workspace_manager.contract.connector import Facts, Outcome
from workspace_manager.contract.errors import Conflict, ConnectorError, Denied
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.core.states import state_of
from workspace_manager.engine import pause as pausing
from workspace_manager.letters import emails
from workspace_manager.people import (
    announcements,
    confirm_email,
    make_accounts,
    names_free,
    undo_approval,
)
from workspace_manager.people.messages import message
from workspace_manager.people.register import refuse_claimed
from workspace_manager.people.who_decides import NotDeciding, refuse_undeciding
from workspace_manager.records.models import (
    Account,
    Person,
    Registration,
)

CLAIM_S = 60
"""Seconds until the claim of a killed request expires; no call lasts longer."""
KIND = "identity_provider.user"
LONGEST_REASON = 1000


def approve(registration_id: uuid.UUID, *, actor: str, systems: ConnectedSystems) -> Registration:
    """Make the user at the identity provider and record its `sub`; return the approved
    registration.

    Raises Refused if the state does not allow it, and the five errors of the identity provider; the
    registration then stays pending.
    """
    systems.identity_provider()
    pausing.refuse_paused(KIND)
    refuse_undeciding(actor, Registration.objects.get(id=registration_id))
    end = deadline.moment() + CLAIM_S
    registration = _claim(registration_id)
    try:
        with deadline.act_until(end):
            names_free.refuse(registration.username, systems, registration=registration.id)
            outcome = _create(registration, systems)
    except (Refused, ConnectorError) as trouble:
        _unclaim(registration, trouble)
        if isinstance(trouble, Denied) and trouble.system == "identity_provider":
            provider = systems.identity_provider()
            pausing.pause_if_refused(provider, trouble, systems.settings.get(provider.name))
        raise
    try:
        return _write(registration, outcome, actor=actor, systems=systems)
    except NotDeciding as no:
        # A plan deletes the user that was made without permission; the registration waits.
        with transaction.atomic():
            undo_approval.of_tries(registration)
            _unclaim(registration, no)
        raise


def _claim(registration_id: uuid.UUID) -> Registration:
    with transaction.atomic():
        registration = Registration.objects.select_for_update().get(id=registration_id)
        if registration.status != Registration.Status.PENDING:
            raise Refused(message("not_pending", state=state_of(registration.status)))
        undo_approval.refuse_undoing(registration)
        return _claimed(registration, CLAIM_S)


def _claimed(registration: Registration, seconds: int) -> Registration:
    """Claim the registration for some seconds, which revokes an earlier claim. Raises Refused."""
    refuse_claimed(registration)
    registration.claim += 1
    registration.claimed_until = database_now() + timedelta(seconds=seconds)
    registration.save(update_fields=["claim", "claimed_until"])
    return registration


def _unclaim(registration: Registration, trouble: Refused | ConnectorError) -> None:
    why = trouble.message
    if isinstance(trouble, ConnectorError):
        why = of_core("failed", doing=trouble.doing_message, why=why)
    Registration.objects.filter(id=registration.id, claim=registration.claim).update(
        claimed_until=None, last_failure=why
    )


def _create(registration: Registration, systems: ConnectedSystems) -> Outcome:
    connector = systems.connector(KIND)
    assert connector is not None
    target = {"username": registration.username, "mark": registration.mark}
    want: Facts = {
        "enabled": True,
        "email": registration.email,
        "first_name": registration.first_name,
        "last_name": registration.last_name,
        "locale": registration.locale,
        "timezone": registration.timezone,
        "email_verified": registration.email_confirmed,
    }
    change = connector.plan(target, want).model_copy(
        update={"secrets": {"password_hash": f"registration/{registration.id}"}}
    )
    outcome = connector.apply(change)
    if not outcome.facts.get("sub"):
        raise Conflict(message("no_user_id"), kind=KIND, doing=message("creating"))
    return outcome


def _write(
    registration: Registration, outcome: Outcome, *, actor: str, systems: ConnectedSystems
) -> Registration:
    sub = outcome.facts["sub"]
    with transaction.atomic():
        # The decider may have lost the permission during the call.
        list(Person.objects.select_for_update().filter(username=actor).values_list("id"))
        refuse_undeciding(actor, registration)
        now = timezone.now()
        written = Registration.objects.filter(
            id=registration.id, claim=registration.claim, status=Registration.Status.PENDING
        ).update(
            status=Registration.Status.APPROVED,
            sub=sub,
            password_hash=None,
            claimed_until=None,
            decided_at=now,
            decided_by=actor,
            last_failure=None,
        )
        if written:
            _follow(registration, sub, actor, systems)
        else:
            # A later claimant finds the user by its mark and records it, or decided otherwise: then
            # it must go.
            undo_approval.unless_approved(registration)
    if not written:
        raise Refused(message("overtaken"))
    registration.refresh_from_db()
    return registration


def _follow(registration: Registration, sub: str, actor: str, systems: ConnectedSystems) -> None:
    """Do what an approval includes, in the transaction that saves it."""
    Account.objects.get_or_create(
        system="identity_provider",
        kind=KIND,
        name=sub,
        gone_at=None,
        defaults={"username": registration.username},
    )
    bound, announcement = announcements.of_registration(registration)
    note(
        "registration:approved",
        registration.username,
        actor=actor,
        sub=sub,
        **({"announced": bound} if bound else {}),
    )
    registration.sub = sub
    make_accounts.make_accounts(registration, systems)
    emails.write_approval(registration, announced=announcement)
    confirm_email.note_approval(registration)


def checked_reason(reason: str) -> str:
    """Return the reason. Raises BadInput if it cannot be sent to an applicant."""
    reason = reason.strip()
    if not 0 < len(reason) <= LONGEST_REASON:
        raise BadInput({"reason": message("reason_length", count=LONGEST_REASON)})
    return reason


def reject(registration_id: uuid.UUID, *, actor: str, reason: str) -> Registration:
    """Reject a registration, erase the hash, and tell the applicant why. Raises BadInput without a
    reason, Refused if it is not pending.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        refuse_undeciding(actor, Registration.objects.get(id=registration_id))
        registration = Registration.objects.select_for_update().get(id=registration_id)
        if registration.status != Registration.Status.PENDING:
            raise Refused(message("not_pending", state=state_of(registration.status)))
        refuse_claimed(registration)
        undo_approval.of_tries(registration)
        registration.status = Registration.Status.REJECTED
        registration.password_hash = None
        registration.confirmation = ""
        registration.decided_at, registration.decided_by, registration.reason = (
            timezone.now(),
            actor,
            reason,
        )
        registration.claim += 1
        registration.save()
        note("registration:rejected", registration.username, actor=actor, reason=reason)
        emails.write_rejection(registration)
    return registration
