"""Suspend somebody, and let them back in: the fence of a removal without the removal, and its exact undoing.

The notebook is stopped, the identity disabled and logged out, the SQL user locked. Letting back in undoes what the suspension changed
and nothing that was so before it.
"""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from workspace_manager.contract.connector import UNKNOWN, Change
from workspace_manager.core import audit
from workspace_manager.core.administrators import (
    lock_administrators,
    refuse_former,
    refuse_self_and_last,
)
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.messages import name_of
from workspace_manager.core.refusal import Refused
from workspace_manager.core.sessions import end_sessions
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import change_of, planned, store
from workspace_manager.engine.supersede import UnderWay, let_end, supersede, under_way
from workspace_manager.people import unlinked_sign_ins
from workspace_manager.people.messages import message
from workspace_manager.records.models import Person, Plan, PlanChange, PlanStep
from workspace_manager.removal import step1_stop_notebook, step2_resolve_identity
from workspace_manager.removal.capture import NO_LINK, Captured, capture

SUSPEND, RESUME = "suspension", "resumption"


def suspend(username: str, *, actor: str, systems: ConnectedSystems) -> Plan:
    """Shut somebody out now, and store the plan that does it elsewhere. Raises Refused, and Person.DoesNotExist."""
    with transaction.atomic():
        lock_administrators()
        person = Person.objects.select_for_update().get(username=username)
        if person.state != Person.State.ACTIVE:
            raise Refused(message("not_active", name=username, state=name_of(person.state)))
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
            raise Refused(message("not_suspended", name=username, state=name_of(person.state)))
        calls = _supersede(person, systems)
        person.state = Person.State.ACTIVE
        person.save(update_fields=["state"])
        plan = store(_resumption(capture(person, systems)), actor=actor, state=Plan.State.RUNNING)
        let_end(plan, calls)
        _wake_what_was_held(person)
        unlinked_sign_ins.let_in_again(username)
        audit.note("person:resumed", username, actor=actor, plan=str(plan.id))
    return plan


def _supersede(person: Person, systems: ConnectedSystems) -> list[UnderWay]:
    """A suspension and its undoing do not run side by side; gives what the superseded one may still have under way."""
    plans = Plan.objects.filter(
        kind__in=[SUSPEND, RESUME], subject=str(person.id), state__in=Plan.OPEN
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
    held.update(state=PlanStep.State.PENDING, next_try_at=None, cause="", reason="", advice="")
    Plan.objects.filter(id__in=plans).update(due_at=database_now())


def _suspension(captured: Captured) -> PlanDocument:
    no_hub = captured.not_configured("notebook_hub", step1_stop_notebook.KIND)
    stops = [] if no_hub else step1_stop_notebook.stops(captured)
    no_link = "" if captured.sub else NO_LINK.format(name=captured.username)
    locks = [_lock(captured, user, locked=True) for user in captured.recorded("sql_server.user")]
    return _document(
        SUSPEND,
        captured,
        (
            _step(1, "stop_notebook", "notebook_hub", stops, no_hub),
            _step(
                2,
                "fence_identity",
                "identity_provider",
                [] if no_link else [step2_resolve_identity.fence(captured)],
                no_link,
            ),
            _step(
                3,
                "lock_sql_user",
                "sql_server",
                locks,
                "" if locks else message("no_sql_user").english,
            ),
        ),
    )


def _resumption(captured: Captured) -> PlanDocument:
    changed = _to_undo(captured.subject)
    enable = Change(
        kind="identity_provider.user",
        subject=captured.subject,
        target={"sub": captured.sub, "username": captured.username},
        after={"enabled": True},
    )
    identity = [enable] if ("identity_provider.user", captured.sub) in changed else []
    unlocks = [
        _lock(captured, user, locked=False)
        for user in captured.recorded("sql_server.user")
        if ("sql_server.user", user) in changed
    ]
    untouched = message("nothing_changed").english
    return _document(
        RESUME,
        captured,
        (
            _step(
                1, "release_identity", "identity_provider", identity, "" if identity else untouched
            ),
            _step(2, "unlock_sql_user", "sql_server", unlocks, "" if unlocks else untouched),
        ),
    )


def _to_undo(subject: str) -> set[tuple[str, str]]:
    """Accounts (kind, name) that suspensions shut and nothing has opened again since: what was shut before them stays shut.

    Every suspension counts, not the last alone: its undoing may have been superseded before it ran, and then the next suspension found
    everything shut already.
    """
    shut: set[tuple[str, str]] = set()
    rows = PlanChange.objects.filter(
        step__plan__subject=subject, step__plan__kind__in=[SUSPEND, RESUME]
    ).exclude(state=PlanChange.State.PENDING)
    for row in rows.select_related("step__plan").order_by("step__plan__created_at", "id"):
        change = change_of(row)
        account = (change.kind, change.target.get("sub") or change.target.get("user", ""))
        if row.step.plan.kind == SUSPEND and _was_open(change):
            shut.add(account)
        elif row.step.plan.kind == RESUME and row.state in PlanChange.ENDED:
            shut.discard(account)
    return shut


def _was_open(change: Change) -> bool:
    """Whether the account was open before: not known counts as open."""
    before = change.before
    if not isinstance(before, dict):
        return before == UNKNOWN
    return before.get("enabled") is not False and before.get("locked") is not True


def _lock(captured: Captured, user: str, *, locked: bool) -> Change:
    """Locking is fulfilled where no account was made yet; letting in again gives something, and wishes for the account too."""
    return Change(
        kind="sql_server.user",
        subject=captured.subject,
        target={"user": user},
        after={"locked": True} if locked else {"exists": True, "locked": False},
    )


def _step(n: int, name: str, system: str, changes: Iterable[Change], skip: str) -> PlannedStep:
    return PlannedStep(
        n=n,
        name=name,
        system=system,
        skip=skip,
        changes=() if skip else tuple(planned(change) for change in changes),
    )


def _document(kind: str, captured: Captured, steps: tuple[PlannedStep, ...]) -> PlanDocument:
    return PlanDocument(
        kind=kind,
        person=captured.username,
        subject=captured.subject,
        sub=captured.sub,
        steps=steps,
        captured={"at": timezone.now().isoformat(timespec="seconds")},
    )
