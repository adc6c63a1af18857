"""Undo an approval that did not count: a plan finds the user with our mark and deletes it.

An approval is one call inside a request. If somebody decides otherwise after a failed try (a
timeout, a killed request), the user may exist all the same, or still appear.
"""

from datetime import timedelta
from typing import Final

from django.db.models import Q

from workspace_manager.audit.note import MANAGER
from workspace_manager.contract.connector import CallPolicy, Change
from workspace_manager.core.clock import database_now
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import plan_change, store
from workspace_manager.people.messages import message
from workspace_manager.records.models import Plan, Registration
from workspace_manager.removal.sign_in_block import END

UNDOING: Final = PlanKind("approval.undo", message("plan.approval.undo"))


def of_tries(registration: Registration) -> Plan | None:
    """Store the plan if an approval was ever tried; in the transaction of the other decision."""
    return _leave(registration) if registration.claim else None


def refuse_undoing(registration: Registration) -> None:
    """Raise Refused while the user of an approval is being deleted: a new approval would find it by
    the same mark.
    """
    plans = Plan.objects.filter(kind=UNDOING.name, about=str(registration.id), state__in=Plan.OPEN)
    running = plans.first()
    if running:
        raise Refused(message("being_undone"), plan=str(running.id))


def unless_approved(registration: Registration) -> Plan | None:
    """Store the plan after a try that came too late, unless the registration is approved or may
    still be.
    """
    open_ = Q(status__in=[Registration.Status.PENDING, Registration.Status.APPROVED])
    if Registration.objects.filter(open_, id=registration.id).exists():
        return None
    return _leave(registration)


def _leave(registration: Registration) -> Plan:
    """Store the plan, due when a running call has certainly ended."""
    change = Change(
        kind="identity_provider.user",
        subject="",
        target={"username": registration.username, "mark": registration.mark},
    )
    document = PlanDocument(
        kind=UNDOING.name,
        person=registration.username,
        subject=str(registration.id),
        about=str(registration.id),
        steps=(
            PlannedStep(
                n=1,
                name=END,
                system="identity_provider",
                changes=(plan_change(change),),
            ),
        ),
    )
    calls = CallPolicy()
    return store(
        document,
        actor=MANAGER,
        state=Plan.State.RUNNING,
        due_at=database_now() + timedelta(seconds=calls.connect_s + calls.answer_s),
    )
