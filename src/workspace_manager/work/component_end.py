"""The deletion of a component: alone, with its stack, or with its owner.

See docs/explanation/components.md#deleting.
"""

from typing import Final

from django.db.models import Q, QuerySet

from workspace_manager.accounts import accounts, machine_accounts
from workspace_manager.accounts.messages import message
from workspace_manager.contract.connector import Change
from workspace_manager.contract.message import Message
from workspace_manager.core.plan_names import declare_step
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import plan_change
from workspace_manager.knowledge_stacks import kind as knowledge_stacks
from workspace_manager.records.models import Component, Plan, PlanStep
from workspace_manager.work.content_address import address_of
from workspace_manager.work.messages import message as of_projects
from workspace_manager.work.plan_document import document_of
from workspace_manager.work.reservation import KINDS
from workspace_manager.work.snapshot_end import SnapshotEnd

RESTORING_IN_PLACE: Final = "snapshot.restore_in_place"
"""The kind of the plan that replaces what is in a component
(`snapshots/in_place_restoration.py`).
"""
IN_PLACE: Final = "snapshots.in_place"
"""The kind of what such a plan loads beside the component."""
DISCARD: Final = declare_step("discard_restored_content", of_projects)


def deletion(component: Component, *, keep_volumes: bool) -> tuple[PlannedStep, ...]:
    """Return the steps that delete a component and what it owns, without its record. `keep_volumes`
    keeps the volumes of a knowledge stack.
    """
    is_stack = component.kind == Component.Kind.KNOWLEDGE_STACK
    if is_stack:
        steps = knowledge_stacks.deletion(component, keep_volumes=keep_volumes)
    else:
        steps = KINDS[Component.Kind(component.kind)].deletion(component)
    if left := left_beside(component):
        changes = tuple(plan_change(change, name=component.label) for change in left)
        first = PlannedStep(n=1, name=DISCARD, system="snapshots", changes=changes)
        steps = _behind(first, steps)
    return steps if is_stack else _with_machine_accounts(component, steps)


def left_beside(component: Component) -> list[Change]:
    """The removal of what a restore in place that was not finished left beside a component."""
    plans = Plan.objects.filter(kind=RESTORING_IN_PLACE, about=str(component.id))
    by_a_person = (PlanStep.State.SKIPPED, PlanStep.State.BY_HAND)
    unfinished = ~Q(state=Plan.State.DONE) | Q(steps__state__in=by_a_person)
    if not plans.filter(unfinished).exists():
        return []
    target = {
        "label": component.label,
        "id": str(component.id),
        "kind": component.kind,
        "address": address_of(component),
    }
    return [Change(kind=IN_PLACE, subject=str(component.owner_id), target=target)]


def _behind(first: PlannedStep, steps: tuple[PlannedStep, ...]) -> tuple[PlannedStep, ...]:
    later = (
        step.model_copy(update={"n": step.n + 1, "needs": (1, *(n + 1 for n in step.needs))})
        for step in steps
    )
    return (first, *later)


def _with_machine_accounts(
    component: Component, steps: tuple[PlannedStep, ...]
) -> tuple[PlannedStep, ...]:
    """Delete the accounts of programs first: credentials end before what they open. Those of a
    knowledge stack end with it.
    """
    gone = [
        plan_change(change)
        for key in machine_accounts.of_component(component)
        if key.used_by_id is None
        for change in machine_accounts.removal(key)
    ]
    if not gone:
        return steps
    first = PlannedStep(
        n=1,
        name=machine_accounts.REMOVE,
        system=gone[0].change.system,
        changes=tuple(gone),
    )
    return _behind(first, steps)


def record_step(component: Component, *, n: int, needs: tuple[int, ...]) -> PlannedStep:
    """Delete the record last: what fails before it stays listed."""
    record = Change(
        kind="records.component",
        subject=str(component.owner_id),
        target={"id": str(component.id), "label": component.label},
    )
    return PlannedStep(
        n=n,
        name=accounts.DELETE_RECORD,
        system="records",
        needs=needs,
        changes=(plan_change(record, name=component.label),),
    )


def deletion_remarks(component: Component, *, keep_volumes: bool) -> dict[str, tuple[Message, ...]]:
    """Return remarks on a knowledge stack's deletion: what it includes, and what is left for manual
    work.
    """
    if component.kind != Component.Kind.KNOWLEDGE_STACK:
        return {}
    return {
        "remarks": knowledge_stacks.remarks(component, keep_volumes=keep_volumes),
        "by_hand": knowledge_stacks.by_hand(component, keep_volumes=keep_volumes),
    }


def deletion_document(
    kind: str, component: Component, ended: SnapshotEnd, *, keep_volumes: bool
) -> PlanDocument:
    """Return the document of the plan that deletes a component, its record last."""
    steps = deletion(component, keep_volumes=keep_volumes)
    steps = (*steps, *ended.steps(len(steps) + 1))
    last = record_step(component, n=len(steps) + 1, needs=tuple(step.n for step in steps))
    said = deletion_remarks(component, keep_volumes=keep_volumes)
    remarks, by_hand = (said.get(name, ()) for name in ("remarks", "by_hand"))
    return document_of(
        kind, component, (*steps, last), remarks=(*remarks, *ended.remarks), by_hand=by_hand
    )


def key_plans(component: Component) -> QuerySet[Plan]:
    """Return open plans of machine keys that end with the component."""
    keys = [str(key.id) for key in machine_accounts.going_with(component)]
    return Plan.objects.filter(about__in=keys, state__in=Plan.OPEN)


def refuse_used(component: Component) -> None:
    """Raise Refused while a knowledge stack uses the component and is not deleted with it."""
    user = machine_accounts.used_by(component)
    if user is None:
        return
    going = user.state == Component.State.DELETING
    code = "component_used_by_going" if going else "component_used_by"
    raise Refused(message(code, label=user.label))


def downstream(component: Component) -> list[Change]:
    """Return the removals of what a component owns in other systems: its database, repository or
    containers, and the program accounts of other people that may use it; not its owner's accounts.
    """
    foreign = [
        change
        for key in machine_accounts.of_component(component)
        if key.owner_id != component.owner_id
        for change in machine_accounts.removal(key)
    ]
    own = KINDS[Component.Kind(component.kind)].downstream(component)
    return [*foreign, *left_beside(component), *own]
