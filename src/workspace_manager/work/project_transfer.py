"""Projects that change hands: when their owner leaves, a member may take them over."""

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
    """A project of somebody who leaves that has members who could take it over (by user name)."""

    id: Annotated[Uuid, describe("The id of the project.")]
    label: Annotated[str, describe("What people call it.", "Herbarium")]
    members: Annotated[tuple[UserName, ...], describe("Who could take it over.")]


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
        _give(project, member, by=owner)
        sharing.settle(
            member,
            about=project_id,
            actor=actor,
            systems=systems,
            project=project,
            # What the leaver owns goes with the leaver.
            components=project.components.exclude(owner=owner).select_related("owner"),
        )
        note("project:handed_over", owner.username, actor=actor, project=project_id, to=username)
        loss_letters.tell_of_hand_over(project, owner, member, actor=actor)


def was_given(project_id: str, username: str) -> bool:
    """Whether a project is this person's, as a hand-over would have it."""
    return Project.objects.filter(id=_uuid(project_id), owner__username=username).exists()


def give_back(
    project: Project, leaver: Person, to: Person, *, actor: str, systems: ConnectedSystems
) -> None:
    """Give a project that a leaver was given to somebody who stays; the leaver loses what it gave
    in the ontology editor.
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
    """End what a leaver was let into; the access in the ontology editor goes by a plan of the
    project's owner.
    """
    project.memberships.filter(person=leaver).delete()
    _take_from_editor(project, leaver, account, actor=actor, systems=systems)
    note("membership:ended", leaver.username, actor=actor, project=str(project.id))


def _give(project: Project, to: Person, *, by: Person | None) -> None:
    """`by`: who gives it; it goes back there if `to` leaves before anybody was shown that it is
    theirs.
    """
    project.memberships.filter(person=to).delete()
    project.owner, project.default = to, False
    project.received_at, project.received_from = timezone.now(), by
    project.save(update_fields=["owner", "default", "received_at", "received_from"])


def _take_from_editor(
    project: Project, leaver: Person, account: str, *, actor: str, systems: ConnectedSystems
) -> None:
    """Store the plan that takes an account of somebody who leaves out of an ontology project.

    It is the owner's: the leaver's own plans end with the leaver, and the change is about nobody,
    so that it is done whoever is gone by then.
    """
    system = "ontology_editor"
    owner = project.owner
    gone = owner.state == Person.State.LEAVING  # then the ontology project goes as well
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
