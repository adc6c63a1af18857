"""Projects that get a new owner: when their owner leaves, a member can take over."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from django.utils import timezone

from workspace_manager.accounts.messages import message
from workspace_manager.audit.note import note
from workspace_manager.contract.connector import Change
from workspace_manager.contract.member_description import UserName, Uuid, describe
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import BadInput
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import plan_change, store
from workspace_manager.engine.supersede import let_end, under_way
from workspace_manager.records.models import Account, Membership, Person, Plan, Project
from workspace_manager.systems.ontology_editor import names as ontology_names
from workspace_manager.work import loss_letters, sharing


@dataclass(frozen=True)
class Transferable:
    """A project of a leaving person, with the user names of members who could take it over."""

    id: Annotated[Uuid, describe("The id of the project.")]
    label: Annotated[str, describe("What people call it.", "Herbarium")]
    members: Annotated[tuple[UserName, ...], describe("Who could take it over.")]


def transfer_candidates(owner: Person) -> list[Transferable]:
    """Return the projects that the approval of a removal can hand over, and to whom."""
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
    """Give projects of a leaving person to their members. Raises BadInput; the caller's transaction
    then undoes everything.

    The ontology project keeps its owner's name in the editor, since no interface can change it: the
    new owner becomes a manager of it.
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
        _give(project, member, by=owner)
        sharing.settle(
            member,
            about=project_id,
            actor=actor,
            systems=systems,
            project=project,
            # Components of the leaving person are removed with that person.
            components=project.components.exclude(owner=owner).select_related("owner"),
        )
        note("project:handed_over", owner.username, actor=actor, project=project_id, to=username)
        loss_letters.tell_of_hand_over(project, owner, member, actor=actor)


def was_given(project_id: str, username: str) -> bool:
    """Return whether the project already belongs to this person, as after a hand-over."""
    return Project.objects.filter(id=_uuid(project_id), owner__username=username).exists()


def give_back(
    project: Project, leaver: Person, to: Person, *, actor: str, systems: ConnectedSystems
) -> None:
    """Give a project that a leaving person received to another person, and end its former owner's
    access in the ontology editor.
    """
    _give(project, to, by=None)
    account = Account.objects.filter(kind=sharing.EDITOR_USER, person=leaver, gone_at=None).first()
    sharing.settle(
        to,
        about=str(project.id),
        actor=actor,
        systems=systems,
        project=project,
        components=project.components.select_related("owner"),
    )
    if account:
        _take_from_editor(project, leaver, account.name, actor=actor, systems=systems)
    note(
        "project:given_back", leaver.username, actor=actor, project=str(project.id), to=to.username
    )
    loss_letters.tell_of_hand_over(project, leaver, to, actor=actor)


def end_received_membership(
    project: Project, leaver: Person, account: str, *, actor: str, systems: ConnectedSystems
) -> None:
    """End a membership that a leaving person received; a plan of the project's owner ends the
    access in the ontology editor.
    """
    project.memberships.filter(person=leaver).delete()
    _take_from_editor(project, leaver, account, actor=actor, systems=systems)
    note("membership:ended", leaver.username, actor=actor, project=str(project.id))


def _give(project: Project, to: Person, *, by: Person | None) -> None:
    """Change the owner. `by`: the giver, who gets it back if `to` leaves before anybody was shown
    that it is theirs.
    """
    project.memberships.filter(person=to).delete()
    project.owner, project.default = to, False
    project.received_at, project.received_from = timezone.now(), by
    project.save(update_fields=["owner", "default", "received_at", "received_from"])


def _take_from_editor(
    project: Project, leaver: Person, account: str, *, actor: str, systems: ConnectedSystems
) -> None:
    """Store the plan that removes a leaving person's account from an ontology project. The plan is
    the project owner's, since the leaving person's own plans end.
    """
    system = "ontology_editor"
    owner = project.owner
    gone = owner.state == Person.State.LEAVING  # the ontology project is removed as well
    if gone or not project.ontology_project_id or not systems.configured(system):
        return
    change = Change(
        kind=sharing.MEMBERSHIP,
        subject="",
        target=ontology_names.membership(project.ontology_project_id, account),
    )
    step = PlannedStep(
        n=1,
        name=sharing.SHARE_PROJECT,
        system=system,
        changes=(plan_change(change, name=project.label),),
    )
    document = PlanDocument(
        kind=sharing.SETTLING.name,
        person=owner.username,
        subject=str(owner.id),
        about=str(project.id),
        steps=(step,),
    )
    plan = store(document, actor=actor, state=Plan.State.RUNNING)
    let_end(plan, under_way(systems, subject=str(leaver.id)))


def _uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        return uuid.UUID(int=0)  # nobody's
