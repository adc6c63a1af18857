"""Snapshots that are created by themselves, each day or week, and how many of them are kept.

Each schedule has a moment of its own, spread over the day and the week by the id of its source.
See docs/explanation/snapshots.md#schedules.
"""

import contextlib
import hashlib
from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from workspace_manager.accounts.messages import message as of_work
from workspace_manager.accounts.row_locks import lock_active
from workspace_manager.audit.note import MANAGER, note
from workspace_manager.contract.message import Message
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.housekeeping_failures import attempt, due_rows
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.records.models import Component, Person, Snapshot, SnapshotSchedule, Stack
from workspace_manager.snapshots import creation, deletion
from workspace_manager.snapshots.bounds import find_bound, kept_by, measure_usage
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.sources import refuse_unknown
from workspace_manager.work import stacks

MOST_KEPT: Final = 366
LATE: Final = timedelta(hours=1)
"""A snapshot that is due for longer than this is said to be late."""
TASK: Final = "make_snapshots"
DAY: Final = timedelta(days=1)


def set_schedule(
    source: Component | Stack, *, every: str, keep: int, actor: str, systems: ConnectedSystems
) -> SnapshotSchedule:
    """Create or change the schedule of a component or a stack. Raises BadInput, and Refused for an
    owner who is not active, a source that is being deleted and content that nothing keeps.
    """
    complaints: dict[str, Message] = {}
    if every not in SnapshotSchedule.Every.values:
        complaints["every"] = message("schedule_every")
    if not 1 <= keep <= MOST_KEPT:
        complaints["keep"] = message("schedule_keep", most=MOST_KEPT)
    if complaints:
        raise BadInput(complaints)
    refuse_unknown(source, systems)
    with transaction.atomic():
        owner = lock_active(source.owner)
        current = _refuse_deleting(source)
        row = find_schedule(current) or SnapshotSchedule(**_whose(current))
        if row.every != every or row.next_at is None:
            row.next_at = next_moment(current.id, every, timezone.now())
        row.every, row.keep = every, keep
        row.save()
        note(
            "snapshot:schedule_set",
            owner.username,
            actor=actor,
            **_ids(row),
            every=every,
            keep=keep,
        )
    return row


def find_schedule(source: Component | Stack) -> SnapshotSchedule | None:
    """Return the schedule of a component or of a whole stack."""
    return SnapshotSchedule.objects.filter(**_whose(source)).first()


def end_schedule(source: Component | Stack, *, actor: str) -> None:
    """No more snapshots are created by themselves; those that are there stay, and so do the
    schedules of the components in a stack. Does nothing where there is no schedule.
    """
    with transaction.atomic():
        Person.objects.select_for_update().get(id=source.owner_id)
        _drop(SnapshotSchedule.objects.filter(**_whose(source)), source.owner, actor=actor)


def drop_schedules(source: Component | Stack, *, actor: str) -> bool:
    """Delete the schedule of a component, or those of a stack and its parts, in the caller's
    transaction; return whether there was one.
    """
    of_stack = Q(stack=source) | Q(component__stack=source)
    whose = Q(component=source) if isinstance(source, Component) else of_stack
    return _drop(SnapshotSchedule.objects.filter(whose), source.owner, actor=actor)


def _drop(schedules: QuerySet[SnapshotSchedule], owner: Person, *, actor: str) -> bool:
    rows = list(schedules)
    SnapshotSchedule.objects.filter(id__in=[row.id for row in rows]).delete()
    for row in rows:
        note("snapshot:schedule_ended", owner.username, actor=actor, **_ids(row))
    return bool(rows)


def _whose(source: Component | Stack) -> dict[str, Any]:
    return {"stack" if isinstance(source, Stack) else "component": source}


def _ids(row: SnapshotSchedule) -> dict[str, str]:
    """The source, as the audit names it."""
    return {"component" if row.component_id else "stack": str(row.component_id or row.stack_id)}


def _refuse_deleting(source: Component | Stack) -> Component | Stack:
    """Return the source as it is now. Raises Refused where it is deleted or being deleted."""
    if isinstance(source, Stack):
        return stacks.lock_stack(source)
    current = Component.objects.filter(id=source.id).first()
    if current is None or current.state == Component.State.DELETING:
        raise Refused(of_work("component_deleting"))
    return current


