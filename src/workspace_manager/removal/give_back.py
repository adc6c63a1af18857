"""Projects that a leaving person received after the preview, which go back to their givers.

The preview did not show their end, so nobody approved it. A project whose giver is gone goes to an
administrator, so that nothing is lost. Access to an ontology project of others ends with the
membership that gave it, by a plan of that project's owner.

See docs/explanation/removal.md#what-happens-between-preview-and-approval.
"""

from collections.abc import Mapping

from django.db.models import QuerySet

from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine.plan import PlanDocument
from workspace_manager.records.models import Account, Person, Project
from workspace_manager.removal.messages import message
from workspace_manager.systems.ontology_editor import names as ontology_names
from workspace_manager.work import project_transfer
from workspace_manager.work.sharing import EDITOR_USER, MEMBERSHIP


def received_projects(person: Person, shown: PlanDocument) -> QuerySet[Project]:
    """Return projects that the person received and the preview did not show."""
    known = [target["id"] for target in _targets(shown, "records.project")]
    given = Project.objects.filter(owner=person).exclude(received_at=None)
    return given.exclude(id__in=known).order_by("id")


def give_back(
    person: Person, shown: PlanDocument, *, actor: str, systems: ConnectedSystems
) -> list[Message]:
    """Give the projects back in the approving transaction, and return the remarks for the plan."""
    found = []
    for project in received_projects(person, shown).select_for_update(of=("self",)):
        to = _receiver(project, person, actor)
        if to is None:
            continue
        key = "returned" if to.id == project.received_from_id else "kept_by"
        project_transfer.give_back(project, person, to, actor=actor, systems=systems)
        found.append(message(key, project=project.label, to=Named(person=to.username)))
    return found + _memberships(person, shown, actor=actor, systems=systems)


def _receiver(project: Project, person: Person, actor: str) -> Person | None:
    """Return the giver, else the approver, else another administrator; None if there is nobody."""
    giver = project.received_from
    if giver and giver.state == Person.State.ACTIVE and giver.is_active:
        return giver
    others = Person.objects.active_administrators().exclude(id=person.id)
    return others.filter(username=actor).first() or others.order_by("created_at").first()


def _memberships(
    person: Person, shown: PlanDocument, *, actor: str, systems: ConnectedSystems
) -> list[Message]:
    account = (
        Account.objects.filter(kind=EDITOR_USER, person=person, gone_at=None)
        .order_by("name")
        .first()
    )
    if account is None:
        return []
    known = _targets(shown, MEMBERSHIP)
    shared = Project.objects.filter(members=person).exclude(ontology_project_id="")
    found = []
    for project in shared.select_related("owner").order_by("id"):
        target = ontology_names.membership(project.ontology_project_id, account.name)
        if dict(target) not in known:
            project_transfer.end_received_membership(
                project, person, account.name, actor=actor, systems=systems
            )
            owner = Named(person=project.owner.username)
            found.append(message("membership_ended", project=project.label, owner=owner))
    return found


def _targets(shown: PlanDocument, kind: str) -> list[Mapping[str, str]]:
    changes = [planned.change for step in shown.steps for planned in step.changes]
    return [dict(change.target) for change in changes if change.kind == kind]
