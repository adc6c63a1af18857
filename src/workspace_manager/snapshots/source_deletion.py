"""The deletion of a component, a stack or a project, as far as it concerns snapshots.

Snapshots stay, unless the person asks for their deletion. An unfinished one is always deleted with
its source, since nothing can finish it. Schedules end with their source; the components of a
project stay, and so do their schedules.

See docs/explanation/snapshots.md#after-the-source-is-gone.
"""

from collections.abc import Sequence
from functools import partial

from django.db.models import Q, QuerySet

from workspace_manager.access import policy
from workspace_manager.audit.note import note
from workspace_manager.contract.message import Message
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.engine.plan import PlannedChange
from workspace_manager.engine.rows import plan_change
from workspace_manager.engine.supersede import supersede, under_way
from workspace_manager.records.models import Component, Person, Plan, Project, Snapshot, Stack
from workspace_manager.snapshots import schedule
from workspace_manager.snapshots.content_in_place import find_switch
from workspace_manager.snapshots.creation import content_change
from workspace_manager.snapshots.deletion import record_change
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.restoration import open_restores
from workspace_manager.snapshots.snapshot_remarks import deletion_remarks, kept_remarks
from workspace_manager.work import components, projects, stacks
from workspace_manager.work.snapshot_end import EndSnapshots, SnapshotEnd, Source


def delete_component(
    component: Component,
    *,
    by: Person,
    systems: ConnectedSystems,
    keep_volumes: bool = False,
    delete_snapshots: bool = False,
) -> Plan:
    """Store the plan that deletes a component. Raises as `components.delete` does; Refused for a
    snapshot that is being restored, Forbidden for snapshots that the person may not delete.
    """
    return components.delete(
        component,
        actor=by.username,
        systems=systems,
        keep_volumes=keep_volumes,
        end_snapshots=_ending(by, systems, is_asked=delete_snapshots, keep_volumes=keep_volumes),
    )


def delete_stack(
    stack: Stack,
    *,
    by: Person,
    systems: ConnectedSystems,
    keep_volumes: bool = False,
    delete_snapshots: bool = False,
) -> Plan:
    """Store the plan that deletes a stack with its parts. Raises as `delete_component` does."""
    return stacks.delete(
        stack,
        actor=by.username,
        systems=systems,
        keep_volumes=keep_volumes,
        end_snapshots=_ending(by, systems, is_asked=delete_snapshots, keep_volumes=keep_volumes),
    )


def delete_project(
    project: Project, *, by: Person, systems: ConnectedSystems, delete_snapshots: bool = False
) -> Plan:
    """Store the plan that deletes a project; its components stay. Raises as `delete_component`
    does.
    """
    return projects.delete(
        project,
        actor=by.username,
        systems=systems,
        end_snapshots=_ending(by, systems, is_asked=delete_snapshots),
    )


def find_snapshots(source: Source) -> QuerySet[Snapshot]:
    """Return the snapshots of it that belong to its owner; those of what is in a stack or a project
    are among them.
    """
    rows = Snapshot.objects.filter(owner_id=source.owner_id)
    rows = rows.exclude(state=Snapshot.State.DELETING).order_by("created_at", "id")
    if isinstance(source, Component):
        return rows.filter(component=source)
    if isinstance(source, Stack):
        return rows.filter(Q(stack=source) | Q(component__stack=source))
    return rows.filter(Q(stack__project=source) | Q(component__project=source))


def may_delete(person: Person, snapshots: Sequence[Snapshot]) -> bool:
    """Return whether a person may delete these, which have one owner."""
    return not snapshots or policy.may_change(person, snapshots[0])


def _ending(
    by: Person, systems: ConnectedSystems, *, is_asked: bool, keep_volumes: bool = False
) -> EndSnapshots:
    return partial(_end, by=by, systems=systems, is_asked=is_asked, keep_volumes=keep_volumes)


def _end(
    source: Source, *, by: Person, systems: ConnectedSystems, is_asked: bool, keep_volumes: bool
) -> SnapshotEnd:
    if keep_volumes:
        _refuse_half_replaced(source)
    found = list(find_snapshots(source).select_for_update(of=("self",)))
    if is_asked and not may_delete(by, found):
        raise Forbidden(message("snapshots_of_another"))
    stays = isinstance(source, Project)
    gone = [one for one in found if is_asked or (one.consistent is None and not stays)]
    _refuse_restored(gone)
    ids = [one.id for one in gone]
    making = Plan.objects.filter(about__in=list(map(str, ids)), state__in=Plan.OPEN)
    calls = under_way(systems, plans=supersede(making))
    Snapshot.objects.filter(id__in=ids).update(state=Snapshot.State.DELETING)
    owner, actor = source.owner.username, by.username
    for one in gone:
        note("snapshot:deletion_requested", owner, actor=actor, id=str(one.id))
    kept = [one for one in found if one not in gone]
    return SnapshotEnd(
        changes=_deletions(gone),
        remarks=(
            *kept_remarks(kept),
            *deletion_remarks(gone),
            *_end_schedules(source, actor=actor),
        ),
        calls=tuple(calls),
    )


def _refuse_half_replaced(source: Source) -> None:
    """Raise Refused where volumes to keep may be half the old content and half the new."""
    for part in source.parts.all() if isinstance(source, Stack) else [source]:
        if isinstance(part, Component) and (plan := find_switch(part)):
            raise Refused(message("switch_not_ended", label=part.label), plan=str(plan.id))


def _refuse_restored(snapshots: Sequence[Snapshot]) -> None:
    restoring = open_restores(snapshots)
    for one in snapshots:
        if plan := restoring.get(one.id):
            raise Refused(message("being_restored", label=one.label), plan=str(plan.id))


def _deletions(snapshots: Sequence[Snapshot]) -> tuple[PlannedChange, ...]:
    """Return the changes: the content of each, then its record, which waits for that."""
    changes: list[PlannedChange] = []
    for one in snapshots:
        needs: tuple[int, ...] = ()
        if one.place:
            needs = (len(changes),)
            changes.append(plan_change(content_change(one, kept=False), name=one.label))
        changes.append(plan_change(record_change(one), *needs, name=one.label))
    return tuple(changes)


def _end_schedules(source: Source, *, actor: str) -> tuple[Message, ...]:
    if isinstance(source, Project) or not schedule.drop_schedules(source, actor=actor):
        return ()
    return (message("remark.schedule_ends", label=source.label),)
