"""For whom something may wait, and of which kinds: found in as many statements for many people as
for one, so that nothing is asked for anybody else.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Q, QuerySet

from workspace_manager.core.address_owners import having_one_of
from workspace_manager.inbox import own_items, people_items, waiting_items
from workspace_manager.people import end_dates
from workspace_manager.records.models import (
    ApiToken,
    Component,
    Invitation,
    Membership,
    MembershipRequest,
    NoticeSent,
    Permission,
    Person,
    Plan,
    Project,
    Snapshot,
    SnapshotSchedule,
    Stack,
)
from workspace_manager.snapshots.schedule import LATE
from workspace_manager.work import memberships
from workspace_manager.work.component_end import RESTORING_IN_PLACE

UNMADE: Final = Q(state__in=(Component.State.FAILED, Component.State.DELETING))


def may_be_told(now: datetime) -> Iterator[tuple[Person, frozenset[str]]]:
    """Everybody who is here, can be written to, and for whom something of these kinds may wait; or
    who was told of something that may be over. Some for whom nothing waits are among them.
    """
    kinds: dict[UUID, set[str]] = defaultdict(set)
    some = Q(role=Person.Role.ADMINISTRATOR)
    some |= Q(id__in=NoticeSent.objects.filter(ended_at=None).values("person"))
    for kind, ids in _reasons(now):
        some |= Q(id__in=ids)
        for id_ in ids:
            kinds[id_].add(kind)
    here = Person.objects.filter(state=Person.State.ACTIVE, is_active=True).exclude(email="")
    for person in here.filter(some).iterator():
        by_role = waiting_items.OF_ADMINISTRATORS if person.is_administrator else ()
        yield person, frozenset(by_role) | kinds.get(person.pk, set())


def _reasons(now: datetime) -> Iterator[tuple[str, QuerySet[Any]]]:
    """Kinds of things that wait for people by what they have, and the ids of these people."""
    asked = MembershipRequest.objects.filter(state=memberships.PENDING).values("project")
    managing = Membership.objects.filter(role=Membership.Role.MANAGE, project__in=asked)
    invited = Invitation.objects.filter(declined=False, expires_at__gt=now)
    tokens = ApiToken.objects.filter(expires_at__gt=now, expires_at__lte=now + own_items.SOON)
    permissions = Permission.objects.filter(Q(until=None) | Q(until__gt=now))
    deciding = permissions.filter(name=Permission.Name.APPROVE_REGISTRATIONS)
    ending = permissions.filter(until__lte=now + people_items.SOON)
    yield "request", Project.objects.filter(pk__in=asked).values_list("owner", flat=True)
    yield "request", managing.values_list("person", flat=True)
    yield "invitation", invited.exclude(person=None).values_list("person", flat=True)
    addresses = invited.exclude(email="").values("email")
    yield "invitation", having_one_of(addresses).values_list("id", flat=True)
    yield "token", tokens.values_list("person", flat=True)
    yield "registration", deciding.values_list("person", flat=True)
    yield "own_permission", ending.values_list("person", flat=True)
    yield "own_account", end_dates.people_ending(end_dates.SHOWN).values_list("id", flat=True)
    yield "component_failed", Component.objects.filter(UNMADE).values_list("owner", flat=True)
    failed = Snapshot.objects.filter(state=Snapshot.State.FAILED)
    yield "snapshot_failed", failed.values_list("owner", flat=True)
    damaged = Snapshot.objects.filter(damage__isnull=False)
    yield "snapshot_damaged", damaged.values_list("owner", flat=True)
    late = SnapshotSchedule.objects.filter(next_at__lte=now - LATE)
    for owner in ("component__owner", "stack__owner"):
        yield "snapshot_late", late.exclude(**{owner: None}).values_list(owner, flat=True)
    restores = Plan.objects.filter(kind=RESTORING_IN_PLACE, state=Plan.State.STUCK)
    yield (
        "restore_stuck",
        Person.objects.filter(
            pk__in=[one for one in restores.values_list("subject", flat=True) if one]
        ).values_list("id", flat=True),
    )
    yield "stack_failed", Stack.objects.filter(UNMADE).values_list("owner", flat=True)
