"""Letters to people who lose something when a person leaves, or when a shared thing is deleted or
moved. They are stored in the transaction that does it.
"""

from collections.abc import Iterable
from uuid import UUID

from workspace_manager.access import policy
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.letters import change_notices
from workspace_manager.letters.messages import message
from workspace_manager.records.models import (
    Component,
    Membership,
    MembershipRequest,
    Person,
    Project,
    Stack,
)


def tell_of_leaving(owner: Person, *, plan: UUID, actor: str) -> None:
    """Tell everybody who shared something with a leaving person what ends, in one letter each; new
    owners are told of hand-overs.
    """
    lost: dict[Person, list[Message]] = {}
    for project in Project.objects.filter(owner=owner).order_by("created_at", "id"):
        own = _own_in(project)
        for member in _members(project):
            said = lost.setdefault(member, [])
            said.append(message("ends.project", label=project.label))
            said += own.get(member.pk, [])
    shared = Component.objects.filter(owner=owner).exclude(project=None)
    theirs = shared.exclude(project__owner=owner).select_related("project__owner")
    for component in theirs.order_by("created_at", "id"):
        assert component.project
        label, project = component.label, component.project
        for user in policy.sharers(project):
            said = lost.setdefault(user, [])
            one = message("ends.component", label=label, project=project.label)
            if one not in said:  # the parts of a stack have the same label
                said.append(one)
    lost.pop(owner, None)
    leaves = message("leaves", name=Named(person=owner.username))
    for person, said in lost.items():
        change_notices.tell([person], leaves, lines=said, about=str(plan), by=actor)


def tell_of_hand_over(project: Project, old: Person, to: Person, *, actor: str) -> None:
    """Tell the old owner, the new owner and the members about the new owner."""
    label, about = project.label, f"{project.id}:{to.id}"
    name, receiver = Named(person=old.username), Named(person=to.username)
    new = message("handed_over.new", label=label, name=name)
    change_notices.tell([to], new, about=about, by=actor)
    before = message("handed_over.old", label=label, to=receiver)
    change_notices.tell_leaver(old, before, about=about)
    others = [one for one in _members(project) if one not in (old, to)]
    said = message("handed_over.member", label=label, name=name, to=receiver)
    change_notices.tell(others, said, about=about, by=actor)


def tell_of_project(project: Project, *, actor: str, plan: UUID) -> None:
    """Tell the members that a project is deleted, and its owner if somebody else deletes it. Their
    own things in it stay theirs.
    """
    by, label = change_notices.by_whom(actor), project.label
    own = _own_in(project)
    for member in _members(project):
        what = message("project_deleted", by=by, label=label)
        change_notices.tell([member], what, lines=own.get(member.pk, ()), about=str(plan), by=actor)
    mine = message("project_deleted.own", by=by, label=label)
    change_notices.tell([project.owner], mine, about=str(plan), by=actor)


def tell_of_deletion(thing: Component | Stack, *, actor: str, plan: UUID) -> None:
    """Tell everybody who shares a thing that it is deleted, and its owner if somebody else deletes
    it.
    """
    by, about = change_notices.by_whom(actor), str(plan)
    mine = message("deleted.own", by=by, label=thing.label)
    change_notices.tell([thing.owner], mine, about=about, by=actor)
    if thing.project:
        what = message("deleted", by=by, label=thing.label, project=thing.project.label)
        users = [one for one in policy.sharers(thing.project) if one != thing.owner]
        change_notices.tell(users, what, about=about, by=actor)


def tell_of_restore(component: Component, snapshot: str, *, actor: str, plan: UUID) -> None:
    """Tell whoever shares a component that its content is replaced, and its owner where somebody
    else does it.
    """
    by, about, label = change_notices.by_whom(actor), str(plan), component.label
    mine = message("replaced.own", by=by, label=label, snapshot=snapshot)
    change_notices.tell([component.owner], mine, about=about, by=actor)
    if component.project:
        stops = component.kind == Component.Kind.KNOWLEDGE_STACK
        code = "replaced.programs" if stops else "replaced"
        what = message(code, by=by, label=label, snapshot=snapshot)
        users = [one for one in policy.sharers(component.project) if one != component.owner]
        change_notices.tell(users, what, about=about, by=actor)


def tell_of_move(thing: Component | Stack, old: Project | None, *, actor: str) -> None:
    """Tell members of the former project who are not in the new one, and the owner if somebody else
    moved the thing.
    """
    new = thing.project
    if old is None or old == new:
        return
    by, about = change_notices.by_whom(actor), str(thing.id)
    staying = policy.sharers(new) if new else []
    losing = [one for one in policy.sharers(old) if one != thing.owner and one not in staying]
    what = message("moved_out", by=by, label=thing.label, project=old.label)
    change_notices.tell(losing, what, about=about, by=actor)
    if new is None:
        mine = message("moved_out.own", by=by, label=thing.label, project=old.label)
        change_notices.tell([thing.owner], mine, about=about, by=actor)


def tell_of_end(
    project: Project, member: Person, taken: Iterable[Component], *, actor: str
) -> None:
    """Tell a person whom somebody else took out of a project, and the remaining members whose
    shared things go along. Call after the membership ended.
    """
    about = f"{project.id}:{member.id}"
    by = change_notices.by_whom(actor)
    out = message("taken_out", by=by, label=project.label)
    change_notices.tell([member], out, about=about, by=actor)
    labels = ", ".join(dict.fromkeys(f"“{one.label}”" for one in taken))
    if labels:
        name = Named(person=member.username)
        what = message("left_with", name=name, project=project.label, labels=labels)
        change_notices.tell(policy.sharers(project), what, about=about, by=actor)


def tell_of_no(asked: MembershipRequest, *, actor: str) -> None:
    """Tell a person that their request to join was rejected."""
    what = message("request_rejected", by=change_notices.by_whom(actor), label=asked.project.label)
    change_notices.tell([asked.person], what, about=str(asked.id), by=actor)


RANK = (Membership.Role.READ, Membership.Role.WRITE, Membership.Role.MANAGE)


def tell_of_role(member: Membership, before: str, *, actor: str) -> None:
    """Tell a member whose rights were reduced."""
    if RANK.index(Membership.Role(member.role)) >= RANK.index(Membership.Role(before)):
        return
    role, by = message(f"role.{member.role}"), change_notices.by_whom(actor)
    what = message("role_changed", by=by, label=member.project.label, role=role)
    change_notices.tell([member.person], what, about=str(member.project_id), by=actor)


def _members(project: Project) -> list[Person]:
    return list(project.members.order_by("username"))


def _own_in(project: Project) -> dict[UUID, list[Message]]:
    """Return things in a project that others than its owner own, in words, by owner."""
    found: dict[UUID, list[Message]] = {}
    for component in project.components.exclude(owner=project.owner_id).order_by("created_at"):
        said = found.setdefault(component.owner_id, [])
        one = message("stays", label=component.label)
        if one not in said:
            said.append(one)
    return found
