"""Invitations into a project: people join by accepting, and nothing is made for them before.

An inviter learns nothing about who is here: unknown names, known names and people who declined get
the same answers and are listed alike.

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
"""The limit for one project."""


def add(
    project: Project,
    username: str,
    *,
    by: Person,
    systems: ConnectedSystems,
    role: str | None = None,
    reason: str = "",
) -> Membership | Invitation:
    """Make a person a member who asked to join, or whom an administrator names; invite everybody
    else. A repetition changes nothing but a named role.

    Raises Refused; Person.DoesNotExist to administrators, who may list people anyway; Forbidden and
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
    """Invite the holder of a name or address, if there is one; a repetition changes nothing but a
    named role. Raises BadInput for neither or both, Refused for members and for too many
    invitations; Forbidden and BadInput as `opening.checked_reason` does.
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
    """Return an open invitation, changed to the named role."""
    if role and role != known.role:
        known.role = role
        known.save(update_fields=["role"])
        _note(known, by=by, reason=reason)
    return known


def _note(made: Invitation, *, by: Person, reason: str) -> None:
    """Write the invitation to the audit log, and tell the owner if somebody else invited."""
    name, project = made.username or made.email, made.project
    note("membership:invited", name, actor=by.username, project=str(project.id), role=made.role)
    told = message("invited_in", by=by.username, name=name, label=project.label)
    access_grant.tell_owner(by, project, told, reason)


def _meant(username: str) -> Person | None:
    """Return the person with this name. The holder of an address is looked up when somebody reads
    the invitation.
    """
    return Person.objects.filter(is_active=True, username=username).first() if username else None


def of_project(project: Project) -> QuerySet[Invitation]:
    """Return open invitations as the owner sees them."""
    return project.invitations.filter(expires_at__gt=hold.ends_by())


def of_person(person: Person) -> QuerySet[Invitation]:
    """Return the invitations that a person can answer: to their name, or to a confirmed address
    that is theirs alone.
    """
    rows = Invitation.objects.filter(
        _to(person), declined=False, expires_at__gt=hold.ends_by()
    ).exclude(project__owner__state=Person.State.LEAVING)
    return rows.select_related("project", "project__owner")


def _to(person: Person) -> Q:
    """Match invitations to this person, by the present holder of an address."""
    named = Q(person=person, email="")
    if not is_confirmed_of(person, person.email):
        return named
    return named | Q(~others_have_address_of(person), email=fold_address(person.email))


def accept(invitation_id: uuid.UUID, person: Person, *, systems: ConnectedSystems) -> Membership:
    """Join the project. Raises Invitation.DoesNotExist for a missing or another person's
    invitation, and Refused.
    """
    with transaction.atomic():
        person = lock_active(person)
        found = of_person(person).get(id=invitation_id)
        member, _plan = memberships.add(
            found.project, person, actor=person.username, systems=systems, role=found.role
        )
        Invitation.objects.filter(_to(person), project=found.project).delete()
    return member


def decline(invitation_id: uuid.UUID, person: Person) -> None:
    """Hide the invitation without telling the inviter. Raises Invitation.DoesNotExist."""
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
    """Withdraw an invitation. Raises Invitation.DoesNotExist."""
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
    """Delete expired invitations."""
    Invitation.objects.filter(expires_at__lte=now or database_now()).delete()
