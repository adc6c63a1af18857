"""Differences as things that last: one item opens when a walk first sees it, stays the same while
walks see it, and ends by itself with the whole walk that sees it no more.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.db.models import Q, QuerySet

from workspace_manager.core import hold
from workspace_manager.reconcile.found import Found
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


def keep(part: ReconcilePart, found: Iterable[Found], now: datetime) -> None:
    """Write down what a page showed, in the caller's transaction. What an open plan is about is
    just changing, and no new difference; one that was there before lasts, with its reason to wait.
    """
    wanted = {one.key: one for one in _still_unknown(list(found))}
    if not wanted:
        return
    busy = _busy(list(wanted.values()))
    names = {name for _, _, name, _ in wanted}
    rows = ReconcileItem.objects.filter(system=part.system, name__in=names, ended_at=None)
    there = {(row.difference, row.kind, row.name, row.holder): row for row in rows}
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
        (same if before == {name: getattr(row, name) for name in SAID} else changed).append(row)
    ReconcileItem.objects.bulk_create(new, batch_size=200)
    ReconcileItem.objects.bulk_update(changed, [*SAID, "last_run", "last_seen"], batch_size=100)
    ReconcileItem.objects.filter(n__in=[row.n for row in same]).update(
        last_run=part.run_id, last_seen=now
    )


def _row(part: ReconcilePart, one: Found, now: datetime) -> ReconcileItem:
    row = ReconcileItem(
        difference=one.difference,
        system=part.system,
        kind=one.one.kind,
        name=one.one.name,
        holder=one.holder,
        last_run_id=part.run_id,
        first_seen=now,
        last_seen=now,
    )
    _say(row, one)
    return row


def _say(row: ReconcileItem, found: Found) -> None:
    one = found.one
    row.target, row.username, row.sub = dict(one.target), found.username, one.sub
    row.login_name, row.email, row.full_name = one.username, one.email, one.full_name
    row.email_confirmed, row.ours = one.email_confirmed, one.ours
    row.evidence, row.reason = one.seen, found.reason


def _still_unknown(found: list[Found]) -> list[Found]:
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


def _busy(found: Sequence[Found]) -> set[Key]:
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


def end_unseen(part: ReconcilePart, now: datetime) -> None:
    """After a whole walk, in the caller's transaction: what it did not see is over."""
    rows = ReconcileItem.objects.filter(system=part.system, ended_at=None)
    rows.exclude(last_run=part.run_id).update(ended_at=now)


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
