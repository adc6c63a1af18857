"""Projects: made with their owner, and linked to an ontology project by a plan, never inside the
sign-in request.
"""

import uuid
from typing import Final

from django.db import transaction

from workspace_manager.accounts import accounts
from workspace_manager.accounts.bounds import refuse_too_many
from workspace_manager.accounts.labels import checked_description, checked_label
from workspace_manager.accounts.messages import message
from workspace_manager.accounts.row_locks import (
    PROJECT_DELETION,
    deletion_of,
    lock_active,
    lock_project,
)
from workspace_manager.audit.note import note
from workspace_manager.contract.connector import Change
from workspace_manager.contract.message import in_words
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.plan_names import declare_step
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import change_of, plan_change, store
from workspace_manager.engine.supersede import let_end, supersede, under_way
from workspace_manager.letters.letter import in_language
from workspace_manager.records.models import Person, Plan, PlanChange, Project
from workspace_manager.records.people import new_mark
from workspace_manager.systems.ontology_editor import names as ontology_names
from workspace_manager.work import loss_letters, sharing
from workspace_manager.work.messages import message as of_projects
from workspace_manager.work.ontology_names import (
    KIND,
    RENAMING,
    is_renamed,
    ontology_owner,
    pass_on,
)
from workspace_manager.work.plan_document import document_of
from workspace_manager.work.snapshot_end import EndSnapshots, SnapshotEnd, keep_snapshots

CREATE: Final = declare_step("create_ontology_project", of_projects)
DELETE: Final = declare_step("delete_ontology_project", of_projects)


def make_default(person: Person, systems: ConnectedSystems) -> Project:
    """Make a person's first project; a plan makes its ontology project. Its label contains no name,
    since plans keep it for longer than the person stays.
    """
    label = in_words(message("first_project"), in_language(person.locale))
    return make(person, systems, label=label, default=True)


def make(
    owner: Person,
    systems: ConnectedSystems,
    *,
    label: str,
    description: str = "",
    default: bool = False,
) -> Project:
    """Make a project; a plan makes its ontology project and never blocks this call.

    Raises Refused for a person who is leaving or suspended, or has too many unfinished creations.

    See docs/explanation/projects.md#the-ontology-project.
    """
    with transaction.atomic():
        owner = lock_active(owner)
        if not default:
            refuse_too_many(owner, LINKING)
        project = Project.objects.create(
            owner=owner,
            label=label,
            description=description,
            default=default,
            ontology_mark=new_mark(),
        )
        if systems.configured("ontology_editor"):
            link(project, actor=owner.username, systems=systems)
    return project


def change(
    project: Project,
    *,
    label: str | None = None,
    description: str | None = None,
    actor: str,
    systems: ConnectedSystems,
) -> Project:
    """Change a project's label or description; None keeps it. A plan passes it on to the ontology
    project.

    Raises BadInput for an invalid text, Refused for a project that is gone or being deleted.
    """
    label = None if label is None else checked_label(label)
    description = None if description is None else checked_description(description)
    with transaction.atomic():
        current = lock_project(project.id)
        running = deletion_of(current)
        if running:
            raise Refused(message("project_deleting"), plan=str(running.id))
        owner, about = current.owner.username, str(current.id)
        if label is not None:
            current.label = label
            note("project:renamed", owner, actor=actor, id=about)
        if description is not None:
            current.description = description
            note("project:described", owner, actor=actor, id=about)
        current.save(update_fields=["label", "description"])
        given = {"title": label, "description": description}
        told = tuple(name for name, text in given.items() if text is not None)
        if told and current.ontology_project_id and systems.configured("ontology_editor"):
            pass_on(current, told, actor=actor)
    return current


def link(project: Project, *, actor: str, systems: ConnectedSystems) -> Plan:
    """Store the plan that makes and links the ontology project. Its step reports why it cannot be
    made.
    """
    owner = project.owner
    step = PlannedStep(n=1, name=CREATE, system="ontology_editor")
    try:
        account = sharing.editor_account(owner, systems)
    except Refused as taken:
        step = step.model_copy(update={"skip": taken.message})
    else:
        change = Change(
            kind=KIND,
            subject=str(owner.id),
            target=ontology_names.project(project.ontology_mark, account),
            after={
                "title": ontology_names.title(project.label),
                "description": project.description,
                "language": owner.locale[:2] or "en",
            },
        )
        step = step.model_copy(update={"changes": (plan_change(change, name=project.label),)})
        # Set once: it is made for the first owner, also after a hand-over here.
        Project.objects.filter(id=project.id, ontology_owner="").update(ontology_owner=account)
    return store(document_of(LINKING.name, project, (step,)), actor=actor, state=Plan.State.RUNNING)


