"""Who may work on a plan: a lease with a fencing number, timed by the database's clock.

A claim is a conditional update. A worker that was frozen past its lease, or whose plan was superseded meanwhile, cannot write a
result: every write checks the fencing number in the same transaction. One plan per person runs at a time.

Rows are locked in the order of `resources/locking.py`: the person, then plans. What a person's story does (it has locked the person and
stops the plans) and what a worker does (it writes to a plan, and closing it concerns the person) would else wait for each other.
"""

import contextlib
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from workspace_manager.contract import deadline
from workspace_manager.core.clock import database_now
from workspace_manager.core.locks import lease
from workspace_manager.records.models import Person, Plan

SOON = timedelta(minutes=10)
"""Longer than a plan that waits for nothing is ever put off."""

CLAIMABLE = (Plan.State.DRAFT, *Plan.OPEN, Plan.State.DONE)


class LeaseLost(Exception):
    """Somebody else works on this plan now, or it was superseded; nothing more may be written or called."""


@dataclass
class Claim:
    """The right to work on one plan until the lease ends. `good_until`: when it ends by this host's own count (`deadline.moment`)."""

    plan_id: uuid.UUID
    token: str
    fence: int
    good_until: float
    subject: str = ""

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Write in one transaction, and renew the lease with it. Raises LeaseLost, writing nothing."""
        good_until = deadline.moment() + settings.LEASE_SECONDS
        with transaction.atomic():
            _lock_person(self.subject)
            now = database_now()
            mine = Plan.objects.filter(id=self.plan_id, fence=self.fence, lease_owner=self.token)
            # A plan that became stale or was superseded is worked on by nobody, whoever holds it.
            valid = mine.filter(lease_until__gt=now, state__in=CLAIMABLE)
            renewed = valid.update(lease_until=now + lease())
            if renewed != 1:
                raise LeaseLost
            yield
        self.good_until = good_until

    def acting(self) -> AbstractContextManager[None]:
        """Call what changes something within the lease that was just renewed, and not a moment longer."""
        return deadline.act_until(self.good_until)

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
    good_until = deadline.moment() + settings.LEASE_SECONDS
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
        if not Plan.objects.filter(_due_at(now), id=plan_id, state__in=CLAIMABLE).exists():
            return None
        if any(p.lease_until and _holds(p.lease_until, now) for p in same.values()):
            return None
        plan.fence += 1
        plan.lease_owner = uuid.uuid4().hex
        plan.lease_until = now + lease()
        plan.save(update_fields=["fence", "lease_owner", "lease_until"])
        return Claim(plan.id, plan.lease_owner, plan.fence, good_until, plan.subject)


def _lock_person(subject: str) -> None:
    if subject:
        list(Person.objects.select_for_update().filter(id=subject).values_list("id"))


def _holds(until: datetime, now: datetime) -> bool:
    """Whether a lease stands. None can end later than a whole lease from now: then the clock was turned back, and its owner is fenced off."""
    return now < until <= now + lease()


def due() -> list[uuid.UUID]:
    """Every plan somebody should look at now, oldest first."""
    now = database_now()
    free = Q(lease_until=None) | Q(lease_until__lte=now) | Q(lease_until__gt=now + lease())
    rows = Plan.objects.filter(free, _due_at(now), state__in=CLAIMABLE)
    return list(rows.order_by("due_at").values_list("id", flat=True)[:500])


class Waiting(Enum):
    """What an open plan waits for before somebody works on it."""

    WORK = "somebody works on it"
    ANOTHER_PLAN = "another plan of the person is worked on"
    ITS_TIME = "its time has not come"
    A_WORKER = "nobody takes it up"


def waited_for(plan: Plan) -> Waiting:
    """Why nothing is seen of a plan: for whoever watches it. It is asked, not claimed."""
    now = database_now()
    if plan.lease_until and _holds(plan.lease_until, now):
        return Waiting.WORK
    if not Plan.objects.filter(_due_at(now), id=plan.id).exists():
        return Waiting.ITS_TIME
    others = Plan.objects.filter(subject=plan.subject).exclude(subject="")
    if any(p.lease_until and _holds(p.lease_until, now) for p in others):
        return Waiting.ANOTHER_PLAN
    return Waiting.A_WORKER


def _due_at(now: datetime) -> Q:
    """Whose time has come. A plan that waits for nothing is due at once: if its time is far ahead, the clock was turned back since."""
    turned_back = Q(state__in=(Plan.State.DRAFT, Plan.State.RUNNING), due_at__gt=now + SOON)
    return Q(due_at__lte=now) | turned_back
