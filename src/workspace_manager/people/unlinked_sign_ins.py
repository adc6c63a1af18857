"""Sign-ins of people whom the identity provider knows and nobody here approved.

Each is written down once. An administrator links the person whose `sub` changed, approves, or
refuses for good; a name alone lets nobody in.
"""

import uuid
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from workspace_manager.access.administrators import refuse_former
from workspace_manager.access.sessions import end_sessions
from workspace_manager.accounts import renewal
from workspace_manager.audit.note import note
from workspace_manager.core.address_owners import Address, whose_each
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.deadlocks import retry_after_deadlock
from workspace_manager.core.refusal import Refused
from workspace_manager.core.states import state_of
from workspace_manager.letters import change_notices
from workspace_manager.letters.messages import message as of_what_happened
from workspace_manager.people import confirm_email, linking_proof, names_free
from workspace_manager.people.messages import message
from workspace_manager.records.models import Account, Person, Registration, UnapprovedSignIn
from workspace_manager.work import sharing

PROVIDER = "identity_provider"
KIND = "identity_provider.user"


class RefusalReason(StrEnum):
    """Why somebody was not let in. Stored, and shown by REST and the command line: the
    words stay.
    """

    OTHER_SUB = "another sub"
    """A person of this name is here, linked to another account."""
    SAME_EMAIL = "same e-mail"
    """Somebody here has the address, under another account."""
    NOT_APPROVED = "not approved"
    """Nobody approved this account."""
    SUSPENDED = "suspended"
    """The person is, for now."""
    TOMBSTONE = "tombstone"
    """The account or the name is of somebody who left."""
    LEAVING = "leaving"
    """The person is being removed."""
    BEING_WITHDRAWN = "being withdrawn"
    """The approval is just being decided about again."""
    NO_NAME = "no name"
    """The identity provider named nobody that could be here."""
    NAME_NOT_FREE = "name not free"
    """The name is one that may not be given: somebody has what counts as the same, or a system uses
    it for itself.
    """


WRITTEN_DOWN = {
    RefusalReason.OTHER_SUB,
    RefusalReason.SAME_EMAIL,
    RefusalReason.NOT_APPROVED,
    RefusalReason.SUSPENDED,
    RefusalReason.TOMBSTONE,
}
"""Refusals an administrator can do something about; the others are over by themselves, or were
decided.
"""


def record_refusal(*, sub: str, username: str, address: Address, why: RefusalReason) -> None:
    """Write down that somebody was refused at the door; again only counts. What was settled
    otherwise before is open again.
    """
    told = _told(username, address, why)
    stranger, new = UnapprovedSignIn.objects.get_or_create(sub=sub, defaults=told)
    if not new:
        kept = stranger.state == UnapprovedSignIn.State.REFUSED
        UnapprovedSignIn.objects.filter(id=stranger.id).update(
            **told,
            last_seen=timezone.now(),
            times=F("times") + 1,
            state=UnapprovedSignIn.State.REFUSED if kept else UnapprovedSignIn.State.OPEN,
            decided_by=stranger.decided_by if kept else "",
        )


def lock_stranger(
    *, sub: str, username: str, address: Address, why: RefusalReason
) -> UnapprovedSignIn:
    """What a user's sign-in without approval is written in, locked in the caller's transaction.

    Who somebody is, is as the identity provider says now: the name and the address of an earlier
    knock give way, and so does what was settled then, but for a refusal.
    """
    told = _told(username, address, why)
    rows = UnapprovedSignIn.objects.select_for_update()
    stranger, new = rows.get_or_create(sub=sub, defaults=told)
    if not new and stranger.state != UnapprovedSignIn.State.REFUSED:
        told |= {"state": UnapprovedSignIn.State.OPEN, "decided_by": ""}
        rows.filter(id=stranger.id).update(**told)
        stranger.refresh_from_db()
    return stranger


def _told(username: str, address: Address, why: RefusalReason) -> dict[str, Any]:
    """What the identity provider says of somebody who knocks."""
    said = {"email": address.email, "email_confirmed": address.confirmed}
    return {"username": username[:255], **said, "why": why}


def person_for(stranger: UnapprovedSignIn) -> Person | None:
    """Whom a stranger may be relinked to: the person of that name, or of that confirmed address
    when only the address is known.
    """
    return people_for([stranger])[stranger.id]


def people_for(strangers: Sequence[UnapprovedSignIn]) -> dict[uuid.UUID, Person | None]:
    """The same of many, with as many queries as for one."""
    names = Person.objects.filter(username__in=[one.username for one in strangers])
    named = {person.username: person for person in names}
    of_address = {
        one.id: Address(one.email, one.email_confirmed)
        for one in strangers
        if one.username not in named and one.why == RefusalReason.SAME_EMAIL
    }
    having = whose_each(of_address.values())
    found: dict[uuid.UUID, Person | None] = {}
    for one in strangers:
        theirs = having[of_address[one.id]] if one.id in of_address else []
        by_address = theirs[0] if len(theirs) == 1 else None
        found[one.id] = named.get(one.username, by_address)
    return found


