"""Named locks in the database: one writer at a time where a write replaces everything. Each ends by itself after a lease."""

import contextlib
from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q

from workspace_manager.contract import deadline
from workspace_manager.core.clock import database_now
from workspace_manager.records.models import Lock


def lease() -> timedelta:
    """How long a claim holds without being renewed: `WORKSPACE_LEASE_SECONDS`."""
    return timedelta(seconds=settings.LEASE_SECONDS)


@contextlib.contextmanager
def lock(name: str, *, token: str) -> Iterator[bool]:
    """Hold a named lock; yields False at once when somebody else holds it. Ends by itself after a lease."""
    end = deadline.moment() + settings.LEASE_SECONDS
    made = _made(name, token)
    try:
        with deadline.act_until(end):
            yield made
    finally:
        if made:
            Lock.objects.filter(name=name, owner=token).delete()


def _made(name: str, token: str) -> bool:
    """Whether the lock could be made. Nothing is read when it could not: its holder may have let it go meanwhile."""
    forget_old_locks(name=name)
    try:
        with transaction.atomic():
            Lock.objects.create(name=name, owner=token, until=database_now() + lease())
    except IntegrityError:
        return False
    return True


def forget_old_locks(**about: str) -> None:
    """Delete locks whose owner is gone: a killed worker's lock would keep the id of somebody who left."""
    now = database_now()
    ended = Q(until__lte=now) | Q(until__gt=now + lease())
    Lock.objects.filter(ended, **about).delete()
