"""Memberships and their roles: requests, decisions, additions and departures
(docs/explanation/projects.md#members).

The row takes effect at once. Access in the systems follows by a plan about the member, so that a
leaving person gets nothing, and nothing waits for a system that is down.
"""

import uuid

from django.db import transaction
from django.utils import timezone

from workspace_manager.access import policy
from workspace_manager.accounts import access_grant
from workspace_manager.accounts.messages import message
from workspace_manager.accounts.row_locks import lock_active, lock_project, lock_staying
from workspace_manager.audit.note import note
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.deadlocks import retry_after_deadlock
from workspace_manager.core.refusal import Refused
from workspace_manager.core.states import state_of
from workspace_manager.core.timestamps import in_utc
from workspace_manager.records.models import Membership, MembershipRequest, Person, Plan, Project
from workspace_manager.work import loss_letters, project_end, sharing

PENDING, APPROVED, REJECTED = "pending", "approved", "rejected"


def ask(project: Project, person: Person) -> MembershipRequest:
    """Ask to join; a repetition changes nothing while the request is open. Raises Refused for
    members.
    """
    with transaction.atomic():
        person, project = lock_active(person), lock_staying(project.id)
        if policy.shares(person, project):
            raise Refused(message("shared_already"))
        found, new = MembershipRequest.objects.get_or_create(
            project=project, person=person, state=PENDING
        )
        if new:
            note(
                "membership:asked", person.username, actor=person.username, project=str(project.id)
            )
    return found


def approve(
    request_id: uuid.UUID,
    *,
    by: Person,
    systems: ConnectedSystems,
    role: str | None = None,
    reason: str = "",
) -> tuple[MembershipRequest, Plan | None]:
    """Accept a request to join. Raises Refused if it was decided already or the person is leaving;
    Forbidden and BadInput as `opening.checked_reason` does.
    """
    with transaction.atomic():
        # Locked before the request, the order that additions and the end of the project use.
        found = MembershipRequest.objects.get(id=request_id)
        list(Person.objects.select_for_update().filter(id=found.person_id).values_list("id"))
        lock_project(found.project_id)
        asked = _pending(request_id)
        name = asked.person.username
        reason = access_grant.checked_reason(by, asked.project, reason, username=name)
        member, plan = add(
            asked.project, asked.person, actor=by.username, systems=systems, role=role
        )
        asked.state = APPROVED
        asked.save(update_fields=["state"])
        tell_owner(by, member, reason)
    return asked, plan


def tell_owner(by: Person, member: Membership, reason: str) -> None:
    """Tell the owner that somebody else let a person into the project."""
    names = {"by": by.username, "name": member.person.username, "label": member.project.label}
    access_grant.tell_owner(by, member.project, message("let_in", **names), reason)


def reject(request_id: uuid.UUID, *, actor: str) -> MembershipRequest:
    """Reject a request to join. Raises Refused if it was decided already."""
    with transaction.atomic():
        asked = _pending(request_id)
        asked.state = REJECTED
        asked.save(update_fields=["state"])
        note(
            "membership:rejected", asked.person.username, actor=actor, project=str(asked.project_id)
        )
        loss_letters.tell_of_no(asked, actor=actor)
    return asked


def _pending(request_id: uuid.UUID) -> MembershipRequest:
    asked = (
        MembershipRequest.objects.select_for_update(of=("self",))
        .select_related("project", "person")
        .get(id=request_id)
    )
    if asked.state != PENDING:
        raise Refused(message("request_decided", state=state_of(asked.state)))
    return asked


def add(
    project: Project,
    person: Person,
    *,
    actor: str,
    systems: ConnectedSystems,
    role: str | None = None,
) -> tuple[Membership, Plan | None]:
    """Make a person a member and store the plan that gives access. A repetition changes nothing,
    not even the role: accepting an old invitation must not undo a later decision. Raises Refused.
    """
    with transaction.atomic():
        person, project = lock_active(person), lock_staying(project.id)
        if project.owner_id == person.id:
            raise Refused(message("owns", name=person.username))
        member, new = Membership.objects.get_or_create(
            project=project, person=person, defaults={"role": role or Membership.Role.WRITE}
        )
        MembershipRequest.objects.filter(project=project, person=person, state=PENDING).update(
            state=APPROVED
        )
        if not new:
            return member, None
        note(
            "membership:began",
            person.username,
            actor=actor,
            project=str(project.id),
            role=member.role,
        )
        plan = _settle(project, person, actor=actor, systems=systems)
    return member, plan


def change_role(
    project: Project,
    person: Person,
    role: str,
    *,
    by: Person,
    systems: ConnectedSystems,
    reason: str = "",
) -> tuple[Membership, Plan | None]:
    """Change a member's role and store the plan that updates access; the same role changes nothing.
    Raises Refused while the member is being removed from the workspace, Membership.DoesNotExist;
    Forbidden and BadInput as `opening.checked_reason` does.
    """
    reason = access_grant.checked_reason(by, project, reason, username=person.username)
    with transaction.atomic():
        person = _lock_not_leaving(person)
        project = lock_project(project.id)
        member = Membership.objects.get(project=project, person=person)
        if member.role == role:
            return member, None
        before, member.role = member.role, role
        member.save(update_fields=["role"])
        note(
            "membership:role_changed",
            person.username,
            actor=by.username,
            project=str(project.id),
            role=role,
            before=before,
        )
        tell_owner(by, member, reason)
        loss_letters.tell_of_role(member, before, actor=by.username)
        plan = _settle(project, person, actor=by.username, systems=systems)
    return member, plan


def _settle(
    project: Project, person: Person, *, actor: str, systems: ConnectedSystems
) -> Plan | None:
    return sharing.settle(
        person,
        about=str(project.id),
        actor=actor,
        systems=systems,
        project=project,
        components=project.components.select_related("owner"),
    )


def _lock_not_leaving(person: Person) -> Person:
    """Lock a person. Raises Refused during a removal, which alone may change what the person
    has.
    """
    person = Person.objects.select_for_update().get(id=person.id)
    if person.state == Person.State.LEAVING:
        raise Refused(message("membership_goes", name=person.username))
    return person


@retry_after_deadlock
def end(project: Project, person: Person, *, actor: str, systems: ConnectedSystems) -> list[Plan]:
    """End a membership, by the member or by others; return the plans that end access.

    The member's own things leave the project with them. Raises Refused while the member is being
    removed from the workspace, and Membership.DoesNotExist.
    """
    with transaction.atomic():
        person = _lock_not_leaving(person)
        project = lock_project(project.id)
        Membership.objects.get(project=project, person=person).delete()
        components = list(project.components.select_related("owner"))
        own = [component for component in components if component.owner_id == person.id]
        project_end.take_out(own)
        project.stacks.filter(owner=person).update(project=None)
        note(
            "membership:ended",
            person.username,
            actor=actor,
            project=str(project.id),
            at=in_utc(timezone.now()),
        )
        loss_letters.tell_of_end(project, person, own, actor=actor)
        about = str(project.id)
        mine = sharing.settle(
            person,
            about=about,
            actor=actor,
            systems=systems,
            project=project,
            components=components,
        )
        others = sharing.settle_all(
            policy.sharers(project), about=about, actor=actor, systems=systems, components=own
        )
    return [plan for plan in (mine, *others) if plan]
