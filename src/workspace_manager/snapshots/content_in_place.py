"""The connector of a restore in place: the content of a snapshot is loaded beside what is there,
compared, and put in its place. What it left beside is removed with the component.
"""

from typing import ClassVar, Final

from django.db.models import QuerySet

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Target,
)
from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.contract.slots import hold_slot
from workspace_manager.contract.snapshots import SwitchingSource
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.plan_names import declare_step
from workspace_manager.records.models import Component, Plan, PlanChange, PlanStep, Snapshot
from workspace_manager.snapshots.content import SYSTEM, facts_of
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.restored_content import NAMED, compare_facts
from workspace_manager.snapshots.sources import find_source
from workspace_manager.snapshots.store.objects import ANSWER_S, CONNECT_S
from workspace_manager.snapshots.store_access import open_reader
from workspace_manager.work.component_end import IN_PLACE, RESTORING_IN_PLACE
from workspace_manager.work.reservation import SYSTEMS

LOAD: Final = declare_step("load_content_beside", message)
SWITCH: Final = declare_step("switch_content", message)
LOADED: Final[Facts] = {"loaded": True}
SWITCHED: Final[Facts] = {"switched": True}


class ContentInPlace:
    """Of one component: what a restore loads beside it, and whether that took its place."""

    kind = IN_PLACE
    calls: ClassVar[CallPolicy] = CallPolicy(
        connect_s=CONNECT_S, answer_s=ANSWER_S, first_wait_s=5, renewed=True
    )

    def __init__(self, systems: ConnectedSystems) -> None:
        self._systems = systems

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Plan the content as if nothing was loaded: a try that was cut off begins anew."""
        before: Facts | None = {"loaded": False}
        if want is None:
            before = {"exists": True} if self._has_beside(target) else None
        elif want == SWITCHED:
            before = {"switched": not self._has_beside(target)}
        return Change(kind=IN_PLACE, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Load, or switch; what is loaded is compared by the look that follows."""
        source, address = self._source(change.target), change.target["address"]
        beside = source.address_beside(address)
        if change.after == SWITCHED:
            _refuse_not_loaded(change.target)
            with hold_slot(SYSTEM, kind=IN_PLACE, doing=message("switching")):
                source.switch(address, beside)
            return CHANGED
        with hold_slot(SYSTEM, kind=IN_PLACE, doing=message("restoring")):
            source.make_beside(address)
            source.restore(beside, open_reader(_snapshot(change.target)))
        return CHANGED

    def remove(self, change: Change) -> Outcome:
        if not self._has_beside(change.target):
            return ALREADY
        self._source(change.target).discard_beside(change.target["address"])
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        """Raises Conflict where what was loaded is not what the snapshot held."""
        if change.after == LOADED:
            return self._compare(change.target)
        if change.after is None:
            self._systems.by_name[SYSTEMS[_kind(change.target)]].prove_rights()
        if self._has_beside(change.target):
            return None
        said = "is_in_place" if change.after else "nothing_beside"
        label = change.target["label"]
        return Evidence.now(SYSTEM, message("asked_source"), message(said, label=label))

    def _compare(self, target: Target) -> Evidence:
        source = self._source(target)
        wanted = facts_of(open_reader(_snapshot(target)).manifest)
        found = source.facts(source.address_beside(target["address"]))
        if other := compare_facts(wanted, found):
            raise Conflict(
                message("other_content", names=", ".join(other[:NAMED])),
                kind=IN_PLACE,
                doing=message("counting"),
                advice=message("other_content_beside"),
            )
        rows = sum(table.rows for table in found.tables)
        of_volumes = _kind(target) == Component.Kind.KNOWLEDGE_STACK
        said = message(
            "volumes_are_loaded" if of_volumes else "is_loaded",
            label=target["label"],
            tables=len(found.tables),
            rows=rows,
        )
        return Evidence.now(SYSTEM, message("asked_source"), said)

    def _has_beside(self, target: Target) -> bool:
        return self._source(target).has_beside(target["address"])

    def _source(self, target: Target) -> SwitchingSource:
        source = find_source(target["kind"], self._systems)
        if isinstance(source, SwitchingSource):
            return source
        raise Invalid(
            message("not_in_place", kind=target["kind"]),
            kind=IN_PLACE,
            doing=message("restoring"),
        )


def find_restore(component: Component) -> Plan | None:
    """The plan that is about to replace what is in a component, or has begun to. One that is stuck
    before it replaced anything is none.
    """
    for plan in open_restores_in_place(component):
        if not gives_way(plan):
            return plan
    return None


def open_restores_in_place(component: Component) -> QuerySet[Plan]:
    """Those that have not ended."""
    return Plan.objects.filter(
        kind=RESTORING_IN_PLACE, about=str(component.id), state__in=Plan.OPEN
    )


def gives_way(plan: Plan) -> bool:
    """Return whether it is a restore in place that is stuck and has replaced nothing."""
    in_place = plan.kind == RESTORING_IN_PLACE
    return in_place and plan.state == Plan.State.STUCK and not is_switching(plan)


def find_switch(component: Component) -> Plan | None:
    """The plan that began to replace what is in a component, and did not bring that to its end."""
    plans = Plan.objects.filter(kind=RESTORING_IN_PLACE, about=str(component.id))
    plan = plans.order_by("-created_at").first()
    if plan is None or not is_switching(plan):
        return None
    ended = plan.steps.filter(name=SWITCH, state=PlanStep.State.DONE).exists()
    return None if ended else plan


def is_switching(plan: Plan) -> bool:
    """Return whether it was ever told to replace the content: then that is brought to its end."""
    sent = PlanChange.objects.filter(step__plan=plan, step__name=SWITCH).exclude(sent_at=None)
    return sent.exists()


def _refuse_not_loaded(target: Target) -> None:
    """Somebody may have skipped the step that loads; what is there is not replaced by nothing."""
    plans = Plan.objects.filter(kind=RESTORING_IN_PLACE, about=target["id"])
    if (
        not plans.filter(state__in=Plan.OPEN)
        .filter(steps__name=LOAD, steps__state=PlanStep.State.DONE)
        .exists()
    ):
        raise Conflict(
            message("not_loaded"),
            kind=IN_PLACE,
            doing=message("switching"),
            advice=message("restore_once_more"),
        )


def _snapshot(target: Target) -> Snapshot:
    found = Snapshot.objects.filter(id=target["snapshot"]).first()
    if found is None:
        raise NotFound(message("row_gone"), kind=IN_PLACE, doing=message("restoring"))
    return found


def _kind(target: Target) -> Component.Kind:
    return Component.Kind(target["kind"])
