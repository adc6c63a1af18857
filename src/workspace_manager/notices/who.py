"""For whom something may wait: found in one statement, so that nobody else is looked at."""

from datetime import datetime

from django.db.models import Q, QuerySet

from workspace_manager.inbox import of_own, of_people
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
    Project,
    Stack,
)
from workspace_manager.work import memberships


def administrators() -> QuerySet[Person]:
    """Those for whom the trouble of systems and plans waits, the longest here first."""
    return Person.objects.active_administrators().order_by("created_at", "id")


def may_be_told(now: datetime) -> QuerySet[Person]:
    """Everybody who is here, can be written to, and for whom something may wait; or who was told of
    something that may be over. Some for whom nothing waits are among them.
    """
    asked = MembershipRequest.objects.filter(state=memberships.PENDING).values("project")
    managing = Membership.objects.filter(role=Membership.Role.MANAGE, project__in=asked)
    invited = Invitation.objects.filter(declined=False, expires_at__gt=now)
    tokens = ApiToken.objects.filter(expires_at__gt=now, expires_at__lte=now + of_own.SOON)
    permissions = Permission.objects.filter(Q(until=None) | Q(until__gt=now))
    ending = Q(name=Permission.Name.APPROVE_REGISTRATIONS) | Q(until__lte=now + of_people.SOON)
    unmade = Q(state__in=(Component.State.FAILED, Component.State.DELETING))
    some = (
        Q(role=Person.Role.ADMINISTRATOR)
        | Q(id__in=Project.objects.filter(pk__in=asked).values("owner"))
        | Q(id__in=managing.values("person"))
        | Q(id__in=invited.values("person"))
        | Q(id__in=tokens.values("person"))
        | Q(id__in=permissions.filter(ending).values("person"))
        | Q(id__in=end_dates.ending(end_dates.SHOWN).values("id"))
        | Q(id__in=Component.objects.filter(unmade).values("owner"))
        | Q(id__in=Stack.objects.filter(unmade).values("owner"))
        | Q(id__in=NoticeSent.objects.filter(ended_at=None).values("person"))
    )
    here = Person.objects.filter(state=Person.State.ACTIVE, is_active=True).exclude(email="")
    return here.filter(some)
