"""The first sign-in: who may enter, and what they find (specification, section 3.2).

The account link is written only here, by the `sub` that the identity provider vouches for. No call is made to the identity
provider's administration, and none to any other system: what has to be made elsewhere is left to a plan.
"""

from dataclasses import dataclass

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from workspace_manager.lifecycle import history, strangers
from workspace_manager.lifecycle.driven import DrivenSystems
from workspace_manager.lifecycle.refusal import Forbidden
from workspace_manager.lifecycle.register import standing_tombstones
from workspace_manager.lifecycle.resources import projects
from workspace_manager.lifecycle.roles import PREFIX
from workspace_manager.records.models import (
    Account,
    Application,
    Person,
    Plan,
    Registration,
    StoredSetting,
)

PROVIDER = "identity_provider"
NOT_APPROVED = "not approved"
SUSPENDED = (
    "Your access to this workspace is suspended for now. Your things are kept. "
    "Ask an administrator of the workspace."
)
LEAVING = "Your access to this workspace has ended. If you think this is a mistake, ask an administrator of the workspace."
UNKNOWN = (
    "Your account at the identity provider is fine, but nobody has approved it for this workspace. Register here, or ask an "
    "administrator to approve you."
)
OTHER_SUB = (
    "Your user name is known here, but it belongs to another account of the identity provider. An administrator of the "
    "workspace has been told and can link the two; until then you cannot sign in."
)


@dataclass(frozen=True)
class Claims:
    """What the identity provider's signed token says about somebody; nothing else of it is kept."""

    sub: str
    username: str
    email: str = ""
    first_name: str = ""
    last_name: str = ""
    locale: str = ""
    timezone: str = ""


def admit(claims: Claims, *, admit_unregistered: bool) -> Person | None:
    """Say who this is: the linked person, or None for somebody who may enter for the first time.

    Raises Forbidden with a sentence for the page: who is leaving or suspended, was never approved, or comes with another `sub`.
    """
    link = (
        SocialAccount.objects.filter(provider=PROVIDER, uid=claims.sub)
        .select_related("user")
        .first()
    )
    if link:
        person: Person = link.user
        if person.state != Person.State.ACTIVE or not person.is_active:
            text = SUSPENDED if person.state == Person.State.SUSPENDED else LEAVING
            raise _refused(claims, text, person.state)
        return person
    gone = standing_tombstones()
    if gone.filter(sub=claims.sub).exists() or gone.filter(username=claims.username).exists():
        raise _refused(claims, LEAVING, "tombstone")
    if Plan.objects.filter(kind="removal", person=claims.username, state__in=Plan.OPEN).exists():
        raise _refused(claims, LEAVING, "leaving")
    known = Person.objects.filter(username=claims.username).first()
    if known and not _may_link(known, claims):
        raise _refused(claims, OTHER_SUB, strangers.OTHER_SUB)
    if approval_of(claims) or admit_unregistered or is_first_administrator(claims.username):
        return None
    raise _refused(claims, UNKNOWN, NOT_APPROVED)


def _may_link(person: Person, claims: Claims) -> bool:
    """Whether an account without link is this person's: only when one of our approvals recorded this very `sub` for that name."""
    approval = approval_of(claims)
    free = (
        not SocialAccount.objects.filter(user=person).exists()
        and person.state == Person.State.ACTIVE
    )
    return free and approval is not None and approval.username == person.username


def _refused(claims: Claims, reason: str, why: str) -> Forbidden:
    history.note("sign_in:refused", claims.username, actor=claims.username, sub=claims.sub, why=why)
    if why in {strangers.OTHER_SUB, NOT_APPROVED}:
        strangers.seen(sub=claims.sub, username=claims.username, email=claims.email, why=why)
    return Forbidden(reason)


def approval_of(claims: Claims) -> Registration | None:
    """The approval that recorded this `sub`, if there is one."""
    return Registration.objects.filter(sub=claims.sub, status=Registration.Status.APPROVED).first()


def is_first_administrator(username: str) -> bool:
    """Whether this name was announced as an administrator before anybody of that name signed in."""
    named = StoredSetting.objects.filter(system="manager", name=PREFIX + username).exists()
    first = bool(settings.FIRST_ADMINISTRATOR) and username == settings.FIRST_ADMINISTRATOR
    return named or (first and not Person.objects.filter(role=Person.Role.ADMINISTRATOR).exists())


def enter(claims: Claims, driven: DrivenSystems) -> Person:
    """Make the manager account, write the link, give role, default project and applications; leave the rest to a plan."""
    with transaction.atomic():
        person = Person.objects.select_for_update().filter(
            username=claims.username
        ).first() or _new(claims)
        SocialAccount.objects.create(user=person, provider=PROVIDER, uid=claims.sub, extra_data={})
        _adopt_accounts(person, claims.sub)
        for kind in Application.Kind.values:
            Application.objects.get_or_create(owner=person, kind=kind)
        StoredSetting.objects.filter(system="manager", name=PREFIX + person.username).delete()
        history.note(
            "person:entered",
            person.username,
            actor=person.username,
            sub=claims.sub,
            role=person.role,
        )
        if not person.projects.filter(default=True).exists():
            projects.make_default(person, driven)
    return person


def _new(claims: Claims) -> Person:
    approval = approval_of(claims)
    administrator = is_first_administrator(claims.username)
    return Person.objects.create_user(
        claims.username,
        email=claims.email,
        first_name=claims.first_name[:255],
        last_name=claims.last_name[:255],
        role=Person.Role.ADMINISTRATOR if administrator else Person.Role.USER,
        locale=claims.locale or (approval.locale if approval else "") or "en",
        timezone=claims.timezone or (approval.timezone if approval else "") or "UTC",
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
