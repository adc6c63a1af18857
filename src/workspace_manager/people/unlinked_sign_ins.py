"""Sign-ins of identity-provider users without approval here.

Each is recorded once. An administrator links a person whose `sub` changed, approves, or refuses for
good; a name alone lets nobody in.
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
    """The reason of a refused sign-in. Stored, and shown by REST and the command line: the words
    stay.
    """

    OTHER_SUB = "another sub"
    """The person of this name is linked to another account."""
    SAME_EMAIL = "same e-mail"
    """Another person has this address."""
    NOT_APPROVED = "not approved"
    SUSPENDED = "suspended"
    TOMBSTONE = "tombstone"
    """The account or the name belonged to a former member."""
    LEAVING = "leaving"
    BEING_WITHDRAWN = "being withdrawn"
    """The approval is being withdrawn."""
    NO_NAME = "no name"
    """The identity provider gave no usable name."""
    NAME_NOT_FREE = "name not free"
    """The name is reserved, or equal to another person's."""


WRITTEN_DOWN = {
    RefusalReason.OTHER_SUB,
    RefusalReason.SAME_EMAIL,
    RefusalReason.NOT_APPROVED,
    RefusalReason.SUSPENDED,
    RefusalReason.TOMBSTONE,
}
"""Refusals that an administrator can act on; others end by themselves, or were decided."""


def record_refusal(*, sub: str, username: str, address: Address, why: RefusalReason) -> None:
    """Record a refused sign-in; a repetition only counts. One that was settled otherwise is open
    again.
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
    """Return the locked row of a refused sign-in, in the caller's transaction.

    The identity provider's present name and address replace earlier ones, and an earlier decision
    ends, unless it was a refusal.
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
    """Return the columns that the identity provider reports."""
    said = {"email": address.email, "email_confirmed": address.confirmed}
    return {"username": username[:255], **said, "why": why}


def person_for(stranger: UnapprovedSignIn) -> Person | None:
    """Return the person to whom the account may be linked: by name, or by confirmed address if only
    that is known.
    """
    return people_for([stranger])[stranger.id]


def people_for(strangers: Sequence[UnapprovedSignIn]) -> dict[uuid.UUID, Person | None]:
    """Return the persons for many sign-ins; the number of queries does not grow with them."""
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
    """Return the possible actions, by the names of the commands; `person` is that of
    `person_for`.
    """
    if stranger.state != UnapprovedSignIn.State.OPEN:
        return []
    if stranger.why == RefusalReason.SUSPENDED:
        return ["resume"]
    linking = ["relink"] if person else []
    named = person is not None and person.username == stranger.username
    return [*linking, *([] if named else ["adopt"]), "refuse"]


def let_in_again(username: str) -> None:
    """Settle sign-ins of a suspension that has ended."""
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
    """Link the person of that name to the new `sub` of a recreated identity-provider user. Plans
    update groups that named the old one and renew the SQL password, which the new user has, too.
    Raises Refused, also if that person is not the one `meant`; Forbidden if more has to be `proved`
    (`linking_proof`).
    """
    with transaction.atomic():
        refuse_former(actor)
        person = _lock_person_for(stranger_id)
        stranger = _open(stranger_id)
        # The sign-in may have been recorded anew since.
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
    """Record the new account, and that the former ones are gone."""
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
    # Lock order: records/lock_order.py.
    person = person_for(UnapprovedSignIn.objects.get(id=stranger_id))
    return Person.objects.select_for_update().filter(id=person.id).first() if person else None


def _refuse_known_sub(stranger: UnapprovedSignIn, person: Person | None) -> None:
    """Raise Refused if the account already belongs to somebody."""
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
    """Approve an account of the identity provider; the next sign-in is the first.

    Raises Refused, and the five errors if a system cannot be asked about the name.
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
        # Checked again in the transaction: the name may have been given away since.
        names_free.refuse_taken(name, systems.settings, sub=stranger.sub)
        approved = Registration.objects.filter(status=Registration.Status.APPROVED)
        # An approval of the same account under a former name is used up.
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
    """Refuse the account for good; it keeps seeing the page of a refused sign-in. Raises
    Refused.
    """
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
