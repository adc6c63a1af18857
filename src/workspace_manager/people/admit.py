"""Sign-in: who may enter, and what a person gets at the first sign-in.

Only this module writes the account link, with the `sub` that the identity provider vouches for. It
calls neither the identity provider's administration nor any other system: things to make elsewhere
are left to a plan.

See docs/explanation/signing-in.md#the-first-sign-in.
"""

from dataclasses import dataclass

from allauth.socialaccount.models import SocialAccount
from django.db import IntegrityError, transaction
from django.utils import timezone

from workspace_manager.audit.note import note
from workspace_manager.core.address_owners import Address, find_owners
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.letters import mail_outbox
from workspace_manager.people import (
    announcements,
    confirm_email,
    make_accounts,
    names_free,
    profile,
    unlinked_sign_ins,
)
from workspace_manager.people.messages import message
from workspace_manager.people.register import is_claimed
from workspace_manager.records.models import (
    Account,
    Announcement,
    Person,
    Registration,
    Tile,
)
from workspace_manager.systems.identity_provider.names import is_usable
from workspace_manager.systems.identity_provider.settings import Settings
from workspace_manager.work import projects, sharing

PROVIDER = "identity_provider"
LONGEST = 254
Why = unlinked_sign_ins.RefusalReason

SAID = {
    Why.SUSPENDED: message("your_access_suspended"),
    Why.LEAVING: message("your_access_ended"),
    Why.TOMBSTONE: message("your_access_ended"),
    Why.NOT_APPROVED: message("not_approved_here"),
    Why.BEING_WITHDRAWN: message("being_withdrawn"),
    Why.SAME_EMAIL: message("same_email"),
    Why.NO_NAME: message("no_name"),
    Why.NAME_NOT_FREE: message("name_not_free"),
    Why.OTHER_SUB: message("another_sub"),
}
"""Messages for people who are not let in."""


class NotAdmitted(Forbidden):
    """A refused sign-in and its reason."""

    def __init__(self, why: Why) -> None:
        super().__init__(SAID[why])
        self.why = why

    @property
    def may_register(self) -> bool:
        """Return whether a registration could change the result."""
        return self.why in {Why.NOT_APPROVED, Why.NO_NAME}


@dataclass(frozen=True)
class Claims:
    """Claims of the identity provider's signed token; nothing else of it is kept."""

    sub: str
    username: str
    email: str = ""
    first_name: str = ""
    last_name: str = ""
    locale: str = ""
    timezone: str = ""
    email_confirmed: bool = False
    browser: str = ""
    """The browser's language, used until the person chooses another one."""

    @property
    def coming(self) -> announcements.SignInIdentity:
        """The identity that decides about an announced role."""
        proof = self.address.email if self.address.confirmed else ""
        return announcements.SignInIdentity(self.username, self.sub, proof)

    @property
    def address(self) -> Address:
        """The address as it is kept: one that is too long is cut and not confirmed."""
        confirmed = self.email_confirmed and 0 < len(self.email) <= LONGEST
        return Address(self.email[:LONGEST], confirmed)


def admit(claims: Claims, *, admit_unregistered: bool) -> Person | None:
    """Return the linked person, or None for somebody who may enter for the first time.

    Raises NotAdmitted for people who are leaving, suspended or not approved, or whose `sub`
    differs.
    """
    verdict = _judge(claims, admit_unregistered=admit_unregistered)
    if isinstance(verdict, Why):
        raise _refused(claims, verdict)
    return verdict


def _judge(claims: Claims, *, admit_unregistered: bool) -> Person | Why | None:
    """Decide without a write; called at the sign-in, and again in the transaction that lets
    somebody in.
    """
    if not claims.sub or not is_usable(claims.username):
        return Why.NO_NAME
    # The person is read before the link: both are written together, perhaps by a second window at
    # this moment, so a person who is found has their link. The tombstone is read last: a removal
    # ends with the row gone and the tombstone there.
    known = Person.objects.filter(username=claims.username).first()
    link = (
        SocialAccount.objects.filter(provider=PROVIDER, uid=claims.sub)
        .select_related("user")
        .first()
    )
    if link:
        person: Person = link.user
        if person.state != Person.State.ACTIVE or not person.is_active:
            return Why.SUSPENDED if person.state == Person.State.SUSPENDED else Why.LEAVING
        return person
    if names_free.is_gone(claims.username, claims.sub):
        return Why.TOMBSTONE
    if names_free.is_leaving(claims.username):
        return Why.LEAVING
    if known and not _may_link(known, claims):
        return Why.OTHER_SUB
    approval = approval_of(claims)
    if approval:
        return Why.BEING_WITHDRAWN if is_claimed(approval) else None
    if announcements.proof(claims.coming):
        return None if _may_have(claims) else Why.NAME_NOT_FREE
    # A second account with somebody's address would go unnoticed.
    if find_owners(claims.address):
        return Why.SAME_EMAIL
    if not admit_unregistered:
        return Why.NOT_APPROVED
    return None if _may_have(claims) else Why.NAME_NOT_FREE


