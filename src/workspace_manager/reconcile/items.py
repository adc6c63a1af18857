"""Differences as things that last: one item opens when a walk first sees it, stays the same while
walks see it, and ends by itself with the walk that looks for its own thing and sees it without.
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
"""That something is recorded and not there: every walk asks that of all that is recorded."""


def record_page(
    part: ReconcilePart,
    found: Iterable[FoundDifference],
    now: datetime,
    listed: Sequence[InventoryEntry] = (),
) -> None:
    """Write down what a page (`listed`) showed, in the caller's transaction. What an open plan is
    about just changes and is no new difference; one that was there lasts, with its reason to wait.
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
    """Those that are open by now."""
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
    """Without the accounts that were written down as somebody's since they were compared."""
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
    """Those that an open plan is about: of the account or thing, or of the person it may belong
    to.
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
    """After a whole walk, in the caller's transaction: what was looked for and seen otherwise is
    over, and what lists that leave nothing out do not have.
    """
    listed = Q(looked_at__gte=part.started_at) | ~Q(kind__in=part.unsure)
    _open_in(part).exclude(last_run=part.run_id).filter(listed | Q(difference__in=ABSENT)).update(
        ended_at=now
    )


def to_look_at(part: ReconcilePart) -> QuerySet[ReconcileItem]:
    """What lasts and whose own thing was not looked for in this run, the oldest look first."""
    absent = Q(difference__in=ABSENT, last_run=part.run_id)
    unlisted = ~Q(difference__in=ABSENT) & Q(kind__in=part.unsure)
    rows = _not_looked_at(part).filter(absent | unlisted)
    return rows.order_by(F("looked_at").asc(nulls_first=True), "n")


def count_not_looked_at(part: ReconcilePart) -> int:
    """How many last because nobody looked for their own things in this run."""
    return _not_looked_at(part).count()


def _not_looked_at(part: ReconcilePart) -> QuerySet[ReconcileItem]:
    return _open_in(part).filter(Q(looked_at=None) | Q(looked_at__lt=part.started_at))


def _open_in(part: ReconcilePart) -> QuerySet[ReconcileItem]:
    return ReconcileItem.objects.filter(system=part.system, ended_at=None)


def end_uninstalled(systems: Collection[str], now: datetime) -> None:
    """What was found in a system that is not installed any more is over: nobody looks there, and
    nothing can be done about it.
    """
    rows = ReconcileItem.objects.filter(ended_at=None).exclude(system__in=systems)
    rows.update(ended_at=now)


def open_items(*, ignored: bool = False) -> QuerySet[ReconcileItem]:
    """What is otherwise than recorded, and lasts. `ignored`: also what somebody put off."""
    rows = ReconcileItem.objects.filter(ended_at=None)
    return rows if ignored else rows.exclude(ignored_until__gt=hold.ends_by())


def last_run() -> ReconcileRun | None:
    """The newest whole comparison."""
    return ReconcileRun.objects.filter(state=ReconcileRun.State.DONE).order_by("started_at").last()


def items_of(run: ReconcileRun) -> QuerySet[ReconcileItem]:
    """What was otherwise than recorded when a run ended; now, while it runs and after the last
    one.
    """
    newer = ReconcileRun.objects.filter(started_at__gt=run.started_at).exists()
    if run.finished_at is None or not newer:
        return ReconcileItem.objects.filter(ended_at=None)
    lasted = Q(ended_at=None) | Q(ended_at__gt=run.finished_at)
    return ReconcileItem.objects.filter(lasted, first_seen__lte=run.finished_at)
