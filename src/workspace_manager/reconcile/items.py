"""Lasting differences: an item opens when a run first sees it, and ends when a run that looks for
the thing itself no longer sees the difference.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Final

from django.db.models import F, Q, QuerySet

from workspace_manager.contract.inventory import InventoryEntry
from workspace_manager.core import hold
from workspace_manager.reconcile.found_difference import FoundDifference
from workspace_manager.records.models import (
    Account,
    Plan,
    PlanChange,
    ReconcileItem,
    ReconcilePart,
    ReconcileRun,
)

SAID = (
    *("target", "username", "sub", "login_name", "email", "email_confirmed", "full_name", "ours"),
    *("evidence", "reason"),
)

Key = tuple[str, str, str, str]
ABSENT: Final = (ReconcileItem.Difference.MISSING, ReconcileItem.Difference.IDENTITY_GONE)
"""Differences of recorded things that are absent; every run checks all records for them."""


def record_page(
    part: ReconcilePart,
    found: Iterable[FoundDifference],
    now: datetime,
    listed: Sequence[InventoryEntry] = (),
) -> None:
    """Save the differences of a page (`listed`), in the caller's transaction. Things that an open
    plan changes give no new difference; an existing one stays, with the reason of its delay.
    """
    wanted = {one.key: one for one in _still_unknown(list(found))}
    shown = {(one.kind, one.name): one for one in listed if not one.unread}
    there = _open_of(part, {name for _, _, name, _ in wanted} | {name for _, name in shown})
    seen = [
        row.n
        for row in there.values()
        for one in [shown.get((row.kind, row.name))]
        if one and not (row.holder and one.holders_unread)
    ]
    ReconcileItem.objects.filter(n__in=seen).update(looked_at=now)
    if not wanted:
        return
    busy = _busy(list(wanted.values()))
    new: list[ReconcileItem] = []
    changed: list[ReconcileItem] = []
    same: list[ReconcileItem] = []
    for key, one in wanted.items():
        row = there.get(key)
        if key in busy:
            same += [row] if row else []
            continue
        if row is None:
            new.append(_row(part, one, now))
            continue
        before = {name: getattr(row, name) for name in SAID}
        _say(row, one)
        row.last_run_id, row.last_seen = part.run_id, now
        row.looked_at = now if one.looked else row.looked_at
        (same if before == {name: getattr(row, name) for name in SAID} else changed).append(row)
    ReconcileItem.objects.bulk_create(new, batch_size=200)
    times = ["last_run", "last_seen", "looked_at"]
    ReconcileItem.objects.bulk_update(changed, [*SAID, *times], batch_size=100)
    kept = ReconcileItem.objects.filter(n__in=[row.n for row in same])
    kept.update(last_run=part.run_id, last_seen=now)
    looked = [row.n for row in same if row.looked_at == now]
    kept.filter(n__in=looked).update(looked_at=now)


def _open_of(part: ReconcilePart, names: Collection[str]) -> dict[Key, ReconcileItem]:
    rows = ReconcileItem.objects.filter(system=part.system, name__in=names, ended_at=None)
    return {(row.difference, row.kind, row.name, row.holder): row for row in rows}


def open_keys(part: ReconcilePart, found: Iterable[FoundDifference]) -> set[Key]:
    """Return the keys of those that are open already."""
    return _open_of(part, {one.one.name for one in found}).keys() & {one.key for one in found}


def _row(part: ReconcilePart, one: FoundDifference, now: datetime) -> ReconcileItem:
    row = ReconcileItem(
        difference=one.difference,
        system=part.system,
        kind=one.one.kind,
        name=one.one.name,
        holder=one.holder,
        last_run_id=part.run_id,
        first_seen=now,
        last_seen=now,
        looked_at=now if one.looked else None,
    )
    _say(row, one)
    return row


def _say(row: ReconcileItem, found: FoundDifference) -> None:
    one = found.one
    row.target, row.username, row.sub = dict(one.target), found.username, one.sub
    row.login_name, row.email, row.full_name = one.username, one.email, one.full_name
    row.email_confirmed, row.ours = one.email_confirmed, one.ours
    row.evidence, row.reason = one.seen, found.reason


def _still_unknown(found: list[FoundDifference]) -> list[FoundDifference]:
    """Leave out accounts that were recorded as somebody's since the comparison."""
    unknown = ReconcileItem.Difference.UNKNOWN_ACCOUNT
    accounts = [one.one for one in found if one.difference == unknown]
    if not accounts:
        return found
    rows = Account.objects.filter(
        kind__in={one.kind for one in accounts},
        name__in={one.name for one in accounts},
        gone_at=None,
    )
    known = set(rows.order_by().values_list("kind", "name"))
    return [
        one
        for one in found
        if one.difference != unknown or (one.one.kind, one.one.name) not in known
    ]


