"""Suspend somebody, and let them back in: the sign-in block of a removal without the removal, and its exact undoing.

What is shut in which system is said by the systems (`suspension_steps`). Letting back in undoes what the suspension changed and
nothing that was so before it.
"""

from typing import Final

from django.db import transaction
from django.utils import timezone

from workspace_manager.core import audit
from workspace_manager.core.account_link import locked_accounts
from workspace_manager.core.administrators import (
    lock_administrators,
    refuse_former,
    refuse_self_and_last,
)
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.core.sessions import end_sessions
from workspace_manager.core.states import state_of
from workspace_manager.core.wake import wake_plans
from workspace_manager.engine.kind import Invariant, PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import store
from workspace_manager.engine.supersede import UnderWay, let_end, supersede, under_way
from workspace_manager.people import suspension_steps, unlinked_sign_ins
from workspace_manager.people.messages import message
from workspace_manager.records.models import Person, Plan, PlanStep
from workspace_manager.removal.capture import Captured, capture
from workspace_manager.removal.messages import message as of_removal


def suspend(username: str, *, actor: str, systems: ConnectedSystems) -> Plan:
    """Shut somebody out now, and store the plan that does it elsewhere. Raises Refused, and Person.DoesNotExist."""
    with transaction.atomic():
        lock_administrators()
        person = Person.objects.select_for_update().get(username=username)
        if person.state != Person.State.ACTIVE:
            raise Refused(message("not_active", name=username, state=state_of(person.state)))
        if username == actor:
            raise Refused(message("not_suspend_yourself"))
        refuse_self_and_last(person, actor)
        calls = _supersede(person, systems)
        person.state = Person.State.SUSPENDED
        person.save(update_fields=["state"])
        end_sessions(person)
        plan = store(_suspension(capture(person, systems)), actor=actor, state=Plan.State.RUNNING)
        let_end(plan, calls)
        audit.note("person:suspended", username, actor=actor, plan=str(plan.id))
    return plan


def resume(username: str, *, actor: str, systems: ConnectedSystems) -> Plan:
    """Let somebody back in, undoing what the suspensions changed. Raises Refused, and Person.DoesNotExist."""
    with transaction.atomic():
        lock_administrators()
        refuse_former(actor)
        person = Person.objects.select_for_update().get(username=username)
        if person.state != Person.State.SUSPENDED:
            raise Refused(message("not_suspended", name=username, state=state_of(person.state)))
        calls = _supersede(person, systems)
        person.state = Person.State.ACTIVE
        person.save(update_fields=["state"])
        plan = store(
            _resumption(person, capture(person, systems)), actor=actor, state=Plan.State.RUNNING
        )
        let_end(plan, calls)
        _wake_what_was_held(person)
        unlinked_sign_ins.let_in_again(username)
        audit.note("person:resumed", username, actor=actor, plan=str(plan.id))
    return plan


def _supersede(person: Person, systems: ConnectedSystems) -> list[UnderWay]:
    """A suspension and its undoing do not run side by side; gives what the superseded one may still have under way."""
    plans = Plan.objects.filter(
        kind__in=[SUSPENSION.name, RESUMPTION.name], subject=str(person.id), state__in=Plan.OPEN
    )
    return under_way(systems, plans=supersede(plans))


def _wake_what_was_held(person: Person) -> None:
    """What waited because nothing is given to somebody who is suspended goes on."""
    held = PlanStep.objects.filter(
        plan__subject=str(person.id),
        plan__state__in=Plan.OPEN,
        state=PlanStep.State.WAITING,
        cause="suspended",
    )
    plans = set(held.values_list("plan_id", flat=True))
    held.update(state=PlanStep.State.PENDING, next_try_at=None, cause="", reason=None, advice=None)
    Plan.objects.filter(id__in=plans).update(due_at=database_now())
    wake_plans(plans)


def _suspension(captured: Captured) -> PlanDocument:
    return _document(SUSPENSION.name, captured, suspension_steps.shutting(captured))


def _resumption(person: Person, captured: Captured) -> PlanDocument:
    steps = suspension_steps.opening(captured, locked_accounts(person))
    return _document(RESUMPTION.name, captured, steps)


def _document(kind: str, captured: Captured, steps: tuple[PlannedStep, ...]) -> PlanDocument:
    return PlanDocument(
        kind=kind,
        person=captured.username,
        subject=captured.subject,
        sub=captured.sub,
        steps=steps,
        by_hand=suspension_steps.left_open(captured) if kind == SUSPENSION.name else (),
        captured={"at": timezone.now().isoformat(timespec="seconds")},
    )


SUSPENSION: Final = PlanKind(
    "suspension",
    # Until the plan is done: what somebody does to the account afterwards is not this plan's any more.
    invariants=(
        Invariant(
            raised_by="fence_identity",
            stands_until="",
            restored=of_removal("suspension_restored"),
        ),
    ),
)
RESUMPTION: Final = PlanKind("resumption")
