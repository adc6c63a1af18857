"""Suspend and resume: every credential is shut without changing one, and exactly what was taken is
given back.

The systems say what they shut (`suspension_steps`). Resuming undoes what the suspension changed,
and nothing that was so before. Only API tokens end for good: a new one takes a minute, and nobody
can see whether one was copied.

See docs/explanation/suspension.md.
"""

from collections.abc import Iterator
from typing import Final

from django.db import transaction
from django.utils import timezone

from workspace_manager.access import tokens
from workspace_manager.access.administrators import (
    lock_administrators,
    refuse_former,
    refuse_self_and_last,
)
from workspace_manager.access.sessions import end_sessions
from workspace_manager.audit.note import note
from workspace_manager.contract.message import Message
from workspace_manager.core.account_link import locked_accounts
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.deadlocks import retry_after_deadlock
from workspace_manager.core.refusal import Refused
from workspace_manager.core.states import state_of
from workspace_manager.core.timestamps import in_utc
from workspace_manager.core.wake import wake_plans
from workspace_manager.engine.doors import AGAIN
from workspace_manager.engine.kind import Invariant, PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.policy import with_policies
from workspace_manager.engine.rows import store
from workspace_manager.engine.supersede import OpenCall, let_end, supersede, under_way
from workspace_manager.people import (
    suspension_evidence,
    suspension_letters,
    suspension_steps,
    unlinked_sign_ins,
)
from workspace_manager.people.messages import message
from workspace_manager.people.suspension_terms import UNCHANGED, Terms, refuse_terms
from workspace_manager.records.models import Component, Person, Plan, PlanStep, Suspension
from workspace_manager.removal.capture import CapturedPerson, capture
from workspace_manager.removal.messages import message as of_removal
from workspace_manager.work import suspended_access
from workspace_manager.work.used_by_others import used_by_others


@retry_after_deadlock
def suspend(
    username: str, *, actor: str, systems: ConnectedSystems, terms: Terms = UNCHANGED
) -> Plan:
    """Shut a person out of the manager now, and store the plan for the other systems.

    For a suspended person the terms change, and everything is shut again. Raises BadInput, Refused,
    and Person.DoesNotExist.
    """
    refuse_terms(terms)
    with transaction.atomic():
        lock_administrators()
        person = Person.objects.select_for_update().get(username=username)
        again = person.state == Person.State.SUSPENDED and terms != UNCHANGED
        if person.state != Person.State.ACTIVE and not again:
            raise Refused(message("not_active", name=username, state=state_of(person.state)))
        if username == actor:
            raise Refused(message("not_suspend_yourself"))
        refuse_self_and_last(person, actor)
        calls = _supersede(person, systems)
        person.state = Person.State.SUSPENDED
        person.save(update_fields=["state"])
        end_sessions(person)
        tokens.end_all(person)
        row = _written(person, terms, actor)
        document = suspension(person, systems, row)
        plan = store(document, actor=actor, state=Plan.State.RUNNING)
        let_end(plan, calls)
        note("person:suspended", username, actor=actor, plan=str(plan.id), until=in_utc(row.until))
    return plan


@retry_after_deadlock
def resume(username: str, *, actor: str, systems: ConnectedSystems) -> Plan:
    """Resume a person, undoing what suspensions changed. Raises Refused, and
    Person.DoesNotExist.
    """
    with transaction.atomic():
        lock_administrators()
        refuse_former(actor)
        person = Person.objects.select_for_update().get(username=username)
        if person.state != Person.State.SUSPENDED:
            raise Refused(message("not_suspended", name=username, state=state_of(person.state)))
        calls = _supersede(person, systems)
        person.state = Person.State.ACTIVE
        person.save(update_fields=["state"])
        Suspension.objects.filter(person=person).delete()
        plan = store(resumption(person, systems), actor=actor, state=Plan.State.RUNNING)
        let_end(plan, calls)
        _wake_what_was_held(person)
        unlinked_sign_ins.let_in_again(username)
        note("person:resumed", username, actor=actor, plan=str(plan.id))
    return plan