def next_moment(source_id: UUID, every: str, after: datetime) -> datetime:
    """The next moment of a source's own, later than `after`."""
    drawn = int.from_bytes(hashlib.sha256(source_id.bytes).digest()[:8], "big")
    days = 7 if every == SnapshotSchedule.Every.WEEK else 1
    offset = timedelta(seconds=drawn % (days * 86_400))
    midnight = after.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    # Weeks begin on a Monday.
    begins = midnight - DAY * (midnight.weekday() if days == 7 else 0)
    moment = begins + offset
    return moment if moment > after else moment + DAY * days


def why_late(schedule: SnapshotSchedule, now: datetime) -> Message | None:
    """Return why the snapshot that is due was not created yet; None while it is not late."""
    if schedule.next_at is None or now < schedule.next_at + LATE:
        return None
    return explain_lateness(schedule, find_bound(schedule.source.owner))


def explain_lateness(schedule: SnapshotSchedule, full: Message | None) -> Message:
    """Return why a snapshot is late. `full`: that its owner keeps as much as may be."""
    if schedule.source.state != Component.State.READY:
        return message("not_ready", label=schedule.source.label)
    return full or message("schedule_waits")


def make_due(systems: ConnectedSystems, now: datetime) -> None:
    """Create each snapshot that is due: once, also when several were missed."""
    ready, active = Component.State.READY, Person.State.ACTIVE
    due = SnapshotSchedule.objects.filter(
        Q(component__state=ready, component__owner__state=active)
        | Q(stack__state=ready, stack__owner__state=active),
        next_at__lte=now,
    )
    for row in due_rows(TASK, due.order_by("next_at")):
        with attempt(TASK, row.pk):
            _make(row, systems, now)


def _make(row: SnapshotSchedule, systems: ConnectedSystems, now: datetime) -> None:
    """Its snapshot and its next moment are written down together: of two workers one finds it due.
    What is refused is due still.
    """
    with transaction.atomic():
        if schedule := _lock_due(row, now):
            _make_room(schedule.source.owner, systems)
    with transaction.atomic():
        schedule = _lock_due(row, now)
        if schedule is None:
            return
        try:
            creation.create(schedule.source, actor=MANAGER, systems=systems, scheduled=True)
        except Refused:
            return
        schedule.next_at = next_moment(schedule.source.id, schedule.every, now)
        schedule.save(update_fields=["next_at"])


def _lock_due(row: SnapshotSchedule, now: datetime) -> SnapshotSchedule | None:
    """The schedule as it is now, with its owner's row locked; None where it is due no more."""
    owned = Q(components__schedule=row.pk) | Q(stacks__schedule=row.pk)
    owners = Person.objects.filter(owned).values("pk")
    list(Person.objects.select_for_update().filter(pk__in=owners))
    rows = SnapshotSchedule.objects.select_related("component__owner", "stack__owner")
    return rows.filter(pk=row.pk, next_at__lte=now).first()


def _make_room(owner: Person, systems: ConnectedSystems) -> None:
    """At a bound the oldest scheduled ones go, whatever they are of."""
    ready = kept_by(owner).filter(scheduled=True, state=Snapshot.State.READY)
    for snapshot in ready.order_by("created_at"):
        if not measure_usage(owner).is_full:
            return
        _delete([snapshot], systems)


def delete_excess(systems: ConnectedSystems, now: datetime) -> None:
    """Delete the scheduled snapshots that are more than are kept or older than may be, and those
    that failed before the newest one.
    """
    rows = Snapshot.objects.filter(scheduled=True).order_by("-created_at")
    scheduled = rows.filter(Q(component__schedule__isnull=False) | Q(stack__schedule__isnull=False))
    keep = {one.component_id or one.stack_id: one.keep for one in SnapshotSchedule.objects.all()}
    by_source: dict[UUID | None, list[Snapshot]] = defaultdict(list)
    for snapshot in scheduled.filter(state__in=(Snapshot.State.READY, Snapshot.State.FAILED)):
        by_source[snapshot.component_id or snapshot.stack_id].append(snapshot)
    for source_id, found in by_source.items():
        ready = [one for one in found if one.state == Snapshot.State.READY]
        older = [one for one in found if ready and one.created_at < ready[0].created_at]
        failed = [one for one in older if one.state == Snapshot.State.FAILED]
        _delete([*ready[keep.get(source_id, MOST_KEPT) :], *failed], systems)
    if days := settings.SNAPSHOT_BOUNDS.days:
        _delete(rows.filter(state=Snapshot.State.READY, created_at__lt=now - DAY * days), systems)


def _delete(snapshots: Iterable[Snapshot], systems: ConnectedSystems) -> None:
    """One that is being restored is deleted later."""
    for snapshot in snapshots:
        with contextlib.suppress(Refused):
            deletion.delete(snapshot, actor=MANAGER, systems=systems)
