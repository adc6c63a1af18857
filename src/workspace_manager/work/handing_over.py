"""Projects that change hands: when their owner leaves, a member may take them over."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from workspace_manager.core import audit
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import BadInput
from workspace_manager.records.models import Membership, Person, Project
from workspace_manager.work import sharing
from workspace_manager.work.messages import message


@dataclass(frozen=True)
class Transferable:
    """A project of somebody who leaves that has members who could take it over (by user name)."""

    id: str
    label: str
    members: tuple[str, ...]


def transfer_candidates(owner: Person) -> list[Transferable]:
    """What approval of a removal may hand over, and to whom."""
    active = Membership.objects.filter(project__owner=owner, person__state=Person.State.ACTIVE)
    found: dict[str, Transferable] = {}
    for row in active.select_related("project", "person").order_by(
        "project__created_at", "person__username"
    ):
        key = str(row.project_id)
        before = found.get(key)
        members = (*(before.members if before else ()), row.person.username)
        found[key] = Transferable(key, row.project.label, members)
    return list(found.values())


def hand_over(
    owner: Person, transfer: Mapping[str, str], *, actor: str, systems: ConnectedSystems
) -> None:
    """Give projects of somebody who leaves to one of their members. Raises BadInput; the caller's
    transaction undoes all of it.

    The ontology project keeps its owner's name there, which no interface can change: the new owner
    becomes a manager of it.
    """
    for project_id, username in sorted(transfer.items()):
        mine = Project.objects.select_for_update().filter(owner=owner)
        project = mine.filter(id=_uuid(project_id)).first()
        if project is None:
            raise BadInput(
                {"transfer": message("not_their_project", id=project_id, name=owner.username)}
            )
        member = project.members.filter(username=username, state=Person.State.ACTIVE).first()
        if member is None:
            raise BadInput(
                {"transfer": message("not_a_member", name=username, label=project.label)}
            )
        project.memberships.filter(person=member).delete()
        project.owner, project.default = member, False
        project.save(update_fields=["owner", "default"])
        sharing.settle(member, about=project_id, actor=actor, systems=systems, project=project)
        audit.note(
            "project:handed_over", owner.username, actor=actor, project=project_id, to=username
        )


def _uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        return uuid.UUID(int=0)  # nobody's
