"""Plans that repair one difference after somebody confirmed it: remove an account or thing, or shut
an account (`REPAIR`); set somebody's rights as the memberships say (`SETTLE`).

Each change checks the difference again before it acts: things that are recorded by then are left
alone, nobody who was let in again is shut out, and memberships count as they are then.
"""

from typing import Final

from workspace_manager.accounts import public_read
from workspace_manager.contract.connector import Change, Facts
from workspace_manager.contract.message import Message
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.plan_names import declare_step
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import plan_change
from workspace_manager.reconcile import store_comparison
from workspace_manager.reconcile.messages import message
from workspace_manager.reconcile.recorded_things import is_recorded_thing
from workspace_manager.records.models import Account, Component, Person, Plan, ReconcileItem
from workspace_manager.systems import registry
from workspace_manager.work import sharing

REMOVE: Final = declare_step("remove_unknown", message)
SHUT: Final = declare_step("shut_account", message)
TAKE: Final = declare_step("take_unknown_right", message)
TAKEN_FIRST: Final = "taken first"
"""The note of a change that revokes every right, before a later one grants what is shared."""


def document(
    item: ReconcileItem,
    step: str,
    target: dict[str, str],
    *,
    after: Facts | None,
    subject: str = "",
) -> PlanDocument:
    """Build the plan for a difference."""
    kind = item.kind if step != TAKE else "sql_server.grant"
    change = Change(kind=kind, subject=subject, target=target, after=after)
    name = item.holder if step == TAKE else item.name
    remarks = _remarks(item)
    if step == REMOVE:
        remarks.append(message("remark.for_good"))
    return PlanDocument(
        kind=REPAIR.name,
        person=item.username if subject else item.name,
        subject=subject,
        about=f"{ABOUT}{item.n}",
        steps=(
            PlannedStep(
                n=1, name=step, system=item.system, changes=(plan_change(change, name=name),)
            ),
        ),
        remarks=tuple(remarks),
    )


def settling(item: ReconcileItem, person: Person, steps: tuple[PlannedStep, ...]) -> PlanDocument:
    """Build the plan that sets the rights of a difference as the memberships say."""
    return PlanDocument(
        kind=SETTLE.name,
        person=person.username,
        subject=str(person.id),
        about=f"{ABOUT}{item.n}",
        steps=steps,
        remarks=tuple(_remarks(item)),
    )


def _remarks(item: ReconcileItem) -> list[Message]:
    seen = [message("remark.evidence", evidence=item.evidence)] if item.evidence else []
    return seen + ([item.reason] if item.reason else [])


ABOUT: Final = "reconcile:"


def may_act(change: Change) -> bool:
    """Return whether the thing still belongs to nobody, or its person is still suspended."""
    if change.subject:
        return Person.objects.filter(id=change.subject, state=Person.State.SUSPENDED).exists()
    if change.kind == store_comparison.CONTENT:
        return store_comparison.may_delete(change.target["place"])
    kind = registry().kinds.get(change.kind)
    name = kind.name_of(change.target) if kind else ""
    if change.kind == "sql_server.grant":
        account = change.target["user"]
        return not _has_account("sql_server.user", account)
    return not _has_account(change.kind, name) and not is_recorded_thing(change.kind, name)


def _desired(change: Change) -> Change:
    if change.note == TAKEN_FIRST:
        return change
    if change.kind == public_read.PUBLIC:
        return public_read.as_recorded(change)
    return sharing.desired(change)


def _may_settle(change: Change) -> bool:
    """Return False for the present owner of a database, who keeps every right."""
    if change.note != TAKEN_FIRST:
        return True
    theirs = Component.objects.filter(
        kind=Component.Kind.SQL_DATABASE, name=change.target["database"], owner__id=change.subject
    )
    return not theirs.exists()


def _has_account(kind: str, name: str) -> bool:
    return Account.objects.filter(kind=kind, name=name, gone_at=None).exists()


def _end_item(plan: Plan, _systems: ConnectedSystems) -> None:
    """End the repaired difference; a run that sees it again opens it again."""
    if plan.state == Plan.State.DONE:
        rows = ReconcileItem.objects.filter(plan=plan.id, ended_at=None)
        rows.update(ended_at=database_now())


def _end_settling(plan: Plan, systems: ConnectedSystems) -> None:
    sharing.note_outcome(plan, systems)
    _end_item(plan, systems)


REPAIR: Final = PlanKind(
    "reconcile.repair",
    message("plan.reconcile.repair"),
    may_act=may_act,
    on_saved=_end_item,
    names_person=False,
)
SETTLE: Final = PlanKind(
    "reconcile.settle",
    message("plan.reconcile.settle"),
    desired=_desired,
    may_act=_may_settle,
    on_saved=_end_settling,
)
REPAIRS: Final = (REPAIR.name, SETTLE.name)
