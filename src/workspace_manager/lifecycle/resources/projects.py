"""Projects: made with their owner, linked to an ontology project by a plan, never inside the sign-in request."""

import uuid
from collections.abc import Mapping

from workspace_manager.contract.connector import Change
from workspace_manager.lifecycle import history
from workspace_manager.lifecycle.account_link import sub_of
from workspace_manager.lifecycle.driven import DrivenSystems
from workspace_manager.lifecycle.planning.journal import planned, store
from workspace_manager.lifecycle.planning.plan import PlanDocument, PlannedStep
from workspace_manager.lifecycle.refusal import BadInput
from workspace_manager.records.models import Account, Person, Plan, PlanChange, Project
from workspace_manager.records.people import new_mark
from workspace_manager.systems.ontology_editor import names as ontology_names

LINK = "project.link"


def make_default(person: Person, driven: DrivenSystems) -> Project:
    """Make somebody's first project and leave its ontology project to a plan."""
    return make(person, driven, label=f"{person.full_name}’s project"[:100], default=True)


def make(
    owner: Person,
    driven: DrivenSystems,
    *,
    label: str,
    description: str = "",
    default: bool = False,
) -> Project:
    """Make a project; its ontology project follows by a plan and never blocks this (specification, section 3.5)."""
    project = Project.objects.create(
        owner=owner, label=label, description=description, default=default, ontology_mark=new_mark()
    )
    if driven.configured("ontology_editor"):
        link(project, actor=owner.username)
    return project


def link(project: Project, *, actor: str) -> Plan:
    """Store the plan that makes and links the ontology project."""
    owner = project.owner
    account = ontology_names.account_name(owner.username, sub_of(owner))
    Account.objects.get_or_create(
        system="ontology_editor",
        kind="ontology_editor.user",
        name=account,
        gone_at=None,
        defaults={"username": owner.username, "person": owner},
    )
    change = Change(
        kind="ontology_editor.project",
        subject=str(owner.id),
        target=ontology_names.project(project.ontology_mark, account),
        after={
            "title": ontology_names.title(project.label),
            "description": project.description,
            "language": owner.locale[:2] or "en",
        },
    )
    document = PlanDocument(
        kind=LINK,
        person=owner.username,
        subject=str(owner.id),
        about=str(project.id),
        steps=(
            PlannedStep(
                n=1,
                name="create_ontology_project",
                system="ontology_editor",
                changes=(planned(change, name=project.label),),
            ),
        ),
    )
    return store(document, actor=actor, state=Plan.State.RUNNING)


def follow_link(plan: Plan) -> None:
    """Write the ontology project's id down once the plan is done."""
    if plan.state != Plan.State.DONE:
        return
    row = PlanChange.objects.filter(step__plan=plan, kind="ontology_editor.project").first()
    facts = (row.outcome or {}).get("facts", {}) if row else {}
    if facts.get("project_id"):
        Project.objects.filter(id=plan.about).update(ontology_project_id=facts["project_id"])


def hand_over(owner: Person, transfer: Mapping[str, str], *, actor: str) -> None:
    """Give projects of somebody who leaves to one of their members. Raises BadInput; the caller's transaction undoes all of it.

    The ontology project keeps its owner there, which no interface can change: the new owner is made a manager of it by hand.
    """
    for project_id, username in transfer.items():
        project = Project.objects.filter(id=_uuid(project_id), owner=owner).first()
        if project is None:
            raise BadInput({"transfer": f"{project_id} is not a project of {owner.username}."})
        member = project.members.filter(username=username, state=Person.State.ACTIVE).first()
        if member is None:
            raise BadInput(
                {"transfer": f"{username} is not an active member of “{project.label}”."}
            )
        project.memberships.filter(person=member).delete()
        project.owner, project.default = member, False
        project.save(update_fields=["owner", "default"])
        history.note(
            "project:handed_over", owner.username, actor=actor, project=project_id, to=username
        )


def _uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        return uuid.UUID(int=0)  # nobody's