def _busy(found: Sequence[FoundDifference]) -> set[Key]:
    """Return the keys that an open plan is about: the account, the thing, or the possible
    person.
    """
    names = {name for one in found for name in (one.one.name, one.one.username) if name}
    people = {one.username for one in found if one.username}
    plans = Plan.objects.filter(state__in=Plan.OPEN)
    busy = set(plans.filter(person__in=people).values_list("person", flat=True))
    changes = PlanChange.objects.filter(
        step__plan__state__in=Plan.OPEN, kind__in={one.one.kind for one in found}, name__in=names
    )
    at_work = set(changes.values_list("kind", "name"))
    return {
        one.key
        for one in found
        if one.username in busy
        or (one.one.kind, one.one.name) in at_work
        or (one.one.kind, one.one.username) in at_work
    }


def end_seen(part: ReconcilePart, now: datetime) -> None:
    """End differences after a complete run, in the caller's transaction: those checked and not
    confirmed, and those that a complete listing lacks.
    """
    listed = Q(looked_at__gte=part.started_at) | ~Q(kind__in=part.unsure)
    _open_in(part).exclude(last_run=part.run_id).filter(listed | Q(difference__in=ABSENT)).update(
        ended_at=now
    )


def to_look_at(part: ReconcilePart) -> QuerySet[ReconcileItem]:
    """Return lasting differences that this run has not checked, the oldest check first."""
    absent = Q(difference__in=ABSENT, last_run=part.run_id)
    unlisted = ~Q(difference__in=ABSENT) & Q(kind__in=part.unsure)
    rows = _not_looked_at(part).filter(absent | unlisted)
    return rows.order_by(F("looked_at").asc(nulls_first=True), "n")


def count_not_looked_at(part: ReconcilePart) -> int:
    """Count lasting differences that this run has not checked."""
    return _not_looked_at(part).count()


def _not_looked_at(part: ReconcilePart) -> QuerySet[ReconcileItem]:
    return _open_in(part).filter(Q(looked_at=None) | Q(looked_at__lt=part.started_at))


def _open_in(part: ReconcilePart) -> QuerySet[ReconcileItem]:
    return ReconcileItem.objects.filter(system=part.system, ended_at=None)


def end_uninstalled(systems: Collection[str], now: datetime) -> None:
    """End the differences of systems that are no longer installed: nothing can be checked or done
    there.
    """
    rows = ReconcileItem.objects.filter(ended_at=None).exclude(system__in=systems)
    rows.update(ended_at=now)


def open_items(*, ignored: bool = False) -> QuerySet[ReconcileItem]:
    """Return open differences. `ignored` includes those that somebody put off."""
    rows = ReconcileItem.objects.filter(ended_at=None)
    return rows if ignored else rows.exclude(ignored_until__gt=hold.ends_by())


def last_run() -> ReconcileRun | None:
    """Return the last complete comparison."""
    return ReconcileRun.objects.filter(state=ReconcileRun.State.DONE).order_by("started_at").last()


def items_of(run: ReconcileRun) -> QuerySet[ReconcileItem]:
    """Return the differences open at the end of a run; of a running or the last one, those open
    now.
    """
    newer = ReconcileRun.objects.filter(started_at__gt=run.started_at).exists()
    if run.finished_at is None or not newer:
        return ReconcileItem.objects.filter(ended_at=None)
    lasted = Q(ended_at=None) | Q(ended_at__gt=run.finished_at)
    return ReconcileItem.objects.filter(lasted, first_seen__lte=run.finished_at)