def repairs(stranger: UnapprovedSignIn, person: Person | None) -> list[str]:
    """What an administrator can do about one, in the words of the commands; `person` is whom
    `person_for` names.
    """
    if stranger.state != UnapprovedSignIn.State.OPEN:
        return []
    if stranger.why == RefusalReason.SUSPENDED:
        return ["resume"]
    linking = ["relink"] if person else []
    named = person is not None and person.username == stranger.username
    return [*linking, *([] if named else ["adopt"]), "refuse"]


def let_in_again(username: str) -> None:
    """Somebody who was suspended may come in: that they knocked meanwhile needs no decision."""
    UnapprovedSignIn.objects.filter(
        username=username, why=RefusalReason.SUSPENDED, state=UnapprovedSignIn.State.OPEN
    ).delete()


@retry_after_deadlock
def relink(
    stranger_id: uuid.UUID,
    *,
    actor: str,
    systems: ConnectedSystems,
    meant: str = "",
    proved: bool = False,
) -> Person:
    """Link the person of that name to the new `sub`: the identity-provider user was made again.
    Groups that named the old one are settled by a plan, and another gives the person a new SQL
    password, which the new user has too. Raises Refused, also where that person is not who is
    `meant`, and Forbidden where more has to be `proved` (`linking_proof`).
    """
    with transaction.atomic():
        refuse_former(actor)
        person = _lock_person_for(stranger_id)
        stranger = _open(stranger_id)
        # Who was seen at the door may have been written down anew since.
        if person is None or person_for(stranger) != person:
            raise Refused(message("nobody_called", name=stranger.username))
        linking_proof.refuse_unproved(person, meant, proved=proved)
        if person.state != Person.State.ACTIVE:
            raise Refused(message("not_linked", name=person.username, state=state_of(person.state)))
        _refuse_known_sub(stranger, person)
        SocialAccount.objects.filter(user=person, provider=PROVIDER).delete()
        SocialAccount.objects.create(user=person, provider=PROVIDER, uid=stranger.sub)
        _record(person, stranger)
        confirm_email.note_relink(person)
        sharing.settle_link(person, actor=actor, systems=systems)
        renewal.after_relinking(person, actor=actor, systems=systems)
        end_sessions(person)
        _decide(stranger, UnapprovedSignIn.State.RELINKED, actor)
        change_notices.tell([person], of_what_happened("relinked"), about=stranger.sub, by=actor)
    return person


def _record(person: Person, stranger: UnapprovedSignIn) -> None:
    """Write down the new account, and that the person's former ones are gone."""
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


def _lock_person_for(stranger_id: uuid.UUID) -> Person | None:
    # First: records/lock_order.py.
    person = person_for(UnapprovedSignIn.objects.get(id=stranger_id))
    return Person.objects.select_for_update().filter(id=person.id).first() if person else None


def _refuse_known_sub(stranger: UnapprovedSignIn, person: Person | None) -> None:
    """Raise Refused when the account is somebody's already: one account, one person."""
    link = SocialAccount.objects.filter(provider=PROVIDER, uid=stranger.sub).first()
    if link:
        raise Refused(message("linked", name=link.user.username))
    owner = Account.objects.filter(kind=KIND, name=stranger.sub, gone_at=None).first()
    if owner and owner.person_id and (person is None or owner.person_id != person.id):
        raise Refused(message("recorded", name=owner.username))
    if names_free.standing_tombstones().filter(sub=stranger.sub).exists():
        raise Refused(message("of_removed"))


def approve_existing(
    stranger_id: uuid.UUID, *, actor: str, systems: ConnectedSystems
) -> Registration:
    """Approve an account of the identity provider: the next sign-in is the first.

    Raises Refused, and the five errors where a system cannot be asked about the name.
    """
    asked = UnapprovedSignIn.objects.get(id=stranger_id)
    if asked.state == UnapprovedSignIn.State.OPEN:
        _refuse_known_sub(asked, None)
        names_free.refuse(asked.username, systems, sub=asked.sub)
    with transaction.atomic():
        refuse_former(actor)
        stranger = _open(stranger_id)
        name = stranger.username
        if name != asked.username:
            raise Refused(message("knocked_otherwise", name=name))
        _refuse_known_sub(stranger, None)
        # Once more where it is written down: it may have been given away since.
        names_free.refuse_taken(name, systems.settings, sub=stranger.sub)
        approved = Registration.objects.filter(status=Registration.Status.APPROVED)
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
        _decide(stranger, UnapprovedSignIn.State.ADOPTED, actor)
    return registration


def refuse(stranger_id: uuid.UUID, *, actor: str) -> UnapprovedSignIn:
    """Settle that this account does not belong here; the page it sees stays. Raises Refused."""
    with transaction.atomic():
        refuse_former(actor)
        stranger = _open(stranger_id)
        _decide(stranger, UnapprovedSignIn.State.REFUSED, actor)
    return stranger


def _open(stranger_id: uuid.UUID) -> UnapprovedSignIn:
    stranger = UnapprovedSignIn.objects.select_for_update().get(id=stranger_id)
    if stranger.state != UnapprovedSignIn.State.OPEN:
        raise Refused(message("decided", state=state_of(stranger.state), name=stranger.decided_by))
    return stranger


def _decide(stranger: UnapprovedSignIn, state: str, actor: str) -> None:
    stranger.state, stranger.decided_by = state, actor
    stranger.save(update_fields=["state", "decided_by"])
    note(f"stranger:{state}", stranger.username, actor=actor, sub=stranger.sub)
