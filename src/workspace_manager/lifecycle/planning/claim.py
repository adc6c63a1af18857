"""Who may work on a plan: a lease with a fencing number, timed by the database's clock.

A claim is a conditional update. A worker that was frozen past its lease, or whose plan was superseded meanwhile, cannot write a
result: every write checks the fencing number in the same transaction. One plan per person runs at a time.

Rows are locked in the order of `resources/locking.py`: the person, then plans. What a person's story does (it has locked the person and
stops the plans) and what a worker does (it writes to a plan, and closing it concerns the person) would else wait for each other.
"""

import contextlib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import IntegrityError, connection, transaction
from django.db.models import Q

from workspace_manager.records.models import Lock, Person, Plan

LEASE_S = 150
"""Longer than any one call may take (`CallPolicy.answer_s`), so that a call ends inside the lease it was made under."""

CLAIMABLE = (Plan.State.DRAFT, *Plan.OPEN, Plan.State.DONE)


class LeaseLost(Exception):
    """Somebody else works on this plan now, or it was superseded; nothing more may be written or called."""


def database_now() -> datetime:
    """The database's clock: hosts may disagree, the database does not."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')")
            return datetime.fromisoformat(cursor.fetchone()[0]).replace(tzinfo=UTC)
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
        return moment


@dataclass(frozen=True)
class Claim:
    """The right to work on one plan until the lease ends."""

    plan_id: uuid.UUID
    token: str
    fence: int
    subject: str = ""

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Write in one transaction, and renew the lease with it. Raises LeaseLost, writing nothing."""
        with transaction.atomic():
            _lock_person(self.subject)
            now = database_now()
            renewed = Plan.objects.filter(
                id=self.plan_id, fence=self.fence, lease_owner=self.token, lease_until__gt=now
            ).update(lease_until=now + timedelta(seconds=LEASE_S))
            if renewed != 1:
                raise LeaseLost
            yield

    def renew(self) -> None:
        """Make sure the lease stands right before an outside call. Raises LeaseLost."""
        with self.writing():
            pass

    def release(self) -> None:
        """Let others have the plan. Harmless when the lease is already somebody else's."""
        Plan.objects.filter(id=self.plan_id, lease_owner=self.token).update(
            lease_until=None, lease_owner=""
        )


def claim(plan_id: uuid.UUID) -> Claim | None:
    """Take the lease of a due plan; None when it is not due, or it or another plan of its person is being worked on."""
    with transaction.atomic():
        plan = Plan.objects.filter(id=plan_id).first()
        if plan is None:
            return None
        _lock_person(plan.subject)
        # All plans of the person are locked together: two of them must not be claimed at once.
        theirs = Q(subject=plan.subject) if plan.subject else Q(id=plan_id)
        same = {p.id: p for p in Plan.objects.select_for_update().filter(theirs).order_by("id")}
        now = database_now()
        plan = same[plan_id]
        if plan.state not in CLAIMABLE or plan.due_at is None or plan.due_at > now:
            return None
        if any(p.lease_until and p.lease_until > now for p in same.values()):
            return None
        plan.fence += 1
        plan.lease_owner = uuid.uuid4().hex
        plan.lease_until = now + timedelta(seconds=LEASE_S)
        plan.save(update_fields=["fence", "lease_owner", "lease_until"])
        return Claim(plan.id, plan.lease_owner, plan.fence, plan.subject)


def _lock_person(subject: str) -> None:
    if subject:
        list(Person.objects.select_for_update().filter(id=subject).values_list("id"))


def due() -> list[uuid.UUID]:
    """Every plan somebody should look at now, oldest first."""
    now = database_now()
    free = Q(lease_until=None) | Q(lease_until__lte=now)
    rows = Plan.objects.filter(free, due_at__lte=now, state__in=CLAIMABLE)
    return list(rows.order_by("due_at").values_list("id", flat=True)[:500])


@contextlib.contextmanager
def lock(name: str, *, token: str, seconds: int = 60) -> Iterator[bool]:
    """Hold a named lock; yields False at once when somebody else holds it. Ends by itself after `seconds`."""
    made = _made(name, token, seconds)
    try:
        yield made
    finally:
        if made:
            Lock.objects.filter(name=name, owner=token).delete()


def _made(name: str, token: str, seconds: int) -> bool:
    """Whether the lock could be made. Nothing is read when it could not: its holder may have let it go meanwhile."""
    now = database_now()
    Lock.objects.filter(name=name, until__lte=now).delete()
    try:
        with transaction.atomic():
            Lock.objects.create(name=name, owner=token, until=now + timedelta(seconds=seconds))
    except IntegrityError:
        return False
    return True
