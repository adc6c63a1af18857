"""Strangers at the door: people the identity provider vouches for and whom nobody here knows.

Nobody is let in on a name alone. Each is written down once, and an administrator relinks a person whose `sub` changed, adopts somebody
by approval, or refuses for good.
"""

import uuid

from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from workspace_manager.lifecycle import history
from workspace_manager.lifecycle.deprovision.start import end_sessions
from workspace_manager.lifecycle.refusal import Refused
from workspace_manager.lifecycle.register import standing_tombstones
from workspace_manager.records.models import Account, Person, Plan, Registration, Stranger

PROVIDER = "identity_provider"
OTHER_SUB = "another sub"


def seen(*, sub: str, username: str, email: str, why: str) -> None:
    """Write down that somebody was refused at the door; again only counts."""
    stranger, new = Stranger.objects.get_or_create(
        sub=sub, defaults={"username": username[:255], "email": email[:254], "why": why}
    )
    if not new:
        Stranger.objects.filter(id=stranger.id).update(
            username=username[:255],
            email=email[:254],
            last_seen=timezone.now(),
            times=F("times") + 1,
            why=why,
        )


def relink(stranger_id: uuid.UUID, *, actor: str) -> Person:
    """Link the person of that name to the new `sub`: the identity-provider user was made again. Raises Refused."""
    with transaction.atomic():
        stranger = _open(stranger_id)
        person = Person.objects.select_for_update().filter(username=stranger.username).first()
        if person is None:
            raise Refused(
                f"Nobody called {stranger.username} is here. Adopt this account instead, or refuse it."
            )
        if person.state != Person.State.ACTIVE:
            raise Refused(f"{person.username} is {person.state}; nothing is linked.")
        SocialAccount.objects.filter(user=person, provider=PROVIDER).delete()
        SocialAccount.objects.create(
            user=person, provider=PROVIDER, uid=stranger.sub, extra_data={}
        )
        now = timezone.now()
        Account.objects.filter(person=person, kind="identity_provider.user", gone_at=None).update(
            gone_at=now
        )
        Account.objects.create(
            system=PROVIDER,
            kind="identity_provider.user",
            name=stranger.sub,
            username=person.username,
            person=person,
        )
        end_sessions(person)
        _decide(stranger, Stranger.State.RELINKED, actor)
    return person


def adopt(stranger_id: uuid.UUID, *, actor: str) -> Registration:
    """Approve an account that stands in the identity provider already: the next sign-in is the first. Raises Refused."""
    with transaction.atomic():
        stranger = _open(stranger_id)
        name = stranger.username
        if Person.objects.filter(username=name).exists():
            raise Refused(
                f"Somebody called {name} is here already. Relink that person, or refuse this account."
            )
        if standing_tombstones().filter(username=name).exists():
            raise Refused(f"The name {name} is kept by a tombstone. Release it first.")
        if Plan.objects.filter(kind="removal", person=name, state__in=Plan.OPEN).exists():
            raise Refused(f"{name} is being removed right now.")
        registration = Registration.objects.create(
            username=name,
            email=stranger.email,
            status=Registration.Status.APPROVED,
            sub=stranger.sub,
            decided_at=timezone.now(),
            decided_by=actor,
        )
        Account.objects.get_or_create(
            system=PROVIDER,
            kind="identity_provider.user",
            name=stranger.sub,
            gone_at=None,
            defaults={"username": name},
        )
        _decide(stranger, Stranger.State.ADOPTED, actor)
    return registration


def refuse(stranger_id: uuid.UUID, *, actor: str) -> Stranger:
    """Settle that this account does not belong here. The page it sees stays the same. Raises Refused."""
    with transaction.atomic():
        stranger = _open(stranger_id)
        _decide(stranger, Stranger.State.REFUSED, actor)
    return stranger


def _open(stranger_id: uuid.UUID) -> Stranger:
    stranger = Stranger.objects.select_for_update().get(id=stranger_id)
    if stranger.state != Stranger.State.OPEN:
        raise Refused(f"This was decided already: {stranger.state} by {stranger.decided_by}.")
    return stranger


def _decide(stranger: Stranger, state: str, actor: str) -> None:
    stranger.state, stranger.decided_by = state, actor
    stranger.save(update_fields=["state", "decided_by"])
    history.note(f"stranger:{state}", stranger.username, actor=actor, sub=stranger.sub)