def suspension(person: Person, systems: ConnectedSystems, row: Suspension) -> PlanDocument:
    """Build the plan of a suspension as of now, from records and derived names alone."""
    captured = capture(person, systems)
    steps = suspension_steps.closing_steps(captured)
    left = suspension_steps.left_open(captured)
    remarks = (
        *_terms(row),
        message("tokens_end"),
        *suspension_steps.goes_on(captured),
        *_serving(person),
    )
    return _document(SUSPENSION.name, captured, steps, left, remarks)


def resumption(person: Person, systems: ConnectedSystems) -> PlanDocument:
    """Build the plan that resumes a person as of now."""
    captured = capture(person, systems)
    steps = suspension_steps.opening_steps(captured, locked_accounts(person))
    return _document(RESUMPTION.name, captured, steps, (), ())


def _serving(person: Person) -> Iterator[Message]:
    """Return remarks on the person's things that keep serving others."""
    public = Component.objects.filter(owner=person, public_read=True).order_by("label", "id")
    for component in public:
        yield message("public_goes_on", label=component.label, name=component.name)
    for used in used_by_others(person):
        users = ", ".join(used.users)
        yield message("stack_goes_on", stack=used.label, project=used.project, users=users)


def _terms(row: Suspension) -> tuple[Message, ...]:
    said = (message("for_reason", name=row.by, reason=row.reason),) if row.reason else ()
    if row.until is None:
        return (*said, message("until_somebody"))
    return (*said, message("until_then", until=row.until))


def _written(person: Person, terms: Terms, actor: str) -> Suspension:
    """Return the new terms; those that are not given stay."""
    row = Suspension.objects.filter(person=person).first() or Suspension(person=person)
    set_terms(row, terms, actor)
    row.save()
    return row


def set_terms(row: Suspension, terms: Terms, actor: str) -> Suspension:
    """Change an unsaved row as ordered. A new end is announced again."""
    row.by = actor
    if terms.reason is not None:
        row.reason = terms.reason.strip()
    if terms.endless or terms.until is not None:
        row.until, row.reminded_at = terms.until, None
    return row


def _supersede(person: Person, systems: ConnectedSystems) -> list[OpenCall]:
    """Supersede plans of earlier suspensions and their ends, which must not run side by side;
    return the calls that may still run, including other plans of access.
    """
    plans = Plan.objects.filter(
        kind__in=[SUSPENSION.name, RESUMPTION.name], subject=str(person.id), state__in=Plan.OPEN
    )
    return under_way(systems, subject=str(person.id), plans=supersede(plans))


def _wake_what_was_held(person: Person) -> None:
    """Continue plans that waited because a suspended person gets nothing."""
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


def _document(
    kind: str,
    captured: CapturedPerson,
    steps: tuple[PlannedStep, ...],
    by_hand: tuple[Message, ...],
    remarks: tuple[Message, ...],
) -> PlanDocument:
    return PlanDocument(
        kind=kind,
        person=captured.username,
        subject=captured.subject,
        sub=captured.sub,
        steps=with_policies(steps, captured.systems),
        by_hand=by_hand,
        remarks=remarks,
        captured={"at": in_utc(timezone.now())},
    )


SUSPENSION: Final = PlanKind(
    "suspension",
    message("plan.suspension"),
    on_saved=suspension_letters.suspension_stands,
    extras=suspension_evidence.suspension_extras,
    # Enforced until the plan is done; later changes to the account are none of its concern. While
    # the provider refuses to disable the user, new sessions and notebooks are ended.
    invariants=(
        Invariant(
            raised_by="fence_identity",
            stands_until="",
            restored=of_removal("suspension_restored"),
        ),
        Invariant(
            raised_by="stop_notebook",
            stands_until="",
            restored=of_removal("suspension_notebook"),
        ),
    ),
    # A refusal may have been repaired meanwhile; the retry needs no button.
    tries_again=AGAIN,
)
RESUMPTION: Final = PlanKind(
    "resumption",
    message("plan.resumption"),
    desired=suspended_access.on_return,
    on_saved=suspension_letters.back_in,
)
