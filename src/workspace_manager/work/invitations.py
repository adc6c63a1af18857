"""Asking somebody into a project: they join by saying yes, and nothing is made for them before.

Whoever invites learns nothing of who is here: a name that nobody has, one that is somebody's and
one whose person said no are answered and listed alike.

See docs/explanation/projects.md#members.
"""

import uuid
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet

from workspace_manager.accounts import access_grant
from workspace_manager.accounts.messages import message
from workspace_manager.accounts.row_locks import lock_active, lock_staying
from workspace_manager.audit.note import note
from workspace_manager.core import hold
from workspace_manager.core.address_owners import (
    fold_address,
    is_confirmed_of,
    others_have_address_of,
)
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.records.models import (
    Invitation,
    Membership,
    MembershipRequest,
    Person,
    Project,
)
from workspace_manager.work import memberships

OPEN_FOR: Final = timedelta(days=30)
MOST_OPEN: Final = 100
"""Of one project at a time."""


def add(
    project: Project,
    username: str,
    *,
    by: Person,
    systems: ConnectedSystems,
    role: str | None = None,
    reason: str = "",
) -> Membership | Invitation:
    """Make somebody a member who asked for it or whom an administrator names; invite everybody
    else. Again changes nothing but the role, where one is named.

    Raises Refused, Person.DoesNotExist to administrators, who may list people anyway; Forbidden and
    BadInput as `opening.checked_reason` does.
    """
    person = Person.objects.filter(username=username).first()
    if by.is_administrator and person is None:
        raise Person.DoesNotExist
    if person and (by.is_administrator or person == by or _has_joined_or_asked(project, person)):
        return _let_in(project, person, role, by=by, systems=systems, reason=reason)
    return invite(project, username=username, by=by, role=role, reason=reason)


def _let_in(
    project: Project,
    person: Person,
    role: str | None,
    *,
    by: Person,
    systems: ConnectedSystems,
    reason: str,
) -> Membership:
    reason = access_grant.checked_reason(by, project, reason, username=person.username)
    with transaction.atomic():
        new = not project.memberships.filter(person=person).exists()
        member, _plan = memberships.add(
            project, person, actor=by.username, systems=systems, role=role
        )
        if role and member.role != role:
            member, _plan = memberships.change_role(
                project, person, role, by=by, systems=systems, reason=reason
            )
        elif new:
            memberships.tell_owner(by, member, reason)
    return member


def _has_joined_or_asked(project: Project, person: Person) -> bool:
    asked = MembershipRequest.objects.filter(
        project=project, person=person, state=memberships.PENDING
    )
    return project.memberships.filter(person=person).exists() or asked.exists()


def invite(
    project: Project,
    *,
    by: Person,
    username: str = "",
    email: str = "",
    role: str | None = None,
    reason: str = "",
) -> Invitation:
    """Ask whoever has this name or this address, if that is anybody; again changes nothing but the
    role, where one is named. Raises BadInput for neither or both, Refused for who shares the
    project and for too many; Forbidden and BadInput as `opening.checked_reason` does.
    """
    username, email = username.strip().lower(), fold_address(email)
    if bool(username) == bool(email):
        raise BadInput({"username": message("name_or_address")})
    reason = access_grant.checked_reason(by, project, reason, username=username, email=email)
    with transaction.atomic():
        project = lock_staying(project.id)
        if username == project.owner.username:
            raise Refused(message("owns", name=username))
        if username and project.members.filter(username=username).exists():
            raise Refused(message("member_already", name=username))
        project.invitations.filter(expires_at__lte=hold.ends_by()).delete()
        known = project.invitations.filter(username=username, email=email).first()
        if known:
            return _for_role(known, role, by=by, reason=reason)
        if project.invitations.count() >= MOST_OPEN:
            raise Refused(message("too_many_invitations", count=MOST_OPEN))
        made = Invitation.objects.create(
            project=project,
            username=username,
            email=email,
            person=_meant(username),
            role=role or Membership.Role.WRITE,
            created_by=by.username,
            expires_at=database_now() + OPEN_FOR,
        )
        _note(made, by=by, reason=reason)
    return made


def _for_role(known: Invitation, role: str | None, *, by: Person, reason: str) -> Invitation:
    """The invitation that is out, for another role than before where one is named."""
    if role and role != known.role:
        known.role = role
        known.save(update_fields=["role"])
        _note(known, by=by, reason=reason)
    return known


def _note(made: Invitation, *, by: Person, reason: str) -> None:
    """Write down whom somebody invited as what, and tell the owner where it was somebody else."""
    name, project = made.username or made.email, made.project
    note("membership:invited", name, actor=by.username, project=str(project.id), role=made.role)
    told = message("invited_in", by=by.username, name=name, label=project.label)
    access_grant.tell_owner(by, project, told, reason)


def _meant(username: str) -> Person | None:
    """Who is here by this name. Whom an address means is said when somebody looks."""
    return Person.objects.filter(is_active=True, username=username).first() if username else None


def of_project(project: Project) -> QuerySet[Invitation]:
    """What its owner sees: every name that was invited and has not joined."""
    return project.invitations.filter(expires_at__gt=hold.ends_by())


def of_person(person: Person) -> QuerySet[Invitation]:
    """What somebody may answer: what names them, or the confirmed address that is theirs alone."""
    rows = Invitation.objects.filter(
        _to(person), declined=False, expires_at__gt=hold.ends_by()
    ).exclude(project__owner__state=Person.State.LEAVING)
    return rows.select_related("project", "project__owner")


def _to(person: Person) -> Q:
    """Which invitations are to this person, as things stand now: of an address, whoever has it."""
    named = Q(person=person, email="")
    if not is_confirmed_of(person, person.email):
        return named
    return named | Q(~others_have_address_of(person), email=fold_address(person.email))


def accept(invitation_id: uuid.UUID, person: Person, *, systems: ConnectedSystems) -> Membership:
    """Join. Raises Invitation.DoesNotExist for one of somebody else or none, and Refused."""
    with transaction.atomic():
        person = lock_active(person)
        found = of_person(person).get(id=invitation_id)
        member, _plan = memberships.add(
            found.project, person, actor=person.username, systems=systems, role=found.role
        )
        Invitation.objects.filter(_to(person), project=found.project).delete()
    return member


def decline(invitation_id: uuid.UUID, person: Person) -> None:
    """Say no: it is not shown again, and whoever invited is told nothing. Raises
    Invitation.DoesNotExist.
    """
    with transaction.atomic():
        found = of_person(person).get(id=invitation_id)
        Invitation.objects.filter(_to(person), project=found.project).update(declined=True)
        note(
            "membership:declined",
            person.username,
            actor=person.username,
            project=str(found.project_id),
        )


def withdraw(project: Project, invitation_id: uuid.UUID, *, actor: str) -> None:
    """Take an invitation back. Raises Invitation.DoesNotExist."""
    with transaction.atomic():
        found = of_project(project).get(id=invitation_id)
        note(
            "membership:invitation_withdrawn",
            found.username or found.email,
            actor=actor,
            project=str(project.id),
        )
        found.delete()


def forget_old(now: datetime | None = None) -> None:
    """Drop what nobody answered in time."""
    Invitation.objects.filter(expires_at__lte=now or database_now()).delete()
