"""Items for administrators about systems that disagree with the records: identities that were
deleted or disabled at the identity provider, and the differences of the last complete comparison.

See docs/explanation/inbox.md#what-waits.
"""

from datetime import datetime
from typing import Final

from allauth.socialaccount.models import SocialAccount
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from workspace_manager.contract.message import Person as Named
from workspace_manager.core.account_link import PROVIDER
from workspace_manager.core.connected_systems import label_of
from workspace_manager.inbox.item import Action
from workspace_manager.inbox.messages import message
from workspace_manager.inbox.source import ItemText, Source, of_administrators
from workspace_manager.records.models import (
    Person,
    ProviderState,
    ReconcileItem,
    ReconcilePart,
    ReconcileRun,
)
from workspace_manager.systems import registry


@of_administrators
def _identities(_person: Person, _now: datetime) -> QuerySet[Person]:
    """Return active people whose identity is deleted, or disabled without a suspension."""
    links = SocialAccount.objects.filter(user=OuterRef(OuterRef("pk")), provider=PROVIDER)
    said = ProviderState.objects.filter(sub__in=links.values("uid"))
    rows = Person.objects.exclude(state=Person.State.LEAVING).annotate(
        there=Subquery(said.values("state")[:1]), said_since=Subquery(said.values("since")[:1])
    )
    disabled = Q(there=ProviderState.State.DISABLED, state=Person.State.ACTIVE)
    return rows.filter(Q(there=ProviderState.State.GONE) | disabled)


def _told_identity(row: Person) -> ItemText:
    said = "gone" if getattr(row, "there", "") == ProviderState.State.GONE else "disabled"
    what = message(f"identity_{said}", name=Named(person=row.username))
    where = Action(message("look_at_person"), f"/manage/people/{row.username}")
    return ItemText(what, where, message(f"identity_{said}.why"))


@of_administrators
def _differences(_person: Person, now: datetime) -> QuerySet[ReconcilePart]:
    """Return one row for each system with differences; their own page lists and searches them."""
    last = ReconcileRun.objects.filter(state=ReconcileRun.State.DONE).order_by("-started_at")
    open_ = ReconcileItem.objects.filter(
        Q(ignored_until=None) | Q(ignored_until__lte=now),
        system=OuterRef("system"),
        ended_at=None,
    ).order_by()
    counted = open_.values("system").annotate(n=Count("n"))
    rows = ReconcilePart.objects.filter(run=Subquery(last.values("pk")[:1]))
    return (
        rows.filter(system__in=registry().names())
        .annotate(
            differences=Coalesce(Subquery(counted.values("n")), 0),
            oldest=Subquery(open_.order_by("first_seen").values("first_seen")[:1]),
        )
        .filter(differences__gt=0)
    )


def _told_differences(row: ReconcilePart) -> ItemText:
    n = getattr(row, "differences", 1)
    what = message("differences", n=n, system=label_of(row.system))
    address = f"/manage/reconcile?system={row.system}"
    return ItemText(
        what, Action(message("look_at_differences"), address), message("differences.why")
    )


SOURCES: Final = (
    Source(
        "identity_gone",
        _identities,
        _told_identity,
        "said_since",
        ("username", "email"),
        serious=True,
    ),
    # Each run writes rows of its own; only the system's name stays the same.
    Source("drift", _differences, _told_differences, "oldest", ("system",), subject="system"),
)