def _linked(plan: Plan, systems: ConnectedSystems) -> None:
    """Save the ontology project's id once the plan is done, and give the members access."""
    if plan.state != Plan.State.DONE:
        return
    row = PlanChange.objects.filter(step__plan=plan, kind=KIND).first()
    facts = (row.outcome or {}).get("facts", {}) if row else {}
    if not facts.get("project_id") or not Project.objects.filter(id=plan.about).exists():
        return
    project = lock_project(uuid.UUID(plan.about))
    project.ontology_project_id = facts["project_id"]
    project.save(update_fields=["ontology_project_id"])
    made_as = change_of(row).after if row else None
    if made_as and is_renamed(project, made_as):
        pass_on(project, ("title", "description"), actor=plan.created_by)
    sharing.settle_all(
        project.members.all(),
        about=plan.about,
        actor=plan.created_by,
        systems=systems,
        project=project,
    )


def delete(
    project: Project,
    *,
    actor: str,
    systems: ConnectedSystems,
    end_snapshots: EndSnapshots = keep_snapshots,
) -> Plan:
    """Store the plan that moves the ontology project to the trash and deletes the project; things
    of others stay. Raises Refused.
    """
    with transaction.atomic():
        owner = Person.objects.select_for_update().get(id=project.owner_id)
        if owner.state == Person.State.LEAVING:
            raise Refused(message("project_goes", name=owner.username))
        project = lock_project(project.id)
        mine = Plan.objects.filter(about=str(project.id), state__in=Plan.OPEN)
        running = deletion_of(project)
        if running:
            raise Refused(message("project_deleting"), plan=str(running.id))
        running_now = mine.filter(kind__in=[LINKING.name, RENAMING.name])
        calls = under_way(systems, plans=supersede(running_now))
        ended = end_snapshots(project)
        document = _deletion(project, ended)
        plan = store(document, actor=actor, state=Plan.State.RUNNING)
        let_end(plan, [*calls, *ended.calls])
        note("project:deletion_requested", owner.username, actor=actor, id=str(project.id))
        loss_letters.tell_of_project(project, actor=actor, plan=plan.id)
    return plan


def _deletion(project: Project, ended: SnapshotEnd) -> PlanDocument:
    trash = downstream(project)
    record = Change(
        kind="records.project",
        subject=str(project.owner_id),
        target={"id": str(project.id), "label": project.label},
    )
    first = PlannedStep(
        n=1,
        name=DELETE,
        system="ontology_editor",
        skip="" if trash else message("no_ontology_project"),
        changes=tuple(plan_change(change, name=project.label) for change in trash),
    )
    steps = (first, *ended.steps(2))
    last = PlannedStep(
        n=len(steps) + 1,
        name=accounts.DELETE_RECORD,
        system="records",
        needs=tuple(step.n for step in steps),
        changes=(plan_change(record, name=project.label),),
    )
    return document_of(DELETION.name, project, (*steps, last), remarks=ended.remarks)


def downstream(project: Project) -> list[Change]:
    """Return the removal of the ontology project: by its id, or by our mark while a creation may
    have left one.
    """
    owner = ontology_owner(project)
    if project.ontology_project_id:
        target = ontology_names.existing_project(
            project.ontology_project_id, mark=project.ontology_mark, owner=owner
        )
    elif owner and project.ontology_mark:
        target = ontology_names.project(project.ontology_mark, owner)
    else:
        return []
    return [Change(kind=KIND, subject=str(project.owner_id), target=target)]


LINKING: Final = PlanKind(
    "project.link", of_projects("plan.project.link"), on_saved=_linked, owner_sees=True
)
DELETION: Final = PlanKind(PROJECT_DELETION, of_projects("plan.project.delete"), owner_sees=True)
