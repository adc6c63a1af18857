"""The lease of a worker on a plan: a lease with a number, timed by the database's clock.

A claim is a conditional update. A worker that was frozen past its lease, or whose plan was
superseded meanwhile, cannot write a result: every write checks the lease's number in the same
transaction. One plan per person runs at a time.

Lock order: the person, then plans. A person's story has locked the person and stops the plans; a
worker writes to a plan, and what it sends or closes concerns the person. Otherwise the two
deadlock.
"""

import contextlib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, Q

from workspace_manager.contract import deadline
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.core import hold
from workspace_manager.core.clock import database_now
from workspace_manager.core.locks import lease
from workspace_manager.engine import retry
from workspace_manager.records.models import Person, Plan

SOON = timedelta(minutes=10)
"""Longer than a plan that waits for nothing is ever put off."""

CLAIMABLE = (Plan.State.DRAFT, *Plan.OPEN)

_LOCKED_STATE = Person.objects.select_for_update().values_list("state", flat=True)

# Written out: it is asked in every transaction, and composing it takes longer than answering it.
_RENEW = (
    "UPDATE records_plan SET lease_until = %s WHERE id = %s AND lease_number = %s"
    " AND lease_until > %s AND state IN (%s, %s, %s, %s)"
)

SPARE_S = 30
"""So much longer than a call may take the lease lasts when it is made: then what it did can be
looked at and written down.
"""


class LeaseLost(Exception):
    """Somebody else works on this plan now, or it was superseded; nothing more may be written or
    called.
    """


@dataclass
class Lease:
    """The right to work on one plan for a while. `good_until`: its end by this host's own count
    (`deadline.moment`); calls are made within it, as it was last renewed.
    """

    plan_id: uuid.UUID
    owner: str
    number: int
    good_until: float
    subject: str = ""
    released: bool = False
    """Whether it was let go already, with the last write."""
    person_state: str | None = None
    """The state of the plan's person when the lease was taken or last written by; None when there
    is no such person.
    """

    @contextlib.contextmanager
    def writing(self) -> Iterator[datetime]:
        """Write in one transaction, and renew the lease with it; gives the database's time. Raises
        LeaseLost, writing nothing.

        The person's row is locked, then the plan's: whatever is read in the block is as it is for
        everybody who changes the plan, and whoever stops a person's plans takes them in this order.
        """
        good_until = deadline.moment() + settings.LEASE_SECONDS
        # Within a transaction of the caller's it fails as a whole: nobody goes on without the
        # lease.
        with transaction.atomic(savepoint=False):
            if self.subject:
                self.person_state = lock_person(self.subject)
            now = database_now()
            if not self._renewed(now):
                raise LeaseLost
            yield now
        self.good_until = good_until

    def _renewed(self, now: datetime) -> bool:
        """Return whether it was still ours. A plan that became stale or was superseded is worked on
        by nobody, whoever holds it.
        """
        moment = connection.ops.adapt_datetimefield_value
        plan = Plan._meta.pk.get_db_prep_value(self.plan_id, connection)
        with connection.cursor() as cursor:
            cursor.execute(
                _RENEW, [moment(now + lease()), plan, self.number, moment(now), *CLAIMABLE]
            )
            return bool(cursor.rowcount == 1)

    def last_for(self, calls: CallPolicy) -> None:
        """Make sure that a call may begin and be answered within the lease. Raises LeaseLost."""
        if self.good_until - deadline.moment() < calls.connect_s + calls.answer_s + SPARE_S:
            with self.writing():
                pass

    def release(self) -> None:
        """Let others have the plan. Harmless when the lease is already somebody else's."""
        if self.released:
            return
        Plan.objects.filter(id=self.plan_id, lease_owner=self.owner).update(
            lease_until=None, lease_owner=""
        )


def claim(plan_id: uuid.UUID) -> Lease | None:
    """Take the lease of a due plan; None when it is not due, or it or another plan of its person is
    being worked on.
    """
    good_until = deadline.moment() + settings.LEASE_SECONDS
    subject = Plan.objects.filter(id=plan_id).values_list("subject", flat=True).first()
    if subject is None:
        return None
    with transaction.atomic():
        state = lock_person(subject) if subject else None
        now = database_now()
        # All plans of the person are locked together: two of them must not be claimed at once.
        theirs = Q(subject=subject) if subject else Q(id=plan_id)
        rows = Plan.objects.select_for_update().filter(theirs).order_by("id")
        held = rows.values_list("id", "lease_until", "lease_number")
        same = {one: (until, number) for one, until, number in held}
        if any(until and _holds(until, now) for until, _ in same.values()):
            return None
        number, owner = same[plan_id][1] + 1, uuid.uuid4().hex
        due_now = Plan.objects.filter(_due_at(now), id=plan_id, state__in=CLAIMABLE)
        if not due_now.update(lease_number=number, lease_owner=owner, lease_until=now + lease()):
            return None
        return Lease(plan_id, owner, number, good_until, subject, person_state=state)


def lock_person(person_id: str) -> str | None:
    """Lock a person's row in the caller's transaction; gives the state, or None when nobody is
    there any more.
    """
    # Not `first()`, which orders: it is asked in every transaction, of one row at most.
    return next(iter(_LOCKED_STATE.filter(id=person_id)), None)


def _holds(until: datetime, now: datetime) -> bool:
    """Return whether a lease stands. None can end later than a whole lease from now: then the clock
    was turned back, and its owner writes nothing more.
    """
    return now < until <= now + lease()


def due_plans() -> list[uuid.UUID]:
    """Every plan somebody should look at now, oldest first."""
    now = database_now()
    free = Q(lease_until=None) | Q(lease_until__lte=now) | Q(lease_until__gt=now + lease())
    rows = Plan.objects.filter(free, _due_at(now), state__in=CLAIMABLE)
    return list(rows.order_by("due_at").values_list("id", flat=True)[:500])


class WaitReason(Enum):
    """The reason why an open plan waits before somebody works on it."""

    WORK = "somebody works on it"
    ANOTHER_PLAN = "another plan of the person is worked on"
    ITS_TIME = "its time has not come"
    A_WORKER = "nobody takes it up"


def waited_for(plan: Plan) -> WaitReason:
    """Return why nothing is seen of a plan: for whoever watches it. It is asked, not claimed."""
    now = database_now()
    if plan.lease_until and _holds(plan.lease_until, now):
        return WaitReason.WORK
    if not Plan.objects.filter(_due_at(now), id=plan.id).exists():
        return WaitReason.ITS_TIME
    others = Plan.objects.filter(subject=plan.subject).exclude(subject="")
    if any(p.lease_until and _holds(p.lease_until, now) for p in others):
        return WaitReason.ANOTHER_PLAN
    return WaitReason.A_WORKER


def _due_at(now: datetime) -> Q:
    """Plans whose time has come. One that waits for nothing is due, and so is one whose next try is
    further ahead than the longest wait: the clock was turned back since.
    """
    # A late look that was not begun goes by the time by which things end: what it looks for has
    # not come yet, if the clock leapt.
    late_look = Q(belongs_to__isnull=False, lease_number=0)
    seen = ~Exists(hold.unseen_leaps(now))
    come = Q(~late_look, due_at__lte=now) | Q(late_look, seen, due_at__lte=hold.ends_by())
    turned_back = Q(state__in=(Plan.State.DRAFT, Plan.State.RUNNING), due_at__gt=now + SOON)
    turned_back |= Q(~late_look, due_at__gt=now + retry.LONGEST)
    return come | turned_back
