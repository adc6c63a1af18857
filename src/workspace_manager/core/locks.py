"""Named locks in the database: one writer at a time where a write replaces everything. Each ends by
itself after a lease.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from workspace_manager.contract import deadline
from workspace_manager.core.clock import database_now
from workspace_manager.records.models import Lock


def lease() -> timedelta:
    """Return how long a claim holds without being renewed: `WORKSPACE_LEASE_SECONDS`."""
    return timedelta(seconds=settings.LEASE_SECONDS)


@dataclass
class NamedLock:
    """A lock that is held. `released`: whether it was let go already, in a transaction of its
    holder's.
    """

    name: str
    token: str
    released: bool = False

    def release(self) -> None:
        """Let it go, in the caller's transaction if there is one."""
        Lock.objects.filter(name=self.name, owner=self.token).delete()

    def forget(self) -> None:
        """It was let go, and that is committed."""
        self.released = True


@contextlib.contextmanager
def lock(name: str, *, token: str) -> Iterator[NamedLock | None]:
    """Hold a named lock; yields None at once when somebody else holds it. Ends by itself after a
    lease.
    """
    end = deadline.moment() + settings.LEASE_SECONDS
    held = NamedLock(name, token) if _made(name, token) else None
    try:
        with deadline.act_until(end):
            yield held
    finally:
        if held and not held.released:
            held.release()


def _made(name: str, token: str) -> bool:
    """Return whether the lock could be made. Nothing is read when it could not: its holder may have
    let it go meanwhile.
    """
    try:
        with transaction.atomic():
            now = database_now()
            _ended(now).filter(name=name).delete()
            Lock.objects.create(name=name, owner=token, until=now + lease())
    except IntegrityError:
        return False
    return True


def _ended(now: datetime) -> QuerySet[Lock]:
    """Locks whose owner is gone. None can end later than a whole lease from now: then the clock was
    turned back.
    """
    return Lock.objects.filter(Q(until__lte=now) | Q(until__gt=now + lease()))


def forget_old_locks() -> None:
    """Delete locks whose owner is gone: a killed worker's lock would keep the id of somebody who
    left.
    """
    _ended(database_now()).delete()
