"""Names of ontology projects in the editor: a plan passes on the name and description whenever the
project's owner changes them.

See docs/explanation/projects.md#the-ontology-project.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from pydantic import JsonValue

from workspace_manager.contract.connector import Change
from workspace_manager.core.plan_names import declare_step
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlannedStep
from workspace_manager.engine.rows import plan_change, store
from workspace_manager.records.models import Account, Plan, Project
from workspace_manager.systems.ontology_editor import names
from workspace_manager.work import sharing
from workspace_manager.work.messages import message
from workspace_manager.work.plan_document import document_of

KIND: Final = "ontology_editor.project"
RENAME: Final = declare_step("rename_ontology_project", message)


def pass_on(project: Project, told: Sequence[str], *, actor: str) -> Plan:
    """Store the plan that renames the ontology project. `told` lists the changed ones of `title`
    and `description`; the other keeps its text in the editor.
    """
    target = names.existing_project(
        project.ontology_project_id, mark=project.ontology_mark, owner=ontology_owner(project)
    )
    change = Change(
        kind=KIND,
        subject=str(project.owner_id),
        target=target,
        after=_called(project, told),
    )
    step = PlannedStep(
        n=1,
        name=RENAME,
        system="ontology_editor",
        changes=(plan_change(change, name=project.label),),
    )
    return store(
        document_of(RENAMING.name, project, (step,)), actor=actor, state=Plan.State.RUNNING
    )


def _called(project: Project, told: Iterable[str]) -> dict[str, JsonValue]:
    now = {"title": names.title(project.label), "description": project.description}
    return {name: now[name] for name in told}


def _called_now(change: Change) -> Change:
    """Update the change to the present name, which may differ since."""
    project = Project.objects.filter(ontology_project_id=change.target["project_id"]).first()
    if project is None or change.after is None:
        return change
    return change.model_copy(update={"after": _called(project, change.after)})


def is_renamed(project: Project, made_as: Mapping[str, Any]) -> bool:
    """Return whether its name has changed since it was made."""
    called = _called(project, ("title", "description"))
    return any(made_as.get(name) != text for name, text in called.items())


def ontology_owner(project: Project) -> str:
    """Return the owner in the editor: the person it was made for, also after a hand-over here."""
    if project.ontology_owner:
        return project.ontology_owner
    recorded = Account.objects.filter(
        kind=sharing.EDITOR_USER, person=project.owner, gone_at=None
    ).first()
    return recorded.name if recorded else ""


RENAMING: Final = PlanKind(
    "project.rename", message("plan.project.rename"), desired=_called_now, owner_sees=True
)