def _may_have(claims: Claims) -> bool:
    """Return whether a name without approval is free."""
    try:
        names_free.refuse_taken(claims.username, names_free.settings_now(), sub=claims.sub)
    except Refused:
        return False
    return True


def _may_link(person: Person, claims: Claims) -> bool:
    """Return whether an account without link is this person's: only if an approval recorded this
    very `sub` for the name.
    """
    # The link to this `sub` may have been written meanwhile; the next read finds it.
    linked = SocialAccount.objects.filter(user=person).exclude(provider=PROVIDER, uid=claims.sub)
    free = not linked.exists() and person.state == Person.State.ACTIVE
    return free and approval_of(claims) is not None


def _refused(claims: Claims, why: Why) -> NotAdmitted:
    note("sign_in:refused", claims.username, actor=claims.username, sub=claims.sub, why=why)
    if why in unlinked_sign_ins.WRITTEN_DOWN:
        unlinked_sign_ins.record_refusal(
            sub=claims.sub, username=claims.username, address=claims.address, why=why
        )
    return NotAdmitted(why)


def approval_of(claims: Claims) -> Registration | None:
    """Return the approval that recorded this `sub` for this name, if any; another name is not
    approved.
    """
    return Registration.objects.filter(
        sub=claims.sub, username=claims.username, status=Registration.Status.APPROVED
    ).first()


def enter(claims: Claims, systems: ConnectedSystems) -> Person:
    """Make the person with link, role, default project and applications; a plan makes the rest.

    The decision is repeated in the transaction, since a removal, a withdrawal or a second window
    may have come first. Raises NotAdmitted.
    """
    settings = systems.settings_of(Settings)
    try:
        verdict = _enter(claims, systems, admit_unregistered=settings.admit_unregistered)
    except IntegrityError:
        # A second window was faster; its person is found now.
        verdict = _enter(claims, systems, admit_unregistered=settings.admit_unregistered)
    if isinstance(verdict, Why):
        raise _refused(claims, verdict)
    return verdict


def _enter(claims: Claims, systems: ConnectedSystems, *, admit_unregistered: bool) -> Person | Why:
    with transaction.atomic():
        known = Person.objects.select_for_update().filter(username=claims.username).first()
        list(Announcement.objects.select_for_update().filter(username=claims.username))
        list(Registration.objects.select_for_update().filter(sub=claims.sub).values_list("id"))
        verdict = _judge(claims, admit_unregistered=admit_unregistered)
        if verdict is not None:
            return verdict
        person = known or _new(claims)
        SocialAccount.objects.create(user=person, provider=PROVIDER, uid=claims.sub, extra_data={})
        _adopt_accounts(person, claims.sub)
        make_accounts.belongs_to(person, claims.sub)
        confirm_email.signed_in(claims.sub)
        mail_outbox.assign_letters(person, claims.sub)
        for kind in Tile.Kind.values:
            Tile.objects.get_or_create(owner=person, kind=kind)
        announcements.redeem_announcement(person, claims.coming)
        note(
            "person:entered",
            person.username,
            actor=person.username,
            sub=claims.sub,
            role=person.role,
        )
        if known:  # the link was gone, while the memberships stayed
            sharing.settle_link(person, actor=person.username, systems=systems)
        if not person.projects.filter(default=True).exists():
            projects.make_default(person, systems)
    return person


def _new(claims: Claims) -> Person:
    approval = approval_of(claims)
    return Person.objects.create_user(
        claims.username,
        email=claims.address.email,
        email_confirmed=claims.address.confirmed,
        first_name=claims.first_name[:255],
        last_name=claims.last_name[:255],
        locale=profile.language(claims.locale, approval.locale if approval else "", claims.browser),
        timezone=profile.time_zone(claims.timezone, approval.timezone if approval else ""),
        last_sign_in=timezone.now(),
    )


def _adopt_accounts(person: Person, sub: str) -> None:
    account, _ = Account.objects.get_or_create(
        system=PROVIDER,
        kind="identity_provider.user",
        name=sub,
        gone_at=None,
        defaults={"username": person.username},
    )
    account.person, account.seen_at = person, timezone.now()
    account.save(update_fields=["person", "seen_at"])
