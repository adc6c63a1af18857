"""Look every few minutes whether people still exist at the identity provider, which reports neither
deletions nor disabled users.

The result is kept and shown; its one effect is that these people get nothing new. A person decides
on their removal.

See docs/explanation/signing-in.md#who-is-still-there.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db.models import F, OuterRef, Q, Subquery
from django.utils import timezone

from workspace_manager.access import provider_state
from workspace_manager.contract.connector import Finding
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.system import IDENTITY
from workspace_manager.core.account_link import PROVIDER
from workspace_manager.core.clock import LEAP
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.operations.messages import message
from workspace_manager.records.models import Person, ProviderState, SystemStatus
from workspace_manager.systems import registry

AT_ONCE: Final = 100
"""The most people in one round."""
FEW: Final = 10


def look_again(systems: ConnectedSystems) -> int:
    """Look for people who were not checked lately, and return their number; called every minute."""
    if not settings.IDENTITY_LOOK_MINUTES or not systems.has_identity_provider:
        return 0
    if SystemStatus.objects.filter(system=systems.identity_provider().name, paused=True).exists():
        return 0
    _forget_strangers()
    old = timezone.now() - timedelta(minutes=settings.IDENTITY_LOOK_MINUTES)
    return _look(systems, before=old)


def findings(name: str, systems: ConnectedSystems) -> Sequence[Finding]:
    """Look for people, and return a check's findings about those who are gone."""
    spec = registry().specs[name]
    if IDENTITY not in spec.provides or not systems.has_identity_provider:
        return ()
    _look(systems, before=timezone.now() - timedelta(minutes=1))
    gone = _gone()
    if not gone:
        return ()
    shown = ", ".join(gone[:FEW]) + (", …" if len(gone) > FEW else "")
    return (
        Findings(name).warning(
            message("check_people"), message("people_gone", people=shown), message("remove_them")
        ),
    )


def said_of() -> Subquery:
    """Return the last known state of a person, as a column for queries of people."""
    subs = SocialAccount.objects.filter(user=OuterRef(OuterRef("pk")), provider=PROVIDER)
    said = ProviderState.objects.filter(sub__in=subs.values("uid"))
    return Subquery(said.values("state")[:1])


def _gone() -> list[str]:
    people = Person.objects.annotate(there=said_of()).filter(there=ProviderState.State.GONE)
    staying = people.exclude(state=Person.State.LEAVING).order_by("username")
    return list(staying.values_list("username", flat=True))


def _look(systems: ConnectedSystems, *, before: datetime) -> int:
    """Ask for people who were not checked since `before`, the oldest first, until a question gets
    no answer. Results from the future come from a wrong clock and are ignored.
    """
    said = ProviderState.objects.filter(sub=OuterRef("uid")).values("answered_at")[:1]
    links = (
        SocialAccount.objects.filter(provider=PROVIDER)
        .exclude(user__state=Person.State.LEAVING)
        .annotate(said=Subquery(said))
        .filter(Q(said=None) | Q(said__lt=before) | Q(said__gt=timezone.now() + LEAP))
        .order_by(F("said").asc(nulls_first=True))
    )
    asked = 0
    for sub in list(links.values_list("uid", flat=True)[:AT_ONCE]):
        try:
            provider_state.ask(sub, systems)
        except Unavailable:
            break
        asked += 1
    return asked


def _forget_strangers() -> None:
    """Delete the states of subs without account link."""
    linked = SocialAccount.objects.filter(provider=PROVIDER)
    ProviderState.objects.exclude(sub__in=linked.values("uid")).delete()
