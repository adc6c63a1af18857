"""Strangers at the door: people the identity provider vouches for and whom nobody here knows.

Nobody is let in on a name alone. Each is written down once, and an administrator relinks a person whose `sub` changed, adopts somebody
by approval, or refuses for good.
"""

import uuid

from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from workspace_manager.core import audit
from workspace_manager.core.administrators import refuse_former
from workspace_manager.core.refusal import Refused
from workspace_manager.core.sessions import end_sessions
from workspace_manager.people.register import standing_tombstones
from workspace_manager.records.models import Account, Person, Plan, Registration, Stranger
from workspace_manager.removal.kind import REMOVAL

PROVIDER = "identity_provider"
KIND = "identity_provider.user"
OTHER_SUB = "another sub"
SAME_EMAIL = "same e-mail"
NOT_APPROVED = "not approved"
SUSPENDED = "suspended"
TOMBSTONE = "tombstone"
WRITTEN_DOWN = {OTHER_SUB, SAME_EMAIL, NOT_APPROVED, SUSPENDED, TOMBSTONE}
"""Refusals an administrator can do something about; the others are over by themselves, or were decided."""


def seen(*, sub: str, username: str, email: str, why: str) -> None:
    """Write down that somebody was refused at the door; again only counts. What was settled otherwise before is open again."""
    stranger, new = Stranger.objects.get_or_create(
        sub=sub, defaults={"username": username[:255], "email": email[:254], "why": why}
    )
    if not new:
        kept = stranger.state == Stranger.State.REFUSED
        Stranger.objects.filter(id=stranger.id).update(
            username=username[:255],
            email=email[:254],
            last_seen=timezone.now(),
            times=F("times") + 1,
            why=why,
            state=Stranger.State.REFUSED if kept else Stranger.State.OPEN,
            decided_by=stranger.decided_by if kept else "",
        )


def somebody_elses_email(email: str) -> bool:
    """Whether an address belongs to somebody who is here: a second account with it would be a silent one."""
    return bool(email) and Person.objects.filter(email__iexact=email).exists()


def person_for(stranger: Stranger) -> Person | None:
    """Whom a stranger may be relinked to: the person of that name, or of that address when only the address is known."""
    named = Person.objects.filter(username=stranger.username).first()
    if named or stranger.why != SAME_EMAIL or not stranger.email:
        return named
    found = list(Person.objects.filter(email__iexact=stranger.email)[:2])
    return found[0] if len(found) == 1 else None


def repairs(stranger: Stranger, person: Person | None) -> list[str]:
    """What an administrator can do about one, in the words of the commands; `person` is whom `person_for` names."""
    if stranger.state != Stranger.State.OPEN:
        return []
    if stranger.why == SUSPENDED:
        return ["resume"]
    linking = ["relink"] if person else []
    named = person is not None and person.username == stranger.username
    return [*linking, *([] if named else ["adopt"]), "refuse"]


def let_in_again(username: str) -> None:
    """Somebody who was suspended may come in: that they knocked meanwhile needs no decision any more."""
    Stranger.objects.filter(username=username, why=SUSPENDED, state=Stranger.State.OPEN).delete()


def relink(stranger_id: uuid.UUID, *, actor: str) -> Person:
    """Link the person of that name to the new `sub`: the identity-provider user was made again. Raises Refused."""
    with transaction.atomic():
        refuse_former(actor)
        stranger = _open(stranger_id)
        person = person_for(stranger)
        if person is None:
            raise Refused(
                f"Nobody called {stranger.username} is here. Adopt this account instead, or refuse it."
            )
        person = Person.objects.select_for_update().get(id=person.id)
        if person.state != Person.State.ACTIVE:
            raise Refused(f"{person.username} is {person.state}; nothing is linked.")
        _refuse_known_sub(stranger, person)
        SocialAccount.objects.filter(user=person, provider=PROVIDER).delete()
        SocialAccount.objects.create(
            user=person, provider=PROVIDER, uid=stranger.sub, extra_data={}
        )
        now = timezone.now()
        Account.objects.filter(person=person, kind=KIND, gone_at=None).exclude(
            name=stranger.sub
        ).update(gone_at=now)
        account, _ = Account.objects.get_or_create(
            system=PROVIDER,
            kind=KIND,
            name=stranger.sub,
            gone_at=None,
            defaults={"username": person.username},
        )
        account.person, account.username, account.seen_at = person, person.username, now
        account.save(update_fields=["person", "username", "seen_at"])
        end_sessions(person)
        _decide(stranger, Stranger.State.RELINKED, actor)
    return person


def _refuse_known_sub(stranger: Stranger, person: Person | None) -> None:
    """Raise Refused when the account is somebody's already: one account, one person."""
    link = SocialAccount.objects.filter(provider=PROVIDER, uid=stranger.sub).first()
    if link:
        raise Refused(f"This account is linked to {link.user} already.")
    owner = Account.objects.filter(kind=KIND, name=stranger.sub, gone_at=None).first()
    if owner and owner.person_id and (person is None or owner.person_id != person.id):
        raise Refused(f"This account is recorded as that of {owner.username}.")
    if standing_tombstones().filter(sub=stranger.sub).exists():
        raise Refused(
            "This account belonged to somebody who was removed. Delete it at the identity provider."
        )


def adopt(stranger_id: uuid.UUID, *, actor: str) -> Registration:
    """Approve an account that stands in the identity provider already: the next sign-in is the first. Raises Refused."""
    with transaction.atomic():
        refuse_former(actor)
        stranger = _open(stranger_id)
        name = stranger.username
        if Person.objects.filter(username=name).exists():
            raise Refused(
                f"Somebody called {name} is here already. Relink that person, or refuse this account."
            )
        _refuse_known_sub(stranger, None)
        if standing_tombstones().filter(username=name).exists():
            raise Refused(f"The name {name} is kept by a tombstone. Release it first.")
        if Plan.objects.filter(kind=REMOVAL.name, person=name, state__in=Plan.OPEN).exists():
            raise Refused(f"{name} is being removed right now.")
        approved = Registration.objects.filter(status=Registration.Status.APPROVED)
        if approved.filter(username=name).exclude(sub=stranger.sub).exists():
            raise Refused(
                f"Another account was approved as {name}. Withdraw that approval first, or refuse this account."
            )
        # The same account under a name it had before: the approval of that name is used up.
        approved.filter(sub=stranger.sub).exclude(username=name).update(
            status=Registration.Status.WITHDRAWN, decided_at=timezone.now(), decided_by=actor
        )
        registration = Registration.objects.create(
            username=name,
            email=stranger.email,
            status=Registration.Status.APPROVED,
            sub=stranger.sub,
            decided_at=timezone.now(),
            decided_by=actor,
        )
        account, _ = Account.objects.get_or_create(
            system=PROVIDER,
            kind=KIND,
            name=stranger.sub,
            gone_at=None,
            defaults={"username": name},
        )
        if account.username != name:
            account.username = name
            account.save(update_fields=["username"])
        _decide(stranger, Stranger.State.ADOPTED, actor)
    return registration


def refuse(stranger_id: uuid.UUID, *, actor: str) -> Stranger:
    """Settle that this account does not belong here. The page it sees stays the same. Raises Refused."""
    with transaction.atomic():
        refuse_former(actor)
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
    audit.note(f"stranger:{state}", stranger.username, actor=actor, sub=stranger.sub)
