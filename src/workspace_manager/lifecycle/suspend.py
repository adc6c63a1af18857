"""Suspend somebody, and let them back in: the fence of a removal without the removal, and its exact undoing.

The notebook is stopped, the identity disabled and logged out, the SQL user locked. Letting back in undoes what the suspension changed
and nothing that was so before it.
"""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from workspace_manager.contract.connector import Change
from workspace_manager.lifecycle import history
from workspace_manager.lifecycle.deprovision import step1_stop_notebook, step2_resolve_identity
from workspace_manager.lifecycle.deprovision.captured import NO_LINK, Captured, capture
from workspace_manager.lifecycle.deprovision.start import end_sessions, refuse_self_and_last
from workspace_manager.lifecycle.driven import DrivenSystems
from workspace_manager.lifecycle.planning.journal import change_of, planned, store
from workspace_manager.lifecycle.planning.plan import PlanDocument, PlannedStep
from workspace_manager.lifecycle.refusal import Refused
from workspace_manager.records.models import Person, Plan, PlanChange

SUSPEND, RESUME = "suspension", "resumption"


def suspend(username: str, *, actor: str, driven: DrivenSystems) -> Plan:
    """Shut somebody out now, and store the plan that does it elsewhere. Raises Refused, and Person.DoesNotExist."""
    with transaction.atomic():
        person = Person.objects.select_for_update().get(username=username)
        if person.state != Person.State.ACTIVE:
            raise Refused(f"{username} is {person.state}, not active.")
        refuse_self_and_last(person, actor)
        _supersede(person)
        person.state = Person.State.SUSPENDED
        person.save(update_fields=["state"])
        end_sessions(person)
        plan = store(_suspension(capture(person, driven)), actor=actor, state=Plan.State.RUNNING)
        history.note("person:suspended", username, actor=actor, plan=str(plan.id))
    return plan


def resume(username: str, *, actor: str, driven: DrivenSystems) -> Plan:
    """Let somebody back in, undoing what the suspension changed. Raises Refused, and Person.DoesNotExist."""
    with transaction.atomic():
        person = Person.objects.select_for_update().get(username=username)
        if person.state != Person.State.SUSPENDED:
            raise Refused(f"{username} is {person.state}, not suspended.")
        last = (
            Plan.objects.filter(kind=SUSPEND, subject=str(person.id))
            .order_by("-created_at")
            .first()
        )
        _supersede(person)
        person.state = Person.State.ACTIVE
        person.save(update_fields=["state"])
        plan = store(
            _resumption(capture(person, driven), last), actor=actor, state=Plan.State.RUNNING
        )
        history.note("person:resumed", username, actor=actor, plan=str(plan.id))
    return plan


def _supersede(person: Person) -> None:
    """A suspension and its undoing do not run side by side."""
    for plan in Plan.objects.filter(
        kind__in=[SUSPEND, RESUME], subject=str(person.id), state__in=Plan.OPEN
    ):
        Plan.objects.filter(id=plan.id).update(
            state=Plan.State.SUPERSEDED, fence=plan.fence + 1, due_at=None
        )


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
                3, "lock_sql_user", "sql_server", locks, "" if locks else "There is no SQL user."
            ),
        ),
    )


def _resumption(captured: Captured, suspension: Plan | None) -> PlanDocument:
    changed = _changed_by(suspension)
    identity = [
        Change(
            kind="identity_provider.user",
            subject=captured.subject,
            target={"sub": captured.sub, "username": captured.username},
            after={"enabled": True},
        )
        for kind in changed
        if kind == "identity_provider.user" and captured.sub
    ]
    users = captured.recorded("sql_server.user") if "sql_server.user" in changed else ()
    unlocks = [_lock(captured, user, locked=False) for user in users]
    untouched = "The suspension changed nothing here."
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


def _changed_by(suspension: Plan | None) -> set[str]:
    """Kinds of things that a suspension changed, or may have: what was so before stays so."""
    if suspension is None:
        return set()
    states = [PlanChange.State.DONE, PlanChange.State.RUNNING]
    rows = PlanChange.objects.filter(step__plan=suspension, state__in=states)
    return {change_of(row).kind for row in rows}


def _lock(captured: Captured, user: str, *, locked: bool) -> Change:
    return Change(
        kind="sql_server.user",
        subject=captured.subject,
        target={"user": user},
        after={"exists": True, "locked": locked},
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
